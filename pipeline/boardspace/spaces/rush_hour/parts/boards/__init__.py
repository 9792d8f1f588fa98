"""Boards by sets of pieces and by labels, levels, and hardest starts."""
