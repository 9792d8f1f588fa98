"""``boardspace instances``: optima against slow searches, no duplicates, no leaks, and a checker that stands alone."""

import ast
import hashlib
import json
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from boardspace import klotski
from boardspace.cli.main import cli
from boardspace.instances import checker, folder
from boardspace.instances.choice import Sample
from boardspace.instances.source import Request, rules_of, source_of
from boardspace.running import run
from boardspace.spaces.klotski.instances import batches, instances
from boardspace.spaces.klotski.queries import layouts_of
from boardspace.storage.files import TEMPORARY, write_bytes
from boardspace_kernels.klotski.classes import ClassName
from boardspace_kernels.klotski.group_graphs import mirror
from tests.naive import five_in_a_row as naive_five
from tests.naive import klotski as naive_klotski
from tests.naive import sliding_blocks as naive_sliding
from tests.naive import solitaire as naive_solitaire
from tests.pipeline.conftest import dataset_bytes

DRAWS = {
    "klotski": ("3-8-1", "6-1-3", "6-1-6"),
    "solitaire": ("rectangle3x5",),
    "five_in_a_row": ("5", "7"),
    "sliding_blocks": ("2x3", "3x3"),
    "board_division": (),
    "rush_hour": ("4x4-1", "4x4-2"),
}
NUMBER = 16


@cache
def rows_of(space: str) -> tuple[dict[str, Any], ...]:
    drawn = folder.draw(space, source_of(space), Request(DRAWS[space]), Sample(NUMBER))
    return tuple(row.document(space) for row in drawn.rows)


@cache
def rules_beside(space: str) -> Mapping[str, Any]:
    return rules_of(source_of(space))


def scored(row: dict[str, Any], answer: Any) -> tuple[float, str]:
    """The score by the checker, with the rules beside it."""
    return checker.score(row, answer, rules_beside(row["space"]))


def invoke(*arguments: object) -> Any:
    return CliRunner().invoke(cli, ["instances", *map(str, arguments)])


@pytest.mark.parametrize("space", DRAWS)
def test_every_answer_is_optimal_by_the_checker_and_ids_are_different(space: str) -> None:
    rows = rows_of(space)
    assert len(rows) == NUMBER
    assert len({row["id"] for row in rows}) == NUMBER
    for row in rows:
        assert scored(row, row["answer"]) == (1.0, f"optimal: {row['least']}"), row["id"]


def test_that_there_are_fewer_than_wanted_is_told_before_they_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    heard = list[str]()
    made = folder._made

    def make(*given: Any) -> Any:
        heard.append("making")
        return made(*given)

    monkeypatch.setattr(folder, "_made", make)
    source, request = source_of("sliding_blocks"), Request(("2x3",))
    drawn = folder.draw("sliding_blocks", source, request, Sample(1000), heard.append, heard.append)
    told = f"there are {len(drawn.rows)} instances to draw from, fewer than --number 1,000"
    assert heard.index("making") > heard.index(told) > heard.index(f"{len(drawn.rows)} candidates found")
    assert heard[-1] == f"0 of {len(drawn.rows)} instances are checked"
    assert not drawn.warnings  # the card says how many there are


def corrupted(row: dict[str, Any]) -> Iterator[list[str]]:
    """Answers that are wrong whatever the puzzle."""
    answer = row["answer"]
    yield answer[:-1]
    yield [*answer, answer[-1]]
    yield ["", *answer[1:]]
    yield ["x 1 1", *answer[1:]]
    if row["puzzle"]["kind"] == "block":
        yield ["." * row["puzzle"]["columns"]] * len(answer)
        yield [line + "#" for line in answer]
    if row["puzzle"]["kind"] == "cover":
        yield [answer[1], answer[0], *answer[2:]]
        yield [line.replace("0", "1") for line in answer]
    if row["puzzle"]["kind"] == "slide":
        yield [f"{line.split()[0]} 1 99" for line in answer]
    if row["puzzle"]["kind"] == "jump":
        yield ["==>".join(reversed(line.split("==>"))) for line in answer]
    if row["puzzle"]["kind"] == "reduce":
        yield ["1 1 U", *answer]  # no peg is above
        yield [answer[0], *answer]


@pytest.mark.parametrize("space", DRAWS)
def test_corrupted_answers_score_less(space: str) -> None:
    for row in rows_of(space):
        for answer in [*corrupted(row), [], "B 1 2", None, [1], [None]]:
            points, why = scored(row, answer)
            assert points < 1, (row["id"], answer, why)
            assert why.startswith(("wrong: ", "right: ")), why


def test_a_right_answer_that_is_longer_scores_the_least_by_its_number() -> None:
    row = next(row for row in rows_of("klotski") if row["least"] > 1)
    sign = row["answer"][0].split()[0]
    at = [(r + 1, c + 1) for r, line in enumerate(row["puzzle"]["board"]) for c, s in enumerate(line) if s == sign]
    home = f"{sign} {min(r for r, _ in at)} {min(c for _, c in at)}"
    points, why = checker.score(row, [row["answer"][0], home, *row["answer"]])
    assert points == row["least"] / (row["least"] + 2)
    assert why == f"right: {row['least'] + 2}, the least is {row['least']}"


@pytest.mark.parametrize("space", DRAWS)
def test_no_group_is_on_both_sides_and_there_are_both(space: str) -> None:
    sides = defaultdict(set)
    for row in rows_of(space):
        sides[row["group"]].add(row["split"])
    assert all(len(found) == 1 for found in sides.values())
    assert {row["split"] for row in rows_of(space)} == {"train", "test"}


@pytest.mark.parametrize("space", ["klotski", "sliding_blocks", "solitaire"])
def test_what_moves_join_is_on_one_side(space: str) -> None:
    """No position on the way of one instance, nor an image of it, is on the way of an instance of the other side."""
    sides: dict[Any, set[str]] = defaultdict(set)
    for row in rows_of(space):
        for position in positions_of(row):
            for image in images_of(row, position):
                sides[image].add(row["split"])
    assert all(len(found) == 1 for found in sides.values())


def test_a_group_of_klotski_and_its_mirror_image_are_one() -> None:
    """In the class 6-1-6 almost every group with a way to the exit has another as its image."""
    (found,) = batches(Request(("6-1-6",), "steps"))
    group = dict(zip(found.key.tolist(), found.group.tolist(), strict=True))
    layouts = layouts_of(ClassName(6, 1, 6))
    images = layouts.groups.group_num[np.searchsorted(layouts.codes, mirror(layouts.codes))]
    own = dict(zip(layouts.codes.tolist(), layouts.groups.group_num.tolist(), strict=True))
    image = dict(zip(layouts.codes.tolist(), images.tolist(), strict=True))
    assert any(own[code] != image[code] for code in group)
    for one in group:
        assert all(group[one] == group[other] for other in group if own[other] in (own[one], image[one]))


@pytest.mark.parametrize("space", ["klotski", "sliding_blocks", "solitaire"])
def test_no_two_instances_are_images_of_one_another(space: str) -> None:
    seen: dict[Any, str] = {}
    for row in rows_of(space):
        start = next(positions_of(row))
        for image in images_of(row, start):
            assert seen.setdefault(image, row["id"]) == row["id"]


def pieces(board: list[str]) -> dict[str, frozenset[tuple[int, int]]]:
    found = defaultdict(set)
    for r, line in enumerate(board):
        for c, sign in enumerate(line):
            if sign != ".":
                found[sign].add((r, c))
    return {sign: frozenset(cells) for sign, cells in found.items()}


def positions_of(row: dict[str, Any]) -> Iterator[Any]:
    """The positions of an answer, the start first: cells with pegs, or all pieces and the one that has a goal."""
    puzzle = row["puzzle"]
    if puzzle["kind"] == "jump":
        cells = cells_of(puzzle)
        pegs = {cells[hole] for hole in puzzle["pegs"]}
        yield frozenset(pegs)
        for line in row["answer"]:
            stops = [cells[int(word)] for word in line.split("==>")]
            for (r, c), (s, d) in pairwise(stops):
                pegs ^= {(r, c), ((r + s) // 2, (c + d) // 2), (s, d)}
                yield frozenset(pegs)
        return
    here = pieces(puzzle["board"])
    yield frozenset(here.values()), here[puzzle["piece"]]
    for line in row["answer"]:
        sign, *place = line.split()
        down, right = (int(word) - 1 - min(cell[axis] for cell in here[sign]) for axis, word in enumerate(place))
        here[sign] = frozenset((r + down, c + right) for r, c in here[sign])
        yield frozenset(here.values()), here[puzzle["piece"]]


def cells_of(puzzle: dict[str, Any]) -> dict[int, tuple[int, int]]:
    return {
        int(word): (r, c)
        for r, line in enumerate(puzzle["board"])
        for c, word in enumerate(line.split())
        if word != "."
    }


def images_of(row: dict[str, Any], position: Any) -> Iterator[Any]:
    """The images of a position with its goal under the symmetries of its board."""
    puzzle = row["puzzle"]
    if puzzle["kind"] == "jump":
        cells = cells_of(puzzle)
        group = symmetries(frozenset(cells.values()), puzzle["grid"])
        yield from ((frozenset(image[cell] for cell in position), image[cells[puzzle["goal"][0]]]) for image in group)
        return
    rows, columns = len(puzzle["board"]), len(puzzle["board"][0])
    turns = [(1, 1, 0), (1, -1, 0)] if row["space"] == "klotski" else [(a, b, 0) for a in (1, -1) for b in (1, -1)]
    turns += [(a, b, 1) for a in (1, -1) for b in (1, -1)] if rows == columns and row["space"] != "klotski" else []
    own, marked = position
    for down, right, swapped in turns:

        def image(cells: frozenset[tuple[int, int]]) -> frozenset[tuple[int, int]]:
            turned = {(r if down > 0 else rows - 1 - r, c if right > 0 else columns - 1 - c) for r, c in cells}  # noqa: B023
            return frozenset((c, r) if swapped else (r, c) for r, c in turned)  # noqa: B023

        goal = naive_sliding.shape(marked), tuple(puzzle["to"])
        corner = [(goal[1][0] - 1 + r, goal[1][1] - 1 + c) for r, c in goal[0]]
        yield rows, frozenset(map(image, own)), image(marked), image(frozenset(corner))


@cache
def symmetries(board: frozenset[tuple[int, int]], grid: str) -> list[dict[tuple[int, int], tuple[int, int]]]:
    return naive_solitaire.symmetries(board, grid)


def test_the_least_of_sliding_blocks_and_the_goal_are_those_of_a_slow_search() -> None:
    for row in rows_of("sliding_blocks")[::6]:
        board = row["puzzle"]["board"]
        here = pieces(board)
        start = frozenset(here.values()), here["A"]
        group = next(found for found in naive_sliding.groups(len(board), len(board[0]), [start[0]]))
        assert naive_sliding.corner_puzzles(len(board), len(board[0]), group)[start] == row["least"]


def test_the_least_of_solitaire_is_that_of_a_slow_search() -> None:
    for row in rows_of("solitaire")[::6]:
        cells = cells_of(row["puzzle"])
        board, goal = frozenset(cells.values()), frozenset({cells[row["puzzle"]["goal"][0]]})
        start = frozenset(cells[hole] for hole in row["puzzle"]["pegs"])
        found = naive_solitaire.layers(board, row["puzzle"]["grid"], start, row["least"])
        assert [goal in layer for layer in found] == [False] * row["least"] + [True]


def test_the_least_and_the_number_of_solutions_of_five_in_a_row_are_those_of_a_slow_search() -> None:
    small = [row for row in rows_of("five_in_a_row") if row["difficulty"] <= 7 and row["puzzle"]["k"] == 5]
    assert small
    for row in small:
        shape = row["puzzle"]["rows"], row["puzzle"]["columns"]
        assert naive_five.fewest(shape, 5) == (row["least"], int(row["solutions"]))


def test_the_least_and_the_number_of_solutions_of_klotski_are_those_of_a_slow_search() -> None:
    kinds = {(2, 2): "block", (1, 2): "lying", (2, 1): "standing", (1, 1): "single"}
    for row in [row for row in rows_of("klotski") if row["least"] <= 5]:
        start = frozenset(
            (kinds[max(r for r, _ in own) - min(own)[0] + 1, max(c for _, c in own) - min(own)[1] + 1], *min(own))
            for own in pieces(row["puzzle"]["board"]).values()
        )
        reached = [{start}]
        while not any(map(naive_klotski.at_exit, reached[-1])):
            reached.append({other for layout in reached[-1] for other in naive_klotski.steps(layout)})
        assert len(reached) - 1 == row["least"]
        assert naive_klotski.shortest_solutions(start) == int(row["solutions"])


def test_the_classic_start_has_81_steps_in_256_ways_and_116_unit_moves_and_one_good_step_of_eight() -> None:
    start = klotski.parse("1A9BF0C")
    (found,) = instances(ClassName(5, 4, 1), np.array([start.code], dtype=np.uint64))
    assert (found.least, found.solutions, len(found.answer)) == (81, 256, 81)
    assert found.metrics == {"steps": 81, "unit_moves": 116}
    after = {one.move: one.least for one in found.actions}
    assert set(after) == set(checker.KINDS["slide"].moves(found.puzzle, tuple(found.puzzle["board"])))
    for move, least in after.items():
        state = checker.KINDS["slide"].step(found.puzzle, tuple(found.puzzle["board"]), move)
        way = klotski.solution("\n".join(state))
        assert way is not None
        assert len(way.layouts) - 1 == least


def test_every_move_of_solitaire_is_labelled_with_what_a_slow_search_finds() -> None:
    kind = checker.KINDS["jump"]
    for row in [row for row in rows_of("solitaire") if row["least"] <= 3][::4]:
        cells, puzzle = cells_of(row["puzzle"]), row["puzzle"]
        board, goal = frozenset(cells.values()), frozenset({cells[puzzle["goal"][0]]})
        moves = kind.moves(puzzle, frozenset(puzzle["pegs"]))
        assert {one["move"] for one in row["actions"]} == set(moves)
        for one in row["actions"]:
            here = frozenset(cells[hole] for hole in moves[one["move"]])
            layers = naive_solitaire.layers(board, puzzle["grid"], here, len(here))
            assert one["least"] == next((steps for steps, layer in enumerate(layers) if goal in layer), None)
            assert one["optimal"] == (one["least"] == row["least"] - 1)
        assert row["metrics"] == {"moves": row["least"], "jumps": len(puzzle["pegs"]) - 1}


def test_instances_without_an_answer_are_proved_and_a_no_is_right_for_them_alone() -> None:
    """Each proof is tried, and one that is altered proves nothing; a slow search finds no way either."""
    drawn = [
        row.document(space)
        for space, parts, number in (
            ("solitaire", ("rectangle3x5",), 100),
            ("klotski", ("3-8-1", "6-1-6"), 24),
            ("sliding_blocks", ("3x3",), 24),
        )
        for row in folder.draw(space, source_of(space), Request(parts, unsolvable=True), Sample(number)).rows
    ]
    kinds: dict[str, int] = defaultdict(int)
    for row in drawn:
        if row["least"] is not None:
            assert checker.score(row, checker.UNSOLVABLE) == (0.0, "wrong: it can be solved")
            assert row["certificate"] is None
            continue
        proof = row["certificate"]
        kinds[proof["kind"]] += 1
        assert checker.score(row, ["unsolvable"]) == (1.0, "optimal: there is no way")
        assert checker.score(row, [row["actions"][0]["move"]] if row["actions"] else [])[0] == 0
        assert not any(one["optimal"] for one in row["actions"] or [])
        checker.prove(row, checker.KINDS)
        if kinds[proof["kind"]] > 3:
            continue
        altered = {
            "group": {"kind": "group", "positions": proof.get("positions", 0) + 1},
            "parity": {"kind": "parity", "holes": proof.get("holes", [])[1:]},
            "weights": {"kind": "weights", "weights": dict.fromkeys(proof.get("weights", {}), 1)},
        }[proof["kind"]]
        for other in (altered, {"kind": "faith"}):
            with pytest.raises(ValueError, match=r"."):
                checker.prove({**row, "certificate": other}, checker.KINDS)
    assert set(kinds) == {"group", "parity", "weights"}
    solved = next(row for row in drawn if row["least"])
    with pytest.raises(ValueError, match="the group has a goal"):
        checker.prove({**solved, "certificate": {"kind": "group", "positions": 50_000}}, checker.KINDS)
    with pytest.raises(ValueError, match="it is called unsolvable, and has this answer"):
        checker.score({**solved, "least": None}, solved["answer"])


def test_positions_on_the_way_have_the_rest_of_the_answer_and_every_difficulty() -> None:
    """Also of a start's least difficulty, 1, where starts alone begin later; on the side of their start."""
    for space, part, number in (("sliding_blocks", "2x3", 200), ("rush_hour", "4x4-1", 60)):
        chosen = folder.draw(space, source_of(space), Request((part,), middle=True), Sample(number)).rows
        rows = [row.document(space) for row in chosen]
        middles = [row for row in rows if "-middle-" in row["id"]]
        assert 0 < len(middles) < len(rows)
        assert {row["difficulty"] for row in rows} == set(range(1, 1 + max(row["difficulty"] for row in rows)))
        for row in middles:
            assert len(row["answer"]) == row["least"] == row["difficulty"]
            assert scored(row, row["answer"])[0] == 1
            assert {one["least"] for one in row["actions"] if one["optimal"]} == {row["least"] - 1}
        sides = defaultdict(set)
        for row in rows:
            sides[row["group"]].add(row["split"])
        assert all(len(found) == 1 for found in sides.values())


def test_the_baseline_of_a_card_is_what_the_checker_prints(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "drawn"
    assert invoke("solitaire", "--of", "rectangle3x5", "--number", 40, "--baseline", "--out", out).exit_code == 0
    assert checker.main(["--baseline", str(out / "test-00000-of-00001.jsonl")]) == 0
    randomly, search = map(json.loads, capsys.readouterr().out.splitlines())
    card = (out / "README.md").read_text()
    assert f"| random moves | {randomly['score']} | {randomly['right']} | {randomly['optimal']} | 8 |" in card
    assert (search["score"], search["optimal"], search["instances"]) == (1.0, 8, 8)
    assert "| breadth first, 2,000 positions | 1.0 | 8 | 8 | 8 |" in card


def test_certificates_of_all_files_are_tried_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "drawn"
    assert invoke("sliding_blocks", "--of", "3x3", "--number", 40, "--unsolvable", "--out", out).exit_code == 0
    test, train = sorted(out.glob("*.jsonl"))
    assert checker.main(["--certificates", str(test), str(train)]) == 0
    proved = [json.loads(line)["proved"] for line in capsys.readouterr().out.splitlines()]
    assert proved == [4, 16]
    train.write_text(re.sub(r'("positions": ?)', r"\g<1>1", train.read_text()))
    assert checker.main(["--certificates", str(train), str(test)]) == 1
    assert checker.main(["--certificates"]) == 2


def test_the_checker_imports_nothing_but_the_standard_library_and_runs_alone(tmp_path: Path) -> None:
    source = Path(checker.__file__).read_text(encoding="utf-8")
    names = {
        name.split(".")[0]
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names])
    }
    assert names <= sys.stdlib_module_names
    out = tmp_path / "drawn"
    assert invoke("solitaire", "--of", "rectangle3x5", "--number", 20, "--out", out).exit_code == 0
    lines = [json.loads(line) for file in out.glob("*.jsonl") for line in file.read_text().splitlines()]
    instances, answers = tmp_path / "all.jsonl", tmp_path / "answers.jsonl"
    instances.write_text("".join(json.dumps(line) + "\n" for line in lines))

    def run(given: list[dict[str, Any]]) -> tuple[int, str]:
        answers.write_text("".join(json.dumps(one) + "\n" for one in given))
        command = [sys.executable, "-I", "-S", str(out / "check.py"), str(instances), str(answers)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
        assert done.stderr == ""
        return done.returncode, done.stdout

    right = [{"id": line["id"], "answer": line["answer"]} for line in lines]
    assert run(right) == (0, '{"instances": 20, "score": 20.0, "optimal": 20}\n')
    code, said = run([{**right[0], "answer": ["1==>2"]}, *right[2:]])
    assert code == 1
    assert f"{lines[0]['id']}: wrong: move 1, '1==>2': no jump leads from 1 to 2\n{lines[1]['id']}: missing\n" in said
    assert '"score": 18.0' in said
    for content, fault in (
        ("{", "line 1: no JSON"),
        ("[]", "not an object with an id"),
        ('{"id": "a"}\n{"id": "a"}', "a is there twice"),
    ):
        answers.write_text(content)
        command = [sys.executable, "-I", "-S", str(out / "check.py"), str(instances), str(answers)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert fault in done.stderr


def digests(out: Path) -> dict[str, str]:
    files = sorted(path for path in out.rglob("*") if path.is_file())
    return {path.relative_to(out).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def test_the_same_command_writes_the_same_bytes_and_another_seed_draws_others(tmp_path: Path) -> None:
    for name, seed in (("one", 1), ("two", 1), ("three", 2)):
        result = invoke("sliding_blocks", "--of", "3x3", "--number", 30, "--seed", seed, "--out", tmp_path / name)
        assert result.exit_code == 0, result.output
    one, two, three = (digests(tmp_path / name) for name in ("one", "two", "three"))
    assert one == two
    assert one["train-00000-of-00001.jsonl"] != three["train-00000-of-00001.jsonl"]
    sums = (tmp_path / "one" / "SHA256SUMS").read_text().splitlines()
    assert dict(line.split("  ")[::-1] for line in sums) == {
        name: digest for name, digest in one.items() if name != "SHA256SUMS"
    }


def test_no_file_is_longer_than_allowed_and_parquet_holds_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder, "MOST_BYTES", 40_000)
    out = tmp_path / "drawn"
    assert invoke("board_division", "--of", "covers", "--number", 60, "--out", out).exit_code == 0
    lines = sorted(out.glob("train-*.jsonl"))
    assert len(lines) > 1
    assert all(path.stat().st_size <= 40_000 for path in lines)
    written = [json.loads(line) for path in lines for line in path.read_text().splitlines()]
    packed = [row for path in lines for row in pq.read_table(path.with_suffix(".parquet")).to_pylist()]
    for row in packed:
        row |= {name: json.loads(row[name]) for name in folder.NESTED if row[name] is not None}
    assert packed == written


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("toy",), "has no instances"),
        (("go",), "there is no space 'go'"),
        (("klotski", "--of", "9-9-9"), "class 9-9-9 has no layout"),
        (("klotski", "--of", "6-1-3", "--of", "06-1-3"), "two of them are named 6-1-3"),
        (("klotski", "--strata", "moves"), "--strata moves: instances can be stratified by steps"),
        (("solitaire", "--of", "english"), "33 holes"),
        (("sliding_blocks", "--of", "5x5"), "trays of 1 to 16 cells"),
        (("sliding_blocks", "--of", "round"), "write a tray"),
        (("five_in_a_row", "--of", "99"), "write a length of lines, 2 to 8"),
        (("board_division", "--of", "lines"), "write covers or rectangles"),
        (("board_division", "--number", "0"), "at least 1"),
        (("board_division", "--test-fraction", "1.5"), "a share from 0 to 1"),
        (("board_division", "--test-fraction", "half"), "write a share, such as 0.2"),
        (("board_division", "--difficulty", "60..40"), "ends before it begins"),
        (("board_division", "--difficulty", "hard"), "or a range such as 40..60"),
        (("sliding_blocks", "--of", "2x3", "--difficulty", "900.."), "of difficulty 900.., has an answer"),
        (("board_division", "--bins", "-1"), "--bins -1"),
        (("klotski", "--of", "3-8-1", "--middle"), "--middle: these instances are no hardest starts"),
        (("five_in_a_row", "--of", "7", "--number", "2", "--pddl"), "cannot be written so; known for it: minizinc"),
    ],
)
def test_errors_say_what_to_do(arguments: tuple[str, ...], said: str, tmp_path: Path) -> None:
    result = invoke(*arguments, "--out", tmp_path / "drawn")
    assert result.exit_code == 2, result.output
    assert said in result.stderr
    assert not (tmp_path / "drawn").exists()


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of a class of Klotski, which lists hard puzzles of small trays, and placements on small boards."""
    folder = tmp_path_factory.mktemp("finished")
    small = {
        "sliding_blocks": {"trays": [[2, 3], [3, 3]], "records_from": 3},
        "five_in_a_row": {"squares": [[5, 6]], "boards": [[5, 7, 6]]},
        "klotski": {"classes": ["1-1-0"]},
    }
    run(small, str(folder), workers=0)
    return folder


def test_hard_puzzles_are_drawn_from_a_run_that_lists_them(finished: Path, tmp_path: Path) -> None:
    out, data = tmp_path / "drawn", ("--data", finished)
    assert invoke("sliding_blocks", *data, "--of", "3x3", "--number", 30, "--out", out).exit_code == 0
    rows = [json.loads(line) for path in out.glob("*.jsonl") for line in path.read_text().splitlines()]
    assert len(rows) == 30
    assert min(row["least"] for row in rows) >= 3
    assert all(checker.score(row, row["answer"])[0] == 1.0 for row in rows)
    assert (
        "`boardspace instances sliding_blocks --of 3x3 --number 30 --seed 1 --data DATA`"
        in (out / "README.md").read_text()
    )
    result = invoke("sliding_blocks", *data, "--of", "4x5", "--out", tmp_path / "more")
    assert "the dataset lists hard puzzles of 2x3, 3x3" in result.stderr
    result = invoke("sliding_blocks", *data, "--unsolvable", "--out", tmp_path / "more")
    assert "puzzles that have an answer alone; leave out --data" in result.stderr
    result = invoke("solitaire", *data, "--out", tmp_path / "more")
    assert "no dataset of solitaire; it has " in result.stderr


def test_layouts_drawn_from_a_run_are_those_that_are_computed(finished: Path, tmp_path: Path) -> None:
    drawn, computed, number = tmp_path / "drawn", tmp_path / "computed", ("--number", 30)
    assert invoke("klotski", "--data", finished, *number, "--out", drawn).exit_code == 0
    assert invoke("klotski", "--of", "1-1-0", *number, "--out", computed).exit_code == 0
    names = sorted(path.name for path in computed.glob("*.jsonl"))
    assert names
    assert [(drawn / name).read_bytes() for name in names] == [(computed / name).read_bytes() for name in names]
    result = invoke("klotski", "--data", finished, "--of", "5-4-1", "--out", tmp_path / "more")
    assert "the dataset holds no layout of this class" in result.stderr


def test_boards_are_drawn_from_a_run_that_lists_their_placements(finished: Path, tmp_path: Path) -> None:
    out, data = tmp_path / "drawn", ("--data", finished)
    assert invoke("five_in_a_row", *data, "--number", 30, "--strata", "cells", "--out", out).exit_code == 0
    rows = [json.loads(line) for path in out.glob("*.jsonl") for line in path.read_text().splitlines()]
    assert {row["id"]: (row["least"], row["solutions"]) for row in rows}["five_in_a_row-5-listed-6x7"] == (8, "6")
    assert all(row["puzzle"]["rows"] <= row["puzzle"]["columns"] for row in rows)
    assert all(checker.score(row, row["answer"])[0] == 1.0 for row in rows)
    result = invoke("five_in_a_row", *data, "--of", "3", "--out", tmp_path / "more")
    assert "the dataset lists placements for lines of 5" in result.stderr


def test_a_folder_that_is_not_empty_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("here")
    result = invoke("five_in_a_row", "--of", 8, "--number", 2, "--out", tmp_path)
    assert result.exit_code == 2
    assert "is not empty" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


@pytest.mark.parametrize("point", ["written", "renamed"])
def test_the_same_command_goes_on_after_one_that_did_not_come_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, point: str
) -> None:
    command = ("five_in_a_row", "--of", 8, "--number", 4, "--minizinc", "--out")
    assert invoke(*command, tmp_path / "whole").exit_code == 0
    out = tmp_path / "out"

    def until_the_disk_is_full(path: Path, content: bytes) -> object:
        if path.parent.name == "minizinc":  # after the files of the folder itself
            monkeypatch.setenv("BOARDSPACE_FAILPOINT", f"file-{point}@ENOSPC@{tmp_path / 'token'}")
        return write_bytes(path, content)

    monkeypatch.setattr("boardspace.storage.files.write_bytes", until_the_disk_is_full)
    done = invoke(*command, out)
    assert (done.exit_code, "no space left; free some and run the same command again" in done.output) == (2, True)
    assert (out / ".unfinished").exists()
    (out / f"{TEMPORARY}1").write_bytes(b"half")  # a killed command leaves one
    assert invoke(*command, out).exit_code == 0
    assert dataset_bytes(out) == dataset_bytes(tmp_path / "whole")


def test_the_example_of_the_page_runs_as_it_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "instances.md").read_text()
    (command,) = re.findall(r"```sh\nboardspace instances (.+)\n```", page)
    (code,) = re.findall(r"```python\n(.+?)```", page, re.DOTALL)
    (printed,) = re.findall(r"prints `(.+)`\.", page)
    monkeypatch.chdir(tmp_path)
    result = invoke(*command.split())
    assert result.exit_code == 0, result.output
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == printed
    listed = re.findall(r"[\w-]+\.(?:md|jsonl|parquet|py)|SHA256SUMS", page.split("```\npuzzles/")[1].split("```")[0])
    assert sorted(listed) == sorted(path.name for path in Path("puzzles").iterdir())
