"""The Universal Backgammon Interface: engines that talk in lines over standard input and output.

``talk`` is the language, ``loop`` an engine's side of it; both need Python's own library alone, so
that the ``*_worker`` modules can run inside other programs' interpreters. ``engine`` is bgai as
an engine, ``client`` plays with any engine that a command starts.
"""
