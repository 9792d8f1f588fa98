"""Covers by L-trominoes."""
