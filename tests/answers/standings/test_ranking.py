"""ランキング and 順位推移 as members see them."""

from datetime import date

import pytest

from bot.answers.common.figures import UNITS, WORDS
from bot.answers.standings.ranks import MOST_DAYS, chosen_days, ranks_after
from bot.answers.standings.ranks_picture import RankCurves, RankLine, draw
from bot.draw.rows import RowName
from rating.paifu.recordlog import PaifuEntry, log_bytes
from rating.paifu.statistics import Statistics
from rating.standings import Line
from rating.statistics import BOARD, STATISTICS, shown_on
from tests.answers.leagues import LeagueWorld, game, world
from tests.schema import assert_messages_pass


def test_every_figure_has_words() -> None:
    assert set(WORDS) == set(STATISTICS)
    assert {each.unit for each in STATISTICS.values()} == {*UNITS, "rating", "rise"}


@pytest.mark.parametrize("league", ["nine", "twenty", "one game", "long names", "undated"])
def test_a_board_is_one_bubble_with_the_others_as_buttons(league: str) -> None:
    for name in shown_on(BOARD):
        asked = LeagueWorld.again(league, "みどり").ask(f"request_ranking?by={name}")
        assert_messages_pass(asked.messages)
        assert len(asked.messages) == 1, name
        others = [tap for tap in asked.choices if tap["data"].startswith("request_ranking?")]
        assert len({tap["data"] for tap in others}) >= 5, name
        if not asked.refused:
            assert asked.table.title.startswith(WORDS[name].name)


def test_all_boards_are_reached_by_going_on() -> None:
    nine = LeagueWorld.again("nine")
    seen = set()
    waiting = ["request_ranking"]
    while waiting:
        data = waiting.pop()
        if data in seen:
            continue
        seen.add(data)
        leading = [tap["data"] for tap in nine.ask(data).choices]
        waiting += [other for other in leading if other.startswith("request_ranking?season=2&by=")]
    reached = {data.rpartition("=")[2] for data in seen if "by=" in data}
    assert reached == set(shown_on(BOARD)) - {"uppers", "busts"}  # of four seats, and of records


LINES = [
    "20260901",
    *[game("甲(+30.0)", "乙(0.0)", "丙(-30.0)", at=f"{h}:00") for h in range(10, 14)],
    "20260902",
    game("丁(+50.0)", "乙(+1.0)", "丙(-51.0)"),
]


def test_the_leagues_own_number_of_games() -> None:
    asked = world(*LINES, toml="[rules]\nqualifying = 4\n").ask("request_ranking?by=average").table
    rows = [(row.rank, row.name, row.value) for row in asked.rows]
    assert rows == [
        ("1", "甲", "+30.0"),
        ("2", "乙", "+0.2"),
        ("3", "丙", "−34.2"),
    ]
    assert asked.more[0][0] == "規定打数（4戦）未満"
    assert [row.name for row in asked.more[0][1]] == ["丁"]
    assert "規定打数は4戦です。" in asked.note


def test_where_nobody_has_enough_games_half_of_the_most_do() -> None:
    asked = world(*LINES).ask("request_ranking?by=average").table
    assert [row.name for row in asked.rows] == ["甲", "乙", "丙"]
    assert "規定打数は30戦ですが、まだだれも届いていないので、3戦以上で並べています。" in asked.note


def test_records_of_one_game_rank_everybody() -> None:
    asked = world(*LINES).ask("最高スコア").table
    ranked = [row.rank + row.name for row in asked.rows]
    assert ranked == ["1丁", "2甲", "3乙", "4丙"]
    assert asked.more == ()


BUSTS_OF = "request_figure?by=busts&player=甲"


def recorded(records: int, busts: int) -> LeagueWorld:
    """LINES, with so many records of their days in which 甲 played and went below zero at times."""
    entries = []
    for number in range(records):
        statistics = Statistics(records=1)
        counts = {"games": 1, "busts": int(number < busts)}
        statistics.players["甲", 3].play.update(counts)
        key = f"{number:020}"
        day = date(2026, 9, 1 + number % 2)
        entries.append(PaifuEntry(key, f"file-{number}", "", day, seats=3, statistics=statistics))
    return world(*LINES, **{"recordlog.txt": log_bytes(entries).decode()})


def test_a_figure_of_few_records_is_pale_and_unranked() -> None:
    asked = recorded(12, busts=2).ask("トビ率").table
    assert asked.rows == asked.heads == ()
    assert asked.subtitle.endswith("5戦　牌譜12戦")
    ((title, (row,)),) = asked.more
    assert title == "牌譜が30戦未満（順位なし）"
    assert (row.name, row.value, row.extra) == ("甲", "16.7%", ("12戦中2回",))
    assert row.rank == ""
    assert row.pale


def test_a_figure_of_thirty_records_is_ranked() -> None:
    asked = recorded(30, busts=3).ask("トビ率").table
    (row,) = asked.rows
    assert (row.rank, row.value, row.extra) == ("1", "10.0%", ("30戦中3回",))
    assert not row.pale


def test_one_members_figure_of_records_names_its_cases() -> None:
    assert "トビ率 16.7%（牌譜12戦中2回）" in recorded(12, busts=2).ask(BUSTS_OF).words
    assert "トビ率 10.0%（牌譜30戦中3回、1人中1位）" in recorded(30, 3).ask(BUSTS_OF).words


def test_a_place_is_among_those_who_are_ranked() -> None:
    asked = (
        world(*LINES, toml="[rules]\nqualifying = 4\n")
        .ask("request_figure?by=first&player=甲")
        .words
    )
    assert "トップ率 100.0%（4戦中4回、3人中1位）" in asked


def test_points_change_with_plus_and_minus() -> None:
    """▲ is a minus in scores, so points that a day brought have no ▲ for a gain."""
    asked = world(*LINES).ask("点数推移").table
    changes = {row.name: row.extra[0] for row in asked.rows}
    assert changes == {"甲": "", "乙": "+1.0", "丙": "−51.0", "丁": "+50.0"}


def test_places_day_by_day() -> None:
    chart = world(*LINES).ask("順位推移").chart
    lines = chart.lines
    ends = [(line.member.name, line.places[-1], line.moved) for line in lines]
    assert ends == [
        ("甲", 1, 0),
        ("丁", 2, 0),
        ("乙", 3, -1),
        ("丙", 4, -1),
    ]


def test_places_are_of_those_who_have_played() -> None:
    lines = {
        "a": Line(0.0, [0, 2], [1.0, 5.0]),
        "b": Line(0.0, [1], [3.0]),
    }
    assert ranks_after(lines, [0, 1, 2], ["a", "b"]) == {
        "a": [1, 2, 1],
        "b": [None, 1, 2],
    }


@pytest.mark.parametrize("count", [1, 5, MOST_DAYS, MOST_DAYS + 1, 300])
def test_the_days_drawn_are_even_and_keep_both_ends(count: int) -> None:
    found = chosen_days(list(range(count)))
    assert len(found) == min(count, MOST_DAYS)
    assert (found[0], found[-1]) == (0, count - 1)
    assert found == sorted(set(found))


def test_nothing_to_draw() -> None:
    assert draw(RankCurves("題", "", (), ())).startswith(b"\x89PNG")
    assert draw(
        RankCurves(
            "題",
            "",
            ("9/1",),
            (RankLine(RowName("甲"), (1,)),),
        )
    ).startswith(b"\x89PNG")
