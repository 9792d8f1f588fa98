"""Interface of a space: its parts, tables, stages, checks and claims. It imports nothing above it."""
