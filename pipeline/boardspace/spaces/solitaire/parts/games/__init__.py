"""Numbers of games: how many ways there are to play from a single vacancy until no jump is left."""
