"""Wherever a command is told to write, and whatever it is given: a result, or a line that says what is wrong."""

import errno
import os
import resource
import shutil
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest
from click.testing import CliRunner, Result

from boardspace.cli.commands.options import INTERNAL_ERROR
from boardspace.cli.main import cli
from boardspace.engine import dask_clusters
from boardspace.engine.config import ConfigError, load_config
from boardspace.engine.plan import work_of
from boardspace.engine.run import short_of_room
from boardspace.spec.errors import BoardspaceError
from boardspace.storage.files import StorageError, explain, write_out
from tests.pipeline.conftest import BOARDSPACE, boardspace, dataset_bytes, environment, python, started
from tests.pipeline.publish.conftest import release, run

__all__ = ["release", "run"]

Config = Callable[..., Path]


def invoke(*arguments: object) -> Result:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


def refused(*arguments: object) -> str:
    """What is said of arguments that the user can mend."""
    done = invoke(*arguments)
    assert done.exit_code == 2, done.output
    assert "Traceback" not in done.output
    assert len(done.output) < 4000
    return done.output


def fill(stream: object) -> None:
    stream.write(b"new")  # type: ignore[attr-defined]


def test_a_regular_file_is_replaced_whole_and_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"a longer one")
    path.chmod(0o640)
    write_out(path, fill)
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [file.name for file in tmp_path.iterdir()] == ["file"]


def test_what_a_link_leads_to_is_written_and_the_link_stays(tmp_path: Path) -> None:
    (tmp_path / "target").write_bytes(b"old")
    (tmp_path / "link").symlink_to("target")
    write_out(tmp_path / "link", fill)
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_bytes() == b"new"


def test_a_pipe_is_written_through(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_out(pipe, fill)
    reader.join()
    assert read == [b"new"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_device_stays_a_device(tmp_path: Path) -> None:
    (tmp_path / "null").symlink_to("/dev/null")
    for place in (Path("/dev/null"), tmp_path / "null"):
        write_out(place, fill)
        assert stat.S_ISCHR(place.stat().st_mode)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("folder", "is a folder"),
        ("dangling", "which is not there"),
        ("file/below", "there is no folder"),
        ("missing/below", "there is no folder"),
        ("a/" * 1900 + "x", "there is no folder|too long"),
        ("n" * 300, "too long"),
        ("loop", "loop"),
    ],
)
def test_bad_places_for_a_file_are_told(tmp_path: Path, name: str, said: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("")
    (tmp_path / "dangling").symlink_to("nowhere")
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(StorageError, match=said):
        write_out(tmp_path / name, fill)


def test_a_full_device_is_told() -> None:
    with pytest.raises(StorageError, match="no space left"):
        write_out(Path("/dev/full"), lambda stream: stream.write(b"x" * (1 << 20)))


def test_a_command_writes_through_links_and_devices(tmp_path: Path) -> None:
    (tmp_path / "target").write_text("")
    (tmp_path / "link").symlink_to("target")
    assert invoke("rectangle", 3, 4, "--moves", tmp_path / "link").exit_code == 0
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_text()
    (tmp_path / "graph").symlink_to("target")
    assert invoke("klotski", "paths", "1A9BF0C", "1A9BF0C", "--graphml", tmp_path / "graph").exit_code == 0
    assert (tmp_path / "graph").is_symlink()
    assert "graphml" in (tmp_path / "target").read_text()
    assert invoke("rectangle", 3, 4, "--moves", "/dev/null").exit_code == 0
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


@pytest.mark.parametrize(
    "name", ["file/below", "dangling", "dangling/below", "n" * 300, "a/" * 2500, "/proc/none", "/dev/null/x"]
)
def test_bad_places_for_a_run_are_told(toy_config: Config, tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "dangling").symlink_to("nowhere/there")
    refused("run", toy_config(), "--out", tmp_path / name, "--workers", 0)


def contents(folder: Path) -> dict[str, bytes]:
    return {name: content for name, content in dataset_bytes(folder).items() if not name.startswith(".run/holder")}


def test_a_plan_of_more_than_the_disk_has_free_is_told_and_run(
    toy_config: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "config.toml").write_text("[klotski]\n")
    work = work_of(load_config(str(tmp_path / "config.toml")))
    for free, lines in ((10**8, 1), (10**10, 0)):
        monkeypatch.setattr(shutil, "disk_usage", lambda folder: SimpleNamespace(free=free))  # noqa: B023
        found = list(short_of_room(work, tmp_path))
        assert len(found) == lines
        assert all("GB may lie there" in line and "0.1 GB free" in line for line in found)
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: SimpleNamespace(free=-1))
    command = ["run", str(toy_config()), "--out", str(tmp_path / "out"), "--workers=0"]
    done = [CliRunner().invoke(cli, command) for _ in range(2)]
    assert [one.exit_code for one in done] == [0, 0]
    assert ["the run ends where the disk is full" in one.stderr for one in done] == [True, False]


@pytest.mark.parametrize("flags", [(), ("--fresh",), ("--keep",), ("--repair",)])
def test_a_run_takes_over_no_folder_that_is_none_of_its_own(
    toy_config: Config, tmp_path: Path, release: Path, flags: tuple[str, ...]
) -> None:
    """Nothing in it is written, moved or deleted, by ``jobs`` either."""
    shutil.copytree(release, tmp_path / "release")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("mine")
    (tmp_path / "sums").mkdir()
    (tmp_path / "sums" / "SHA256SUMS").write_text("")
    (tmp_path / "gone" / ".run" / "toy" / "stages").mkdir(parents=True)
    places = ["release", "release/toy", "release/toy/new", "mine", "sums"]
    if not {*flags} & {"--fresh", "--keep"}:
        places.append("gone")
    config = toy_config()
    before = contents(tmp_path)
    for place in places:
        assert "--out" in refused("run", config, "--out", tmp_path / place, "--workers", 0, *flags)
        if flags != ("--repair",):
            assert "--out" in refused("jobs", tmp_path / place, config, *flags)
    assert contents(tmp_path) == before


@pytest.mark.parametrize("flags", [(), ("--fresh",), ("--keep",), ("--repair",)])
def test_a_file_that_no_run_wrote_stays_where_it_is_in_a_dataset(
    toy_config: Config, tmp_path: Path, flags: tuple[str, ...]
) -> None:
    config, out = toy_config(), tmp_path / "out"
    assert invoke("run", config, "--out", out, "--workers", 0).exit_code == 0
    (out / "notes.txt").write_text("beside the datasets it is in nobody's way")
    assert invoke("run", config, "--out", out, "--workers", 0, *flags).exit_code == 0
    for name in ("thesis.txt", "sums/notes.txt", "sums/mine.parquet", "arrays.zarr/thesis.txt", "other/0.parquet"):
        path = out / "toy" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("mine")
        before = contents(out)
        said = refused("run", config, "--out", out, "--workers", 0, *flags)
        assert f"no run wrote toy/{name}" in said
        assert contents(out) == before
        path.unlink()
    for inside in ("toy", ".run", "toy/new", ".run/toy/new"):
        assert "--out" in refused("run", config, "--out", out / inside, "--workers", 0, *flags)
    assert (out / "notes.txt").exists()


def test_an_atlas_takes_over_no_folder_that_is_none_of_its_own(
    tmp_path: Path, release: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("boardspace.release.atlas.site.bundle_files", dict)
    for name in ("thesis.txt", "index.html", "plan.json"):
        out = tmp_path / name.replace(".", "-")
        out.mkdir()
        (out / name).write_text("mine")
        assert "--out" in refused("atlas", release, "--out", out)
        assert dataset_bytes(out) == {name: b"mine"}


def test_a_folder_that_another_owns_is_told(
    toy_config: Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", "lock")

    monkeypatch.setattr("filelock.FileLock.acquire", denied)
    said = refused("run", toy_config(), "--out", tmp_path / "out", "--workers", 0)
    assert "not allowed to write it" in said


def test_a_time_limit_of_centuries_is_refused(tmp_path: Path) -> None:
    config = tmp_path / "bad.toml"
    config.write_text("[run]\nshard_seconds = 1e10\n")
    assert "at most 31536000.0 is wanted" in refused("run", config, "--out", tmp_path / "out", "--workers", 0)


@pytest.mark.parametrize("key", ["[run]\nshard_seconds", "[klotski]\nfarthest_seconds"])
@pytest.mark.parametrize("value", ["inf", "nan", "-inf"])
def test_numbers_that_are_none_are_refused_before_a_plan_is_written(tmp_path: Path, key: str, value: str) -> None:
    config = tmp_path / "bad.toml"
    config.write_text(f"{key} = {value}\n")
    said = refused("run", config, "--out", tmp_path / "out", "--workers", 0)
    assert "finite" in said
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "text", ["a=" + "[" * 100_000, "a=" + "{b=" * 5_000, "[" + "a." * 100_000, "a=" + "9" * 5000, "\ud800", "\0"]
)
def test_hostile_toml_is_told(tmp_path: Path, text: str) -> None:
    path = tmp_path / "bad.toml"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(ConfigError, match=r"bad\.toml"):
        load_config(str(path))
    if "\0" not in text and "\ud800" not in text:
        with pytest.raises(ConfigError):
            load_config("smoke", [text])


def test_a_configuration_of_a_tebibyte_of_nothing_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.touch()
    os.truncate(path, 1 << 40)
    with pytest.raises(ConfigError, match="a hole"):
        load_config(str(path))


@pytest.mark.parametrize("address", ["tcp://[", "[", "", " ", "tcp://", "tcp://host:0", "tcp://a\x1b[2J:1", "x" * 5000])
def test_what_is_no_address_is_told(toy_config: Config, tmp_path: Path, address: str) -> None:
    said = refused("run", toy_config(), "--out", tmp_path / "out", "--scheduler", address)
    assert "\x1b" not in said


@pytest.mark.parametrize("limit", ["abc", "", "2", "-1", "1e400", "nan", "1 GiB GiB"])
def test_what_is_no_limit_of_memory_is_told(toy_config: Config, tmp_path: Path, limit: str) -> None:
    refused("run", toy_config(), "--out", tmp_path / "out", "--memory-limit", limit, "--workers", 1)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("command", [["instances", "rush_hour", "--out"], ["verify"], ["run", "--out"]])
def test_a_file_or_nothing_in_place_of_a_folder_is_told(tmp_path: Path, command: list[str]) -> None:
    file = tmp_path / "file"
    file.write_text("")
    for value, said in ((str(file), f"'{file}' is a file; give a folder"), ("", "an empty text names no folder")):
        done = CliRunner().invoke(cli, [*command, value])
        assert done.exit_code == 2
        assert said in done.stderr


def test_a_negative_seed_is_told(tmp_path: Path) -> None:
    refused("verify", tmp_path, "--seed", -1)


@pytest.mark.parametrize("name", ["new\nline [red] \x1b[2J", "x[/b] caf\u00e9 \u2028"])
def test_a_folder_may_have_any_name(toy_config: Config, tmp_path: Path, name: str) -> None:
    out = tmp_path / name.replace("/", "") / "[" / name.split("/")[-1]
    assert invoke("run", toy_config(), "--out", out, "--workers", 0).exit_code == 0
    for command in ("status", "claims", "verify"):
        done = invoke(command, out)
        assert done.exit_code == 0, done.output
        assert "\x1b" not in done.output
    done = invoke("publish", out, "--out", tmp_path / "release")
    assert done.exit_code == 0
    assert invoke("plan", toy_config(name="[b]x[")).exit_code == 0


ONE_BY_ONE = """
import sys
from boardspace.__main__ import main
words = " ".join(sys.argv[1:])
for command in words.split(" + "):
    sys.argv[1:] = command.split()
    try:
        main()
    except SystemExit as end:
        assert not end.code, command
"""
"""Commands in one process, which spares the start of others: given in turn, with a + between them."""


def test_a_path_that_is_no_utf8_on_a_terminal_that_is_ascii(toy_config: Config, tmp_path: Path) -> None:
    out = os.fsdecode(os.fsencode(tmp_path) + b"/\xff\xfe")
    commands = f"run {toy_config()} --workers 0 --out {out} + status {out} + verify {out} + claims {out}"
    done = subprocess.run(
        [sys.executable, "-c", ONE_BY_ONE, commands],
        env=environment({"PYTHONIOENCODING": "ascii", "LC_ALL": "C"}),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert b"Traceback" not in done.stderr


def test_what_is_left_is_one_line_with_a_code_of_its_own_and_a_traceback_for_those_who_ask(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("boardspace.cli.commands.status.stages_status", None)  # a bug of ours, in our own code
    (tmp_path / "toy.toml").write_text("[toy]\nroots = 12\n")
    assert invoke("run", tmp_path / "toy.toml", "--out", tmp_path / "out", "--workers", 0).exit_code == 0
    done = invoke("status", tmp_path / "out")
    assert (done.exit_code, done.output.count("\n")) == (INTERNAL_ERROR, 1)
    assert "TypeError: 'NoneType' object is not callable" in done.output
    assert "Traceback" not in done.output
    assert "Traceback" in invoke("--debug", "status", tmp_path / "out").output


@pytest.mark.parametrize(("allowed", "workers"), [(24, 1), (50, 1), (1024, 90)])
def test_too_few_descriptors_are_told(monkeypatch: pytest.MonkeyPatch, allowed: int, workers: int) -> None:
    monkeypatch.setattr(os, "sysconf", lambda name: {"SC_OPEN_MAX": allowed}[name])
    with pytest.raises(BoardspaceError, match=f"cannot work with {allowed} open files.*`ulimit -n"):
        dask_clusters.local(workers, "auto", 0).__enter__()


FEW_DESCRIPTORS = """
import resource
from boardspace.__main__ import main
resource.setrlimit(resource.RLIMIT_NOFILE, (24, 24))
main()
"""


def test_a_run_with_too_few_descriptors_ends_in_a_line(toy_config: Config, tmp_path: Path) -> None:
    done = python(FEW_DESCRIPTORS, "run", toy_config(), "--out", tmp_path / "out", "--workers", 1)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert "ulimit" in done.stderr


WAYS_TO_PRINT = ("rectangle 3 4 --json", "plan smoke --space board_division", "--help")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("command", WAYS_TO_PRINT)
def test_a_full_disk_behind_standard_output_is_told(tmp_path: Path, command: str) -> None:
    with Path("/dev/full").open("w") as full, (tmp_path / "said").open("w") as said:
        assert started(BOARDSPACE, *command.split(), out=full, err=said).wait() == 1
    assert (tmp_path / "said").read_text() == "boardspace: standard output: No space left on device\n"


def test_a_closed_standard_output_is_none_to_write_to() -> None:
    line = f"{sys.executable} -c '{ONE_BY_ONE}' {' + '.join(WAYS_TO_PRINT)} >&-"
    closed = subprocess.run(["sh", "-c", line], env=environment(), capture_output=True, text=True, check=False)
    assert (closed.returncode, "Traceback" in closed.stderr) == (0, False), closed.stderr


@pytest.mark.thorough
@pytest.mark.parametrize(
    "closed", ["<&- >&- 2>&-", *(pytest.param(one, marks=pytest.mark.slow) for one in (">&-", "2>&-"))]
)
def test_a_run_with_closed_standard_streams_leaves_what_any_run_leaves(
    toy_config: Config, tmp_path: Path, closed: str
) -> None:
    config, out = toy_config(), tmp_path / "out"
    line = f"{sys.executable} -c '{ONE_BY_ONE}' run {config} --out {out} --workers 1 + claims {out} {closed}"
    done = subprocess.run(["sh", "-c", line], env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert invoke("run", config, "--out", tmp_path / "plain", "--workers", 0).exit_code == 0
    assert dataset_bytes(out / "toy") == dataset_bytes(tmp_path / "plain" / "toy")


@pytest.mark.parametrize(
    "error", [OSError(errno.EFBIG, "File too large"), OSError("65880 requested and 31018 written")]
)
def test_a_limit_of_the_size_of_files_is_told(error: OSError) -> None:
    assert "ulimit -f" in explain(Path("file"), error)


def test_workers_that_may_write_no_files_are_told_of(toy_config: Config, tmp_path: Path) -> None:
    line = f"ulimit -f 1; {sys.executable} -m boardspace run {toy_config()} --out {tmp_path}/out --workers 1"
    done = subprocess.run(["bash", "-c", line], env=environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "larger" in done.stderr
    assert "ulimit -f" in done.stderr
    assert "ulimit -n" not in done.stderr


@pytest.fixture
def little_memory() -> Iterator[None]:
    """4 GiB of addresses more: where a file without an end is read, the test fails before the machine does."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (psutil.Process().memory_info().vms + (4 << 30), before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, before)


@pytest.mark.parametrize(
    "command",
    [
        "five check /dev/zero",
        "tromino 2 1 2 --check /dev/zero",
        "rectangle 3 4 --check /dev/zero",
        "solitaire replay /dev/zero",
    ],
)
@pytest.mark.usefixtures("little_memory")
def test_a_file_without_an_end_is_told(command: str) -> None:
    assert "more than can be meant" in refused(*command.split())


@pytest.mark.parametrize("command", ["klotski show", "solitaire solve --board"])
@pytest.mark.usefixtures("little_memory")
def test_a_text_of_a_tebibyte_of_nothing_is_not_read(tmp_path: Path, command: str) -> None:
    path = tmp_path / "hole"
    path.touch()
    os.truncate(path, 1 << 40)
    said = refused(*command.split(), path)
    assert "more than can be meant" in said or "a hole" in said


def test_a_file_that_cannot_be_read_is_told() -> None:
    assert "Input/output error" in refused("five", "check", "/proc/self/mem")


def test_a_debug_flag_is_told_of_in_the_help() -> None:
    assert "--debug" in boardspace("--help").stdout
