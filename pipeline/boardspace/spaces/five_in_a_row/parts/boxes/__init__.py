"""Boxes of three sides."""
