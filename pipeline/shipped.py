"""Files that come with the package: configurations, and boards of peg solitaire."""

from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

CONFIGS = files("boardspace") / "configs"
BOARDS = CONFIGS / "boards"
ENDING = ".toml"


def shipped_names(folder: Traversable) -> list[str]:
    """The names of the files of a shipped folder, without ending, sorted."""
    return sorted(file.name.removesuffix(ENDING) for file in folder.iterdir() if file.name.endswith(ENDING))


def find_file(name: str, folder: Traversable) -> Traversable | None:
    """The file of that path, else the shipped one of that name, else None."""
    if Path(name).is_file():
        return Path(name)
    return folder / f"{name}{ENDING}" if name in shipped_names(folder) else None
