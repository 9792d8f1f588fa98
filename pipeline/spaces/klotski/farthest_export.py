"""The public database's file of the farthest layouts of a class, from a dataset where that holds their distances."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

from kernels.klotski.classes import ClassLayouts
from kernels.klotski.farthest import Farthest
from kernels.klotski.interchange_farthest import farthest_rows
from kernels.klotski.scan import rank, space_scan
from pipeline.errors import BoardspaceError


def exported_rows(layouts: ClassLayouts, dataset: Path | None) -> Iterator[str]:
    """The rows of a class; BoardspaceError where ``dataset`` is given and does not hold it."""
    return farthest_rows(layouts, None if dataset is None else _stored(layouts, dataset))


def _stored(layouts: ClassLayouts, dataset: Path) -> Farthest:
    """The farthest steps of a class that a dataset holds, in name order."""
    folder = dataset / "farthest"
    if not folder.is_dir():
        raise BoardspaceError(f"{dataset}: holds no table `farthest`; give the folder of a klotski dataset that does")
    ids, steps, counts = (np.asarray(column) for column in pq.read_table(folder).columns)
    wanted = rank(space_scan(), layouts.codes[layouts.name_order()])
    places = np.searchsorted(ids, wanted)
    if not np.array_equal(np.append(ids, 0)[places], wanted):
        raise BoardspaceError(f"{dataset}: its table `farthest` does not hold this class; leave --dataset out")
    return Farthest(steps[places], counts[places])
