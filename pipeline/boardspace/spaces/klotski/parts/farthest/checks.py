"""Checks of farthest steps: extents recounted from all rows, classes walked, outlines and parts put together."""

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from boardspace.spaces.klotski import table_rows, walks
from boardspace.spaces.klotski.comparing import arrays_outcome, table_difference
from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.parts.farthest.costs import afforded
from boardspace.spaces.klotski.parts.farthest.tables import OUTLINE_STAGE, PART_STAGE
from boardspace.spaces.klotski.table_rows import CLASS, CLASSES, MissingRowsError
from boardspace.spaces.klotski.texts import format_code
from boardspace.spec.space import Draw, Inputs, Outcome, outcome

WALKED = 120_000
"""Layouts of the classes that are walked whole."""
MOVED = 40
"""Layouts of each class, in a range of ids, whose steps are tried."""
SOURCES = 8
"""Layouts of each walked class, from which everything is searched."""
MERGED = 3
"""Classes whose outlines and parts are put together."""


class FarthestFaultError(Exception):
    """A fault of a row."""


def check_farthest(config: KlotskiConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Extents of all groups recounted; steps of layouts of every class tried; some classes walked."""
    table = inputs.table("diameters")
    check = _Extents(config, inputs.table("groups", columns=[*CLASS, "group_num", "group_size"]), draw)
    try:
        for rows in _ranges(config, inputs):
            check.count(rows)
        fault = table_difference(table, check.extents(), 4)
        if fault:
            return Outcome(check.rows, check.rows, fault)
        check.walk()
    except (FarthestFaultError, MissingRowsError) as error:
        return Outcome(check.rows, check.rows, str(error))
    return Outcome(check.rows, check.rows)


def check_arrays(config: KlotskiConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Some ranges of ids of each array compared with the rows of ``farthest``."""
    if not afforded(config).classes:
        return Outcome(0, 0)
    names = ("farthest_step", "farthest_num")
    return arrays_outcome(config, inputs, draw, "farthest", {name: name for name in names})


def check_class_diameters(config: KlotskiConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """The extents that classes left for later stages compared with the published ones."""
    found, expected = inputs.table("class_diameters"), inputs.table("diameters")
    same = found.sort_by([(name, "ascending") for name in (*CLASS, "group_num")]).equals(expected.cast(found.schema))
    fault = "" if same else "the rows of class_diameters are not those of diameters"
    return Outcome(found.num_rows, found.num_rows, fault)


def _ranges(config: KlotskiConfig, inputs: Inputs) -> Iterator[table_rows.Rows]:
    """Rows of ``main`` and ``farthest``, of the classes that the budget pays for."""
    chosen = np.zeros(len(CLASSES) + 1, dtype=np.bool_)
    for name in afforded(config).classes:
        jiang, bing, style = map(int, name.split("-"))
        chosen[CLASSES.index((jiang, bing, style))] = True
    for between in table_rows.id_ranges():
        rows = table_rows.rows_between(inputs, between, ("main", ("code", *CLASS, "group_num")))
        classes = table_rows.class_numbers(rows)
        here = np.flatnonzero(chosen[classes])
        ids = rows["layout_id"]
        farthest = inputs.table("farthest", between=between)
        if not np.array_equal(farthest.column("layout_id").to_numpy(), ids[here]):
            raise MissingRowsError(f"farthest has other layouts than the classes of its budget, ids in {between}")
        yield {
            "code": rows["code"][here],
            "class": classes[here],
            "group_num": rows["group_num"][here].astype(np.int64),
            "farthest_step": farthest.column("farthest_step").to_numpy().astype(np.int64),
            "farthest_num": farthest.column("farthest_num").to_numpy().astype(np.int64),
        }


class _Extents:
    """Extents of all groups of the classes that the budget pays for, from the layouts seen so far."""

    def __init__(self, config: KlotskiConfig, groups: pa.Table, draw: Draw) -> None:
        self.random, self.rows = draw.generator(), 0
        numbers = table_rows.class_numbers({name: groups.column(name).to_numpy() for name in CLASS})
        chosen = [tuple(map(int, name.split("-"))) for name in afforded(config).classes]
        here = np.flatnonzero(np.isin(numbers, [CLASSES.index((j, b, s)) for j, b, s in chosen]))
        self.classes, self.size = numbers[here], groups.column("group_size").to_numpy()[here].astype(np.int64)
        self.groups_of = np.bincount(self.classes, minlength=len(CLASSES))
        self.first_of = np.searchsorted(self.classes, np.arange(len(CLASSES)))
        count = len(here)
        self.diameter, self.radius = np.full(count, -1), np.full(count, 1 << 20)
        self.ends, self.centres = (np.zeros(count, dtype=np.int64) for _ in range(2))
        self.centre_code = np.zeros(count, dtype=np.uint64)
        sizes = np.bincount(self.classes, self.size, len(CLASSES)).astype(int).tolist()
        self.kept: dict[int, list[table_rows.Rows]] = {
            number: [] for number in table_rows.drawn_classes(sizes, WALKED, self.random, draw.everything)
        }

    def count(self, rows: table_rows.Rows) -> None:
        """Count the rows of a range of ids, and try the steps of some."""
        codes, steps, classes, number = rows["code"], rows["farthest_step"], rows["class"], rows["group_num"]
        self.rows += len(codes)
        if not len(codes):
            return
        self._refuse(number >= self.groups_of[classes], codes, "its group has no row in groups")
        group = self.first_of[classes] + number
        alone, most = steps == 0, self.size[group]
        wrong = (rows["farthest_num"] < 1) | (rows["farthest_num"] >= most + alone) | (alone != (most == 1))
        self._refuse(wrong, codes, "farthest_step is 0 and farthest_num 1 exactly in groups of one layout")
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
        self._try_steps(rows, group)

    def _refuse(self, wrong: NDArray[np.bool_], codes: NDArray[np.uint64], what: str) -> None:
        if wrong.any():
            raise FarthestFaultError(f"{format_code(int(codes[np.argmax(wrong)]))}: {what}")

    def _try_steps(self, rows: table_rows.Rows, group: NDArray[np.int64]) -> None:
        """Keep the rows of walked classes; farthest steps of neighbours differ by one at most."""
        codes, classes, values = rows["code"], rows["class"], rows["farthest_step"]
        order = np.argsort(classes, kind="stable")
        bounds = np.searchsorted(classes[order], np.arange(len(CLASSES) + 1))
        drawn = []
        for number in np.flatnonzero(np.diff(bounds)).tolist():
            in_class = order[bounds[number] : bounds[number + 1]]
            drawn.append(in_class[self.random.integers(0, len(in_class), MOVED)])
            if number in self.kept:
                self.kept[number].append({name: values[in_class] for name, values in rows.items()})
        moves = walks.steps_inside(walks.Board(), codes, np.unique(np.concatenate(drawn)), "step")
        inside = (moves.ends >= 0) & ~moves.missing
        start, end = moves.starts[inside], moves.ends[inside]
        self._refuse(moves.missing, codes[moves.starts], "a step leads to no layout of the table")
        self._refuse(abs(values[start] - values[end]) > 1, codes[start], "a step changes farthest_step by more than 1")

    def extents(self) -> dict[str, NDArray[np.generic]]:
        """The columns of ``diameters``."""
        if (self.ends % 2 * (self.diameter > 0)).any():
            raise FarthestFaultError("the ends of diametral pairs of a group are odd in number")
        return {
            **{name: np.array(CLASSES)[self.classes, at] for at, name in enumerate(CLASS)},
            "group_num": np.arange(len(self.classes)) - self.first_of[self.classes],
            "diameter": self.diameter,
            "radius": self.radius,
            "diametral_pairs": self.ends // 2,
            "centres": self.centres,
            "centre_code": self.centre_code,
        }

    def walk(self) -> None:
        """Walk the drawn classes: bounds from neighbours for all layouts, searches through the group from some."""
        board = walks.Board()
        for number, parts in self.kept.items():
            rows = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
            codes, steps, counts = rows["code"], rows["farthest_step"], rows["farthest_num"]
            try:
                graph = walks.move_graph(board, walks.decoded(board, codes), "step")
            except KeyError as error:
                name = table_rows.class_name(number)
                raise FarthestFaultError(f"class {name} is not closed under steps: {error}") from error
            starts = np.repeat(np.arange(len(codes)), np.diff(graph.starts))
            wrong = abs(steps[starts] - steps[graph.ends]) > 1
            self._refuse(wrong, codes[starts], "a step changes farthest_step by more than 1")
            for row in self.random.integers(0, len(codes), SOURCES).tolist():
                layers = [len(layer) for layer in walks.layers(graph, np.array([row]))]
                found, stated = (len(layers) - 1, layers[-1]), (int(steps[row]), int(counts[row]))
                if found != stated:
                    code = format_code(int(codes[row]))
                    raise FarthestFaultError(
                        f"{code}: (farthest_step, farthest_num) is {found}, the table says {stated}"
                    )


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
    rows: table_rows.Rows,
    mine: NDArray[np.int64],
    searches: list[tuple[NDArray[np.int64], NDArray[np.int64]]],
    images: list[NDArray[np.int64]],
) -> str:
    for met, weight in searches:
        wrong = ((met > 0) != (weight > 0)) & (rows["farthest_step"][mine] > 0) | (met > rows["farthest_step"][mine])
        if wrong.any():
            return f"row {np.argmax(wrong)}: a step without a weight, a weight without a step, or beyond the farthest"
    known = np.max([steps for steps, _ in searches], axis=0)
    steps = np.max([known[image] for image in images], axis=0)
    weight = np.sum([np.where(found == steps, weight, 0) for found, weight in searches], axis=0)
    total = np.sum([weight[image] for image in images], axis=0)
    wrong = (steps != rows["farthest_step"][mine]) | (total != rows["farthest_num"][mine] * len(images))
    return f"put together, row {np.argmax(wrong)} is not that of farthest" if wrong.any() else ""


def _class_rows(config: KlotskiConfig, inputs: Inputs, name: str) -> table_rows.Rows:
    number = CLASSES.index(tuple(map(int, name.split("-"))))
    parts = [
        {column: values[rows["class"] == number] for column, values in rows.items()} for rows in _ranges(config, inputs)
    ]
    return {column: np.concatenate([part[column] for part in parts]) for column in parts[0]}


def _images(codes: NDArray[np.uint64]) -> list[NDArray[np.int64]]:
    """The places of the images of a group's layouts under the reflections that keep the group, the identity first."""
    found = [np.arange(len(codes))]
    for image in _reflected(codes):
        places = np.minimum(np.searchsorted(codes, image), len(codes) - 1)
        if np.array_equal(codes[places], image):
            found.append(places)
    return found


def _reflected(codes: NDArray[np.uint64]) -> list[NDArray[np.uint64]]:
    """The codes of the images left-right, up-down, and both."""
    board = walks.Board()
    anchors = walks.decoded(board, codes).anchors
    across, down = walks.reflected(board, anchors, True), walks.reflected(board, anchors, False)
    return [walks.encoded(board, image) for image in (across, down, walks.reflected(board, down, True))]


def _first_twins(rows: table_rows.Rows) -> list[int]:
    """The groups of a class that have the smallest number among those of their images."""
    groups, seeds = np.unique(rows["group_num"], return_index=True)
    images = [rows["group_num"][np.searchsorted(rows["code"], image)] for image in _reflected(rows["code"][seeds])]
    first: list[int] = groups[np.min([groups, *images], axis=0) == groups].tolist()
    return first
