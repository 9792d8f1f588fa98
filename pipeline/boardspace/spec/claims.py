"""Claims of the source texts, and the verdict of the data on each.

A space's claims are a TOML file of ``[[claim]]`` tables in the order of the text: ``id``, ``source`` (text and
section), ``statement`` (in our words), ``stated`` (the stated value, compared with the measured one) and, where that is
not all there is to it, ``equation = false``. ``config``, above all claims or in one, names a config that
covers it. The space measures; the verdict is

* ``confirmed``: the measured value equals the stated one,
* ``refuted``: it does not, and the statement fails,
* ``corrected``: the statement holds once a slip in it is mended; the evidence says which,
* ``answered``: the text asks and states no value; the measured one is the answer,
* ``open``: it is of a kind that data cannot judge; the evidence says so,
* ``not_covered``: this run did not cover it; the evidence names a config that does.

What a part measures is known when all its stages are finished, so a claim that its file does not state would be found
last. But nearly always its code names the claim beside the :class:`.Measurement`, ``{"id": Measurement(...)}`` or
``found["id"] = Measurement(...)``, and that is read before a run.
"""

import ast
import hashlib
import importlib.util
import json
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import pyarrow as pa
from pydantic import BaseModel, ConfigDict

from boardspace.spec.claim import PartlyMeasuredError, measured_together
from boardspace.spec.deferred import DeferredFunction
from boardspace.spec.errors import BoardspaceError, NotInReleaseError
from boardspace.spec.space import (
    BASES,
    CLAIMS,
    VERDICTS,
    Check,
    Draw,
    Inputs,
    Json,
    Measurement,
    Outcome,
    Output,
    Shard,
    Space,
    SpaceConfig,
    Stage,
    Verdict,
    outcome,
)
from boardspace.spec.texts import decoded

BYTES = 50_000
STATED = ("claim", "position", "source", "statement", "stated")
"""The columns of a claim that follow from the text alone."""
STATEMENTS = "statements"
CLAIM_CHECKS = (STATEMENTS, CLAIMS.name)
"""Names of the checks of :func:`claim_checks`: they depend on the file of claims and the code that judges, too."""


class Claim(BaseModel):
    """One statement of a source text.

    id: its short name.
    source: text and section.
    statement: what is stated, in our words.
    stated: its value, which the measured one is compared with.
    equation: it is confirmed by that value alone, and refuted by any other; not so where it names a bound, or about how
        many.
    config: name of a config that covers it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    source: str
    statement: str
    stated: Any = None
    equation: bool = True
    config: str = ""


def load_claims(path: Path) -> list[Claim]:
    """The claims of a TOML file, in its order; those without a config of their own have the one that the file names."""
    return list(_stated(decoded(path.read_bytes(), path)))


@cache
def _stated(text: str) -> Sequence[Claim]:
    document = tomllib.loads(text)
    return [Claim.model_validate({"config": document.get("config", ""), **entry}) for entry in document["claim"]]


def claims_of(space: Space) -> list[Claim]:
    """The claims of a space, in the order of their text."""
    return list(space.statements) if space.claims_file.suffix == ".py" else load_claims(space.claims_file)


def claims_stage(space: Space, after: tuple[str, ...]) -> Stage:
    """The last stage of a dataset: one shard that judges the claims on all stages before it."""

    def judge_all(config: SpaceConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
        return Output({CLAIMS.name: judge(space, config, inputs)})

    def one_shard(config: SpaceConfig, inputs: Inputs) -> list[Shard]:
        """A shard of these statements: where they were others, it is made again, though shards may be kept."""
        stated = json.dumps([claim.model_dump() for claim in claims_of(space)], sort_keys=True, default=str)
        return [Shard(CLAIMS.name, {"statements": hashlib.sha256(stated.encode()).hexdigest()})]

    doc = "what the texts state, judged by the data"
    return Stage(CLAIMS.name, doc, judge_all, one_shard, after, BYTES, facts_only=after, seconds=space.claims_seconds)


def claim_checks(space: Space) -> tuple[Check, ...]:
    """The checks of a space's claims: the statements compared with the space's file of them, and all judged again."""

    def judge_again(config: SpaceConfig, inputs: Inputs, draw: Draw) -> Outcome:
        """Compare the claims with those judged again."""
        measured, refused = _measured_here(space, config, inputs)
        expected = _judged(space, measured).to_pylist()
        if not refused:
            return _compared(inputs.table(CLAIMS.name), expected)
        left = {claim.id: claim for claim in claims_of(space) if claim.id not in measured}
        return _compared_in_part(inputs.table(CLAIMS.name), expected, left, refused)

    def read_again(config: SpaceConfig, inputs: Inputs, draw: Draw) -> Outcome:
        """Compare the statements with those of the file of claims."""
        rows = [_row(position, claim, None) for position, claim in enumerate(claims_of(space))]
        expected = [{name: row[name] for name in STATED} for row in sorted(rows, key=lambda row: row["claim"])]
        return _compared(inputs.table(CLAIMS.name, columns=STATED), expected)

    columns = {CLAIMS.name: [column.name for column in CLAIMS.columns]}
    means = "measured and judged again on what the finished stages wrote"
    statements = Check(
        STATEMENTS, {CLAIMS.name: STATED}, f"read in the texts, as {space.claims_file.name} has them", read_again
    )
    return (statements, Check(CLAIMS.name, columns, means, judge_again))


def _compared(table: pa.Table, expected: Sequence[Mapping[str, Any]]) -> Outcome:
    if table.num_rows != len(expected):
        fault = f"there are {len(expected)} claims, the table has {table.num_rows}"
        return Outcome(len(expected), len(expected), fault)
    return outcome(map(_difference, table.to_pylist(), expected))


def _compared_in_part(
    table: pa.Table, expected: Sequence[Mapping[str, Any]], left: Mapping[str, Claim], refused: Sequence[str]
) -> Outcome:
    """Outcome where the claims that are ``left`` were not measured and may need what a release lacks: their rows have
    to state what the text does, and to agree with themselves."""
    if table.num_rows != len(expected):
        return _compared(table, expected)
    rows = table.to_pylist()
    unknown = [row for row in rows if row["claim"] in left]
    others = [row["claim"] for row in unknown if row["verdict"] != "not_covered"]
    faults = [
        _contradiction(row, judged, left[judged["claim"]].equation)
        if judged["claim"] in left
        else _difference(row, judged)
        for row, judged in zip(rows, expected, strict=True)
    ]
    why = NotInReleaseError(*refused)
    unjudged = f"{len(others)} of {len(rows)} claims cannot be judged again here: {', '.join(others)} ({why})"
    if len(others) < len(unknown):
        unjudged += (
            f"; of {len(unknown) - len(others)} that are not covered it cannot be told whether the run did cover them"
        )
    fault = next(filter(None, faults), "")
    return Outcome(len(rows) - len(unknown), len(rows), fault, unjudged if unknown else "")


def _contradiction(row: Mapping[str, Any], stated: Mapping[str, Any], equation: bool) -> str:
    """Contradiction of a row that cannot be judged again with its text or with itself, or ''."""
    where = f"{stated['claim']}: "
    if any(row[name] != stated[name] for name in STATED):
        return _difference(row, {name: stated[name] for name in STATED})
    if row["verdict"] not in VERDICTS:
        return f"{where}{row['verdict']!r} is no verdict"
    if not row["measured"]:
        if row["verdict"] != "not_covered":
            return f"{where}nothing was measured, and it is {row['verdict']!r} all the same"
        return _difference(row, stated)
    if row["verdict"] == "not_covered":
        return f"{where}not covered, and {row['measured']} was measured all the same"
    if row["basis"] not in BASES:
        return f"{where}{row['basis']!r} is nothing that a verdict rests on"
    equal, asks = row["stated"] == row["measured"], row["stated"] == _text(None)
    impossible = {"confirmed": equation and not equal, "refuted": equation and equal, "answered": not asks}
    if impossible.get(row["verdict"]):
        return f"{where}{row['verdict']}, and stated is {row['stated']}, measured {row['measured']}"
    return ""


def _difference(found: Mapping[str, Any], expected: Mapping[str, Any]) -> str:
    """The first column in which a row of the table differs from the row judged again, or ''."""
    for name, value in expected.items():
        if found[name] != value:
            return f"{expected['claim']}: its {name} is {value!r}, the table says {found[name]!r}"
    return ""


def judge(space: Space, config: SpaceConfig, inputs: Inputs) -> pa.Table:
    """Measure a space's claims on its finished stages; rows of :data:`boardspace.spec.space.CLAIMS`."""
    return _judged(space, space.claims(config, inputs))


def _measured_here(
    space: Space, config: SpaceConfig, inputs: Inputs
) -> tuple[Mapping[str, Measurement], Sequence[str]]:
    """The measurements that these inputs allow, by claim id, and what the others lack: nothing, on a run."""
    parts = [partial(part.claims, config, inputs) for part in space.parts if part.claims is not None]
    try:
        return measured_together(lambda: space.readings, *parts), ()
    except PartlyMeasuredError as error:
        return error.measured, error.what


def _judged(space: Space, measured: Mapping[str, Measurement]) -> pa.Table:
    claims = claims_of(space)
    unknown = set(measured) - {claim.id for claim in claims}
    if unknown:
        raise ValueError(f"{space.name}: measured {sorted(unknown)}, which {space.claims_file.name} does not state")
    rows = [_row(position, claim, measured.get(claim.id)) for position, claim in enumerate(claims)]
    return CLAIMS.from_rows(sorted(rows, key=lambda row: row["claim"]))


def verdict_of(claim: Claim, measurement: Measurement | None) -> Verdict:
    """The verdict: the measurement's own, or by equality with the stated value."""
    if measurement is None:
        return "not_covered"
    if measurement.verdict is not None:
        return measurement.verdict
    return "confirmed" if _text(measurement.value) == _text(claim.stated) else "refuted"


def _row(position: int, claim: Claim, measurement: Measurement | None) -> dict[str, Any]:
    elsewhere = f"; the config {claim.config} does" if claim.config else ""
    return {
        "claim": claim.id,
        "position": position,
        "source": claim.source,
        "statement": claim.statement,
        "stated": _text(claim.stated),
        "measured": "" if measurement is None else _text(measurement.value),
        "verdict": verdict_of(claim, measurement),
        "basis": "" if measurement is None else measurement.basis,
        "evidence": f"this run did not cover it{elsewhere}" if measurement is None else measurement.evidence,
    }


def _text(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def refuse_unstated_claims(space: Space) -> None:
    """BoardspaceError where a reading, or the code of a part's claims, names a claim that the space's file lacks."""
    stated = {claim.id for claim in claims_of(space)}
    for name in space.readings:
        if name not in stated:
            raise BoardspaceError(f"{space.name}: reads the claim {name!r}, which {space.claims_file} does not state")
    for file in dict.fromkeys(file for part in space.parts if part.claims for file in _file_of(part.claims)):
        for name, line in _named(file.read_text(encoding="utf-8")):
            if name not in stated:
                raise BoardspaceError(
                    f"{file}, line {line}: measures the claim {name!r}, which {space.claims_file} does not state"
                )


def _file_of(function: Callable[..., Any]) -> Iterator[Path]:
    """The module of a function, by its file; nothing where it has none."""
    while isinstance(function, partial):
        function = function.func
    module = function.module if isinstance(function, DeferredFunction) else getattr(function, "__module__", None)
    found = importlib.util.find_spec(module) if module else None
    if found is not None and found.origin and found.origin.endswith(".py"):
        yield Path(found.origin)


@cache
def _named(code: str) -> Sequence[tuple[str, int]]:
    """Claims that a module names beside a measurement, with their lines."""
    found = []
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Dict):
            pairs = zip(node.keys, node.values, strict=True)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
            pairs = zip([node.targets[0].slice], [node.value], strict=True)
        else:
            continue
        for key, value in pairs:
            if isinstance(key, ast.Constant) and isinstance(key.value, str) and _is_measurement(value):
                found.append((key.value, key.lineno))
    return found


def _is_measurement(node: ast.expr) -> bool:
    function = node.func if isinstance(node, ast.Call) else None
    name = function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")
    return name == "Measurement"
