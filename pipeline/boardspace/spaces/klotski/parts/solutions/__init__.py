"""Distance of each layout from the exit, and its solutions."""
