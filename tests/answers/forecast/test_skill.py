"""実力 in words: a share, when it is one half, who of two is better and how surely; on the card, in 対決 and
レート検証."""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np
import pytest

from bot.answers.common import outlooks
from bot.answers.common.outlooks import (
    ShareOfSkill,
    about,
    better_words,
    half_words,
    sentence_of,
    share_words,
    sure,
)
from bot.answers.forecast.skill import MEANING, SkillChart
from bot.chat.command import Command
from bot.chat.replies import Picture, Row, Table
from rating.forecast.past import past_of
from rating.forecast.skill import games_until_half, skill_and_luck
from rating.forecast.strengths import skills_of
from tests.answers.forecast.seasons import Running, nine, running
from tests.answers.leagues import NINE, log_of


def parts(world: Running, **options: str) -> tuple[Table, SkillChart]:
    table, picture = world.reply(Command("skill", options)).parts
    assert isinstance(table, Table)
    assert isinstance(picture, Picture)
    assert picture.alt == table.alt
    return table, picture.chart


def clear_cut(games: int = 120) -> bytes:
    """A league in which the first always wins and the third always loses."""
    days = [f"{date(2026, 9, 1) + timedelta(days=n):%Y%m%d}" for n in range(games // 8)]
    game = "C1934 | 20:00 | 三般南喰赤－ | みどり(+50.0) 白發中(+2.0) 東風(-52.0)"
    return "\n".join(line for day in days for line in (day, *[game] * 8)).encode() + b"\n"


def test_skill_and_luck_make_up_the_points() -> None:
    world = running()
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
    assert parts(running(), player="東風")[1].sentence.startswith("東風のいまの差のうち、実力は約")
    assert parts(running(me="みどり"))[1].sentence.startswith("みどりの")
    table, chart = parts(running())
    assert chart.sentence.startswith(f"{chart.rows[0].name}の")
    assert table.alt == f"実力と運：{chart.sentence}"
    assert [row.name for row in chart.rows if row.asker] == [chart.rows[0].name]


def test_all_seasons_may_be_asked() -> None:
    assert parts(nine(), season="all")[0].title == "実力と運　全シーズン"


def test_half_is_where_the_mean_share_is_one_half() -> None:
    snapshot = running(200).repository.snapshot()
    skills = skills_of(past_of(snapshot.all_games()))
    half = games_until_half(skills)
    assert skills.share(np.array([half]))[0] == pytest.approx(0.5, abs=0.01)
    assert games_until_half(skills, 2) == float("inf")


def test_skill_of_the_domain_adds_up() -> None:
    past = past_of(running(200).repository.snapshot().all_games())
    found = skill_and_luck(past, skills_of(past))
    assert sum(one.points for one in found) == pytest.approx(0, abs=1e-6)
    assert sum(one.skill for one in found) == pytest.approx(0, abs=1e-6)
    assert all(one.points == pytest.approx(one.skill + one.luck) for one in found)


@pytest.mark.parametrize(
    ("share", "left", "words", "sentence"),
    [
        (0.4, 297.0, "あと約300戦", "aのいまの差のうち、実力は約40%。半々になるまであと約300戦です。"),
        (0.4, 12.4, "あと約12戦", "aのいまの差のうち、実力は約40%。半々になるまであと約12戦です。"),
        (0.499, 0.2, "ほぼ半々", "aのいまの差のうち、実力は約50%。ほぼ半々です。"),
        (0.62, -90.0, "半々以上", "aのいまの差のうち、実力は約62%。運より実力のほうが大きくなっています。"),
        (0.01, 6000.0, "まだ先", "aのいまの差のうち、実力は約1%。半々になるのは、まだずっと先です。"),
        (0.0, float("inf"), "まだ先", "aのいまの差のうち、実力は0%。半々になるのは、まだずっと先です。"),
    ],
)
def test_a_share_in_words(share: float, left: float, words: str, sentence: str) -> None:
    found = ShareOfSkill(share, 100, left)
    assert half_words(found) == words
    assert sentence_of("a", found) == sentence
    assert share_words(found) in sentence


def test_a_number_of_games_as_one_says_it() -> None:
    said = [about(n) for n in (0.3, 7.6, 19.4, 23, 88, 104, 297, 1234, 4999)]
    assert said == [1, 8, 19, 25, 90, 100, 300, 1200, 5000]


@pytest.mark.parametrize(
    ("chance", "how", "words"),
    [
        (0.52, "互角", "実力は互角で、aのほうが強い見込みは52%です。"),
        (0.45, "互角", "実力は互角で、aのほうが強い見込みは45%です。"),
        (0.22, "やや有力", "bのほうが強い見込みは78%（やや有力）です。"),
        (0.86, "有力", "aのほうが強い見込みは86%（有力）です。"),
        (0.96, "かなり確か", "aのほうが強い見込みは96%（かなり確か）です。"),
        (0.998, "ほぼ確実", "aのほうが強い見込みは99%超（ほぼ確実）です。"),
    ],
)
def test_who_is_better_and_how_surely(chance: float, how: str, words: str) -> None:
    assert sure(chance) == how
    assert better_words("a", "b", chance) == words


def test_of_two_the_chance_that_one_is_better() -> None:
    world = Running({"logvol1.txt": clear_cut()})
    asked = world.ask("実力 みどり 東風")
    assert "みどりのほうが強い見込みは99%超（ほぼ確実）です。" in asked.words
    assert "強い見込み" in world.ask("対決 みどり 東風").words


def test_too_few_games_are_said() -> None:
    assert running(9).ask("実力").refused
    assert running(40, players=1).ask("実力").refused


def test_the_card_tells_a_share_in_words() -> None:
    def share(games: int) -> list[Row]:
        table = running(games, me="みどり").ask("個人").reply.parts[0]
        assert isinstance(table, Table)
        return [row for row in table.rows if row.name == "差のうちの実力"]

    (row,) = share(48)
    assert row.value.startswith("約")
    assert "半々" in row.extra[0] or row.extra[0] == "まだ先"
    assert share(9) == []


def test_whether_there_is_any_skill_to_see() -> None:
    world = Running({"logvol1.txt": clear_cut()})
    question = world.question(Command("compare"))
    past = past_of(question.snapshot.all_games())
    words = outlooks.skill_test_words(question, past)
    assert words.startswith("実力の差は、はっきり出ています（")
    assert "1万通りのうち、実際以上に差がついたのは0通り" in words


def test_names_dealt_by_chance_show_no_skill() -> None:
    world = Running({"logvol1.txt": log_of(NINE, 160)})
    words = outlooks.skill_test_words(
        world.question(Command("compare")), past_of(world.repository.snapshot().all_games())
    )
    assert "つきません（" in words or "ありそうです（" in words


def test_even_opponents_are_not_spoken_of() -> None:
    table, _ = parts(running())
    assert table.note == MEANING
