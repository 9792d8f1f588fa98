"""Proofs by cutting planes that one stone less than the fewest does not suffice: written for VeriPB, and checked."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import process_time
from typing import Any, BinaryIO

from boardspace.spaces.five_in_a_row.drawings import explained
from boardspace.spaces.five_in_a_row.fewest import CARRIED_K, SECONDS, OutOfTimeError, Patience, patience
from boardspace.spec.arguments import Progress, whole
from boardspace.spec.errors import BoardspaceError
from boardspace.storage.files import make_folder, write_out
from boardspace_kernels.five_in_a_row.best_cells import best_cells
from boardspace_kernels.five_in_a_row.board import Board, refuse_out_of_reach
from boardspace_kernels.five_in_a_row.bound import small_costs
from boardspace_kernels.five_in_a_row.certificate import carried_certificate, certificate, thin_certificate
from boardspace_kernels.five_in_a_row.checker import CertificateError
from boardspace_kernels.five_in_a_row.completions import Derivation, derived
from boardspace_kernels.five_in_a_row.cutting_planes import check_proof
from boardspace_kernels.five_in_a_row.formulas import FORMATS, opb, proof_lines
from boardspace_kernels.five_in_a_row.minimum import is_thin, solve
from boardspace_kernels.five_in_a_row.periodic import base_of, lattice_placements

VERSIONS = tuple(FORMATS)


@dataclass(frozen=True)
class MinimumProof:
    """A derivation that ``stones`` stones do not block a board, its sides descending; one more do."""

    board: Board
    stones: int
    derivation: Derivation

    def __str__(self) -> str:
        return f"{self.board}: {self.stones} stones do not suffice, by {len(self.derivation.steps):,} inequalities"

    def formula(self) -> Iterator[str]:
        """The inequalities in the format OPB, line by line."""
        return opb(self.board, self.stones)

    def write(self, folder: Path, version: str = VERSIONS[0]) -> None:
        """Write board.opb and board.pbp; StorageError where they cannot be written."""
        make_folder(folder)
        write_out(folder / "board.opb", _filled_with(self.formula()))
        write_out(folder / "board.pbp", _filled_with(proof_lines(self.derivation, version)))


def _filled_with(lines: Iterable[str]) -> Callable[[BinaryIO], object]:
    return lambda stream: stream.writelines(f"{line}\n".encode() for line in lines)


def minimum_proof(
    sides: Sequence[int], k: int = 5, *, seconds: float = SECONDS, progress: Progress | None = None
) -> MinimumProof:
    """Derive that one stone less than the fewest does not block a board or box with these sides.

    Search and derivation may take ``seconds`` of one core each. BoardspaceError for a board that does not exist or
    needs no stone, or that takes longer.

    >>> print(minimum_proof((6, 7)))
    board 7 x 6, k = 5: 7 stones do not suffice, by 2 inequalities
    """
    allowed = patience(seconds, progress)
    with explained():
        board = _board(sides, k)
        proof = _certificate_of(board, allowed)
        stones = proof["minimum"] - 1
        return MinimumProof(board, stones, derived(board, stones, small_costs(proof), _watching(board, allowed)))


def checked(
    sides: Sequence[int], k: int, proof: Iterable[str], *, seconds: float = SECONDS, progress: Progress | None = None
) -> str:
    """Check a proof against the inequalities of a board itself, and say what it proves.

    A search for the fewest stones may take ``seconds`` of one core. BoardspaceError where it is no proof.
    """
    allowed = patience(seconds, progress)
    with explained():
        board = _board(sides, k)
        stones = _certificate_of(board, allowed)["minimum"] - 1
    try:
        number = check_proof(opb(board, stones), proof)
    except CertificateError as error:
        raise BoardspaceError(str(error)) from error
    return f"right: {number} inequalities derived; {stones} stones do not block the {board}"


def _board(sides: Sequence[int], k: int) -> Board:
    board = Board(tuple(whole("side", side) for side in sides), whole("k", k)).swept[0]
    if not len(board.lines):
        raise BoardspaceError(f"{board}: no line of {k} fits on it, so there is nothing to prove")
    return board


def _certificate_of(board: Board, allowed: Patience) -> Mapping[str, Any]:
    """A certificate of the board's minimum: by a rule, from a small board, or by search."""
    if is_thin(board):
        return thin_certificate(board)
    return _carried(board) or _searched(board, allowed)


def _carried(board: Board) -> Mapping[str, Any] | None:
    if len(board.shape) != 2 or board.k not in CARRIED_K:
        return None
    rows, columns = board.shape
    small = base_of(board.k, (rows, columns))
    if small == board.shape:
        return None
    base = certificate(solve(Board(small, board.k)))
    witness = lattice_placements(best_cells(board.k), rows, columns)[0]
    if base["proof"] != "bound" or base["strips"]:
        return None
    carried = carried_certificate(base, board, small, witness)
    return carried if carried["floor"] > (carried["minimum"] - 1) * carried["scale"] else None


def _searched(board: Board, allowed: Patience) -> Mapping[str, Any]:
    refuse_out_of_reach(board)
    allowed.refuse_if_longer(board)
    return certificate(solve(board, on_row=allowed.watching(board)))


def _watching(board: Board, allowed: Patience) -> Callable[[int], None]:
    start = process_time()

    def watch(states: int) -> None:
        if process_time() - start > allowed.seconds:
            raise OutOfTimeError(
                f"{board}: no proof after {allowed.seconds:,.0f} s and {states:,} states; allow more (--seconds)"
            )
        if allowed.progress is not None:
            allowed.progress(f"proof: {states:,} states")

    return watch
