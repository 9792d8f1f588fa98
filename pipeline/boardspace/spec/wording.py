"""Words of messages that depend on a number."""


def counted(number: int, thing: str) -> str:
    """Number of things: "1 shard", "1,000 shards"; ``thing`` is a noun in the singular that takes an s.

    >>> counted(1, "shard"), counted(1_000, "shard"), counted(0, "fault")
    ('1 shard', '1,000 shards', '0 faults')
    """
    return f"{number:,} {thing}{'' if number == 1 else 's'}"
