"""Evenings of 募集, which the episodes of seeds that begin with `evening` have for rounds: members
open a chat's list, take part, come late and withdraw, several at once, on old buttons too; one
leaves the group; 5:00 passes.

Each answer is compared with the truth of the taps, reckoned here from what was pressed and what
came back. Of a tap that was not answered with the list nobody knows whether it counts.
"""

import json
import re
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from bot.answers.tonight.signup_list import UNNAMED
from rating.logdates import JST
from tests.answers.world import words_of
from tests.world import faults
from tests.world.episode import Episode
from tests.world.line import Tap
from tests.world.processes import Web
from tests.world.world import GROUPS, USERS

DO = ("in", "in", "in", "late", "out")
MARK = re.compile(r"request_signup\?do=in&n=([0-9a-f]{12})")
SHOWN = re.compile(r"^(参加|遅れる) \d人\n(.*)", re.MULTILINE)
NOBODY = "まだいません"


class Shown(NamedTuple):
    """The list in an answer: its buttons' mark, who takes part, who comes late, in the list's
    order.
    """

    mark: str
    here: tuple[str, ...]
    late: tuple[str, ...]


def shown(tap: Tap) -> Shown | None:
    mark = MARK.search(json.dumps(tap.sent))
    if mark is None:
        return None
    lines = SHOWN.findall(words_of(tap.sent))
    rows = {head: names.split("、") for head, names in lines}
    here, late = rows.get("参加", ()), rows.get("遅れる", ())
    return Shown(mark[1], without_nobody(here), without_nobody(late))


def without_nobody(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(name for name in names if name != NOBODY)


Outcomes = set[tuple[float, bool] | None]


def outcomes(taps: Iterable[tuple[float, str, bool]]) -> Outcomes:
    """What one member's taps (LINE's time, word, whether it surely counts) can come to: since when
    on the list, and whether late; None for not on it."""
    found: Outcomes = {None}
    for at, word, sure in sorted(taps):
        after: Outcomes = {None}
        if word in ("in", "late"):
            after = {(state[0] if state else at, word == "late") for state in found}
        found = after if sure else found | after
    return found


def in_order(names: Iterable[str], can: dict[str, Outcomes], late: bool) -> bool:
    """Whether each of these can have come on the list no earlier than the one above."""
    since = 0.0
    for name in names:
        begins = [state[0] for state in can.get(name, ()) if state and state[1] == late]
        since = min((begin for begin in begins if begin >= since), default=float("inf"))
    return since != float("inf")


def night(tap: Tap) -> object:
    """The night of a tap, which ends at 5:00 in Japan; None where it was answered in another."""
    asked = datetime.fromtimestamp(tap.at - 5 * 3600, JST).date()
    answered = datetime.fromtimestamp(tap.answered - 5 * 3600, JST).date()
    return asked if asked == answered else None


def name(user: str) -> str:
    return f"{user[:2]}{user[-1]}"


class Evenings(Episode):
    hiding = own_syncs = 0.0  # lists are compared by the names in them
    named = False

    def __init__(self, *parts: Any) -> None:
        super().__init__(*parts)
        self._shown: dict[Tap, Shown | None] = {}
        self.line.patient = False

    def _round(self, number: int) -> None:
        world = self.world
        chance = self.chance
        clock = self.clock
        world.round_faults.clear()
        passing = chance.random() < 0.25  # 5:00 comes in the midst of it
        before_five = datetime.fromtimestamp(clock.now, JST).replace(
            hour=4,
            minute=59,
            second=53,
        )
        hours = 24 if passing else 24 + chance.randrange(11, 19)
        evening = before_five + timedelta(hours=hours)
        clock.leap(evening.timestamp() - clock.now)
        self._run(clock.now + 3)  # signs of life were overslept
        world.faults = faults.drawn(chance, clock.now, world.without)
        clock.say("evening", number, world.faults)
        begin = clock.now
        outside = clock.outside
        for league in GROUPS:
            clock.begin(
                outside, "caller", self.line.press, league, "signup", after=chance.uniform(0, 3)
            )
            for _ in range(chance.randrange(2, 16)):
                at_once = 3 + chance.randrange(8) + 0.01 * chance.random()
                after = chance.choice((chance.uniform(0, 14), at_once))
                clock.begin(outside, "member", self._press, league, after=after)
        if chance.random() < 0.2:
            clock.begin(outside, "member", self.line.leave, after=chance.uniform(3, 12))
        self._run(begin + 15)
        world.faults = faults.NONE
        if world.events(done=False):  # not accepted, but remembered: its token passes first
            self._run(clock.now + 62)
        for tap in self._lists():
            if tap.at >= begin:
                self._judge(tap)
        world.counts["evenings"] += len(GROUPS)

    def _lists(self) -> dict[Tap, Shown | None]:
        """Every tap on 募集 with the list it was answered with."""
        asked = [tap for tap in self.line.taps.values() if tap.kind.startswith("signup")]
        for tap in asked:
            if tap.sent and tap not in self._shown:
                self._shown[tap] = shown(tap)
        return {tap: self._shown.get(tap) for tap in asked}

    def _press(self, league: str) -> None:
        """Have somebody press a button of a list of the chat, of the newest mostly."""
        chance = self.chance
        lists = []
        for tap, seen in self._lists().items():
            if seen is not None and tap.league == league:
                lists.append(seen.mark)
        button = "signup"
        if lists:
            mark = chance.choice([*lists[-1:] * 19, chance.choice(lists)])
            button = f"signup?do={chance.choice(DO)}&n={mark}"
        self.line.press(league, button)

    def _judge(self, tap: Tap) -> None:
        """The list in an answer is the chat's one of that night, with all that was answered before
        the tap, the tap itself, and nothing that was not pressed by then."""
        lists = self._lists()
        world = self.world
        gone = self.line.gone
        seen = lists[tap]
        if seen is None:
            return
        world.counts["lists judged"] += 1
        taps: dict[str, list[tuple[float, str, bool]]] = {user: [] for user in USERS[tap.league]}
        for other, there in lists.items():
            if other.league != tap.league:
                continue
            nights = {night(tap), night(other)}
            same_list = there is not None and seen.mark == there.mark
            if there and None not in nights and (len(nights) == 1) != same_list:
                world.broken(
                    "wrong list", f"{tap.id} and {other.id} are answered with {seen} and {there}"
                )
            if other.kind.endswith(f"n={seen.mark}") and other.at <= tap.answered:
                sure = other is tap or (there is not None and other.answered < tap.at)
                word = other.kind.partition("do=")[2].partition("&")[0]
                user = other.raw["source"]["userId"]
                taps[user].append((other.raw["timestamp"] / 1000, word, sure))
        for user in taps.keys() & gone.keys():
            taps[user].append(
                (
                    gone[user],
                    "left",
                    self.line.surely_gone.get(user, tap.at) < tap.at,
                )
            )
        can = {name(user): outcomes(own) for user, own in taps.items()}
        people = seen.here + seen.late
        named = [one for one in people if one != UNNAMED]  # LINE did not say a name
        wrong = len(named) != len(set(named))
        wrong |= not tap.kind.endswith(("signup", seen.mark))
        if named == [*people]:
            wrong |= any(None not in could and one not in people for one, could in can.items())
            wrong |= not in_order(seen.here, can, late=False)
            wrong |= not in_order(seen.late, can, late=True)
        if wrong:
            world.broken(
                "wrong list", f"{tap.id} ({tap.kind}) is answered with {seen}; pressed: {taps}"
            )
        for message in tap.sent:
            called = {
                part["mentionee"]["userId"] for part in message.get("substitution", {}).values()
            }
            for user in called:
                unlisted = {name(user), UNNAMED}.isdisjoint(people)
                if unlisted or gone.get(user, tap.at) < tap.at:
                    world.broken("called", f"{tap.id} calls one of {called} who does not come")
                    break

    def _quiet(self) -> None:
        self._run(self.clock.now + 61)
        lists = self.world.state.values.items("signup:").values()
        for user in self.line.surely_gone:
            if any(user in kept for kept in lists):
                self.world.broken("not forgotten", f"{user[:3]} has left, and is on a list")

    def _judge_answers(self) -> None:
        """Every process answers with the stored list, which is the truth of all that was
        pressed.
        """
        self._start(Web)
        for league in GROUPS:
            asked = [self.line.ask(process, league, "signup") for process in self._living(Web)]
            self._run(self.clock.now + 10)
            for tap in asked:
                self._judge(tap)
            lists = {shown(tap) for tap in asked}
            if len(lists) != 1 or None in lists:
                self.world.broken("wrong list", f"processes answer {league} with different lists")
