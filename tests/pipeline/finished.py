"""The finished stages of a run, as checks and claims read them, and the same with something altered."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa
from click.testing import CliRunner

from boardspace.cli.main import cli
from boardspace.engine.plan import recorded_work
from boardspace.spec.space import Check, Draw, Inputs, Outcome, SpaceConfig
from boardspace.storage.run_folder import FinishedStages, SpaceFolder
from boardspace.verify.equations import all_checks

Section = TypeVar("Section", bound=SpaceConfig)


def run_of(config: str, folder: Path) -> Path:
    """Run a configuration of this text in this process, in a folder of the test; the folder of the run."""
    (folder / "config.toml").write_text(config)
    command = ["run", str(folder / "config.toml"), "--out", str(folder / "out"), "--workers", "0", "--json"]
    done = CliRunner().invoke(cli, command)
    assert done.exit_code == 0, done.output
    return folder / "out"


def finished_stages(root: Path, section: type[Section]) -> tuple[Section, FinishedStages]:
    """The section of that kind that a run's folder was made by, and what the stages of its space wrote."""
    for work in recorded_work(root):
        if isinstance(work.config, section):
            return work.config, FinishedStages(SpaceFolder(root, work.space.name), work.space)
    raise AssertionError(f"{root}: no space was run with a {section.__name__}")


@dataclass(frozen=True)
class _Altered(FinishedStages):
    """Finished stages that read otherwise than they were written: what is read goes through ``change``, a table with
    the names of its stage and its own, an array with "" and its path."""

    change: Callable[[str, str, Any], Any] = field(kw_only=True)

    def read(
        self,
        stage: str,
        table: str,
        *,
        shards: Sequence[str] | None = None,
        columns: Sequence[str] | None = None,
        between: tuple[Any, Any] | None = None,
    ) -> pa.Table:
        rows = super().read(stage, table, shards=shards, columns=columns, between=between)
        return self.change(stage, table, rows)

    def table(
        self, name: str, *, columns: Sequence[str] | None = None, between: tuple[Any, Any] | None = None
    ) -> pa.Table:
        return self.change("", name, super().table(name, columns=columns, between=between))

    def array(self, path: str) -> Any:
        return self.change("", path, super().array(path)[:])


def altered(stages: FinishedStages, change: Callable[[str, str, Any], Any]) -> FinishedStages:
    """The same stages, altered."""
    return _Altered(stages.folder, stages.space, change=change)


def faulty_checks(
    root: Path,
    section: type[SpaceConfig],
    checks: Sequence[Check],
    alter: Callable[[str, pa.Table], pa.Table] = lambda name, rows: rows,
) -> set[str]:
    """The checks that find a fault where the tables of a run, by name, read otherwise than they were written."""
    config, stages = finished_stages(root, section)
    wrong = altered(stages, lambda stage, name, found: alter(name, found))
    return {check.name for check in checks if check.run(config, wrong, Draw(5)).fault}


def first_fault(checks: Sequence[Check], config: Any, inputs: Inputs, draw: Draw) -> str:
    """The first fault that checks find, one after the other, or ''."""
    return next(filter(None, (check.run(config, inputs, draw).fault for check in checks)), "")


def outcome_of(check: str, config: Any, stages: FinishedStages, draw: Draw) -> Outcome:
    """The outcome of the check of that name; what it raises is its fault, as in a verification."""
    try:
        return next(one for one in all_checks(stages.space) if one.name == check).run(config, stages, draw)
    except (ValueError, LookupError) as error:
        return Outcome(0, 0, str(error))


def with_values(rows: pa.Table, column: str, values: Any) -> pa.Table:
    """The rows with other values in a column: a sequence, or an array of its type."""
    index = rows.schema.get_field_index(column)
    if not isinstance(values, pa.Array | pa.ChunkedArray):
        values = pa.array(values, rows.field(index).type)
    return rows.set_column(index, rows.field(index), values)
