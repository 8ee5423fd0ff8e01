"""Centennial: rules, solver and text."""
