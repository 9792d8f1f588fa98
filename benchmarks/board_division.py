"""Dividing a board: cells per second against what memory can take, jumps, positions, covers counted."""

import numpy as np

from benchmarks.harness import Job, benchmark
from boardspace_kernels.board_division.cover_check import check_cover
from boardspace_kernels.board_division.cover_counts import count_covers
from boardspace_kernels.board_division.covers import Block, cover, cover_block, covers, numbers_at
from boardspace_kernels.board_division.fewest_pegs import search_line
from boardspace_kernels.board_division.jumps import replay
from boardspace_kernels.board_division.rectangle_jumps import reducing_jumps
from boardspace_kernels.board_division.rectangle_search import search_rectangle

K = 13
SPECIAL = 5000, 77


@benchmark(unit="cells")
def memory_filled_with_one_number() -> Job:
    """What memory takes: the same 256 MiB set to one number."""
    board = np.empty((1 << K, 1 << K), np.uint32)

    def job() -> int:
        board.fill(1)
        return board.size

    return job


@benchmark(unit="cells", baseline="memory_filled_with_one_number")
def cover_of_67_million_cells() -> Job:
    """A whole board of k = 13 into an array that is there."""
    board = np.empty((1 << K, 1 << K), np.uint32)
    return lambda: cover_block(K, *SPECIAL, Block(K, 0, 0), board).size


@benchmark(unit="cells", baseline="cover_of_67_million_cells")
def direct_rule_cell_by_cell() -> Job:
    """The O(k) rule alone, on a board of k = 11."""
    cells = np.arange(1 << 11)
    return lambda: numbers_at(11, 77, 1500, cells[:, None], cells).size


@benchmark(unit="cells")
def covers_of_all_special_cells_of_64_x_64() -> Job:
    """4096 boards of 4096 cells."""
    return lambda: covers(6, 0, 4096).size


@benchmark(unit="cells")
def check_of_67_million_cells() -> Job:
    """The checker that trusts nothing, on a whole board of k = 13."""
    board = cover(K, *SPECIAL)

    def job() -> int:
        check_cover(board, *SPECIAL)
        return board.size

    return job


@benchmark(unit="special cells")
def all_covers_of_16_x_16_counted() -> Job:
    """Exact numbers of all covers for every class of special cells."""
    return lambda: len(count_covers(16))


@benchmark(unit="jumps")
def jumps_for_1000_x_1000() -> Job:
    """The whole sequence, as arrays."""
    return lambda: len(reducing_jumps(1000, 1000).rows)


@benchmark(unit="jumps")
def replay_of_1000_x_1000() -> Job:
    """The referee, on the whole sequence."""
    jumps = reducing_jumps(1000, 1000)

    def job() -> int:
        replay(1000, 1000, jumps)
        return len(jumps.rows)

    return job


@benchmark(unit="orbits")
def positions_of_4_x_4() -> Job:
    """Every position of 16 pegs on an unbounded board, up to the 8 symmetries."""
    return lambda: sum(level.orbits for level in search_rectangle(4, 4).levels)


@benchmark(unit="orbits", runs=3)
def positions_of_3_x_6() -> Job:
    """Every position of 18 pegs, up to the 4 symmetries."""
    return lambda: sum(level.orbits for level in search_rectangle(3, 6).levels)


@benchmark(unit="positions", runs=3)
def positions_of_a_line_of_500() -> Job:
    """Every position of a line, with each lemma checked."""
    return lambda: search_line(500).positions
