"""``boardspace serve --api``: the functions that Python asks, over HTTP, for spaces that ship and for plug-ins."""

import http.client
import json
import re
import socket
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import quote, urlencode

import pytest

from boardspace import klotski, rush_hour, sliding_blocks
from boardspace.graphs.questions import answers
from boardspace.release.api import LONGEST_PATH, all_questions, answering, description
from boardspace.spec import sliding

ROOT = Path(__file__).resolve().parents[3]
Answer = tuple[int, dict[str, str], Any]


@pytest.fixture(scope="module")
def port(puzzles: None) -> Iterator[int]:
    with answering(0) as server:
        thread = Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


def ask(port: int, path: str, method: str = "GET", **headers: str) -> Answer:
    """Status, headers and document of an answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request(method, path, headers=headers)
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return answer.status, dict(answer.getheaders()), json.loads(content) if content else None


def test_every_question_answers_its_example(port: int) -> None:
    questions = all_questions()
    assert {"klotski", "sliding_blocks", "solitaire", "lamps", "beads"} <= {name.split("/")[0] for name in questions}
    assert ask(port, "/v1")[2]["questions"].keys() == questions.keys()
    for name, question in questions.items():
        if name != "beads/moves":  # its largest size is beyond a question
            status, headers, document = ask(port, f"/v1/{quote(name)}?{urlencode(question.example)}")
            assert (status, headers["Content-Type"]) == (200, "application/json"), (name, document)


def test_the_best_move_of_klotski_leads_to_the_exit_in_as_many_steps_as_are_told(port: int) -> None:
    code, left = "4FEA134", klotski.describe("4FEA134").steps_to_exit
    assert left
    while left:
        _, _, found = ask(port, f"/v1/klotski/moves?layout={code}")
        assert found["steps_to_exit"] == left
        assert {move["code"] for move in found["moves"]} == {s.layout.text for s in klotski.neighbours(code)}
        code, left = found["moves"][0]["code"], left - 1
        assert found["moves"][0]["steps_to_exit"] == left
    assert klotski.describe(code).steps_to_exit == 0


def test_every_move_is_told_with_its_exact_distance(port: int) -> None:
    _, _, found = ask(port, f"/v1/klotski/moves?layout={quote('横刀立马')}")
    for move in found["moves"]:
        assert move["steps_to_exit"] == klotski.describe(move["code"]).steps_to_exit
    _, _, found = ask(port, "/v1/sliding_blocks/moves?board=ABBC/DEEC/DFG.&piece=A&to=3,1")
    for move in found["moves"]:
        way = sliding_blocks.solve(move["board"], "A", (3, 1))
        assert move["steps"] == (None if way is None else len(way.moved))
    assert ask(port, "/v1/klotski/moves?layout=1A9BF0C&metric=unit")[2]["steps_to_exit"] == 116
    _, _, found = ask(port, "/v1/sliding_blocks/moves?board=A%23./.%23./...&piece=A&to=1,3&walls=%23&metric=unit")
    assert (found["steps"], [move["board"] for move in found["moves"]]) == (6, [".#./A#./..."])
    _, _, found = ask(port, "/v1/rush_hour/moves?board=AA.B/...B/CC.B/....")
    for one in (found, *found["moves"]):
        solved = rush_hour.solve(one["board"])
        assert one["steps"] == (None if solved is None else len(solved.moved))
    asked = answers("lamps")
    _, _, found = ask(port, "/v1/lamps/moves?state=%235")
    choices = {choice["move"]: (choice["state"], choice["moves"]) for choice in found["choices"]}
    assert choices == {name: (f"#{state}", asked.distance(state)) for name, state in asked.moves(5).items()}
    assert ask(port, "/v1/solitaire/moves?board=triangle15&vacancy=1&pegs=all%20but%201")[2]["moves_to_win"] == 10


def test_no_way_is_an_answer(port: int) -> None:
    assert ask(port, "/v1/klotski/solution?layout=00AABFC00")[2] == {"solvable": False}
    assert ask(port, "/v1/klotski/moves?layout=00AABFC00")[2]["solvable"] is False


def test_what_cannot_be_answered_has_a_status_and_a_reason(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sliding, "MOST_OF_A_GROUP", 1 << 12)  # a million positions take five seconds
    for path, status, reason in (
        ("/v1/klotski/moves", 400, "the parameter layout is missing, such as 1A9BF0C00"),
        ("/v1/klotski/moves?layout=XYZ", 400, "is not a hexadecimal digit"),
        ("/v1/klotski/moves?layout=1A9BF0C&layout=1A9BF0C", 400, "given twice"),
        ("/v1/klotski/moves?layout=1A9BF0C&more=1", 400, "there is no parameter 'more'; there are: layout"),
        ("/v1/klotski/moves?layout=%FF", 400, "the path cannot be read"),
        ("/v1/klotski/moves?" + "a=1&" * 30, 400, "the path cannot be read"),
        (f"/v1/klotski/moves?layout={'1' * 5000}", 400, "longer than 4,096 characters"),
        (f"/v1/klotski/moves?layout={'1' * LONGEST_PATH}", 414, "at most 8,192 characters"),
        ("/v1/klotski/absent", 404, "/v1 lists the questions"),
        ("/v1/../etc/passwd", 404, "there is no"),
        ("/v1/board_division/rectangle?m=9999999999999999999&n=1", 400, "is no number"),
        ("/v1/board_division/rectangle?m=101&n=1", 400, "m: 101 is not from 0 to 100"),
        ("/v1/board_division/rectangle?m=-6&n=1", 400, "m: -6 is not from 0 to 100"),
        ("/v1/five_in_a_row/fewest?rows=13&columns=14&k=4", 400, "seconds"),
        ("/v1/sliding_blocks/moves?board=A.&piece=A&to=x", 400, "to: 'x' is no place; one is 3,3"),
        (f"/v1/sliding_blocks/moves?board=ABCDEF../{'/'.join(['.' * 8] * 7)}&piece=A", 400, "4,096 positions"),
        ("/v1/solitaire/moves?board=/etc/passwd&vacancy=1&pegs=1", 400, "no board of that name ships"),
        ("/v1/solitaire/moves?board=wiegleb&vacancy=23&pegs=1", 400, ""),
        ("/v1/lamps/moves?size=rows", 400, "is not of the form rows=3,columns=4"),
        ("/v1/lamps/moves?size=rows=3,columns=3,rows=2", 400, "each name once"),
        ("/v1/lamps/moves?state=%23-1", 400, ""),
    ):
        found = ask(port, path)
        assert found[0] == status, (path, found)
        assert reason in found[2]["error"], (path, found)
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "BREW"):
        refused = ask(port, "/v1/klotski/moves?layout=1A9BF0C", method)
        assert (refused[0], refused[1]["Allow"]) == (405, "GET, HEAD")
    assert ask(port, "/v1", "HEAD")[::2] == (200, None)
    assert ask(port, "/v1", Host="elsewhere.example")[0] == 403


def test_text_that_a_client_does_not_escape_is_read_as_utf_8(port: int) -> None:
    """As curl sends what is typed; http.client refuses to."""
    for typed, wanted in (("横刀立马".encode(), b'"code": "1A9BF0C00"'), (b"\xff", b"the path cannot be read")):
        with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
            connection.sendall(b"GET /v1/klotski/moves?layout=" + typed + b" HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n")
            assert wanted in connection.makefile("rb").read()


def test_what_is_no_http_does_not_end_the_server(port: int) -> None:
    for content in (b"\0\0\0\0\r\n\r\n", b"GET /v1 HTTP/9.9\r\n\r\n", b"GET " + b"a" * 70_000 + b" HTTP/1.1\r\n\r\n"):
        with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
            connection.sendall(content)
            assert re.match(rb"HTTP/1.1 (4|505)|.*error", connection.recv(1 << 16), re.DOTALL)
    assert ask(port, "/v1")[0] == 200


def test_the_description_of_the_page_is_that_of_the_questions_that_ship() -> None:
    shipped = {
        name: one
        for name, one in all_questions().items()
        if (ROOT / "pipeline/boardspace/spaces" / name.split("/")[0]).is_dir()
    }
    assert json.loads((ROOT / "docs" / "openapi.json").read_text()) == description(shipped)


def test_the_client_of_the_page_plays_the_best_moves(port: int, capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs" / "api_http.md").read_text()
    client = re.findall(r"```python\n(.*?)```", page, re.DOTALL)[0]
    assert client.count("\n") <= 20
    exec(client.replace("8765", str(port)), {})
    assert capsys.readouterr().out.splitlines()[-1] == "81 steps"
