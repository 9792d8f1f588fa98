"""A run's configuration: one TOML file, one section per space, validated into frozen objects.

Every fault of a file is reported at once, each with the file and the key. Known sections are ``[run]`` and the names
of the spaces; a space without a section does not run.
"""

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from pipeline.errors import BoardspaceError
from pipeline.registry import spaces
from pipeline.space import SpaceConfig

SHIPPED = Path(__file__).resolve().parent.parent / "configs"
DEFAULT = "laptop"


class ConfigError(BoardspaceError):
    """A configuration that cannot be run; the text lists every fault."""


class RunConfig(SpaceConfig):
    """The ``[run]`` section."""

    out: str = Field("", description="folder of the outputs; by default outputs/NAME of the config file")
    retries: int = Field(2, ge=0, le=100, description="how often a failed shard is tried again")
    shard_seconds: float = Field(0.0, ge=0, description="time limit of one shard on a worker process; 0 for none")


@dataclass(frozen=True)
class Config:
    """A validated configuration: the sections of the spaces to run, in the file's order."""

    name: str
    run: RunConfig
    spaces: Mapping[str, SpaceConfig]

    @property
    def out(self) -> Path:
        """The folder the run writes to unless told otherwise."""
        return Path(self.run.out) if self.run.out else Path("outputs") / self.name

    def only(self, names: Sequence[str]) -> "Config":
        """The same with only the spaces named; all where none is named."""
        missing = [name for name in names if name not in self.spaces]
        if missing:
            raise ConfigError(
                f"config {self.name!r} has no section [{missing[0]}]; it has: {', '.join(self.spaces) or 'none'}"
            )
        chosen = {name: section for name, section in self.spaces.items() if not names or name in names}
        return Config(self.name, self.run, chosen)


def load_config(name: str) -> Config:
    """Read and validate a configuration, given by path or by the name of a shipped one (``laptop``, ``smoke``)."""
    path = find_config(name)
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: not valid TOML: {error}") from error
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: cannot be read: {error}") from error
    return validate(document, path.stem, str(path))


def find_config(name: str) -> Path:
    """The file that ``name`` stands for."""
    candidates = [Path(name), SHIPPED / f"{name}.toml"]
    for candidate in candidates:
        if candidate.is_file():
            return candidate
    shipped = ", ".join(sorted(path.stem for path in SHIPPED.glob("*.toml")))
    raise ConfigError(f"{name}: no such config file, and no shipped config of that name (there are: {shipped})")


def validate(document: Mapping[str, Any], name: str, origin: str) -> Config:
    """Validate a parsed document; ConfigError lists every fault with ``origin`` and key."""
    models: dict[str, type[SpaceConfig]] = {"run": RunConfig}
    models |= {space.name: space.config for space in spaces().values()}
    faults: list[str] = []
    sections: dict[str, SpaceConfig] = {"run": RunConfig()}
    for key, value in document.items():
        if key not in models:
            faults.append(f"{key}: unknown section; known are {', '.join(models)}")
            continue
        try:
            # By way of JSON, where an array may become a tuple although types are strict.
            sections[key] = models[key].model_validate_json(json.dumps(value, default=str))
        except ValidationError as error:
            faults += [f"{'.'.join(map(str, (key, *e['loc'])))}: {_fault(e)}" for e in error.errors()]
    if faults:
        raise ConfigError(f"{origin}: {len(faults)} fault(s)\n" + "\n".join(f"  {fault}" for fault in faults))
    run = sections.pop("run")
    assert isinstance(run, RunConfig)
    return Config(name, run, sections)


def _fault(error: Any) -> str:
    message = str(error["msg"])
    if error["type"] == "extra_forbidden":
        return "unknown key"
    if error["type"] == "missing":
        return "missing"
    return f"{message} (found {error['input']!r})"
