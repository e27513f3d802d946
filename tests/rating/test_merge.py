import random
from collections import Counter
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from rating.merge import DayLine, games_of, merge
from rating.roomlog import parse
from tests.real import SEASONS, named_cases

CASES = named_cases("merge_cases.txt")
D17 = date(2020, 5, 17)
D18 = date(2020, 5, 18)
MINUTES = ("20:00", "21:00")


def line(start: str, points: int = 10, name: str = "東") -> bytes:
    return (
        f"C1234 | {start} | 三般南喰赤－ | {name}({points:+}.0) 南(0.0) 西({-points:+}.0)".encode()
    )


@pytest.mark.parametrize("case", CASES)
def test_a_log_with_its_new_games(case: str) -> None:
    """In the cases `\\r` and `\\ufeff` mean these characters, and a backslash at the end means a
    last line without a newline."""
    parts = dict(CASES[case])
    for sign, character in (("\\r", "\r"), ("\\ufeff", "\ufeff"), ("\\\n", "")):
        parts = {name: text.replace(sign, character) for name, text in parts.items()}
    log, merged, added = (parts.pop(name) for name in ("log", "merged", "added"))
    new = {}
    for day, text in parts.items():
        new[date.fromisoformat(day)] = text.encode().split(b"\n")[:-1]
    result = merge(log.encode(), new)
    assert result.data == merged.encode()
    assert "".join(f"{day} {raw.decode()}\n" for day, raw in result.added) == added


@pytest.mark.parametrize(
    "bad", [b"20200518", b"\n".join(map(line, MINUTES)), line("20:00") + b"20200519"]
)
def test_line_that_is_no_result_is_refused(bad: bytes) -> None:
    with pytest.raises(ValueError, match="not a line of a room's results"):
        merge(b"", {D18: [bad]})


DAYS = [D17 + timedelta(days=n) for n in range(6)]
NOTES = [
    "",
    "# note",
    "第3シーズン",
    "room | time",
    "なにか",
    "#5/18",
    "＃5/20",
    "20200519",
    "2020/05/21",
    "5/17",
]


def games() -> st.SearchStrategy[dict[date, list[bytes]]]:
    """Games by day. Each day has its own points, so equal lines are always of the same day."""
    made = st.builds(
        lambda day, minute, name: (
            day,
            line(f"{20 + minute // 60}:{minute % 60:02d}", day.day * 2, name),
        ),
        st.sampled_from(DAYS),
        st.integers(0, 179),
        st.sampled_from(["東", "烏龍茶(黒)", "宮永|咲", "NoName"]),
    )
    return st.lists(made, max_size=12).map(by_day)


def by_day(pairs: list[DayLine]) -> dict[date, list[bytes]]:
    days: dict[date, list[bytes]] = {}
    for day, raw in pairs:
        days.setdefault(day, []).append(raw)
    return days


@st.composite
def logs(draw: st.DrawFn) -> bytes:
    """A season log as people edit it: dates, notes, games under no date, glued dates, any line
    ends.
    """
    offered = [raw for lines in draw(games()).values() for raw in lines]
    line = st.sampled_from([*NOTES, *(raw.decode() for raw in offered)])
    parts = draw(st.lists(line, max_size=14))
    end = st.sampled_from(["\n", "\n", "\r\n", "20200520\n"])
    ends = draw(st.lists(end, min_size=14, max_size=14))
    text = draw(st.sampled_from(["", "\ufeff"]))
    for part, end in zip(parts, ends, strict=False):
        if not part.startswith("C"):
            end = end[-2:].lstrip("0")
        text += part + end
    text += draw(st.sampled_from(["", *NOTES]))
    return text.encode()


@given(logs(), games())
def test_merging_twice_is_merging_once(old: bytes, new: dict[date, list[bytes]]) -> None:
    once = merge(old, new)
    assert merge(once.data, new).added == ()
    assert merge(once.data, new).data == once.data


@given(logs(), games(), st.randoms())
def test_any_split_gives_the_same_games(
    old: bytes, new: dict[date, list[bytes]], rng: random.Random
) -> None:
    distinct = {day: set(raws) for day, raws in new.items()}
    pairs = [(day, raw) for day, raws in distinct.items() for raw in raws]
    rng.shuffle(pairs)
    step = old
    for size in range(0, len(pairs), 3):
        step = merge(step, by_day(pairs[size : size + 3])).data
    whole = merge(old, distinct).data
    hint = date(2020, 1, 1)
    assert games_of(parse("", step, hint)) == games_of(parse("", whole, hint))


@given(logs(), games())
def test_old_lines_stay_in_order_and_no_game_is_missing(
    old: bytes, new: dict[date, list[bytes]]
) -> None:
    merged = merge(old, new)
    bom = b"\xef\xbb\xbf"
    lines = old.removeprefix(bom).splitlines(keepends=True)
    after = merged.data.removeprefix(bom).splitlines(keepends=True)
    following = iter(after)
    for raw in lines:
        if raw not in following:
            assert raw is lines[-1]
            assert raw + b"\n" in after or raw + b"\r\n" in after
    hint = date(2020, 1, 1)
    first = parse("", old, hint)
    last = parse("", merged.data, hint)
    before = Counter(line.kind for line in first.lines)
    now = Counter(line.kind for line in last.lines)
    assert all(before[kind] == now[kind] for kind in ("title", "header", "comment"))
    assert len(last.games) == len(first.games) + len(merged.added)


@given(games())
def test_a_log_we_alone_wrote_is_in_order(new: dict[date, list[bytes]]) -> None:
    games_read = parse("", merge(b"", new).data).games
    starts = [(game.day, game.start) for game in games_read]
    assert starts == sorted(starts)


@pytest.mark.parametrize("path", SEASONS, ids=lambda path: path.name)
def test_real_logs_take_their_own_games_without_a_change(path: Path) -> None:
    data = path.read_bytes()
    log = parse(path.name, data, date(2020, 5, 1))
    lines = [entry for entry in log.lines if entry.game and not entry.glued]
    first_day = date(2020, 4, 7)
    new = by_day([(entry.day or first_day, entry.raw) for entry in lines])
    assert merge(data, new).data == data
    assert len(merge(b"", new).added) == len(lines)
