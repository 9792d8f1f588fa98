"""The farthest steps of all layouts: their stages and tables, what they cost, and how they are checked."""
