"""まとめ of a season that is over tells the deciding game, the favourite at half-time, and who did better
than expected."""

from bot.answers.common.members import people_of
from bot.answers.common.scope import scope_of
from bot.answers.standings.summary import SeasonReport, review_facts
from bot.chat.command import Command
from bot.draw.parts import Fact
from tests.answers.forecast.seasons import DURING, running
from tests.answers.leagues import NOW, World, log_of

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
