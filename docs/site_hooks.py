"""Pages of the site that are made from the code: the keys of a configuration, by the models that read it; and the
statements of the texts, by the files of claims."""

import json
from itertools import groupby

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from boardspace.cli.commands.keys import Section, sections
from boardspace.spec.claims import claims_of
from boardspace.spec.registry import spaces
from boardspace.storage.shipped import CONFIGS, shipped_names

HEAD = """# Configuration

A run's configuration is one TOML file. `[run]` is for all, a section with a space's name has that space run. The
command `boardspace run` takes a file, or the name of one that comes with the package ({shipped}); `--set
'klotski.classes=["5-*"]'` changes a key. All faults of a file are told at once, each with its key.

A key such as `searches.forward` is one of the tables `[[solitaire.searches]]`. `boardspace keys` prints this page; both
are made from the models that read the files.
"""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the page of the configuration, and one of the claims of each space."""
    shipped = ", ".join(f"`{name}`" for name in shipped_names(CONFIGS))
    text = HEAD.format(shipped=shipped) + "".join(map(_section, sections()))
    files.append(File.generated(config, "configuration.md", content=text))
    for name in spaces():
        files.append(File.generated(config, f"claims/{name}.md", content=claims_page(name)))
    return files


def claims_page(name: str) -> str:
    """The statements of a space's texts, numbered and in their order, each at its permanent address."""
    space = spaces()[name]
    lines = [
        f"# What the texts state: {space.title}\n",
        f"The data judge these statements: `boardspace claims DIR --space {name}` and the atlas show the verdicts. "
        f"Each has a permanent address, such as `claims/{name}#{claims_of(space)[0].id}`.\n",
    ]
    for source, own in groupby(enumerate(claims_of(space), 1), key=lambda one: one[1].source):
        lines.append(f"## {source}\n")
        for number, claim in own:
            stated = "" if claim.stated is None else f" Stated: `{json.dumps(claim.stated, ensure_ascii=False)}`."
            text = claim.statement.replace("|", "\\|").replace("*", "\\*").replace("_", "\\_")
            lines.append(f'<a id="{claim.id}"></a>{number}\\. `{claim.id}`: {text}{stated}\n')
    return "\n".join(lines)


def _section(section: Section) -> str:
    rows = [f"| `{key.name}` | {key.takes} | `{key.default}` | {key.meaning} |\n" for key in section.keys]
    table = "| key | takes | default | meaning |\n|---|---|---|---|\n" + "".join(rows)
    return f"\n## `[{section.name}]`: {section.title}\n\n{section.summary}\n\n{table}"
