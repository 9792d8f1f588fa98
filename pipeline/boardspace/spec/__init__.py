"""What a space is: its parts, tables, stages and claims. It imports nothing above it."""
