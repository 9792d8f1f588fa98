"""The net of all layouts, who is one step from whom: its stages and arrays, and how they are checked."""
