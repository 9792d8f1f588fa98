"""Five in a row: the fewest stones that block every k cells in a row of a board, all ways to place them, and proofs.

``board`` lines, symmetries, and how placements look; ``minimum`` X with its proof and the optimal placements, by
``search`` over ``frontier`` states in ``layers``, mirror images folded, with the bounds of ``bound`` and ``strips``,
and boards with a side below k; ``best_cells`` and ``periodic`` the source's construction and what holds for all boards
and the whole plane; ``certificate`` proofs, whose charges ``checker`` verifies; ``recount`` a second count by other
means; ``formulas`` and ``refutation`` the question for SAT solvers and their proofs; ``strip_states``,
``strip_density`` and ``strip_checker`` boards of a few columns and any length.
"""
