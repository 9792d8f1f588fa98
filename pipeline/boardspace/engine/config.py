"""A run's configuration: one TOML file, one section per space, validated into frozen objects.

Every fault of a file is reported at once, each with the file and the key. Known sections are ``[run]`` and the names
of the spaces; a space without a section does not run.
"""

import json
import reprlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from pydantic import Field, ValidationError, field_validator, model_validator

from boardspace.engine.gpu import GpuUse
from boardspace.engine.machine import MOST_SECONDS
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.registry import left_out, spaces
from boardspace.spec.space import SpaceConfig
from boardspace.spec.texts import EncodingError, counted
from boardspace.storage.locations import Location, located
from boardspace.storage.shipped import CLUSTERS, CONFIGS, ENDING, find_file, parse_toml, read_toml, shipped_names

DEFAULT = "laptop"
LONGEST_ADDRESS = 300
Section = TypeVar("Section", bound=SpaceConfig)


class ConfigError(BoardspaceError):
    """A configuration that cannot be run; the text lists every fault."""


class RunConfig(SpaceConfig):
    """The ``[run]`` section."""

    out: str = Field(
        "", description="folder of the outputs, or s3://BUCKET/PREFIX; by default outputs/NAME of the config file"
    )
    retries: int = Field(
        2,
        ge=0,
        le=100,
        description="how often a failed shard is tried again; not where its code is at fault, as with a ValueError",
    )
    shard_seconds: float = Field(
        0.0, ge=0, le=MOST_SECONDS, description="time limit of one shard, whose process then ends; 0 for none"
    )
    gpu: GpuUse = Field(
        "auto", description="GPUs, of which a run gives the same bytes: auto where there are some, no, or only"
    )


class ClusterConfig(SpaceConfig):
    """A file of ``configs/cluster``: where the scheduler of an existing cluster is, and how to be sure it is that one.

    Relative paths count from the file's folder; those of a shipped file, chosen by its name, from the current folder.
    With certificates only encrypted connections are made.
    """

    scheduler: str = Field("", description="address, such as tls://host:8786 or tcp://127.0.0.1:8786")
    scheduler_file: str = Field("", description="instead of an address: the file a scheduler wrote its address to")
    ca: str = Field("", description="certificate authority that signed the scheduler's and the workers' certificates")
    cert: str = Field("", description="this client's certificate")
    key: str = Field("", description="this client's private key")
    worker_seconds: float = Field(300.0, gt=0, description="how long to wait for the first worker")

    @field_validator("scheduler")
    @classmethod
    def _is_an_address(cls, address: str) -> str:
        parts = urlsplit(address if "://" in address else f"tcp://{address}")
        if address and (not parts.hostname or not address.isprintable() or parts.port == 0):
            raise ValueError("not an address such as tls://host:8786")
        if len(address) > LONGEST_ADDRESS:
            raise ValueError(f"longer than {LONGEST_ADDRESS} characters")
        return address

    @property
    def exposed(self) -> bool:
        """True where tasks would travel in the clear to another machine: who reaches that scheduler runs code there."""
        host = urlsplit(self.scheduler if "://" in self.scheduler else f"tcp://{self.scheduler}").hostname
        return bool(self.scheduler) and not self.ca and host not in {"localhost", "127.0.0.1", "::1"}

    @model_validator(mode="after")
    def _one_address_and_all_certificates(self) -> "ClusterConfig":
        if bool(self.scheduler) == bool(self.scheduler_file):
            raise ValueError("give scheduler or scheduler_file, one of them")
        if any((self.ca, self.cert, self.key)) != all((self.ca, self.cert, self.key)):
            raise ValueError("ca, cert and key belong together: give all three or none")
        return self


@dataclass(frozen=True)
class Config:
    """A validated configuration: the sections of the spaces to run, in the file's order."""

    name: str
    run: RunConfig
    spaces: Mapping[str, SpaceConfig]

    @property
    def out(self) -> Location:
        """The folder, or the place in a bucket, that the run writes to unless told otherwise."""
        return located(self.run.out) if self.run.out else Path("outputs") / self.name

    def only(self, names: Sequence[str]) -> "Config":
        """Configuration of the spaces named alone; of all where none is named."""
        missing = [name for name in names if name not in self.spaces]
        if missing:
            raise ConfigError(
                f"config {self.name!r} has no section [{missing[0]}]; it has: {', '.join(self.spaces) or 'none'}"
            )
        chosen = {name: section for name, section in self.spaces.items() if not names or name in names}
        return Config(self.name, self.run, chosen)


def load_config(name: str, changes: Sequence[str] = ()) -> Config:
    """Read and validate a configuration, given by path or by the name of a shipped one (``laptop``, ``smoke``).

    ``changes`` are lines of TOML, such as ``klotski.classes = ["5-*"]``, each of which replaces a key of the file.
    """
    path = find_file(name, CONFIGS)
    if path is None:
        shipped = ", ".join(shipped_names(CONFIGS))
        raise ConfigError(f"{name!r}: no such config file, and no shipped config of that name (there are: {shipped})")
    document = _read_toml(path)
    for change in changes:
        _change(document, change)
    return validate(document, path.name.removesuffix(ENDING), str(path), Path(str(path)).parent)


def load_cluster(name: str | Path) -> ClusterConfig:
    """Read and validate a cluster's file, given by path or by the name of a shipped one (``local``, ``tls``).

    Paths in it become absolute: those of a file count from its folder, those of a shipped one from the current folder.
    """
    path = find_file(str(name), CLUSTERS)
    if path is None:
        shipped = ", ".join(shipped_names(CLUSTERS))
        raise ConfigError(f"{name}: no such cluster file, and no shipped one of that name (there are: {shipped})")
    folder = Path(name).parent if Path(name).is_file() else Path()
    faults: list[str] = []
    config = _section(ClusterConfig, _read_toml(path), (), faults, folder)
    if config is None:
        raise _error(str(path), faults)
    paths = {key: getattr(config, key) for key in ("scheduler_file", "ca", "cert", "key")}
    absolute = {key: str((folder / value).absolute()) for key, value in paths.items() if value}
    missing = [f"{key}: no file {value}" for key, value in absolute.items() if not Path(value).is_file()]
    if missing:
        raise _error(str(path), missing)
    return config.model_copy(update=absolute)


def cluster_at(address: str) -> ClusterConfig:
    """The cluster whose scheduler has this address; ConfigError where it is none."""
    faults: list[str] = []
    config = _section(ClusterConfig, {"scheduler": address}, (), faults, Path())
    if config is None:
        raise ConfigError(f"--scheduler: {'; '.join(faults)}")
    return config


def validate(document: Mapping[str, Any], name: str, origin: str, folder: Path | None = None) -> Config:
    """Validate a parsed document; ConfigError lists every fault with ``origin`` and key.

    Paths in it count from ``folder``, by default the current one.
    """
    found = spaces()
    known = ["run", *found]
    faults: list[str] = []
    sections: dict[str, SpaceConfig] = {"run": RunConfig()}
    for key, value in document.items():
        if key not in known:
            faults.append("\n  ".join([f"{key}: unknown section; known are {', '.join(known)}", *left_out()]))
            continue
        model = RunConfig if key == "run" else found[key].config
        section = _section(model, value, (key,), faults, folder or Path())
        if section is not None:
            sections[key] = section
    if faults:
        raise _error(origin, faults)
    run = sections.pop("run")
    assert isinstance(run, RunConfig)
    return Config(name, run, sections)


def _change(document: dict[str, Any], change: str) -> None:
    try:
        replaced: Any = parse_toml(change)
        place: Any = document
        while True:
            ((key, replaced),) = replaced.items()
            if not isinstance(replaced, dict) or not isinstance(place.get(key, {}), dict):
                place[key] = replaced
                return
            place = place.setdefault(key, {})
    except (ValueError, RecursionError) as error:
        raise ConfigError(
            f"{reprlib.repr(change)} is not one key and its value in TOML, such as klotski.classes=['5-*']"
        ) from error


def _read_toml(path: Traversable) -> dict[str, Any]:
    try:
        return read_toml(path)
    except EncodingError as error:
        raise ConfigError(str(error)) from None
    except RecursionError as error:
        raise ConfigError(f"{path}: not a configuration: nested too deep") from error
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror or error}") from error
    except ValueError as error:  # TOMLDecodeError, numbers that are too long
        raise ConfigError(f"{path}: not valid TOML: {error}") from error


def _section(
    model: type[Section], value: Any, keys: tuple[str, ...], faults: list[str], folder: Path
) -> Section | None:
    """A validated section, or None and its faults added to the list."""
    known = len(faults)
    if isinstance(value, Mapping):
        try:
            value = model.with_files(value, folder)
        except BoardspaceError as error:  # what else is wrong is told, too
            faults.append(f"{'.'.join(keys)}: {error}")
        except (AttributeError, KeyError, TypeError, ValueError):
            pass  # a value of another type than files are named by, of which the model tells
    try:
        # By way of JSON, where an array may become a tuple although types are strict.
        made = model.model_validate_json(json.dumps(value, default=str))
    except RecursionError:
        faults.append(f"{'.'.join(keys)}: nested too deep")
        return None
    except ValidationError as error:
        found = [one for one in error.errors() if not _follows(one)]
        section = ".".join(keys) or "cluster"
        for one in found:
            where = ".".join(map(str, (*keys, *one["loc"])))
            faults.append(": ".join(filter(None, (where, _fault(one, section, model)))))
        return None
    except BoardspaceError as error:
        faults.append(f"{'.'.join(keys)}: {error}")
        return None
    return made if len(faults) == known else None


def _error(origin: str, faults: Sequence[str]) -> ConfigError:
    return ConfigError(f"{origin}: {counted(len(faults), 'fault')}\n" + "\n".join(f"  {fault}" for fault in faults))


def _follows(error: Any) -> bool:
    """True where a list is called too short only because entries of it are faulty, each of which has its own fault."""
    return error["type"] == "too_short" and len(error["input"]) >= error["ctx"]["min_length"]


WANTED = {
    "int_type": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "finite_number": "a finite number",
    "string_type": "a text",
    "bool_type": "true or false",
    "list_type": "a list",
    "tuple_type": "a list",
    "named_tuple_type": "a list or a table of keys",
    "too_long": "a list of at most {max_length}",
    "too_short": "a list of at least {min_length}",
    "dict_type": "a table of keys",
    "model_type": "a table of keys",
    "dataclass_type": "a table of keys",
    "literal_error": "{expected}",
    "greater_than": "more than {gt}",
    "greater_than_equal": "at least {ge}",
    "less_than": "less than {lt}",
    "less_than_equal": "at most {le}",
}
"""Words for what a key has to be, by the type of Pydantic's error and its context."""


def _fault(error: Any, section: str, model: type[SpaceConfig]) -> str:
    """Words for a fault: what is wanted, and what is there."""
    kind, found = error["type"], reprlib.repr(error["input"])
    if kind in {"extra_forbidden", "unexpected_keyword_argument"}:
        near = get_close_matches(str(error["loc"][0]), model.model_fields, 1) if len(error["loc"]) == 1 else []
        meant = f"did you mean {near[0]}? " if near else ""
        return f"unknown key; {meant}`boardspace keys {section}` tells which there are"
    if kind == "missing":
        within = isinstance(error["input"], list)
        return f"missing in {found}; `boardspace keys {section}` tells what belongs there" if within else "missing"
    if kind in WANTED:
        return f"{WANTED[kind].format(**error.get('ctx', {}))} is wanted, not {found}"
    text = str(error["msg"]).removeprefix("Value error, ")
    return text if isinstance(error["input"], dict) else f"{text} (found {found})"  # several keys are named in words
