"""Rules of backgammon: positions, dice, legal plays, cube, match, game."""
