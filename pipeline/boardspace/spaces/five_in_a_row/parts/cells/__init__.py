"""Best cells, the modular n-queens solutions, and their windows."""
