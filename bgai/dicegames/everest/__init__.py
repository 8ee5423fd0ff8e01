"""Everest: rules, solver and text."""
