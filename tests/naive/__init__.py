"""Slow, obvious oracles in plain Python."""
