"""Measures the claims on the finished dataset."""

from collections.abc import Mapping
from itertools import product

import numpy as np

from boardspace.pipeline.space import Inputs, Measurement
from boardspace.pipeline.spaces.board_division import rules
from boardspace.pipeline.spaces.board_division.config import BoardDivisionConfig
from boardspace.pipeline.spaces.board_division.trominoes import QUADRANTS_TO, array_path

SAMPLE_ORDER = (
    "The printed sample has 3 round the centre: 1 and 2 lie in the upper quadrants, 4 and 5 in the lower ones. Numbers "
    "taken in the text's order would read 2 0 3 3 / 2 2 1 3 / 4 1 1 5 / 4 4 5 5, the same trominoes under other "
    "numbers. The sample is followed."
)


def claims(config: BoardDivisionConfig, inputs: Inputs) -> Mapping[str, Measurement]:
    """Measurements by claim id; what the run's limits leave out is not measured."""
    measured = {**_tromino_claims(config, inputs), **_large_board_claims(config, inputs), **_count_claims(inputs)}
    measured |= {**_sub_board_claims(), **_module_claims(config, inputs), **_replay_claims(config, inputs)}
    measured |= {**_value_claims(config, inputs), **_line_claims(config, inputs), **_search_claims(config, inputs)}
    return measured


def _tromino_claims(config: BoardDivisionConfig, inputs: Inputs) -> dict[str, Measurement]:
    facts, largest = inputs.facts("special_boards"), config.special_boards
    boards = {k: sum(f["boards"] for f in facts if f["k"] == k) for k in range(largest + 1)}
    pieces = all(f["largest"] == (4 ** f["k"] - 1) // 3 for f in facts)
    checked = f"{sum(boards.values()):,} boards, k = 0 to {largest}, each checked cell by cell"
    measured = {
        "tromino-special-boards": Measurement(all(boards[k] == 4**k for k in boards), f"counted for {checked}"),
        "tromino-pieces": Measurement(pieces, f"largest number of {checked}"),
        "tromino-every-cell": Measurement(sum(boards.values()) == sum(4**k for k in boards), checked),
        "tromino-linear": Measurement(
            all(_boards_met(k) == 4 * ((4**k - 1) // 3) + 1 for k in range(9)),
            "boards met by the recursion, k = 0 to 8",
        ),
    }
    if largest >= 1:
        quadrants, split = sum(f["quadrants"] for f in facts), range(1, min(largest, QUADRANTS_TO) + 1)
        evidence = f"{quadrants:,} quadrants of all boards, k = 1 to {split[-1]}, checked as boards of their own"
        measured["tromino-quadrants"] = Measurement(quadrants == sum(4 * 4**k for k in split), evidence)
    if largest >= 2:
        sample = inputs.array("covers/2")[1].tolist()
        measured["tromino-sample"] = Measurement(sample, "board 2 of covers/2")
        measured["tromino-order"] = Measurement(sample[1][2], SAMPLE_ORDER, "corrected")
    return measured


def _boards_met(k: int) -> int:
    """Boards, of all sizes, that the recursion meets."""
    return 1 + (4 * _boards_met(k - 1) if k else 0)


def _large_board_claims(config: BoardDivisionConfig, inputs: Inputs) -> dict[str, Measurement]:
    from boardspace.kernels.board_division.tromino_check import first_gap

    if not config.large_boards:
        return {}
    facts = inputs.named_facts("examined")
    faults = []
    for board in config.large_boards:
        shards = [name for name in facts if name.startswith(f"{board.name}/")]
        owned = inputs.read("examined", "owned", shards=shards)
        runs = np.stack([owned.column(end).to_numpy().astype(np.int64) for end in ("first", "last")], axis=1)
        gap = first_gap([runs], (4**board.k - 1) // 3)
        special = [facts[name]["special"] for name in shards if "special" in facts[name]]
        if gap is not None or special != [0]:
            faults.append(f"{array_path(board)}: number {gap} is not laid, special cell {special}")
    cells = sum(4**board.k for board in config.large_boards)
    sides = ", ".join(f"k = {board.k}" for board in config.large_boards)
    evidence = (
        f"{len(facts)} blocks of {cells:,} cells ({sides}) read back and examined; {'; '.join(faults) or 'no fault'}"
    )
    return {"tromino-large": Measurement(not faults, evidence)}


def _count_claims(inputs: Inputs) -> dict[str, Measurement]:
    extremes = {f["side"]: (int(f["least"]), int(f["most"])) for f in inputs.facts("cover_counts")}
    coverable = {side: least > 0 for side, (least, _) in extremes.items()}
    theorem = all(coverable[side] == (side % 3 != 0 and side != 5) for side in extremes)
    none_at_all = all(most == 0 for side, (_, most) in extremes.items() if side % 3 == 0)
    evidence = f"exact counts for every cell of all squares of side 1 to {max(extremes)}"
    measured = {"tromino-deficient": Measurement(theorem and none_at_all, evidence)}
    if 4 in extremes and extremes[2] == extremes[4]:
        measured["tromino-unique"] = Measurement([extremes[2][1], extremes[4][1]], "the counts of all 4 and 16 places")
    return measured


def _sub_board_claims() -> dict[str, Measurement]:
    sides = range(1, 9)
    right = all(
        sum((m - height + 1) * (n - width + 1) for height, width in product(range(1, m + 1), range(1, n + 1)))
        == m * (m + 1) // 2 * n * (n + 1) // 2
        for m, n in product(sides, sides)
    )
    evidence = "summed over all heights and widths for m, n up to 8; the indices of the printed C_m x C_n are lost"
    return {"sub-boards": Measurement(right, evidence, "corrected" if right else "refuted")}


def _module_claims(config: BoardDivisionConfig, inputs: Inputs) -> dict[str, Measurement]:
    rows = inputs.read("modules", "modules").to_pylist()
    sequences: dict[str, list[rules.Jump]] = {}
    for row in rows:
        sequences.setdefault(row["module"], []).append((row["row"], row["column"], row["direction"]))
    measured = {}
    for name in ("module 1", "module 2"):
        left = rules.play(rules.MODULES[name] | rules.HELPERS[name], sequences[name])
        played = " ".join(f"({row}, {column}){direction}" for row, column, direction in sequences[name])
        measured[name.replace(" ", "-")] = Measurement(
            left == rules.HELPERS[name], f"found by search and played: {played}"
        )
    left_of = {
        (p, q): len(rules.play(rules.rectangle(p, q), sequences[f"ending {p} x {q}"]))
        for p in (2, 3, 4)
        for q in range(p, 5)
    }
    endings = [[left_of[min(p, q), max(p, q)] for q in (2, 3, 4)] for p in (2, 3, 4)]
    measured["endings"] = Measurement(endings, "found by search and played; 4 x 2 and the like are mirrored")
    strips = inputs.facts("modules")[0]["strips"]
    for remainder, replayed in enumerate(strips):
        heights = [m for m in range(2, config.values + 1) if m % 3 == remainder]
        evidence = (
            f"the strips of {replayed} heights from {heights[0]} to {heights[-1]} replayed beside a full fourth column"
        )
        measured[f"strip-{remainder}"] = Measurement(replayed == len(heights), evidence)
    slip = "three columns are removed, as the case analysis before it says; the turn by 90 degrees makes rows of them"
    measured["strip-direction"] = Measurement("columns", slip, "corrected")
    return measured


def _replay_claims(config: BoardDivisionConfig, inputs: Inputs) -> dict[str, Measurement]:
    facts = inputs.named_facts("replays")
    lines, others = facts["lines"], [fact for name, fact in facts.items() if name != "lines"]
    left = {
        key: {pegs for f in others for pegs in f["left"].get(key, [])}
        for key in ("".join(p) for p in product("012", "012"))
    }
    table = [[max(left[f"{m}{n}"]) for n in range(3)] for m in range(3)]
    jumps = sum(fact["jumps"] for fact in others)
    evidence = f"all rectangles of sides 2 to {config.replays} reduced and replayed, {jumps:,} jumps"
    right = lines["fewest"] == lines["rectangles"]
    measured = {
        "upper-bound": Measurement(table, evidence),
        "line-construction": Measurement(right, f"lines of 1 to {config.values} pegs, both ways, replayed"),
    }
    for fact in inputs.facts("sequences"):
        for m, n, count, pegs in fact["sequences"]:
            if m == n == 1000:
                measured["thousand"] = Measurement(count, f"replayed; {pegs} peg is left")
    return measured


def _value_claims(config: BoardDivisionConfig, inputs: Inputs) -> dict[str, Measurement]:
    facts = inputs.facts("values")
    total = {name: sum(fact[name] for fact in facts) for name in facts[0]}
    colours = {
        tuple((row + column + step * forward) % 3 for step in range(3))
        for row, column, forward in product(range(3), range(3), (1, 2))
    }
    measured = {
        "equal-colours": Measurement(
            total["threes"] == total["threes_with_equal_colours"],
            f"colours counted for all {total['threes']:,} such rectangles with sides up to {config.values}",
        ),
        "parity": Measurement(
            all(len(set(cells)) == 3 for cells in colours),
            "a jump's three cells have three colours, in every direction from every colour; two lose a peg, one gains",
        ),
        "lower-bound": Measurement(
            total["bound_is_value"] == total["rectangles"] - total["lines"],
            f"bound and formula compared for all m, n from 2 to {config.values}",
        ),
    }
    if config.values >= 1000:
        measured["formula"] = _formula(config, inputs)
    return measured


def _formula(config: BoardDivisionConfig, inputs: Inputs) -> Measurement:
    """Rectangles up to 1000 x 1000 whose value is met from above and from below."""
    table = inputs.read("values", "rectangles", between=(1, 1001))
    m, n, fewest, bound = (table.column(name).to_numpy().astype(int) for name in ("m", "n", "fewest", "colour_bound"))
    strips = sum(inputs.facts("modules")[0]["strips"]) == config.values - 1
    lines_hold = not any(_line_faults(inputs).values())
    line = (m == 1) | (n == 1)
    from_below = (line & lines_hold & (fewest == (m * n + 1) // 2)) | (~line & (bound == fewest))
    count = int((from_below & (n <= 1000)).sum()) if strips else 0
    evidence = (
        "from above: the strips of every height, the endings and the lines, replayed; from below: the colours, and for "
        f"lines the lemmas, checked on every position of up to {config.lines} pegs"
    )
    return Measurement(count, evidence)


def _line_faults(inputs: Inputs) -> dict[str, int]:
    table = inputs.read("lines", "lines")
    return {name: sum(table.column(name).to_pylist()) for name in ("broken", "touched_jumps", "late_jumps")}


def _line_claims(config: BoardDivisionConfig, inputs: Inputs) -> dict[str, Measurement]:
    table = inputs.read("lines", "lines").to_pylist()
    faults = _line_faults(inputs)
    evidence = f"every position of lines of 1 to {config.lines} pegs, {sum(row['positions'] for row in table):,} in all"
    even = sum((n // 2 - 1) * 2 >= (n / 2 - 1) * 2 for n in range(2, config.lines + 1))
    return {
        "line-lemma-1": Measurement(faults["touched_jumps"], evidence),
        "line-lemma-2": Measurement(faults["broken"], evidence),
        "line-end": Measurement(faults["late_jumps"], evidence),
        "line-value": Measurement(all(row["fewest"] == (row["n"] + 1) // 2 for row in table), evidence),
        "line-inequality": Measurement(
            "<=, <",
            f"the first two are equal for the {even} even n up to {config.lines}; the proof holds with <=",
            "corrected",
        ),
    }


def _search_claims(config: BoardDivisionConfig, inputs: Inputs) -> dict[str, Measurement]:
    facts = inputs.facts("searches")
    found = {(fact["m"], fact["n"]): fact["fewest"] for fact in facts}
    expected = {(m, n): rules.fewest(m, n) for m, n in found}
    total = sum(fact["positions"] for fact in facts)
    evidence = f"{total:,} positions of the {len(facts)} rectangles m <= n of up to {config.search_pegs} pegs"
    outside = max(fact["outside"] for fact in facts)
    escapes = sum(fact["escapes"] for fact in facts) + sum(fact["outside"] > 4 for fact in facts)
    measured = {
        "formula-searched": Measurement(found == expected, evidence),
        "at-least-one": Measurement(min(found.values()), evidence),
        "margin": Measurement(
            escapes, f"jumps off the cells allowed, of {evidence}; the furthest peg was {outside} cells outside"
        ),
    }
    if (3, 4) in found:
        measured["rectangle-sample"] = Measurement(found[3, 4], "every position of 3 x 4 pegs")
    return measured
