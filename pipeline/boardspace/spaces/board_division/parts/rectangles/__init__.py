"""Rectangles of pegs on an unbounded board."""
