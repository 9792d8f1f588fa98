"""The source's own search, by counting pegs on the goal's holes."""
