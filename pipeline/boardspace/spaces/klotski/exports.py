"""Files of the public database: of all layouts, or of a class, with the numbers of a dataset where one is given."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from boardspace.spaces.klotski.queries import layouts_of
from boardspace.spec.errors import BoardspaceError
from boardspace_kernels.klotski.classes import ClassLayouts, ClassName
from boardspace_kernels.klotski.farthest_steps import Farthest
from boardspace_kernels.klotski.public_files import farthest_rows, solution_rows
from boardspace_kernels.klotski.scan import rank, space_scan


def solutions(name: Sequence[int], dataset: Path | None) -> Iterator[str]:
    """The rows of a class's file of solutions; BoardspaceError where ``dataset`` does not hold their numbers."""
    layouts = layouts_of(ClassName(*name))
    if dataset is None:
        return solution_rows(layouts)
    (number,) = _stored(layouts, dataset, "solution", ["solution_num"])
    if (number < 0).any():
        raise BoardspaceError(f"{dataset}: not all solutions of this class were counted there; leave --dataset out")
    return solution_rows(layouts, number)


def farthest(name: Sequence[int], dataset: Path | None) -> Iterator[str]:
    """The rows of a class's file of farthest layouts; BoardspaceError where ``dataset`` does not hold them."""
    layouts = layouts_of(ClassName(*name))
    if dataset is None:
        return farthest_rows(layouts)
    known = Farthest(*_stored(layouts, dataset, "farthest", ["farthest_step", "farthest_num"]))
    return _refused(farthest_rows(layouts, known), f"{dataset}: its table `farthest` is wrong")


def _refused(rows: Iterator[str], where: str) -> Iterator[str]:
    """The rows; BoardspaceError where numbers that they go by turn out to be wrong."""
    try:
        yield from rows
    except ValueError as error:
        raise BoardspaceError(f"{where}: {error}; verify it, or leave --dataset out") from error


def _stored(layouts: ClassLayouts, dataset: Path, table: str, columns: Sequence[str]) -> list[NDArray[Any]]:
    """Read columns of a table of a dataset for the layouts of a class, in name order."""
    folder = dataset / table
    if not folder.is_dir():
        raise BoardspaceError(f"{dataset}: holds no table `{table}`; give the folder of a klotski dataset that does")
    rows = pq.read_table(folder, columns=["layout_id", *columns])
    ids, *values = (np.asarray(column) for column in rows.columns)
    wanted = rank(space_scan(), layouts.codes[layouts.name_order()])
    places = np.searchsorted(ids, wanted)
    if not np.array_equal(np.append(ids, 0)[places], wanted):
        raise BoardspaceError(f"{dataset}: its table `{table}` does not hold this class; leave --dataset out")
    return [column[places] for column in values]
