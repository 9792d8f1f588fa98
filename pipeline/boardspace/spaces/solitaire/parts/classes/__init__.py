"""Whole position classes of a board, one for each vacancy: swept by weight, published as bitmaps, counted."""
