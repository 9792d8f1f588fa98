"""Lines of pegs: rectangles of one row."""
