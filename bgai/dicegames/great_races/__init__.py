"""Great Races: rules, solver and text."""
