"""Trays, the puzzle on frames of other sizes: their stage and table, and how rows are checked."""
