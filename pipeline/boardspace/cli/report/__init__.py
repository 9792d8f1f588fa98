"""Reports of a run for people: progress while it goes on, tables at its end."""
