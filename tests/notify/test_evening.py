from collections.abc import Iterator
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from bot.demo_chat import DEMO_GROUP, DEMO_USERS
from bot.line.client import LineDown
from bot.notify.evenings import BREAK, LAST, REST, last_evening
from rating.merge import DayLine
from rating.own_games import OwnGame
from tests.backend import Backend
from tests.fakes.line import fake_line
from tests.fakes.platform import Platform
from tests.fakes.tenhou import FakeTenhou
from tests.fakes.tenhou_room import RoomPlay
from tests.sync.evenings import NAMES, TOML, A, B, C
from tests.sync.nights import NIGHT, Nights, nights

PUSH = "/v2/bot/message/push"
Line = tuple[Platform, dict[str, str]]
STEP = timedelta(minutes=1)


@pytest.fixture
def line() -> Iterator[Line]:
    with fake_line("http://127.0.0.1:9/callback") as made:
        yield made


@pytest.fixture
def night(tmp_path: Path, tenhou: FakeTenhou, backend: Backend, line: Line) -> Iterator[Nights]:
    with nights(tmp_path, tenhou, backend, **line[1]) as made:
        (made.folder / "league.toml").write_text(f"evening = true\n{TOML}", "utf-8")
        yield made


def game(
    night: Nights,
    begin: float,
    tenths: tuple[int, int, int],
    last: float = 30,
) -> RoomPlay:
    start = NIGHT + timedelta(minutes=begin)
    return night.room.play(
        start,
        start + timedelta(minutes=last),
        (A, B, C),
        tenths,
    )


def sent(line: Line) -> list[Any]:
    return [message["text"] for message in line[0].messages(DEMO_GROUP)]


def test_the_first_game_and_the_last(night: Nights, line: Line) -> None:
    rows = (
        (2, (523, 0, -523)),
        (40, (100, 200, -300)),
        (
            75,
            (10, -20, 10),
        ),
    )
    played = [game(night, *row) for row in rows]
    night.service()
    night.until(played[0].end + timedelta(minutes=4), STEP)
    assert sent(line) == [f"8月10日(月)の1戦目：トップ {A} +52.3、2着 {B} ±0.0、ラス {C} −52.3"]
    night.until(played[-1].end + REST - STEP, 4 * STEP)
    assert len(sent(line)) == 1
    night.until(played[-1].end + REST + timedelta(minutes=21), STEP)
    assert sent(line)[1:] == [
        f"8月10日(月)はここまで全3戦。\n合計トップ {A} +63.3、最多トップ {A}（2回）"
    ]
    night.until(
        played[-1].end + timedelta(hours=5),
        timedelta(minutes=15),
    )
    assert len(sent(line)) == 2
    assert line[0].refused() == []


def test_an_evening_names_nobody_where_names_are_hidden(night: Nights, line: Line) -> None:
    played = [
        game(night, 2, (523, 0, -523)),
        game(
            night,
            40,
            (100, 200, -300),
        ),
    ]
    service = night.service()
    hidden = line[0].add_group("もうひとつ", [DEMO_USERS[0].id])
    service.access.enrol(hidden)
    service.state.chats.hide_names(hidden, True)
    night.until(played[-1].end + REST + timedelta(minutes=21), STEP)
    for chat, names in ((DEMO_GROUP, True), (hidden, False)):
        texts = [message["text"] for message in line[0].messages(chat)]
        assert len(texts) == 2
        assert [name in "".join(texts) for name in (A, B, C)] == [names] * 3


@pytest.mark.parametrize("asks", [True, False])
def test_a_single_game_is_told_once_where_somebody_asks(
    night: Nights, line: Line, asks: bool
) -> None:
    switch = "evening = true\n" if asks else ""
    (night.folder / "league.toml").write_text(switch + TOML, "utf-8")
    played = game(night, 2, (523, 0, -523))
    night.service()
    night.until(played.end + timedelta(hours=3), timedelta(minutes=10))
    assert len(sent(line)) == asks
    assert len(line[0].calls(PUSH)) == asks


def test_each_group_once_whatever_dies_or_blips(night: Nights, line: Line) -> None:
    played = [
        game(night, 2, (523, 0, -523)),
        game(
            night,
            40,
            (100, 200, -300),
        ),
    ]
    service = night.service()
    other = line[0].add_group("もうひとつ", [DEMO_USERS[0].id])
    service.access.enrol(other)
    line[0].fail_next(PUSH, status=500, times=4)
    while night.room.jst < played[-1].end + timedelta(hours=2):
        night.tenhou.clock.forward(minutes=4)
        night.tick()
        if night.room.jst.minute % 20 == 0:
            night.crash(night.services[0])
            night.service()
    for chat in (DEMO_GROUP, other):
        assert len(line[0].messages(chat)) == 2


def test_what_began_before_is_no_other(
    night: Nights, line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two tables play, and a group has not got the first line yet when the longer game ends."""
    game(night, 10, (523, 0, -523), 20)
    begin = NIGHT + timedelta(minutes=2)
    longer = night.room.play(
        begin,
        begin + timedelta(hours=1),
        NAMES[3:6],
        (100, 200, -300),
    )
    service = night.service()
    other = line[0].add_group("もうひとつ", [DEMO_USERS[0].id])
    service.access.enrol(other)
    push = service.line.push

    def blips(chat: str, *more: Any) -> None:
        if chat == other and night.room.jst < longer.end:
            raise LineDown("LINE does not answer", later=True)
        push(chat, *more)

    monkeypatch.setattr(service.line, "push", blips)
    night.until(longer.end + timedelta(minutes=10), STEP)
    for chat in (DEMO_GROUP, other):
        assert len(line[0].messages(chat)) == 1


def test_a_game_heard_of_late_is_no_news(night: Nights, line: Line) -> None:
    """The service was off; in the night it sends nothing about the first game, and the whole once."""
    played = [
        game(night, 2, (523, 0, -523)),
        game(
            night,
            40,
            (100, 200, -300),
        ),
    ]
    night.at(played[-1].end + timedelta(hours=3))
    night.service()
    night.until(played[-1].end + timedelta(hours=4), STEP)
    assert sent(line) == [] or sent(line)[0].startswith("8月10日(月)はここまで全2戦。")
    assert len(sent(line)) <= 1


def own(begin: datetime, last: float) -> OwnGame:
    end = begin + timedelta(minutes=last)
    raw = f"C1017 | {begin:%H:%M} | 三般南喰赤－ | a(+1.0) b(0.0) c(-1.0)".encode()
    return OwnGame(
        f"{end:%Y%m%d%H%M%S}",
        end,
        (DayLine(begin.date(), raw),),
        started=True,
        stood=True,
    )


@given(
    st.lists(
        st.tuples(
            st.integers(0, 2800),
            st.integers(5, 60),
        ),
        min_size=1,
        max_size=20,
        unique=True,
    )
)
def test_an_evening_has_no_long_break_between_games(
    made: list[tuple[int, int]],
) -> None:
    noon = datetime(2026, 8, 9, 12, 0)
    games = [own(noon + timedelta(minutes=at), last) for at, last in made]
    evening = last_evening(games)
    inside = [game for game in games if evening.begin <= game.end <= evening.end]
    assert evening.end == max(game.end for game in games)
    assert evening.games == len(inside)
    before = [game.end for game in games if game.end < evening.begin]
    assert all(evening.first.end - end >= timedelta() for end in before)
    assert evening.first.end == min(game.end for game in inside)
    assert evening.wants(evening.end + BREAK, playing=True) != LAST
    assert date(2026, 8, 9) <= evening.begin.date()


@pytest.mark.parametrize(
    ("pause", "games"),
    [(BREAK - STEP, 2), (BREAK, 1)],
)
def test_a_break_ends_an_evening(pause: timedelta, games: int) -> None:
    first = own(datetime(2026, 8, 9, 12, 0), 30)
    evening = last_evening([first, own(first.end + pause, 30)])
    assert evening is not None
    assert evening.games == games


def test_no_games_no_evening() -> None:
    assert last_evening([]) is None
