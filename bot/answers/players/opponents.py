"""The opponents on a member's card: the rival, 得意 and 苦手."""

from __future__ import annotations

from bot.answers.common.members import People
from bot.answers.players.matchup import ENOUGH, favourites
from bot.charts.canvas import style
from bot.charts.card_rival import Rival
from bot.charts.parts.facts import Fact
from rating.meetings import Meeting, Meetings, against


def rival_of(people: People, found: Meetings, player: str) -> tuple[str, Meeting] | None:
    """The opponent with whom the games are the most even; None where nobody met the player often enough.

    Those count who met the player in ENOUGH games and in at least a third as many as the one who met them most. Of equally
    even ones the one of more games is taken, then the first in the league's order.
    """
    met = {
        other: m for other, m in against(found, player).items() if other in people.order and m.games >= ENOUGH
    }
    most = max((m.games for m in met.values()), default=0)
    often = {other: m for other, m in met.items() if 3 * m.games >= most}
    return min(
        often.items(),
        key=lambda each: (abs(each[1].share - 0.5), -each[1].games, people.order.index(each[0])),
        default=None,
    )


def rival_words(people: People, found: Meetings, player: str) -> Rival | None:
    """The rival as the card shows one."""
    rival = rival_of(people, found, player)
    if rival is None:
        return None
    other, met = rival
    return Rival(people.shown(other), people.colour(other), met.ahead, met.games, _share(met))


def favourite_facts(people: People, found: Meetings, player: str) -> tuple[Fact, ...]:
    """得意な相手 and 苦手な相手 with 先着率, as far as there are any who are not the rival."""
    facts, rival = [], rival_of(people, found, player)
    for word, equal, met in favourites(people, found, player):
        if equal and not (rival and equal == [rival[0]]):
            colour = people.colour(equal[0]) if len(equal) == 1 else style.INK
            facts.append(
                Fact(f"{word}な相手", people.named(equal), _share(met), colour, people.joined(equal))
            )
    return tuple(facts)


def _share(met: Meeting) -> str:
    return f"先着率 {met.share:.0%}（{met.games}戦）"
