"""Five dice games with best or near-best players. Imports nothing of the backgammon tower."""
