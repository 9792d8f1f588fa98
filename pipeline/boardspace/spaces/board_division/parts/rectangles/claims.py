"""The second example: rectangles of pegs with two rows and columns or more, and the case m = 1, a line of pegs."""

from collections.abc import Mapping, Sequence
from itertools import product

from boardspace.spaces.board_division import rules
from boardspace.spaces.board_division.config import BoardDivisionConfig
from boardspace.spec.space import Basis, Inputs, Json, Measurement, by_proof, by_sample, measured_together

PROBLEM = 1000
"""The longest side of the problem as it is set."""
CELLS = 9
"""Lemma 1 is tried on every position of a line of so many cells, reached or not."""


def measure(config: BoardDivisionConfig, inputs: Inputs) -> dict[str, Measurement]:
    """Modules, endings, the reduction, the bounds, the formula, the searches, and the lemmas on lines."""
    return measured_together(
        lambda: _module_claims(inputs),
        lambda: _strip_claims(config, inputs),
        lambda: _replay_claims(config, inputs),
        lambda: _value_claims(config, inputs),
        lambda: _search_claims(config, inputs),
        lambda: _construction(config, inputs),
        lambda: _lemmas(config, inputs),
    )


def _module_claims(inputs: Inputs) -> dict[str, Measurement]:
    rows = inputs.table("modules").to_pylist()
    sequences: dict[str, list[rules.Jump]] = {}
    for row in rows:
        sequences.setdefault(row["module"], []).append((row["row_num"], row["column_num"], row["direction"]))
    measured = {}
    for name in ("module 1", "module 2"):
        left = rules.play(rules.MODULES[name] | rules.HELPERS[name], sequences[name])
        played = " ".join(f"({row}, {column}){direction}" for row, column, direction in sequences[name])
        measured[name.replace(" ", "-")] = Measurement(
            left == rules.HELPERS[name], f"found by search and played: {played}; the picture is lost"
        )
    left_of = {
        (p, q): len(rules.play(rules.rectangle(p, q), sequences[f"ending {p} x {q}"]))
        for p in (2, 3, 4)
        for q in range(p, 5)
    }
    endings: Json = [[left_of[min(p, q), max(p, q)] for q in (2, 3, 4)] for p in (2, 3, 4)]
    sample = sequences["ending 3 x 4"]
    columns = frozenset((row, column) for row in (1, 2, 3) for column in (4, 5))
    starts = (columns | {(row, 1), (row, 2), (row, 3)} for row in (1, 2, 3))
    return measured | {
        "rectangle-sample-play": Measurement(
            left_of[3, 4], f"{len(sample)} jumps, found by search and played; the picture is lost"
        ),
        "module-1-waits": Measurement(
            rules.rectangle(3, 1) | frozenset((row, 3) for row in (1, 2, 3))
            not in rules.positions_from(rules.rectangle(3, 3))[3],
            "with a full column on either side three jumps never remove the three between: every position tried",
        ),
        "single-row": Measurement(
            not any(columns in rules.positions_from(start)[3] for start in starts),
            "three pegs of a row with two full columns of three rows at one end, all else empty: every position that "
            "three jumps reach; none is the columns alone. Whether more jumps could is not tried",
        ),
        "ending-modules": _ending_modules(sequences),
        "endings": Measurement(
            endings, "found by search and played, the pictures are lost; 4 x 2 and the like are the same, turned"
        ),
    }


def _ending_modules(sequences: Mapping[str, Sequence[rules.Jump]]) -> Measurement:
    """Endings that begin with the module that the text names, laid in the upper left corner, and are then searched: not
    after jumps that take others than the module's pegs, since that could take for ever."""
    left, played = {}, []
    for (m, n), module in {(2, 4): "module 2", (3, 3): "module 1", (4, 4): "module 2"}.items():
        pegs = rules.play(rules.rectangle(m, n), sequences[module])
        free = frozenset((row, column) for row in range(-1, m + 3) for column in range(-1, n + 3))
        wanted = rules.fewest(m, n)
        taken = pegs == rules.rectangle(m, n) - rules.MODULES[module]
        jumps = rules.first_jumps(pegs, free, wanted) if taken else []
        left[f"{m} x {n}"] = len(rules.play(pegs, jumps))
        listed = " ".join(f"({row}, {column}){direction}" for row, column, direction in jumps)
        played.append(f"{m} x {n}, {module}, then {listed or 'nothing'}")
    return Measurement(left, f"found by search and played, the pictures are lost: {'; '.join(played)}")


def _strip_claims(config: BoardDivisionConfig, inputs: Inputs) -> dict[str, Measurement]:
    heights = range(2, config.values + 1)
    basis, some = _of_the_problem(config, f"{len(heights)} heights")
    modules_2 = (0, 2, 1)
    rest = [m - 2 * modules_2[m % 3] for m in heights]
    ends = [_taken_in_threes(m) for m in heights]
    measured = {
        "module-1-alone": Measurement(
            sorted({m % 3 for m in heights} - {0}), f"rows that remain, {some}: 2 to {config.values}", None, basis
        ),
        "strip-division": Measurement(
            sum(rows < 0 or rows % 3 != 0 for rows in rest), f"{some}, 2 to {config.values} rows", None, basis
        ),
        "reduction": Measurement(
            sorted({end for end, _ in ends}),
            f"{some}: threes taken from 2 to {config.values} while five or more are left; remainders modulo 3 "
            f"{'stay' if all(end % 3 == m % 3 for (end, _), m in zip(ends, heights, strict=True)) else 'change'}",
            None,
            basis,
        ),
    }
    for remainder, replayed in enumerate(inputs.facts("modules")[0]["strips"]):
        wanted = [m for m in heights if m % 3 == remainder]
        basis, some = _of_the_problem(config, f"{replayed} heights")
        evidence = f"{some}, {wanted[0]} to {wanted[-1]}: the strip replayed beside a full fourth column"
        measured[f"strip-{remainder}"] = Measurement(replayed == len(wanted), evidence, None, basis)
    return measured


def _of_the_problem(config: BoardDivisionConfig, number: str) -> tuple[Basis, str]:
    """The problem has sides 1 to 1000: are these all cases, and how many in words."""
    return ("all cases", f"all {number}") if config.values >= PROBLEM else ("sample", f"a sample of {number}")


def _taken_in_threes(side: int) -> tuple[int, int]:
    """Rest of a side when threes are taken while it is five or more, and how often they are."""
    steps = 0
    while side >= 5:
        side, steps = side - 3, steps + 1
    return side, steps


def _replay_claims(config: BoardDivisionConfig, inputs: Inputs) -> dict[str, Measurement]:
    others = [fact for name, fact in inputs.named_facts("replays").items() if name != "lines"]
    left = {
        key: {pegs for f in others for pegs in f["left"].get(key, [])}
        for key in ("".join(p) for p in product("012", "012"))
    }
    table: Json = [[max(left[f"{m}{n}"]) for n in range(3)] for m in range(3)]
    rectangles, jumps = (sum(fact[name] for fact in others) for name in ("rectangles", "jumps"))
    measured = {
        "upper-bound": by_sample(
            table,
            f"a sample of {rectangles:,} rectangles, all those of sides 2 to {config.replays}, reduced and replayed, "
            f"{jumps:,} jumps; the strips of every height and the endings carry it to all",
        )
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
    all_three = all(len(set(cells)) == 3 for cells in colours)
    threes, threes_of = _of_the_problem(config, f"{total['threes']:,} such rectangles")
    others = total["rectangles"] - total["lines"]
    basis, some = _of_the_problem(config, f"{others:,} rectangles of m, n from 2 to {config.values}")
    measured = {
        "three-colours": by_proof(all_three, "(row + column) modulo 3: three cells in any direction from any colour"),
        "equal-colours": Measurement(
            total["threes"] == total["threes_with_equal_colours"], f"colours counted for {threes_of}", None, threes
        ),
        "parity": by_proof(all_three, "a jump's three cells have three colours; two lose a peg, one gains"),
        "lower-bound": Measurement(
            total["bound_is_value"] == others, f"bound and formula compared for {some}", None, basis
        ),
    }
    if config.values >= PROBLEM:
        measured["formula"] = _formula(config, inputs)
    return measured


def _formula(config: BoardDivisionConfig, inputs: Inputs) -> Measurement:
    """Rectangles up to 1000 x 1000 whose value is met from above and from below."""
    table = inputs.table("rectangles", between=(1, PROBLEM + 1))
    m, n, fewest, bound = (table.column(name).to_numpy().astype(int) for name in ("m", "n", "fewest", "colour_bound"))
    strips = sum(inputs.facts("modules")[0]["strips"]) == config.values - 1
    lines_hold = not any(line_faults(inputs).values())
    line = (m == 1) | (n == 1)
    from_below = (line & lines_hold & (fewest == (m * n + 1) // 2)) | (~line & (bound == fewest))
    count = int((from_below & (n <= PROBLEM)).sum()) if strips else 0
    evidence = (
        "from above: the strips of every height, the endings and the lines, replayed; from below: the colours, and for "
        f"lines the lemmas, checked on every position of up to {config.lines} pegs"
    )
    return by_proof(count, evidence)


def _search_claims(config: BoardDivisionConfig, inputs: Inputs) -> dict[str, Measurement]:
    facts = inputs.facts("searches")
    found = {(fact["m"], fact["n"]): fact["fewest"] for fact in facts}
    expected = {(m, n): rules.fewest(m, n) for m, n in found}
    total = sum(fact["positions"] for fact in facts)
    evidence = (
        f"a sample of {len(facts)} rectangles, all those m <= n of up to {config.search_pegs} pegs: every position, "
        f"{total:,} in all"
    )
    outside = max(fact["outside"] for fact in facts)
    escapes = sum(fact["escapes"] for fact in facts) + sum(fact["outside"] > 4 for fact in facts)
    measured = {
        "formula-searched": by_sample(found == expected, evidence),
        "at-least-one": by_proof(
            min(found.values()), f"a jump takes one peg and needs two, so one stays; also {evidence}"
        ),
        "margin": by_sample(
            escapes, f"jumps off the cells allowed, of {evidence}; the furthest peg was {outside} cells outside"
        ),
    }
    if (3, 4) in found:
        measured["rectangle-sample"] = Measurement(found[3, 4], "every position of 3 x 4 pegs")
    return measured


def _construction(config: BoardDivisionConfig, inputs: Inputs) -> dict[str, Measurement]:
    replayed = inputs.named_facts("replays")["lines"]
    count, holds = replayed["rectangles"], replayed["fewest"] == replayed["rectangles"]
    evidence = f"a sample of {count:,} lines of 1 to {config.values} pegs, lying and standing, replayed"
    return {"line-construction": by_sample(holds, evidence)}


def _lemmas(config: BoardDivisionConfig, inputs: Inputs) -> dict[str, Measurement]:
    table = inputs.table("lines").to_pylist()
    faults = line_faults(inputs)
    evidence = (
        f"a sample of {len(table)} lines, 1 to {config.lines} pegs: every position, "
        f"{sum(row['positions'] for row in table):,} in all"
    )
    holding, broken, others = _lemma_1()
    short = f"a sample of {holding:,} positions, all those of {CELLS} cells that meet the conditions, reached or not"
    even = sum((n // 2 - 1) * 2 >= (n / 2 - 1) * 2 for n in range(2, config.lines + 1))
    return {
        "line-key-jump": by_proof(True, "a jump touches pegs and untouches none, so untouched pegs only get fewer"),
        "line-lemma-1": by_sample(broken + faults["touched_jumps"], f"{short}, and of those reached: {evidence}"),
        "line-lemma-2": by_sample(faults["broken"], evidence),
        "line-two-jumps": by_sample(others, short),
        "line-corollary-1": by_sample(faults["touched_jumps"], evidence),
        "line-inequality": by_proof(
            "<=, <",
            f"the first two are equal for the {even} even n up to {config.lines}; the proof holds with <=",
            "corrected",
        ),
        "line-end": by_sample(faults["late_jumps"], evidence),
        "line-value": by_sample(all(row["fewest"] == (row["n"] + 1) // 2 for row in table), evidence),
    }


def line_faults(inputs: Inputs) -> dict[str, int]:
    """Numbers of positions of searched lines that break the conditions, and of jumps by touched pegs, or too late."""
    table = inputs.table("lines")
    return {name: sum(table.column(name).to_pylist()) for name in ("broken", "touched_jumps", "late_jumps")}


def _lemma_1() -> tuple[int, int, int]:
    """Positions of a short line that meet the conditions; jumps there of which a peg was touched before; and jumps
    other than those of the second untouched peg from an end over the first."""
    holding = broken = others = 0
    for cells in product(".ut", repeat=CELLS):
        line = "..." + "".join(cells) + "..."
        if "u" in line and rules.meets_conditions(line):
            holding += 1
            jumps = list(rules.line_jumps(line))
            first, last = line.index("u"), line.rindex("u")
            broken += sum("t" in (line[jumper], line[over]) for jumper, over in jumps)
            others += len(set(jumps) - {(first + 1, first), (last - 1, last)})
    return holding, broken, others
