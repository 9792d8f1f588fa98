"""The introduction and the first example: covers by L-trominoes."""

from itertools import combinations, product

import numpy as np

from boardspace.spaces.board_division import rules
from boardspace.spaces.board_division.config import BoardDivisionConfig
from boardspace.spaces.board_division.parts.trominoes.compute import QUADRANTS_TO
from boardspace.spaces.board_division.parts.trominoes.part import array_path
from boardspace.spec.space import Inputs, Measurement, by_proof, by_sample, measured_together
from boardspace_kernels.board_division.cover_check import first_gap

PUBLISHED_ROWS = 4
"""Of a strip whose recurrence is published."""
PUBLISHED_SIDE = 17
"""Of a square whose covers with at most one single cell are published."""
LAID_TO = 6
"""The recursion is gone through, tromino by tromino, on boards up to this k, in plain Python."""


def measure(config: BoardDivisionConfig, inputs: Inputs) -> dict[str, Measurement]:
    """Covers that the run wrote, large ones, the numbers of all covers, and the recurrences of strips."""
    return measured_together(
        _sub_boards,
        lambda: _boards(config, inputs),
        lambda: _recursion(config, inputs),
        lambda: _sample(config, inputs),
        lambda: _large(config, inputs),
        lambda: _counts(inputs),
        lambda: _strips(inputs),
        lambda: _squares(config, inputs),
    )


def _sub_boards() -> dict[str, Measurement]:
    sides = range(1, 9)
    right = all(
        sum((m - height + 1) * (n - width + 1) for height, width in product(range(1, m + 1), range(1, n + 1)))
        == m * (m + 1) // 2 * n * (n + 1) // 2
        for m, n in product(sides, sides)
    )
    evidence = (
        f"a sample of {len(sides) ** 2} boards, m and n to {sides[-1]}, summed over all heights and widths; the "
        "indices of the printed C_m x C_n are lost"
    )
    return {"sub-boards": by_sample(right, evidence, "corrected" if right else "refuted")}


def _boards(config: BoardDivisionConfig, inputs: Inputs) -> dict[str, Measurement]:
    facts, largest = inputs.facts("special_boards"), config.special_boards
    boards = {k: sum(f["boards"] for f in facts if f["k"] == k) for k in range(largest + 1)}
    pieces = all(f["largest"] == rules.trominoes(f["k"]) for f in facts)
    total = sum(boards.values())
    checked = f"{total:,} boards, all those of k = 0 to {largest}, each checked cell by cell"
    kinds = {frozenset(three) for three in combinations(product(range(2), range(2)), 3)}
    measured = {
        "tromino-special-boards": by_proof(
            all(boards[k] == 4**k for k in boards),
            "a special board is told by its one special cell, and 2^k x 2^k cells are 4^k; the run's boards, which are "
            "made one for each cell, could not show otherwise",
        ),
        "tromino-shapes": Measurement(len(kinds), "three of the four cells of a 2 x 2 window, in all ways"),
        "tromino-pieces": by_proof(
            pieces, f"the largest number on {checked}; any cover takes so many, as each takes three cells"
        ),
        "tromino-every-cell": by_sample(total == sum(4**k for k in boards), f"a sample of {checked}"),
    }
    if largest >= 1:
        quadrants, split = sum(f["quadrants"] for f in facts), range(1, min(largest, QUADRANTS_TO) + 1)
        evidence = (
            f"a sample of {quadrants:,} quadrants, those of all boards of k = 1 to {split[-1]}, checked as boards"
        )
        measured["tromino-quadrants"] = by_sample(quadrants == sum(4 * 4**k for k in split), evidence)
    return measured


def _recursion(config: BoardDivisionConfig, inputs: Inputs) -> dict[str, Measurement]:
    """The recursion gone through, its boards counted, its cover compared with the one that the run wrote."""
    levels = range(min(config.special_boards, LAID_TO) + 1)
    boards, met, deepest = zip(*(rules.cover(k, divmod(4**k // 3, 2**k)) for k in levels), strict=True)
    all_met = [met[k] == 4 * rules.trominoes(k) + 1 for k in levels]
    same = [inputs.array(f"covers/{k}")[4**k // 3].tolist() == boards[k] for k in levels]
    evidence = (
        f"a sample of {len(levels)} boards, k = 0 to {levels[-1]}: the recursion gone through tromino by tromino, and "
        "its cover compared with the published one"
    )
    last = 2 ** levels[-1]
    # First and last row, from 1, of every aligned block that is divided.
    blocks = [(low + 1, low + side) for side in (2**j for j in levels[1:]) for low in range(0, last, side)]
    middles = all((low + high + 1) // 2 - low == (high - low + 1) // 2 for low, high in blocks)
    return {
        "tromino-middle": by_proof(
            middles, "(x1 + x2 + 1)/2 is the first row of the lower half, for all blocks of such boards"
        ),
        "tromino-linear": by_sample(all(all_met) and all(same), f"boards met: {', '.join(map(str, met))}; {evidence}"),
        "tromino-space": by_sample(
            deepest == tuple(levels),
            f"besides the 4^k numbers the recursion holds one board a level, k of them; {evidence}",
        ),
    }


def _sample(config: BoardDivisionConfig, inputs: Inputs) -> dict[str, Measurement]:
    if config.special_boards < 2:
        return {}
    sample = inputs.array("covers/2")[1].tolist()
    in_reading_order = {k: _read_in_order(inputs, k) for k in range(2, min(config.special_boards, 3) + 1)}
    part = f"; on {in_reading_order[3]} of the 64 boards of k = 3 the two rules agree" if 3 in in_reading_order else ""
    two_rules = (
        "Two rules give the printed numbers: the tromino round the centre counts after the two upper quadrants and "
        "before the two lower ones, at every level; or the trominoes count in the order of their first cells, row by "
        f"row, which is the same for {in_reading_order[2]} of the 16 boards of k = 2{part}. The dataset follows the "
        "first."
    )
    order = (
        "The printed sample has 3 round the centre: 1 and 2 lie in the upper quadrants, 4 and 5 in the lower ones. "
        "Numbers taken in the text's order would read 2 0 3 3 / 2 2 1 3 / 4 1 1 5 / 4 4 5 5, the same trominoes under "
        f"other numbers. The sample is followed. {two_rules}"
    )
    return {
        "tromino-sample": Measurement(sample, f"board 2 of covers/2. {two_rules}"),
        "tromino-order": Measurement(sample[1][2], order, "corrected", "reading"),
    }


def _read_in_order(inputs: Inputs, k: int) -> int:
    """On how many boards of k the numbers first appear in ascending order, cells read row by row."""
    boards = inputs.array(f"covers/{k}")[:].reshape(4**k, -1)
    firsts = (np.unique(board[board > 0], return_index=True)[1] for board in boards)
    return sum(bool((np.diff(first) > 0).all()) for first in firsts)


def _large(config: BoardDivisionConfig, inputs: Inputs) -> dict[str, Measurement]:
    if not config.large_boards:
        return {}
    facts = inputs.named_facts("examined")
    faults = []
    for board in config.large_boards:
        shards = [name for name in facts if name.startswith(f"{board.name}/")]
        owned = inputs.read("examined", "owned", shards=shards)
        runs = np.stack([owned.column(end).to_numpy().astype(np.int64) for end in ("first", "last")], axis=1)
        gap = first_gap([runs], rules.trominoes(board.k))
        special = [facts[name]["special"] for name in shards if "special" in facts[name]]
        if gap is not None or special != [0]:
            faults.append(f"{array_path(board)}: number {gap} is not laid, special cell {special}")
    cells = sum(4**board.k for board in config.large_boards)
    sides = ", ".join(f"k = {board.k}" for board in config.large_boards)
    evidence = (
        f"a sample of {len(config.large_boards)} boards ({sides}), {len(facts)} blocks of {cells:,} cells read back "
        f"and examined; {'; '.join(faults) or 'no fault'}"
    )
    return {"tromino-large": by_sample(not faults, evidence)}


def _counts(inputs: Inputs) -> dict[str, Measurement]:
    extremes = {f["side"]: (int(f["least"]), int(f["most"])) for f in inputs.facts("cover_counts")}
    coverable = {side: least > 0 for side, (least, _) in extremes.items()}
    theorem = all(coverable[side] == (side % 3 != 0 and side != 5) for side in extremes)
    none_at_all = all(most == 0 for side, (_, most) in extremes.items() if side % 3 == 0)
    evidence = f"a sample of the sides 1 to {max(extremes)}: exact counts for every place of the missing cell"
    measured = {"tromino-deficient": by_sample(theorem and none_at_all, evidence)}
    if 4 in extremes:
        counts = sorted({*extremes[2], *extremes[4]})
        measured["tromino-unique"] = Measurement(counts, "the different counts of all 4 and 16 places")
    return measured


def _strips(inputs: Inputs) -> dict[str, Measurement]:
    rows = inputs.table("strips").to_pylist()
    proved = "found from exact counts, and proved by comparing as many terms as states and order together"
    orders = {str(row["rows"]): row["recurrence_order"] for row in rows}
    measured = {"tromino-strips": by_proof(orders, f"orders by rows; {proved}", "answered")}
    for row in rows:
        if row["rows"] == PUBLISHED_ROWS:
            value = {name: list(map(int, row[name])) for name in ("numerator", "denominator")}
            while value["numerator"][-1:] == [0]:
                value["numerator"].pop()
            measured["oeis-a046984"] = by_proof(value, proved)
    return measured


def _squares(config: BoardDivisionConfig, inputs: Inputs) -> dict[str, Measurement]:
    if config.squares < PUBLISHED_SIDE:
        return {}
    counts = inputs.table("square_covers").column("covers").to_pylist()
    exact = "exact counts, modulo primes whose product is beyond a bound on the number"
    measured = {"oeis-a233807": Measurement(counts[: PUBLISHED_SIDE + 1], exact)}
    if config.squares > PUBLISHED_SIDE:
        further = {str(side): count for side, count in enumerate(counts) if side > PUBLISHED_SIDE}
        measured["tromino-squares"] = Measurement(further, f"covers by sides; {exact}", "answered")
    return measured
