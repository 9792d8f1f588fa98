"""One module or package per space, found by name."""
