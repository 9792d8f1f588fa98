"""Folder of instances: JSON Lines and Parquet for training and testing, a checker, a card, and texts for solvers.

No file is longer than :data:`MOST_BYTES`; a side that would be is cut into several. The same request writes the
same bytes; those of Parquet also depend on the version of Arrow.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from boardspace.instances import checker
from boardspace.instances.choice import Chosen, Sample, choose
from boardspace.instances.source import Batch, Instance, Request, Source, checked, rules_of
from boardspace.spec.arguments import Progress
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.stage import fitting
from boardspace.spec.texts import counted
from boardspace.storage.files import require_empty, write_files

MOST_BYTES = 5_000_000
SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("space", pa.string()),
        ("split", pa.string()),
        ("group", pa.string()),
        ("difficulty", pa.int32()),
        ("puzzle", pa.string()),
        ("least", pa.int32()),
        ("solutions", pa.string()),
        ("answer", pa.list_(pa.string())),
        ("actions", pa.list_(pa.struct([("move", pa.string()), ("least", pa.int32()), ("optimal", pa.bool_())]))),
        ("metrics", pa.string()),
        ("certificate", pa.string()),
    ]
)
SPLITS = ("train", "test")
UNSOLVABLE = "unsolvable puzzles of size"
NESTED = ("puzzle", "metrics", "certificate")
"""Columns that Parquet has as texts in JSON."""
MOST_PROVED = 2_000
"""Positions of a group that a certificate is tried with when it is written."""
MOST_PLAYED, MOST_SEARCHED = 20, 2_000
"""Instances that the baseline of a card is measured on, and positions that its search looks at of each."""
LINE_EVERY = 1000
"""Instances that are checked between two lines on progress."""
BASELINE = """
What two simple players reach on some instances for testing, measured by `check.py` when this folder was made:

| player | score | right | optimal | of |
|---|---:|---:|---:|---:|
"""
PLAYER = "| {player} | {score} | {right} | {optimal} | {instances} |\n"
PROGRAMS = {"check.py": "checker.py", "environment.py": "environment.py"}
"""Programs of the folder, and the modules that they are."""


@dataclass(frozen=True)
class Row:
    """An instance that was chosen, with its id, split and group."""

    id: str
    split: str
    group: str
    instance: Instance

    def document(self, space: str) -> dict[str, Any]:
        """As JSON values; the number of solutions as text, since it may be beyond what readers of JSON keep."""
        found = self.instance
        return {
            "id": self.id,
            "space": space,
            "split": self.split,
            "group": self.group,
            "difficulty": found.difficulty,
            "puzzle": dict(found.puzzle),
            "least": found.least,
            "solutions": None if found.solutions is None else str(found.solutions),
            "answer": list(found.answer),
            "actions": [
                {
                    "move": one.move,
                    "least": one.least,
                    "optimal": one.least is not None and one.least + 1 == found.least,
                }
                for one in found.actions
            ]
            or None,
            "metrics": dict(found.metrics) or None,
            "certificate": None if found.certificate is None else dict(found.certificate),
        }


@dataclass(frozen=True)
class Drawn:
    """Instances that were drawn, easy ones first, and sentences on what groups did not allow."""

    rows: Sequence[Row]
    warnings: Sequence[str]


def draw(
    space: str,
    source: Source,
    request: Request,
    sample: Sample,
    tell: Progress = lambda text: None,
    progress: Progress = lambda text: None,
) -> Drawn:
    """The instances of a request; BoardspaceError where the checker has no rule of one, or does not call its answer
    optimal. ``tell`` hears warnings, and that there are fewer than wanted, once they are known; ``progress`` how far
    the drawing is."""
    rules, request = rules_of(source), checked(source, request)
    choice = choose(_measured(source.batches(request), request.strata, progress), sample)
    if 0 < choice.there < sample.number:
        tell(f"there are {counted(choice.there, 'instance')} to draw from, fewer than --number {sample.number:,}")
    for warning in choice.warnings:
        tell(f"warning: {warning}")
    made = _made(choice.chosen, progress)
    rows = [
        Row(
            id=f"{space}-{one.batch.name}-{one.batch.show(one.key)}",
            split=SPLITS[one.for_test],
            group=one.group,
            instance=made[one.batch.name, one.key],
        )
        for one in choice.chosen
    ]
    for number, row in enumerate(rows):
        if not number % LINE_EVERY:
            progress(f"{number:,} of {counted(len(rows), 'instance')} are checked")
        _require_checkable(row, space, rules)
    if request.unsolvable and all(row.instance.least is not None for row in rows):
        lacking = "no instance is without an answer, though --unsolvable asks for some: none was found"
        tell(f"warning: {lacking}")
        return Drawn(rows, [*choice.warnings, lacking])
    return Drawn(rows, choice.warnings)


def _require_checkable(row: Row, space: str, rules: Mapping[str, Any]) -> None:
    document = row.document(space)
    kind = document["puzzle"].get("kind")
    if kind not in rules:
        why = (
            "the head of check.py says what it allows: name it in kinds of SOURCE where that is what this puzzle allows"
            if kind in checker.KINDS
            else "so no answer could be checked"
        )
        raise BoardspaceError(
            f"{row.id}: SOURCE has no rule of the kind {kind!r}, {why}; its kinds are: {', '.join(rules) or 'none'}. "
            "A file of rules brings others: rules of SOURCE"
        )
    try:
        points, why = checker.score(document, document["answer"], rules)
    except Exception as error:  # the rule of a plug-in may raise anything
        points, why = 0.0, f"{type(error).__name__}: {error}"
    if points != 1.0:
        raise BoardspaceError(f"{row.id}: by the rule of its kind, {kind!r}, its own answer is not optimal: {why}")
    least, after = row.instance.least, [one.least for one in row.instance.actions if one.least is not None]
    if row.instance.actions and (min(after) + 1 if after else None) != least:
        raise BoardspaceError(f"{row.id}: no move of its start leaves {least} less one: mend actions of SOURCE")
    if row.instance.certificate is not None:
        small = row.instance.certificate.get("positions", 0) <= MOST_PROVED
        try:
            checker.prove(document, rules, None if small else MOST_PROVED)
        except Exception as error:
            raise BoardspaceError(
                f"{row.id}: its certificate proves nothing: {type(error).__name__}: {error}"
            ) from error


def _measured(batches: Iterable[Batch], measure: str, progress: Progress) -> Iterator[Batch]:
    """The batches, of this measure where they have none; BoardspaceError where two have the same name: ids would be the
    same."""
    seen, found = set[str](), 0
    for batch in batches:
        found += len(batch.key)
        progress(f"{counted(found, 'candidate')} found")
        if batch.name in seen:
            raise BoardspaceError(
                f"--of: two of them are named {batch.name}; leave one out, or give its file another name"
            )
        seen.add(batch.name)
        yield replace(batch, measure=batch.measure or (measure if batch.solvable else UNSOLVABLE))


def _made(chosen: Sequence[Chosen], progress: Progress) -> dict[tuple[str, int], Instance]:
    found: dict[tuple[str, int], Instance] = {}
    batches = {one.batch.name: one.batch for one in chosen}
    for name, batch in batches.items():
        progress(f"{len(found):,} of {counted(len(chosen), 'instance')} are made")
        keys = np.array([one.key for one in chosen if one.batch.name == name], dtype=np.uint64)
        found |= {(name, int(key)): one for key, one in zip(keys, batch.make(keys), strict=True)}
    return found


def require(folder: Path, space: str, source: Source, formats: Iterable[str]) -> None:
    """BoardspaceError where the folder is not empty, or the space's puzzles cannot be written in one of the formats."""
    require_empty(folder)
    for name in formats:
        if name not in source.formats:
            known = ", ".join(source.formats) or "none"
            raise BoardspaceError(f"--{name}: the instances of {space} cannot be written so; known for it: {known}")


def write_folder(
    folder: Path,
    space: str,
    source: Source,
    drawn: Drawn,
    made_by: str,
    formats: Iterable[str] = (),
    baseline: bool = False,
) -> None:
    """Write all files of the folder; see :func:`require`."""
    rows = drawn.rows
    written = {name: content for split in SPLITS for name, content in _tables(space, split, rows)}
    for name, module in PROGRAMS.items():
        written[name] = (files("boardspace.instances") / module).read_bytes()
    if source.rules is not None:
        written[checker.RULES] = source.rules_file
    written["README.md"] = _card(
        space, source, drawn, made_by, measured(space, source, rows) if baseline else []
    ).encode()
    for language in formats:
        for row in rows:
            texts = source.formats[language](row.id, row.instance.puzzle, row.instance.least)
            written |= {f"{language}/{name}": text.encode() for name, text in texts.items()}
    sums = (f"{hashlib.sha256(content).hexdigest()}  {name}\n" for name, content in sorted(written.items()))
    written["SHA256SUMS"] = "".join(sums).encode()
    write_files(folder, written)


def _tables(space: str, split: str, rows: Sequence[Row]) -> Iterator[tuple[str, bytes]]:
    """The files of one side by name, each content twice: JSON Lines and Parquet."""
    documents = [row.document(space) for row in rows if row.split == split]
    parts = list(fitting(documents, lambda document: len(_line(document)), MOST_BYTES))
    for number, part in enumerate(parts):
        name = f"{split}-{number:05}-of-{len(parts):05}"
        yield f"{name}.jsonl", b"".join(map(_line, part))
        packed = [
            {**one} | {name: json.dumps(one[name], ensure_ascii=False) for name in NESTED if one[name] is not None}
            for one in part
        ]
        sink = pa.BufferOutputStream()
        pq.write_table(pa.Table.from_pylist(packed, SCHEMA), sink, compression="zstd", write_page_checksum=True)
        content = sink.getvalue().to_pybytes()
        assert len(content) <= MOST_BYTES, "Parquet is longer than the lines it was made from"
        yield f"{name}.parquet", content


def _line(document: Mapping[str, Any]) -> bytes:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def measured(space: str, source: Source, rows: Sequence[Row]) -> list[dict[str, Any]]:
    """The baseline of some instances for testing, evenly taken; of those for training where there are none."""
    own = [row for row in rows if row.split == "test"] or rows
    some = [own[place * len(own) // MOST_PLAYED] for place in range(MOST_PLAYED)] if len(own) > MOST_PLAYED else own
    return list(checker.baseline([row.document(space) for row in some], rules_of(source), MOST_SEARCHED))


def _card(space: str, source: Source, drawn: Drawn, made_by: str, played: Sequence[Mapping[str, Any]]) -> str:
    """The README, with the front matter that readers of data sets look for; ``card.md.in`` has its text."""
    rows = drawn.rows
    counts = Counter((row.instance.difficulty, row.split) for row in rows)
    difficulties = sorted({difficulty for difficulty, _ in counts})
    own = {split: [row for row in rows if row.split == split] for split in SPLITS}
    text = Template((files("boardspace.instances") / "card.md.in").read_text(encoding="utf-8"))
    return text.substitute(
        {split: len(rows) for split, rows in own.items()},
        **{f"{split}_groups": counted(len({row.group for row in rows}), "group") for split, rows in own.items()},
        data_files="\n".join(f'  - split: {split}\n    path: "{split}-*.parquet"' for split in SPLITS if own[split]),
        space=space,
        title=source.title,
        grouped=source.grouped,
        made_by=made_by,
        warnings="".join(f"\n{one[0].upper()}{one[1:]}.\n" for one in drawn.warnings),
        rules=" `rules.py` has the rules of these puzzles, for `check.py`." if source.rules is not None else "",
        metrics=", ".join(sorted({f"`{name}`" for row in rows for name in row.instance.metrics})) or "none here",
        unsolvable=f"{sum(row.instance.least is None for row in rows):,}",
        baseline=BASELINE + "".join(map(PLAYER.format_map, played)) if played else "",
        difficulties="\n".join(f"| {one} | {counts[one, 'train']} | {counts[one, 'test']} |" for one in difficulties),
    )
