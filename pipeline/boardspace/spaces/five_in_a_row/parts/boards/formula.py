"""Section 3.3: the formula, on every board that the run computed, and what these prove of all boards."""

from boardspace.spaces.five_in_a_row.evidence import Row, Rows, boards_in_words, first_in_words
from boardspace.spaces.five_in_a_row.theorem import all_boards
from boardspace.spec.space import Inputs, Measurement
from boardspace_kernels.five_in_a_row.board import Board
from boardspace_kernels.five_in_a_row.thin import thin_rule

BY_SEARCH = ("bound", "search")


def formula_claims(inputs: Inputs, five: Rows) -> dict[str, Measurement]:
    """The formula on rows of k = 5; all placements' numbers repeat by remainders."""
    full = [row for row in five if row["columns"] >= 5]
    thin = [row for row in five if row["columns"] < 5]
    measured = _thin(thin) if thin else {}
    if full:
        measured |= _full(inputs, full) | _to_nine(full) | _steps(full)
    return measured


def _full(inputs: Inputs, full: Rows) -> dict[str, Measurement]:
    wrong = [row for row in full if row["stones"] != row["formula"]]
    ceilings = [row for row in full if row["stones"] != -(-row["rows"] * row["columns"] // 5)]
    carried, _ = all_boards(inputs, 5)
    return {
        "formula": Measurement(
            len(wrong),
            f"{'' if carried else 'a sample of '}{boards_in_words(full)}{first_in_words(wrong)}. {carried}",
            None,
            "proof" if carried else "sample",
        ),
        "formula-brackets": Measurement(
            len(ceilings),
            f"a sample of {boards_in_words(full)}; ceilings are wrong wherever 5 does not divide N M, such as 6 x 6; "
            "floors are right",
            "corrected",
            "sample",
        ),
    }


def _to_nine(full: Rows) -> dict[str, Measurement]:
    small = {(row["rows"], row["columns"]): row for row in full if row["rows"] <= 9}
    if len(small) < 15:
        return {}
    wrong = [row for row in small.values() if row["stones"] != row["formula"]]
    by_search = sum(row["proof"] in BY_SEARCH for row in small.values())
    return {
        "formula-5-to-9": Measurement(
            len(wrong), f"15 boards, N >= M, {by_search} of them by dual bound and search; the others are these turned"
        ),
        "cell-fewest": Measurement(small[5, 5]["stones"], "dual bound and a placement of 5 x 5", None, "proof"),
    }


def _thin(thin: Rows) -> dict[str, Measurement]:
    searched = [row for row in thin if row["proof"] in BY_SEARCH]
    wrong = [row for row in searched if _differs_from_rule(row)]
    text = "X = M floor(N / 5) for M < 5 <= N, and C(4 - N mod 5 + floor(N / 5), floor(N / 5)) ** M placements"
    evidence = f"a sample of {boards_in_words(searched)} by search; {text}{first_in_words(wrong)}"
    return {"formula-thin": Measurement(len(wrong), evidence, None, "sample")}


def _differs_from_rule(row: Row) -> bool:
    rule = thin_rule(Board((row["rows"], row["columns"]), row["k"]))
    return (row["stones"], row["placements"]) != (rule.minimum, str(rule.count))


def _steps(full: Rows) -> dict[str, Measurement]:
    both_ways = {(row["rows"], row["columns"]): row for row in full}
    both_ways |= {(columns, rows): row for (rows, columns), row in both_ways.items()}
    pairs = [(sides, (sides[0] + 5, sides[1])) for sides in both_ways if (sides[0] + 5, sides[1]) in both_ways]
    if not pairs:
        return {}
    wrong = sum(both_ways[large]["stones"] != both_ways[small]["stones"] + small[1] for small, large in pairs)
    beyond = [
        (a, b) for a, b in pairs if min(a) >= 7 and None not in (both_ways[a]["placements"], both_ways[b]["placements"])
    ]
    other = sum(both_ways[a]["placements"] != both_ways[b]["placements"] for a, b in beyond)
    measured = {
        "formula-step": Measurement(
            wrong,
            f"a sample of {len(pairs)} pairs; at least M more are needed since each column of the new rows holds one",
            None,
            "sample",
        )
    }
    if beyond:
        evidence = f"a sample of {len(beyond)} pairs of boards with no side below 7, five rows or columns apart"
        measured["cyclic"] = Measurement(other, evidence, None, "sample")
    return measured
