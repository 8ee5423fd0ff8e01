"""Settings for all tests."""

from hypothesis import settings

# A busy machine, or a kernel compiled in the middle of a test, is no failure.
settings.register_profile("bgai", deadline=None)
settings.load_profile("bgai")
