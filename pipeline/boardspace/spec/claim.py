"""Claims: what a source text states, what the data say of it, and the table that every dataset has of them."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

import pyarrow as pa

from boardspace.spec.errors import NotInReleaseError
from boardspace.spec.stage import Json
from boardspace.spec.table import Column, Table

Verdict = Literal["confirmed", "corrected", "refuted", "answered", "open", "not_covered"]
Basis = Literal["all cases", "sample", "proof", "reading"]
VERDICTS: Mapping[Verdict, str] = {
    "confirmed": "the measured value is the stated one",
    "corrected": "the statement holds once a slip in it is mended",
    "refuted": "the statement fails",
    "answered": "the text asks, the measured value is the answer",
    "open": "data cannot judge it",
    "not_covered": "this run did not cover it",
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

    A ``verdict`` is given only where equality is not the question (say, a statement that holds in part); "confirmed" of
    another value than the stated one only where the file of claims says that it is no equation
    (:class:`boardspace.spec.claims.Claim`). ``evidence`` tells how it was measured and, where the claim fails, shows
    the counterexample. ``basis`` is what the value rests on: all the cases that the statement speaks of, a sample of
    them (``evidence`` says how many), a proof (it says where), or a reading of the text, which no data can decide.
    """

    value: Json
    evidence: str
    verdict: Verdict | None = None
    basis: Basis = "all cases"


def by_proof(value: Json, evidence: str, verdict: Verdict | None = None) -> Measurement:
    """A measurement that rests on a proof."""
    return Measurement(value, evidence, verdict, "proof")


def by_sample(value: Json, evidence: str, verdict: Verdict | None = None) -> Measurement:
    """A measurement that rests on a sample of the cases that the statement speaks of."""
    return Measurement(value, evidence, verdict, "sample")


class PartlyMeasuredError(NotInReleaseError):
    """Error of measurements some of which need ``what`` a release lacks; ``measured`` are the others, by claim id."""

    def __init__(self, what: Iterable[str], measured: Mapping[str, Measurement]) -> None:
        super().__init__(*dict.fromkeys(what))
        self.measured = measured


def measured_together(*groups: Callable[[], Mapping[str, Measurement]]) -> dict[str, Measurement]:
    """The measurements of several groups of claims, by claim id.

    PartlyMeasuredError, with those of the other groups, where one needs what a release lacks: so as many claims as can
    be are judged again on a release.
    """
    measured: dict[str, Measurement] = {}
    refused: list[str] = []
    for measure in groups:
        try:
            measured.update(measure())
        except PartlyMeasuredError as error:
            measured.update(error.measured)
            refused += error.what
        except NotInReleaseError as error:
            refused += error.what
    if refused:
        raise PartlyMeasuredError(refused, measured)
    return measured


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
        Column(
            "basis",
            pa.string(),
            "What the verdict rests on; empty where the run did not cover it.",
            codes=tuple(BASES.items()),
        ),
        Column(
            "evidence",
            pa.string(),
            "How it was measured and, where it fails, the counterexample; or a config that covers it.",
        ),
    ),
    key=("claim",),
    one_file=True,
)
