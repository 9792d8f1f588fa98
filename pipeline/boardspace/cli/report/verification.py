"""What a person is told of a verification."""

from collections.abc import Iterator

from boardspace.verify import Verification

MOST = 1000


def told(result: Verification, seconds: float) -> Iterator[str]:
    """A line for each fault, for what was left out, and the sum of it."""
    for fault in result.faults[:MOST]:
        yield f"{fault.where}: {fault.what}"
    if len(result.faults) > MOST:
        yield f"and {len(result.faults) - MOST:,} more"
    yield from (f"note: {note}" for note in result.notes)
    cases = f", {result.cases:,} cases re-derived" if result.level == "logic" else ""
    yield (
        f"{result.level}: {len(result.faults)} fault(s) in {result.files:,} files, {result.bytes / 1e6:,.1f} MB, "
        f"{result.rows:,} rows{cases}, {seconds:.1f} s"
    )
