"""Instances of a plug-in bring their rule: the example of docs/instances.md as it stands, and what is refused."""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from boardspace.cli.main import cli
from boardspace.spec import registry
from tests.pipeline.conftest import ROOT

PAGE = (ROOT / "docs" / "instances.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r'```\w+ title="([^"]+)"\n(.*?)```', PAGE, re.DOTALL))
SPACE = """
import dataclasses
from tests.toy import SPACE as TOY
SPACE = dataclasses.replace(TOY, name="cars")
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The package of the page as a plug-in, which is imported anew."""
    folder = tmp_path / "cars"
    folder.mkdir()
    (folder / "__init__.py").write_text(SPACE)
    for name, content in FILES.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv(registry.PLUGINS, "cars")
    for step in ("before", "after"):
        for cached in (registry._modules, registry._found):
            cached.cache_clear()
        for module in [name for name in sys.modules if name.split(".")[0] == "cars"]:
            del sys.modules[module]
        if step == "before":
            yield folder
            monkeypatch.undo()


def made(package: Path, out: str = "out") -> Any:
    """Make the instances of the package as it is now."""
    for module in [name for name in sys.modules if name.startswith("cars.")]:
        del sys.modules[module]
    folder = package.parent / out
    return CliRunner().invoke(cli, ["instances", "cars", "--out", str(folder)])


def scored(out: Path, answers: dict[str, Any]) -> subprocess.CompletedProcess[str]:
    """Let check.py of a folder score answers to all its instances, alone and without any installed package."""
    lines = [line for file in sorted(out.glob("*.jsonl")) for line in file.read_text().splitlines()]
    (out.parent / "all.jsonl").write_text("\n".join(lines))
    rows = [json.dumps({"id": name, "answer": answer}) for name, answer in answers.items()]
    (out.parent / "answers.jsonl").write_text("\n".join(rows))
    command = [sys.executable, "-I", "-S", "check.py", str(out.parent / "all.jsonl"), str(out.parent / "answers.jsonl")]
    return subprocess.run(command, cwd=out, capture_output=True, text=True, check=False)


def test_the_checker_takes_the_rules_along_and_judges_by_them_alone(package: Path) -> None:
    done = made(package)
    assert done.exit_code == 0, done.output
    out = package.parent / "out"
    assert (out / "rules.py").read_text() == FILES["cars/rules.py"]
    assert " rules.py\n" in (out / "SHA256SUMS").read_text()
    assert "`rules.py` has the rules" in (out / "README.md").read_text()
    rows = [json.loads(line) for file in out.glob("*.jsonl") for line in file.read_text().splitlines()]
    assert {row["least"] for row in rows} == {2, 3}
    answers = {row["id"]: row["answer"] for row in rows}
    assert '"score": 4.0, "optimal": 4' in scored(out, answers).stdout
    [first] = [row for row in rows if row["puzzle"]["start"] == "AAB. ..B. ...."]
    for answer, why in {
        ("B +1", "A +2"): None,
        ("B +1", "A +1", "A +1"): "right: 3, the least is 2",
        ("B right", "A +2"): "wrong: move 1, 'B right': no move of that name; there are: B +1",
        ("A +2",): "wrong: move 1, 'A +2': no move of that name; there are: B +1",
        ("B 1 4", "A 1 3"): "wrong: move 1, 'B 1 4': no move of that name; there are: B +1",  # as `slide` writes it
        ("B +1",): "wrong: it ends at AA.. / ..B. / ..B., which is no goal",
        (): "wrong: it ends at AAB. / ..B. / ...., which is no goal",
        ("B +1\n", "A +2"): "wrong: move 1",
    }.items():
        said = scored(out, {**answers, first["id"]: list(answer)})
        assert (f"{first['id']}: {why}" in said.stdout) == (why is not None), said
        assert said.stderr == ""
    assert not (out / "__pycache__").exists()
    (out / "rules.py").unlink()
    alone = scored(out, answers)
    assert alone.returncode != 0
    assert "no rule of the kind 'cars'; rules.py" in alone.stderr
    assert "Traceback" not in alone.stderr


FAULTY = (
    ("instances", "SOURCE = Source(", "SOURCES = Source(", "cars.instances has no SOURCE that is a"),
    ("instances", '"cars", {}, ', '"trucks", {}, ', "no rule of the kind 'trucks', so no answer could be checked"),
    ("instances", '"cars", {}, ', '"slide", {}, ', "no rule of the kind 'slide', the head of check.py says what it"),
    ("instances", "    rules=Path", '    kinds=("slid",),\n    rules=Path', "the checker has no kind 'slid'"),
    ("instances", '("rules.py")', '("rule.py")', "rule.py: no rules of instances: FileNotFoundError"),
    ("instances", "len(shortest(STARTS[key])), None", "1, None", "its own answer is not optimal: right: "),
    ("instances", "len(shortest(STARTS[key])), None", "9, None", "is less than the least, 9"),
    ("instances", "tuple(shortest(STARTS[key]))", '("A +2",)', "not optimal: wrong: move 1, 'A +2'"),
    ("rules", "class Cars", "import boardspace\n\n\nclass Cars", "imports boardspace; it will lie beside check.py"),
    ("rules", "class Cars", "from numpy import array\n\n\nclass Cars", "imports numpy"),
    ("rules", "class Cars", "from . import other\n\n\nclass Cars", "imports ."),
    ("rules", 'KINDS = {"cars"', 'KINDS = {"slide"', "the checker has a kind 'slide' of its own"),
    ("rules", "KINDS =", "KIND =", "no rules of instances: KeyError: 'KINDS'"),
    ("rules", "KINDS =", "KINDS = (", "no rules of instances: SyntaxError"),
    ("rules", "        found = {}\n", "        found = {}[0]\n", "not optimal: wrong: it cannot be read: KeyError: 0"),
)


def test_instances_that_nobody_could_check_are_not_written(package: Path) -> None:
    sound = FILES["cars/instances.py"].replace("from cars.rules", "from cars.sound")
    (package / "sound.py").write_text(FILES["cars/rules.py"])  # what makes instances is sound, what is written is not
    for file, old, new, said in FAULTY:
        content = {"instances": sound, "rules": FILES["cars/rules.py"]}
        assert old in content[file]
        for name, text in (content | {file: content[file].replace(old, new)}).items():
            (package / f"{name}.py").write_text(text)
        shutil.rmtree(package / "__pycache__", ignore_errors=True)  # two texts of one size within a second look alike
        done = made(package)
        assert done.exit_code == 2, done.output
        assert said in done.output
        assert not (package.parent / "out").exists()
