"""Theorems: what the boards of a run prove of all boards."""

from boardspace.spec.space import Inputs
from boardspace_kernels.five_in_a_row.periodic import Computed, Sides, least_side, theorem


def computed_boards(inputs: Inputs, k: int) -> dict[Sides, Computed]:
    """Findings of the searches of this run on the boards of k, both ways round."""
    found = {}
    for row in inputs.read("boards", "results").to_pylist():
        if row["k"] == k and row["columns"] >= k and row["lattice_stones"] is not None:
            one = Computed(row["lattice_stones"] == row["stones"], bool(row["complete"]))
            found[row["rows"], row["columns"]] = found[row["columns"], row["rows"]] = one
    return found


def all_boards(inputs: Inputs, k: int) -> tuple[str, str]:
    """Theorems on all boards that the computed ones prove, in words: of the stones, and of placements; '' for none."""
    proved = theorem(k, computed_boards(inputs, k))
    up_to = f"The boards up to {proved.side} x {proved.side} prove it for all boards"
    stones = f"{up_to}: {k} more rows cost exactly M stones." if proved.stones else ""
    if proved.incomplete is None:
        return stones, ""
    named = ", ".join(f"{n} x {m}" for n, m in proved.incomplete)
    return stones, (
        f"The boards up to {proved.side} x {proved.side} prove completeness for all other boards, of any size, than "
        f"{named}: two optimal windows that share {least_side(k) - k} rows of {k} cells are windows of one "
        f"lattice, since so many rows tell a best cell of order {k}."
    )
