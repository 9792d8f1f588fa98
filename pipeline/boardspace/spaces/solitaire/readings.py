"""Statements that no data can decide: what was read, and why."""

from boardspace.spec.space import Measurement

READINGS = {
    "english-history": Measurement(None, "of persons and centuries; no enumeration can judge it", "open", "reading"),
    "ls-hours": Measurement(
        None,
        "of the author's machines; a run of this program takes the moves that ls-prize counts",
        "open",
        "reading",
    ),
    "ls-four-colours": Measurement(
        None,
        "a comparison of two proofs is a matter of judgement; ls-frontier-7 and ls-prize have figures",
        "open",
        "reading",
    ),
}
