"""Frontiers: the positions after exactly k moves, and those first reached after k.

The first k at which a position appears is the least number of moves that leads to it; it may appear again later, by a
longer way. Both kinds of layer hold one position of each orbit. Played from the start a layer is what can have
happened; taken back from the goal it is what can still become of it.

The labelled number of a layer, without identifying isomorphic positions, is the sum of its orbits' sizes. The number
of sequences of moves to an orbit adds up the ways of its parents, each as often as a move leads from the one to the
other, because the moves from all images of a parent are images of the moves from one.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from boardspace_kernels.runs import Positions, Run, is_in
from boardspace_kernels.solitaire.moves import CHILDREN_AT_ONCE, Expansion, expand, orbit_sizes
from boardspace_kernels.solitaire.tables import MoveTables


class Layer(NamedTuple):
    """The frontier after exactly ``moves`` moves.

    run: its positions, canonical, and the sequences to each where they are counted. first: uint64, those that no
    fewer moves lead to. expansion: how the previous layer led here (None for the root).
    """

    moves: int
    run: Run
    first: Positions
    expansion: Expansion | None


class LayerCounts(NamedTuple):
    """Sizes of a layer and of the step to it; ``labelled_*`` without identifying isomorphic positions.

    positions: distinct positions after exactly k moves.
    labelled_positions: of these.
    first: positions not seen before.
    labelled_first: of these.
    moves: moves possible from the previous layer.
    labelled_moves: of these.
    most_choices: moves of any position of the previous layer.
    longest_chain: jumps of the longest move.
    """

    positions: int
    labelled_positions: int
    first: int
    labelled_first: int
    moves: int
    labelled_moves: int
    most_choices: int
    longest_chain: int


def frontiers(tables: MoveTables, root: Run, capacity: int = CHILDREN_AT_ONCE) -> Iterator[Layer]:
    """Layer 0, 1, 2, ... until one is empty (the empty one is not yielded); see ``moves.expand`` for ``capacity``."""
    layer = Layer(0, root, root.positions, None)
    seen = [root.positions]
    while len(layer.run.positions):
        yield layer
        expansion = expand(tables, layer.run, capacity)
        first = expansion.run.positions
        for positions in seen:
            first = first[~is_in(first, positions)]
        seen.append(first)
        layer = Layer(layer.moves + 1, expansion.run, first, expansion)


def count_layer(tables: MoveTables, parents: Positions, layer: Layer) -> LayerCounts:
    """The sizes of a layer whose parents are ``parents``, the positions of the layer before it."""
    choices = np.zeros(0, np.int64) if layer.expansion is None else layer.expansion.choices
    return LayerCounts(
        positions=len(layer.run.positions),
        labelled_positions=labelled(tables, layer.run.positions),
        first=len(layer.first),
        labelled_first=labelled(tables, layer.first),
        moves=int(choices.sum()),
        labelled_moves=int(choices @ orbit_sizes(tables, parents)) if len(choices) else 0,
        most_choices=int(choices.max(initial=0)),
        longest_chain=0 if layer.expansion is None else layer.expansion.longest_chain,
    )


def labelled(tables: MoveTables, positions: Positions) -> int:
    """Number of positions of the orbits of these."""
    return int(orbit_sizes(tables, positions).sum())
