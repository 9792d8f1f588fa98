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
    "ls-origin": Measurement(
        None, "of where a game is from and is played; no enumeration can judge it", "open", "reading"
    ),
    "ls-thirty-years": Measurement(
        None,
        "of what other computers could have done; ls-fewer-decisions counts what the proof takes today",
        "open",
        "reading",
    ),
    "ls-cube": Measurement(
        None,
        "a comparison of two problems is a matter of judgement, and the cube is not enumerated here; ls-both-sides "
        "says how many positions this one takes",
        "open",
        "reading",
    ),
    "ls-four-colours-again": Measurement(
        None, "of another theorem and other programs; nothing here bears on it", "open", "reading"
    ),
    "ls-four-colours": Measurement(
        None,
        "a comparison of two proofs is a matter of judgement; ls-frontier-7 and ls-prize have figures",
        "open",
        "reading",
    ),
}
