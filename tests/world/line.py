"""LINE's side: members tap, webhooks come (again), each reply token works once, pushes arrive
once.
"""

import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from types import SimpleNamespace
from typing import Any, NamedTuple

from bot.line.client import LineClient, ReplyResponse
from bot.texts import BROKEN, BUSY, COMING, FROM_MEMORY, LOGS_DOWN, STRANGER, TOO_LONG, TOO_MUCH
from storage.ports import NotFound
from tests.world.clockwork import Process
from tests.world.world import GROUPS, PLAYERS, USERS, World

TOKEN = 60.0  # seconds a reply token lives
CALM = 22.0  # seconds without a fault within which every accepted tap must be answered
SIGNS = tuple(
    f"state {what}"
    for what in ("insert janroku_processes", "insert janroku_events", "update janroku_events")
)
"""What is written with a sign of life and of an event; not every call names the event."""
REFUSES = (
    3  # failures of the state store in a row, after which a process does not ask it for a while
)
DAY = 24 * 3600.0  # seconds a retry key holds
PICTURE = re.compile(r"https://pictures\.example/[^\"\s]+")
WELL = 40.0  # seconds after the last fault from which nobody may be told of one
APOLOGIES = (
    LOGS_DOWN,
    STRANGER,
    BROKEN,
    BUSY,
    COMING.removeprefix("{title}"),
    TOO_LONG,
    TOO_MUCH,
    FROM_MEMORY,
)
PAGE_LINK = re.compile(r"https://world\.example(/league/[^\"?\s]+)")
KINDS = ("help", "today", "point", "point", "sum", "rating", "menu", "rank", "page", "page")
PAGES = ("", "/figures", "/figures?ask=figures", "/record?game={record}")
Json = dict[str, Any]


@dataclass(eq=False)
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
    read: float = 0.0  # when a process read it last
    by: Process | None = None  # who answered it
    doubtful: bool = False  # LINE took the answer, and its own answer to that was lost
    unkept: list[Process] = field(
        default_factory=list
    )  # processes that took it while the store was away


class SentLink(NamedTuple):
    """A link to the page of a league, as a chat got it; the address is without the host."""

    league: str
    chat: str
    address: str


class Refused(Exception):
    def __init__(self, status: int | None, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.body = json.dumps({"message": message})


class Line:
    """The platform.

    `web` gives the web processes that live. `round_taps` are the taps of this round.
    """

    def __init__(self, world: World) -> None:
        self.world = world
        self.web: Callable[[], list[Any]] = list
        self.taps: dict[str, Tap] = {}  # by reply token
        self.round_taps: list[Tap] = []
        self.pushes: list[tuple[str, list[Json]]] = []
        self.left: dict[
            str, float
        ] = {}  # who has left: when a web process had heard of it (inf: none)
        self.patient = True  # each tap takes until its token is dead, also one that is answered
        self.gone: dict[str, float] = {}  # when they left
        self.surely_gone: dict[str, float] = {}  # when a web process had done all that follows
        self.leaving: set[str] = (
            set()
        )  # who leaves as soon as LINE has said that they are in the group
        self.page_links: list[SentLink] = []
        self._retry_keys: dict[str, float] = {}  # when each came first

    def tap(self) -> None:
        """Have a member press a button in a group or in the 1:1 chat."""
        chance = self.world.chance
        league = chance.choice(tuple(GROUPS))
        self._begin(
            self._pressed(
                league,
                chance.choice(KINDS),
                alone=chance.random() < 0.25,
            )
        )

    def leave(self) -> None:
        world = self.world
        clock = self.world.clock
        league = world.chance.choice(tuple(GROUPS))
        user = next(
            (one for one in USERS[league][:1:-1] if one not in self.left),
            None,
        )
        if user is None:
            return
        self.leaving.add(user)
        self._begin(self._pressed(league, "point", alone=True, user=user))
        pause = world.chance.choice(
            (
                world.chance.uniform(
                    0,
                    0.4,
                ),
                world.chance.uniform(0, 5),
            )
        )
        until = clock.now + pause
        while clock.now < until and user in self.leaving:
            clock.wait(0.005)
        self.leaving.discard(user)
        self.left[user] = float("inf")
        self.gone[user] = int(clock.now * 1000) / 1000
        clock.say(user[:3], "leaves the group of", league)
        raw = {
            "type": "memberLeft",
            "mode": "active",
            "timestamp": int(clock.now * 1000),
            "source": {"type": "group", "groupId": GROUPS[league]},
            "webhookEventId": f"L{user}",
            "left": {"members": [{"type": "user", "userId": user}]},
        }
        while not self._called(f"webhook L{league}", "take", raw):
            clock.wait(world.chance.uniform(0.1, 5))
        noted = world.state.chats.group_of(user) or ""
        failed = [fault for fault in world.troubles if fault.call.startswith("state ")]
        ill = any(fault.at > clock.now - WELL for fault in failed)
        if noted != GROUPS[league] and not (
            noted and ill
        ):  # a mark that LINE is asked, not forgotten either
            self.left[user] = clock.now
            if not any(fault.until >= self.gone[user] for fault in failed):
                self.surely_gone[user] = clock.now
        elif not ill:
            world.broken("let in", f"{user[:3]} has left, and counts as a member")
        if not ill and user in self.known_as(league):
            world.broken("not forgotten", f"{user[:3]} has left the group of league {league}")
        clock.wait(world.chance.uniform(1, 9))
        self._begin(self._pressed(league, "point", alone=True, user=user))

    def open_page(self) -> None:
        """Have readers of up to three chats open the links to a league's page that these got."""
        chance = self.world.chance
        living = self.web()
        league = chance.choice(tuple(GROUPS))
        links = list(
            {link.chat: link for link in self.page_links if link.league == league}.values()
        )
        if not links or not living:
            return
        path = chance.choice(PAGES).format(record=self.world.books[league].record)
        web = chance.choice(living)
        for link in chance.sample(links, min(3, len(links))):
            seen = partial(self._judge_page, link)
            self.world.clock.begin(web, "page", web.read_page, link.address + path, seen)

    def _judge_page(self, link: SentLink, status: int, body: str) -> None:
        """What a link shows is its league's, without names where its chat hides them."""
        if status != 200:
            return
        self.world.counts["pages read"] += 1
        self._judge_names(link.league, link.chat, "a reader of the page", body)

    def _judge_names(self, league: str, chat: str, to: str, text: str) -> None:
        """A text names members of its own league alone, and nobody where names are hidden."""
        for other in PLAYERS.keys() - {league}:
            if _tells_of(other, text):
                self.world.broken(
                    "wrong chat", f"{to} of league {league} got what is of league {other}"
                )
        if chat in self.world.hidden and _tells_of(league, text):
            self.world.broken("name shown", f"{to} of {chat[:2]}, where names are hidden: {text}")

    def known_as(self, league: str) -> dict[str, str]:
        """The names that users of a league gave, by user."""
        chats = self.world.state.chats
        named = {user: chats.player(league, user) for user in USERS[league]}
        return {user: name for user, name in named.items() if name}

    def press(self, league: str, kind: str) -> None:
        """Have a member of the group press this button there."""
        self._begin(self._pressed(league, kind))

    def _begin(self, tap: Tap) -> None:
        self.round_taps.append(tap)
        self.world.clock.begin(self.world.clock.outside, f"webhook {tap.id}", self._deliver, tap)

    def _ask_again(self, user: str, league: str) -> None:
        """Have a member who was taken for a stranger ask again some minutes later."""
        if user not in self.left:
            self._begin(self._pressed(league, "point", alone=True, user=user))

    def ask(self, web: Any, league: str, kind: str) -> Tap:
        clock = self.world.clock
        tap = self._pressed(league, kind, user=USERS[league][0])  # who never leaves
        clock.begin(web, f"webhook {tap.id}", web.accept, tap, tap.raw, [False])
        return tap

    def _pressed(
        self,
        league: str,
        kind: str,
        alone: bool = False,
        user: str = "",
    ) -> Tap:
        clock = self.world.clock
        user = user or self.world.chance.choice(
            [one for one in USERS[league] if one not in self.left]
        )
        number = f"{len(self.taps):05d}"
        where = {"type": "user"} if alone else {"type": "group", "groupId": GROUPS[league]}
        source = where | {"userId": user}
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
        world = self.world
        clock = self.world.clock
        for number in range(4):
            if number:
                clock.wait(world.chance.uniform(0.5, 8))
            self._call(tap, redelivered=bool(number))
            if tap.accepted:
                break
        while (
            clock.now < world.faults.until and world.chance.random() < world.faults.doubled_webhook
        ):
            clock.wait(world.chance.uniform(0, 10))
            self._call(tap, redelivered=True)
        if tap.accepted:
            if self.patient or not tap.sent:
                clock.wait(max(0.0, tap.at + TOKEN + 1 - clock.now))
            self._judge(tap)

    def _call(self, tap: Tap, redelivered: bool) -> None:
        raw = {**tap.raw, "deliveryContext": {"isRedelivery": redelivered}}
        if self._called(f"webhook {tap.id}", "accept", tap, raw):
            tap.accepted = tap.accepted or self.world.clock.now

    def _called(self, name: str, method: str, *words: Any) -> bool:
        """Call the webhook of one web process, and wait up to two seconds for its 200; whether it
        came.
        """
        world = self.world
        clock = self.world.clock
        living = self.web()
        if not living:
            return False
        web = world.chance.choice(living)
        answer = [False]
        clock.say(name, "->", web.name)
        after = world.chance.uniform(0.001, 0.02)
        clock.begin(web, name, getattr(web, method), *words, answer, after=after)
        until = clock.now + 2
        while not answer[0] and clock.now < until and not web.dead:
            clock.wait(0.02)
        if (
            answer[0]
            and clock.now < world.faults.until
            and world.chance.random() < world.faults.lost_webhook
        ):
            world.trouble("webhook")
            return False
        return answer[0]

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
        tap = self.taps.get(token)
        now = self.world.clock.now
        if tap is None:
            self.world.broken("wrong chat", f"an answer to a token that nobody got: {token}")
            raise Refused(400, "Invalid reply token")
        if tap.sent:
            self._judge_second(tap, process)
        if tap.sent or now > tap.at + TOKEN:
            raise Refused(400, "Invalid reply token")
        text = self._shown(tap.league, tap.chat, tap.id, messages)
        for address in PAGE_LINK.findall(text):
            self.page_links.append(SentLink(tap.league, tap.chat, address))
        if tap.kind == "help" and not any(
            words in text for words in ("できること", LOGS_DOWN, STRANGER)
        ):
            self.world.broken("wrong chat", f"{tap.id} asked for help and got {text[:200]}")
        user = tap.raw["source"]["userId"]
        has_left = tap.at > self.left.get(user, float("inf"))
        if has_left and _tells_of(tap.league, text):
            self.world.broken("let in", f"{tap.id}: {user[:3]} has left, and gets {text[:200]}")
        sorry = user not in self.left and any(words in text for words in APOLOGIES)
        if sorry and self.world.calm_from + WELL < tap.at:
            self.world.broken("needless apology", f"{tap.id}: {text[:200]}")
        if sorry and STRANGER in text:
            again = self.world.chance.uniform(50, 500)
            self.world.clock.begin(
                self.world.clock.outside, "member", self._ask_again, user, tap.league, after=again
            )
        tap.sent = messages
        tap.answered = now
        tap.by = process
        self.world.counts["answers"] += 1

    def _shown(
        self,
        league: str,
        chat: str,
        to: str,
        messages: list[Json],
    ) -> str:
        """What members see of messages, and of the pictures in them.

        All of it must be their league's, and without names where the chat hides them.
        """
        text = json.dumps(messages, ensure_ascii=False)
        for address in set(PICTURE.findall(text)):
            try:
                picture = self.world.images.open(address).data.decode()
            except NotFound:
                self.world.broken(
                    "no picture", f"{to} got the address of a picture that is not stored"
                )
                continue
            self.world.counts["pictures seen"] += 1
            if chat not in self.world.hidden and not _tells_of(league, picture):
                self.world.broken("wrong chat", f"{to} got a picture of nobody in league {league}")
            text += picture
        self._judge_names(league, chat, to, text)
        return text

    def push(self, chat: str, messages: list[Json], retry_key: str) -> None:
        now = self.world.clock.now
        first = self._retry_keys.get(retry_key)
        if first is not None and now - first < DAY:
            raise Refused(409, "The retry key is already accepted")
        self._retry_keys[retry_key] = now
        self.pushes.append((chat, messages))
        self.world.counts["pushes"] += 1
        for league, group in GROUPS.items():
            if chat == group:
                self._shown(league, chat, "a push", messages)
                return
        self.world.broken("wrong chat", f"a push to {chat}")

    def asked(self, token: str) -> None:
        """Note that a process calls LINE with a token now.

        It must know whether the token's time is past.
        """
        tap = self.taps.get(token)
        now = self.world.clock.now
        if tap is not None and now > tap.read + TOKEN:
            self.world.broken("late answer", f"{tap.id}, {now - tap.at:.1f} s after the tap")

    def _judge_second(self, tap: Tap, process: Process) -> None:
        """A second answer is refused, and nobody should make it but where a fault hides the first
        one.

        LINE's answer to it was lost; or who made it crashed; or a sign of life ran out by a fault;
        or a change of the event's record failed, or what comes before it; or the store failed so
        often that it was not asked.
        """
        world = self.world
        mine = (tap.by, process)
        since = [fault for fault in world.troubles if fault.at >= tap.at]
        signs = [fault for fault in since if fault.call.startswith(SIGNS)]
        hidden = any(
            fault.process in mine or (tap.id in fault.call and fault.call.startswith(SIGNS[1:]))
            for fault in signs
        )
        near = [fault for fault in world.troubles if fault.at > tap.at - CALM]
        state_faults = [fault for fault in near if fault.call.startswith("state ")]
        failed = Counter(fault.process for fault in state_faults if fault.process in mine)
        lapsed = world.lapsed(tap.by, tap.at) or world.lapsed(process, tap.at)
        if (
            tap.doubtful
            or tap.by.dead
            or lapsed
            or hidden
            or max(failed.values(), default=0) >= REFUSES
        ):
            world.counts["second answers refused"] += 1
            return
        world.broken("answered twice", f"{tap.id} by {tap.by.name} and again by {process.name}")


def _tells_of(league: str, text: str) -> bool:
    return any(player in text for player in PLAYERS[league])


class LinePort(LineClient):
    """The real client; only the SDK's calls go to the world instead of the network."""

    line: Line

    def _asked(
        self,
        what: str,
        effect: Callable[[], Any],
        write: bool = True,
    ) -> Any:
        world = self.line.world
        status = world.chance.choice((None, 500, 429))

        def failed(words: str) -> Refused:
            return Refused(None if "out of reach" in words else status, words)

        return world.call("line", what, effect, failed, write)

    def _post_reply(self, body: bytes) -> ReplyResponse:
        asked = json.loads(body)
        line = self.line
        token = asked["replyToken"]
        process = line.world.process
        line.asked(token)
        try:
            self._asked(f"reply {token}", lambda: line.reply(process, token, asked["messages"]))
        except Refused as error:
            line.taps[token].doubtful |= line.taps[token].by is process and "token" not in str(
                error
            )
            return ReplyResponse(error.status, str(error), b"")
        sent = [{"id": f"{token}-{number}"} for number in range(len(asked["messages"]))]
        return ReplyResponse(200, "", json.dumps({"sentMessages": sent}).encode())

    def _api(self) -> Any:
        line = self.line
        call = self._asked

        def push(request: Any, x_line_retry_key: str = "", **_: Any) -> None:
            sent = [message.to_dict() for message in request.messages]
            call(f"push {request.to[:3]}", lambda: line.push(request.to, sent, x_line_retry_key))

        def member(chat: str, user: str, **_: Any) -> Any:
            def look() -> Any:
                inside = any(chat == GROUPS[league] and user in USERS[league] for league in GROUPS)
                if not inside or user in line.left:
                    raise Refused(404, "Not found")
                line.leaving.discard(user)
                return SimpleNamespace(display_name=f"{user[:2]}{user[-1]}")

            leaving = user in line.leaving
            found = call(f"member {user[:3]} of {chat[:3]}", look, write=False)
            if leaving and user not in line.leaving:  # the answer is on its way while they leave
                line.world.clock.wait(line.world.chance.uniform(0, 0.4))
            return found

        return SimpleNamespace(
            push_message=push,
            get_group_member_profile=member,
            get_message_quota=lambda **_: SimpleNamespace(type="none", value=None),
            get_group_member_count=lambda chat, **_: SimpleNamespace(count=len(USERS["a"])),
            show_loading_animation=lambda request, **_: None,
        )
