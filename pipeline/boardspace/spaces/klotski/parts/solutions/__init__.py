"""How far each layout is from the exit, and its solutions."""
