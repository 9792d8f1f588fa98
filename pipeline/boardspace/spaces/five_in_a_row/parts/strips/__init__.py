"""Boards of a few columns and any length."""
