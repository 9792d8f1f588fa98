"""Shards that are classes, and their names."""


def shard_name(name: str) -> str:
    """Turn the name of a class, such as 5-4-1, into a file name that sorts as classes do: 5-04-1."""
    jiang, bing, style = name.split("-")
    return f"{jiang}-{bing:>02}-{style}"
