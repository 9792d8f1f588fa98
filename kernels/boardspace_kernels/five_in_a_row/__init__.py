"""Five in a row: the fewest stones that block every k cells in a row of a board, all ways to place them, and proofs.

``board`` lines and symmetries; ``minimum`` X with its proof and the optimal placements, by ``search`` over
``frontier`` states in ``layers``, mirror images folded by ``fold``, with the bounds of ``line_bound`` and ``strips``;
``thin`` boards with a side below k; ``best_cells`` and ``lattice`` the source's construction; ``periodic`` what holds
for all boards; ``structure`` how placements look; ``certificate`` and ``checker`` proofs and their verification;
``recount`` a second count by other means; ``cnf`` and ``refutation`` the question for SAT solvers and their proofs;
``strip_states``, ``strip_density`` and ``strip_checker`` boards of a few columns and any length; ``plane`` patterns
of the whole plane.
"""


def warm_up() -> None:
    """Compile every kernel, by solving a few small boards with strips, without, and in parts, counting again, a strip
    of any length, and a proof of a solver."""
    from boardspace_kernels.five_in_a_row.best_cells import INTERPRETED, best_cells
    from boardspace_kernels.five_in_a_row.board import Board
    from boardspace_kernels.five_in_a_row.certificate import certificate
    from boardspace_kernels.five_in_a_row.minimum import solve, solve_part
    from boardspace_kernels.five_in_a_row.recount import recount
    from boardspace_kernels.five_in_a_row.refutation import check_refutation
    from boardspace_kernels.five_in_a_row.search import Part, prepare
    from boardspace_kernels.five_in_a_row.strip_density import density
    from boardspace_kernels.five_in_a_row.strip_states import strip

    best_cells(INTERPRETED + 1)
    for board in (Board((9, 9), 5), Board((5, 7), 3), Board((11, 11), 7)):
        solution = solve(board)
        solution.witness()
        recount(certificate(solution), solution.minimum)
    density(strip(3, 3))
    solve_part(prepare(Board((5, 5), 3)), Part(index=0, of=2, cells=10), most=11)
    check_refutation([(1, 2), (1, -2), (-1, 2), (-1, -2)], ["1 0", "0"])
