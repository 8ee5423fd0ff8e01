"""A backgammon engine that teaches itself, plays with the cube and explains its decisions."""

__version__ = "0.2.0"
