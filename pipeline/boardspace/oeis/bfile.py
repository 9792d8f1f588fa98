"""Terms of a sequence as the encyclopaedia's b-files have them."""

from collections.abc import Iterable, Iterator


def bfile_lines(
    name: str, definition: str, command: str, indices: tuple[int, int], terms: Iterable[tuple[int, int]]
) -> Iterator[str]:
    """A b-file of the OEIS: what the sequence is, for which indices (the first, the last) and by which command it was
    made, then a line for each term (index, value)."""
    yield f"# {name}: {definition}."
    yield f"# Table of n, a(n) for n = {indices[0]}..{indices[1]}, by: {command}"
    yield from (f"{n} {term}" for n, term in terms)
