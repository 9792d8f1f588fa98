"""Computes the values of rectangles, the modules, reductions and jumps, replayed, and exhaustive searches."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from boardspace.spaces.board_division.config import BoardDivisionConfig
from boardspace.spaces.board_division.parts.rectangles.part import JUMPS, LINES, MODULES, POSITIONS, REACH, RECTANGLES
from boardspace.spec.space import Inputs, Output, Shard, cut_range
from boardspace_kernels.board_division.fewest_pegs import (
    colour_bound,
    colour_counts,
    fewest_left,
    reachable_cells,
    search_line,
)
from boardspace_kernels.board_division.jumps import COLUMN_STEP, LETTERS, Jumps, replay
from boardspace_kernels.board_division.rectangle_jumps import ENDINGS, MODULE_1, MODULE_2, reducing_jumps, strip_jumps
from boardspace_kernels.board_division.rectangle_search import search_rectangle

VALUES_PER_SHARD = 250
JUMPS_PER_SHARD = 20_000_000
LINES_PER_SHARD = 25


def cut_values(config: BoardDivisionConfig, inputs: Inputs) -> list[Shard]:
    """Ranges of m."""
    ranges = cut_range(1, config.values + 1, VALUES_PER_SHARD)
    return [Shard(f"{low:04}", {"low": low, "high": high}, cost=0.15) for low, high in ranges]


def value_rectangles(config: BoardDivisionConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """The fewest pegs by the formula, and the bound from colours, for a range of m."""
    low, high = params["low"], params["high"]
    m, n = (side.ravel() for side in np.mgrid[low:high, 1 : config.values + 1])
    bound = colour_bound(m, n)
    colours = colour_counts(m, n)
    threes, lines = (m % 3 == 0) | (n % 3 == 0), (m == 1) | (n == 1)
    fewest = np.select([lines, threes], [(m * n + 1) // 2, 2], 1)
    facts = {
        "rectangles": len(m),
        "threes": int(threes.sum()),
        "threes_with_equal_colours": int((threes & (colours == colours[:, :1]).all(axis=1)).sum()),
        "bound_is_value": int((~lines & (bound == fewest)).sum()),
        "lines": int(lines.sum()),
    }
    table = RECTANGLES.from_columns(m=m, n=n, fewest=fewest, jumps=m * n - fewest, colour_bound=bound)
    return Output({"rectangles": table}, facts=facts)


def list_modules(config: BoardDivisionConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """The modules and endings, and the strips of every height: three columns removed, the fourth as it was."""
    sequences = {f"ending {p} x {q}": jumps for (p, q), jumps in ENDINGS.items()}
    sequences |= {"module 1": MODULE_1, "module 2": MODULE_2}
    rows = [
        (name, number, row + 1, column + 1, LETTERS[direction])
        for name, jumps in sorted(sequences.items())
        for number, (row, column, direction) in enumerate(jumps.tolist(), 1)
    ]
    names = ("module", "jump", "row_num", "column_num", "direction")
    table = MODULES.from_columns(**dict(zip(names, zip(*rows, strict=True), strict=True)))
    strips = dict.fromkeys(range(3), 0)
    for m in range(2, config.values + 1):
        jumps = strip_jumps(m)
        landing = jumps.columns + 2 * COLUMN_STEP[jumps.directions]
        within = max(jumps.columns.max(), landing.max()) <= 3
        strips[m % 3] += bool(within and np.array_equal(replay(m, 4, jumps), [(row, 3) for row in range(m)]))
    return Output({"modules": table}, facts={"strips": [strips[remainder] for remainder in range(3)]})


def cut_replays(config: BoardDivisionConfig, inputs: Inputs) -> list[Shard]:
    """Ranges of m with about as many jumps each, and lines on their own."""
    jumps_per_row = config.replays * (config.replays + 1) // 2
    shards = [Shard("lines", {"low": 1, "high": 2, "width": config.values}, cost=0.2)]
    low, weight = 2, 0
    for m in range(2, config.replays + 1):
        weight += m
        if weight * jumps_per_row >= JUMPS_PER_SHARD or m == config.replays:
            params = {"low": low, "high": m + 1, "width": config.replays}
            shards.append(Shard(f"{low:04}", params, cost=0.1 + weight * jumps_per_row * 1.5e-8))
            low, weight = m + 1, 0
    return shards


def replay_reductions(config: BoardDivisionConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Reduce every rectangle of a range, replay it, and its mirror image, and count the pegs left."""
    rectangles = jumps = fewest = 0
    by_remainders: dict[str, set[int]] = {}
    for m in range(params["low"], params["high"]):
        for n in range(1, params["width"] + 1):
            for rows, columns in {(m, n), (n, m)} if m == 1 else {(m, n)}:
                sequence = reducing_jumps(rows, columns)
                left = len(replay(rows, columns, sequence))
                rectangles += 1
                jumps += len(sequence.rows)
                fewest += left == fewest_left(rows, columns)
                if min(m, n) > 1:
                    by_remainders.setdefault(f"{m % 3}{n % 3}", set()).add(left)
    left_by_remainders = {key: sorted(values) for key, values in sorted(by_remainders.items())}
    return Output(facts={"rectangles": rectangles, "jumps": jumps, "fewest": fewest, "left": left_by_remainders})


def cut_sequences(config: BoardDivisionConfig, inputs: Inputs) -> list[Shard]:
    """One shard for each row of the small rectangles, one for each large one."""
    small = config.sequences
    shards = [Shard(f"{m:04}-0001", {"m": m, "columns": [1, small]}, cost=0.02) for m in range(1, small + 1)]
    for m, n in sorted({(m, n) for m, n in config.large_rectangles if max(m, n) > small}):
        shards.append(Shard(f"{m:04}-{n:04}", {"m": m, "columns": [n, n]}, cost=0.03 + m * n * 2e-7))
    return shards


def list_sequences(config: BoardDivisionConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """The jumps of some rectangles of m rows, each replayed."""
    m, (low, high) = params["m"], params["columns"]
    tables, facts = [], []
    for n in range(low, high + 1):
        jumps = reducing_jumps(m, n)
        left = len(replay(m, n, jumps))
        if left != fewest_left(m, n):
            raise ArithmeticError(f"{m} x {n}: the jumps leave {left} pegs, not {fewest_left(m, n)}")
        facts.append([m, n, len(jumps.rows), left])
        tables.append(_jump_rows(m, n, jumps))
    return Output({"jumps": pa.concat_tables(tables)}, facts={"sequences": facts})


def _jump_rows(m: int, n: int, jumps: Jumps) -> pa.Table:
    count = len(jumps.rows)
    return JUMPS.from_columns(
        m=np.full(count, m),
        n=np.full(count, n),
        jump=np.arange(1, count + 1),
        row_num=jumps.rows + 1,
        column_num=jumps.columns + 1,
        direction=jumps.directions,
    )


def cut_searches(config: BoardDivisionConfig, inputs: Inputs) -> list[Shard]:
    """One shard for each rectangle m <= n."""
    pegs = config.search_pegs
    sides = [(m, n) for m in range(1, pegs + 1) for n in range(m, pegs // m + 1)]
    return [Shard(f"{m:02}-{n:02}", {"m": m, "n": n}, cost=_search_seconds(m, n)) for m, n in sides]


def _search_seconds(m: int, n: int) -> float:
    """Each peg more takes about three times as long; a line has few positions."""
    return 0.02 if m == 1 else 0.02 + 0.75 * float(3) ** (m * n - 18)


def search_positions(config: BoardDivisionConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Every position of one rectangle, counted by pegs, and the cells its pegs come to."""
    m, n = params["m"], params["n"]
    reached = search_rectangle(m, n)
    levels = [level._asdict() for level in reversed(reached.levels)]
    positions = POSITIONS.from_columns(
        m=[m] * len(levels), n=[n] * len(levels), **{name: [level[name] for level in levels] for name in levels[0]}
    )
    cells, seen = reachable_cells(m, n), set(map(tuple, reached.cells.tolist()))
    reach = REACH.from_columns(
        m=[m] * len(cells),
        n=[n] * len(cells),
        row_num=cells[:, 0] + 1,
        column_num=cells[:, 1] + 1,
        reached=[tuple(cell) in seen for cell in cells.tolist()],
    )
    outside = np.maximum(-reached.cells, reached.cells - (m - 1, n - 1)).max()
    facts = {
        "m": m,
        "n": n,
        "fewest": levels[0]["pegs"],
        "positions": sum(level["positions"] for level in levels),
        "escapes": reached.escapes,
        "outside": int(outside),
    }
    return Output({"positions": positions, "reach": reach}, facts=facts)


def cut_lines(config: BoardDivisionConfig, inputs: Inputs) -> list[Shard]:
    """Ranges of n."""
    ranges = cut_range(1, config.lines + 1, LINES_PER_SHARD)
    return [Shard(f"{low:04}", {"low": low, "high": high}, cost=0.03 + high**2 * 1.5e-5) for low, high in ranges]


def search_lines(config: BoardDivisionConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Every position of the lines of a range."""
    lengths = range(params["low"], params["high"])
    reached = [search_line(n)._asdict() for n in lengths]
    columns = {name: [line[name] for line in reached] for name in reached[0]}
    return Output({"lines": LINES.from_columns(n=list(lengths), **columns)})
