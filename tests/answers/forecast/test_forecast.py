"""優勝確率, 条件, もしも and 実力 in words, in a season that runs and in one that is over."""

import random
import re
from dataclasses import replace
from datetime import date, datetime, timedelta

import numpy as np
import pytest

from bot import texts
from bot.answers.common import outlooks
from bot.answers.common.members import people_of
from bot.answers.common.outlooks import UNSURE, about, sentence_of
from bot.answers.common.scope import scope_of
from bot.answers.forecast import chances
from bot.answers.forecast.chances_picture import ChancesChart
from bot.answers.forecast.needs import Reach, change_words, conditions, in_words, told_gain, verdict
from bot.answers.forecast.skill import LUCK, SHARES
from bot.answers.standings.report_facts import review_facts
from bot.answers.standings.report_picture import SeasonReport
from bot.chat.command import Command, Question, data_of
from bot.chat.replies import Table
from bot.draw.parts import Fact
from bot.draw.rows import RowPicture
from bot.league.balances import chip_worth
from bot.league.snapshot import earlier_games
from rating.forecast.needs import Against, Need, PlacingNeed
from rating.forecast.outlook import Forecast, forecast
from rating.forecast.past import past_of
from rating.forecast.skill import skill_and_luck
from rating.forecast.strengths import SkillRatio, skills_of
from rating.logdates import JST
from tests.answers.leagues import LEAGUES, NINE, NOW, Asked, LeagueWorld, log_of

DURING = datetime(2026, 9, 21, 21, 0, tzinfo=JST)  # a day after the last game of "nine"
PLAN = '[[season]]\nlog = "logvol1.txt"\nname = "第1シーズン"\nstart = 2026-09-01\n{}\n'


class Running(LeagueWorld):
    """A league asked while its season runs."""

    def question(self, command: Command) -> Question:
        return replace(super().question(command), now=DURING)

    def answer_to(self, name: str, **options: str) -> Asked:
        """The answer to a command with these options."""
        return self.ask(data_of(name, **options))


def running(
    games: int = 48,
    players: int = 5,
    plan: str = "",
    me: str = "",
) -> Running:
    files = {"logvol1.txt": log_of(NINE[:players], games)}
    if plan:
        files["league.toml"] = PLAN.format(plan).encode()
    return Running(files, me)


def nine() -> Running:
    return Running(LEAGUES["nine"])


def parts(world: Running, **options: str) -> tuple[Table, ChancesChart]:
    asked = world.answer_to("forecast", **options)
    assert asked.pictures[0].alt == asked.table.notification
    return asked.table, asked.chart


def assert_places_are_those_of(expected: Forecast, chart: ChancesChart) -> None:
    assert chart.places is not None
    _, *columns = chart.places.columns
    for place, column in enumerate(columns):
        for name, cell in zip(chart.places.names(), column.cells, strict=True):
            chance = expected.member(name).places[place]
            if chance < 0.005:
                assert cell.text == ""
            else:
                assert cell.text == f"{100 * chance:.0f}"


def test_the_table_tells_the_forecast_of_the_season_s_games() -> None:
    """The chances, with chips counted and earlier seasons known, are those of the domain asked
    directly.
    """
    world = nine()
    snapshot = world.repository.snapshot()
    games = snapshot.all_games(2)
    before = earlier_games(snapshot, 2)
    expected = forecast(past_of(games, before, snapshot.league.is_guest, chip_worth(snapshot)), 50)
    table, chart = parts(world)
    shown = {row.name: row.value for row in table.rows}
    assert shown == {m.player: texts.chance(m.first) for m in expected.members}
    assert [curve.name for curve in reversed(chart.curves)] == [row.name for row in table.rows]
    ends = {curve.name: curve.ys[-1] for curve in chart.curves}
    for member in expected.members:
        assert ends[member.player] == pytest.approx(100 * member.first, abs=0.006)
    assert_places_are_those_of(expected, chart)
    assert table.notification.startswith(
        f"優勝確率（残り50戦）：{table.rows[0].name} {table.rows[0].value}"
    )


def test_without_a_plan_it_says_so_and_offers_others() -> None:
    world = running()
    asked = world.ask("request_forecast")
    assert "残り50戦として計算" in asked.words
    assert {"あと30戦", "あと100戦"} <= set(asked.taps)
    table, _ = parts(world, left="100")
    assert "残り100戦" in table.subtitle
    assert parts(world, left="7")[0].subtitle == parts(world)[0].subtitle


def test_a_plan_of_games_and_a_planned_end_are_kept() -> None:
    asked = running(plan="games = 60").ask("優勝確率")
    assert "残り12戦" in asked.words
    assert "として計算" not in asked.words
    assert "あと30戦" not in asked.taps
    table, _ = parts(running(plan="end = 2026-09-30"))
    assert "残り192戦" in table.subtitle  # (30 - 6) days of eight games


@pytest.mark.parametrize("plan", ["games = 48", "games = 40", "end = 2026-09-20"])
def test_a_season_whose_plan_is_done_is_over(plan: str) -> None:
    table, chart = parts(running(plan=plan))
    assert table.title.endswith("（結果）")
    assert chart.places is None
    assert {curve.ys[-1] for curve in chart.curves} == {0.0, 100.0}
    assert "が優勝" in table.notification
    totals = [float(row.value.replace("−", "-")) for row in table.rows]
    assert totals == sorted(totals, reverse=True)


def test_too_few_games_are_said_and_guests_alone_are_no_season() -> None:
    for games in (1, 29):
        asked = running(games).ask("優勝確率")
        assert asked.refused
        assert f"合わせて30戦を打つと計算できます（いまは{games}戦）" in asked.words
    assert running(40, players=1).ask("優勝確率").refused


def test_a_season_before_lets_a_season_be_forecast_earlier() -> None:
    """Ten games then suffice; the curve begins where the season is first forecast."""
    logs = {
        "logvol1.txt": log_of(NINE[:5], 48),
        "logvol2.txt": log_of(NINE[:5], 12, first=date(2026, 9, 19)),
    }
    table, chart = parts(Running(logs))
    assert "12戦" in table.subtitle
    assert min(curve.xs[0] for curve in chart.curves) == 12
    assert min(parts(running())[1].curves[0].xs) == 32


def test_a_second_tap_reckons_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    world = running()
    first = parts(world)

    def never(*_: object, **__: object) -> None:
        raise AssertionError("reckoned again")

    monkeypatch.setattr(outlooks, "curve", never)
    monkeypatch.setattr(outlooks, "forecast", never)
    assert parts(world) == first


def test_a_new_day_takes_the_days_before_from_what_is_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = running()
    known = []
    parts(world)
    plain = outlooks.curve

    def counted(past: object, plan: object, before: tuple[object, ...]) -> object:
        known.append(len(before))
        return plain(past, plan, before)  # type: ignore[arg-type]

    monkeypatch.setattr(outlooks, "curve", counted)
    parts(world, left="30")
    parts(world, left="100")
    assert known == [6, 12]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (0.124, "▲12"),
        (-0.031, "▼3"),
        (0.004, ""),
        (0.0, ""),
    ],
)
def test_the_words_of_a_change(change: float, words: str) -> None:
    assert change_words(change) == words


def test_the_words_of_a_number_of_games() -> None:
    exact = (0.3, 7.6, 19.4, 23, 88, 104, 297, 1234, 4999)
    assert list(
        map(
            about,
            exact,
        )
    ) == [1, 8, 19, 25, 90, 100, 300, 1200, 5000]


def test_the_words_of_a_chance() -> None:
    chances = (0, 0.0049, 0.006, 0.414, 0.994, 0.996, 1)
    words = list(map(texts.chance, chances))
    assert words == ["0%", "<1%", "1%", "41%", "99%", ">99%", "100%"]


def test_all_seasons_together_have_no_forecast_of_their_own() -> None:
    world = nine()
    assert parts(world, season="all") == parts(world)
    asked = world.ask("優勝確率")
    assert "第1シーズン" in asked.taps
    assert "全シーズン" not in asked.taps


def test_the_asker_is_marked() -> None:
    _, chart = parts(running(me="みどり"))
    assert chart.places is not None
    names = chart.places.columns[0].cells
    assert [name.name for name in names if name.asker] == ["みどり"]
    assert [curve.name for curve in chart.curves if curve.asker] == ["みどり"]
    # So is the day on which it turned.
    _, chart = parts(running(200))
    assert chart.turn is not None
    assert chart.turn.sentence.startswith("流れが変わった日 ")
    assert chart.turn.at in chart.curves[-1].xs
    assert chances.LEAST_TURN == 0.1


LABELS = ["優勝を決めた一戦", "折り返しの本命", "見込みを上回った人"]


def facts_of(world: LeagueWorld) -> list[Fact]:
    question = world.question(Command("summary"))
    return review_facts(question, people_of(question), scope_of(question))


def facts(games: int, players: int = 5) -> list[Fact]:
    return facts_of(running(games, players))


def skilled(games: int, fine: str = "") -> Running:
    """A season in which the first of the table's names wins three of four games."""
    rng = random.Random(games)
    log = ["20260901"]
    for number in range(games):
        names = sorted(rng.sample(NINE[:5], 3))
        if number % 4 == 3:
            rng.shuffle(names)
        points = (40 + rng.randrange(20), rng.randrange(10), 0)
        results = zip(names, (*points[:2], -sum(points)), strict=True)
        seats = " ".join(f"{name}({score:+}.0)" for name, score in results)
        log.append(f"C1934 | 20:00 | 三般南喰赤－ | {seats}")
    return Running({"logvol1.txt": "\n".join([*log, fine]).encode()})


def test_luck_is_reported_only_where_skill_is() -> None:
    """A point estimate says nothing in a league whose share of skill may be anything."""
    uncertain = running(96)
    past = outlooks.past_of_scope(
        question := uncertain.question(Command("skill")), scope_of(question)
    )
    assert past is not None
    share = outlooks.skill_of(question, past).share(96)
    assert share.low < 0.05
    assert share.high > 0.5
    assert [fact.label for fact in facts_of(uncertain)] == LABELS[:2]
    outplayed = facts_of(skilled(96))[-1]
    assert outplayed.label == LABELS[2]
    assert re.fullmatch(r"実力からの見込みより約\+\d+", outplayed.detail)
    fined = facts_of(skilled(96, fine=f"罰符 | 21:00 | {NINE[0]}(-10.0) チョンボ"))[-1]
    assert fined.detail == f"{outplayed.detail}（罰符別）"


def test_the_facts_of_a_season() -> None:
    decided, half, outplayed = facts_of(skilled(96))
    assert [decided.label, half.label, outplayed.label] == LABELS
    _, change, *_ = decided.detail.split("　")
    before, after = change.replace("%", "").split("→")
    assert float(before) < float(after)
    assert half.detail.startswith("48戦の時点で")
    assert "+" in outplayed.detail


def test_too_few_games_or_members_tell_nothing() -> None:
    assert facts(9) == []
    assert facts(40, players=1) == []


def test_they_stand_in_the_report_once_the_season_is_over() -> None:
    over = LeagueWorld(skilled(64).repository.logs.files)
    world = running(48, 3)
    assert DURING < NOW
    assert [fact.label for fact in facts_of(skilled(48))] == [
        LABELS[0],
        LABELS[2],
    ]  # half-time is before a forecast
    for season, expected in ((over, LABELS), (world, [])):
        asked = season.ask("まとめ")
        (report,) = [p.chart for p in asked.pictures if isinstance(p.chart, SeasonReport)]
        assert [fact.label for fact in report.facts if fact.label in LABELS] == expected


INF = float("inf")
FAR = Reach(-200.0, 300.0, 3)


def test_everybody_is_told_points_behind_chance_and_need() -> None:
    found = running(me="東風").ask("条件").table
    assert len(found.rows) == 5
    leader, *others = found.rows
    assert leader.extra[1].startswith("+")
    assert all(row.extra[1].startswith("−") for row in others)
    assert found.notification.startswith("優勝の条件（残り50戦）：東風は")
    assert [row.name for row in found.rows if row.mine] == ["東風"]


@pytest.mark.parametrize(
    ("need", "words"),
    [
        (Need("a", 50.0, 0.3, 85.2, 12.4), "あと約12戦で+85"),
        (Need("a", -50.0, 0.7, -12.2, 0.4), "あと約1戦で−12まで減っても優位"),
        (Need("a", 500.0, 0.004, 812.0, 12), "届く見込みがわずか"),
        (Need("a", 500.0, 0.0, None, 12), "届く見込みがわずか"),
        (Need("a", -500.0, 1.0, None, 12), "ほぼ優勝"),
        (Need("a", -500.0, 0.996, -800.0, 12), "ほぼ優勝"),
    ],
)
def test_a_need_in_words(need: Need, words: str) -> None:
    assert in_words(need) == words
    assert told_gain(need) == words.startswith("あと")


def test_conditions_of_a_placing_in_words() -> None:
    same = (
        Against("b", 1, 12.0),
        Against("b", 2, 12.0),
        Against("c", 1, -INF),
        Against("c", 2, -INF),
    )
    assert conditions(str, PlacingNeed(0, 0.6, -INF, same), FAR) == "bに12.0より大きい差をつける"
    second = (
        Against("b", 0, INF),
        Against("b", 2, 12.0),
        Against("c", 0, -20.0),
        Against("c", 2, -INF),
    )
    answer_to = "自分の得点が+30.0より上、bがトップなら届かない、bがラスなら12.0より大きい差をつける、cがトップなら20.0差未満"
    assert conditions(str, PlacingNeed(1, 0.3, 30.0, second), FAR) == answer_to
    last = (Against("b", 0, -40.0), Against("b", 1, -40.0))
    assert conditions(str, PlacingNeed(2, 0.3, -INF, last), FAR) == "bと40.0差未満"
    far = (Against("b", 0, -400.0), Against("b", 2, -INF))
    assert conditions(str, PlacingNeed(1, 0.9, -250.0, far), FAR) == "", "no game brings it"


@pytest.mark.parametrize(
    ("need", "words"),
    [
        (
            PlacingNeed(
                0,
                1.0,
                -INF,
                (Against("b", 1, -INF),),
            ),
            "優勝",
        ),
        (
            PlacingNeed(
                0,
                1.0,
                -INF,
                (Against("b", 1, 3.0),),
            ),
            "ほぼ優勝",
        ),
        (
            PlacingNeed(
                0,
                0.0,
                -INF,
                (Against("b", 1, 3.0),),
            ),
            "ほぼ届かない",
        ),
        (
            PlacingNeed(
                1,
                0.0,
                -INF,
                (Against("b", 0, INF),),
            ),
            "届かない",
        ),
        (
            PlacingNeed(
                0,
                None,
                -INF,
                (Against("b", 1, 3.0),),
            ),
            "条件つき",
        ),
        (
            PlacingNeed(
                0,
                0.414,
                -INF,
                (Against("b", 1, 3.0),),
            ),
            "41%",
        ),
    ],
)
def test_a_verdict(need: PlacingNeed, words: str) -> None:
    assert verdict(need) == words
    if words in ("優勝", "ほぼ優勝", "ほぼ届かない", "届かない"):
        assert conditions(str, need, FAR) == ""


def test_a_last_game_is_told_for_a_table_typed_or_tapped() -> None:
    world = running()
    for asked in (
        world.ask("条件 みどり 白發中 東風"),
        world.ask("request_needs?show=last&table=top"),
    ):
        assert not asked.refused
        assert "最終戦の条件" in asked.words
        assert len(asked.table.more) == 3
        for _, rows in asked.table.more:
            assert [row.name for row in rows] == ["トップ", "2着", "ラス"]


def test_another_number_of_players_is_no_table_and_with_one_game_left_it_is_the_last() -> None:
    for words in ("条件 みどり", "条件 みどり 白發中", "条件 みどり 白發中 東風 両面待ち"):
        asked = running().ask(words)
        assert asked.refused
        assert "3人の名前" in asked.words
    assert "最終戦の条件" in running(plan="games = 49").ask("条件").words


def test_a_season_that_is_over_needs_nothing() -> None:
    world = running(plan="games = 48")
    for words, sentence in (
        ("条件", "もう終わっています。優勝は"),
        ("もしも", "もしもの計算はありません"),
    ):
        asked = world.ask(words)
        assert asked.refused
        assert sentence in asked.words


def test_if_asks_for_a_member_then_shows_changes_that_sum_to_nothing() -> None:
    world = running()
    assert {"みどり", "白發中", "東風"} <= set(world.ask("もしも").taps)
    found = world.answer_to("if", player="みどり").table
    assert found.title == "もしも みどりが次にトップなら"
    changes = {row.name: row.extra[0] for row in found.rows}
    assert changes["みどり"].startswith("▲")
    signed = [change.replace("▲", "+").replace("▼", "-") for change in changes.values()]
    total = sum(int(change.removeprefix("±")) for change in signed)
    assert abs(total) <= 2
    last = world.answer_to("if", player="みどり", placing="3").table
    assert "ラスなら" in last.title
    changes = {row.name: row.extra[0] for row in last.rows}
    assert changes["みどり"].startswith("▼")


def test_members_of_another_season_and_guests_at_the_table_are_told_of() -> None:
    assert not nine().ask("もしも みどり").refused
    asked = running(players=2).ask("request_needs?show=last&table=top")
    assert not asked.refused
    assert "最終戦の条件" in asked.words


def skill_of(world: Running, **options: str) -> tuple[Table, RowPicture]:
    asked = world.answer_to("skill", **options)
    assert asked.pictures[0].alt == asked.table.notification
    return asked.table, asked.chart


def clear_cut(me: str = "", upsets: int = 1000) -> Running:
    """A league in which the first of three always wins and the third loses, but for every so many
    games.
    """
    usual = ("みどり", "白發中", "東風")
    upset = ("東風", "みどり", "白發中")
    lines = []
    for n in range(120):
        if n % 8 == 0:
            lines.append(f"{date(2026, 9, 1) + timedelta(days=n // 8):%Y%m%d}")
        points = zip(
            upset if n % upsets == upsets - 1 else usual, ("+50.0", "+2.0", "-52.0"), strict=True
        )
        lines.append(
            "C1934 | 20:00 | 三般南喰赤－ | " + " ".join(f"{name}({p})" for name, p in points)
        )
    return Running({"logvol1.txt": "\n".join(lines).encode() + b"\n"}, me)


def test_skill_and_luck_make_up_the_points() -> None:
    world = clear_cut(upsets=3)
    table, chart = skill_of(world)
    snapshot = world.repository.snapshot()
    totals: dict[str, float] = {}
    for game in snapshot.all_games():
        for seat in game.seats:
            totals[seat.player] = totals.get(seat.player, 0.0) + seat.score
    best_first = sorted(totals, key=totals.__getitem__, reverse=True)
    assert chart.rows.names() == best_first
    _, bars, _ = chart.rows.columns
    for name, (skill, luck) in zip(best_first, bars.cells, strict=True):
        assert skill.end == luck.start
        assert luck.end == pytest.approx(totals[name], abs=0.11)
    assert sum(skill.end for skill, _ in bars.cells) == pytest.approx(
        0,
        abs=0.5,
    )
    assert len(table.rows) == len(totals)


def test_the_sentence_is_of_the_one_named_else_the_asker_else_the_leader() -> None:
    assert skill_of(clear_cut(), player="東風")[1].sentence.startswith(
        "東風の成績のうち、実力の分は"
    )
    assert skill_of(clear_cut(me="白發中"))[1].sentence.startswith("白發中の")
    table, chart = skill_of(clear_cut())
    names = chart.rows.columns[0].cells
    assert chart.sentence.startswith(f"{names[0].name}の")
    assert table.notification == f"実力と運：{chart.sentence}"
    assert [name.asker for name in names] == [True, False, False]
    assert table.note == LUCK + SHARES, "even opponents are not spoken of"
    assert skill_of(clear_cut(), season="all")[0].title == "実力と運　全シーズン"


def test_skill_of_the_domain_adds_up() -> None:
    past = past_of(running(200).repository.snapshot().all_games())
    found = skill_and_luck(past, skills_of(past))
    assert sum(one.points for one in found) == pytest.approx(0, abs=1e-6)
    assert sum(one.skill for one in found) == pytest.approx(0, abs=1e-6)
    assert all(one.points == pytest.approx(one.skill + one.luck) for one in found)


@pytest.mark.parametrize(
    ("low", "high", "sentence"),
    [
        (
            0.002,
            0.02,
            "aの成績のうち、実力の分は16〜67%。実力が半分になるのは、約50〜500戦打ったころです。",
        ),
        (0.0, 0.004, "aの成績のうち、実力の分は29%以下。実力が半分になるのは、約250戦より先です。"),
        (
            0.0001,
            0.004,
            "aの成績のうち、実力の分は29%以下。実力が半分になるのは、約250戦より先です。",
        ),
        (
            0.05,
            5.0,
            "aの成績のうち、実力の分は83%以上。実力が半分になるのは、約1〜20戦打ったころです。",
        ),
        (0.0, 1e-6, "aの成績のうち、実力の分は1%以下。実力が半分になるのは、約5000戦より先です。"),
        (
            0.0,
            0.02,
            "aの成績のうち、実力の分は0〜67%としか、この対局数ではまだ言えません。"
            "実力が半分になるのは、約50戦より先です。",
        ),
        (
            0.0,
            np.inf,
            "aの成績のうち、実力の分は0〜100%としか、この対局数ではまだ言えません。"
            "実力が半分になるのは、約1戦より先です。",
        ),
    ],
)
def test_a_share_in_words(low: float, high: float, sentence: str) -> None:
    ratio = SkillRatio(low, high)
    assert sentence_of("a", ratio.share(100), ratio) == sentence


def test_who_of_two_is_better_is_said_where_it_is_sure() -> None:
    world = clear_cut()
    for asked in ("実力 みどり 東風", "実力 東風 みどり", "対決 みどり 東風"):
        assert "実力はみどりが上です（確率90%以上）。" in world.ask(asked).words
    even = Running({"logvol1.txt": log_of(NINE[:5], 48)})
    assert UNSURE in even.ask("実力 みどり 東風").words
    assert "実力は" not in even.ask("対決 みどり 東風").words


def test_the_share_s_interval_is_shown_however_wide_it_is() -> None:
    """Shown only where it excludes hardly any and half, it would hold the truth 7 times in 10."""
    asked = running(48).ask("実力")
    assert asked.pictures == [], "no bars where the share may be hardly any or more than half"
    shares = {row.name: row.value for row in asked.table.rows}
    assert len(shares) > 2
    for share in shares.values():
        low, high = map(int, share.removesuffix("%").split("〜"))
        assert low < 5
        assert high > 50
    assert "としか、この対局数ではまだ言えません。" in asked.table.note
    assert asked.table.note.endswith(SHARES)
    first, second, *_ = shares
    pair = running(48).ask(f"実力 {first} {second}").table
    assert [row.value for row in pair.rows] == [shares[first], shares[second]]
    assert SHARES in pair.note
    assert running(9).ask("実力").refused
    assert running(40, players=1).ask("実力").refused


def test_the_card_shows_the_share_s_interval_from_ten_games_on() -> None:
    def shares(world: Running) -> list[str]:
        rows = world.ask("個人 みどり").table.rows
        return [row.value for row in rows if row.name == "成績のうち実力の分"]

    table, _ = skill_of(clear_cut(upsets=3))
    assert shares(clear_cut(upsets=3)) == [table.rows[0].value]
    rows = running(48).ask("実力").table.rows
    assert shares(running(48)) == [row.value for row in rows if row.name == "みどり"]
    assert shares(running(9, me="みどり")) == []


def test_whether_there_is_any_skill_to_see() -> None:
    def skill_text(world: Running) -> str:
        past = past_of(world.repository.snapshot().all_games())
        return outlooks.skill_test_words(world.question(Command("compare")), past)

    words = skill_text(clear_cut())
    assert words.startswith("実力の差は、はっきり出ています（")
    assert "1万通りのうち、実際以上に差がついたのは0通り" in words
    words = skill_text(Running({"logvol1.txt": log_of(NINE, 160)}))  # names dealt by chance
    assert "つきません（" in words or "ありそうです（" in words
