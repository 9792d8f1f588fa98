"""The pictures of the documentation are what the code draws; its keys, versions and names are the code's."""

import importlib.util
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

import boardspace
from boardspace import board_division, five_in_a_row, klotski, solitaire
from boardspace.spaces.solitaire import pictures

ROOT = Path(__file__).resolve().parents[2]


def drawings() -> dict[str, str]:
    """The pictures by the names of their files."""
    supper = solitaire.problem("french", "last_supper")
    return {
        "klotski": klotski.parse("横刀立马")._repr_svg_(),
        "french": pictures.picture(supper.board, supper.start).svg(),
        "five": five_in_a_row.fewest(6, 7)._repr_svg_(),
        "tromino": board_division.cover(3, 3, 6)._repr_svg_(),
    }


@pytest.mark.parametrize("name", ["klotski", "french", "five", "tromino"])
def test_the_pictures_are_what_the_code_draws(name: str) -> None:
    assert (ROOT / "docs" / "pictures" / f"{name}.svg").read_text() == drawings()[name]


def test_the_code_of_the_page_is_the_one_explained() -> None:
    text = (ROOT / "docs" / "codes.md").read_text()
    (items,) = re.findall(r"^ 1 ((?:\| [01 ]+)+) ", text, re.MULTILINE)
    bits = re.sub(r"[| ]", "", items)
    assert int("1", 16) << 32 | int(bits.ljust(32, "0"), 2) == klotski.parse("1A9BF0C").code
    described = klotski.describe(klotski.parse("1A9BF0C"))
    assert f"{described.layout_id:,}" in text
    assert f"`{described.name}`" in text


@pytest.mark.parametrize("room", ["klotski", "solitaire", "five_in_a_row", "board_division", "sliding_blocks"])
def test_cards_and_the_page_define_codes_and_names_in_the_same_words(room: str) -> None:
    from boardspace.spec.registry import space_named

    notation = space_named(room).notation
    assert notation.startswith("Source: ")
    assert notation.strip() in (ROOT / "docs" / "codes.md").read_text()


def pages(nav: list[Any]) -> list[str]:
    """The pages of a navigation, sections and all."""
    found: list[str] = []
    for entry in nav:
        for page in entry.values():
            found += [page] if isinstance(page, str) else pages(page)
    return found


def test_every_page_of_the_documentation_is_in_the_navigation_once() -> None:
    nav = pages(yaml.safe_load((ROOT / "mkdocs.yml").read_text())["nav"])
    written = {page.relative_to(ROOT / "docs").as_posix() for page in (ROOT / "docs").rglob("*.md")}
    claims = {f"claims/{path.parent.name}.md" for path in (ROOT / "pipeline/boardspace/spaces").glob("*/claims.toml")}
    assert sorted(nav) == sorted(written | claims | {"configuration.md"})  # made from files of claims, and from models


def test_every_statement_has_its_number_and_its_anchor_on_the_page_of_its_space() -> None:
    made = importlib.util.spec_from_file_location("site_hooks", ROOT / "docs" / "site_hooks.py")
    assert made is not None
    assert made.loader is not None
    site_hooks = importlib.util.module_from_spec(made)
    made.loader.exec_module(site_hooks)
    for path in (ROOT / "pipeline/boardspace/spaces").glob("*/claims.toml"):
        page = site_hooks.claims_page(path.parent.name)
        for number, claim in enumerate(tomllib.loads(path.read_text())["claim"], 1):
            assert f'<a id="{claim["id"]}"></a>{number}\\. `{claim["id"]}`: ' in page
            assert f"## {claim['source']}\n" in page


def test_every_key_of_a_configuration_says_what_it_means() -> None:
    from boardspace.engine.config import ClusterConfig, RunConfig
    from boardspace.spec.registry import spaces
    from boardspace.spec.space import SpaceConfig

    models: list[type[SpaceConfig]] = [
        RunConfig,
        ClusterConfig,
        *(space.config for space in spaces().values() if space.name != "toy"),
    ]
    keys = {f"{model.__name__}.{name}": key for model in models for name, key in model.model_fields.items()}
    assert not [name for name, key in keys.items() if not key.description]


def test_the_page_of_clusters_needs_no_file_that_only_a_checkout_has() -> None:
    page = (ROOT / "docs" / "clusters.md").read_text()
    assert "configs/cluster" not in page
    for name in ("tls", "slurm", "kubernetes"):
        assert (ROOT / "configs" / "cluster" / f"{name}.toml").read_text() in page


def named_tests(page: str) -> Iterator[tuple[str, str]]:
    """The tests in the tables of a page: each file, and the part of a test's name that stands behind it."""
    for line in page.splitlines():
        cells = line.split(" | ")
        file = ""
        if len(cells) != 3 or line.startswith("| promise |"):
            continue
        for name in re.findall("`([^`]+)`", cells[1]):
            if re.match("([a-z_]+/)*test_", name):
                file, _, part = name.partition(": ")
            else:
                part = name
            yield file, part


def test_every_test_that_the_promises_name_is_there() -> None:
    written = {
        file.relative_to(ROOT / "tests").with_suffix("").as_posix().removeprefix("pipeline/"): file.read_text()
        for file in (ROOT / "tests").rglob("test_*.py")
    }
    named = list(named_tests((ROOT / "docs" / "promises.md").read_text()))
    assert len(named) > 200
    assert not [(file, part) for file, part in named if not re.search(rf"def test_\w*{part}", written.get(file, ""))]


def test_no_line_of_the_changelog_is_wider_than_132_columns() -> None:
    lines = (ROOT / "CHANGELOG.md").read_text().splitlines()
    assert [line for line in lines if len(line) > 132] == []


def test_the_versions_agree() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text()
    assert boardspace.__version__ == version
    wheels = re.findall(r"boardspace-(\S+)-py3", (ROOT / "docs" / "first_ten_minutes.md").read_text())
    bundled = [
        json.loads((ROOT / "atlas" / name).read_text())["version"] for name in ("package.json", "package-lock.json")
    ]
    assert {*wheels, *bundled} == {version}
