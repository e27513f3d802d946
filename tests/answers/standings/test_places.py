"""Members who are equal share a place and a record; those who never met are ranked apart."""

import pytest

from bot import texts
from bot.answers.common.ratings import Ratings
from bot.answers.common.scope import Scope
from bot.draw import style
from bot.draw.parts import Fact
from rating.models import MODELS
from rating.standings import Rating, Standings
from tests.answers.leagues import Asked, game, world
from tests.draw.writing import written

TIED = (  # 甲 and 乙 are equal in everything, 丙 is last
    "20260901",
    game("甲(+30.1)", "乙(+9.9)", "丙(-40.0)"),
    game("乙(+30.1)", "甲(+9.9)", "丙(-40.0)"),
)
APART = (  # 甲 to 丁 met, 子 to 寅 met, and neither met the others
    "20260901",
    *[game("甲(+30.0)", "乙(0.0)", "丙(-30.0)"), game("乙(+20.0)", "丙(0.0)", "丁(-20.0)")] * 8,
    *[game("子(+50.0)", "丑(0.0)", "寅(-50.0)"), game("丑(+10.0)", "子(0.0)", "寅(-10.0)")] * 4,
    game("子(+50.0)", "丑(0.0)", "寅(-50.0)"),
)
FEW = [game("甲(+1.0)", "乙(0.0)", "丙(-1.0)")] * 12
MANY = [game("丁(+1.0)", "戊(0.0)", "己(-1.0)"), game("戊(+1.0)", "丁(0.0)", "己(-1.0)")] * 15
STRENGTHS = [name for name, model in MODELS.items() if model.baseline == 0]
TEAMS = (
    '[team."東"]\nmembers = ["甲"]\n[team."西"]\nmembers = ["乙"]\n[team."北"]\nmembers = ["丙"]\n'
)


def alts(asked: Asked) -> list[str]:
    return [message["altText"] for message in asked.messages if message["type"] == "flex"]


def ranks(asked: Asked) -> list[str]:
    return [row.rank for row in asked.table.rows]


@pytest.mark.parametrize("what", ["sum", "point", "rank", "today", "team"])
def test_equals_share_a_place(what: str) -> None:
    asked = world(*TIED, toml=TEAMS).ask(f"request_{what}")
    assert ranks(asked) == ["1", "1", "3"]
    if what != "rank":
        assert alts(asked)[-1].count("1位") == 2


@pytest.mark.parametrize("model", ["btr", "bayesian_btr"])
def test_equal_strengths_share_a_place(model: str) -> None:
    assert ranks(world(*TIED).ask(f"request_rating?model={model}")) == ["1", "1", "3"]


def test_the_picture_of_a_season_numbers_equals_alike() -> None:
    picture = world(*TIED, toml=TEAMS).ask("request_summary").pictures[-1]
    drawn = [text.text for text in written(picture.render)]
    numbers = [text for text in drawn if text in ("1", "2", "3")]
    assert numbers == ["1", "1", "3"]
    # Two who share the first place are both champions.
    league = world(
        *TIED, **{"logvol2.txt": "20261001\n" + game("甲(+1.0)", "乙(0.0)", "丙(-1.0)") + "\n"}
    )
    asked = league.ask("まとめ 1")
    assert asked.chart.champion.value == "乙・甲"
    assert "優勝は乙・甲（+40.0）" in alts(asked)[-1]


def records(*lines: str) -> dict[str, Fact]:
    return {fact.label: fact for fact in world(*lines).ask("まとめ").chart.facts}


def test_both_names_stand_where_two_hold_a_record_and_one_has_the_members_colour() -> None:
    found = records(*TIED[:2], "20260902", TIED[2])
    best = found["最高スコア"]
    safe = found["連続ラス回避"]
    assert (best.value, best.detail) == ("甲・乙", "+30.1　9/1、9/2")
    assert (safe.value, safe.detail) == ("甲・乙", "2戦連続　9/2")
    assert records(*TIED)["最高スコア"].colour == style.INK
    assert records(*TIED[:2])["最高スコア"].colour != style.INK


def test_everybody_is_told_what_they_are_best_at() -> None:
    """The upper half by a figure of those with enough games, marked where all have few; else the
    best score.
    """

    def said(*games: str) -> dict[str, str]:
        totals = world("20260901", *games).ask("まとめ").chart.totals
        details = [detail.left for detail in totals.details]
        return dict(zip(totals.names(), details, strict=True))

    few = "トップ率1位　100.0%　暫定", "ラス率1位　0.0%　暫定", "最高スコア　−1.0"
    assert said(*FEW) == dict(zip("甲乙丙", few, strict=True))
    long = said(*FEW, *MANY)
    assert (long["甲"], long["丙"]) == ("最高スコア　+1.0", "最高スコア　−1.0")
    assert long["丁"] == long["戊"] == "トップ率1位　50.0%"
    assert long["己"] == "最高スコア　−1.0"
    recap = world("20260901", *FEW).ask("月報 9月").chart
    assert "連続トップ" in recap.rows[0].remark
    assert recap.rows[2].remark == "最高スコア　−1.0"
    for games, played in ((FEW, "12戦※"), (MANY, "30戦")):
        placings = world("20260901", *games).ask("着順").table
        assert placings.rows[0].extra[-1] == played


@pytest.mark.parametrize("model", STRENGTHS)
def test_those_who_never_met_are_ranked_apart(model: str) -> None:
    asked = world(*APART).ask(f"request_rating?model={model}")
    found = asked.table.rows
    assert [row.rank for row in found] == list("1234123")
    assert {row.name for row in found[:4]} == set("甲乙丙丁")
    groups = [row.detail.split("　")[0] for row in found]
    assert groups == ["グループ1"] * 4 + ["グループ2"] * 3
    assert "つながっていない人どうし" in asked.words
    assert "子" not in alts(asked)[-1].partition("：")[2]
    assert asked.pictures[0].render()


def test_a_rating_from_a_start_and_a_league_whose_members_all_met_are_one_table() -> None:
    for model in ("tenhou", "jansou"):
        asked = world(*APART).ask(f"request_rating?model={model}")
        assert "グループ" not in asked.words
        assert sorted(int(rank) for rank in ranks(asked))[-1] > 4
    asked = world(*APART, game("丁(+1.0)", "子(0.0)", "NoName(-1.0)")).ask(
        "request_rating?model=btr"
    )
    assert "グループ" not in asked.words
    assert ranks(asked) == list("1234567")


def test_the_picture_parts_the_groups_and_says_why() -> None:
    asked = world(*APART).ask("request_rating?model=btr")
    assert asked.chart.rows.groups.count(2) == 3
    assert "グループごと" in asked.chart.note
    order = [
        text.text
        for text in written(asked.pictures[0].render)
        if text.text in tuple("甲乙丙丁子丑寅")
    ]
    assert set(order[:4]) == set("甲乙丙丁")


def test_a_nameless_guest_joins_nobody() -> None:
    guests = (
        game("丁(+1.0)", "NoName(0.0)", "甲(-1.0)"),
        game("子(+1.0)", "NoName(0.0)", "丑(-1.0)"),
    )
    assert "グループ" in world(*APART, *guests).ask("request_rating?model=btr").words


def test_a_card_counts_the_place_in_its_own_group_and_of_two_apart_none_is_better() -> None:
    league = world(APART[0], *APART[1:] * 8, toml='model = "plackett_luce_drift"\n')
    assert league.ask("個人 子").chart.among == "3人中"
    assert league.ask("対決 甲 子").chart.rows[0].better is None
    assert league.ask("対決 甲 乙").chart.rows[0].better is not None


def test_no_detail_of_a_record_is_cut() -> None:
    """Even with two holders, years and chips: an ellipsis would hide what the line is about."""
    chips = game("甲(+30.0,+1枚)", "乙(0.0,0枚)", "丙(-30.0,-1枚)")
    one = game("甲(+30.0)", "乙(0.0)", "丙(-30.0)")
    other = game("乙(+30.0)", "甲(0.0)", "丙(-30.0)")
    tied = world(
        "20191230",
        *[chips, other] * 6,
        "20201231",
        *[other, one] * 6,
    )
    picture = tied.ask("まとめ 全部").pictures[-1]
    details = {fact.detail for fact in picture.chart.facts} | {
        fact.label for fact in picture.chart.facts
    }
    shown = {text.text for text in written(picture.render)}
    assert details - {""} <= shown


def test_long_names_that_share_a_record_are_both_shown() -> None:
    """Two names joined are not one long name, of which the middle would be left out."""
    long = ("国士無双十三面", "夏海里伽子（本人")
    one, other = long
    tied = [line.replace("甲", one).replace("乙", other) for line in TIED]
    league = world(
        *tied, **{"logvol2.txt": "20261001\n" + game("甲(+1.0)", "乙(0.0)", "丙(-1.0)") + "\n"}
    )
    picture = league.ask("まとめ 1").pictures[-1]
    shown = [text.text for text in written(picture.render)]
    assert "国士無双十三面・夏海里伽子（本人" in shown  # the champions
    first = [place for place, words in enumerate(shown) if words == "国士無双十三面・"]
    assert first
    assert all(shown[place + 1] == "夏海里伽子（本人" for place in first)


def test_figures_of_few_games_are_marked() -> None:
    league = world("20260901", *FEW, *MANY)
    rows = league.ask("収支").table.rows
    marked = {row.name: "※" in row.extra[-1] for row in rows}
    assert "※は暫定（30戦未満）" in league.ask("収支").words
    assert marked == {**dict.fromkeys("甲乙丙", True), **dict.fromkeys("丁戊己", False)}
    card = {row.name: row for row in league.ask("個人 甲").table.rows}
    assert card["実力（推定）"].detail.endswith("・暫定")
    assert "甲の数字は、30戦に満たないので暫定です。" in league.ask("対決 甲 丁").table.note


def test_the_export_names_the_groups_of_strengths() -> None:
    _, export = world(*APART).ask("書き出し").files.values()
    heads, *lines = export.render().decode("utf-8-sig").splitlines()
    assert heads.endswith(",グループ")
    assert {line[0]: line[-1] for line in lines} == dict(
        zip("甲乙丙丁子丑寅", "1111222", strict=True)
    )
    joined = world(*TIED).ask("書き出し").files.values()
    assert all("グループ" not in file.render().decode() for file in joined)


@pytest.mark.parametrize(
    ("ends", "words"),
    [
        ((-0.25, 4.0, 1.5), "+1.50（−0.25〜+4.00）"),
        ((None, None, None), ""),
    ],
)
def test_an_interval_is_told_with_its_centre(ends: tuple[float | None, ...], words: str) -> None:
    rating = Rating(2.0, 40, None, *ends)
    found = Ratings(
        Scope(None, (), 3),
        "btr",
        Standings({"甲": rating}),
        {},
        (),
    )
    assert found.interval(rating) == words


def test_the_picture_and_the_table_show_an_intervals_centre() -> None:
    asked = world(*APART, toml='model = "btr"\n').ask("レーティング")
    _, intervals, values = asked.chart.rows.columns
    table = world(*APART, toml='model = "btr"\n').ask("表で見る").words
    for interval, value in zip(intervals.cells, values.cells, strict=True):
        assert interval.low < interval.likely < interval.high
        assert value.under in table
        assert value.under.startswith(f"{texts.number(interval.likely, 2, True)}（")
    assert "縦線と下の数字は見込み" in asked.chart.note
    lines = world(*APART, toml='model = "tenhou"\n').ask("レーティング")
    assert "見込み" not in lines.words
