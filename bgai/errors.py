"""The error for input that can't be accepted."""


class InputError(ValueError):
    """Input from a person or a file that can't be accepted.

    The message names what was wrong and where; the command line prints it and ends with
    exit code 2.
    """
