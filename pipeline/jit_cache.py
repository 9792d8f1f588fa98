"""Where numba keeps compiled kernels, and how that folder stays right.

numba notices a change of a kernel's own file but not of the kernels it calls, so its cache goes stale when kernels
import kernels. Here the folder's name is a digest of every kernel source and of the versions that decide the machine
code: a change anywhere means a new folder. After the folder was filled a manifest of checksums is written; a folder
with a torn or altered file is emptied and filled anew instead of failing somewhere inside numba.
"""

import contextlib
import hashlib
import json
import os
import pickle
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path
from typing import Any

import filelock
import platformdirs

from boardspace.pipeline.storage.files import write_bytes

VARIABLE = "NUMBA_CACHE_DIR"
WARM_UP = "import sys; from boardspace.pipeline.registry import space_named; space_named(sys.argv[1]).warm_up()"
KERNELS = Path(__file__).resolve().parent.parent / "kernels"


def source_digest(*roots: Path) -> str:
    """SHA-256 over the names and bytes of the Python and TOML files at or below ``roots``."""
    digest = hashlib.sha256()
    for root in roots:
        files = [root] if root.is_file() else [p for p in root.rglob("*") if p.suffix in {".py", ".toml"}]
        for path in sorted(files):
            digest.update(path.relative_to(root.parent).as_posix().encode() + b"\0")
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def choose_folder() -> Path:
    """Point numba at the folder for today's kernels, unless the user has chosen one, and return it.

    Has to be called before the first kernel is imported.
    """
    chosen = os.environ.get(VARIABLE)
    if not chosen:
        chosen = str(Path(platformdirs.user_cache_dir("boardspace")) / "numba" / _folder_name())
        os.environ[VARIABLE] = chosen
    return Path(chosen)


class CompileError(RuntimeError):
    """The kernels of a space cannot be compiled; the text ends with what Python said."""


def fill(spaces: Sequence[str], report: Callable[[str], None] = lambda _: None) -> None:
    """Compile the kernels of these spaces, once per host: others wait and then load. CompileError where one fails.

    Each space has a process of its own, so that two are compiled at a time on two cores. A folder that does not match
    its manifest is emptied first. ``report`` hears of each space before it is compiled.
    """
    folder = choose_folder()
    folder.mkdir(parents=True, exist_ok=True)
    with filelock.FileLock(_beside(folder, ".lock")):
        manifest = _read_manifest(folder)
        if not _intact(folder, manifest):
            _empty(folder)
            manifest = {}
        missing = [space for space in spaces if space not in manifest.get("spaces", [])]
        if missing:
            with ThreadPoolExecutor(os.cpu_count()) as pool:
                for space in missing:
                    report(space)
                # the largest first, so that two cores finish together
                list(pool.map(_warm_up, sorted(missing, key=_source_bytes, reverse=True)))
            _write_manifest(folder, sorted({*manifest.get("spaces", []), *missing}))


def _warm_up(space: str) -> None:
    search = os.pathsep.join(path or os.curdir for path in sys.path)
    done = subprocess.run(
        [sys.executable, "-c", WARM_UP, space],
        env={**os.environ, "PYTHONPATH": search},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise CompileError(f"the kernels of {space} cannot be compiled:\n{done.stderr}")


def _source_bytes(space: str) -> int:
    return sum(path.stat().st_size for path in (KERNELS / space).glob("*.py"))


def _folder_name() -> str:
    parts = [source_digest(KERNELS), platform.python_version(), platform.machine(), platform.node()]
    parts += [f"{name}-{version(name)}" for name in ("numba", "llvmlite", "numpy")]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:24]


def _beside(folder: Path, suffix: str) -> Path:
    return folder.with_name(folder.name + suffix)


def _checksums(folder: Path) -> dict[str, str]:
    """SHA-256 of the machine code files; numba writes each once, so a change means damage."""
    return {str(p.relative_to(folder)): hashlib.sha256(p.read_bytes()).hexdigest() for p in folder.rglob("*.nbc")}


def _read_manifest(folder: Path) -> dict[str, Any]:
    with contextlib.suppress(OSError, ValueError):
        manifest = json.loads(_beside(folder, ".json").read_text())
        if isinstance(manifest, dict) and isinstance(manifest.get("files"), dict):
            return manifest
    return {}


def _intact(folder: Path, manifest: Mapping[str, Any]) -> bool:
    found = _checksums(folder)
    return all(found.get(name) == digest for name, digest in manifest.get("files", {}).items()) and all(
        _index_loads(path) for path in folder.rglob("*.nbi")
    )


def _index_loads(path: Path) -> bool:
    """Whether numba will be able to read an index file: its version, then the pickled table of signatures."""
    try:
        with path.open("rb") as stream:
            pickle.load(stream)
            pickle.loads(stream.read())
    except Exception:  # a torn pickle may raise nearly anything; whatever it is, the index is of no use
        return False
    return True


def _empty(folder: Path) -> None:
    _beside(folder, ".json").unlink(missing_ok=True)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)


def _write_manifest(folder: Path, spaces: list[str]) -> None:
    text = json.dumps({"spaces": spaces, "files": _checksums(folder)}, indent=1)
    write_bytes(_beside(folder, ".json"), text.encode())
