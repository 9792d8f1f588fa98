"""The farthest steps of all layouts, and the extents of their groups."""
