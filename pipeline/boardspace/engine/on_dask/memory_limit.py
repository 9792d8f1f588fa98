"""Memory that a worker is given."""

from dask.utils import format_bytes, parse_bytes

from boardspace.spec.errors import BoardspaceError

# A worker that has imported all it needs holds 100 to 150 MiB; what is left of this limit is for one small shard.
LEAST_MEMORY = 256 << 20


def checked_memory(text: str) -> str:
    """A memory limit as Dask reads it; BoardspaceError where it is none, or too small for any worker."""
    if text == "auto":
        return text
    try:
        size = parse_bytes(text)
    except (ValueError, OverflowError):
        size = -1
    if size < LEAST_MEMORY:
        least = format_bytes(LEAST_MEMORY)
        raise BoardspaceError(
            f"--memory-limit {text!r}: give auto, or at least {least}, such as 4GiB: a worker needs that to start"
        )
    return text
