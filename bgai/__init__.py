"""A backgammon engine that teaches itself, plays with the cube and explains its decisions."""

from bgai.folders import keep_kernels_by_version

__version__ = "0.1.0"

keep_kernels_by_version()  # before numba is imported, which reads its settings then
