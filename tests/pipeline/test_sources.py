"""What a run and compiled code are made of: a change of any source of a plug-in, however it is reached, is noticed."""

import importlib
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from boardspace.engine.plan import Plan
from boardspace.engine.work import RunDataset
from boardspace.spec.errors import BoardspaceError
from boardspace.storage.records import read_record
from boardspace_kernels import sources
from boardspace_kernels.sources import SourcesError, kernel_sources, plug_in_digest, source_digest, sources_key
from tests.pipeline.conftest import ROOT, boardspace
from tests.shared import plugged_in

FARM = {
    "farm/__init__.py": "import importlib\ndef __getattr__(n): return importlib.import_module(f'{__name__}.space')\n",
    "farm/space.py": "import stable\nKIND = 'pig'\nimportlib.import_module('barn')\n__import__(f'shed.{KIND}')\n",
    "farm/deep/kernel.py": "LEGS = 4\n",
    "farm/claims.toml": "[[claim]]\nid = 'legs'\n",
    "farm/farm.toml": "[run]\nretries = 1\n[farm]\nsize = 3\n",
    "farm/legs.toml": "[farm]\nlegs = 4\n",
    "farm/reader.py": "open('legs.toml')\n",
    "farm/weights.npy": "1234",
    "farm.toml": "[farm]\nsize = 3\n",
    "stable.py": "from numpy import *\nimport loft.straw as s, yard\n",
    "yard.py": "TEXT = open('gates.txt').read()\n",
    "gates.txt": "two\n",
    "barn/__init__.py": "",
    "barn/cow.py": "LEGS = 4\n",
    "shed/__init__.py": "",
    "shed/pig.py": "LEGS = 4\n",
    "loft/straw/__init__.py": "WEIGHT = 1\n",
    "elsewhere.py": "",
    "numpy/__init__.py": "",
}


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


@pytest.fixture
def without_boardspace(monkeypatch: pytest.MonkeyPatch) -> None:
    """None of its files, of which there are hundreds; a test of its own proves that all count."""
    monkeypatch.setattr(sources, "KERNELS", Path("no_kernels"))
    monkeypatch.setattr(sources, "PIPELINE", "no_library")


@pytest.fixture
def farm(tmp_path: Path, without_boardspace: None, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder on the path of imports, with a plug-in and others that it imports by all sorts of means."""
    write(tmp_path, FARM)
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def digest(top: str = "farm") -> str:
    """The digest as a new process would find it."""
    importlib.invalidate_caches()
    return plug_in_digest.__wrapped__(top)


def changes(folder: Path, name: str, text: str = "changed\n") -> bool:
    """True where another text of a file is another digest; the file is as it was afterwards."""
    before, there = digest(), (folder / name).read_bytes() if (folder / name).exists() else None
    write(folder, {name: text})
    after = digest()
    (folder / name).unlink()
    if there is not None:
        (folder / name).write_bytes(there)
    assert digest() == before
    return after != before


COUNTS = (
    *("farm/space.py", "farm/deep/kernel.py", "farm/claims.toml", "farm/legs.toml", "farm/weights.npy"),
    *("stable.py", "yard.py", "gates.txt", "barn/cow.py", "shed/pig.py", "loft/straw/__init__.py"),
)


def test_every_file_of_its_packages_counts_whatever_imports_it_and_how(farm: Path) -> None:
    assert [name for name in COUNTS if not changes(farm, name)] == []
    new = ("farm/new.py", "farm/deep/new.txt", "barn/deep/new.csv", "farm/build/__init__.py")
    assert [name for name in new if not changes(farm, name)] == []


def test_caches_outputs_run_configs_and_what_nobody_names_do_not_count(farm: Path) -> None:
    run = "[run]\nretries = 2\n[farm]\nsize = 4\n"
    write(farm, {"farm/out/small/plan.json": "{}", "farm/out/small/.run/lock": "", "farm/venv/pyvenv.cfg": ""})
    write(farm, {"farm/rel/release.json": "{}", "farm/rel/SHA256SUMS": "", "farm/cached/CACHEDIR.TAG": ""})
    (farm / "farm" / "round").symlink_to(farm / "farm", target_is_directory=True)
    without = ("farm/__pycache__/space.pyc", "farm/kernel.nbi", "farm/.git/HEAD", "farm/deep/.hidden")
    outputs = ("farm/out/small/farm/rows.parquet", "farm/rel/farm/rows.parquet", "farm/cached/x", "farm/venv/lib/x.py")
    others = ("elsewhere.py", "new.py", "docs/index.md", "numpy/__init__.py", "numpy.toml")
    assert [name for name in (*without, *outputs, *others) if changes(farm, name)] == []
    assert [
        name for name in ("farm.toml", "new.toml", "farm/farm.toml", "farm/new.toml") if changes(farm, name, run)
    ] == []


def test_all_of_boardspace_counts_for_a_plug_in(farm: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(
        farm,
        {"kernels/bits.py": "", "kernels/graph/merge.py": "", "library/__init__.py": "", "library/engine/a.py": ""},
    )
    monkeypatch.setattr(sources, "KERNELS", farm / "kernels")
    monkeypatch.setattr(sources, "PIPELINE", "library")
    files = ("kernels/bits.py", "kernels/graph/merge.py", "library/engine/a.py")
    assert [name for name in files if not changes(farm, name)] == []


def test_a_digest_says_nothing_of_the_folder_that_it_was_taken_in(
    farm: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor of the folder of a script, which Python puts first on the path of imports."""
    before, other, started = digest(), tmp_path_factory.mktemp("other"), tmp_path_factory.mktemp("started")
    write(other, FARM)
    write(started, {"pig.py": "", "numpy.py": "", "farm.toml": "[run]\n"})
    path = [str(started), str(other), *(folder for folder in sys.path if folder != str(farm))]
    monkeypatch.setattr(sys, "path", path)
    monkeypatch.chdir(started)
    assert digest() == before


@pytest.mark.usefixtures("without_boardspace")
def test_the_distribution_of_an_installed_plug_in_counts_and_its_libraries_do_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = tmp_path / "site-packages"
    write(site, {name: text for name, text in FARM.items() if name.endswith(".py") and not name.startswith("numpy")})
    write(
        site / "farm_space-1.dist-info",
        {
            "METADATA": "Metadata-Version: 2.1\nName: farm-space\nVersion: 1\n",
            "entry_points.txt": "[boardspace.spaces]\nfarm = farm.space\n",
            "RECORD": "farm/__init__.py,,\nfarm/space.py,,\nbarn/cow.py,,\n",
        },
    )
    monkeypatch.syspath_prepend(site)
    assert changes(site, "farm/deep/kernel.py")
    assert changes(site, "barn/cow.py")
    assert not changes(site, "stable.py")  # of another distribution, whose version says what it is


def test_a_module_without_sources_is_refused() -> None:
    for top in ("__main__", "no_module_of_that_name"):
        with pytest.raises(SourcesError, match="its sources cannot be found"):
            digest(top)


def test_kernels_that_ship_count_with_the_files_beside_them_and_the_folders_that_they_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(
        tmp_path,
        {
            "bits.py": "",
            "klotski/moves.py": "from boardspace_kernels.graph import merge\n",
            "graph/merge.py": "from boardspace_kernels import runs\n",
            "runs/union.py": "",
            "solitaire/moves.py": "",
        },
    )
    monkeypatch.setattr(sources, "KERNELS", tmp_path)
    found = [path.relative_to(tmp_path).as_posix() for path in kernel_sources(tmp_path / "klotski")]
    assert found == ["bits.py", "graph", "klotski", "runs"]
    before = sources_key.__wrapped__("boardspace_kernels.klotski.moves")
    (tmp_path / "solitaire" / "moves.py").write_text("changed")
    assert sources_key.__wrapped__("boardspace_kernels.klotski.moves") == before
    (tmp_path / "runs" / "union.py").write_text("changed")
    assert sources_key.__wrapped__("boardspace_kernels.klotski.moves") != before


def test_files_of_one_name_in_two_folders_both_count(tmp_path: Path) -> None:
    """A space has a folder of its name among the kernels, and one in the pipeline."""
    roots = [tmp_path / top / "klotski" for top in ("kernels", "spaces")]
    for root in roots:
        write(root, {"symmetry.py": "a = 1"})
    digests = [source_digest(*roots)]
    for root in roots:
        write(root, {"symmetry.py": "a = 2"})
        digests.append(source_digest(*roots))
    assert len(set(digests)) == 3


NAME = "mended"


Plugged = tuple[Path, Callable[..., tuple[int, str]]]
"""A folder with a plug-in, ``new``, and its run, ``run``; and the command line beside it: exit code and output."""


@pytest.fixture(scope="module")
def plugged(tmp_path_factory: pytest.TempPathFactory) -> Plugged:
    """A run of the skeleton of a new space, which nothing but ``importlib`` imports."""
    folder = tmp_path_factory.mktemp("mended")
    assert boardspace("new-space", NAME, "--out", folder / "new").returncode == 0
    path = [str(ROOT / "kernels"), str(ROOT / "pipeline"), str(folder / "new")]
    env = {"PYTHONPATH": os.pathsep.join(path), "BOARDSPACE_SPACES": NAME, "NUMBA_CACHE_DIR": str(folder)}
    env["PYTHONDONTWRITEBYTECODE"] = "1"  # it would pass for that of a file of the same size and the same second

    def command(*arguments: object) -> tuple[int, str]:
        done = boardspace(*arguments, env=env)
        return done.returncode, done.stdout + done.stderr

    code, said = command("run", folder / "new" / f"{NAME}.toml", "--out", folder / "run", "--workers", 0)
    assert code == 0, said
    return folder, command


@pytest.fixture
def mended(plugged: Plugged) -> Iterator[Plugged]:
    """The kernel was mended since the run."""
    kernel = plugged[0] / "new" / NAME / "kernel.py"
    before = kernel.read_text()
    kernel.write_text(before.replace("pairs += 1", "pairs += 12"))
    yield plugged
    kernel.write_text(before)


def test_a_mended_kernel_is_another_plan_whose_rows_it_makes(mended: Plugged) -> None:
    folder, command = mended
    config = folder / "new" / f"{NAME}.toml"
    code, said = command("run", config, "--out", folder / "run", "--workers", 0)
    assert (code, "sources: the code has changed since" in said) == (2, True)
    code, said = command("run", config, "--out", folder / "again", "--workers", 0)
    assert (code, "refuted" in said) == (0, True)


def test_verify_and_publish_find_what_a_mended_kernel_makes_otherwise(mended: Plugged) -> None:
    folder, command = mended
    for arguments in (("verify", folder / "run"), ("publish", folder / "run", "--out", folder / "release")):
        code, said = command(*arguments)
        assert (code > 0, "made again: pairs/0001: something else comes of it here" in said) == (True, True)
        assert f"{NAME}: the plan names other sources than this installation's" in said


@pytest.mark.thorough
def test_a_run_by_other_code_that_makes_the_same_is_published_with_a_note(plugged: Plugged) -> None:
    folder, command = plugged
    note = folder / "new" / NAME / "notes.txt"
    note.write_text("read by nobody")
    code, said = command("publish", folder / "run", "--out", folder / "release")
    assert (code, f"{NAME}: the plan names other sources than this installation's" in said) == (0, True)
    note.unlink()
    assert "the plan names other sources" not in command("publish", folder / "run", "--out", folder / "release")[1]


def test_a_worker_with_other_code_of_a_plug_in_is_refused(mended: Plugged, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, _ = mended
    monkeypatch.syspath_prepend(folder / "new")
    plan = read_record(folder / "run" / "plan.json", Plan)
    assert plan is not None
    changed = f"has another {NAME} than the command.*sources: the code has changed"
    with plugged_in(NAME), pytest.raises(BoardspaceError, match=changed):
        RunDataset(folder / "run", NAME, plan.spaces[NAME].model_dump_json()).work()


def test_a_release_by_other_code_may_word_its_columns_and_claims_otherwise_and_nothing_else(plugged: Plugged) -> None:
    """Of an earlier version of the data it may lack columns and tables, and no others than it lacked then."""
    folder, command = plugged
    code, said = command("publish", folder / "run", "--out", folder / "worded")
    assert code == 0, said
    names = ("parts/pairs/tables.py", "claims.toml", "space.py")
    tables, claims, space = (folder / "new" / NAME / name for name in names)
    texts = {file: file.read_text() for file in (tables, claims, space)}
    try:
        tables.write_text(texts[tables].replace("Ways to place two equal queens.", "Placements of two queens."))
        claims.write_text(texts[claims].replace("Two queens can", "Two equal queens can"))
        code, said = command("verify", folder / "worded")
        assert (code, f"{NAME}: claims are those of another version: formula" in said) == (0, True)
        tables.write_text(texts[tables].replace('"placements"', '"ways to place"'))
        code, said = command("verify", folder / "worded")
        assert (code > 0, "its description of the column 'pairs' is not the registered one" in said) == (True, True)
        assert "is not what mended says of its tables and arrays" in said
        space.write_text(texts[space].replace("version=1", "version=2"))
        for since, lacks in ((2, False), (1, True)):
            new = f'Column("squares", pa.uint64(), "Side times side.", since={since})'
            tables.write_text(texts[tables].replace("    ),\n    key", f"        {new},\n    ),\n    key"))
            code, said = command("verify", folder / "worded", "--level", "structure")
            assert (code > 0, "Column squares does not exist" in said) == (lacks, lacks), said
    finally:
        for file, text in texts.items():
            file.write_text(text)
    assert command("verify", folder / "worded")[0] == 0
