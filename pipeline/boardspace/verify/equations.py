"""The checks of a space: those made of the equations of its columns, those of its parts, and those of its claims.

A process makes a task of them: one check, or all of one closed set of states, so that each row is read once.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from boardspace.spec.check import Check, Draw, Outcome
from boardspace.spec.claims import claim_checks
from boardspace.spec.equations import Again, Closed, Made, MovesLeft, Ranked, Reached
from boardspace.spec.space import Array, Inputs, Space, Table
from boardspace.verify import bitmaps, closed, ranked
from boardspace.verify.made import MadeTables, stated
from boardspace.verify.one_class import ClosedTables
from boardspace.verify.ranked import RankedTables
from boardspace.verify.totals import balance_outcome

Found = TypeVar("Found")
Numbers = tuple[int, ...]
"""Places of checks among all checks of a space."""
EVERY_ROW = "every row tried by the equation of each column"


def all_checks(space: Space) -> tuple[Check, ...]:
    """All checks of a space."""
    sets = [table.rows for table in space.tables if isinstance(table.rows, Closed) and table.rows.table == table.name]
    made = [check for one in sets for check in _checks_of(space, one)]
    anew = dict.fromkeys(table.rows for table in space.tables if isinstance(table.rows, Made))
    made += [_check_of_made(space, one) for one in anew]
    made += [
        _check_of_ranked(RankedTables.of(space, table))
        for table in space.tables
        if isinstance(table.rows, Ranked) and not table.rows.within
    ]
    made += [_check_of_bitmaps(array) for array in space.arrays if isinstance(array.equation, Reached | MovesLeft)]
    for part in (part for part in space.parts if part.balances):  # they prove no columns by themselves
        means = f"all rows added up: {'; '.join(balance.says for balance in part.balances)}"
        made.append(Check(f"sums of {part.name}", {}, means, partial(balance_outcome, part.balances)))
    return (*made, *space.checks, *claim_checks(space))


@dataclass(frozen=True)
class OnePass:
    """Checks of one closed set, which are made on one reading of its rows.

    asked: by the name of the check, the states whose equations it tries, or its second method.
    """

    tables: ClosedTables
    asked: tuple[tuple[str, closed.Asked], ...]

    def __call__(self, checks: Sequence[Check], config: Any, inputs: Inputs, draw: Draw) -> list[Outcome]:
        asked = dict(self.asked)
        return closed.outcomes(self.tables, [asked[check.name] for check in checks], config, inputs, draw)


def _alone(tables: ClosedTables, asked: closed.Asked, config: Any, inputs: Inputs, draw: Draw) -> Outcome:
    """The outcome of one of these checks, by itself."""
    return closed.outcomes(tables, [asked], config, inputs, draw)[0]


def _checks_of(space: Space, one: Closed) -> Iterator[Check]:
    """The checks of a closed set: one of all equations of the same states, and one of each second method."""
    tables = ClosedTables.of(space, one)
    contents = tables.contents
    methods = list(dict.fromkeys(again for content in contents for _, again in _equations(content, Again)))
    sets = dict.fromkeys(map(tables.set_of, contents))
    names = ((f"equations of {states.name}", states) for states in sets)
    one_pass = OnePass(tables, (*names, *((again.name, again) for again in methods)))
    for check, asked in one_pass.asked:
        columns: dict[str, list[str]] = {}
        says: dict[str, str] = {}
        for content in contents:
            for column, equation in _equations(content):
                if (equation if isinstance(equation, Again) else tables.set_of(content)) == asked:
                    columns.setdefault(content.name, []).extend([column] if column else [])
                    says[f"{content.name}.{column}" if column else content.name] = equation.says
        yield Check(
            check,
            columns,
            asked.says if isinstance(asked, Again) else EVERY_ROW,
            partial(_alone, tables, asked),
            says=says,
            together=one_pass,
        )


def _check_of_made(space: Space, made: Made) -> Check:
    """The check of all equations of rows that are made again."""
    own = MadeTables.of(space, made)
    folder = [made.folder] if made.folder else []
    columns = {table.name: [*folder, *(column.name for column, _ in stated(table))] for table in own.tables}
    says = {f"{table.name}.{column.name}": one.says for table in own.tables for column, one in stated(table)}
    return Check(f"equations of {made.name}", columns, EVERY_ROW, own.outcome, says=says)


def _check_of_ranked(tables: RankedTables) -> Check:
    """The check of ranked states and of what sums them up."""
    contents = [table.unfolded for table in (*tables.sets, *tables.totals)]
    says = {f"{one.name}.{column}": equation.says for one in contents for column, equation in _equations(one)}
    columns = {one.name: [column for column, _ in _equations(one)] for one in contents}
    run = partial(ranked.outcome, tables)
    return Check(f"equations of {tables.sets[0].name}", columns, EVERY_ROW, run, says=says)


def _check_of_bitmaps(array: Array) -> Check:
    """The check of all bitmaps of a family, or of the least moves from their states."""
    if isinstance(array.equation, MovesLeft):
        run = partial(bitmaps.moves_outcome, array.equation)
    else:
        assert isinstance(array.equation, Reached)
        run = partial(bitmaps.outcome, array.equation)
    return Check(f"equation of {array.name}", {array.name: ()}, array.equation.says, run)


def _equations(content: Table | Array, kind: type[Any] = object) -> Iterator[tuple[str, Any]]:
    named = [("", content.equation)] if isinstance(content, Array) else [(c.name, c.equation) for c in content.columns]
    return ((name, equation) for name, equation in named if equation is not None and isinstance(equation, kind))


def tasks_of(checks: Sequence[Check]) -> list[Numbers]:
    """The numbers of the checks that a process makes together, of each task: those of several first, as they take
    longest."""
    shared: list[Numbers] = []
    for number, check in enumerate(checks):
        same = [n for n, other in enumerate(checks) if check.together and other.together == check.together]
        if same and same[0] == number:
            shared.append(tuple(same))
    taken = {number for some in shared for number in some}
    return [*shared, *((n,) for n in range(len(checks)) if n not in taken)]


def in_order(tasks: Sequence[Numbers], found: Sequence[Sequence[Found]]) -> list[Found]:
    """The findings of all tasks in the order of the checks."""
    pairs = (pair for numbers, some in zip(tasks, found, strict=True) for pair in zip(numbers, some, strict=True))
    return [one for _, one in sorted(pairs, key=lambda pair: pair[0])]


def outcomes_of(checks: Sequence[Check], config: Any, inputs: Inputs, draw: Draw) -> list[Outcome | BaseException]:
    """The outcome of each of these checks, or the error that it raised."""
    if checks[0].together is not None:
        try:
            return list(checks[0].together(checks, config, inputs, draw))
        except (Exception, SystemExit) as error:  # as below
            return [error] * len(checks)
    return [_outcome_of(check, config, inputs, draw) for check in checks]


def _outcome_of(check: Check, config: Any, inputs: Inputs, draw: Draw) -> Outcome | BaseException:
    try:
        return check.run(config, inputs, draw)
    except (Exception, SystemExit) as error:  # forged facts make checks raise nearly anything
        return error
