"""The digest of a day."""

from __future__ import annotations

from datetime import date

from bot.notify.digest import digest
from rating.games import Game, Seat
from rating.standings import Rating

DAY = date(2020, 5, 18)


def game(*seats: tuple[str, float]) -> Game:
    return Game(tuple(Seat(player, score) for player, score in seats), DAY)


def test_a_day_in_lines() -> None:
    games = [
        game(("甲", 40.0), ("乙", 0.0), ("丙", -40.0)),
        game(("乙", 20.0), ("甲", 5.5), ("丙", -25.5)),
        game(("甲", 10.0), ("NoName", 0.0), ("乙", -10.0)),
    ]
    before = {"甲": Rating(1500.4, 9), "乙": Rating(1510.0, 9)}
    after = {"甲": Rating(1512.2, 12), "乙": Rating(1510.0, 12), "丙": Rating(1480.0, 2)}
    lines = digest(DAY, games, before, after, lambda player: {"甲": "こう"}.get(player, player))
    assert lines == [
        "5月18日(月)の結果（3局）",
        "トップ最多: こう 2回",
        "こう +55.5 (1着2 2着1 3着0) R1512 (+12)",
        "乙 +10.0 (1着1 2着1 3着1) R1510 (±0)",
        "丙 −65.5 (1着0 2着0 3着2) R1480 (初)",
    ]


def test_a_day_without_games_is_silent() -> None:
    assert digest(DAY, [], {}, {}) == []


def test_those_who_share_the_most_first_places() -> None:
    games = [game(("甲", 1.0), ("乙", 0.0), ("丙", -1.0)), game(("乙", 1.0), ("丙", 0.0), ("甲", -1.0))]
    assert digest(DAY, games, {}, {})[1] == "トップ最多: 乙、甲 1回"
