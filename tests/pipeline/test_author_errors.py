"""What goes wrong in the code of a space is told to its author: which code, which line, and before it is published."""

import dataclasses
import importlib
import json
import os
import subprocess
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import boardspace
from boardspace.cli.main import cli
from boardspace.engine.events import ShardFailedError
from boardspace.spec import registry
from boardspace.spec.claims import refuse_unstated_claims
from boardspace.spec.deferred import DeferredFunction
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.space import Measurement, Outcome
from tests import odd
from tests.shared import plugged_in

pytestmark = pytest.mark.usefixtures("odd_space")
ODD = odd.__file__


@pytest.fixture
def odd_space() -> Iterator[None]:
    """Plugs in the space with faults, for this process and those it starts."""
    with plugged_in("tests.toy,tests.odd"):
        yield


def run_with(fault: str, folder: Path, *options: object) -> Result:
    config = folder / "odd.toml"
    config.write_text(f"[odd]\nfault = {json.dumps(fault)}\n")
    arguments = ["run", config, "--out", folder / "out", "--workers", 0, *options]
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


def line_of(text: str) -> int:
    """The number of the first line of the space's module with this text."""
    lines = Path(ODD).read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


@pytest.mark.parametrize(
    ("fault", "said", "line"),
    [
        ("shard", "KeyError: 'missing'", 'params["missing"]'),
        ("cut", "KeyError: 'no such key'", "no such key"),
        ("later cut", "KeyError: 'nothing'", '["nothing"]'),
        ("stages", "KeyError: 'no such stage'", "no such stage"),
    ],
)
def test_an_error_in_the_code_of_a_space_is_told_with_its_file_and_line(
    tmp_path: Path, fault: str, said: str, line: str
) -> None:
    done = run_with(fault, tmp_path)
    assert done.exit_code == 2, done.output
    assert said in done.stderr
    assert f'File "{ODD}", line {line_of(line)}' in done.stderr
    assert "boardspace itself" not in done.stderr


def test_an_error_in_a_check_of_an_author_is_told_with_its_file_and_line(tmp_path: Path) -> None:
    assert run_with("check", tmp_path).exit_code == 0
    done = CliRunner().invoke(cli, ["verify", str(tmp_path / "out")])
    assert done.exit_code == 1, done.stderr
    assert "odd: numbers: cannot be made: KeyError: 'no such check', in the code of a plug-in:\n" in done.stdout
    assert f'File "{ODD}", line {line_of("no such check")}, in check' in done.stdout


def test_the_frames_of_a_shard_that_failed_are_in_the_json(tmp_path: Path) -> None:
    done = run_with("shard", tmp_path, "--json")
    failed = json.loads(done.stdout)["failed"]
    assert (failed["shard"], failed["cause"]) == ("odd/numbers/0", "KeyError: 'missing'")
    functions = [(frame["file"], frame["function"]) for frame in failed["frames"]]
    assert functions == [(ODD, "compute"), (ODD, "_deeper")]


def test_debug_shows_the_traceback_of_the_shard(tmp_path: Path) -> None:
    config = tmp_path / "odd.toml"
    config.write_text('[odd]\nfault = "shard"\n')
    arguments = ["--debug", "run", str(config), "--out", str(tmp_path / "out"), "--workers", "0"]
    assert "in _deeper" in CliRunner().invoke(cli, arguments).stderr.partition("Traceback")[2]


def test_the_exception_of_a_shard_is_chained(tmp_path: Path) -> None:
    with pytest.raises(ShardFailedError) as caught:
        boardspace.run({"odd": {"fault": "shard"}}, str(tmp_path / "here"), workers=0)
    assert isinstance(caught.value.__cause__, KeyError)
    assert "_deeper" in "".join(traceback.format_exception(caught.value))


IN_ANOTHER_PROCESS = """
import traceback
from pathlib import Path
from boardspace.engine.config import validate
from boardspace.engine.events import ShardFailedError, ShardTracebackError
from boardspace.engine.run import Workers, run
if __name__ == "__main__":
    try:
        run(validate({"odd": {"fault": "shard"}}, "odd", "odd"), Path("there"), Workers(count=1))
    except ShardFailedError as error:
        assert isinstance(error.__cause__, ShardTracebackError)
        assert "_deeper" in "".join(traceback.format_exception(error))
        assert [frame.function for frame in error.frames] == ["compute", "_deeper"]
        print("chained")
"""


def test_the_traceback_of_another_process_is_chained_as_text(tmp_path: Path) -> None:
    (tmp_path / "asked.py").write_text(IN_ANOTHER_PROCESS)
    root = str(Path(ODD).parents[1])
    done = subprocess.run(
        [sys.executable, "asked.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": root},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "chained\n", done.stderr


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("table", "odd/numbers/0 failed: it yields a table 'other', and odd declares none but numbers, levels, whole"),
        ("array", "odd/numbers/0 failed: it yields an array 'strange', and odd declares none at all"),
        (
            "folders",
            "odd/numbers/0 failed: its name is no place in the table 'levels', which has folders: name it",
        ),
        ("descending", "do not ascend from shard to shard: odd/numbers/1 begins with 0, and odd/numbers/0, whose name"),
        ("twins", "odd/numbers/0 and odd/numbers/1 write the same file: odd/whole.parquet"),
    ],
)
def test_output_that_no_reader_could_take_is_refused_when_it_is_written(tmp_path: Path, fault: str, said: str) -> None:
    done = run_with(fault, tmp_path)
    assert done.exit_code == 2, done.output
    assert said in done.stderr
    assert not (tmp_path / "out/.run/odd/stages/numbers.json").exists()


def test_a_check_that_tried_more_cases_than_there_are_is_refused() -> None:
    assert Outcome(3, 3).cases == 3
    for cases, of in ((4, 3), (-1, 3)):
        with pytest.raises(ValueError, match=f"tried {cases} of {of} cases"):
            Outcome(cases, of)


def test_a_space_without_a_fault_runs(tmp_path: Path) -> None:
    assert run_with("", tmp_path).exit_code == 0


NAMES = {
    "in a literal": 'def claims(config, inputs): return {"fermat": Measurement(1, ""), "nobody": Measurement(1, "")}',
    "item by item": 'def claims(config, inputs):\n    found = {}\n    found["nobody"] = spec.Measurement(1, "")\n',
}


@pytest.mark.parametrize("how", NAMES)
def test_a_claim_that_nobody_states_is_refused_before_the_first_shard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    head = "from boardspace.spec import space as spec\nMeasurement = spec.Measurement\n"
    (tmp_path / "measuring.py").write_text(head + NAMES[how])
    monkeypatch.syspath_prepend(tmp_path)
    (part,) = odd.SPACE.parts
    for claims in (importlib.import_module("measuring").claims, DeferredFunction("measuring", "claims")):
        space = dataclasses.replace(odd.SPACE, parts=(dataclasses.replace(part, claims=claims),))
        with pytest.raises(BoardspaceError, match=r"measuring\.py, line \d: measures the claim 'nobody'"):
            refuse_unstated_claims(space)
    del sys.modules["measuring"]
    reading = dataclasses.replace(odd.SPACE, readings={"nobody": Measurement(1, "")})
    monkeypatch.setattr("boardspace.engine.plan.space_named", lambda name: reading)
    done = run_with("", tmp_path)
    assert done.exit_code == 2
    assert not (tmp_path / "out/.run/odd").exists()
    assert "reads the claim 'nobody'" in done.stderr


def test_the_spaces_that_ship_measure_nothing_that_nobody_states() -> None:
    for space in registry.spaces().values():
        refuse_unstated_claims(space)
