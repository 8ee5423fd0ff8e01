"""Learning by self-play: recipes, games, targets, learners, runs."""
