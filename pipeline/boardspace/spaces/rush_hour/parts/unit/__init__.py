"""Boards whose cars have one cell: all of a size and a number of voids, and the starts that take the most moves."""
