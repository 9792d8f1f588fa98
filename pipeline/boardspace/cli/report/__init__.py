"""What a person sees of a run: progress while it goes on, tables at its end."""
