"""Graphs of shortest paths as GraphML, for programs that draw and measure graphs."""

from collections.abc import Mapping, Sequence
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from boardspace.pipeline.spaces.klotski.texts import format_code

NAMESPACE = "http://graphml.graphdrawing.org/xmlns"


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
