"""Every claim that ships names a config that covers it, so that a run which does not can say where to look."""

from pathlib import Path

import pytest

from boardspace.engine.config import load_config
from boardspace.spec.claim import VERDICTS
from boardspace.spec.claims import claims_of, load_claims
from boardspace.spec.registry import spaces
from boardspace.storage.shipped import CONFIGS, shipped_names
from tests.pipeline.shipped import SHIPPED


@pytest.mark.parametrize("name", SHIPPED)
def test_each_claim_names_a_shipped_config_with_a_section_of_its_space(name: str) -> None:
    space = spaces()[name]
    for claim in claims_of(space):
        assert claim.id in space.readings or claim.config in shipped_names(CONFIGS), claim.id
        assert claim.id in space.readings or name in load_config(claim.config).spaces, claim.id


def test_the_config_of_a_file_is_that_of_its_claims_but_of_those_with_their_own(tmp_path: Path) -> None:
    file = tmp_path / "claims.toml"
    claims = "".join(
        f'[[claim]]\nid = "{one}"\nsource = "s"\nstatement = "t"\n{more}'
        for one, more in (("a", ""), ("b", 'config = "y"\n'))
    )
    file.write_text(f'config = "x"\n{claims}')
    assert [claim.config for claim in load_claims(file)] == ["x", "y"]
    file.write_text(claims)
    assert [claim.config for claim in load_claims(file)] == ["", "y"]


def test_the_atlas_and_the_documentation_know_every_verdict() -> None:
    root = Path(__file__).resolve().parents[2]
    atlas, sources = root / "atlas", (root / "docs" / "sources.md").read_text()
    page, style = ((atlas / name).read_text() for name in ("src/claims/page.js", "styles/claims.css"))
    for verdict, meaning in VERDICTS.items():
        assert f"| `{verdict}` | {meaning}" in sources
        assert f"'{verdict}'" in page
        assert f".verdict.{verdict}" in style
        for language in ("en", "zh"):
            assert f'"verdict.{verdict}"' in (atlas / "strings" / f"{language}.json").read_text()
