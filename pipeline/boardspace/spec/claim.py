"""Claims: what a source text states, what the data say of it, and the table that every dataset has of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import pyarrow as pa

from boardspace.spec.stage import Json
from boardspace.spec.table import Column, Table

Verdict = Literal["confirmed", "corrected", "refuted", "answered", "open"]
Basis = Literal["all cases", "sample", "proof", "reading"]
VERDICTS: Mapping[Verdict, str] = {
    "confirmed": "the measured value is the stated one",
    "corrected": "the statement holds once a slip in it is mended",
    "refuted": "the statement fails",
    "answered": "the text asks, the measured value is the answer",
    "open": "this run did not cover it, or data cannot judge it",
}
BASES: Mapping[Basis, str] = {
    "all cases": "all the cases that the statement speaks of",
    "sample": "a sample of them; the evidence says how many",
    "proof": "a proof; the evidence says where",
    "reading": "a reading of the text, which no data can decide",
}


@dataclass(frozen=True)
class Measurement:
    """Measured value of one claim; ``value`` is compared with the claim's stated value.

    A ``verdict`` is given only where equality is not the question (say, a statement that holds in part); ``evidence``
    tells how it was measured and, where the claim fails, shows the counterexample. ``basis`` is what the value rests
    on: all the cases that the statement speaks of, a sample of them (``evidence`` says how many), a proof (it says
    where), or a reading of the text, which no data can decide.
    """

    value: Json
    evidence: str
    verdict: Verdict | None = None
    basis: Basis = "all cases"


CLAIMS = Table(
    name="claims",
    doc="Every statement of the source that was checked, with the measured value and the verdict.",
    columns=(
        Column("claim", pa.string(), "Short name of the statement."),
        Column("position", pa.uint16(), "Its place among the statements, in the order of the text."),
        Column("source", pa.string(), "Where it is stated."),
        Column("statement", pa.string(), "What is stated, in our words."),
        Column("stated", pa.string(), "The stated value, as JSON."),
        Column("measured", pa.string(), "The measured value, as JSON; empty where the run did not cover it."),
        Column("verdict", pa.string(), "What the data say of it.", codes=tuple(VERDICTS.items())),
        Column("basis", pa.string(), "What the verdict rests on; empty where it is open.", codes=tuple(BASES.items())),
        Column("evidence", pa.string(), "How it was measured and, where it fails, the counterexample."),
    ),
    key=("claim",),
    one_file=True,
)
