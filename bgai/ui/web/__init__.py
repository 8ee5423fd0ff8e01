"""The page to play and analyse on, and the HTTP API behind it."""
