"""The commands of the `bgai` program, one module each with a `register` function."""
