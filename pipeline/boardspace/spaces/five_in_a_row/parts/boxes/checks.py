"""Re-derives boxes, as boards are, and their classes on orbits of cells."""

from boardspace.spaces.five_in_a_row import verified
from boardspace.spaces.five_in_a_row.config import FiveInARowConfig
from boardspace.spaces.five_in_a_row.parts.boxes.symmetric import conjugates, kept_by, symmetries
from boardspace.spaces.five_in_a_row.proved import Proved, differences, each, proved_boxes
from boardspace.spec.space import Draw, Inputs, Outcome, outcome

SIDES = ("k", "a", "b", "c")
COUNTED_STATES = 10_000_000
"""Classes are counted of boxes whose searches have so few states: in seconds."""


def check_boxes(config: FiveInARowConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Every box of the config has one row."""
    boxes = sorted({(k, *sorted(sides, reverse=True)) for k, *sides in config.boxes})
    wanted = [dict(zip(SIDES, box, strict=True)) for box in boxes]
    return outcome(differences(inputs.table("boxes").to_pylist(), wanted, SIDES))


def check_certificates(config: FiveInARowConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Every certificate, weighed."""
    return outcome(each(proved_boxes(inputs), _certificate_fault))


def check_counts(config: FiveInARowConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Placements, counted again."""
    proved = proved_boxes(inputs)
    return outcome(verified.second_counts(config, proved, draw), of=len(proved))


def check_classes(config: FiveInARowConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Classes of boxes whose placements were listed; of others there are none."""
    return outcome(each(proved_boxes(inputs), lambda one: _classes_fault(config, one)))


def check_searches(config: FiveInARowConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Searches of few states, made again."""
    proved = proved_boxes(inputs)
    return outcome(verified.efforts(proved), of=sum(one.searched for one in proved))


def check_refutations(config: FiveInARowConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Proofs of a SAT solver, checked clause by clause."""
    proved = proved_boxes(inputs)
    given = {
        one.key: {
            "stones": one.row["stones"] - 1,
            "clauses": one.row["refuted"],
            "refutation": one.row["refutation"],
        }
        for one in proved
        if one.row["refutation"] is not None
    }
    return outcome(verified.refutations(proved, given, draw))


def _certificate_fault(one: Proved) -> str:
    proof = "bound" if one.certificate is not None and one.proved_by_weights else "search"
    if one.row["proof"] != proof:
        return f"proof is {one.row['proof']}, not {proof}"
    return verified.certificate_fault(one)


def _classes_fault(config: FiveInARowConfig, one: Proved) -> str:
    count, found = int(one.row["placements"]), one.row["classes"]
    if count > config.listed:
        return "" if found is None else f"{found} classes of placements that were not listed"
    every = symmetries(one.sides)
    if one.row["states"] > COUNTED_STATES:
        return "" if count <= len(every) * int(found or 0) <= count * len(every) else f"{found} classes of {count}"
    identity = tuple(range(one.cells))
    kept = count + sum(
        len(alike) * kept_by(alike[0], one.certificate) for alike in conjugates(every) if alike != [identity]
    )
    classes, rest = divmod(kept, len(every))
    return "" if not rest and found == str(classes) else f"{classes} classes, its row has {found}"
