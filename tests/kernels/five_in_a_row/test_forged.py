"""Certificates of every kind of proof, each forged in every way that a wrong minimum or count would need.

Those of strips of any length are forged in ``test_strip_density``, proofs of SAT solvers in ``test_refutation``.
"""

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from boardspace_kernels.five_in_a_row import search
from boardspace_kernels.five_in_a_row.best_cells import best_cells
from boardspace_kernels.five_in_a_row.board import Board
from boardspace_kernels.five_in_a_row.certificate import (
    Searched,
    bound_of,
    carried_certificate,
    certificate,
    first_placement,
    searched_certificate,
    thin_certificate,
)
from boardspace_kernels.five_in_a_row.checker import CertificateError
from boardspace_kernels.five_in_a_row.minimum import least, solve, solve_part
from boardspace_kernels.five_in_a_row.periodic import lattice_placements
from boardspace_kernels.five_in_a_row.recount import check_certificate
from boardspace_kernels.five_in_a_row.search import Part, prepare

Certificate = dict[str, Any]


def in_parts(board: Board, width: int, parts: int) -> Certificate:
    """The certificate of a board searched in parts, with strips of some columns or by lines alone."""
    prepared = prepare(board, width)
    stones = solve(board).minimum
    last = [solve_part(prepared, Part(part, parts, 2 * board.shape[-1]), stones)[-1] for part in range(parts)]
    count = sum(sweep.count for sweep in last)
    witness = next(first_placement(sweep.diagram) for sweep in last if sweep.diagram)
    empty = list(range(least(prepared), stones))
    aimed = last[0].aimed if parts == 1 else ()
    return dict(searched_certificate(bound_of(prepared), Searched(stones, str(count), empty, 0, witness, aimed)))


def aimed(board: Board) -> Certificate:
    """The certificate of a search that aims weights at small layers."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "AIM_AT", 10)
        return in_parts(board, width=0, parts=1)


def carried(sides: tuple[int, int], small: tuple[int, int]) -> Certificate:
    witness = lattice_placements(best_cells(5), *sides)[0]
    return dict(carried_certificate(certificate(solve(Board(small, 5))), Board(sides, 5), small, witness))


KINDS: dict[str, Callable[[], Certificate]] = {
    "weights of lines": lambda: dict(certificate(solve(Board((8, 7), 5)))),
    "weights of strips": lambda: dict(certificate(solve(Board((5, 4), 3)))),
    "rule": lambda: dict(thin_certificate(Board((12, 2), 3))),
    "carried": lambda: carried((11, 7), (6, 7)),
    "search by lines": lambda: in_parts(Board((6, 5), 3), width=0, parts=1),
    "search by strips": lambda: in_parts(Board((6, 5), 3), width=3, parts=1),
    "search in parts": lambda: in_parts(Board((6, 5), 3), width=3, parts=3),
    "search by aimed weights": lambda: aimed(Board((6, 6), 3)),
    "box": lambda: dict(certificate(solve(Board((3, 3, 3), 3)))),
}
BY_WEIGHTS = ("weights of lines", "weights of strips", "rule", "carried")


@pytest.fixture(scope="module")
def honest() -> dict[str, Certificate]:
    return {kind: json.loads(json.dumps(make())) for kind, make in KINDS.items()}


def one_more(given: Certificate) -> None:
    """A minimum that is one too large, with a placement that has so many stones; nothing said of the count."""
    given |= {"minimum": given["minimum"] + 1, "witness": given["witness"].replace(".", "#", 1), "count": None}


def overcharged(given: Certificate) -> None:
    """The same, with weights that would prove it."""
    one_more(given)
    if given["lines"]:
        given["lines"][0][2] += given["scale"]
    else:
        given["strips"][0]["costs"] = [cost + given["scale"] for cost in given["strips"][0]["costs"]]


def claimed_floor(given: Certificate) -> None:
    """The same, with a bound that the weights do not add up to."""
    one_more(given)
    given["floor"] = given["scale"] * given["minimum"]


def said_searched(given: Certificate) -> None:
    """The same, with a search in the place of the weights."""
    one_more(given)
    given["proof"] = "search"


def one_less(given: Certificate) -> None:
    """A minimum that is one too small, with a stone taken away."""
    given |= {"minimum": given["minimum"] - 1, "witness": given["witness"].replace("#", ".", 1), "count": None}


def one_less_in_words(given: Certificate) -> None:
    """A minimum that is one too small, with a placement of one stone more."""
    given |= {"minimum": given["minimum"] - 1, "count": None}


def one_way_more(given: Certificate) -> None:
    given["count"] = str(int(given["count"] or 0) + 1)


FORGED: dict[Callable[[Certificate], None], str] = {
    one_more: "the bound proves|stones suffice",
    overcharged: "charged more than the scale",
    claimed_floor: "the bound is",
    said_searched: "stones suffice",
    one_less: "leaves the line",
    one_less_in_words: "the witness has",
    one_way_more: "there are",
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_checker_accepts_a_certificate_of_every_kind(honest: dict[str, Certificate], kind: str) -> None:
    given = honest[kind]
    check_certificate(given)
    assert given["proof"] == ("bound" if kind in BY_WEIGHTS else "search")
    assert bool(given["strips"]) == (kind in ("weights of strips", "search by strips", "search in parts"))
    assert bool(given["aimed"]) == (kind == "search by aimed weights")


@pytest.mark.parametrize("forge", FORGED, ids=lambda forge: forge.__name__)
@pytest.mark.parametrize("kind", KINDS)
def test_the_checker_refuses_a_forged_certificate_of_every_kind(
    honest: dict[str, Certificate], kind: str, forge: Callable[[Certificate], None]
) -> None:
    given = copy.deepcopy(honest[kind])
    forge(given)
    with pytest.raises(CertificateError, match=FORGED[forge]):
        check_certificate(given)


def test_the_checker_refuses_a_certificate_of_another_board(honest: dict[str, Certificate]) -> None:
    """The weights and the placement of 5 x 4 say nothing of 4 x 5, nor those for three in a row of two."""
    given = honest["weights of strips"]
    for other in ({"shape": given["shape"][::-1]}, {"k": 2}):
        with pytest.raises(CertificateError):
            check_certificate(given | other)


@pytest.mark.parametrize("kind", ["weights of strips", "rule", "search by aimed weights"])
@pytest.mark.parametrize(
    "part", ["shape", "k", "minimum", "count", "proof", "witness", "scale", "floor", "lines", "strips", "aimed"]
)
def test_a_part_that_is_missing_or_something_else_is_refused(
    honest: dict[str, Certificate], kind: str, part: str
) -> None:
    given = honest[kind]
    others: list[Any] = [-1, 2.5, "x", {"start": 0}, [None], [[1]], [[], {}]]
    forged = [given | {part: other} for other in others]
    if part != "aimed":  # certificates of version 1 have none
        forged.append({name: value for name, value in given.items() if name != part})
    for one in forged:
        with pytest.raises(CertificateError):
            check_certificate(one)
