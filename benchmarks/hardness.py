"""The tables of docs/hardness.md: how measures of starts go together, as rank correlations.

python -m benchmarks.hardness RUN BOARD    RUN, the folder of a run or a release, has this board of rush_hour: 6x6-2
"""

import sys
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

import boardspace
from boardspace import klotski, rush_hour
from boardspace.graphs.hardness import Hardness


def columns(starts: Sequence[Hardness]) -> dict[str, list[float]]:
    """The measures of some starts; those that grow with the length, or with the group, as shares of these."""
    return {
        "moves": [one.moves for one in starts],
        "forced": [one.forced / one.moves for one in starts],
        "choices": [float(np.mean(one.choices)) for one in starts],
        "detours": [one.detours or 0 for one in starts],
        "lures": [one.lures or 0 for one in starts],
        "returns": [one.returns or 0 for one in starts],
        "blind ends": [one.blind_ends / one.positions for one in starts],
        "positions": [one.positions for one in starts],
        "walk": [one.walk or np.inf for one in starts],
    }


def ranks(values: Sequence[float]) -> NDArray[np.float64]:
    """The rank of each value, equal ones in the middle of theirs."""
    _, place, number = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(number) - (number - 1) / 2)[place]


def table(title: str, starts: Sequence[Hardness]) -> str:
    """Spearman's rank correlations, in Markdown."""
    found = columns(starts)
    numbers = np.corrcoef([ranks(values) for values in found.values()])
    lines = [f"| {title}, {len(starts)} | {' | '.join(found)} |", "|---|" + "--:|" * len(found)]
    lines += [
        f"| {name} | {' | '.join(f'{value:.2f}' for value in row)} |" for name, row in zip(found, numbers, strict=True)
    ]
    return "\n".join(lines)


def main(folder: str, board: str) -> str:
    """Tables of the hardest start of each set of pieces of Rush Hour, and of the named layouts of Klotski."""
    rows = boardspace.open(folder)["rush_hour"].tables["pieces"].to_table().to_pylist()
    boards = [row["start"] for row in rows if row["board"] == board and row["steps"]]
    measured = (
        [rush_hour.hardness(board) for board in boards],
        [klotski.hardness(one.layout) for one in klotski.starts()],
    )
    titles = (board, "Klotski")
    return "\n\n".join(table(t, [one for one in some if one]) for t, some in zip(titles, measured, strict=True))


if __name__ == "__main__":
    sys.stdout.write(main(*sys.argv[1:]) + "\n")
