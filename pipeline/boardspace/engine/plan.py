"""Plans: what a run is asked to do, as pure data, and how two of them differ.

A plan holds for every space its validated config, a digest of the sources that decide its results, and the versions
of the libraries that decide its bytes. ``plan.json`` in the run's folder is the plan its files were made by; a run with
another one does not go on from there unless it is told to.
"""

import functools
import platform
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError

from boardspace import spec, storage
from boardspace.engine import shuffle
from boardspace.engine.config import Config
from boardspace.spec.claims import refuse_unstated_claims
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.registry import lines_of, module_of, own_frames, space_named
from boardspace.spec.space import Inputs, Shard, Space, SpaceConfig, Stage
from boardspace.storage.locations import Location
from boardspace.storage.records import Record, canonical_json, digest_of, read_record, write_record
from boardspace.storage.run_folder import PLAN
from boardspace.storage.stored import stored
from boardspace_kernels.sources import kernel_sources, plug_in_digest, source_digest

SPACES = Path(__file__).resolve().parents[1] / "spaces"
# What decides the bytes of every dataset, beside the sources of its space.
WRITERS = [Path(spec.__file__).parent, Path(storage.__file__).parent, Path(shuffle.__file__), SPACES.parent / "graphs"]


@functools.cache  # no later change of files reaches this process
def space_sources(space: str) -> str:
    """Digest of the sources that decide a space's results.

    Of a space that ships it is its own folder, the module of its questions, what writes every dataset, and the kernels
    that all of these name; of a plug-in its packages and all of boardspace (:mod:`boardspace_kernels.sources`).
    """
    folder = SPACES / space
    module = module_of(space)
    if module != f"boardspace.spaces.{space}":
        return plug_in_digest(module.partition(".")[0])
    roots = [root for root in (*WRITERS, folder, folder.with_suffix(".py")) if root.exists()]
    return source_digest(*roots, *kernel_sources(*roots))


FORMAT = 2
NOT_INSTALLED = "not installed"
LIBRARIES = ("numba", "numpy", "pyarrow", "zarr")


class PlanError(BoardspaceError):
    """The folder was made by another plan, or its plan cannot be read."""


class SpacePlan(Record):
    """One space of a plan."""

    version: int
    config: dict[str, Any]
    sources: str
    libraries: dict[str, str]

    @property
    def digest(self) -> str:
        """SHA-256 of all of it; stamped on every file of the dataset."""
        return digest_of(self.model_dump())


class Plan(Record):
    """A whole plan: the spaces by name."""

    format: int
    spaces: dict[str, SpacePlan]


@dataclass(frozen=True)
class Work:
    """One space to run: the space, its validated config and its plan."""

    space: Space
    config: SpaceConfig
    plan: SpacePlan


def work_of(config: Config) -> list[Work]:
    """Work that a configuration asks for, space by space; BoardspaceError where it names no space."""
    if not config.spaces:
        raise BoardspaceError(f"config {config.name!r} names no space; give it a section such as [solitaire]")
    found = [_work(space_named(name), section) for name, section in config.spaces.items()]
    for work in found:
        for name, command in work.space.libraries(work.config).items():
            if work.plan.libraries[name] == NOT_INSTALLED:
                raise PlanError(f"{work.space.name}: this config needs {name}, which is not installed: {command}")
        refuse_unstated_claims(work.space)
    return found


def cut(stage: Stage, config: SpaceConfig, inputs: Inputs) -> Sequence[Shard]:
    """The shards of a stage whose inputs are finished; PlanError where what these recorded cannot be used."""
    try:
        return stage.split(config, inputs)
    except BoardspaceError:
        raise
    except Exception as error:
        what = f"stage {stage.name} cannot be cut: {type(error).__name__}: {error}{lines_of(own_frames(error))}"
        if not stage.after:
            raise PlanError(what) from error
        raise PlanError(
            f"{what}\n  If its code is not at fault, what {', '.join(stage.after)} recorded is: the records were "
            "altered, or another version wrote them; then start over with --fresh"
        ) from error


class NotFinishedError(BoardspaceError):
    """A cut asks for what an earlier stage found."""


class _NothingFinished:
    """Inputs of a cut before the run: whatever it asks of them is not known yet."""

    def __getattr__(self, name: str) -> Any:
        raise NotFinishedError(f"no stage is finished: {name} is not known yet")


def planned_shards(work: Work, stage: Stage) -> Sequence[Shard] | None:
    """The shards of a stage, or None where its cut depends on what earlier stages find."""
    try:
        return None if stage.repeats else cut(stage, work.config, cast(Inputs, _NothingFinished()))
    except NotFinishedError:
        return None


def has_plan(root: Location) -> bool:
    """True where a folder is that of a run: nothing but the plan decides it, be it whole or torn."""
    return stored(root / PLAN).exists()


def planned_spaces(root: Location) -> list[str]:
    """The spaces that a whole plan in this folder names; none where there is no such plan."""
    plan = read_record(root / PLAN, Plan) if has_plan(root) else None
    return [] if plan is None else list(plan.spaces)


def refuse_unknown(root: Location, names: Iterable[str], there: Collection[str]) -> None:
    """BoardspaceError for a name of a dataset that is not ``there``."""
    known = f"there are: {', '.join(there)}" if there else "give the folder of a run or of a release"
    for name in names:
        if name not in there:
            raise BoardspaceError(f"{root}: no dataset {name!r} here; {known}")


def saved_plan(root: Location) -> Plan:
    """The plan in a run's folder; an empty one where there is none yet."""
    path = root / PLAN
    plan = read_record(path, Plan)
    if plan is None and stored(path).size() is None:
        return Plan(format=FORMAT, spaces={})
    if plan is None:
        raise PlanError(
            f"{path}: torn, altered, or of another version; run its config again with --keep, which keeps the shards "
            "that are finished, or with --fresh, or use another --out"
        )
    _refuse_other_format(path, plan)
    return plan


def refuse_other_format(root: Location) -> None:
    """PlanError where the folder was made by a version that keeps its records otherwise; a torn plan is no reason."""
    plan = read_record(root / PLAN, Plan)
    if plan is not None:
        _refuse_other_format(root / PLAN, plan)


def _refuse_other_format(path: Location, plan: Plan) -> None:
    if plan.format != FORMAT:
        raise PlanError(
            f"{path}: a run of format {plan.format}, and this version reads and writes format {FORMAT}: use another "
            "--out, or start over with --fresh"
        )


def recorded_work(root: Location, unreadable: Callable[[str, str], None] | None = None) -> list[Work]:
    """The spaces that a run's folder holds, with the config they were made by.

    A space that this installation does not know, or whose config it cannot read, is a PlanError; or it is left out, and
    ``unreadable`` hears of its name and of what is wrong.
    """
    plan = saved_plan(root)
    if not plan.spaces:
        raise PlanError(f"{root}: no run here (no plan.json); give the folder of a run, such as outputs/laptop")
    found = []
    for name, entry in plan.spaces.items():
        try:
            space = space_named(name)
            found.append(Work(space.of_version(entry.version), config_of(space, entry), entry))
        except BoardspaceError as error:
            if unreadable is None:
                raise
            unreadable(name, str(error))
    return found


def save_plan(root: Location, work: list[Work], anew: bool = False) -> None:
    """Add the spaces of ``work`` to the folder's plan, unless it has them.

    A plan that is torn is in the way unless made ``anew``.
    """
    saved = read_record(root / PLAN, Plan) if anew else saved_plan(root)
    before = saved.spaces if saved is not None and saved.format == FORMAT else {}
    entries = {**before, **{w.space.name: w.plan for w in work}}
    plan = Plan(format=FORMAT, spaces=entries)
    if plan != saved:
        write_record(root / PLAN, plan, "plan")


def refuse_other_plans(root: Location, work: list[Work]) -> None:
    """PlanError, with what differs, where the folder's files were made by another plan than ``work``'s."""
    saved = saved_plan(root).spaces
    differences = [
        f"  {w.space.name}: {text}"
        for w in work
        if w.space.name in saved
        for text in plan_differences(saved[w.space.name], w.plan)
    ]
    if differences:
        raise PlanError(
            f"{root}: was made by another plan; what differs:\n"
            + "\n".join(differences)
            + "\nUse another folder (--out), start over (--fresh), or keep its finished shards all the same (--keep)."
        )


def work_by(space: Space, plan: SpacePlan) -> Work:
    """Work that this installation would do by the config of ``plan``."""
    return _work(space, config_of(space, plan))


def _work(space: Space, section: SpaceConfig) -> Work:
    plan = SpacePlan(
        version=space.version,
        config=section.model_dump(mode="json"),
        sources=space_sources(space.name),
        libraries=_libraries() | {name: _version(name) for name in space.libraries(section)},
    )
    return Work(space, section, plan)


@functools.cache
def _libraries() -> dict[str, str]:
    """The versions of what decides the bytes; read once, since each costs the reading of a distribution's metadata."""
    return {name: _version(name) for name in LIBRARIES} | {"python": platform.python_version()}


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return NOT_INSTALLED


def config_of(space: Space, entry: SpacePlan) -> SpaceConfig:
    """The config that a plan holds; PlanError where this version does not know it."""
    try:
        return space.config.model_validate_json(canonical_json(entry.config))
    except ValidationError as error:
        raise PlanError(f"{PLAN}: its config of {space.name} is not one this version knows: {error}") from error


def plan_differences(old: SpacePlan, new: SpacePlan) -> Iterator[str]:
    """Differences between two plans of a space, a line each."""
    for name in ("version", "config", "libraries"):
        yield from _changes(name, getattr(old, name), getattr(new, name))
    if old.sources != new.sources:
        yield "sources: the code has changed since"


def _changes(where: str, old: Any, new: Any) -> Iterator[str]:
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in sorted({*old, *new}):
            yield from _changes(f"{where}.{key}", old.get(key), new.get(key))
    elif old != new:
        yield f"{where}: {old!r} there, {new!r} now"
