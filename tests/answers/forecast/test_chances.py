"""優勝確率 in words: today's chances, the plan, a season that is over, and what is kept between two taps; and what まとめ of a season that is
over tells of them."""

from datetime import date

import pytest

from bot import texts
from bot.answers.common import outlooks
from bot.answers.common.members import people_of
from bot.answers.common.scope import scope_of
from bot.answers.forecast import chances
from bot.answers.forecast.chances import ChancesChart
from bot.answers.standings.summary import SeasonReport, review_facts
from bot.chat.command import Command
from bot.chat.replies import Table
from bot.draw.parts import Fact
from bot.league.snapshot import chip_worth, earlier_games
from rating.forecast.outlook import forecast
from rating.forecast.past import past_of
from tests.answers.forecast.seasons import DURING, Running, nine, running
from tests.answers.leagues import NINE, NOW, World, log_of


def parts(world: Running, **options: str) -> tuple[Table, ChancesChart]:
    asked = world.told("forecast", **options)
    assert asked.pictures[0].alt == asked.table.alt
    return asked.table, asked.chart


def test_the_table_tells_the_forecast_of_the_season_s_games() -> None:
    """The chances, with chips counted and earlier seasons known, are those of the domain asked directly."""
    world = nine()
    snapshot = world.repository.snapshot()
    past = past_of(
        snapshot.all_games(2), earlier_games(snapshot, 2), snapshot.league.is_guest, chip_worth(snapshot)
    )
    expected = forecast(past, 50)
    table, chart = parts(world)
    shown = {row.name: row.value for row in table.rows}
    assert shown == {m.player: texts.chance(m.first) for m in expected.members}
    assert [curve.name for curve in chart.curves][::-1] == [row.name for row in table.rows]
    ends = {curve.name: curve.ys[-1] for curve in chart.curves}
    assert ends == {m.player: pytest.approx(100 * m.first, abs=0.006) for m in expected.members}
    for row in chart.places:
        assert row.chances == pytest.approx(expected.member(row.name).places, abs=1e-4)
    assert table.alt.startswith(f"優勝確率（残り50戦）：{table.rows[0].name} {table.rows[0].value}")


def test_without_a_plan_it_says_so_and_offers_others() -> None:
    world = running()
    asked = world.ask("request_forecast")
    assert "残り50戦として計算" in asked.words
    assert {"あと30戦", "あと100戦"} <= set(asked.taps)
    table, _ = parts(world, left="100")
    assert "残り100戦" in table.subtitle
    assert parts(world, left="7")[0].subtitle == parts(world)[0].subtitle


def test_a_plan_of_games_is_kept() -> None:
    world = running(plan="games = 60")
    asked = world.ask("優勝確率")
    assert "残り12戦" in asked.words
    assert "として計算" not in asked.words
    assert "あと30戦" not in asked.taps


def test_a_planned_end_is_kept_and_counts_days() -> None:
    """Eight games a day for six days, and three days left."""
    table, _ = parts(running(plan="end = 2026-09-30"))
    assert "残り192戦" in table.subtitle  # (30 - 6) days of eight games


@pytest.mark.parametrize("plan", ["games = 48", "games = 40", "end = 2026-09-20"])
def test_a_season_whose_plan_is_done_is_over(plan: str) -> None:
    table, chart = parts(running(plan=plan))
    assert table.title.endswith("（結果）")
    assert chart.places == ()
    assert {curve.ys[-1] for curve in chart.curves} == {0.0, 100.0}
    assert "が優勝" in table.alt
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
    logs = {"logvol1.txt": log_of(NINE[:5], 48), "logvol2.txt": log_of(NINE[:5], 12, first=date(2026, 9, 19))}
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


def test_a_new_day_takes_the_days_before_from_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    world, known = running(), []
    parts(world)
    plain = outlooks.curve

    def counted(past: object, plan: object, before: tuple[object, ...]) -> object:
        known.append(len(before))
        return plain(past, plan, before)  # type: ignore[arg-type]

    monkeypatch.setattr(outlooks, "curve", counted)
    parts(world, left="30")
    parts(world, left="100")
    assert known == [6, 12]


def test_the_words_of_a_chance() -> None:
    said = [texts.chance(p) for p in (0, 0.0049, 0.006, 0.414, 0.994, 0.996, 1)]
    assert said == ["0%", "<1%", "1%", "41%", "99%", ">99%", "100%"]


def test_all_seasons_together_have_no_forecast_of_their_own() -> None:
    world = nine()
    assert parts(world, season="all") == parts(world)
    asked = world.ask("優勝確率")
    assert "第1シーズン" in asked.taps
    assert "全シーズン" not in asked.taps


def test_the_asker_is_marked() -> None:
    _, chart = parts(running(me="みどり"))
    assert [row.name for row in chart.places if row.asker] == ["みどり"]
    assert [curve.name for curve in chart.curves if curve.asker] == ["みどり"]
    # So is the day on which it turned.
    _, chart = parts(running(200))
    assert chart.turn is not None
    assert chart.turn.words.startswith("流れが変わった日 ")
    assert chart.turn.at in chart.curves[-1].xs
    assert chances.LEAST_TURN == 0.1


LABELS = ["優勝を決めた一戦", "折り返しの本命", "見込みを上回った人"]


def facts(games: int, players: int = 5) -> list[Fact]:
    question = running(games, players).question(Command("summary"))
    return review_facts(question, people_of(question), scope_of(question))


def test_the_facts_of_a_season() -> None:
    decided, half, outplayed = facts(96)
    assert [decided.label, half.label, outplayed.label] == LABELS
    before, after = decided.detail.split("　")[1].replace("%", "").split("→")
    assert float(before) < float(after)
    assert half.detail.startswith("48戦の時点で")
    assert "+" in outplayed.detail


def test_too_few_games_or_members_tell_nothing() -> None:
    assert facts(9) == []
    assert facts(40, players=1) == []


def test_they_stand_in_the_report_once_the_season_is_over() -> None:
    files = {"logvol1.txt": log_of(("みどり", "白發中", "東風"), 64)}
    over, world = World(files), running(48, 3)
    assert DURING < NOW
    assert [fact.label for fact in facts(48)] == [LABELS[0], LABELS[2]]  # half-time is before a forecast
    for asked, expected in ((over.ask("まとめ"), LABELS), (world.ask("まとめ"), [])):
        (report,) = [p.chart for p in asked.pictures if isinstance(p.chart, SeasonReport)]
        assert [fact.label for fact in report.facts if fact.label in LABELS] == expected
