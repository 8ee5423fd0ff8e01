"""``python -m bgai`` and the command ``bgai``."""

import signal


def main() -> None:
    """Run the program; Ctrl-C ends it without a word while its modules are being loaded."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from bgai.ui.cli import main as run

    run()


if __name__ == "__main__":
    main()
