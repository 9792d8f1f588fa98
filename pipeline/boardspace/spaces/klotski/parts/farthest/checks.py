"""Checks of farthest steps: extents recounted from all rows, classes walked, outlines and parts put together."""

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from boardspace.spaces.klotski import table_rows, walks
from boardspace.spaces.klotski.comparing import arrays_outcome, table_difference
from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.parts.farthest.costs import afforded
from boardspace.spaces.klotski.parts.farthest.tables import OUTLINE_STAGE, PART_STAGE
from boardspace.spaces.klotski.sampling import Groups, RowFaultError, Sample, joined, refuse, refuse_unlike_images
from boardspace.spaces.klotski.table_rows import CLASS, CLASSES, MissingRowsError, Rows
from boardspace.spaces.klotski.texts import format_code
from boardspace.spec.check import places_of
from boardspace.spec.one_pass import Pass, Wanted, alone
from boardspace.spec.space import Draw, Inputs, Outcome, outcome

WALKED = 120_000
"""Layouts of the classes that are walked whole."""
MOVED = 40
"""Layouts of each class, in a range of ids, whose steps are tried."""
SOURCES = 8
"""Layouts of each walked class, from which everything is searched."""
MERGED = 3
"""Classes whose outlines and parts are put together."""
MAIN_COLUMNS = ("layout_id", "code", *CLASS, "group_num")
FARTHEST_COLUMNS = ("farthest_step", "farthest_num")


def check_extents(config: KlotskiConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """The whole table of extents, recounted from all rows."""
    return alone(read_extents(config, inputs, draw), inputs)


def read_extents(config: KlotskiConfig, inputs: Inputs, draw: Draw) -> Pass[Outcome]:
    """:func:`check_extents` as a pass over tables."""
    groups = _groups(config, inputs)
    extents = _Extents(groups)
    try:
        for between in table_rows.id_ranges():
            rows = yield from _rows(config, between)
            if len(rows["code"]):
                extents.add(rows, groups.numbers(rows))
        fault = table_difference(inputs.table("diameters"), extents.columns(), 4)
    except (RowFaultError, MissingRowsError) as error:
        fault = str(error)
    return Outcome(len(groups), len(groups), fault)


def check_farthest(config: KlotskiConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Bounds of all rows, and by steps of some; some classes walked, and searched through from some layouts."""
    return alone(read_farthest(config, inputs, draw), inputs)


def read_farthest(config: KlotskiConfig, inputs: Inputs, draw: Draw) -> Pass[Outcome]:
    """:func:`check_farthest` as a pass over tables."""
    groups = _groups(config, inputs)
    sample = Sample(groups.class_sizes(), WALKED, draw)
    count = tried = 0
    try:
        for between in table_rows.id_ranges():
            rows = yield from _rows(config, between)
            if not len(rows["code"]):
                continue
            group = groups.numbers(rows)
            _bound(rows, groups.size[group])
            _try_steps(rows, sample.keep(rows, groups.classes[group], MOVED))
            count += len(group)
        for name, rows in sample.classes():
            tried += _search_in_class(name, rows, sample.random)
    except (RowFaultError, MissingRowsError) as error:
        return Outcome(tried, count, str(error))
    return Outcome(tried, count)


def check_arrays(config: KlotskiConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Some ranges of ids of each array compared with the rows of ``farthest``."""
    if not afforded(config).classes:
        return Outcome(0, 0)
    return arrays_outcome(config, inputs, draw, "farthest", {name: name for name in FARTHEST_COLUMNS})


def check_class_diameters(config: KlotskiConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """The extents that classes left for later stages compared with the published ones."""
    found, expected = inputs.table("class_diameters"), inputs.table("diameters")
    same = found.sort_by([(name, "ascending") for name in (*CLASS, "group_num")]).equals(expected.cast(found.schema))
    fault = "" if same else "the rows of class_diameters are not those of diameters"
    return Outcome(found.num_rows, found.num_rows, fault)


def _rows(config: KlotskiConfig, between: tuple[int, int]) -> Pass[Rows]:
    """Rows of ``main`` and ``farthest`` in a range of ids, of the classes that the budget pays for."""
    read = yield Wanted(between, {"main": MAIN_COLUMNS, "farthest": ("layout_id", *FARTHEST_COLUMNS)})
    rows, farthest = read["main"], read["farthest"]
    here = np.flatnonzero(table_rows.of_classes(rows, _chosen(config)))
    if not np.array_equal(farthest["layout_id"], rows["layout_id"][here]):
        raise MissingRowsError(f"farthest has other layouts than the classes of its budget, ids in {between}")
    values = {name: farthest[name].astype(np.int64) for name in FARTHEST_COLUMNS}
    return {name: column[here] for name, column in rows.items()} | values


def _groups(config: KlotskiConfig, inputs: Inputs) -> Groups:
    """The groups of the classes that the budget pays for."""
    return Groups(inputs.table("groups", columns=[*CLASS, "group_num", "group_size"]), _chosen(config))


def _chosen(config: KlotskiConfig) -> list[int]:
    """The numbers of these classes."""
    names = {tuple(map(int, name.split("-"))) for name in afforded(config).classes}
    return [number for number, name in enumerate(CLASSES) if name in names]


class _Extents:
    """Extents of groups from the layouts seen so far.

    diameter, radius: most and fewest farthest steps.
    ends: sum of farthest_num of the layouts whose farthest step is the diameter.
    centres, centre_code: number and smallest code of the layouts whose farthest step is the radius.
    """

    def __init__(self, groups: Groups) -> None:
        self.groups = groups
        self.diameter, self.radius = np.full(len(groups), -1), np.full(len(groups), 1 << 20)
        self.ends, self.centres = (np.zeros(len(groups), dtype=np.int64) for _ in range(2))
        self.centre_code = np.zeros(len(groups), dtype=np.uint64)

    def add(self, rows: Rows, group: NDArray[np.int64]) -> None:
        """Count the rows of a range of ids, which belong to these groups."""
        codes, steps = rows["code"], rows["farthest_step"]
        before = self.diameter.copy(), self.radius.copy()
        np.maximum.at(self.diameter, group, steps)
        np.minimum.at(self.radius, group, steps)
        self.ends[self.diameter > before[0]] = 0
        self.centres[self.radius < before[1]] = 0
        at_end, at_centre = steps == self.diameter[group], np.flatnonzero(steps == self.radius[group])
        np.add.at(self.ends, group[at_end], rows["farthest_num"][at_end])
        first = at_centre[self.centres[group[at_centre]] == 0][::-1]
        self.centre_code[group[first]] = codes[first]
        np.add.at(self.centres, group[at_centre], 1)

    def columns(self) -> dict[str, NDArray[np.generic]]:
        """The columns of ``diameters``; RowFaultError where the ends of pairs are odd in number."""
        odd = np.flatnonzero((self.ends % 2 == 1) & (self.diameter > 0))
        if len(odd):
            raise RowFaultError(f"the group of {format_code(int(self.centre_code[odd[0]]))} has half a diametral pair")
        return {
            **self.groups.keys,
            "diameter": self.diameter,
            "radius": self.radius,
            "diametral_pairs": self.ends // 2,
            "centres": self.centres,
            "centre_code": self.centre_code,
        }


def _bound(rows: Rows, size: NDArray[np.int64]) -> None:
    alone, others = size == 1, np.maximum(size - 1, 1)
    wrong = ((rows["farthest_step"] == 0) != alone) | (rows["farthest_num"] < 1) | (rows["farthest_num"] > others)
    refuse(wrong, rows["code"], "farthest_step is 0 exactly where it is alone, farthest_num at most the others")


def _try_steps(rows: Rows, drawn: NDArray[np.int64]) -> None:
    """Farthest steps of neighbours differ by one at most."""
    codes, values = rows["code"], rows["farthest_step"]
    moves = walks.steps_inside(walks.Board(), codes, drawn, "step")
    inside = (moves.ends >= 0) & ~moves.missing
    start, end = moves.starts[inside], moves.ends[inside]
    refuse(moves.missing, codes[moves.starts], "a step leads to no layout of the table")
    refuse(abs(values[start] - values[end]) > 1, codes[start], "a step changes farthest_step by more than 1")


def _search_in_class(name: str, rows: Rows, random: np.random.Generator) -> int:
    """Walk a class: bounds from neighbours for all its layouts, searches through their groups from some."""
    codes, steps = rows["code"], rows["farthest_step"]
    try:
        graph = walks.move_graph(walks.Board(), walks.decoded(walks.Board(), codes), "step")
    except KeyError as error:
        raise RowFaultError(f"class {name} is not closed under steps: {error}") from error
    starts = np.repeat(np.arange(len(codes)), np.diff(graph.starts))
    wrong = abs(steps[starts] - steps[graph.ends]) > 1
    refuse(wrong, codes[starts], "a step changes farthest_step by more than 1")
    refuse_unlike_images(rows, FARTHEST_COLUMNS, walks.image_codes(walks.Board(), codes))
    chosen = random.permutation(len(codes))[:SOURCES].tolist()
    for row in chosen:
        layers = [len(layer) for layer in walks.layers(graph, np.array([row]))]
        found, stated = (len(layers) - 1, layers[-1]), (int(steps[row]), int(rows["farthest_num"][row]))
        if found != stated:
            text = format_code(int(codes[row]))
            raise RowFaultError(f"{text}: (farthest_step, farthest_num) is {found}, the table says {stated}")
    return len(chosen)


def check_parts(config: KlotskiConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Outlines and parts of some classes put together, and compared with the rows of ``farthest``."""
    facts = inputs.named_facts(OUTLINE_STAGE) if afforded(config).classes else {}
    shards = [shard for shard, fact in facts.items() if fact["left"]]
    chosen = [shards[number] for number in draw.choose(len(shards), MERGED)]
    return outcome((_fault_of_merging(config, inputs, shard) for shard in chosen), of=len(shards))


def _fault_of_merging(config: KlotskiConfig, inputs: Inputs, shard: str) -> str:
    """Put the outlines and parts of a class together.

    A layout's farthest step is the largest that any search knew of one of its images under the reflections that keep
    its group. The weights there, of all images, are the number of layouts that far, times the number of reflections.
    """
    rows = _class_rows(config, inputs, shard)
    outlines = inputs.read(OUTLINE_STAGE, "farthest_outlines", shards=[shard])
    of_outlines = {name: outlines.column(name).to_numpy().astype(np.int64) for name in outlines.column_names}
    left = {number for number, _, _ in inputs.named_facts(OUTLINE_STAGE)[shard]["left"]}
    found_groups = np.unique(of_outlines["group_num"])
    for group in found_groups.tolist():
        mine = np.flatnonzero(rows["group_num"] == group)
        in_outline = of_outlines["group_num"] == group
        if not np.array_equal(of_outlines["group_index"][in_outline], np.arange(len(mine))):
            return f"{shard}-{group}: the outline does not have one row for each layout"
        searches = [(of_outlines["farthest_step"][in_outline], of_outlines["weight"][in_outline])]
        for part, fact in inputs.named_facts(PART_STAGE).items():
            if part.startswith(f"{shard}-{group}-") and fact["group"] == group:
                searches.append(_part_of(inputs.read(PART_STAGE, "farthest_parts", shards=[part]), len(mine)))
        images = _images(rows["code"][mine]) if group in left else [np.arange(len(mine))]
        fault = _fault_of_group(rows, mine, searches, images)
        if fault:
            return f"{shard}-{group}: {fault}"
    twins = _first_twins(rows)
    return "" if found_groups.tolist() == twins else f"{shard}: the outlined groups are not the first of their images"


def _part_of(rows: pa.Table, layouts: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The steps and weights of a part by group_index; 0 where it met nothing."""
    steps, weight = np.zeros(layouts, dtype=np.int64), np.zeros(layouts, dtype=np.int64)
    index = rows.column("group_index").to_numpy()
    steps[index] = rows.column("farthest_step").to_numpy()
    weight[index] = rows.column("weight").to_numpy()
    return steps, weight


def _fault_of_group(
    rows: Rows,
    mine: NDArray[np.int64],
    searches: list[tuple[NDArray[np.int64], NDArray[np.int64]]],
    images: list[NDArray[np.int64]],
) -> str:
    """Fault of a group, put together from its outline, the first of the searches, and its parts; or ''."""
    farthest = rows["farthest_step"][mine]
    for number, (met, weight) in enumerate(searches):
        # An outline knows the steps of all images of the layouts that its searches met, a part those of the layouts.
        own = weight if number else _over_images(weight, images)
        wrong = ((met > 0) != (own > 0)) & (farthest > 0) | (met > farthest)
        if wrong.any():
            return f"row {np.argmax(wrong)}: a step without a weight, a weight without a step, or beyond the farthest"
    known = np.max([steps for steps, _ in searches], axis=0)
    steps = np.max([known[image] for image in images], axis=0)
    weight = np.sum([np.where(found == steps, weight, 0) for found, weight in searches], axis=0)
    wrong = (steps != farthest) | (_over_images(weight, images) != rows["farthest_num"][mine] * len(images))
    return f"put together, row {np.argmax(wrong)} is not that of farthest" if wrong.any() else ""


def _over_images(weight: NDArray[np.int64], images: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    """The sum of the weights of all images of each layout."""
    total: NDArray[np.int64] = np.sum([weight[image] for image in images], axis=0)
    return total


def _class_rows(config: KlotskiConfig, inputs: Inputs, name: str) -> Rows:
    """The rows of a class."""
    number = CLASSES.index(tuple(map(int, name.split("-"))))
    ranges = (alone(_rows(config, between), inputs) for between in table_rows.id_ranges())
    there = ((rows, table_rows.class_numbers(rows) == number) for rows in ranges)
    return joined([{column: values[here] for column, values in rows.items()} for rows, here in there])


def _images(codes: NDArray[np.uint64]) -> list[NDArray[np.int64]]:
    """The places of the images of a group's layouts under the reflections that keep the group, the identity first."""
    found = [np.arange(len(codes))]
    for image in walks.image_codes(walks.Board(), codes):
        places = np.minimum(places_of(image, codes), len(codes) - 1)
        if np.array_equal(codes[places], image):
            found.append(places)
    return found


def _first_twins(rows: Rows) -> list[int]:
    """The groups of a class that have the smallest number among those of their images."""
    groups, seeds = np.unique(rows["group_num"], return_index=True)
    codes = walks.image_codes(walks.Board(), rows["code"][seeds])
    images = [rows["group_num"][places_of(image, rows["code"])] for image in codes]
    first: list[int] = groups[np.min([groups, *images], axis=0) == groups].tolist()
    return first
