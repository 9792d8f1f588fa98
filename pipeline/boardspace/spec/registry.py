"""Finds the spaces: every module of ``boardspace.spaces`` that defines ``SPACE``, and plug-ins.

A distribution names its spaces' modules as entry points of the group ``boardspace.spaces``, so that workers have them
by installation; for trying things out there is the variable ``BOARDSPACE_SPACES``, modules separated by commas.

A module may define ``COMMANDS``, entries of the command line; a module that defines ``SPACE`` lazily, as those shipped
do, is quick to name them.

A plug-in that is faulty is left out, with a warning that names it: commands that do not ask for it work without it, and
an error that there is no such space says why it was left out. Of an error in the code of a space those places are told
first that lie in that code, which is what its author looks for.
"""

import functools
import importlib
import linecache
import os
import pkgutil
import re
import site
import traceback
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from boardspace.spec.deferred import Entry
from boardspace.spec.errors import BoardspaceError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

    from boardspace.spec.space import Space

PLUGINS = "BOARDSPACE_SPACES"
GROUP = "boardspace.spaces"
SHIPPED = "boardspace.spaces"
"""The package whose modules are the spaces that ship: the one name here of something above this package."""
NAME = "[a-z][a-z0-9_]*"
RESERVED = {"cluster", "run"}  # what `boardspace keys` names beside spaces
LONGEST_REASON = 300
Loaded = TypeVar("Loaded")

PIPELINE = Path(__file__).parents[1]
INSTALLED = (*site.getsitepackages(), site.getusersitepackages(), str(Path(os.__file__).parent))
MOST_SHOWN = 8


class LeftOut(str):
    """Reason why a plug-in is left out."""

    __slots__ = ()


def spaces() -> "Mapping[str, Space]":
    """All spaces by name, in the order of their modules' names; plug-ins come last.

    A space that ships has the name of its module, and is loaded when it is asked for.
    """
    return _Spaces()


def shipped_commands() -> tuple[Entry, ...]:
    """The commands of the spaces that ship; no plug-in is looked for."""
    return tuple(entry for module in _shipped().values() for entry in getattr(module, "COMMANDS", ()))


def commands(taken: Collection[str] = ()) -> tuple[Entry, ...]:
    """The commands that spaces add to the command line, none with a name that is ``taken``."""
    found = []
    for name, module in _modules().items():
        for entry in () if isinstance(module, LeftOut) else getattr(module, "COMMANDS", ()):
            if entry.name in taken:
                _warn(f"plug-in {name}: its command {entry.name!r} is left out: boardspace itself has one of that name")
            else:
                found.append(entry)
    return tuple(found)


def module_of(space: str) -> str:
    """The name of the module that defines a space, which there is."""
    return _named()[space]


def module_beside(space: str, name: str) -> str:
    """The module of that name beside the one that defines a space; '' where there is none."""
    module = f"{module_of(space)}.{name}"
    try:
        return module if find_spec(module) is not None else ""
    except ModuleNotFoundError:  # a space that is one module has nothing beside it
        return ""


def space_named(name: str) -> "Space":
    """The space of that name, or an error that lists those there are."""
    try:
        return spaces()[name]
    except KeyError:
        raise _no_space(name) from None


def packages() -> frozenset[str]:
    """The top-level packages of all plug-ins, also of those that are left out."""
    return frozenset(name.partition(".")[0] for name in _modules() if not _ships(name))


def left_out() -> list[str]:
    """A line for each plug-in that is left out: its module, and why."""
    return [_line(name, found) for name, found in _found().items() if isinstance(found, LeftOut)]


def _no_space(name: str) -> BoardspaceError:
    return BoardspaceError("\n".join([f"there is no space {name!r}; there are: {', '.join(spaces())}", *left_out()]))


class _Spaces(Mapping[str, "Space"]):
    """The spaces by name, each loaded when it is looked up."""

    def __getitem__(self, name: str) -> "Space":
        return _loaded(_named()[name])

    def __contains__(self, name: object) -> bool:
        return name in _named()  # a mapping would look it up, and so load it

    def __iter__(self) -> Iterator[str]:
        return iter(_named())

    def __len__(self) -> int:
        return len(_named())


def _named() -> Mapping[str, str]:
    return {name: module for module, name in _found().items() if not isinstance(name, LeftOut)}


def _loaded(module: str) -> "Space":
    found = _modules()[module]
    assert not isinstance(found, LeftOut)
    return _space(found)


@functools.cache
def _found() -> Mapping[str, str]:
    """The names of spaces by those of their modules, or why each of the others is left out."""
    found = {
        module: one if isinstance(one, LeftOut) else _sound(module, functools.partial(_name_of, module))
        for module, one in _modules().items()
    }
    return _without_twins("space", found, lambda name: [name])


def _name_of(module: str) -> str:
    """The name of a module's space, which is that of the module where it ships."""
    return module.rpartition(".")[2] if _ships(module) else _loaded(module).name


@functools.cache
def _modules() -> Mapping[str, ModuleType | LeftOut]:
    """The modules by name, or why each of the others is left out."""
    names = sorted(point.value for point in _entry_points())
    names += [name for name in os.environ.get(PLUGINS, "").split(",") if name]
    plug_ins = {name: _sound(name, functools.partial(_load, name)) for name in names}
    found: dict[str, ModuleType | LeftOut] = {**_shipped(), **plug_ins}
    return _without_twins("command", found, lambda module: [entry.name for entry in getattr(module, "COMMANDS", ())])


@functools.cache
def _shipped() -> Mapping[str, ModuleType]:
    package = importlib.import_module(SHIPPED)
    names = [f"{SHIPPED}.{module.name}" for module in pkgutil.iter_modules(package.__path__)]
    return {name: _load(name) for name in names}


def _sound(name: str, load: Callable[[], Loaded]) -> Loaded | LeftOut:
    """Return what is loaded, or why the plug-in of that name is left out: whatever its code raises."""
    try:
        return load()
    except BoardspaceError as error:
        if _ships(name):
            raise
        return _leave_out(name, str(error))
    except (Exception, SystemExit) as error:
        if _ships(name):
            raise
        text, top = " ".join(str(error).split()), name.partition(".")[0]
        lines = [
            f"; {frame.f_code.co_filename}, line {line}"
            for frame, line in traceback.walk_tb(error.__traceback__)
            if str(frame.f_globals.get("__name__")).partition(".")[0] == top
        ]
        where = "".join(lines[-1:])
        return _leave_out(name, f"cannot be imported ({type(error).__name__}{': ' * bool(text)}{text}){where}")


def _without_twins(
    kind: str, found: Mapping[str, Loaded | LeftOut], names: Callable[[Loaded], Iterable[str]]
) -> Mapping[str, Loaded | LeftOut]:
    """The modules or spaces, but for plug-ins with a name that another has as well: nobody knows which is meant."""
    owners: dict[str, list[str]] = {}
    for module, one in found.items():
        for name in () if isinstance(one, LeftOut) else names(one):
            owners.setdefault(name, []).append(module)
    twins = {
        module: f"two modules define the {kind} {name!r}: {modules[0]} and {modules[1]}"
        for name, modules in owners.items()
        for module in modules
        if len(modules) > 1 and not _ships(module)
    }
    return {module: _leave_out(module, twins[module]) if module in twins else one for module, one in found.items()}


def _ships(module: str) -> bool:
    return module.startswith(f"{SHIPPED}.")


def _leave_out(name: str, reason: str) -> LeftOut:
    why = LeftOut(reason if len(reason) <= LONGEST_REASON else f"{reason[:LONGEST_REASON]}...")
    _warn(_line(name, why))
    return why


def _line(name: str, why: LeftOut) -> str:
    named = [point.dist.name for point in _entry_points() if point.value == name and point.dist is not None]
    origin = f"the installed distribution {named[0]}" if named else f"${PLUGINS}"
    return f"plug-in {name}, of {origin}, is left out: {why}"


def _entry_points() -> "Collection[EntryPoint]":
    """The entry points by which installed distributions name their spaces."""
    from importlib.metadata import entry_points  # as slow to load as the rest of a command that needs no NumPy

    return entry_points(group=GROUP)


def _warn(text: str) -> None:
    """Warn, unless in a worker of a process that has done so."""
    import multiprocessing  # seldom needed, and slow to load

    if multiprocessing.parent_process() is None:
        warnings.warn(text, stacklevel=2)


def _load(name: str) -> ModuleType:
    module = importlib.import_module(name)
    # A module that is lazy is asked for it when it is needed.
    if "SPACE" not in vars(module) and not hasattr(module, "__getattr__"):
        raise BoardspaceError("it defines no SPACE")
    if not all(isinstance(entry, Entry) for entry in getattr(module, "COMMANDS", ())):
        raise BoardspaceError("its COMMANDS are no boardspace.spec.deferred.Entry all")
    return module


def refuse_name(name: str) -> None:
    """BoardspaceError where no space can have this name."""
    if not re.fullmatch(NAME, name) or name in RESERVED:
        raise BoardspaceError(
            f"a space cannot be named {name!r}; names have small letters, digits and _, begin with a letter, and "
            f"are none of {', '.join(sorted(RESERVED))}"
        )


def _space(module: ModuleType) -> "Space":
    from boardspace.spec.space import Space  # brings Arrow and pydantic, which `--help` does without

    space = getattr(module, "SPACE", None)
    if not isinstance(space, Space):
        raise BoardspaceError("it defines no SPACE that is a boardspace Space")
    refuse_name(space.name)
    if not isinstance(space.version, int):
        raise BoardspaceError(f"the version of its space is {space.version!r}: give a whole number")
    return space


class Frame(NamedTuple):
    """One line of a traceback.

    file, line: where it is.
    function: that it is of.
    code: text of the line.
    """

    file: str
    line: int
    function: str
    code: str

    def __str__(self) -> str:
        return f'  File "{self.file}", line {self.line}, in {self.function}\n    {self.code}'.rstrip()


def own_frames(error: BaseException) -> tuple[Frame, ...]:
    """The last frames of an error's traceback that are of a space, of kernels, or of nobody's library, in order."""
    tops = packages()
    found = []
    for frame, line in traceback.walk_tb(error.__traceback__):
        file = frame.f_code.co_filename
        if file.endswith((".pyx", ".pxi")):  # as its authors had it where they compiled it
            file = str(frame.f_globals.get("__file__", file))
        module = str(frame.f_globals.get("__name__", ""))
        if _is_own(module, file, tops):
            found.append(Frame(file, line, frame.f_code.co_name, linecache.getline(file, line).strip()))
    return tuple(found[-MOST_SHOWN:])


def plug_in_of(error: BaseException) -> Frame | None:
    """Place where code of a plug-in raised an error, or called what did; None where no plug-in had a part in it."""
    frames = [frame for frame in own_frames(error) if PIPELINE not in Path(frame.file).parents]
    kernels = [frame for frame in frames if "boardspace_kernels" in Path(frame.file).parts]
    rest = [frame for frame in frames if frame not in kernels]
    return rest[-1] if rest else None


def error_text(error: BaseException) -> str:
    """An error in words; if the code of a plug-in raised it, or called what did, with the line."""
    text = "; ".join(filter(None, "".join(traceback.format_exception_only(error)).splitlines()))
    plug_in = plug_in_of(error)
    return text if plug_in is None else f"{text}, in the code of a plug-in:\n{plug_in}"


def lines_of(frames: Sequence[Frame]) -> str:
    """Text of frames, as Python prints them, on lines of its own; '' without any."""
    return "".join(f"\n{frame}" for frame in frames)


def _is_own(module: str, file: str, packages: frozenset[str]) -> bool:
    top = module.partition(".")[0]
    if top == "boardspace":
        return module.startswith(("boardspace.spaces.", "boardspace.graphs."))
    if top == "boardspace_kernels" or top in packages:
        return True
    return not file.startswith(("<", *INSTALLED)) and PIPELINE.parent not in Path(file).parents
