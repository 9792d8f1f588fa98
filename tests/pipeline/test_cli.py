"""The command line: what it prints, what it refuses, and with which exit code."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner, Result

from boardspace.cli.main import cli

Config = Callable[..., Path]


def invoke(*arguments: object) -> Result:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


@pytest.fixture
def finished_run(toy_config: Config, tmp_path: Path) -> Path:
    result = invoke("run", toy_config(), "--out", tmp_path / "out", "--workers", 0, "--json")
    assert result.exit_code == 0, result.output
    return tmp_path / "out"


def test_run_ends_with_claims_and_where_the_datasets_lie(toy_config: Config, tmp_path: Path) -> None:
    result = invoke("run", toy_config(), "--out", tmp_path / "out", "--workers", 0)
    assert result.exit_code == 0
    assert "toy: 3 stages, under 1 MB" in result.output.splitlines()[0]
    assert "5 shards now; 1 stage is sized later" in " ".join(result.output.split())
    assert f"{tmp_path / 'out'}: about" in result.output.replace("\n", "")
    for text in ("toy: 1 confirmed, 1 refuted, 1 not covered", "What next:", f"boardspace claims {tmp_path / 'out'}"):
        assert text in result.output
    assert "all-squares" not in result.output
    assert (tmp_path / "out" / "toy" / "COMPLETE").exists()


def test_a_quiet_run_prints_nothing_and_a_log_gets_its_lines_with_the_time(toy_config: Config, tmp_path: Path) -> None:
    log, config = tmp_path / "run.log", toy_config()
    for quiet in (["--quiet"], []):
        done = invoke("run", config, "--out", tmp_path / "out", "--workers", 0, "--log", log, *quiet)
        assert done.exit_code == 0
        assert (done.output == "") == bool(quiet)
    lines = log.read_text().splitlines()
    assert len([line for line in lines if re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d toy: complete", line)]) == 2


def test_a_log_that_cannot_be_written_or_lies_among_the_outputs_is_refused_and_a_full_one_is_told(
    toy_config: Config, tmp_path: Path
) -> None:
    config, out = toy_config(), tmp_path / "out"
    for log, message in (
        (tmp_path, "is a directory"),
        (tmp_path / "none" / "log", "the log cannot be opened: No such file"),
        (out / "toy" / "log", "it may not lie among the outputs"),
    ):
        refused = invoke("run", config, "--out", out, "--workers", 0, "--log", log)
        assert (refused.exit_code, message in refused.output) == (2, True), refused.output
        assert not out.exists()
    done = invoke("run", config, "--out", out, "--workers", 0, "--quiet", "--log", "/dev/full")
    assert done.exit_code == 0
    assert done.output == "boardspace: warning: /dev/full: the log ends here: No space left on device\n"


def test_run_as_json_is_one_document(toy_config: Config, tmp_path: Path) -> None:
    result = invoke("run", toy_config(), "--out", tmp_path / "out", "--workers", 0, "--json")
    document = json.loads(result.stdout)
    assert document["datasets"]["toy"]["shards"] == 9
    assert {row["claim"]: row["verdict"] for row in document["claims"]["toy"]} == {
        "all-squares": "refuted",
        "fermat": "confirmed",
        "open-question": "not_covered",
    }


def test_plan_shows_shards_where_they_are_known(toy_config: Config) -> None:
    rows = json.loads(invoke("plan", toy_config(), "--json").stdout)
    assert [(row["stage"], row["shards"], row["after"]) for row in rows] == [
        ("squares", 4, []),
        ("sums", None, ["squares"]),
        ("claims", 1, ["squares", "sums"]),
    ]
    assert "after squares" in invoke("plan", toy_config()).output


def test_plan_says_the_wall_the_longest_chain_and_the_workers_of_use(toy_config: Config) -> None:
    told = invoke("plan", toy_config(), "--workers", "1000").output
    assert "1,000 workers: 1 s for 4 s of work\n" in told
    assert (
        "the longest chain takes 1 s (3 stages of toy, squares the longest); more than 3 workers would not help" in told
    )
    assert "this is without 1 stage whose time is not known yet" in told


def test_a_config_of_no_space_is_refused_by_run_and_plan(tmp_path: Path) -> None:
    (tmp_path / "none.toml").write_text("[run]\nretries = 1\n")
    for command in (("run", "--out", tmp_path / "out"), ("plan",), ("plan", "--workers", 3)):
        refused = invoke(command[0], tmp_path / "none.toml", *command[1:])
        assert (refused.exit_code, "config 'none' names no space; " in refused.output) == (2, True)


def test_status_counts_receipts(finished_run: Path) -> None:
    rows = json.loads(invoke("status", finished_run, "--json").stdout)
    assert [(row["stage"], row["shards"], row["done"], row["state"]) for row in rows] == [
        ("squares", 4, 4, "complete"),
        ("sums", 4, 4, "complete"),
        ("claims", 1, 1, "complete"),
    ]


def test_claims_can_be_read_again(finished_run: Path) -> None:
    rows = json.loads(invoke("claims", finished_run, "--json").stdout)["toy"]
    assert [row["claim"] for row in rows] == ["fermat", "all-squares", "open-question"]
    assert "counted over the whole table" in invoke("claims", finished_run, "--evidence").output


def test_claims_are_short_unless_more_is_asked_for(finished_run: Path) -> None:
    short = invoke("claims", finished_run).output
    assert "1 confirmed, 1 refuted, 1 not covered" in short
    assert "all-squares" in short
    assert "fermat" not in short
    assert "fermat" in invoke("claims", finished_run, "--all").output
    some = json.loads(invoke("claims", finished_run, "--verdict", "not_covered", "--space", "toy", "--json").stdout)
    assert [row["claim"] for row in some["toy"]] == ["open-question"]
    for command in ("claims", "status"):
        refused = invoke(command, finished_run, "--space", "chess")
        assert refused.exit_code == 2
        assert "there are: toy" in refused.output


def test_claims_of_a_release_are_read_too(finished_run: Path, tmp_path: Path) -> None:
    assert invoke("publish", finished_run, "--out", tmp_path / "release", "--verified").exit_code == 0
    assert invoke("claims", tmp_path / "release").output == invoke("claims", finished_run).output
    assert invoke("claims", tmp_path / "release" / "toy").exit_code == 0


@pytest.mark.parametrize("columns", [40, 60, 80, 200])
def test_what_is_printed_fits_the_terminal(columns: int, finished_run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    for arguments in (("claims", finished_run, "--all", "--evidence"), ("status", "--all", finished_run)):
        lines = invoke(*arguments).output.splitlines()
        assert max(map(len, lines)) <= max(columns, 60)


def test_a_status_has_a_line_for_what_is_complete(finished_run: Path) -> None:
    assert invoke("status", finished_run).output.startswith("toy: complete, ")
    assert len(invoke("status", finished_run, "--all").output.splitlines()) == 4
    assert len(invoke("status", finished_run, "--watch").output.splitlines()) == 1


def test_a_status_tells_per_cent_and_time_left_and_leaves_out_what_waits(toy_config: Config, tmp_path: Path) -> None:
    config, out = toy_config(trouble="poison", trouble_shard="squares/00050"), tmp_path / "out"
    assert invoke("run", config, "--out", out, "--workers", 0).exit_code != 0
    [first, stage] = invoke("status", out).output.splitlines()
    assert re.match(
        r"toy: 0 of 3 stages finished, \d of 4 shards done \(\d+ %\), at least \d s left on one core; 2", first
    )
    assert stage.split()[0] == "squares"


def test_another_config_is_refused_with_what_differs(toy_config: Config, finished_run: Path) -> None:
    other = toy_config("other", roots=50)
    refused = invoke("run", other, "--out", finished_run, "--workers", 0)
    assert refused.exit_code == 2
    assert "config.roots: 100 there, 50 now" in refused.output
    assert "--fresh" in refused.output
    assert invoke("run", other, "--out", finished_run, "--workers", 0, "--fresh").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("run", "nowhere"), "no such config"),
        (("run", "smoke", "--space", "chess"), "has no section [chess]"),
        (("status", "."), "no plan.json"),
        (("claims", "."), "no complete dataset here"),
    ],
)
def test_what_cannot_be_done_is_said_with_exit_code_2(
    arguments: tuple[str, ...], message: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    result = invoke(*arguments)
    assert result.exit_code == 2
    assert message in result.output


def test_help_teaches() -> None:
    text = invoke("--help").output
    for command in ("run", "plan", "status", "verify", "claims"):
        assert command in text


def test_a_scheduler_that_does_not_answer_is_named(
    toy_config: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("boardspace.engine.dask_clusters.CONNECT_SECONDS", 1)
    result = invoke("run", toy_config(), "--out", tmp_path / "out", "--scheduler", "tcp://127.0.0.1:1")
    assert result.exit_code == 2
    assert "tcp://127.0.0.1:1: no Dask scheduler answers" in result.output


def test_plan_draws_the_stages_and_what_they_wait_for(toy_config: Config, tmp_path: Path) -> None:
    assert invoke("plan", toy_config(), "--graph", tmp_path / "plan.svg").exit_code == 0
    svg = ElementTree.parse(tmp_path / "plan.svg")
    texts = [element.text for element in svg.iter("{http://www.w3.org/2000/svg}text")]
    assert texts == ["toy", "squares", "sums", "claims"]
    # the claims come after both, but squares reach them by way of sums
    assert len(list(svg.iter("{http://www.w3.org/2000/svg}line"))) == 2
