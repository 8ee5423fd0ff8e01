"""Running a command: its streams, its errors and its interruption, each told in one line."""

import atexit
import os
import signal
import sys
import threading
from collections.abc import Callable, Collection
from concurrent.futures import FIRST_COMPLETED, Future, wait
from types import FrameType
from typing import NoReturn, ParamSpec, TypeVar

from bgai.errors import BAD_INPUT, IO_FAILURE, FileError, InputError

INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells have it."""

P = ParamSpec("P")
T = TypeVar("T")

_came = threading.Event()  # an interruption, even if somebody swallowed its exception


def run_program(command: Callable[[], object]) -> NoReturn:
    """Run a command of the process and exit.

    Exit codes: those of the command (0 where it returns), 2 for bad input, 74 where reading or
    writing failed (a full disk), 130 after Ctrl-C.
    """
    _open_closed_streams()
    _note_interruptions()
    code = _flushed(_code_of(command))
    if code == INTERRUPTED:
        _say("interrupted")
        atexit._run_exitfuncs()
        # compiled code may still be at work in another thread: it is not waited for
        os._exit(code)
    sys.exit(code)


def _code_of(command: Callable[[], object]) -> int:
    try:
        command()
    except KeyboardInterrupt:
        return INTERRUPTED
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else int(stop.code is not None)
    except InputError as error:
        return _failed(str(error), error.exit_code)
    except UnicodeDecodeError as error:
        return _failed(f"the input is not UTF-8 text (byte {error.start})", BAD_INPUT)
    except OSError as error:
        if error.filename is None:
            return _failed(f"can't read or write: {error.strerror or error}", IO_FAILURE)
        failure = FileError(error.filename, error)
        return _failed(str(failure), failure.exit_code)
    except Exception:
        if not _came.is_set():
            raise
        return INTERRUPTED  # what compiled code and its compiler make of an interruption
    return 0


def _failed(message: str, code: int) -> int:
    _say(f"error: {message}")
    return code


def _say(message: str) -> None:
    try:
        print(message, file=sys.stderr, flush=True)
    except OSError:  # nobody reads it
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115


def _flushed(code: int) -> int:
    """The exit code once the output has left the process, 74 where it can't."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError) as error:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115  else Python tries again at its end
        if isinstance(error, BrokenPipeError) or code:
            return code
        return _failed(f"can't write the output: {getattr(error, 'strerror', error)}", IO_FAILURE)
    return code


def _open_closed_streams() -> None:
    """Have all three streams; without one of its own the next file would take its number."""
    stdin_closed, stdout_closed = sys.stdin is None, sys.stdout is None
    if stdin_closed:
        sys.stdin = open(os.devnull)  # noqa: SIM115
    if stdout_closed:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    if stdout_closed:
        sys.exit(_failed("standard output is closed", IO_FAILURE))


def _note_interruptions() -> None:
    def note(_number: int, _frame: FrameType | None) -> None:
        _came.set()
        threading.excepthook = lambda _: None  # threads may fail while all is being stopped
        raise KeyboardInterrupt

    _came.clear()
    here = threading.current_thread() is threading.main_thread()
    if here and signal.getsignal(signal.SIGINT) in (signal.default_int_handler, signal.SIG_DFL):
        signal.signal(signal.SIGINT, note)


def apart(work: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> T:
    """Do some work in a thread of its own and wait for it; its value, or its exception.

    Ctrl-C ends the waiting at once. In the middle of compiled code, or while that is being
    compiled, an interruption comes out as errors of many kinds, or is lost; one that was lost
    before, wherever it was, is raised here.
    """
    if threading.current_thread() is not threading.main_thread():
        return work(*args, **kwargs)
    done: Future[T] = Future()

    def do() -> None:
        try:
            done.set_result(work(*args, **kwargs))
        except BaseException as error:
            done.set_exception(error)

    threading.Thread(target=do, daemon=True).start()
    first_done([done])
    return done.result()


def first_done(futures: Collection[Future[T]]) -> set[Future[T]]:
    """Those that are done, of at least one; waits for it, until Ctrl-C at the longest.

    An interruption that came before and was swallowed (in a callback, by whatever was being
    imported) is raised here too.
    """
    done: set[Future[T]] = set()
    while not done and not _came.is_set():
        done = wait(futures, timeout=0.5, return_when=FIRST_COMPLETED).done
    if _came.is_set():
        raise KeyboardInterrupt
    return done
