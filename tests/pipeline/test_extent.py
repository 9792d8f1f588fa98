"""How much of a space a config covers: what the whole is, what a part says, what every table is all of."""

import pytest

from boardspace.engine.config import load_config
from boardspace.spec.extent import Extent, Scope, headline
from boardspace.spec.registry import space_named
from boardspace.spec.space import CLAIMS
from tests.pipeline.publish.conftest import SHIPPED
from tests.toy import SPACE as TOY
from tests.toy import ToyConfig

WHOLE, PART = load_config("laptop").spaces, load_config("smoke").spaces


@pytest.mark.parametrize("name", SHIPPED)
def test_the_default_run_is_the_whole_of_every_space_and_goes_nowhere_beyond(name: str) -> None:
    extents = space_named(name).extents(WHOLE[name])
    assert headline(extents) == ""
    assert [extent for extent in extents if extent.beyond] == []


@pytest.mark.parametrize("name", SHIPPED)
def test_a_smoke_run_says_that_it_is_a_part_and_so_does_its_title(name: str) -> None:
    space = space_named(name)
    assert space.headline(PART[name]).startswith("PARTIAL: ")
    assert space.title_of(PART[name]).startswith(f"{space.title}, PARTIAL: ")
    assert space.title_of(WHOLE[name]) == space.title


def test_the_part_of_klotski_is_counted_in_classes() -> None:
    assert space_named("klotski").headline(PART["klotski"]) == "PARTIAL: 4 of 203 classes"


@pytest.mark.parametrize("name", SHIPPED)
def test_every_table_and_array_is_all_of_a_scope_of_its_space(name: str) -> None:
    space = space_named(name)
    assert [one.name for one in space.contents if one != CLAIMS and space.extent_of(one, WHOLE[name]) is None] == []


def test_a_scope_counts_what_is_inside_the_whole_and_what_goes_beyond() -> None:
    scope = Scope("trays", lambda config: ["2x2", "3x3", "9x9"], lambda: ["2x2", "3x3", "4x4"])
    assert scope.extent(None) == Extent("trays", 2, 3, 1, ("2x2", "3x3", "9x9"))
    assert str(scope.extent(None)) == "2 of 3 trays and 1 more: 2x2, 3x3, 9x9"


@pytest.mark.parametrize(
    ("extent", "text"),
    [
        (Extent("classes", 203, 203), "all 203 classes"),
        (Extent("boards", 1, 1, 2), "1 of 1 boards and 2 more"),
        (Extent("trays", 0, 0, 3), "3 trays"),
        (Extent("boards", 0, 1_000), "0 of 1,000 boards"),
    ],
)
def test_an_extent_is_said_in_words(extent: Extent, text: str) -> None:
    assert str(extent) == text


def test_the_headline_names_every_scope_that_is_not_whole_and_the_short_one_the_first() -> None:
    extents = (Extent("boards", 1, 1), Extent("boxes", 1, 6), Extent("cells", 2, 3), Extent("nets", 0, 9, extra=True))
    assert headline(extents) == "PARTIAL: 1 of 6 boxes, 2 of 3 cells"
    assert headline(extents, short=True) == "PARTIAL: 1 of 6 boxes"


def test_a_space_without_scopes_does_not_call_its_datasets_parts() -> None:
    config = ToyConfig()
    assert (TOY.headline(config), TOY.title_of(config)) == ("", TOY.title)
    assert TOY.why(TOY.tables[1], config) == "sums; complete by enumeration: every case was made or counted"
