"""A published dataset, read by the checks of its space without the run that made it.

Its tables and arrays are there by name; what stages leave for one another (facts, receipts, blobs, tables that are not
published) is not, and a check that asks for it cannot be made on a release. The config that the checks go by is the one
in ``datapackage.json``; with the versions and the sources beside it, it has the digest that ``COMPLETE`` holds.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from boardspace.engine.plan import PlanError, SpacePlan, Work, config_of
from boardspace.spec.errors import NotInReleaseError
from boardspace.spec.registry import space_named
from boardspace.spec.space import Facts, Space
from boardspace.storage.arrays import open_array
from boardspace.storage.complete import Complete
from boardspace.storage.parquet import read_tables
from boardspace.storage.records import json_value, read_record
from boardspace.storage.run_folder import COMPLETE
from boardspace.verify.files import FileFaultError, content_of

PACKAGE = "datapackage.json"
LONGEST_PACKAGE = 1 << 26


def published_work(folder: Path, space: Space, complete: Complete) -> Work:
    """Return the space, config and plan that made a published dataset.

    FileFaultError where its datapackage does not say, or says something else than COMPLETE.
    """
    content = content_of(folder / PACKAGE, LONGEST_PACKAGE)
    try:
        plan = SpacePlan.model_validate(json_value(content)["plan"])
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise FileFaultError(f"does not say by what plan the dataset was made: {error!r}") from error
    if plan.digest != complete.plan:
        raise FileFaultError("its plan is not the one whose digest COMPLETE holds")
    try:
        return Work(space, config_of(space, plan), plan)
    except PlanError as error:
        raise FileFaultError(str(error)) from error


def published_in(folder: Path) -> tuple[Work, Complete]:
    """Return the space, config and plan that made the published dataset in a folder, and its COMPLETE; FileFaultError
    where it does not say."""
    complete = read_record(folder / COMPLETE, Complete)
    if complete is None:
        raise FileFaultError(f"{COMPLETE}: torn or altered")
    return published_work(folder, space_named(folder.resolve().name), complete), complete


@dataclass(frozen=True)
class PublishedTables:
    """The :class:`.Inputs` of checks of a release.

    folder: of the dataset.
    space: of which it is a dataset.
    names: of its files, as its list of sums has them.
    """

    folder: Path
    space: Space
    names: Sequence[str] = field(repr=False)

    def table(
        self, name: str, *, columns: Sequence[str] | None = None, between: tuple[Any, Any] | None = None
    ) -> pa.Table:
        """See :meth:`boardspace.spec.space.Inputs.table`."""
        table = self.space.table(name)
        if not table.published:
            _refuse(f"the table {name!r}")
        wanted = [column.name for column in table.unfolded.columns] if columns is None else list(columns)
        files = sorted(file for file in self.names if file == f"{name}.parquet" or file.startswith(f"{name}/"))
        paths = [self.folder / file for file in files]
        if between is None or not table.folders:
            return read_tables(paths, table.unfolded, wanted, between)
        # Rows are sorted by what were folders first, so those between are no range of them.
        rows = read_tables(paths, table.unfolded, [*dict.fromkeys([*wanted, table.key[0]])], None)
        key = pc.field(table.key[0])
        return rows.filter((key >= between[0]) & (key < between[1])).select(wanted)

    def array(self, path: str) -> Any:
        """See :meth:`boardspace.spec.space.Inputs.array`."""
        return open_array(self.folder, path)

    def rounds(self, stage: str) -> int:
        """Refused."""
        _refuse(f"what the stage {stage!r} recorded")

    def facts(self, stage: str, *, of_round: int | None = None) -> list[Facts]:
        """Refused."""
        _refuse(f"what the stage {stage!r} recorded")

    def named_facts(self, stage: str, *, of_round: int | None = None) -> dict[str, Facts]:
        """Refused."""
        _refuse(f"what the stage {stage!r} recorded")

    def rows(self, stage: str, table: str) -> int:
        """Refused."""
        _refuse(f"what the stage {stage!r} recorded")

    def read(
        self,
        stage: str,
        table: str,
        *,
        shards: Sequence[str] | None = None,
        columns: Sequence[str] | None = None,
        between: tuple[Any, Any] | None = None,
    ) -> pa.Table:
        """Refused."""
        _refuse(f"the files of the stage {stage!r}")

    def blob(self, stage: str, name: str, shard: str) -> npt.NDArray[Any]:
        """Refused."""
        _refuse(f"the blob {name!r} of the stage {stage!r}")

    def report(self, text: str) -> None:
        """Drop a progress text: nobody listens."""


def _refuse(what: str) -> NoReturn:
    raise NotInReleaseError(what)
