"""Strips covered by L-trominoes: recurrences of the numbers of covers."""
