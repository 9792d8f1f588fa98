"""A release has every table and array that its config asks for, and names the stages that its config has."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from boardspace.engine.config import load_config
from boardspace.engine.plan import work_of
from boardspace.spec.registry import space_named
from boardspace.spec.table import dictionary
from boardspace.storage.complete import Complete
from boardspace.storage.records import encoded
from boardspace.verify import verify
from boardspace.verify.release_structure import contents_faults, rules
from tests.daily import daily
from tests.pipeline.publish.test_hostile_release import seal


def change_complete(dataset: Path, change: Callable[[dict[str, Any]], object]) -> None:
    record = json.loads((dataset / "COMPLETE").read_bytes())["record"]
    change(record)
    (dataset / "COMPLETE").write_bytes(encoded(record))


def drop_table(dataset: Path, name: str) -> None:
    """Take a table out of a dataset, and all that names it."""
    shutil.rmtree(dataset / name)
    (dataset / "schemas" / f"{name}.json").unlink()
    change_complete(dataset, lambda record: record["tables"].pop(name))
    complete, space = json.loads((dataset / "COMPLETE").read_bytes())["record"], space_named(dataset.name)
    tables = [table.unfolded for table in space.all_tables if table.name in complete["tables"]]
    held = {space.array_at(path) for path in complete["arrays"]}
    (dataset / "dictionary.csv").write_text(dictionary(tables, [one for one in space.arrays if one in held]))
    seal(dataset)


@pytest.mark.parametrize("name", daily(["layers", "levels"], 2))
def test_a_table_that_was_dropped_is_missed_though_all_else_was_made_anew(
    every_space: Path, tmp_path: Path, name: str
) -> None:
    dataset = shutil.copytree(every_space / "solitaire", tmp_path / "solitaire")
    drop_table(dataset, name)
    (fault,) = verify(dataset, "structure").faults
    assert fault.what == f"names no {name}, and the config of the dataset asks for it"


@pytest.mark.parametrize(("config", "asked"), [("smoke", True), ("diamond", False)])
def test_least_moves_of_a_class_are_missed_where_the_config_asks_for_them(config: str, asked: bool) -> None:
    (work,) = [one for one in work_of(load_config(config)) if one.space.name == "solitaire"]
    missed = {what.split(",")[0] for what in contents_faults(work, Complete(plan="", tables={}, arrays={}, stages={}))}
    assert "names no class_levels" in missed
    assert {"names no class_moves" in missed, "names no hardest" in missed} == {asked}


def test_stages_that_the_config_does_not_have_are_found(release: Path, tmp_path: Path) -> None:
    dataset = shutil.copytree(release / "toy", tmp_path / "toy")
    change_complete(dataset, lambda record: record.update(stages={"proof": "0" * 64}))
    seal(dataset)
    (fault,) = verify(dataset, "structure").faults
    assert "other stages than the config" in fault.what


def test_every_table_and_array_that_may_be_missed_is_registered() -> None:
    for name, contents in rules().items():
        space = space_named(name)
        registered = {table.name for table in space.tables} | {array.name for array in space.arrays}
        assert contents.keys() <= registered, name
