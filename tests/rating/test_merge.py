import random
from collections import Counter
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from rating.merge import games_of, merge
from rating.roomlog import parse
from tests.real import SEASONS

D17, D18, D19, D20 = (date(2020, 5, day) for day in (17, 18, 19, 20))


def line(start: str, points: int = 10, name: str = "東") -> bytes:
    return f"C1234 | {start} | 三般南喰赤－ | {name}({points:+}.0) 南(0.0) 西({-points:+}.0)".encode()


def test_an_empty_log_gets_a_date_and_a_grown_file_only_what_is_new() -> None:
    merged = merge(b"", {D18: [line("20:10"), line("19:00")]})
    assert merged.data == b"20200518\n" + line("19:00") + b"\n" + line("20:10") + b"\n"
    assert merged.added == ((D18, line("19:00")), (D18, line("20:10")))
    first = merge(b"", {D18: [line("19:00"), line("20:10")]}).data
    second = merge(first, {D18: [line("19:00"), line("19:30"), line("20:10"), line("23:59")]})
    assert [raw for _, raw in second.added] == [line("19:30"), line("23:59")]
    assert [game.start.minute for game in parse("", second.data).games if game.start] == [0, 30, 10, 59]


def test_a_missed_day_goes_to_its_place_and_titles_and_header_stay() -> None:
    old = (
        b"20200517\n"
        + line("20:00")
        + b"\n# a yakuman\n\n"
        + "第2シーズン\n20200519\n".encode()
        + line("21:00")
        + b"\n"
    )
    new = merge(old, {D18: [line("20:00", 20)]}).data
    assert new == old.replace(b"# a yakuman\n", b"# a yakuman\n20200518\n" + line("20:00", 20) + b"\n")
    old = b"\xef\xbb\xbfroomID | time | rule | Players\n20200519\n" + line("21:00") + b"\n"
    new = merge(old, {D18: [line("20:00", 20)]}).data
    assert new.startswith(b"\xef\xbb\xbfroomID | time | rule | Players\n20200518\n")
    bare = merge(b"\xef\xbb\xbf20200519\n", {D18: [line("20:00")]}).data
    assert bare == b"\xef\xbb\xbf20200518\n" + line("20:00") + b"\n20200519\n"


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("#5/17", "#5/18"), ("＃5/17", "＃5/18"), ("# 05/17", "# 05/18"), ("20200517", "20200518"),
        ("2020-05-17", "2020-05-18"), ("2020年5月17日 (日)", "2020年5月18日"), ("5月17日", "5月18日"),
    ],
)  # fmt: skip
def test_new_dates_are_written_the_way_the_log_writes_its_own(written: str, expected: str) -> None:
    old = f"{written}\r\n".encode() + line("20:00") + b"\r\n"
    new = merge(old, {D18: [line("20:00", 20)]}).data
    assert new == old + expected.encode() + b"\r\n" + line("20:00", 20) + b"\r\n"


def test_blank_lines_are_kept_up_and_a_last_newline_made() -> None:
    old = b"20200516\n" + line("20:00") + b"\n\n20200517\n" + line("20:00", 20) + b"\n\n"
    new = merge(old, {D18: [line("20:00", 30)]}).data
    assert new == old[:-1] + b"\n20200518\n" + line("20:00", 30) + b"\n\n"
    old = b"20200518\n" + line("20:00")
    assert merge(old, {D18: [line("21:00")]}).data == old + b"\n" + line("21:00") + b"\n"
    assert merge(old, {D18: [line("19:00")]}).data == b"20200518\n" + line("19:00") + b"\n" + line("20:00")


def test_a_date_glued_to_a_game_stays_and_games_find_their_day_around_it() -> None:
    old = b"20200517\n" + line("20:00") + b"20200519\n" + line("21:00", 20) + b"\n"
    days = {D17: [line("23:00", 30)], D18: [line("12:00", 40)], D19: [line("22:00", 50)]}
    new = parse("", merge(old, days).data)
    assert line("20:00") + b"20200519\n" in new.to_bytes()
    assert sorted((g.day, g.seats[0].score) for g in new.games if g.day) == [
        (D17, 10.0), (D17, 30.0), (D18, 40.0), (D19, 20.0), (D19, 50.0),
    ]  # fmt: skip
    last = merge(b"20200517\n" + line("20:00") + b"20200518", {D18: [line("12:00", 40)]}).data
    assert last.endswith(b"20200518\n" + line("12:00", 40) + b"\n")


def test_games_pasted_late_equal_or_unreadable_stand_once() -> None:
    undated = line("20:00") + b"\n"
    assert merge(undated, {D18: [line("20:00")]}).added == ()
    forgotten = b"#5/17\n" + line("23:50") + b"\n" + line("00:10") + b"\n" + line("21:00", 20) + b"\n"
    assert merge(forgotten, {D18: [line("00:10")], D19: [line("21:00", 20)]}).added == ()
    assert len(merge(forgotten, {date(2020, 5, 26): [line("21:00", 20)]}).added) == 1
    old = b"20200517\n" + line("23:10") + b"\n" + line("00:15") + b"\n"
    starts = [g.start.hour for g in parse("", merge(old, {D17: [line("23:40")]}).data).games if g.start]
    assert starts == [23, 23, 0]
    one = merge(b"", {D18: [line("20:00")]}).data
    two = merge(one, {D18: [line("20:00"), line("20:00")]})
    assert (len(two.added), merge(two.data, {D18: [line("20:00")]}).added) == (1, ())
    odd = "C1234 | 20:30 | 三般南喰赤－ | 東（＋１０） 南(0.0)".encode()
    once = merge(b"20200518\n" + line("21:00") + b"\n", {D18: [odd, b"\r\n"]})
    assert once.data.splitlines()[1] == odd
    assert merge(once.data, {D18: [odd]}).added == ()


@pytest.mark.parametrize(
    "bad", [b"20200518", line("20:00") + b"\n" + line("21:00"), line("20:00") + b"20200519"]
)
def test_what_is_no_line_of_results_is_refused(bad: bytes) -> None:
    with pytest.raises(ValueError, match="not a line of a room's results"):
        merge(b"", {D18: [bad]})


DAYS = [D17 + timedelta(days=n) for n in range(6)]
NOTES = [
    "", "# note", "第3シーズン", "room | time", "なにか", "#5/18", "＃5/20", "20200519", "2020/05/21", "5/17",
]  # fmt: skip


def games() -> st.SearchStrategy[dict[date, list[bytes]]]:
    """Games by day. Each day has its own points, so equal lines are always of the same day."""
    made = st.builds(
        lambda day, minute, name: (day, line(f"{20 + minute // 60}:{minute % 60:02d}", day.day * 2, name)),
        st.sampled_from(DAYS), st.integers(0, 179), st.sampled_from(["東", "烏龍茶(黒)", "宮永|咲", "NoName"]),
    )  # fmt: skip
    return st.lists(made, max_size=12).map(by_day)


def by_day(pairs: list[tuple[date, bytes]]) -> dict[date, list[bytes]]:
    return {day: [raw for other, raw in pairs if other == day] for day, _ in pairs}


@st.composite
def logs(draw: st.DrawFn) -> bytes:
    """A season log as people edit it: dates, notes, games with or without a date, glued dates, any line
    ends."""
    known = [raw for lines in draw(games()).values() for raw in lines]
    parts = draw(st.lists(st.sampled_from([*NOTES, *(raw.decode() for raw in known)]), max_size=14))
    ends = draw(st.lists(st.sampled_from(["\n", "\n", "\r\n", "20200520\n"]), min_size=14, max_size=14))
    text = "".join(
        a + (b if a.startswith("C") else b[-2:].lstrip("0")) for a, b in zip(parts, ends, strict=False)
    )
    return (draw(st.sampled_from(["", "\ufeff"])) + text + draw(st.sampled_from(["", *NOTES]))).encode()


@given(logs(), games())
def test_merging_twice_is_merging_once(old: bytes, new: dict[date, list[bytes]]) -> None:
    once = merge(old, new)
    assert merge(once.data, new).added == ()
    assert merge(once.data, new).data == once.data


@given(logs(), games(), st.randoms())
def test_any_split_gives_the_same_games(old: bytes, new: dict[date, list[bytes]], rng: random.Random) -> None:
    pairs = [(day, raw) for day, raws in new.items() for raw in set(raws)]
    rng.shuffle(pairs)
    step = old
    for size in range(0, len(pairs), 3):
        step = merge(step, by_day(pairs[size : size + 3])).data
    whole = merge(old, {day: set(raws) for day, raws in new.items()}).data
    hint = date(2020, 1, 1)
    assert games_of(parse("", step, hint)) == games_of(parse("", whole, hint))


@given(logs(), games())
def test_old_lines_stay_in_order_and_no_game_is_missing(old: bytes, new: dict[date, list[bytes]]) -> None:
    merged = merge(old, new)
    bom = b"\xef\xbb\xbf"
    lines = old.removeprefix(bom).splitlines(keepends=True)
    rest = iter(after := merged.data.removeprefix(bom).splitlines(keepends=True))
    assert all(
        raw in rest or (raw is lines[-1] and {raw + b"\n", raw + b"\r\n"} & set(after)) for raw in lines
    )
    first, last = (parse("", data, date(2020, 1, 1)) for data in (old, merged.data))
    assert Counter(
        line.kind for line in last.lines if line.kind in ("title", "header", "comment")
    ) == Counter(line.kind for line in first.lines if line.kind in ("title", "header", "comment"))
    assert len(last.games) == len(first.games) + len(merged.added)


@given(games())
def test_a_log_we_alone_wrote_is_in_order(new: dict[date, list[bytes]]) -> None:
    games_read = parse("", merge(b"", new).data).games
    assert all((a.day, a.start) <= (b.day, b.start) for a, b in pairwise(games_read))


@pytest.mark.parametrize("path", SEASONS, ids=lambda path: path.name)
def test_real_logs_take_their_own_games_without_a_change(path: Path) -> None:
    data = path.read_bytes()
    lines = [
        entry for entry in parse(path.name, data, date(2020, 5, 1)).lines if entry.game and not entry.glued
    ]
    new = by_day([(entry.day or date(2020, 4, 7), entry.raw) for entry in lines])
    assert merge(data, new).data == data
    assert len(merge(b"", new).added) == len(lines)
