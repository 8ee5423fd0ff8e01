"""Settings for all tests."""

import signal

from hypothesis import settings

# A busy machine, or a kernel compiled in the middle of a test, is no failure.
settings.register_profile("bgai", deadline=None)
settings.load_profile("bgai")

# Tests started in the background ignore Ctrl-C, and so would the programs they start and interrupt.
signal.signal(signal.SIGINT, signal.default_int_handler)
