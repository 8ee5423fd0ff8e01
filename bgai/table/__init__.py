"""Two players at a board: players, bots, referee, sessions and their files."""
