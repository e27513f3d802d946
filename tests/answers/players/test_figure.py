"""Figures in one line, counted again from the games alone; and what they say where nothing is known."""

import re
from collections import defaultdict

import pytest

from bot.chat.replies import Text
from rating.games import Game
from tests.answers.leagues import World, game, world

ME = "みどり"


def line(asked: World, data: str) -> str:
    (part,) = asked.ask(f"request_figure?{data}").reply.parts
    assert isinstance(part, Text)
    return part.text


def games_of(asked: World, season: int) -> tuple[Game, ...]:
    return asked.repository.snapshot().all_games(season)


def test_lines_are_what_the_games_say() -> None:
    """In the league of nine: a chip is worth 2.0 and season 1 has none."""
    asked, total, placed = World.again("nine", ME), defaultdict(float), defaultdict(list)
    for each in games_of(asked, 2):
        for seat in each.seats:
            better = sum(other.score > seat.score for other in each.seats)
            placed[seat.player].append(better)
            total[seat.player] += seat.score + 2 * (seat.chips or 0)
    order = sorted(total, key=lambda player: -total[player])
    place, own = order.index(ME) + 1, placed[ME]

    def written(value: float) -> str:
        return f"{value:+,.1f}".replace("-", "−")

    said = line(asked, f"by=place&player={ME}")
    assert f"収支{place}位（{written(total[ME])}）" in said
    assert f"平均着順{sum(own) / len(own) + 1:.2f}" in said
    assert f"{len(own)}戦中{own.count(0)}回" in line(asked, f"by=first&player={ME}")
    assert f"（{len(own)}戦中{own.count(2)}回" in line(asked, f"by=last&player={ME}")
    assert line(asked, f"by=games&player={ME}").startswith(f"{ME}　第2シーズン：対局数 {len(own)}戦")
    for player in order[1:]:
        gap = f"首位の{order[0]}と{total[order[0]] - total[player]:,.1f}差"
        assert gap in World.again("nine", player).ask("差").words
    assert f"2位の{order[1]}と{total[order[0]] - total[order[1]]:,.1f}差" in line(
        asked, f"by=gap&player={order[0]}"
    )
    assert f"首位は{order[0]}（収支{written(total[order[0]])}）" in line(asked, "by=leader")
    assert f"最下位は{order[-1]}（収支{written(total[order[-1]])}）" in line(asked, "by=bottom")
    assert f"第2シーズンの優勝は{order[0]}（収支{written(total[order[0]])}）です。" in line(
        asked, "by=winner"
    )


@pytest.mark.parametrize(("by", "word"), [("nemesis", "低い"), ("prey", "高い")])
def test_the_opponent_with_the_lowest_and_the_highest_share(by: str, word: str) -> None:
    asked, met = World.again("nine", ME), defaultdict(list)
    for each in games_of(asked, 1):
        scores = {seat.player: seat.score for seat in each.seats}
        for other in set(scores) - {ME} if ME in scores else ():
            met[other].append((scores[ME] > scores[other]) + (scores[ME] == scores[other]) / 2)
    shares = {other: sum(own) / len(own) for other, own in met.items() if len(own) >= 10}
    best = (min if by == "nemesis" else max)(shares.values())
    said = line(asked, f"by={by}&player={ME}&season=1")
    found = re.search(rf"先着率がいちばん{word}相手は(.+)（(.+)%）。.+と言える差はまだ見えません", said)
    assert found
    assert float(found[2]) == pytest.approx(100 * best, abs=0.05)
    assert {shares[name] for name in found[1].split("・")} == {best}


def test_who_is_level_and_who_is_alone() -> None:
    tie = world("20260901", game("甲(+20.0)", "乙(+20.0)", "丙(-40.0)"), me="乙")
    assert "首位は乙・甲（収支+20.0）。3位の丙と60.0差" in line(tie, "by=leader")
    assert "収支1位。3位の丙と60.0差" in line(tie, "by=gap&player=乙")
    assert "連続トップはまだ出せません" in line(tie, "by=firsts&player=丙")
    assert "天敵はまだ見えません" in line(tie, "by=nemesis&player=甲")
    assert "第1シーズンの優勝は乙・甲（収支+20.0）です。" in line(tie, "by=winner")
    # Where nobody is known, one is asked for a name.
    asked = World.again("nine")
    assert "見たい人の名前を押してください。" in asked.ask("何位").words
    assert "得意" in asked.ask("天敵").words
    assert "首位は" in asked.ask("首位との差").words
