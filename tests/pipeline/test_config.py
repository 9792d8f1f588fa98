"""A configuration is right, or every fault of it is told at once."""

from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import Field

from boardspace.engine.config import ConfigError, load_config, validate
from boardspace.spec.space import SpaceConfig
from boardspace.storage.shipped import CONFIGS, shipped_names
from tests.toy import SPACE as TOY


def test_every_fault_is_reported_with_file_and_key() -> None:
    document = {"toy": {"roots": "many", "shards": 0, "colour": 1}, "run": {"retries": -1}, "tyo": {}}
    with pytest.raises(ConfigError) as caught:
        validate(document, "trial", "trial.toml")
    text = str(caught.value)
    assert text.startswith("trial.toml: 5 faults")
    for key in ("toy.roots", "toy.shards", "toy.colour: unknown key", "run.retries", "tyo: unknown section"):
        assert key in text


def test_a_fault_says_what_is_wanted_in_plain_words() -> None:
    document = {
        "toy": {"roots": "many", "shards": 0, "shard": 1},
        "run": {"retries": 101, "shard_seconds": "5", "gpu": "yes", "out": 5},
        "rush_hour": [],
        "klotski": {"classes": ["9-9"]},
        "solitaire": {"classes": 5, "levels": ["english", "english/"], "games": [[]]},
        "sliding_blocks": {"trays": [5, [2, 2, 2], [3]]},
    }
    with pytest.raises(ConfigError) as caught:
        validate(document, "trial", "trial.toml")
    assert str(caught.value).splitlines() == [
        "trial.toml: 16 faults",
        "  toy.roots: a whole number is wanted, not 'many'",
        "  toy.shards: at least 1 is wanted, not 0",
        "  toy.shard: unknown key; did you mean shards? `boardspace keys toy` tells which there are",
        "  run.out: a text is wanted, not 5",
        "  run.retries: at most 100 is wanted, not 101",
        "  run.shard_seconds: a number is wanted, not '5'",
        "  run.gpu: 'auto', 'no' or 'only' is wanted, not 'yes'",
        "  rush_hour: a table of keys is wanted, not []",
        "  klotski.classes: '9-9' is no class; write jiang-bing-style, such as 5-4-1, or a pattern such as 5-* (found "
        "['9-9'])",
        "  solitaire.levels.0: BOARD/PROBLEM is wanted, such as french/last_supper (found 'english')",
        "  solitaire.levels.1: BOARD/PROBLEM is wanted, such as french/last_supper (found 'english/')",
        "  solitaire.classes: a list is wanted, not 5",
        "  solitaire.games.0: a table of keys is wanted, not []",
        "  sliding_blocks.trays.0: a list or a table of keys is wanted, not 5",
        "  sliding_blocks.trays.1: a list of at most 2 is wanted, not [2, 2, 2]",
        "  sliding_blocks.trays.2.1: missing in [3]; `boardspace keys sliding_blocks` tells what belongs there",
    ]


def test_a_fault_of_several_keys_does_not_show_the_whole_section() -> None:
    with pytest.raises(ConfigError) as caught:
        validate({"solitaire": {"levels": ["english/central"] * 2}}, "trial", "trial.toml")
    assert str(caught.value).splitlines() == [
        "trial.toml: 1 fault",
        "  solitaire: levels: english/central is there twice",
    ]


class Listing(SpaceConfig):
    sides: tuple[int, ...] = Field(min_length=2)
    names: dict[str, int] = Field(min_length=1)


def test_faulty_entries_do_not_make_a_list_too_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "boardspace.engine.config.spaces", lambda: {"listing": replace(TOY, name="listing", config=Listing)}
    )
    for section, keys in (
        ({"sides": ["a", "b", 1], "names": {"a": "b"}}, ["sides.0", "sides.1", "names.a"]),
        ({"sides": ["a"], "names": {}}, ["sides.0", "sides", "names"]),
    ):
        with pytest.raises(ConfigError) as caught:
            validate({"listing": section}, "trial", "trial.toml")
        faults = str(caught.value).splitlines()[1:]
        assert [fault.split(":")[0].strip() for fault in faults] == [f"listing.{key}" for key in keys]


def test_a_file_that_is_not_toml_is_named_with_the_line(tmp_path: Path) -> None:
    path = tmp_path / "broken.toml"
    path.write_text("[toy\n")
    with pytest.raises(ConfigError, match=r"broken\.toml.*line 1"):
        load_config(str(path))


def test_an_unknown_name_lists_the_shipped_configs() -> None:
    with pytest.raises(ConfigError, match=r"'nowhere': no such config.*smoke"):
        load_config("nowhere")


def test_sections_are_frozen() -> None:
    config = validate({"toy": {"roots": 10}}, "trial", "trial.toml")
    with pytest.raises(ValueError, match="frozen"):
        config.spaces["toy"].roots = 11  # type: ignore[attr-defined]


def test_a_space_without_a_section_cannot_be_chosen() -> None:
    config = validate({"toy": {}}, "trial", "trial.toml")
    assert list(config.only(["toy"]).spaces) == ["toy"]
    with pytest.raises(ConfigError, match=r"no section \[chess\]"):
        config.only(["chess"])


def test_the_shipped_configs_are_valid() -> None:
    for name in shipped_names(CONFIGS):
        assert load_config(name).spaces, name


def test_a_change_replaces_one_key_and_leaves_the_rest() -> None:
    before = load_config("smoke")
    after = load_config("smoke", ["klotski.classes = ['5-*']", "run.retries = 7"])
    assert after.spaces["klotski"].chosen[0] == "5-0-0"  # type: ignore[attr-defined]
    assert after.run.retries == 7
    assert after.spaces["solitaire"] == before.spaces["solitaire"]
    kept = {"farthest_seconds", "counted_group"}
    assert after.spaces["klotski"].model_dump(include=kept) == before.spaces["klotski"].model_dump(include=kept)


@pytest.mark.parametrize(
    "change", ["klotski.classes", "a = 1\nb = 2", "", "klotski = {", "[klotski]\nclasses = []\nids = 1"]
)
def test_what_is_no_change_is_refused(change: str) -> None:
    with pytest.raises(ConfigError, match="is not one key and its value"):
        load_config("smoke", [change])


def test_a_change_is_validated_like_the_file() -> None:
    with pytest.raises(ConfigError, match="'7-0-0' is no class"):
        load_config("smoke", ["klotski.classes = ['7-0-0']"])
