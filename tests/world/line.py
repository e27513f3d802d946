"""LINE's side: members tap, webhooks are delivered (again), each reply token works once, pushes arrive once."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

from bot.line.client import LineClient
from bot.texts import BROKEN, BUSY, FROM_MEMORY, LOGS_DOWN, STRANGER, TOO_MUCH
from tests.world.clockwork import Process
from tests.world.world import GROUPS, PLAYERS, USERS, World

TOKEN = 60.0  # seconds a reply token lives
CALM = 22.0  # seconds without a fault within which every accepted tap must be answered
WELL = 40.0  # seconds after the last fault from which nobody may be told of one
APOLOGIES = (LOGS_DOWN, STRANGER, BROKEN, BUSY, TOO_MUCH, FROM_MEMORY)
KINDS = ("help", "today", "point", "point", "sum", "rating", "menu", "rank")
Json = dict[str, Any]


@dataclass
class Tap:
    """A tap: what a member pressed where, and what became of it. Times are epoch seconds."""

    id: str
    league: str
    chat: str
    kind: str
    at: float
    raw: Json
    accepted: float = 0.0  # when a web process said 200 first
    sent: list[Json] = field(default_factory=list)
    answered: float = 0.0
    answered_by: str = ""
    doubtful: bool = False  # an answer of LINE's was lost
    unkept: list[Process] = field(default_factory=list)  # processes that took it while the store was away


class Refused(Exception):
    """An error of LINE's API as its SDK raises it."""

    def __init__(self, status: int | None, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.body = json.dumps({"message": message})


class Line:
    """The platform. `web` gives the web processes that live. `round_taps` are the taps of this round."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.web: Callable[[], list[Any]] = list
        self.taps: dict[str, Tap] = {}  # by reply token
        self.round_taps: list[Tap] = []
        self.pushes: dict[str, tuple[str, list[Json]]] = {}  # by retry key

    def tap(self) -> None:
        """Have a member press a button in a group or in the 1:1 chat."""
        chance, clock = self.world.chance, self.world.clock
        tap = self._pressed(chance.choice(tuple(GROUPS)), chance.choice(KINDS), alone=chance.random() < 0.25)
        self.round_taps.append(tap)
        clock.begin(clock.outside, f"webhook {tap.id}", self._deliver, tap)

    def ask(self, web: Any, league: str, kind: str) -> Tap:
        """Have a member press a button in the group, and this web process get the event."""
        tap, clock = self._pressed(league, kind), self.world.clock
        clock.begin(web, f"webhook {tap.id}", web.accept, tap, tap.raw, [False])
        return tap

    def _pressed(self, league: str, kind: str, alone: bool = False) -> Tap:
        clock, user = self.world.clock, self.world.chance.choice(USERS[league])
        number = f"{len(self.taps):05d}"
        source = (
            {"type": "user", "userId": user}
            if alone
            else {"type": "group", "groupId": GROUPS[league], "userId": user}
        )
        raw = {
            "type": "postback",
            "mode": "active",
            "timestamp": int(clock.now * 1000),
            "source": source,
            "webhookEventId": f"E{number}",
            "replyToken": f"T{number}",
            "deliveryContext": {"isRedelivery": False},
            "postback": {"data": f"request_{kind}"},
        }
        tap = Tap(f"E{number}", league, user if alone else GROUPS[league], kind, clock.now, raw)
        self.taps[raw["replyToken"]] = tap
        self.world.counts["taps"] += 1
        return tap

    def _deliver(self, tap: Tap) -> None:
        """Call the webhook until it is accepted, and once more where the faults say so."""
        world, clock = self.world, self.world.clock
        for number in range(4):
            if number:
                clock.wait(world.chance.uniform(0.5, 8))
            self._call(tap, redelivered=bool(number))
            if tap.accepted:
                break
        while clock.now < world.faults.until and world.chance.random() < world.faults.doubled_webhook:
            clock.wait(world.chance.uniform(0, 10))
            self._call(tap, redelivered=True)
        if tap.accepted:
            clock.wait(max(0.0, tap.at + TOKEN + 1 - clock.now))
            self._judge(tap)

    def _call(self, tap: Tap, redelivered: bool) -> None:
        """Call the webhook of one web process, and wait up to two seconds for its 200."""
        world, clock = self.world, self.world.clock
        living = self.web()
        if not living:
            return
        web, answer = world.chance.choice(living), [False]
        raw = {**tap.raw, "deliveryContext": {"isRedelivery": redelivered}}
        clock.say("webhook", tap.id, tap.kind, "->", web.name)
        clock.begin(
            web, f"webhook {tap.id}", web.accept, tap, raw, answer, after=world.chance.uniform(0.001, 0.02)
        )
        until = clock.now + 2
        while not answer[0] and clock.now < until and not web.dead:
            clock.wait(0.02)
        if answer[0] and clock.now < world.faults.until and world.chance.random() < world.faults.lost_webhook:
            world.trouble("webhook")
            return
        if answer[0]:
            tap.accepted = tap.accepted or clock.now

    def _judge(self, tap: Tap) -> None:
        """Look whether an accepted tap was answered although its time is past."""
        world = self.world
        if tap.sent:
            return
        calm = max(world.calm_from, tap.accepted)
        if calm + CALM > tap.at + 50:
            world.counts["taps without a calm time"] += 1
        elif any(process.dead for process in tap.unkept):
            world.counts["taps that could not be kept"] += 1
        else:
            self.world.broken(
                "unanswered", f"{tap.id} ({tap.kind}), accepted after {tap.accepted - tap.at:.1f} s"
            )

    def reply(self, process: Process, token: str, messages: list[Json]) -> None:
        """Take an answer. Raises Refused when the token is used up or too old."""
        tap, now = self.taps.get(token), self.world.clock.now
        if tap is None:
            self.world.broken("wrong chat", f"an answer to a token that nobody got: {token}")
            raise Refused(400, "Invalid reply token")
        if tap.sent:
            self._judge_second(tap, process)
        if tap.sent or now > tap.at + TOKEN:
            raise Refused(400, "Invalid reply token")
        text = json.dumps(messages, ensure_ascii=False)
        for league, players in PLAYERS.items():
            if league != tap.league and any(player in text for player in players):
                self.world.broken(
                    "wrong chat", f"{tap.id} of league {tap.league} got the answer of league {league}"
                )
        if tap.kind == "help" and not any(words in text for words in ("できること", LOGS_DOWN, STRANGER)):
            self.world.broken("wrong chat", f"{tap.id} asked for help and got {text[:200]}")
        if any(words in text for words in APOLOGIES) and self.world.calm_from + WELL < tap.at:
            self.world.broken("needless apology", f"{tap.id}: {text[:200]}")
        tap.sent, tap.answered, tap.answered_by = messages, now, process.name
        self.world.counts["answers"] += 1

    def _judge_second(self, tap: Tap, process: Process) -> None:
        """A second answer is refused, but without a fault nobody should have made it."""
        faults = self.world.round_faults
        if tap.doubtful or any(faults[kind] for kind in ("crash", "state", "freeze", "slow", "outage")):
            self.world.counts["second answers refused"] += 1
            return
        self.world.broken("answered twice", f"{tap.id} by {tap.answered_by} and again by {process.name}")


class LinePort(LineClient):
    """The real client; only the SDK's calls go to the world instead of the network."""

    line: Line

    def _asked(self, what: str, effect: Callable[[], Any], write: bool = True) -> Any:
        world = self.line.world
        status = world.chance.choice((None, 500, 429))
        return world.call("line", what, effect, lambda words: Refused(status, words), write)

    def _post_reply(self, body: bytes) -> tuple[int | None, str, bytes]:
        asked, line = json.loads(body), self.line
        token, process = asked["replyToken"], line.world.process
        try:
            self._asked(f"reply {token}", lambda: line.reply(process, token, asked["messages"]))
        except Refused as error:
            line.taps[token].doubtful |= "token" not in str(error)
            return error.status, str(error), b""
        sent = [{"id": f"{token}-{number}"} for number in range(len(asked["messages"]))]
        return 200, "", json.dumps({"sentMessages": sent}).encode()

    def _api(self) -> Any:
        line, call = self.line, self._asked

        def push(request: Any, x_line_retry_key: str = "", **_: Any) -> None:
            sent = [message.to_dict() for message in request.messages]
            call(
                f"push {request.to[:3]}", lambda: line.pushes.setdefault(x_line_retry_key, (request.to, sent))
            )

        def member(chat: str, user: str, **_: Any) -> None:
            def look() -> None:
                if not any(chat == GROUPS[league] and user in USERS[league] for league in GROUPS):
                    raise Refused(404, "Not found")

            call(f"member {user[:3]} of {chat[:3]}", look, write=False)

        return SimpleNamespace(
            push_message=push,
            get_group_member_profile=member,
            get_message_quota=lambda **_: SimpleNamespace(type="none", value=None),
            get_group_member_count=lambda chat, **_: SimpleNamespace(count=len(USERS["a"])),
            show_loading_animation=lambda request, **_: None,
        )
