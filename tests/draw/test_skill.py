"""実力と運: every row shows both parts and their sum with their words, in sizes that a phone shows."""

import pytest

from bot.answers.forecast import skill
from bot.answers.forecast.skill import SkillChart, SkillRow
from bot.draw.style import AXIS, colours
from tests.draw.leagues import NINE, TWENTY
from tests.draw.pngs import opened
from tests.draw.writing import overlaps, written

SENTENCE = "夏海里伽子（本人ではない）の成績のうち、実力の分は16〜67%。実力が半分になるのは、約50〜500戦打ったころです。"


@pytest.mark.parametrize("names", [(), NINE[:1], NINE, TWENTY, tuple(n * 5 for n in NINE)])
def test_every_league_is_drawn_in_sizes_that_a_phone_shows(names: tuple[str, ...]) -> None:
    rows = [
        SkillRow(name, 300.0 - 70 * i, 90.0 * (i % 3 - 1), colour, i == 1)
        for i, (name, colour) in enumerate(colours(names).items())
    ]
    chart = SkillChart("実力と運　第2シーズン", "5/24〜6/30　474戦", SENTENCE, rows)
    found = written(lambda: skill.draw(chart))
    assert overlaps(found) == []
    assert min(text.size for text in found) >= AXIS
    assert sum(text.text.startswith("実力") and "運" in text.text for text in found[2:]) == len(names)
    assert opened(skill.draw(chart)).size[0] == 1200


def test_equal_members_are_drawn() -> None:
    rows = [SkillRow("a", 0.0, 0.0), SkillRow("b", 0.0, 0.0)]
    opened(skill.draw(SkillChart("実力と運", "", "", rows)))
