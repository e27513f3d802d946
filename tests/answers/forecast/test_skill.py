"""実力 in words: a share, when it is one half, who of two is better and how surely; on the card, in 対決 and
レート検証."""

from datetime import date, timedelta

import numpy as np
import pytest

from bot.answers.common import outlooks
from bot.answers.common.outlooks import UNSURE, UNTOLD, about, sentence_of
from bot.answers.forecast.skill import MEANING, SkillChart
from bot.chat.command import Command
from bot.chat.replies import Table
from rating.forecast.past import past_of
from rating.forecast.skill import skill_and_luck
from rating.forecast.strengths import SkillRatio, skills_of
from tests.answers.forecast.seasons import Running, running
from tests.answers.leagues import NINE, log_of


def parts(world: Running, **options: str) -> tuple[Table, SkillChart]:
    asked = world.told("skill", **options)
    assert asked.pictures[0].alt == asked.table.alt
    return asked.table, asked.chart


def clear_cut(me: str = "", upsets: int = 1000) -> Running:
    """A league in which the first of three always wins and the third always loses, but for every so many
    games."""
    usual, upset = ("みどり", "白發中", "東風"), ("東風", "みどり", "白發中")
    lines = []
    for n in range(120):
        if n % 8 == 0:
            lines.append(f"{date(2026, 9, 1) + timedelta(days=n // 8):%Y%m%d}")
        points = zip(upset if n % upsets == upsets - 1 else usual, ("+50.0", "+2.0", "-52.0"), strict=True)
        lines.append("C1934 | 20:00 | 三般南喰赤－ | " + " ".join(f"{name}({p})" for name, p in points))
    return Running({"logvol1.txt": "\n".join(lines).encode() + b"\n"}, me)


def test_skill_and_luck_make_up_the_points() -> None:
    world = clear_cut(upsets=3)
    table, chart = parts(world)
    snapshot = world.repository.snapshot()
    totals: dict[str, float] = {}
    for game in snapshot.all_games():
        for seat in game.seats:
            totals[seat.player] = totals.get(seat.player, 0.0) + seat.score
    assert [row.name for row in chart.rows] == sorted(totals, key=lambda p: -totals[p])
    for row in chart.rows:
        assert row.skill + row.luck == pytest.approx(totals[row.name], abs=0.11)
    assert sum(row.skill for row in chart.rows) == pytest.approx(0, abs=0.5)
    assert len(table.rows) == len(totals)


def test_the_sentence_is_of_the_one_named_else_the_asker_else_the_leader() -> None:
    assert parts(clear_cut(), player="東風")[1].sentence.startswith("東風の成績のうち、実力の分は")
    assert parts(clear_cut(me="白發中"))[1].sentence.startswith("白發中の")
    table, chart = parts(clear_cut())
    assert chart.sentence.startswith(f"{chart.rows[0].name}の")
    assert table.alt == f"実力と運：{chart.sentence}"
    assert [row.name for row in chart.rows if row.asker] == [chart.rows[0].name]
    assert table.note == MEANING, "even opponents are not spoken of"
    assert parts(clear_cut(), season="all")[0].title == "実力と運　全シーズン"


def test_skill_of_the_domain_adds_up() -> None:
    past = past_of(running(200).repository.snapshot().all_games())
    found = skill_and_luck(past, skills_of(past))
    assert sum(one.points for one in found) == pytest.approx(0, abs=1e-6)
    assert sum(one.skill for one in found) == pytest.approx(0, abs=1e-6)
    assert all(one.points == pytest.approx(one.skill + one.luck) for one in found)


@pytest.mark.parametrize(
    ("low", "high", "sentence"),
    [
        (0.002, 0.02, "aの成績のうち、実力の分は16〜67%。実力が半分になるのは、約50〜500戦打ったころです。"),
        (0.0, 0.004, "aの成績のうち、実力の分は29%以下。実力が半分になるのは、約250戦より先です。"),
        (0.0001, 0.004, "aの成績のうち、実力の分は29%以下。実力が半分になるのは、約250戦より先です。"),
        (0.05, 5.0, "aの成績のうち、実力の分は83%以上。実力が半分になるのは、約1〜20戦打ったころです。"),
        (0.0, 1e-6, "aの成績のうち、実力の分は1%以下。実力が半分になるのは、約5000戦より先です。"),
        (0.0, 0.02, UNTOLD),
        (0.0, np.inf, UNTOLD),
    ],
)
def test_a_share_in_words(low: float, high: float, sentence: str) -> None:
    ratio = SkillRatio(low, high)
    assert sentence_of("a", ratio.share(100), ratio) == sentence


def test_a_number_of_games_as_one_says_it() -> None:
    said = [about(n) for n in (0.3, 7.6, 19.4, 23, 88, 104, 297, 1234, 4999)]
    assert said == [1, 8, 19, 25, 90, 100, 300, 1200, 5000]


def test_who_of_two_is_better_is_said_where_it_is_sure() -> None:
    world = clear_cut()
    for asked in ("実力 みどり 東風", "実力 東風 みどり", "対決 みどり 東風"):
        assert "実力はみどりが上です（確率90%以上）。" in world.ask(asked).words
    even = Running({"logvol1.txt": log_of(NINE[:5], 48)})
    assert UNSURE in even.ask("実力 みどり 東風").words
    assert "実力は" not in even.ask("対決 みどり 東風").words


def test_where_no_share_can_be_told_one_sentence_says_so() -> None:
    asked = running(48).ask("実力")
    assert asked.pictures == []
    assert (asked.table.rows, asked.table.note) == ((), UNTOLD)
    assert running(9).ask("実力").refused
    assert running(40, players=1).ask("実力").refused


def test_the_card_tells_a_share_where_it_can_be_told() -> None:
    def shares(world: Running) -> list[str]:
        rows = world.ask("個人 みどり").table.rows
        return [row.value for row in rows if row.name == "成績のうち実力の分"]

    assert shares(clear_cut(upsets=3)) == [parts(clear_cut(upsets=3))[0].rows[0].value]
    assert shares(running(48, me="みどり")) == shares(running(9, me="みどり")) == []


def test_whether_there_is_any_skill_to_see() -> None:
    def told(world: Running) -> str:
        past = past_of(world.repository.snapshot().all_games())
        return outlooks.skill_test_words(world.question(Command("compare")), past)

    words = told(clear_cut())
    assert words.startswith("実力の差は、はっきり出ています（")
    assert "1万通りのうち、実際以上に差がついたのは0通り" in words
    words = told(Running({"logvol1.txt": log_of(NINE, 160)}))  # names dealt by chance
    assert "つきません（" in words or "ありそうです（" in words
