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


def test_start_of_a_game_is_read_from_the_id() -> None:
    start = start_in_id("https://tenhou.net/0/?log=2026081021gm-0019-11017-00000001&tw=1")
    assert start.hour == datetime(2026, 8, 10, 21)
    assert start.room == "1017"
    assert start.day == DAY
    assert start_in_id("2026139921gm-0019-11017-00000001") is None
    assert start_in_id("game.mjlog") is None
    record_start = start_in_id(entry().id)
    assert record_start is not None
    assert could_be(record_start, game("21:00"))
    assert not could_be(record_start, game("23:00"))


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
def test_record_is_matched_to_its_game(played: Game) -> None:
    expected = {played: entry()} if played in FITTING else {}
    assert match([entry()], [played], same) == expected


def test_only_game_of_the_hour_is_matched_without_points() -> None:
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


def test_record_without_id_is_matched_by_points() -> None:
    nameless = entry("", day=None)
    assert match([nameless], [game()], same) == {game(): nameless}
    twice = [game(), game("22:40")]
    assert match([nameless], twice, same) == {}, "two games could be it"
    dated = entry("", day=DAY)
    later = game(day=DAY + timedelta(days=3))
    assert match([dated], [game(), later], same) == {game(): dated}
    first = game("21:05", line=1)
    second = game("21:35", line=2)
    first_head = entry()
    second_head = entry("2026081021gm-0019-11017-00000002")
    assert match([first_head, second_head], [first, second], same) == {
        first: first_head,
        second: second_head,
    }
    assert match([first_head], [first, second], same) == {first: first_head}


def test_players_are_matched_by_names_of_the_day() -> None:
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
def test_each_record_is_matched_once(drawn: list[tuple[int, int, int, int]]) -> None:
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
    for number, (day, hour, minute, result) in enumerate(drawn):
        when = DAY + timedelta(days=7 * day)
        games.append(game(f"{hour}:{minute:02}", results[result], day=when, line=number))
        paifu = f"{when:%Y%m%d}{hour}gm-0019-11017-{number:08x}"
        scores = tuple(zip(NAMES, map(float, results[result]), strict=True))
        entries.append(entry(paifu, day=when, scores=scores))
    made = match(list(reversed(entries)), games, same)
    assert len(made) == len(games)
    assert len({head.id for head in made.values()}) == len(games)
    for played, head in made.items():
        moment = start_in_id(head.id)
        assert moment is not None
        assert could_be(moment, played)
        assert dict(head.scores) == {seat.player: seat.score for seat in played.seats}


def test_log_has_the_points_of_each_record() -> None:
    ids = [f"2026081021gm-0019-11017-{seed:08x}" for seed in range(4)]
    records = [read_record(seed, 3) for seed in range(4)]
    named = zip(records, ids, strict=True)
    entries = [entry_of(made, paifu, DAY) for made, paifu in named]
    log = b""
    for entry in entries:
        log = merged(log, entry)
    assert merged(b"", *reversed(entries)) == log
    assert merged(log, *entries) == log
    record = read_record(2, 3)
    entry_with_points = entry_of(record, "2026081021gm-0019-11017-00000001", DAY)
    assert record.scores is not None
    assert entry_with_points.scores == tuple(zip(record.players, record.scores, strict=True))
    assert read(merged(b"", entry_with_points)) == [entry_with_points]
    assert heads(merged(b"", entry_with_points) + b"odd\n{}\n") == [entry_with_points.head]
    older = PaifuEntry(
        entry_with_points.key,
        entry_with_points.file,
        entry_with_points.id,
        DAY,
        3,
        entry_with_points.statistics,
    )
    log = merged(b"", older)
    assert b"scores" not in log
    assert read(merged(log, entry_with_points)) == [entry_with_points]
    assert merged(merged(b"", entry_with_points), older) == merged(b"", entry_with_points)
    broken = merged(b"", entry_with_points).replace(b'"scores":[[', b'"scores":[["x",NaN],[')
    assert read(broken) == []


def test_points_of_real_records_sum_to_zero() -> None:
    for path in RECORDS:
        scores = entry_of(record_of(path)).scores
        assert abs(sum(score for _, score in scores)) < 0.2
