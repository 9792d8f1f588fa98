"""Trays: the puzzle on frames of other sizes."""
