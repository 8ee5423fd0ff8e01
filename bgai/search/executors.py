"""Where work is done: in this process, on the local cores, or on a Dask cluster.

All are ``concurrent.futures.Executor``s, so whoever hands out work doesn't see a difference.
"""

import multiprocessing
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any, ParamSpec, TypeVar, cast

from bgai.errors import InputError, needs
from bgai.program import apart

CONNECT_SECONDS = 10.0

P = ParamSpec("P")
T = TypeVar("T")


class InlineExecutor(Executor):
    """Works in this process, each piece when it is handed in. Ctrl-C ends the handing in."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future: Future[T] = Future()
        future.set_running_or_notify_cancel()
        try:
            future.set_result(apart(fn, *args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def local_cores() -> int:
    """Cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on Linux
        return os.cpu_count() or 1


@contextmanager
def open_executor(workers: int | None = None, scheduler: str | None = None) -> Iterator[Executor]:
    """An executor to work with: ``workers`` processes (all cores by default), or a cluster.

    ``scheduler`` is the address of a Dask scheduler, such as ``tcp://host:8786``; its workers
    need bgai installed. Leaving by an error drops what is not done. Raises ``InputError``.
    """
    if scheduler is not None:
        with _cluster(scheduler) as executor:
            yield executor
        return
    count = workers or local_cores()
    if count == 1:
        yield InlineExecutor()
        return
    # Forked processes would inherit the threads of compiled kernels.
    context = multiprocessing.get_context("spawn")
    before = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(count, mp_context=context, initializer=_follow_parent)
    try:
        yield pool
    except BaseException:
        for process in set(multiprocessing.active_children()) - before:
            process.terminate()
        pool.shutdown(wait=False, cancel_futures=True)
        raise
    pool.shutdown()


def _follow_parent() -> None:
    """Ctrl-C stops the parent, which stops these; where it is killed they end by themselves."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_after, args=(parent,), daemon=True).start()


def _end_after(parent: Any) -> None:
    parent.join()
    os._exit(1)


@contextmanager
def _cluster(address: str) -> Iterator[Any]:
    with needs("cluster", "a Dask cluster"):
        from distributed import Client
    try:
        client: Any = cast(Any, Client)(address, timeout=CONNECT_SECONDS)
    except (OSError, ValueError) as error:
        raise InputError(f"no Dask scheduler at {address}: {error}") from None
    with client:
        executor = client.get_executor(pure=False)
        try:
            yield executor
        finally:
            executor.shutdown(wait=False)
