"""What the source states about the space of Klotski, measured on the finished stages."""

from collections import Counter
from typing import Any

from pipeline.space import Inputs, Measurement
from pipeline.spaces.klotski.config import KlotskiConfig
from pipeline.spaces.klotski.texts import parse_code

STANDARD = (5, 4)
EXAMPLES = ("1A9BF0C", "4FEA134", "5DC02F8")


def measure(config: KlotskiConfig, inputs: Inputs) -> dict[str, Measurement]:
    """Measurements by claim id; of the whole space only where all classes were enumerated."""
    found = {"examples": _examples()}
    if config.classes:
        return found
    rows: list[dict[str, Any]] = inputs.read("summary", "classes").to_pylist()
    counts: Counter[str] = Counter()
    for row in rows:
        counts[f"{row['jiang_num']}-{row['bing_num']}"] += row["layouts"]
    total = sum(counts.values())
    standard = counts["-".join(map(str, STANDARD))]
    merged = sum(facts["layouts"] for facts in inputs.facts("main"))
    names = {f"{row['jiang_num']}-{row['bing_num']}-{row['style_num']}" for row in rows}
    evidence = "each class enumerated by a walk of its automaton; ids by another automaton of the whole space"
    return found | {
        "layouts": Measurement(total, f"{evidence}; {merged:,} rows after merging into order of ids"),
        "standard": Measurement(standard, evidence),
        "non-standard": Measurement(total - standard, evidence),
        "sizes": Measurement(dict(counts), f"{len(counts)} pairs of jiang_num and bing_num; {evidence}"),
        "classes": Measurement(len(names), "classes with at least one layout"),
        "no-7-0-0": Measurement(
            "7-0-0" not in names, "style_num counts the lying dominoes: seven standing ones do not fit"
        ),
    }


def _examples() -> Measurement:
    codes = [f"{parse_code(text):09X}".rstrip("0") for text in EXAMPLES]
    return Measurement(codes == list(EXAMPLES), "decoded, and every rule of a legal layout checked")
