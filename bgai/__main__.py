"""``python -m bgai`` is the same as ``bgai``."""

from bgai.ui.cli import main

main()
