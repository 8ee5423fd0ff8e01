"""Programs that play: bots, levels, how they turn the cube and resign."""
