"""The least number of moves to every position of a class from a start, or from every position to a goal.

A *move* is one jump or more in a row by one peg. Let m be the least number of moves to a position P, and call a peg
*live* if it can be the last to have moved in m moves. A jump from P by a live peg gives m moves, by another m + 1 (see
:mod:`boardspace_kernels.solitaire.levels`, whose recurrence this is). Backwards the same holds with the roles of time
exchanged: let m be the least number of moves from Q to a goal, and a peg live if it can be the first to move in so
many. A jump that leads to Q makes m moves with a live peg, which goes on, and m + 1 with another.

So a sweep in order of weight makes each block once, as it does where only positions are asked for. What it needs of a
block are its moves and its live pegs; :mod:`.layers` makes and holds them. Of the weights that no later one reads
nothing is held: from the centres of both boards the largest window is 36 % of all.
"""

from collections.abc import Callable, Iterable, Iterator

from boardspace_kernels.solitaire.classes.fold import Fold, unfolded
from boardspace_kernels.solitaire.classes.gather import Blocks
from boardspace_kernels.solitaire.classes.layer_blocks import Layer
from boardspace_kernels.solitaire.classes.layers import MoveSweep, make_layer
from boardspace_kernels.solitaire.classes.order import Order
from boardspace_kernels.solitaire.classes.steps import Steps


def sweep_moves(
    order: Order,
    steps: Steps,
    roots: Iterable[int],
    fold: Fold | None = None,
    within: Callable[[int], Blocks | None] = lambda _: None,
) -> Iterator[Layer]:
    """The blocks of each weight as they are made; those are held from which later ones are made. The symmetries of the
    fold keep the roots; where none is given, all blocks are made. within: the positions that are kept of a weight's
    blocks that are made; None for all."""
    planted, sweep = list(roots), MoveSweep(order, steps, fold or unfolded(order))
    gaps = set(steps.gap.tolist())
    furthest = max(gaps, key=abs)
    held: dict[int, Layer] = {}
    weights = range(order.heaviest + 1)
    for weight in weights if furthest < 0 else reversed(weights):
        made = make_layer(sweep, list(held.values()), planted, weight, within=within(weight))
        yield made
        held[weight] = made
        held.pop(weight + furthest, None)
