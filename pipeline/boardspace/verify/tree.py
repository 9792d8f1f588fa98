"""Contents of a folder that somebody else may have made: regular files by name, and what does not belong there.

Nothing is followed or opened, so links, devices and pipes are named and not read; folders deeper than any dataset's are
named and not entered.
"""

import os
import stat
from dataclasses import dataclass, field
from pathlib import Path

DEEPEST = 32
MOST_ENTRIES = 10_000_000
KINDS = {
    stat.S_IFLNK: "a symbolic link",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


@dataclass(frozen=True)
class Tree:
    """Sizes of the regular files below a folder by their names with slashes; its folders; what is neither, and why."""

    files: dict[str, int] = field(default_factory=dict)
    folders: set[str] = field(default_factory=set)
    unexpected: dict[str, str] = field(default_factory=dict)


def tree_of(root: Path) -> Tree:
    """Walk a folder without following anything; one that is not there holds nothing."""
    tree = Tree()
    waiting = [""]
    while waiting:
        name = waiting.pop()
        try:
            with os.scandir(root / name) as entries:
                for entry in sorted(entries, key=lambda entry: entry.name):
                    _put(tree, waiting, f"{name}/{entry.name}" if name else entry.name, entry)
        except FileNotFoundError:
            continue
        except OSError as error:
            tree.unexpected[name] = f"cannot be read ({error.strerror})"
        if len(tree.files) + len(tree.folders) > MOST_ENTRIES:
            tree.unexpected["."] = f"holds more than {MOST_ENTRIES:,} files and folders; the rest was not looked at"
            break
    return tree


def empty_folders(tree: Tree) -> set[str]:
    """Folders without a file in or below them."""
    needed = {name[:end] for name in tree.files for end, letter in enumerate(name) if letter == "/"}
    return tree.folders - needed


def _put(tree: Tree, waiting: list[str], name: str, entry: os.DirEntry[str]) -> None:
    state = entry.stat(follow_symlinks=False)
    if stat.S_ISREG(state.st_mode):
        tree.files[name] = state.st_size
    elif not stat.S_ISDIR(state.st_mode):
        tree.unexpected[name] = f"{KINDS.get(stat.S_IFMT(state.st_mode), 'no file')}, and a dataset holds files alone"
    elif name.count("/") >= DEEPEST:
        tree.unexpected[name] = f"lies deeper than {DEEPEST} folders, and no dataset does; it was not entered"
    else:
        tree.folders.add(name)
        waiting.append(name)
