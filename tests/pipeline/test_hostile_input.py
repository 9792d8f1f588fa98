"""Whatever comes in from outside, a command answers with a result or one clear message, never with a traceback.

``pytest --hypothesis-profile campaign`` draws twenty times as many cases.
"""

import copy
import json
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from boardspace.cli.main import cli
from boardspace.engine import loop
from boardspace.engine.config import Config, ConfigError, load_config, validate
from boardspace.engine.graph import InProcess
from boardspace.engine.plan import save_plan, work_of
from boardspace.storage.shipped import CONFIGS, shipped_names
from boardspace.verify import verify
from tests.daily import daily
from tests.pipeline.forging import of_file, seal, write_forged
from tests.pipeline.test_engine import Recorder

# A third of the usual cases: commands, which take ten times as long as the functions that hypothesis was made for.
command_line = settings(max_examples=max(1, settings().max_examples // 3))
shared_folder = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
dear = settings(shared_folder, max_examples=max(1, settings().max_examples // 10))

hexadecimal = st.text("0123456789abcdefABCDEF", max_size=12)
words = st.text(max_size=20) | hexadecimal
# Numbers a computation could take long over are left out: they are not hostile, only large.
numbers = st.integers(max_value=0).map(str) | st.integers(min_value=10**6).map(str) | st.floats().map(str) | words
values = st.recursive(
    st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=8,
)


def answer(*arguments: str, stdin: str = "") -> Result:
    """Run a command that may succeed or be refused, but not crash or fail without a word."""
    result = CliRunner().invoke(cli, arguments, input=stdin)
    assert result.exception is None or isinstance(result.exception, SystemExit), (arguments, result.exc_info)
    assert result.exit_code in {0, 1, 2}, arguments
    if result.exit_code == 2:
        assert result.output.strip(), arguments
    return result


@command_line
@given(st.sampled_from(["show", "solve", "layers", "group"]), words)
def test_any_text_is_a_layout_or_refused(command: str, code: str) -> None:
    answer("klotski", command, code, "--json")


@command_line
@given(st.sampled_from([("klotski", "id"), ("klotski", "name"), ("klotski", "hardest")]), words | numbers)
def test_any_text_is_a_name_or_refused(command: tuple[str, str], name: str) -> None:
    answer(*command, name, "--json")


@command_line
@given(words, words)
def test_any_two_texts_are_layouts_of_one_group_or_refused(start: str, end: str) -> None:
    answer("klotski", "paths", start, end, "--json")


@command_line
@given(numbers, numbers, numbers)
def test_any_special_cell_is_covered_or_refused(k: str, x: str, y: str) -> None:
    answer("tromino", "--", k, x, y)


@command_line
@given(numbers, numbers)
def test_any_rectangle_has_a_value_or_is_refused(m: str, n: str) -> None:
    answer("rectangle", "--", m, n)


@command_line
@given(numbers, numbers, numbers)
def test_any_board_is_blocked_or_refused(n: str, m: str, k: str) -> None:
    answer("five", "X", "-k", k, "--", n, m)


@command_line
@given(st.text(max_size=60) | st.text("01.#xo \n", max_size=60))
def test_any_text_is_a_board_of_stones_or_refused(text: str) -> None:
    answer("five", "check", "-", stdin=text)


@command_line
@given(words, words, words)
def test_any_text_is_a_board_and_positions_or_refused(board: str, start: str, goal: str) -> None:
    answer("solitaire", "solve", "--board", board, "--start", start, "--goal", goal)


@command_line
@given(st.text(max_size=60) | st.text("abcdefg0123456789-x>, \n", max_size=60))
def test_any_text_is_a_game_or_refused(text: str) -> None:
    answer("solitaire", "replay", "-", "--board", "french", "--problem", "last_supper", stdin=text)


def leaves(document: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of everything in a nested document, containers included."""
    children = document.items() if isinstance(document, dict) else enumerate(document)
    for key, value in children:
        yield (*path, key)
        if isinstance(value, dict | list):
            yield from leaves(value, (*path, key))


def altered(document: Any, data: st.DataObject) -> Any:
    """The document with one thing in it replaced, removed or joined by something new."""
    changed = copy.deepcopy(document)
    *above, key = data.draw(st.sampled_from(sorted(leaves(document), key=str)))
    place = changed
    for step in above:
        place = place[step]
    change = data.draw(st.sampled_from(["replace", "remove", "add"]))
    if change == "remove":
        del place[key]
    elif change == "add" and isinstance(place, dict):
        place[data.draw(st.text(max_size=10))] = data.draw(values)
    else:
        place[key] = data.draw(values)
    return changed


@pytest.mark.parametrize("name", daily(shipped_names(CONFIGS), 4))
def test_an_altered_configuration_is_valid_or_its_faults_are_told(name: str) -> None:
    document = tomllib.loads((CONFIGS / f"{name}.toml").read_text())

    @command_line
    @given(st.data())
    def try_one(data: st.DataObject) -> None:
        changed = altered(document, data)
        assert accepted_or_told(lambda: validate(changed, name, f"{name}.toml"), f"{name}.toml")

    try_one()


@shared_folder
@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_any_file_is_a_configuration_or_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "hostile.toml"
    path.write_bytes(content)
    assert accepted_or_told(lambda: load_config(str(path)), str(path))


def accepted_or_told(load: Callable[[], Config], origin: str) -> bool:
    """Whether the configuration is valid, or refused by an error that says where it comes from."""
    try:
        load()
    except ConfigError as error:
        return origin in str(error)
    return True


@pytest.fixture
def run_folder(tmp_path: Path) -> Path:
    root = tmp_path / "run"
    work = work_of(validate({"toy": {"shards": 2}}, "trial", "trial.toml"))
    save_plan(root, work)
    loop.run(work, root, InProcess(), Recorder(), loop.Limits())
    assert answer("verify", str(root)).exit_code == 0  # which leaves a record, too
    return root


@dear
@given(st.data())
def test_a_forged_record_with_a_right_checksum_leads_to_a_message_at_most(
    run_folder: Path, data: st.DataObject
) -> None:
    records = sorted(
        [run_folder / "plan.json", run_folder / "toy" / "COMPLETE", *run_folder.glob(".run/toy/**/*.json")]
    )
    path = data.draw(st.sampled_from(records))
    before = path.read_bytes()
    forged = altered(json.loads(before)["record"], data)
    write_forged(path, forged)
    try:
        for command in ("status", "verify", "claims"):
            answer(command, str(run_folder))
    finally:
        path.write_bytes(before)


@pytest.mark.parametrize("key", ["digest", "sha256"])
@pytest.mark.parametrize("said", ["0", "x" * 64, "f" * 64 + "\n"])
def test_a_digest_that_is_none_is_no_record(run_folder: Path, key: str, said: str) -> None:
    path = run_folder / ".run" / "toy" / "stages" / "claims.json"
    before = path.read_bytes()
    forged = json.loads(before)["record"]
    forged["receipts"][0]["files"][0][key] = said
    write_forged(path, forged)
    told = answer("verify", str(run_folder))
    path.write_bytes(before)
    assert told.exit_code == 1
    assert "claims.json" in told.output


def test_facts_that_a_stage_cannot_be_cut_by_are_told(run_folder: Path) -> None:
    path = run_folder / ".run" / "toy" / "stages" / "squares.json"
    forged = json.loads(path.read_bytes())["record"]
    del forged["receipts"][1]["facts"]["largest"]
    write_forged(path, forged)
    told = answer("status", str(run_folder))
    assert told.exit_code == 2
    assert "stage sums cannot be cut: KeyError: 'largest'" in told.output
    assert "what squares recorded" in told.output


@pytest.mark.parametrize("forged_key", [[], "x", {"a": 1}, None, 10**9])
@pytest.mark.parametrize("end", ["first", "last"])
def test_a_key_that_is_not_the_file_s_is_a_fault(run_folder: Path, end: str, forged_key: object) -> None:
    path = run_folder / ".run" / "toy" / "stages" / "sums.json"
    forged = json.loads(path.read_bytes())["record"]
    named = [file for receipt in forged["receipts"] for file in receipt["files"] if file["table"] and file["rows"]]
    named[1][end][0] = forged_key
    write_forged(path, forged)
    seal(run_folder)
    told = answer("verify", str(run_folder))
    assert told.exit_code == 1
    assert f"{named[1]['path']}: its first or last row does not have the key that its receipt says" in told.output


def test_a_file_of_a_table_that_there_is_not_is_a_fault(run_folder: Path) -> None:
    path = run_folder / ".run" / "toy" / "stages" / "sums.json"
    forged = json.loads(path.read_bytes())["record"]
    file = next(file for file in forged["receipts"][1]["files"] if file["table"])
    file["table"] = "products"
    write_forged(path, forged)
    seal(run_folder)
    faults = verify(run_folder, "structure").faults
    assert [(fault.where, fault.what) for fault in faults] == [(file["path"], "of no table: 'products'")]


@dear
@given(st.data())
def test_hostile_metadata_of_a_table_or_array_is_a_fault_not_a_crash(run_folder: Path, data: st.DataObject) -> None:
    """The receipt is forged too, so that the file passes for what the run wrote and is decoded."""
    stage = data.draw(st.sampled_from(sorted(run_folder.glob(".run/toy/stages/*.json"))))
    record = json.loads(stage.read_bytes())["record"]
    file = data.draw(st.sampled_from([f for receipt in record["receipts"] for f in receipt["files"]]))
    path = run_folder / file["path"]
    kept = {p: p.read_bytes() for p in [path, run_folder / "toy" / "COMPLETE", *run_folder.glob(".run/toy/stages/*")]}
    if path.name == "zarr.json":
        content = json.dumps(altered(json.loads(kept[path]), data)).encode()
    else:
        content = _with_bytes_altered(kept[path], data)
    path.write_bytes(content)
    for receipt in record["receipts"]:
        for named in receipt["files"]:
            if named["path"] == file["path"]:
                named |= of_file(path)
    write_forged(stage, record)
    try:
        seal(run_folder)
        result = verify(run_folder, "structure")
        assert all(fault.what and fault.level == "structure" for fault in result.faults)
    finally:
        for place, before in kept.items():
            place.write_bytes(before)


def _with_bytes_altered(content: bytes, data: st.DataObject) -> bytes:
    """Some of the last 1,000 bytes, where Parquet and sharded Zarr files keep their metadata, are others."""
    changed = bytearray(content)
    for _ in range(data.draw(st.integers(1, 4))):
        changed[-data.draw(st.integers(1, min(1000, len(changed))))] = data.draw(st.integers(0, 255))
    return bytes(changed)
