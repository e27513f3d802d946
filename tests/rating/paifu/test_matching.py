from datetime import date, datetime, time, timedelta

import pytest
from hypothesis import given, strategies as st

from bot.league.paifu_log import entry_of
from rating.games import Game, Seat
from rating.paifu.game_start import could_be, start_in_id
from rating.paifu.matching import match
from rating.paifu.recordlog import PaifuEntry, PaifuHead, heads, merged, read
from tests.rating.paifu.records import read as read_record, record_of
from tests.real import RECORDS

DAY = date(2026, 8, 10)
NAMES = ("東野", "南原", "西田")


def game(
    start: str = "21:40",
    scores: tuple[float, ...] = (50, 2, -52),
    **fields: object,
) -> Game:
    results = zip(NAMES, scores, strict=True)
    seats = tuple(Seat(name, score) for name, score in results)
    made = {
        "day": DAY,
        "start": time.fromisoformat(start) if start else None,
        "room": "C1017",
        **fields,
    }
    return Game(seats, **made)  # type: ignore[arg-type]


def entry(paifu: str = "2026081021gm-0019-11017-00000001", **fields: object) -> PaifuHead:
    made = {
        "day": DAY,
        "scores": (("西田", -52.0), ("東野", 50.0), ("南原", 2.0)),
        **fields,
    }
    names = tuple(name for name, _ in made["scores"])  # type: ignore[attr-defined]
    return PaifuHead(paifu or "key", paifu or "file-1", paifu, seats=3, names=names, **made)  # type: ignore[arg-type]


def same(name: str, day: date | None) -> str:
    return name


def test_the_moment_in_an_id_and_what_it_could_be() -> None:
    found = start_in_id("https://tenhou.net/0/?log=2026081021gm-0019-11017-00000001&tw=1")
    assert found.hour == datetime(2026, 8, 10, 21)
    assert found.room == "1017"
    assert found.day == DAY
    assert start_in_id("2026139921gm-0019-11017-00000001") is None
    assert start_in_id("game.mjlog") is None
    moment = start_in_id(entry().id)
    assert moment is not None
    assert could_be(moment, game("21:00"))
    assert not could_be(moment, game("23:00"))


LATER = DAY + timedelta(days=2)
FITTING = (
    game(),
    game("21:00"),
    game("21:59"),
    game("22:05"),
    game("20:55"),
    game(""),
    game("21:30", day=DAY - timedelta(days=1)),
    game(day=None),
    game(room=""),
)
OTHERS = (
    game("20:40"),
    game("22:20"),
    game(room="C1018"),
    game(day=LATER),
    game("", day=LATER),
)


@pytest.mark.parametrize("played", [*FITTING, *OTHERS], ids=repr)
def test_a_record_and_its_game_or_another(played: Game) -> None:
    expected = {played: entry()} if played in FITTING else {}
    assert match([entry()], [played], same) == expected


def test_without_equal_points_the_only_game_left_of_the_hour_is_taken() -> None:
    corrected = game(scores=(48, 4, -52))
    assert match([entry()], [corrected], same) == {corrected: entry()}
    assert match([entry()], [corrected], same, points=True) == {}
    assert (
        match(
            [entry()],
            [corrected, game("21:05", (10, 0, -10))],
            same,
        )
        == {}
    )
    plain = read(merged(b"", entry_of(read_record(1, 3), "2026081021gm-0019-11017-00000002", DAY)))[
        0
    ]
    old = PaifuEntry(plain.key, plain.file, plain.id, DAY, 3, plain.statistics).head
    assert set(old.names) == set(NAMES)
    assert heads(
        merged(
            b"",
            PaifuEntry(plain.key, plain.file, plain.id, DAY, 3, plain.statistics),
        )
    ) == [old]
    early = game("21:02", (10, 0, -10))
    late = game("21:40")
    assert match([old, entry()], [early, late], same) == {late: entry(), early: old}
    assert match([old], [early, late], same) == {}


def test_without_an_id_players_and_points_tell_and_equal_games_get_a_record_each() -> None:
    nameless = entry("", day=None)
    assert match([nameless], [game()], same) == {game(): nameless}
    twice = [game(), game("22:40")]
    assert match([nameless], twice, same) == {}, "two games could be it"
    dated = entry("", day=DAY)
    later = game(day=DAY + timedelta(days=3))
    assert match([dated], [game(), later], same) == {game(): dated}
    first = game("21:05", line=1)
    second = game("21:35", line=2)
    one = entry()
    two = entry("2026081021gm-0019-11017-00000002")
    assert match([one, two], [first, second], same) == {first: one, second: two}
    assert match([one], [first, second], same) == {first: one}


def test_players_are_known_by_their_names_of_the_day_and_guests_by_none() -> None:
    played = Game(
        (Seat("NoName#1", 50), Seat("南原", 2), Seat("NoName#2", -52)),
        DAY,
        time(21, 40),
        "C1017",
    )
    guests = entry(
        scores=(
            ("NoName", 50.0),
            ("みなみ", 2.0),
            ("NoName", -52.0),
        )
    )

    def player_of(name: str, day: date | None) -> str:
        return "南原" if name == "みなみ" and day == DAY else name

    assert match([guests], [played], player_of) == {played: guests}


PLAYED = st.tuples(
    st.integers(0, 2),
    st.integers(20, 23),
    st.integers(0, 59),
    st.integers(0, 2),
)


@given(st.lists(PLAYED, max_size=8))
def test_each_game_s_record_is_found_and_none_twice(found: list[tuple[int, int, int, int]]) -> None:
    """Each game has a record in its own hour: all get one, and it fits in hour, players and
    points.
    """
    results = (
        (50, 2, -52),
        (30, 0, -30),
        (12.5, 1.5, -14),
    )
    games = []
    entries = []
    for number, (day, hour, minute, result) in enumerate(found):
        when = DAY + timedelta(days=7 * day)
        games.append(game(f"{hour}:{minute:02}", results[result], day=when, line=number))
        paifu = f"{when:%Y%m%d}{hour}gm-0019-11017-{number:08x}"
        scores = tuple(zip(NAMES, map(float, results[result]), strict=True))
        entries.append(entry(paifu, day=when, scores=scores))
    made = match(list(reversed(entries)), games, same)
    assert len(made) == len(games)
    assert len({one.id for one in made.values()}) == len(games)
    for played, one in made.items():
        moment = start_in_id(one.id)
        assert moment is not None
        assert could_be(moment, played)
        assert dict(one.scores) == {seat.player: seat.score for seat in played.seats}


def test_the_log_keeps_the_points_of_one_and_of_several() -> None:
    ids = [f"2026081021gm-0019-11017-{seed:08x}" for seed in range(4)]
    records = [read_record(seed, 3) for seed in range(4)]
    named = zip(records, ids, strict=True)
    entries = [entry_of(made, paifu, DAY) for made, paifu in named]
    log = b""
    for one in entries:
        log = merged(log, one)
    assert merged(b"", *reversed(entries)) == log
    assert merged(log, *entries) == log
    record = read_record(2, 3)
    told = entry_of(record, "2026081021gm-0019-11017-00000001", DAY)
    assert record.scores is not None
    assert told.scores == tuple(zip(record.players, record.scores, strict=True))
    assert read(merged(b"", told)) == [told]
    assert heads(merged(b"", told) + b"odd\n{}\n") == [told.head]
    older = PaifuEntry(told.key, told.file, told.id, DAY, 3, told.statistics)
    log = merged(b"", older)
    assert b"scores" not in log
    assert read(merged(log, told)) == [told]
    assert merged(merged(b"", told), older) == merged(b"", told)
    broken = merged(b"", told).replace(b'"scores":[[', b'"scores":[["x",NaN],[')
    assert read(broken) == []


def test_the_points_of_real_records_sum_to_zero() -> None:
    for path in RECORDS:
        scores = entry_of(record_of(path)).scores
        assert abs(sum(score for _, score in scores)) < 0.2
