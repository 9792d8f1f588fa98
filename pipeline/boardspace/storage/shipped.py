"""Files that come with the package or are written like those: configurations, and boards of peg solitaire, in TOML."""

import tomllib
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from boardspace.spec.texts import decoded
from boardspace.storage.files import read_regular

PACKAGE = Path(__file__).resolve().parents[1]
CONFIGS = next(place for place in (PACKAGE / "configs", PACKAGE.parents[1] / "configs") if place.is_dir())
"""In the package where it was installed; in a checkout the folder beside ``pipeline/``."""
BOARDS = CONFIGS / "boards"
CLUSTERS = CONFIGS / "cluster"
ENDING = ".toml"
LONGEST = 1 << 18
LONGEST_LINE = 1 << 13


def shipped_names(folder: Traversable) -> list[str]:
    """The names of the files of a shipped folder, without ending, sorted."""
    return sorted(file.name.removesuffix(ENDING) for file in folder.iterdir() if file.name.endswith(ENDING))


def find_file(name: str, folder: Traversable) -> Traversable | None:
    """The file of that path, else the shipped one of that name, else None."""
    if Path(name).is_file():
        return Path(name)
    return folder / f"{name}{ENDING}" if name in shipped_names(folder) else None


def read_toml(path: Traversable) -> dict[str, Any]:
    """A TOML document; OSError where it is no regular file of moderate length, BoardspaceError where it is no text in
    UTF-8, else as :func:`parse_toml`."""
    return parse_toml(read_text(path))


def read_text(path: Traversable) -> str:
    """The text of such a file; OSError where it is no regular file of moderate length, BoardspaceError where it is no
    text in UTF-8."""
    content = read_regular(path, LONGEST, follow=True) if isinstance(path, Path) else path.read_bytes()
    return decoded(content, path)


def parse_toml(text: str) -> dict[str, Any]:
    """A TOML document; RecursionError where it is nested too deep, and ValueError where it is none or would take long:
    the time of a line grows with its length squared."""
    if any(len(line) > LONGEST_LINE for line in text.split("\n")):
        raise ValueError(f"a line is longer than {LONGEST_LINE:,} characters")
    return tomllib.loads(text)
