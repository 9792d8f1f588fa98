"""Statements that no data can decide: what was read, and how."""

from boardspace.spec.space import Measurement

READINGS = {
    "divisions-countless": Measurement(
        None, "a figure of speech: a board has finitely many divisions, and the text counts none", "open", "reading"
    ),
    "principles": Measurement(None, "advice on how to divide, not a statement about boards", "open", "reading"),
    "strip-direction": Measurement(
        "columns",
        "three columns are removed, as the cases before it say; the turn by 90 degrees makes rows of them",
        "corrected",
        "reading",
    ),
    "line-lemmas-named": Measurement(
        "two lemmas on three conditions",
        "the sentence that announces two lemmas is followed by the conditions (1) to (3), the lemmas by their names "
        "below",
        "corrected",
        "reading",
    ),
    "remainders": Measurement(
        None, "advice on what to do with remainders, not a statement about boards", "open", "reading"
    ),
    "division-is-recursion": Measurement(None, "a view of the method, not a statement about boards", "open", "reading"),
}
