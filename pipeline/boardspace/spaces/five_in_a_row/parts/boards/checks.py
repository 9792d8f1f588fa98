"""Boards made anew: their tables, as far as these follow from the config, certificates, second counts and each other.

Of a board whose placements are not counted again the row itself tells how many there are, and the rest follows from it.
"""

from collections.abc import Iterator, Mapping

import numpy as np

from boardspace.spaces.five_in_a_row import rules, verified
from boardspace.spaces.five_in_a_row.config import FiveInARowConfig, SizedBoard
from boardspace.spaces.five_in_a_row.parts.placements.packed import listed_placements
from boardspace.spaces.five_in_a_row.proved import SCALE, Key, Proved, Row, key_of, named
from boardspace.spec.equations import Given, Making, RowFaultError
from boardspace.spec.errors import NotInReleaseError
from boardspace.spec.space import Inputs

ADDITIONAL_AT_MOST = 2_500
"""Pictures are made of boards with so few placements."""
NAMES = ("k", "rows", "columns")
Sides = tuple[int, int]


def make_boards(config: FiveInARowConfig, name: str, at: Making) -> dict[str, list[Row]]:
    """A row for each board of the config, its certificate, a solver's proof where it names one, and pictures."""
    texts = {key_of(row): row["certificate"] for row in at.rows("certificates")}
    proofs = {key_of(row): row["refutation"] for row in at.rows("refutations")}
    squares = {(k, n, m) for k, side in config.squares for n in range(1, side + 1) for m in range(1, n + 1)}
    searched, carried = squares | {tuple(board) for board in config.boards}, set(map(tuple, config.carried))
    hard = {tuple(split.board) for split in config.split}
    rows = {key: row for row in at.rows("results") if (key := key_of(row)) in searched | hard | carried}
    for key, row in rows.items():
        if (row["proof"] == "carried") != (key in carried):
            raise RowFaultError(f"{named(key)}: its proof is {row['proof']}, against the config")
    proved = {key: Proved(key, row, texts.get(key), proofs.get(key)) for key, row in rows.items()}
    _compare_stones(rows)
    known = verified.known(config, list(proved.values()), at.draw)
    small = [one for one in proved.values() if one.row["proof"] != "carried" and one.key not in hard]
    tables: dict[str, list[Row]] = {"results": [], "certificates": [], "refutations": []}
    for key in sorted(searched | hard | carried):
        keys, one = dict(zip(NAMES, key, strict=True)), proved.get(key)
        if one is None:
            tables["results"].append(keys)
            continue
        row = known[key] | _derived(config, searched, one) | keys
        row |= _carried(one, small, proved) if one.row["proof"] == "carried" else {}
        row |= _of_parts(at.inputs, one) if key in hard else {}
        tables["results"].append(row)
        if one.row["certified"] is not None:
            tables["certificates"].append(keys | {"certificate": one.text})
        if (clauses := one.row["refuted"]) is not None:
            more = {"stones": one.row["stones"] - 1, "clauses": clauses}
            text = {"refutation": one.refutation} if "refuted" in row else {}
            tables["refutations"].append(keys | more | text)
    return tables | {"additional": list(_additional(at.inputs, searched))}


def _compare_stones(rows: Mapping[Key, Row]) -> None:
    """RowFaultError where a column more needs fewer stones, or more than one for each of its cells."""
    stones = {sides: row["stones"] for (k, n, m), row in rows.items() for sides in ((k, n, m), (k, m, n))}
    for (k, height, width), value in stones.items():
        wider = stones.get((k, height, width + 1), value)
        if not value <= wider <= value + height:
            narrow, wide = named((k, height, width)), named((k, height, width + 1))
            raise RowFaultError(f"{narrow}: {value} stones, and {wide}: {wider} stones")


def _derived(config: FiveInARowConfig, searched: set[Key], one: Proved) -> Row:
    """The columns of a row that follow from others."""
    (k, rows, columns), row = one.key, one.row
    fewest, number = rules.best_windows(rows, columns, k) or (None, None)
    count = None if row["placements"] is None else int(row["placements"])
    derived: Row = {"formula": rows * columns // k, "lattice_stones": fewest, "lattice_placements": number}
    derived["complete"] = None if fewest is None else False
    if fewest == row["stones"]:
        derived["complete"] = None if count is None else count == number
    is_thin = columns < k
    by_rule = is_thin and one.certificate is not None and one.certificate["count"] is None
    carried = one.key in set(map(tuple, config.carried))
    if by_rule or carried:
        derived |= dict.fromkeys(("searches", "states", "peak"), 0) | {"recounted": False, "refuted": None}
        derived |= {"proof": "carried" if carried else "rule", "bound": row["stones"] * SCALE}
    else:
        derived["proof"] = "bound" if -(-row["bound"] // SCALE) == row["stones"] else "search"
        if one.certificate is not None:
            derived["bound"] = one.certificate["floor"]
            derived["searches"] = 1 + len(one.certificate["empty_budgets"])
    listable = (one.key in searched and not by_rule) or (carried and count is not None)
    derived["listed"] = listable and count is not None and count <= config.listed
    if is_thin:
        derived |= zip(("stones", "placements", "classes"), rules.thin_board(rows, columns, k), strict=True)
        derived |= {name: str(derived[name]) for name in ("placements", "classes")}
    else:  # those of placements that are listed, or that windows are, are counted with these
        derived["classes"] = Given(row["classes"]) if derived["listed"] or carried else None
    if not carried:
        derived |= {"base_rows": None, "base_columns": None}
    return derived


def _of_parts(inputs: Inputs, one: Proved) -> Row:
    """States of a board that was searched in parts, from the facts of these, which runs alone have."""
    name = SizedBoard(*one.key).name
    try:
        facts = inputs.named_facts("parts")
    except NotInReleaseError:
        return {}
    parts = [found for shard, found in facts.items() if shard.startswith(f"{name}/")]
    sweeps = [sweep for found in parts for sweep in found.get("sweeps", ()) if sweep[0] <= one.row["stones"]]
    return {"states": sum(states for *_, states, _ in sweeps), "peak": max(peak for *_, peak in sweeps)}


def _additional(inputs: Inputs, searched: set[Key]) -> Iterator[Row]:
    for board, packed in listed_placements(inputs).items():
        k, rows, columns = board
        if tuple(board) not in searched or columns < k or not rules.best_cells(k) or len(packed) > ADDITIONAL_AT_MOST:
            continue
        best = {window.tobytes() for window in rules.windows(rows, columns, k)}
        for number, placement in enumerate(np.unpackbits(packed, axis=2, count=columns)):
            if placement.tobytes() not in best:
                picture = "/".join("".join(".#"[cell] for cell in row) for row in placement.tolist())
                yield {"k": k, "rows": rows, "columns": columns, "placement": number, "picture": picture}


def _carried(one: Proved, small: list[Proved], by_key: Mapping[Key, Proved]) -> Row:
    """The columns of a carried board that follow from the smallest board that it can be carried from."""
    k, rows, columns = one.key
    bases = {
        sides: base.row
        for base in small
        if base.key[0] == k and base.row["lattice_stones"] == base.row["stones"]
        for sides in (base.sides, base.sides[::-1])
        if all(k <= a <= b and (b - a) % k == 0 for a, b in zip(sides, (rows, columns), strict=True))
    }
    complete = [sides for sides in bases if _all_windows(k, sides, (rows, columns), bases[sides])]  # type: ignore[arg-type]
    base = min(complete or bases, default=None)
    if base is None:
        raise RowFaultError(f"{one.where}: it follows from no board of the run")
    windows = rules.best_windows(rows, columns, k) or (0, 0)
    given = by_key[k, max(base), min(base)]
    by_weights = given.certificate is not None and given.proved_by_weights and not given.certificate["strips"]
    return {
        "base_rows": base[0],
        "base_columns": base[1],
        "stones": windows[0],
        "placements": str(windows[1]) if complete else None,
        "certified": "weights" if by_weights else None,
    } | ({} if complete else {"classes": None})


def _all_windows(k: int, small: Sides, large: Sides, row: Row) -> bool:
    """True where all placements of the small board are windows, and no side of it that is longer on the large one is
    too short to tell the best cell."""
    least = k + rules.rows_that_tell(k)
    return row["complete"] is True and all(a == b or a >= least for a, b in zip(small, large, strict=True))
