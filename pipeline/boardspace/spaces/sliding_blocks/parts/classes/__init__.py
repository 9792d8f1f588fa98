"""Classes of packings: their sizes, groups and corner puzzles."""
