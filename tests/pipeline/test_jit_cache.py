"""Compiled kernels: whose files are used, what a change of sources does, and that nothing of the user's is touched."""

import fcntl
import json
import os
import pickle
import shutil
import stat
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from boardspace.engine import compilation
from boardspace.engine.config import load_config
from boardspace.spec.registry import space_named
from boardspace.storage.shipped import CONFIGS, shipped_names
from boardspace_kernels import kernel_cache, machine_code
from boardspace_kernels.jit import CompilerError, kernel
from boardspace_kernels.kernel_cache import COMPLETE, FOLDER, KEPT, LOCK, TAG
from tests.pipeline.conftest import PYTHON, boardspace, environment, python, started

CALL = """
import numpy as np
from boardspace_kernels.bits import popcount
assert popcount(np.uint64(255)) == 8
print(sum(popcount.stats.cache_hits.values()))
"""


def one_more(number: int) -> int:
    return number + 1


def call() -> int:
    """Call a kernel as a new process would; how often its code was found in the cache."""
    compiled: Any = kernel(one_more)
    assert compiled(1) == 2
    return sum(compiled.stats.cache_hits.values())


@pytest.fixture
def chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that the user chose."""
    folder = tmp_path / "chosen"
    folder.mkdir()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(folder))
    machine_code._warn.cache_clear()
    return folder


STEP = """
import sys
from boardspace.spec.registry import space_named
from boardspace_kernels import kernel_cache
space_named(sys.argv[1]).warm_up_steps[sys.argv[2]]()
print(*kernel_cache.folders_in_use(), sep="\\n")
"""


class ForkedCompiler:
    """Does a step in a process that has its imports done, where it is not the compiler's own process that counts."""

    def compile(self, space: str, step: str) -> set[Path]:
        done = python(STEP, space, step)
        assert done.returncode == 0, done.stderr
        return set(map(Path, done.stdout.splitlines()))

    def close(self) -> None:
        pass


def filled() -> list[str]:
    """The spaces that had to be compiled."""
    compiled: list[str] = []
    compilation.fill({"toy": ()}, compiled.append)
    return compiled


MINE = ("thesis.txt", "f.nbi", "deep/f.nbc", "deep/g.nbi")


@pytest.fixture(scope="module")
def toy_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with files of the user, in which the toy space was compiled."""
    folder = tmp_path_factory.mktemp("filled")
    (folder / "deep").mkdir()
    for name in MINE:
        (folder / name).write_text("mine")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NUMBA_CACHE_DIR", str(folder))
        assert filled() == ["toy"]
    return folder


@pytest.fixture
def complete(chosen: Path, toy_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The chosen folder, in which the toy space was compiled."""
    monkeypatch.setattr(compilation, "_Compiler", ForkedCompiler)
    return Path(shutil.copytree(toy_folder, chosen, dirs_exist_ok=True))


def refused() -> str:
    """What a run says where the folder cannot be used; a kernel by itself works all the same, and warns."""
    with pytest.warns(UserWarning, match="kernels are compiled anew in every process"):
        assert call() == 0
    with pytest.raises(compilation.CompileError) as error:
        filled()
    return str(error.value)


def test_a_space_is_compiled_once_and_a_kernel_imported_alone_finds_its_code(complete: Path) -> None:
    assert filled() == []
    assert python(CALL, env={"NUMBA_CACHE_DIR": str(complete)}).stdout == "1\n"


def test_a_space_that_another_process_compiled_meanwhile_is_not_compiled_again(
    chosen: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter([False, True])
    monkeypatch.setattr(kernel_cache, "is_complete", lambda folder, part: next(answers))
    assert filled() == ["toy"]


@pytest.mark.thorough
def test_shared_kernels_that_a_space_calls_are_repaired_with_it_and_their_old_folders_go(complete: Path) -> None:
    home = complete / FOLDER
    (shared,) = home.glob("bits-*")
    for letter in "abcdef":
        (home / f"bits-{letter * 24}").mkdir()
    next(path for path in code(shared) if path.suffix == ".nbc").write_bytes(b"torn")
    assert filled() == ["toy"]
    assert filled() == []
    assert len(list(home.glob("bits-*"))) == KEPT
    shutil.rmtree(shared)
    assert filled() == ["toy"]
    assert filled() == []


def test_code_that_kernels_alone_call_is_kept_for_linking_and_no_machine_code_is_made_of_it(chosen: Path) -> None:
    def caller(called: Any) -> Any:
        @kernel
        def thrice(number: int) -> int:
            return 3 * called(number)

        return thrice(2), called._inner

    (first, compiled), (again, loaded) = caller(kernel(one_more)), caller(kernel(one_more))
    assert first == again == 9
    assert sum(loaded.stats.cache_hits.values()) == 1
    (made,) = compiled.overloads.values()
    assert list(made.library.get_defined_functions()) == []


def test_on_a_full_disk_kernels_work_and_the_reason_is_told(tmp_path: Path) -> None:
    kernels = "from boardspace_kernels.jit import kernel\n\n@kernel\ndef inner(number):\n    return number + 1\n\n"
    (tmp_path / "nested.py").write_text(f"{kernels}@kernel\ndef nested(number):\n    return 2 * inner(number)\n")
    code = f"""
import resource, sys, warnings
sys.path.insert(0, {str(tmp_path)!r})
from nested import nested
before = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
with warnings.catch_warnings(record=True) as told:
    answers = nested(2), nested(3)
resource.setrlimit(resource.RLIMIT_FSIZE, before)
print(*answers)
print(*(one.message for one in told), file=sys.stderr)
"""
    done = python(code, env={"NUMBA_CACHE_DIR": str(tmp_path)})
    assert done.stdout == "6 8\n", done.stderr
    assert done.stderr.count("kernels are compiled anew in every process") == 1
    assert "cannot be used for compiled kernels (File too large)" in done.stderr


def test_sound_data_have_no_fault_where_compiled_kernels_cannot_be_kept(
    tmp_path: Path, toy_config: Callable[..., Path]
) -> None:
    assert boardspace("run", toy_config(), "--out", tmp_path / "run", "--workers", 0).returncode == 0
    unwritable = {"NUMBA_CACHE_DIR": os.devnull}
    verified = boardspace("verify", tmp_path / "run", env=unwritable)
    assert (verified.returncode, "0 faults" in verified.stdout) == (0, True), verified.stdout + verified.stderr
    refused = boardspace("run", toy_config(), "--out", tmp_path / "again", "--workers", 0, env=unwritable)
    assert refused.returncode == 2
    assert f"{os.devnull}/{FOLDER}: cannot be used for compiled kernels" in refused.stderr


def code(folder: Path) -> list[Path]:
    """Where numba wrote the indices and the code of kernels."""
    return [path for path in folder.rglob("*") if path.suffix in kernel_cache.CODE]


@pytest.mark.parametrize("suffix", ["nbi", "nbc"])
@pytest.mark.parametrize("damage", [lambda c: b"", lambda c: c[:30], lambda c: c[:-1], lambda c: c[:-1] + b"x"])
def test_a_damaged_file_means_compiling_again(chosen: Path, suffix: str, damage: Callable[[bytes], bytes]) -> None:
    assert (call(), call()) == (0, 1)
    (path,) = chosen.rglob(f"*.{suffix}")
    path.write_bytes(damage(path.read_bytes()))
    assert (call(), call()) == (0, 1)


def test_files_of_the_user_below_the_chosen_folder_stay(complete: Path) -> None:
    call()
    for path in code(complete / FOLDER):
        path.write_bytes(path.read_bytes()[:-1])
    (complete / FOLDER / "notes.txt").write_text("mine, too")
    assert call() == 0
    assert {path.relative_to(complete).as_posix() for path in complete.rglob("*") if path.is_file()} >= {*MINE}
    assert {(complete / name).read_text() for name in MINE} == {"mine"}
    assert (complete / FOLDER / "notes.txt").read_text() == "mine, too"


def test_the_folder_is_ours_alone_and_marked(chosen: Path) -> None:
    call()
    folder = chosen / FOLDER
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert (folder / TAG).read_text().startswith("Signature: 8a477f597d28d172789f06886806bc55")
    assert all(stat.S_IMODE(path.stat().st_mode) == 0o700 for path in folder.rglob("*") if path.is_dir())


def test_a_folder_that_others_may_write_to_is_refused(chosen: Path) -> None:
    (chosen / FOLDER).mkdir()
    (chosen / FOLDER).chmod(0o777)
    said = refused()
    assert "other users may write to it" in said
    assert kernel_cache.VARIABLE in said
    assert list((chosen / FOLDER).iterdir()) == []


@pytest.mark.parametrize("found", ["folder", "lock"])
def test_a_folder_that_is_removed_before_its_lock_is_held_is_made_anew(
    chosen: Path, found: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What another process does that removes old folders: before the lock is opened, or while it is waited for."""
    module, name = (os, "open") if found == "folder" else (fcntl, "flock")
    does = getattr(module, name)

    def after_others(*given: Any) -> Any:
        monkeypatch.setattr(module, name, does)
        (folder,) = (chosen / FOLDER).glob("bits-*")
        shutil.rmtree(folder)
        return does(*given)

    monkeypatch.setattr(kernel_cache, "_in_use", {})
    monkeypatch.setattr(module, name, after_others)
    folder = kernel_cache.folder_of("boardspace_kernels.bits")
    assert os.path.samestat((folder / LOCK).stat(), os.fstat(kernel_cache._in_use[folder]))


def test_a_folder_of_that_name_with_other_files_is_refused(chosen: Path) -> None:
    (chosen / FOLDER).mkdir()
    (chosen / FOLDER / "letters").write_text("dear")
    assert "boardspace did not make it" in refused()
    assert [path.name for path in (chosen / FOLDER).iterdir()] == ["letters"]


def test_a_link_in_the_place_of_the_folder_is_refused(chosen: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (chosen / FOLDER).symlink_to(tmp_path / "elsewhere")
    assert "it is not a folder" in refused()


def test_a_chosen_folder_that_is_a_file_is_refused(chosen: Path) -> None:
    chosen.rmdir()
    chosen.write_text("")
    assert "cannot be used for compiled kernels" in refused()


@pytest.mark.skipif(os.geteuid() != 0, reason="giving a folder away takes root")
def test_a_folder_of_another_user_is_refused(chosen: Path) -> None:
    call()
    os.chown(chosen / FOLDER, 12345, 12345)
    assert "it belongs to another user" in refused()


class Bomb:
    """Unpickled, it leaves a file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (self.path,)


def test_nothing_is_unpickled_that_does_not_have_its_hash(chosen: Path, tmp_path: Path) -> None:
    call()
    exploded = tmp_path / "exploded"
    for path in code(chosen):
        path.write_bytes(pickle.dumps(Bomb(exploded)))
    assert call() == 0
    assert not exploded.exists()


@pytest.mark.thorough
@pytest.mark.parametrize("bits", [(8, 64), pytest.param((8, 16, 32, 64), marks=pytest.mark.slow)], ids=len)
def test_processes_that_compile_one_kernel_at_once_for_other_types_all_find_their_own_code(
    chosen: Path, tmp_path: Path, bits: tuple[int, ...]
) -> None:
    """numba numbers the files of a kernel: by two indices made at once, one would name the other's code."""
    program = "import numpy as np; from boardspace_kernels.bits import popcount\n"
    kinds = [f"np.uint{width}" for width in bits]
    begin, env = tmp_path / "begin", {"NUMBA_CACHE_DIR": str(chosen)}
    wait = f"import os\nwhile not os.path.exists({str(begin)!r}): pass\n"
    running = [started(PYTHON, f"{program}{wait}popcount({kind}(1))", env=env) for kind in kinds]
    begin.touch()
    assert [process.wait() for process in running] == [0] * len(kinds)
    calls = ", ".join(f"popcount({kind}(7))" for kind in kinds)
    found = python(f"{program}print({calls}, sum(popcount.stats.cache_hits.values()))", env=env)
    assert found.stdout == f"{'3 ' * len(kinds)}{len(kinds)}\n", found.stderr


def test_what_numba_keeps_for_others_stays_where_it_was(chosen: Path, tmp_path: Path) -> None:
    (tmp_path / "theirs.py").write_text(
        "import numba\nimport numpy as np\nfrom boardspace_kernels.bits import popcount\npopcount(np.uint64(1))\n"
        "@numba.njit(cache=True)\ndef twice(number):\n    return 2 * number\ntwice(1)\nprint(twice.stats.cache_path)\n"
    )
    program = f"import runpy; runpy.run_path({str(tmp_path / 'theirs.py')!r})"
    done = python(program, env={"NUMBA_CACHE_DIR": str(chosen)})
    path = Path(done.stdout.strip())
    assert path.parent == chosen, done.stderr
    assert [file for file in path.iterdir() if file.name.startswith("theirs.twice")]


def test_another_thread_may_import_scipy_while_kernels_are_loaded(chosen: Path) -> None:
    program = """
import threading
import numpy as np
from boardspace_kernels.bits import popcount
def other():
    import scipy.optimize
    print(scipy.optimize.linprog([1], bounds=(2, 3)).fun)
thread = threading.Thread(target=other)
thread.start()
popcount(np.uint64(1))
thread.join()
"""
    env = environment({"NUMBA_CACHE_DIR": str(chosen)})  # and none of its imports done
    done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, check=True)
    assert done.stdout == "2.0\n"


def test_a_space_whose_compiling_was_broken_off_is_compiled_again_and_old_folders_go_that_nobody_uses(
    complete: Path,
) -> None:
    home = complete / FOLDER
    (newest,) = [path.parent for path in home.rglob(COMPLETE) if path.parent.name.startswith("tests-")]
    others = [home / f"tests-{letter * 24}" for letter in "abcdef"]
    others += [home / f"tests_other-{'a' * 24}"]
    for number, folder in enumerate(others):
        folder.mkdir()
        (folder / COMPLETE).write_text(json.dumps({"number": number, "files": []}))
    used = subprocess.Popen(
        [sys.executable, "-c", f"import fcntl, sys; f = open({str(others[0] / 'lock')!r}, 'w'); "
         "fcntl.flock(f, fcntl.LOCK_SH); print('held', flush=True); sys.stdin.read()"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    assert used.stdout is not None
    used.stdout.readline()
    (newest / COMPLETE).unlink()
    assert filled() == ["toy"]
    assert filled() == []
    assert [folder.exists() for folder in others] == [True, False, False, *[True] * (KEPT - 1), True]
    assert json.loads((newest / COMPLETE).read_text())["number"] == 7
    used.communicate()


PLUG_IN = """
from boardspace_kernels.jit import kernel
from farm.animals import legs

@kernel
def all_legs(number):
    return legs(number)
"""


def test_a_change_of_what_a_kernel_of_a_plug_in_calls_is_noticed(tmp_path: Path) -> None:
    farm = tmp_path / "farm"
    farm.mkdir()
    (farm / "__init__.py").write_text("")
    (farm / "all.py").write_text(PLUG_IN)
    (farm / "sizes.py").write_text("LEGS = 2\n")
    (farm / "animals.py").write_text(
        "from boardspace_kernels.jit import kernel\nfrom .sizes import LEGS\n\n"
        "@kernel\ndef legs(number):\n    return LEGS * number\n"
    )
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from farm.all import all_legs; print(all_legs(3))"
    # Python's own bytecode is told from its source by size and whole seconds alone, so none may be kept here.
    env = {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    assert python(code, env=env).stdout == "6\n"
    (farm / "sizes.py").write_text("LEGS = 4\n")
    assert python(code, env=env).stdout == "12\n"


WARMED_RUN = """
import sys
from pathlib import Path
from boardspace_kernels.jit import Kernel
from boardspace.engine.compilation import needs
from boardspace.engine.config import load_config
from boardspace.engine.run import Workers, run
from boardspace.spec.registry import space_named
config = load_config(sys.argv[1])
((space, more),) = needs(config.spaces).items()
for name, step in space_named(space).warm_up_steps.items():
    if name.isdigit() or name in more:
        step()
def called():
    modules = [vars(module) for name, module in sys.modules.items() if name.startswith("boardspace_kernels.")]
    kernels = {value for names in modules for value in names.values() if isinstance(value, Kernel)}
    compiled = {(kernel, name): made for kernel in kernels for name, made in
        (("for Python", kernel), ("for kernels", kernel._inner))}
    return {(kernel.__module__, kernel.__name__, name, str(types))
        for (kernel, name), made in compiled.items() for types in made.signatures}
warm = called()
run(config, Path(sys.argv[2]), Workers(count=0))
new = called() - warm
if new:
    sys.exit(f"not warmed up: {sorted(new)}")
"""
SECTIONS = {
    "solitaire": """
levels = ["triangle15/corner"]
rows_per_shard = 200
[[solitaire.searches]]
problem = "triangle15/corner"
forward = 5
backward = 5
games = 7
[[solitaire.feasible]]
problem = "triangle15/corner"
moves = 9
[[solitaire.classes]]
board = "triangle15"
vacancies = [1]
moves = true
hints = ["winning", "returning"]
shortest = true
[[solitaire.classes]]
board = "triangle10"
bitmaps = false
winning = false
moves = true
[[solitaire.classes]]
board = "hexagon19"
vacancies = [1]
moves = true
[[solitaire.games]]
board = "triangle10"
vacancies = [1]
[[solitaire.game_lengths]]
problem = "triangle15/corner"
moves = 14
[[solitaire.problem_games]]
board = "triangle10"
""",
    "solitaire, wide": """
class_bytes = 4096
[[solitaire.classes]]
board = "words32"
vacancies = [1]
moves = true
hints = ["winning", "returning"]
shortest = true
[[solitaire.classes]]
board = "words64"
vacancies = [1]
moves = true
hints = ["winning", "returning"]
shortest = true
[solitaire.boards.words32]
grid = "square"
picture = '''
. 1 . 2 . 3 . 4 . 5 .
6 7 8 9 10 11 12 13 14 15 16
. 17 . 18 . 19 . 20 . 21 .'''
[solitaire.boards.words64]
grid = "square"
picture = '''
. 1 . 2 . 3 . 4 . 5 . 6 .
7 8 9 10 11 12 13 14 15 16 17 18 19
. 20 . 21 . 22 . 23 . 24 . 25 .'''
""",
    "klotski": 'classes = ["0-0-0", "1-1-0"]\nfarthest_seconds = 1.0\ndistance_seconds = 1.0\nnet = true\n'
    'unit_distances = ["1-1-0"]\ncounted_group = 1000\ntrays = [[2, 4]]\n',
    "rush_hour": "boards = [[3, 1], [4, 1]]\nwalled = [[4, 1, [[1, 3]]]]\nunit = [[3, 1, 8]]\n",
    "sliding_blocks": "trays = [[2, 3]]\nrecords_from = 1\n",
    "five_in_a_row": "squares = [[3, 5], [5, 8]]\nboards = [[5, 11, 11]]\nsplit = [[3, 8, 8, 6, 2]]\n"
    "carried = [[5, 81, 81]]\nstrips = [[3, 4]]\nplane = [[3, [1, 1, 2, 1, 1]]]\nboxes = [[2, 3, 3, 3]]\n"
    "cells = [5, 11]\nrefuted_conflicts = 10\n",
    "board_division": "special_boards = 3\nlarge_boards = [[5, 8, 9]]\ncover_counts = 4\nvalues = 20\n"
    "strips = 3\nsquares = 8\nreplays = 5\nsequences = 4\nlarge_rectangles = [[1, 20]]\nsearch_pegs = 6\nlines = 10\n",
}
"""Small runs of every kind that a shipped config has; the classes of peg solitaire have words of 8 and 16 bits, and of
32 and 64."""


def keys(section: Any, name: str) -> set[str]:
    """The keys of a section of a config and those of the tables in it, with their values where these are few."""
    if isinstance(section, list):
        return {key for one in section for key in keys(one, name)}
    if isinstance(section, dict):
        return {key for part, value in section.items() for key in keys(value, f"{name}.{part}")}
    return {f"{name}={section}" if isinstance(section, bool) else name}


def test_small_runs_have_every_key_of_every_shipped_config() -> None:
    own = {key for name, text in SECTIONS.items() for key in keys(tomllib.loads(section(name, text)), "")}
    for file in sorted(CONFIGS.glob("*.toml")):
        found = tomllib.loads(file.read_text(encoding="utf-8"))
        asked = {key for space, content in found.items() if space != "run" for key in keys(content, f".{space}")}
        assert asked <= own, file.name


def section(name: str, text: str) -> str:
    return f"[{name.partition(',')[0]}]\n{text}"


DAILY, THOROUGH = ("sliding_blocks",), ("rush_hour", "solitaire")


@pytest.mark.parametrize(
    "name",
    [
        *DAILY,
        *(pytest.param(one, marks=pytest.mark.thorough) for one in THOROUGH),
        *(pytest.param(one, marks=pytest.mark.slow) for one in SECTIONS if one not in (*DAILY, *THOROUGH)),
    ],
)
def test_workers_call_no_kernel_with_types_that_were_not_warmed_up(name: str, tmp_path: Path) -> None:
    """What Arrow hands out may only be read, which is another type to numba: every worker would compile again."""
    config = tmp_path / "c.toml"
    config.write_text(section(name, SECTIONS[name]))
    done = python(WARMED_RUN, config, tmp_path / "out")
    assert done.returncode == 0, done.stderr


def test_features_at_which_the_compiler_would_end_the_process_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    for features in ("sse2", "+sse2,\n"):
        monkeypatch.setattr("numba.config.CPU_FEATURES", features)
        with pytest.raises(CompilerError, match=r"numba, .* cannot be used here.*NUMBA_CPU_FEATURES asks"):
            kernel(one_more)(1)


def test_every_shipped_config_has_the_kernels_that_it_needs_compiled_beforehand() -> None:
    words = set()
    for name in shipped_names(CONFIGS):
        for space, more in compilation.needs(load_config(name).spaces).items():
            assert set(more) <= space_named(space).warm_up_steps.keys(), name
            words |= set(more)
    kinds, widths = ("moves", "sweeps"), ("uint8", "uint16", "uint32", "uint64")
    assert words == {f"{kind}-{width}" for kind in kinds for width in widths} | {
        "between",
        "net",
        "squares",
        "trays",
        "unit",
    }
