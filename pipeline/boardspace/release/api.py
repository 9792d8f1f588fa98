"""A web server that answers the questions of all spaces in JSON, on loopback: ``GET /v1/SPACE/QUESTION?name=value``.

It asks the functions that the command line and Python ask, and keeps what was searched for the next question. Requests
are answered one at a time; their parameters bound the work. ``/v1`` lists the questions, and ``/openapi.json``
describes them for programs.
"""

import json
from collections.abc import Mapping
from functools import partial
from http import HTTPStatus
from threading import Lock
from typing import Any
from urllib.parse import parse_qsl, unquote

from boardspace.release.atlas.serve import LocalHandler, Server, server_of
from boardspace.spec.arguments import shown
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.question import Question
from boardspace.spec.registry import error_text, spaces

ROOT = "/v1"
LONGEST_PATH = 8192
MOST_PARAMETERS = 16
PATIENCE = 10
"""Seconds that a request waits for those before it, and that a connection may say nothing."""
Questions = Mapping[str, Question]


class RequestError(Exception):
    """A request that is not answered: its status, and why."""

    def __init__(self, status: HTTPStatus, reason: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(reason)
        self.status, self.headers = status, headers or {}


class ApiHandler(LocalHandler):
    """Answers in JSON; what cannot be answered has a status of 400 or more and a reason, ``{"error": ...}``."""

    timeout = PATIENCE

    def __init__(self, *args: Any, questions: Questions, turn: Lock, **kwargs: Any) -> None:
        self.questions, self.turn = questions, turn
        super().__init__(*args, **kwargs)

    def answer(self) -> None:
        try:
            found = self._found()
        except RequestError as error:
            self.refuse(error.status, str(error), error.headers)
        except BoardspaceError as error:
            self.refuse(HTTPStatus.BAD_REQUEST, str(error))
        except MemoryError:
            self.refuse(HTTPStatus.SERVICE_UNAVAILABLE, "there is not enough memory for that")
        except Exception as error:  # the server goes on, whatever a plug-in raises
            self.refuse(HTTPStatus.INTERNAL_SERVER_ERROR, f"an error in boardspace or a plug-in: {error_text(error)}")
        else:
            self._send_json(HTTPStatus.OK, found)

    def refuse(self, status: HTTPStatus, text: str, headers: Mapping[str, str] | None = None) -> None:
        self._send_json(status, {"error": text or status.phrase, "status": status.value}, headers)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Refuse what is no request that this server reads, as another method or a line that is too long. A body is not
        read, so the connection is closed."""
        self.close_connection = True
        if code == HTTPStatus.NOT_IMPLEMENTED:
            self.refuse(HTTPStatus.METHOD_NOT_ALLOWED, "questions are asked by GET", {"Allow": "GET, HEAD"})
        else:
            self.refuse(HTTPStatus(code), message or "")

    def _send_json(self, status: HTTPStatus, document: Any, headers: Mapping[str, str] | None = None) -> None:
        content = json.dumps(document, ensure_ascii=False).encode(errors="backslashreplace")
        always = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
        self.send(status, content + b"\n", "application/json", {**always, **(headers or {})})

    def _found(self) -> Any:
        """The answer to the request; RequestError or BoardspaceError where there is none."""
        if len(self.path) > LONGEST_PATH:
            raise RequestError(HTTPStatus.REQUEST_URI_TOO_LONG, f"a path has at most {LONGEST_PATH:,} characters")
        try:
            asked = self.asked()
            given = parse_qsl(
                asked.query,
                keep_blank_values=True,
                strict_parsing=bool(asked.query),
                errors="strict",
                max_num_fields=MOST_PARAMETERS,
            )
            path = unquote(asked.path, errors="strict").rstrip("/")
        except ValueError as error:
            raise RequestError(HTTPStatus.BAD_REQUEST, f"the path cannot be read: {error}") from None
        if path == "/openapi.json":
            return description(self.questions)
        if path in ("", ROOT):
            return {"questions": {name: one.doc for name, one in self.questions.items()}, "openapi": "/openapi.json"}
        question = self.questions.get(path.removeprefix(f"{ROOT}/")) if path.startswith(f"{ROOT}/") else None
        if question is None:
            raise RequestError(HTTPStatus.NOT_FOUND, f"there is no {shown(path)}; {ROOT} lists the questions")
        if len(dict(given)) < len(given):
            raise RequestError(HTTPStatus.BAD_REQUEST, "a parameter is given twice")
        if not self.turn.acquire(timeout=PATIENCE):
            raise RequestError(HTTPStatus.SERVICE_UNAVAILABLE, "busy with other questions", {"Retry-After": "10"})
        try:
            return question.answer(dict(given))
        finally:
            self.turn.release()


def all_questions() -> Questions:
    """The questions of all spaces and plug-ins, by their paths below ROOT."""
    return {f"{name}/{question.name}": question for name, space in spaces().items() for question in space.questions}


def answering(port: int) -> Server:
    """A server of all questions on this port of loopback (0: any free one), to be run by ``serve_forever``."""
    return server_of(partial(ApiHandler, questions=all_questions(), turn=Lock()), port)


def description(questions: Questions) -> dict[str, Any]:
    """The questions as a document of OpenAPI 3.1."""
    wrong = {"description": "Not answered, and why.", "content": {"application/json": {"schema": {"type": "object"}}}}
    paths = {}
    for name, question in questions.items():
        parameters = [
            {
                "name": one.name,
                "in": "query",
                "description": one.doc,
                "required": one.required,
                "schema": one.schema,
                "example": int(one.example) if one.kind == "number" else one.example,
            }
            for one in question.parameters
        ]
        answer = {"description": question.doc, "content": {"application/json": {"schema": {"type": "object"}}}}
        paths[f"{ROOT}/{name}"] = {
            "get": {
                "operationId": name.replace("/", "_"),
                "summary": question.doc,
                "parameters": parameters,
                "responses": {"200": answer, "400": wrong, "404": wrong, "414": wrong, "503": wrong},
            }
        }
    return {
        "openapi": "3.1.0",
        "info": {"title": "boardspace", "version": "1", "license": {"name": "MIT", "identifier": "MIT"}},
        "paths": paths,
    }
