"""The link to a league's page: who gets it, what it opens, what ends it, and what others learn from
it.
"""

import base64
import hashlib
import json
import random
import re
import urllib.error
import urllib.request
from http.client import HTTPMessage
from statistics import median
from time import perf_counter
from types import SimpleNamespace
from typing import Any, cast

import pytest

from bot.chat.access import ChatAccess
from bot.chat.links import LeagueLinks
from bot.demo_chat import DEMO_GROUP
from bot.page.html import GONE
from bot.page.routes import CSP
from storage.state import State
from tests.answers.conftest import world  # noqa: F401
from tests.answers.world import ADMIN, BotWorld

DAY = 86400
HEADERS = {
    "Content-Security-Policy": CSP,
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex",
    "X-Content-Type-Options": "nosniff",
}


def get(url: str, **headers: str) -> tuple[int, HTTPMessage, str]:
    try:
        with urllib.request.urlopen(
            urllib.request.Request(url, headers=headers), timeout=10
        ) as answer:
            return answer.status, answer.headers, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read().decode()


def link(world: BotWorld, data: str = "request_page") -> str:  # noqa: F811
    """The address of the one button that opens a link in the answer."""
    (uri,) = re.findall(r'"uri": "([^"]+)"', json.dumps(world.tap(data)))
    return cast(str, uri)


def test_a_members_link_opens_the_page_and_says_nothing_of_line(world: BotWorld) -> None:  # noqa: F811
    url = link(world)
    status, headers, text = get(url)
    assert (status, "みどり" in text, "雀録杯" in text) == (200, True, True)
    assert {name: headers[name] for name in HEADERS} == HEADERS
    assert headers["Cache-Control"].startswith("private")
    assert headers["Set-Cookie"] is None
    assert "<script>" not in text
    assert " style=" not in text
    content = (
        text + base64.urlsafe_b64decode(url.rpartition("/")[2].partition(".")[0] + "==").decode()
    )
    assert not re.search(r"[UCR][0-9a-f]{32}|みどり一色", content)
    member = hashlib.sha256("みどり一色".encode()).hexdigest()[:12]
    assert "みどり" in get(link(world, f"request_page?member={member}"))[2]


def test_all_links_end_at_an_admins_word_and_with_the_enrolment(world: BotWorld) -> None:  # noqa: F811
    first = link(world)
    assert world.platform.say(DEMO_GROUP, ADMIN, "リンクを無効にする").status == 200
    world.tap("request_end_links", ADMIN)
    gone = get(first)
    assert (gone[0], GONE in gone[2]) == (404, True)
    second = link(world)
    assert get(second)[0] == 200
    world.service.access.enrol("C" + "9" * 32, "")
    world.service.links.end("")
    assert get(second)[0] == 404
    third = link(world)
    assert "管理者専用" in json.dumps(world.tap("request_end_links"), ensure_ascii=False)
    assert get(third)[0] == 200


def test_every_cause_gives_the_same_page_until_it_is_too_much(world: BotWorld) -> None:  # noqa: F811
    url = link(world)
    world.service.links.end("")
    base, _, token = url.rpartition("/")
    pages = {
        get(f"{base}/{wrong}")[2] for wrong in (token, "x", "x.y", token[:-1], token.swapcase())
    }
    assert len(pages) == 1
    codes = [get(f"{base}/{number}")[0] for number in range(130)]
    assert (codes[0], codes[-1]) == (404, 429)
    assert get(link(world))[0] == 200  # a good link opens all the same


def links_of(state: State, clock: Any = lambda: 1e9) -> tuple[LeagueLinks, ChatAccess]:
    access = ChatAccess(state.chats, lambda chat, user: False, frozenset(), frozenset())
    return LeagueLinks(
        access, state.values, "secret", 30, lambda: "https://bot.example", clock
    ), access


@pytest.mark.any_backend("asks a store of its own")
def test_altered_links_open_nothing_in_the_same_time(state: State) -> None:
    links, access = links_of(state)
    access.enrol("C1", "north")
    good = links.url("north").rpartition("/")[2]
    assert links.league(links.words(good)) == "north"
    chance = random.Random(30)
    signs = good.replace(".", "") + "=_-~%"
    spent: dict[bool, list[float]] = {True: [], False: []}
    links.end("north")  # so that `good` is well signed and ended, the others are altered
    for number in range(3_000):
        altered = list(good)
        for _ in range(chance.randint(1, 3)):
            place = chance.randrange(len(altered))
            altered[place] = chance.choice(signs.replace(altered[place], ""))
        token = "".join(altered) if number % 10 else good
        began = perf_counter()
        words = links.words(token)
        assert links.league(words) is None
        is_altered = number % 10 > 0
        spent[is_altered].append(perf_counter() - began)
        assert not words or token == good
    assert 0.5 < median(spent[True]) / median(spent[False]) < 2


@pytest.mark.any_backend("asks a store of its own")
def test_links_open_their_own_league_for_their_days(
    state: State,
) -> None:
    time = SimpleNamespace(now=1e9)
    links, access = links_of(state, lambda: time.now)
    names = [f"league-{number}" for number in range(100)]
    for number, name in enumerate(names):
        access.enrol(f"C{number}", name)
    tokens = {name: links.url(name).rpartition("/")[2] for name in names}
    heads = {name: token.partition(".") for name, token in tokens.items()}
    for name in names:
        assert links.league(links.words(tokens[name])) == name
        for other in names:
            if other != name:
                assert links.words(f"{heads[name][0]}.{heads[other][2]}") == ""
    links.end(names[0])
    access.remove("C1")
    leagues = [links.league(links.words(tokens[name])) for name in names[:3]]
    assert leagues == [None, None, names[2]]
    time.now += 30 * DAY - 1
    assert links.league(links.words(tokens[names[2]])) == names[2]
    time.now += 1
    assert links.words(tokens[names[2]]) == ""
