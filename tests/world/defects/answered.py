"""Defects in what is said, to whom, and how often."""

import json
from contextlib import suppress
from dataclasses import replace
from typing import Any

from bot.chat.access import ChatAccess
from bot.chat.replies import Picture
from bot.dispatch.dispatcher import Dispatcher
from bot.dispatch.memberships import Memberships
from bot.dispatch.pending import PendingEvents
from bot.line.client import LineClient, LineDown
from bot.notify.groups import GroupPush
from bot.page.replay import game
from bot.page.routes import LeaguePage, MadePage, Make, PageRequest, Query
from storage.chats import Chats
from storage.events import LATER
from storage.ports import StorageError
from storage.state import State
from storage.values import Values
from tests.world.defects.plant import Plant, defect, instead
from tests.world.world import ROOMS


@defect
def put_off_and_forgotten(plant: Plant) -> None:
    """An answer that was put off is not taken up by anybody."""
    right = PendingEvents.lost
    plant.instead(
        PendingEvents,
        "lost",
        lambda self: [p for p in right(self) if p.owner != LATER],
    )


@defect
def never_given_up(plant: Plant) -> None:
    """An event whose token is past stays as it is."""
    right = PendingEvents.lost
    plant.instead(
        PendingEvents,
        "lost",
        lambda self: [p for p in right(self) if self.seconds_left(p) > 0],
    )


@instead(Dispatcher, "_queued", right=True)
def queued_and_marked(right: Any, self: Dispatcher, pending: Any) -> bool:
    """An event counts as answered as soon as the queue has it."""
    sent = right(self, pending)
    if sent:
        self.pending.done(pending)
    return sent


@instead(PendingEvents, "done")
def mark_forgotten_in_an_outage(self: PendingEvents, pending: Any, may_wait: bool = False) -> None:
    """What was answered while the store was away is not marked later."""
    with suppress(StorageError):
        self._events.done([pending.event.id])


@defect
def another_token(plant: Plant) -> None:
    """An answer takes the token of the event that came last."""
    right = Dispatcher.handle, Dispatcher._sent

    def handle(self: Any, pending: Any) -> None:
        self.last = pending.event.token
        right[0](self, pending)

    def sent(self: Any, mine: Any, *rest: Any) -> Any:
        token = getattr(self, "last", mine.event.token)
        mine = replace(mine, event=replace(mine.event, token=token))
        return right[1](self, mine, *rest)

    plant.instead(Dispatcher, "handle", handle)
    plant.instead(Dispatcher, "_sent", sent)


@defect
def league_of_the_last_chat(plant: Plant) -> None:
    """The league of the chat that asked last is taken for a chat whose access is known."""
    right = ChatAccess._league_and_player

    def league_and_player(self: Any, chat: str, user: str) -> Any:
        seen = right(self, chat, user)
        if seen.league is not None:
            self.last = seen.league
        if not chat.startswith("C"):
            return seen
        return seen._replace(league=getattr(self, "last", seen.league))

    def access(self: Any, chat: str, user: str) -> Any:
        found = whole(self, chat, user)
        return replace(found, league=getattr(self, "last", found.league)) if found else found

    whole = ChatAccess.access
    plant.instead(ChatAccess, "_league_and_player", league_and_player)
    plant.instead(ChatAccess, "access", access)


@instead(Picture, "key")
def picture_of_another_league(self: Any, renderer: str) -> str:
    """The key of a picture says what it shows, and not whose it is."""
    return f"{self.kind}/{self.draw.__module__}.png"


@defect
def digest_for_all_leagues(plant: Plant) -> None:
    """What concerns a league is pushed to the groups of all leagues."""
    plant.instead(GroupPush, "groups", lambda self, folder: list(self.access.groups()))


@defect
def tried_after_the_token(plant: Plant) -> None:
    """An answer is tried for long after its token's life."""
    plant.instead(
        PendingEvents,
        "seconds_left",
        lambda self, pending: pending.taken + 600 - self._events.now(),
    )


@defect
def membership_not_revoked(plant: Plant) -> None:
    """Who leaves the group stays a member until the day is over."""
    plant.instead(State, "forget_user", lambda self, user, group="", league=None: None)


@defect
def membership_kept_over_the_leaving(plant: Plant) -> None:
    """What LINE said of a member counts although the member has left since it was asked."""
    plant.instead(
        Chats, "confirm_group", lambda self, user, mark, chat, ttl: self.set_group(user, chat, ttl)
    )


@instead(LineClient, "reply", right=True)
def second_try_without_again(
    right: Any,
    self: Any,
    token: str,
    messages: Any,
    until: float,
    again: bool = False,
    wait: bool = False,
) -> None:
    """LINE's refusal of a token used up by our own earlier try is a failure and is tried by
    others.
    """
    right(self, token, messages, until, again, wait)
    right(self, token, messages, until, True, wait)


@defect
def stranger_by_lines_outage(plant: Plant) -> None:
    """Who cannot be asked about, as LINE is out of reach, is a stranger for ten minutes."""

    def is_member(self: Any, chat: str, user: str) -> bool:
        with suppress(LineDown):
            return right(self, chat, user)
        return False

    right = LineClient.is_member
    plant.instead(LineClient, "is_member", is_member)


@instead(Memberships, "hear_again")
def leaving_not_heard_again(self: Memberships) -> None:
    """Of a leaving that comes while the store is away, nothing is done later."""
    self._waiting.clear()


@defect
def poster_by_each_process(plant: Plant) -> None:
    """What a chat gets once, it gets once of each process."""

    def add(
        self: Values,
        key: str,
        value: str,
        ttl: float | None = None,
    ) -> bool:
        if not key.startswith("once:"):
            return right(self, key, value, ttl)
        known: set[str] = vars(self).setdefault("known", set())
        if key in known:
            return False
        known.add(key)
        return True

    right = Values.add
    plant.instead(Values, "add", add)


@instead(ChatAccess, "hides_names")
def names_pushed_where_they_are_hidden(self: ChatAccess, chat: str) -> bool:
    """What is pushed names members also to a chat that hides names."""
    return False


@defect
def names_answered_where_they_are_hidden(plant: Plant) -> None:
    """An answer names members also in a chat that hides names."""
    right = ChatAccess.access

    def access(self: ChatAccess, chat: str, user: str) -> Any:
        allowed = right(self, chat, user)
        return replace(allowed, hidden=False) if allowed is not None else None

    plant.instead(ChatAccess, "access", access)


@instead(LeaguePage, "_known_or_made", right=True)
def page_of_whoever_asked_first(
    right: Any, self: LeaguePage, league: str, words: str, wanted: PageRequest, make: Make
) -> MadePage:
    """The page's cache does not know who asks: a link without names shows another's page."""
    member = self.links.member(words)

    def make_for_member(folder: str, _: str, query: Query) -> str:
        return make(folder, member, query)

    made: MadePage = right(self, league, "", wanted, make_for_member)
    return made


@instead(LeaguePage, "_record")
def record_with_names_for_every_link(self: LeaguePage, league: str, me: str, query: Query) -> str:
    """The replay names the players of a record also for a link without names."""
    logs = self.registry.league(league)
    record = game(logs.logs, logs.snapshot(), query["game"])
    return json.dumps(record, ensure_ascii=False)


@instead(State, "forget_user", right=True)
def forgotten_in_the_root_alone(
    right: Any, self: State, user: str, group: str = "", league: str | None = None
) -> None:
    """Who leaves a group is forgotten in the root's league, whichever league the group asks for."""
    right(self, user, group, "")


@defect
def forgotten_in_one_league_alone(plant: Plant) -> None:
    """Who leaves a group is forgotten in the first league alone."""
    right = State.forget_user
    plant.instead(
        State,
        "forget_user",
        lambda self, user, group="", league=None: right(self, user, group, min(ROOMS)),
    )
