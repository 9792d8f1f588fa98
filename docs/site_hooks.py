"""Pages of the site that are made from the code: the keys of a configuration, by the models that read it."""

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from boardspace.engine.config_keys import Section, sections
from boardspace.storage.shipped import CONFIGS, shipped_names

HEAD = """# Configuration

A run's configuration is one TOML file. `[run]` is for all, a section with a space's name has that space run. The
command `boardspace run` takes a file, or the name of one that comes with the package ({shipped}); `--set
'klotski.classes=["5-*"]'` changes a key. All faults of a file are told at once, each with its key.

A key such as `searches.forward` is one of the tables `[[solitaire.searches]]`. `boardspace keys` prints this page; both
are made from the models that read the files.
"""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the page of the configuration."""
    shipped = ", ".join(f"`{name}`" for name in shipped_names(CONFIGS))
    text = HEAD.format(shipped=shipped) + "".join(map(_section, sections()))
    files.append(File.generated(config, "configuration.md", content=text))
    return files


def _section(section: Section) -> str:
    rows = [f"| `{key.name}` | {key.takes} | `{key.default}` | {key.meaning} |\n" for key in section.keys]
    table = "| key | takes | default | meaning |\n|---|---|---|---|\n" + "".join(rows)
    return f"\n## `[{section.name}]`: {section.title}\n\n{section.summary}\n\n{table}"
