"""Ship Captain: rules, solver and text."""
