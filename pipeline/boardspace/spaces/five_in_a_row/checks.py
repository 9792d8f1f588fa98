"""What ``boardspace verify`` re-derives: certificates by the independent checker, placements and cells by the plain
rules."""

import json
from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import prod
from typing import Any, NamedTuple

import numpy as np

from boardspace.spaces.five_in_a_row.config import FiveInARowConfig, SizedBoard
from boardspace.spaces.five_in_a_row.listing import listed_placements
from boardspace.spaces.five_in_a_row.proofs import BY_SEARCH, certified_by
from boardspace.spaces.five_in_a_row.rows import all_certificates, all_refutations, all_results
from boardspace.spaces.five_in_a_row.strips import strip_faults
from boardspace.spec.check import Finding
from boardspace.spec.space import Inputs

SAMPLE = 40
CHECKED_CELLS = 180
CHECKED_STATES = 20_000
"""Certificates are checked for boards small enough for plain Python: so many cells, and states of the search."""
RECOUNTED_STATES = 100_000
BLOCKS_SAMPLE = 25
SHORT_PROOF, LONG_PROOFS = 10_000, 5
"""Proofs of SAT solvers are checked where they have so few clauses, and so many of the longer ones."""

Faults = Iterator[str]


def checks(config: FiveInARowConfig, inputs: Inputs, seed: int) -> Sequence[Finding]:
    """One check for each part of the dataset."""
    random = np.random.default_rng(seed)
    rows = all_results(inputs)
    proved = _all_proved(inputs, rows)
    parts = {
        "kinds of proof": _kinds_of_proof(proved),
        "certificates": _certificates(proved, random),
        "second counts": _second_counts(inputs, proved, random),
        "refutations": _refutations(inputs, proved, random),
        "placements": _placements(inputs, rows, random),
        "thin boards": _thin_boards(rows),
        "larger boards": _larger_boards(rows),
        "strips": strip_faults(inputs, rows),
        "best cells": _cells(inputs),
    }
    return [_check(name, faults) for name, faults in parts.items()]


def _check(name: str, cases: Faults) -> Finding:
    faults = list(cases)
    return Finding(name, len(faults), next((fault for fault in faults if fault), ""))


class _Proved(NamedTuple):
    """A board or a box: its sides, its row, and the text of its certificate, None where it has none."""

    sides: tuple[int, ...]
    row: dict[str, Any]
    certificate: str | None

    @property
    def where(self) -> str:
        """Its name in a fault."""
        return f"{' x '.join(map(str, self.sides))}, k = {self.row['k']}"


def _all_proved(inputs: Inputs, rows: list[dict[str, Any]]) -> list[_Proved]:
    """All boards and boxes."""
    texts = {(row["k"], row["rows"], row["columns"]): row["certificate"] for row in all_certificates(inputs)}
    boards = [_Proved(_sides(row), row, texts.get((row["k"], *_sides(row)))) for row in rows]
    boxes = inputs.read("boxes", "boxes").to_pylist()
    return boards + [_Proved((row["a"], row["b"], row["c"]), row, row["certificate"]) for row in boxes]


def _sides(row: dict[str, Any]) -> tuple[int, int]:
    return row["rows"], row["columns"]


def _kinds_of_proof(proved: list[_Proved]) -> Faults:
    """Every row names its certificate's kind of proof; where the minimum is that of a bound, a rule or a theorem, the
    certificate needs no search."""
    for one in proved:
        kind = certified_by(json.loads(one.certificate) if one.certificate else None)
        said, proof = one.row["certified"], one.row["proof"]
        right = said == kind and (kind is None or (kind == BY_SEARCH) == (proof == "search"))
        yield "" if right else f"{one.where}: proof {proof}, certified {said}, but its certificate proves by {kind}"


def _certificates(proved: list[_Proved], random: np.random.Generator) -> Faults:
    """A sample of certificates, of all boxes too, each agreeing with its row and passing the checker."""
    from boardspace_kernels.five_in_a_row.checker import CertificateError, check_certificate

    small = [
        one
        for one in proved
        if one.certificate and prod(one.sides) <= CHECKED_CELLS and one.row["states"] <= CHECKED_STATES
    ]
    chosen = set(random.permutation(len(small))[:SAMPLE].tolist())
    for i, one in enumerate(small):
        if i not in chosen and len(one.sides) == 2:
            continue
        given, row = json.loads(one.certificate or ""), one.row
        says = (given["k"], *given["shape"], given["minimum"])
        if says != (row["k"], *one.sides, row["stones"]) or given["count"] not in (None, row["placements"]):
            yield f"{one.where}: the certificate says {says}"
            continue
        try:
            check_certificate(given)
            yield ""
        except CertificateError as error:
            yield f"{one.where}: {error}"


def _second_counts(inputs: Inputs, proved: list[_Proved], random: np.random.Generator) -> Faults:
    """Boards too large for plain Python: the compiled second count, of a sample and of all boxes and boards searched in
    parts."""
    from boardspace_kernels.five_in_a_row.checker import CertificateError
    from boardspace_kernels.five_in_a_row.recount import recount

    in_parts = {(row["k"], *_sides(row)) for row in inputs.read("joined", "results").to_pylist()}
    counted = [
        one for one in proved if one.certificate and one.row["recounted"] and one.row["states"] <= RECOUNTED_STATES
    ]
    chosen = set(random.permutation(len(counted))[:SAMPLE].tolist())
    for i, one in enumerate(counted):
        if i in chosen or len(one.sides) > 2 or (one.row["k"], *one.sides) in in_parts:
            try:
                found = recount(json.loads(one.certificate or ""), one.row["stones"])
            except CertificateError as error:
                yield f"{one.where}: {error}"
                continue
            right = found.fewer == 0 and found.agrees(int(one.row["placements"]))
            yield "" if right else f"{one.where}: counted again, {found.count} placements"


def _refutations(inputs: Inputs, proved: list[_Proved], random: np.random.Generator) -> Faults:
    """Every row that names a solver's proof has it, of one stone less and so many clauses, and no other board has one;
    all short proofs and a sample of the others are checked again."""
    from boardspace_kernels.five_in_a_row.board import Board
    from boardspace_kernels.five_in_a_row.checker import CertificateError
    from boardspace_kernels.five_in_a_row.cnf import clauses
    from boardspace_kernels.five_in_a_row.refutation import check_refutation

    given = {(row["k"], *_sides(row)): row for row in all_refutations(inputs)}
    for one in proved:
        if one.row.get("refutation") is not None:
            box = {"stones": one.row["stones"] - 1, "clauses": one.row["refuted"]}
            given[one.row["k"], *one.sides] = box | {"refutation": one.row["refutation"]}
    named = {(one.row["k"], *one.sides): one for one in proved if one.row["refuted"] is not None}
    for k, *sides in sorted(given.keys() - named.keys()):
        yield f"{' x '.join(map(str, sides))}, k = {k}: there is a solver's proof, and its row names none"
    longer = [key for key, one in named.items() if one.row["refuted"] > SHORT_PROOF]
    left_out = {longer[i] for i in random.permutation(len(longer))[LONG_PROOFS:].tolist()}
    for key, one in named.items():
        proof, says = given.get(key), (one.row["stones"] - 1, one.row["refuted"])
        if proof is None or (proof["stones"], proof["clauses"]) != says:
            found = "there is none" if proof is None else f"it has {proof['clauses']}, for {proof['stones']} stones"
            yield f"{one.where}: a solver's proof of {says[1]} clauses should refute {says[0]} stones, and {found}"
        elif key not in left_out:
            try:
                checked = check_refutation(clauses(Board(one.sides, key[0]), says[0]), proof["refutation"].splitlines())
            except CertificateError as error:
                yield f"{one.where}: {error}"
                continue
            yield "" if checked == says[1] else f"{one.where}: its row names {says[1]} clauses, the proof has {checked}"


def _placements(inputs: Inputs, rows: list[dict], random: np.random.Generator) -> Faults:  # type: ignore[type-arg]
    """Listed placements, of all carried boards and of a sample of the others: as many as the row says, all different,
    and a sample of them blocks with as many stones."""
    carried = [row for row in rows if row["listed"] and row["proof"] == "carried"]
    searched = [row for row in rows if row["listed"] and row["proof"] != "carried"]
    chosen = random.permutation(len(searched))[:SAMPLE].tolist()
    placements = listed_placements(inputs)
    says = {SizedBoard(row["k"], row["rows"], row["columns"]) for row in [*carried, *searched]}
    yield "" if says == set(placements) else "the boards that `results` calls listed are others than those of `listed`"
    for row in [*carried, *(searched[i] for i in chosen)]:
        board = SizedBoard(row["k"], row["rows"], row["columns"])
        where = f"placements of {board.rows} x {board.columns}, k = {board.k}"
        if board not in placements:
            continue
        packed = placements[board]
        if len(packed) != int(row["placements"]):
            yield f"{where}: {len(packed)} placements, the table says {row['placements']}"
            continue
        if any(a.tobytes() >= b.tobytes() for a, b in pairwise(packed)):
            yield f"{where}: placements are not in order, or not different"
            continue
        sample = packed[random.choice(len(packed), min(BLOCKS_SAMPLE, len(packed)), replace=False)]
        boards = np.unpackbits(sample, axis=2, count=board.columns)
        right = all(b.sum() == row["stones"] and not has_free_line(b.tolist(), board.k) for b in boards)
        yield "" if right else f"{where}: a placement leaves a line free, or has the wrong number of stones"


def has_free_line(rows: list[list[int]], k: int) -> bool:
    """Whether k cells in a row, in any of the four directions, are all 0."""
    height, width = len(rows), len(rows[0])
    lines = [*rows, *zip(*rows, strict=True)]
    for across in (rows, [row[::-1] for row in rows]):  # diagonals by the column in which they would meet row 0
        for column in range(1 - height, width):
            first, end = max(0, -column), min(height, width - column)
            lines.append([across[row][column + row] for row in range(first, end)])
    return any("." * k in "".join(".#"[bool(cell)] for cell in line) for line in lines)


def _thin_boards(rows: list[dict]) -> Faults:  # type: ignore[type-arg]
    """Boards on which only columns have lines: the fewest stones of one column and the ways to place them, as often."""
    for row in rows:
        if row["columns"] < row["k"]:
            stones, ways = fewest_on_a_column(row["rows"], row["k"])
            expected = stones * row["columns"], str(ways ** row["columns"])
            right = (row["stones"], row["placements"]) == expected
            yield "" if right else f"{row['rows']} x {row['columns']}, k = {row['k']}: a column says {expected}"


def fewest_on_a_column(cells: int, k: int) -> tuple[int, int]:
    """Fewest stones on a column that leave no k cells in a row free, and in how many ways, cell by cell."""
    best = {0: (0, 1)}
    for _ in range(cells):
        fewest = min(stones for stones, _ in best.values())
        stone = (fewest + 1, sum(ways for stones, ways in best.values() if stones == fewest))
        best = {0: stone} | {run + 1: value for run, value in best.items() if run + 1 < k}
    fewest = min(stones for stones, _ in best.values())
    return fewest, sum(ways for stones, ways in best.values() if stones == fewest)


def _larger_boards(rows: list[dict]) -> Faults:  # type: ignore[type-arg]
    """A column more never needs fewer stones, and at most one column's worth more; the same for rows."""
    stones = {(row["k"], row["rows"], row["columns"]): row["stones"] for row in rows}
    stones |= {(k, columns, rows): value for (k, rows, columns), value in stones.items()}
    for (k, height, width), value in stones.items():
        wider = stones.get((k, height, width + 1))
        if wider is not None:
            right = value <= wider <= value + height
            yield "" if right else f"k = {k}: {height} x {width} needs {value}, {height} x {width + 1} needs {wider}"


def _cells(inputs: Inputs) -> Faults:
    """Every best cell has one stone in each row, column and wrapped diagonal, and its images are what they are."""
    rows = inputs.read("cells", "cells").to_pylist()
    by_number = {(row["n"], row["cell"]): row["columns"] for row in rows}
    for row in rows:
        n, columns = row["n"], row["columns"]
        lines = ([(x + s * y) % n for y, x in enumerate(columns)] for s in (0, 1, -1))
        right = all(sorted(line) == list(range(n)) for line in lines)
        right &= by_number[n, row["h_1"]] == [(x + 1) % n for x in columns]
        right &= by_number[n, row["s_1"]] == columns[::-1]
        yield "" if right else f"cell {row['cell']} of order {n} is no best cell, or its images are wrong"
