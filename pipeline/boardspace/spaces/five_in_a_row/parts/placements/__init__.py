"""All placements with the fewest stones, in one array."""
