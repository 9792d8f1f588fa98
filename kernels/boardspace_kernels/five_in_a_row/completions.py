"""Why fewer stones do not suffice, as a derivation by cutting planes: sums and roundings of inequalities, nothing else.

Let x(c) be 1 where cell c has a stone, cells be decided in C order, and F be some of the first t cells. A *completion
bound* says: where all of F is free, the stones from cell t on cost at least V. As one inequality,

    sum of u(c) x(c) over the cells from t on   +   m(c) x(c) summed over F   >=   V,

for costs u(c) >= 0 and some 0 <= m(c) <= V. It names only the cells of F, and so it serves every state whose free
cells include F. Bounds of cell t follow from two of cell t + 1: from A, which may have t in its F, and from B, which
has not (a stone on t frees nothing).

*Forced.* Where a line that ends at t has only free cells before, the line itself says x(t) + ... >= 1, and u(t) times
it, added to B, is a bound of V(B) + u(t).

*Branch.* A says V(A) where t is free, B says V(B) in any case. Let C = B, and so often as u(t) allows, and V(A) is not
reached, round

    C  <-  (A + q C) / (q + 1)    upwards,    with q = V(A) - j in round j = 1, 2, ...

Then x(t) has the coefficient j at most: that of A is V(A) at most, that of C was j - 1 at most, and V(A) + q (j - 1)
is (q + 1) j. The right-hand side, V(B) + j - 1 + (V(A) - V(B) - j + 1) / (q + 1), is rounded up to V(B) + j. Costs, and
the coefficients of F, stay within their limits. So a branch takes u(t) roundings at most, and costs have to be small
whole numbers.

Two kinds of bounds are derived. Those of a *strip* (see :mod:`.strips`) have the costs that a bound of the board gives
its cells, and V is the cheapest completion of a state of the strip. Those of the *board* cost 1 a stone. A state of the
board begins with a *leaf* where the bound allows: the weights of its open lines times these lines, and the bounds of
the strips' states, add up to at most ``unit`` for every stone; divided by ``unit``, and rounded up, they are a bound,
whose V is what comes out, be it more than was asked for. Otherwise it branches. The bound of the empty board, added to
"at most so many stones", is a contradiction.

Only what a bound needs is derived: a leaf leaves out lines that it can do without, a branch that needs one side alone
is that side. Equal bounds of different states are one bound.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from boardspace_kernels.five_in_a_row.board import Board, BoardError, BoardTooLargeError
from boardspace_kernels.five_in_a_row.bound import SmallCosts

NOTHING = 0
"""Number of the bound that says nothing: 0 >= 0."""

MOST_CELLS = 500
"""Of a board that is searched: a cell is a call within a call."""


class FewerSufficeError(BoardError):
    """A number of stones that was to be refuted and suffices."""


class Branch(NamedTuple):
    """Roundings of ``free`` and ``stone``, one for each of ``factors``: C <- (free + q C) / (q + 1)."""

    free: int
    stone: int
    factors: tuple[int, ...]


class Sum(NamedTuple):
    """Lines and bounds, each times a number, added up; where ``divisor`` is above 1, divided by it, with coefficients
    above the right-hand side lowered to it."""

    lines: tuple[tuple[int, int], ...]
    bounds: tuple[tuple[int, int], ...]
    divisor: int


Step = Branch | Sum


class Derivation(NamedTuple):
    """Steps from the lines of a board to a contradiction with at most ``stones`` stones.

    steps: by number, each from smaller ones; the first, NOTHING, is none.
    last_use: by number, the step that uses it last; 0 where none does.
    root: the bound of the empty board.
    states: of board and strips, that were met.
    """

    board: Board
    stones: int
    steps: Sequence[Step | None]
    last_use: Sequence[int]
    root: int
    states: int


def derived(board: Board, stones: int, costs: SmallCosts, on_state: Callable[[int], None] | None = None) -> Derivation:
    """Derive that at most ``stones`` stones do not block a board, its sides descending. ``on_state`` is called with the
    number of states met, whenever there are some thousands more.

    Raises:
        FewerSufficeError: they do.
        BoardTooLargeError: the board has more than MOST_CELLS cells, and the weights alone do not tell.
        BoardError: fewer than 0 stones.
    """
    if stones < 0:
        raise BoardError(f"{board}: at most {stones} stones; a proof is for 0 or more")
    search = _Search(board, costs, on_state)
    if board.cells > MOST_CELLS and search.leaf(0, 0, stones + 1) == NOTHING:
        raise BoardTooLargeError(
            f"{board}: a proof that is no sum of weights is for boards of at most {MOST_CELLS} cells"
        )
    root = search.board_bound(0, 0, stones + 1)
    return _needed(search, board, stones, root)


def _needed(search: "_Search", board: Board, stones: int, root: int) -> Derivation:
    """The steps that lead to the root, those of the last cells first, so that few have to be kept at a time."""
    wanted = [False] * len(search.steps)
    wanted[root] = True
    for number in range(len(search.steps) - 1, 0, -1):
        if wanted[number]:
            for used in uses(search.steps[number]):
                wanted[used] = True
    order = sorted((n for n in range(1, len(wanted)) if wanted[n]), key=lambda n: (-search.levels[n], n))
    renamed = {NOTHING: NOTHING} | {old: new for new, old in enumerate(order, 1)}
    steps: list[Step | None] = [None, *(_renamed(search.steps[old], renamed) for old in order)]
    last_use = [0] * len(steps)
    for number, step in enumerate(steps):
        for used in uses(step):
            last_use[used] = number
    return Derivation(board, stones, steps, last_use, renamed[root], search.states)


def uses(step: Step | None) -> Iterator[int]:
    """The bounds that a step is made of."""
    match step:
        case Branch(free, stone):
            yield from (free, stone)
        case Sum(_, bounds):
            yield from (bound for bound, _ in bounds)


def _renamed(step: Step | None, names: dict[int, int]) -> Step | None:
    match step:
        case Branch(free, stone, factors):
            return Branch(names[free], names[stone], factors)
        case Sum(lines, bounds, divisor):
            return Sum(lines, tuple((names[bound], factor) for bound, factor in bounds), divisor)
    return None


class _Tables:
    """The lines of a board as sets: bit l of a set of lines is line l, bit c of a set of cells is cell c."""

    def __init__(self, board: Board) -> None:
        self.cells = board.cells
        self.lines: list[list[int]] = board.lines.tolist()
        self.cells_of = [sum(1 << cell for cell in line) for line in self.lines]
        self.through, self.starting, self.ending = ([0] * board.cells for _ in range(3))
        for number, line in enumerate(self.lines):
            self.starting[line[0]] |= 1 << number
            self.ending[line[-1]] |= 1 << number
            for cell in line:
                self.through[cell] |= 1 << number

    def before(self, line: int, cell: int) -> int:
        """The cells of a line before ``cell``."""
        return self.cells_of[line] & (1 << cell) - 1


class _Strip(NamedTuple):
    """A strip: its cells, what a stone costs on each, the set of the lines within it, and by number of cells of the
    board the number of its own."""

    cells: Sequence[int]
    costs: Sequence[int]
    lines: int
    decided: Sequence[int]


ON_THE_BOARD, LINES_AHEAD = -1, -2
"""Numbers among the strips, of the board, and of sums of its lines that are not divided by ``unit`` yet."""

SOME_STATES = 1 << 12


class _Search:
    """Bounds that were derived, by number: values, the sets F, the first cell t, and the steps."""

    def __init__(self, board: Board, costs: SmallCosts, on_state: Callable[[int], None] | None) -> None:
        self.tables, self.unit, self.on_state, self.states = _Tables(board), costs.unit, on_state, 0
        self.values, self.free_cells, self.levels = [0], [0], [board.cells]
        self.steps: list[Step | None] = [None]
        self._number: dict[tuple[int, int, int, int], int] = {}
        self._board_states: dict[tuple[int, int], int] = {}
        self._strip_states: list[dict[tuple[int, int], int]] = [{} for _ in costs.strips]
        self.strips = [self._strip(cells, prices) for cells, prices in costs.strips]
        self.weights = costs.weights
        self.weighted = sum(1 << line for line, weight in enumerate(costs.weights) if weight)
        self._ahead = [(0, NOTHING)] * (board.cells + 1)
        self._add_up_lines_ahead()

    def _strip(self, cells: Sequence[int], costs: Sequence[int]) -> _Strip:
        within = sum(1 << cell for cell in cells)
        lines = sum(1 << line for line, on in enumerate(self.tables.cells_of) if on & within == on)
        decided = [0]
        for cell in range(self.tables.cells):
            decided.append(decided[-1] + (within >> cell & 1))
        return _Strip(cells, costs, lines, decided)

    def _add_up_lines_ahead(self) -> None:
        """Add up, by cell, the weight of the lines that begin there or later, and their weighted sum."""
        for cell in reversed(range(self.tables.cells)):
            total, bound = self._ahead[cell + 1]
            begun = list(_members(self.tables.starting[cell] & self.weighted))
            if begun:
                lines = tuple((line, self.weights[line]) for line in begun)
                total += sum(weight for _, weight in lines)
                step = Sum(lines, ((bound, 1),) if bound else (), 1)
                bound = self._added(LINES_AHEAD, cell, total, 0, step)
            self._ahead[cell] = total, bound

    def _added(self, strip: int, cell: int, value: int, free: int, step: Step) -> int:
        """The number of a new bound, or of one that says the same."""
        key = strip, cell, free, value
        number = self._number.setdefault(key, len(self.steps))
        if number == len(self.steps):
            self.values.append(value)
            self.free_cells.append(free)
            self.levels.append(cell)
            self.steps.append(step)
        return number

    def _met(self) -> None:
        self.states += 1
        if self.states % SOME_STATES == 0 and self.on_state is not None:
            self.on_state(self.states)

    def _forced(self, strip: int, cell: int, cost: int, missed: int, stone: int) -> int:
        """The bound where a stone must stand on a cell, for one of the lines in ``missed`` would stay free."""
        # The bound after a stone does not name this cell, so it holds here as it is, and 0 times a line adds nothing.
        if not cost:
            return stone
        known = self.free_cells[stone]
        # The line that adds the fewest free cells, for the fewer a bound asks for, the more states it serves.
        line = min(_members(missed), key=lambda line: (self.tables.before(line, cell) & ~known).bit_count())
        free = known | self.tables.before(line, cell)
        step = Sum(((line, cost),), ((stone, 1),) if stone else (), 1)
        return self._added(strip, cell, self.values[stone] + cost, free, step)

    def _branched(self, strip: int, cell: int, cost: int, free: int, stone: int) -> int:
        """The bound that follows from one for a free cell and one for a stone."""
        most, least = self.values[free], self.values[stone]
        # A free cell leaves no less to do than a stone, so the bound after a stone holds for both.
        if most <= least or not cost:
            return stone
        # The bound does not ask that this cell is free, so it holds with a stone there, too.
        if not self.free_cells[free] >> cell & 1:
            return free
        # Every round adds one: no more than a stone may cost, and no more than the free cell's bound has to give.
        rounds = min(cost, most - least)
        factors = tuple(most - j for j in range(1, rounds + 1))
        cells = self.free_cells[free] & ~(1 << cell) | self.free_cells[stone]
        return self._added(strip, cell, least + rounds, cells, Branch(free, stone, factors))

    def strip_bound(self, number: int, decided: int, unblocked: int) -> int:
        """The cheapest completion of a strip after so many of its cells; ``unblocked`` is the set of its lines that
        are begun and hold no stone."""
        strip = self.strips[number]
        if decided == len(strip.cells):
            return NOTHING
        known = self._strip_states[number].get((decided, unblocked))
        if known is not None:
            return known
        self._met()
        cell, cost = strip.cells[decided], strip.costs[decided]
        stone = self.strip_bound(number, decided + 1, unblocked & ~self.tables.through[cell])
        missed = unblocked & self.tables.ending[cell]
        if missed:
            found = self._forced(number, cell, cost, missed, stone)
        else:
            after = unblocked | self.tables.starting[cell] & strip.lines
            found = self._branched(number, cell, cost, self.strip_bound(number, decided + 1, after), stone)
        self._strip_states[number][decided, unblocked] = found
        return found

    def board_bound(self, cell: int, unblocked: int, stones: int) -> int:
        """A bound of ``stones`` or more for the cells from ``cell`` on; ``unblocked`` is the set of the lines that are
        begun and hold no stone."""
        if stones <= 0:
            return NOTHING
        known = self._board_states.get((cell, unblocked), NOTHING)
        # A bound for more stones than are asked for does as well.
        if self.values[known] >= stones:
            return known
        self._met()
        found = self.leaf(cell, unblocked, stones)
        if found == NOTHING:
            if cell == self.tables.cells:
                raise FewerSufficeError("so few stones suffice: there is a placement")
            stone = self.board_bound(cell + 1, unblocked & ~self.tables.through[cell], stones - 1)
            missed = unblocked & self.tables.ending[cell]
            if missed:
                found = self._forced(ON_THE_BOARD, cell, 1, missed, stone)
            elif self.values[stone] >= stones:
                # It holds for a free cell as well, and it is enough: what follows a free cell need not be searched.
                found = stone
            else:
                free = self.board_bound(cell + 1, unblocked | self.tables.starting[cell], stones)
                found = self._branched(ON_THE_BOARD, cell, 1, free, stone)
        self._board_states[cell, unblocked] = found
        return found

    def leaf(self, cell: int, unblocked: int, stones: int) -> int:
        """The bound by weights and strips, of ``stones`` or more; NOTHING where it is below."""
        # On the empty board each line is a term of its own, so that those that are not needed can be left out.
        total, ahead = self._ahead[cell] if cell else (0, NOTHING)
        lines_there = unblocked & self.weighted if cell else self.weighted
        # The lightest first, so that as many lines as possible can be left out below.
        begun = sorted((self.weights[line], line) for line in _members(lines_there))
        total += sum(weight for weight, _ in begun)
        bounds = [
            self.strip_bound(number, strip.decided[cell], unblocked & strip.lines)
            for number, strip in enumerate(self.strips)
        ]
        # One unit more than ``stones`` - 1 are worth is enough, because the division by ``unit`` rounds up.
        spare = total + sum(self.values[bound] for bound in bounds) - (stones - 1) * self.unit - 1
        if spare < 0:
            return NOTHING
        lines, free = [], 0
        for weight, line in begun:
            # Without this line the sum is still large enough, and the bound serves more states.
            if weight <= spare:
                spare -= weight
            else:
                lines.append((line, weight))
                free |= self.tables.before(line, cell)
        for bound in bounds:
            free |= self.free_cells[bound]
        summed = tuple((bound, 1) for bound in (ahead, *bounds) if bound)
        # What is still to spare is whole stones more, and a bound that says less than it proves has larger coefficients
        # than a branch allows for.
        value = stones + spare // self.unit
        return self._added(ON_THE_BOARD, cell, value, free, Sum(tuple(lines), summed, self.unit))


def _members(numbers: int) -> Iterator[int]:
    """The numbers in a set, ascending."""
    while numbers:
        lowest = numbers & -numbers
        yield lowest.bit_length() - 1
        numbers ^= lowest
