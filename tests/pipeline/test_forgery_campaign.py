"""The long campaign: configurations, records and releases with something in them altered; always the same cases."""

import json
import shutil
import time
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from boardspace.engine.config import validate
from boardspace.release.publish import publish
from boardspace.storage.records import encoded
from boardspace.storage.shipped import CONFIGS, shipped_names
from boardspace.verify import verify
from tests.pipeline.campaign import LONG, SEED, cases
from tests.pipeline.forging import seal, write_forged
from tests.pipeline.publish.test_hostile_release import seal as seal_release
from tests.pipeline.test_hostile_input import accepted_or_told, altered, answer, run_folder

__all__ = ["run_folder"]

pytestmark = LONG
SECONDS = 60.0
CHECKS = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large]


def campaign(number: int) -> settings:
    """So many cases, the same in every campaign."""
    return settings(max_examples=cases(number), derandomize=not SEED, deadline=None, suppress_health_check=CHECKS)


def soon(check: Callable[[], object]) -> None:
    start = time.process_time()
    check()
    assert time.process_time() - start < SECONDS


@pytest.mark.slow
@pytest.mark.parametrize("name", shipped_names(CONFIGS))
def test_altered_configurations_are_valid_or_told(name: str) -> None:
    document = tomllib.loads((CONFIGS / f"{name}.toml").read_text())

    @campaign(5000)
    @given(st.data())
    def try_one(data: st.DataObject) -> None:
        changed = altered(document, data)
        soon(lambda: accepted_or_told(lambda: validate(changed, name, f"{name}.toml"), f"{name}.toml"))

    try_one()


@pytest.mark.slow
@campaign(1000)
@given(data=st.data())
def test_altered_records_of_a_run_with_all_that_follows_from_them_are_told(
    run_folder: Path, data: st.DataObject
) -> None:
    records = sorted([run_folder / "plan.json", *run_folder.glob(".run/toy/stages/*.json")])
    path = data.draw(st.sampled_from(records))
    kept = {p: p.read_bytes() for p in [*records, run_folder / "toy" / "COMPLETE"]}
    write_forged(path, altered(json.loads(kept[path])["record"], data))
    try:
        try:
            seal(run_folder)
        except Exception:  # where nothing can follow from it, it is tried as it is
            write_forged(path, json.loads(path.read_bytes())["record"])
        for command in ("status", "verify", "claims"):
            soon(lambda command=command: answer(command, str(run_folder)))  # type: ignore[misc]
    finally:
        for place, before in kept.items():
            place.write_bytes(before)


@pytest.fixture
def toy(run_folder: Path, tmp_path: Path) -> Path:
    """The folder of a released dataset."""
    publish(run_folder, tmp_path / "release", [], lambda _: None)
    return tmp_path / "release" / "toy"


@pytest.mark.slow
@campaign(1000)
@given(data=st.data())
def test_altered_releases_with_their_sums_made_anew_are_told(toy: Path, data: st.DataObject) -> None:
    kept = toy.parent / "kept"
    if not kept.exists():
        shutil.copytree(toy, kept)
    path = data.draw(st.sampled_from(sorted(p for p in toy.rglob("*") if p.is_file() and p.name != "SHA256SUMS")))
    before = path.read_bytes()
    path.write_bytes(_altered(path, before, data))
    seal_release(toy)
    try:
        soon(lambda: verify(toy, "structure"))
        soon(lambda: answer("claims", str(toy)))
    finally:
        path.write_bytes(before)


def _altered(path: Path, content: bytes, data: st.DataObject) -> bytes:
    """A record with a right checksum and something altered, other JSON likewise, and some bytes of any other file."""
    if path.name == "COMPLETE":
        return encoded(altered(json.loads(content)["record"], data))
    if path.suffix == ".json":
        document: Any = altered(json.loads(content), data)
        return json.dumps(document).encode()
    changed = bytearray(content)
    for _ in range(data.draw(st.integers(1, 4))):
        changed[data.draw(st.integers(0, len(changed) - 1))] = data.draw(st.integers(0, 255))
    return bytes(changed)
