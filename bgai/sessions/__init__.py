"""Games between players: referee, sessions and their files, chouettes, teams, real boards."""
