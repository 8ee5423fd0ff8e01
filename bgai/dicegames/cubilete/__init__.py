"""Cubilete: rules, solver and text."""
