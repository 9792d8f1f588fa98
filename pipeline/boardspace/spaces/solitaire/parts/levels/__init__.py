"""Whole spaces by jumps, level by level."""
