"""Large covers, which are written block by block: what a block is, and where a cover's array lies."""

from boardspace.spaces.board_division.config import LargeBoard

BLOCK = 4096
"""Cells along a side of a block."""
BLOCK_SECONDS = 0.6


def array_path(board: LargeBoard) -> str:
    """Path of a large cover's array."""
    return f"large/{board.k}-{board.row}-{board.column}"


def blocks(board: LargeBoard) -> int:
    """Blocks along a side of the board."""
    return max(1, (1 << board.k) // BLOCK)
