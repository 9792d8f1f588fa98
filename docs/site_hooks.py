"""Pages of the site that are made from the code: the keys of a configuration, by the models that read it."""

import re
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from pydantic import BaseModel
from pydantic_core import PydanticUndefined

from boardspace.pipeline.config import ClusterConfig, RunConfig
from boardspace.pipeline.registry import spaces

HEAD = """# Configuration

A run's configuration is one TOML file. `[run]` is for all, a section with a space's name has that space run. The
command `boardspace run` takes a file, or the name of one that comes with the package (`smoke`, `laptop`,
`klotski_farthest`, `full`); `--set 'klotski.classes=["5-*"]'` changes a key. All faults of a file are told at once,
each with its key.

This page is made from the models that read the files.
"""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the page of the configuration."""
    sections = [("`[run]`", RunConfig)]
    sections += [(f"`[{space.name}]`: {space.title}", space.config) for space in spaces().values()]
    sections.append(("A cluster's file, for `--cluster`", ClusterConfig))
    text = HEAD + "".join(_section(title, model) for title, model in sections)
    files.append(File.generated(config, "configuration.md", content=text))
    return files


def _section(title: str, model: type[BaseModel]) -> str:
    rows = [
        f"| `{name}` | {_type(field.annotation)} | {_default(field)} | {field.description or ''} |\n"
        for name, field in model.model_fields.items()
    ]
    table = "| key | type | default | meaning |\n|---|---|---|---|\n" + "".join(rows)
    return f"\n## {title}\n\n{model.__doc__}\n\n{table}"


def _type(annotation: Any) -> str:
    """A type without the modules of its parts."""
    plain = isinstance(annotation, type) and not hasattr(annotation, "__args__")
    text = annotation.__name__ if plain else str(annotation)
    return f"`{re.sub(r'[a-z_.]+[.](?=[A-Z])', '', text).replace('|', 'or')}`"


def _default(field: Any) -> str:
    if field.default is PydanticUndefined:
        return "" if field.default_factory is None else f"`{field.default_factory()!r}`"
    return f"`{field.default!r}`"
