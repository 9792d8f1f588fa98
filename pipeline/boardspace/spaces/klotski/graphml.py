"""Graphs of shortest paths as GraphML, for programs that draw and measure graphs, and drawn as SVG."""

from collections.abc import Mapping, Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from boardspace.cli.drawing import Picture
from boardspace.spaces.klotski.texts import format_code

NAMESPACE = "http://graphml.graphdrawing.org/xmlns"


STEP_WIDTH, NODE_HEIGHT, RADIUS, MARGIN = 56, 16, 4, 24
"""Pixels from one step to the next, from one layout of a step to the next, of a layout's disc, and around."""


def graph_picture(after: Mapping[int, Sequence[int]]) -> Picture:
    """Draw a graph of shortest paths: a column for each step, from left to right, a disc for each layout, whose code
    appears where a pointer rests on it, a line for each step between them."""
    columns = _columns(after)
    tallest = max(map(len, columns))
    drawn = Picture(2 * MARGIN + STEP_WIDTH * (len(columns) - 1), 3 * MARGIN + NODE_HEIGHT * (tallest - 1))
    middle = MARGIN + NODE_HEIGHT * (tallest - 1) / 2
    place = {
        code: (MARGIN + STEP_WIDTH * step, middle + NODE_HEIGHT * (i - (len(codes) - 1) / 2))
        for step, codes in enumerate(columns)
        for i, code in enumerate(codes)
    }
    for code, others in after.items():
        for other in others:
            drawn.line(*place[code], *place[other], stroke="#9993")
    for step, codes in enumerate(columns):
        for code in codes:
            colour = "#c0392b" if step in (0, len(columns) - 1) else "#2e86c1"
            drawn.circle(*place[code], RADIUS, colour, title=format_code(code))
        drawn.text(MARGIN + STEP_WIDTH * step, drawn.height - MARGIN / 2, f"{step}", 10, fill="#777")
    return drawn


def _columns(after: Mapping[int, Sequence[int]]) -> list[list[int]]:
    """The codes by step. Those of a step stand by the mean place of the layouts that lead to them, so that fewer lines
    cross."""
    columns = [list(after)[:1]]
    while following := dict.fromkeys(other for code in columns[-1] for other in after.get(code, ())):
        places: dict[int, list[int]] = {other: [] for other in following}
        for i, code in enumerate(columns[-1]):
            for other in after[code]:
                places[other].append(i)
        columns.append(sorted(following, key=lambda code: (sum(places[code]) / len(places[code]), code)))
    return columns


def graphml(after: Mapping[int, Sequence[int]]) -> str:
    """The layouts on shortest paths as nodes, named by their codes, with the attribute ``step``; a directed edge for
    each step. ``after`` tells by code what may follow each layout, those nearer to the first one first."""
    root = Element("graphml", xmlns=NAMESPACE)
    SubElement(root, "key", {"id": "step", "for": "node", "attr.name": "step", "attr.type": "int"})
    graph = SubElement(root, "graph", edgedefault="directed")
    step = dict.fromkeys(list(after)[:1], 0)
    for code, others in after.items():
        node = SubElement(graph, "node", id=format_code(code))
        SubElement(node, "data", key="step").text = str(step[code])
        step |= dict.fromkeys(others, step[code] + 1)
    for code, others in after.items():
        for other in others:
            SubElement(graph, "edge", source=format_code(code), target=format_code(other))
    indent(root)
    return tostring(root, encoding="unicode", xml_declaration=True) + "\n"
