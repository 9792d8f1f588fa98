"""Every drawing that a command makes can be written as an SVG file that a reader of XML accepts."""

from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from boardspace.cli.main import cli

COMMANDS = {
    "klotski show 1A9BF0C": 10,
    "klotski neighbours 1A9BF0C": 8 * 10,
    "klotski solve heng-dao-li-ma": 82 * 10,
    "klotski starts": 11,
    "solitaire solve --board triangle15": 11 * 15,
    "five place 6 7": 8,
    "tromino 2 1 2": 16,
    "rectangle 3 4": 12,
}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_drawing_becomes_a_file_of_svg(command: str, tmp_path: Path) -> None:
    """With at least a shape for each piece, peg, stone or cell."""
    file = tmp_path / "drawing.svg"
    result = CliRunner().invoke(cli, [*command.split(), "--svg", str(file)])
    assert result.exit_code == 0, result.output
    root = ElementTree.parse(file).getroot()
    shapes = [element for element in root.iter() if element.tag.endswith(("rect", "circle"))]
    assert len(shapes) >= COMMANDS[command]
    box = [float(number) for number in root.attrib["viewBox"].split()]
    assert box[2:] == [float(root.attrib["width"]), float(root.attrib["height"])]
