"""What readers of a league's page have made is bounded."""

import ast
import importlib
import inspect
from functools import partial
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from bot.answers.catalogue import CATALOGUE
from bot.answers.common import ratings, scope
from bot.page import figures, routes
from bot.page.figures import NAMES
from bot.page.views import SHOWN
from bot.service import Service
from bot.web import create_web


class Reader:
    """A reader of a page of its own process; `made` are the questions that it had answered."""

    def __init__(self, service: Service, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
        app = Flask(__name__)
        app.register_blueprint(create_web(service))
        self.client: FlaskClient = app.test_client()
        self.token = url.rpartition("/")[2]
        self.made: list[Any] = []
        answered = routes.answered

        def counted(question: Any) -> Any:
            self.made.append(question.command)
            return answered(question)

        monkeypatch.setattr(routes, "answered", counted)

    def get(self, path: str) -> tuple[int, str]:
        answer = self.client.get(f"/league/{self.token}{path}")
        return answer.status_code, answer.text


@pytest.fixture
def reader(service: Service, url: str, monkeypatch: pytest.MonkeyPatch) -> Reader:
    return Reader(service, url, monkeypatch)


@pytest.mark.parametrize("path", ["", "/figures"])
def test_names_that_mean_nothing_make_no_new_answer(reader: Reader, path: str) -> None:
    pages = {reader.get(f"{path}?ask=player&z={number}&q{number}=1") for number in range(30)}
    assert len(pages) == 1
    assert len(reader.made) == 1


def test_the_order_and_length_of_a_query_make_no_new_answer(reader: Reader) -> None:
    reader.get("?ask=rating&season=2&model=tenhou")
    reader.get("?model=tenhou&season=2&ask=rating")
    reader.get(f"?season=2&model=tenhou&ask=rating&ask={'x' * 999}")
    assert len(reader.made) == 1


def test_a_replay_is_made_once_for_all_games(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    replay = routes.replay
    monkeypatch.setattr(routes, "replay", lambda league: made.append(league) or replay(league))
    pages = {reader.get(f"?game={number}&round={number}") for number in range(20)}
    assert [status for status, _ in pages] == [200]
    assert len(made) == 1


def test_a_link_has_so_many_answers_made(
    service: Service, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(routes, "LINK", (3.0, 0.0))
    reader = Reader(service, url, monkeypatch)
    statuses = [reader.get(f"?ask=rating&span={span}")[0] for span in range(50, 55)]
    assert statuses == [200, 200, 200, 429, 429]
    assert reader.get("?ask=rating&span=50")[0] == 200, "what is made already is no work"


def read_names(module: Any) -> set[str]:
    """The names of options that a module's functions read."""
    tree = ast.parse(inspect.getsource(module))
    return {
        call.args[0].value
        for call in ast.walk(tree)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr == "option"
        and isinstance(call.args[0], ast.Constant)
    }


def test_the_query_has_every_option_that_shown_answers_read() -> None:
    modules = {scope, ratings, figures}
    for name in SHOWN & set(CATALOGUE):
        answer = CATALOGUE[name].answer
        if isinstance(answer, partial):
            answer = answer.func
        assert answer is not None
        modules.add(importlib.import_module(answer.__module__))
    names = set[str]().union(*map(read_names, modules))
    assert names - NAMES == {"do"}, "自分, which the page does not show, reads `do`"
