"""Totals without chips say so; games of three and of four seats are both told; dates of all seasons
have years."""

import pytest

from bot.answers.catalogue import CATALOGUE
from bot.answers.games.games import NOT_YET
from bot.chat.replies import Downloads, Picture, Table
from tests.answers.leagues import Asked, LeagueWorld, game, world

CHIPS = ("20260901", *[game("甲(+30.0,+3枚)", "乙(0.0,-1枚)", "丙(-30.0,-2枚)")] * 3)
PLAIN = ("20260901", *[game("甲(+30.0)", "乙(0.0)", "丙(-30.0)")] * 3)
TEAMS = '[team."東"]\nmembers = ["甲"]\n[team."西"]\nmembers = ["乙"]\n'
WORTH = "[rules]\nchip = 2.0\n" + TEAMS
OF_ONE = ("player&player=甲", "pair&player=甲&other=乙", "matchup&player=甲")
POINTS = (*OF_ONE, "matchup&show=gap", "point", "today")
BALANCES = ("sum", "sum&show=parts", "summary", "team", "export")


def ask(league: LeagueWorld, what: str) -> Asked:
    return league.ask(f"request_{what.replace('&', '?', 1)}")


def said(asked: Asked) -> list[str]:
    """For each table, file list and picture of the answer, what it says of chips that are left out,
    or "".
    """
    found = []
    for part in asked.reply.parts:
        if isinstance(part, Picture):
            chart = part.chart
            facts = getattr(chart, "facts", getattr(chart, "figures", ()))
            words = [fact.label + fact.detail for fact in facts]
            found.append(" ".join([chart.subtitle, *words]))
        elif isinstance(part, Table):
            words = [row.name + row.detail for row in part.rows]
            found.append(" ".join([part.note, *words]))
        elif isinstance(part, Downloads):
            found.append(part.text)
    notices = ("チップ別", "チップは含みません", "含むチップは")
    return [next((notice for notice in notices if notice in text), "") for text in found]


@pytest.mark.parametrize("what", [*POINTS, *BALANCES])
def test_a_total_without_chips_says_so(what: str) -> None:
    """Every part with totals says it: the picture in its subtitle or beside the figure, the table
    in its note."""
    league = world(CHIPS[0], *CHIPS[1:] * 10, toml=TEAMS)
    found = said(ask(league, what))
    silent = found.count("")
    assert len(found) > silent
    # Ratings, placings and lists of games have no totals.
    without_totals = ("summary", "today", "matchup&show=gap", "player&player=甲")
    assert silent <= without_totals.count(what)


@pytest.mark.parametrize("what", [*POINTS, *BALANCES])
def test_without_chips_nothing_is_said_and_a_balance_with_chips_counts_them(what: str) -> None:
    assert set(said(ask(world(*PLAIN, toml=TEAMS), what))) == {""}
    if what in BALANCES:
        words = set(filter(None, said(ask(world(*CHIPS, toml=WORTH), what))))
        # The season's best day is in points alone, whatever a chip is worth.
        assert words <= ({"チップ別"} if what == "summary" else set())


def test_chips_that_count_in_one_season_only() -> None:
    rules = '[[season]]\nlog = "logvol1.txt"\n[[season]]\nlog = "logvol2.txt"\nstart = 2026-10-01\nchip = 2\n'
    later = "\n".join(("20261001", *CHIPS[1:])) + "\n"
    league = world(*CHIPS, toml=rules, **{"logvol2.txt": later})
    assert "決めてあるシーズンの分だけ" in ask(league, "sum&season=all").words
    assert "収支にチップは含みません" in ask(league, "sum&season=1").words
    assert "収支は、点数とチップの合計です" in ask(league, "sum&season=2").words


MIXED = (
    "20260901",
    *[game("甲(+30.0)", "乙(0.0)", "丙(-30.0)")] * 3,
    "20260902",
    *[game("甲(+30.0)", "乙(0.0)", "丙(-30.0)")] * 2,
    game("丁(+30.0)", "乙(+10.0)", "丙(-10.0)", "甲(-30.0)", at="21:00"),
    "20260903",
    *[game("丁(+30.0)", "乙(+10.0)", "丙(-10.0)", "甲(-30.0)")] * 2,
)


def test_a_mixed_day_shows_both_kinds_each_with_its_count() -> None:
    three, four = ask(world(*MIXED), "today&date=2026-09-02").tables
    (games,) = ask(world(*MIXED), "today&date=2026-09-02&show=games").tables
    assert three.title.endswith("の結果　三人打ち")
    assert (three.subtitle, four.subtitle) == ("三人打ち2戦", "四人打ち1戦")
    assert [row.value for row in three.rows] == ["+60.0", "±0.0", "−60.0"]
    first = four.rows[0]
    assert (first.name, first.value) == ("丁", "+30.0")
    assert [row.rank for row in games.rows] == ["1", "2", "3"]
    assert three.heads == four.heads == ("点数", "着順", "レート")
    assert three.rows[0].extra[0] == "2-0-0"
    assert first.extra[0] == "1-0-0-0"


def test_a_day_of_the_rarer_kind_is_a_day_too() -> None:
    (day,) = world(*MIXED).ask("今日").tables
    (games,) = ask(world(*MIXED), "today&show=games").tables
    assert day.title.startswith("9月3日")
    assert (day.subtitle, len(games.rows)) == (f"2戦　{NOT_YET}", 2)
    assert [row.name for row in day.rows] == ["丁", "乙", "丙", "甲"]
    only = ask(world(*MIXED), "today&seats=3").tables
    assert only[0].title.startswith("9月2日")


def test_the_last_games_are_of_both_kinds() -> None:
    (table,) = world(*MIXED).ask("直近").tables
    assert len(table.rows) == 8
    assert table.subtitle == "全シーズン　三人打ち5戦・四人打ち3戦　新しい順"
    assert "ラス 甲" in table.rows[0].detail


def test_a_season_report_tells_both_kinds() -> None:
    asked = world(*MIXED).ask("まとめ")
    (three,) = asked.tables
    assert "三人打ち5戦（ほかに四人打ち3戦）" in three.subtitle
    assert [message["type"] for message in asked.messages] == ["image", "flex"]
    four = world(*MIXED).ask(asked.taps["四人打ち"])
    assert "四人打ち3戦（ほかに三人打ち5戦）" in four.table.subtitle


def test_an_answer_about_one_kind_names_and_counts_the_other() -> None:
    league = world(*MIXED, toml=TEAMS)
    for what in ("sum", "rank", "point", "rating", "rating&model=btr", "team", "player&player=乙"):
        for part in ask(league, what).reply.parts:
            shown = part.chart if isinstance(part, Picture) else part
            assert "三人打ち5戦（ほかに四人打ち3戦）" in shown.subtitle, what  # type: ignore[union-attr]
        assert "四人打ち3戦（ほかに三人打ち5戦）" in ask(league, f"{what}&seats=4").words


def test_the_export_has_the_figures_of_both_kinds() -> None:
    asked = world(*MIXED).ask("書き出し")
    names = [file.name.split("_")[1] for file in asked.files.values()]  # type: ignore[union-attr]
    assert names == ["対局", "成績三人打ち", "成績四人打ち"]
    assert "三人打ち5戦" in asked.words
    assert "四人打ち3戦" in asked.words


OLD = "20191231\n" + "\n".join([game("甲(+30.0)", "乙(0.0)", "丙(-30.0)")] * 2) + "\n"
NEW = "20200102\n" + "\n".join([game("乙(+20.0)", "甲(0.0)", "丙(-20.0)")] * 12) + "\n"


def seasons() -> LeagueWorld:
    return LeagueWorld({"logvol1.txt": OLD.encode(), "logvol2.txt": NEW.encode()})


def test_dates_of_all_seasons_have_their_years() -> None:
    league = seasons()
    for what in ("rating", "point"):
        table = league.ask(f"request_{what}?season=all").table
        assert table.heads[1] == "2020/1/2"
    facts = {fact.label: fact for fact in league.ask("まとめ 全部").chart.facts}
    assert facts["最高スコア"].detail == "+30.0　2019/12/31"
    assert facts["1日の最高得点"].detail == "+240.0　2020/1/2　12戦"
    assert facts["連続トップ"].detail == "12戦連続　2020/1/2"
    assert "2020年1月2日(木) 20:00の対局まで" in league.ask("収支 全部").table.note
    assert league.ask("収支 全部").table.subtitle == "2019/12/31〜2020/1/2　14戦"
    recent = league.ask("直近").table.rows[0]
    assert recent.extra == ("2020/1/2",)
    assert recent.detail.startswith("20:00　")
    # Within a season they need none.
    assert league.ask("点数推移 2").table.heads[1] == "1/2"
    assert league.ask("収支 2").table.subtitle == "1/2　12戦"
    facts = {fact.label: fact for fact in league.ask("まとめ 1").chart.facts}
    assert facts["最高スコア"].detail == "+30.0　12/31"
    assert league.ask("request_recent?season=2").table.rows[0].extra == ("1/2 20:00",)


def test_the_buttons_of_days_have_the_year_where_it_is_not_this_one() -> None:
    assert "前の日 2019/12/31" in seasons().ask("今日").taps
    here = world("20260901", PLAIN[1], "20260902", PLAIN[1])
    assert "前の日 9/1" in here.ask("今日").taps


def test_nothing_says_that_it_is_tenhous_own_reckoning() -> None:
    """Tenhou counts the game being rated too (option count_this_game); the members' ratings do
    not.
    """
    for name, spec in CATALOGUE.items():
        assert "天鳳と同じ" not in spec.help, name
    asked = world(*PLAIN).ask("レーティング")
    assert "天鳳と同じ" not in asked.words
    assert "天鳳の式にならった計算です" in asked.words


def test_the_favourite_opponents_have_their_number_of_games() -> None:
    league = world("20260901", *[game("甲(+30.0)", "乙(0.0)", "丙(-30.0)")] * 12)
    # Two opponents are equal for 甲, one is not for 乙.
    rows = league.ask("相性").table.rows
    assert [(row.value, row.extra) for row in rows] == [
        ("100%", ("丙・乙 100%", "―")),
        ("50%", ("丙 100%", "甲 0%")),
        ("0%", ("―", "乙・甲 0%")),
    ]
    card = league.ask("個人 甲").chart
    assert {fact.label: fact.value for fact in card.others} == {"得意な相手": "丙・乙"}
    # None is named that chance may have made.
    games = [game("甲(+30.0)", "乙(0.0)", "丙(-30.0)")] * 8
    games += [game("丙(+30.0)", "乙(0.0)", "甲(-30.0)")] * 4
    league = world("20260901", *games)
    table = league.ask("相性").table
    assert {row.extra for row in table.rows} == {()}
    assert "差は、まだ見えません" in table.note
    others = {fact.label for fact in league.ask("個人 甲").chart.others}
    assert not others & {"得意な相手", "苦手な相手"}


def test_the_mean_beside_a_balance_is_the_balances() -> None:
    """90 points and 9 chips of 2 points in 3 games."""
    league = world(*CHIPS, toml=WORTH)
    assert league.ask("収支").table.rows[0].value == "+108.0"
    parts = league.ask("request_sum?show=parts").table
    assert parts.heads == ("点数", "チップ", "1戦平均")
    assert parts.rows[0].value == "+90.0"
    assert parts.rows[0].extra == ("+9枚（+18.0）", "+36.0")
    alone = world(*CHIPS).ask("request_sum?show=parts").table.rows[0]
    assert alone.extra == ("+9枚", "+30.0")


def test_a_balance_tells_the_gap_to_the_place_above() -> None:
    rows = world(*PLAIN, game("甲(+10.0)", "丙(0.0)", "丁(-10.0)")).ask("収支").table.rows
    assert [(row.value, row.extra[0]) for row in rows] == [
        ("+100.0", ""),
        ("±0.0", "100.0"),
        ("−10.0", "10.0"),
        ("−90.0", "80.0"),
    ]
