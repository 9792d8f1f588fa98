"""All layouts with codes, ids and names, their classes and groups."""
