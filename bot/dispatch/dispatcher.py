"""Take events, have a thread or a worker answer each one, reply once, and take up events that were
lost. The responder makes the answers.

The steps of a tap, in order. While LINE waits for its 200 (`receive`):

1. Read LINE's JSON as an Event.
2. Go through `Responder.hearing`: obey what ends, read the command, limit the rate. Talk that is
   not for the bot ends here.
3. Record the event (`PendingEvents.take`), so that a killed process loses no tap. An event that was
   recorded before ends here.
4. Look whether its message has been unsent meanwhile.
5. Give it to the workers, or to a pool of threads.

On a thread or a worker (`handle`):

6. Claim the event (`PendingEvents.claim`), so that one process answers it.
7. Go through `Responder.answering`: let the chat in, read the league, answer, make the answer
   quotable, add offers and notices.
8. Draw and store the pictures (`Pictures.stored`), and make LINE's messages.
9. Reply. While LINE is out of reach, the record stores the answer, and the process that looks next
   sends it.
10. Note which question the sent messages answer, for members who quote them.
11. Mark the event as done (`PendingEvents.done`).
12. Store good versions of the league's files and log their faults (`Responder.settle`).

Every 1.5 seconds the background loop calls `recover`, which takes up events that no process works
on.
"""

import logging
import time
from contextlib import AbstractContextManager
from dataclasses import dataclass

from bot import texts
from bot.chat.command import Catalogue, Command, choice
from bot.chat.replies import Reply, Text
from bot.dispatch.failures import report_sending
from bot.dispatch.pending import PendingEvent, PendingEvents
from bot.dispatch.responder import AnswerMessages, Responder, TapOutcome
from bot.line.client import LineClient, LineDown
from bot.line.messages import messages
from bot.line.webhook import Event, Json, read_event
from bot.runtime import metrics
from bot.runtime.json_log import Work, about, blame, timed
from bot.runtime.threads import ThreadPool, WorkPool
from bot.stores import BASE
from bot.sync.jobs import Messenger
from storage.events import QUEUE

# threads for slow answers, and how many of these may wait or be under way
LONG = 2
LONG_WAITING = 24
TOO_LATE = (
    8.0  # seconds a reply token still lives when a member learns that an answer takes too long
)
PATIENCE = 2.0  # seconds a thread tries to reach LINE
# Seconds after which a group, where LINE shows no loading animation, gets the message that an
# answer is coming. The background loop looks every INTERVAL, so it comes within three seconds.
COMING = 1.5
TAP = "tap"  # the workers' name for an event to answer
log = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class Making:
    """An event whose answer is being made since `began` (monotonic seconds). Instances are compared
    by identity, so that a set can have two answers of one event."""

    event: PendingEvent
    began: float


class Dispatcher:
    """Sees to it that each event is answered once and in time: it takes events, gives each one to a
    thread or a worker, sends the responder's answer, and takes up lost events. Safe in threads.
    `log_key` keys the hashes of chats in the log. `sender` is the way to the workers, if there are
    any."""

    def __init__(
        self,
        responder: Responder,
        pending: PendingEvents,
        line: LineClient,
        catalogue: Catalogue,
        log_key: str,
        pool: WorkPool | None = None,
        long_pool: WorkPool | None = None,
        sender: Messenger | None = None,
    ) -> None:
        self.responder = responder
        self.pending = pending
        self.pool: WorkPool = pool or ThreadPool()
        self.long_pool: WorkPool = long_pool or ThreadPool(LONG, LONG_WAITING, "long")
        # sends what members get in place of an answer, also when the other pools are busy
        self.spare_pool = ThreadPool(workers=1, name="aside")
        self._line = line
        commands = catalogue.values()
        self._slow = frozenset(spec.name for spec in commands if spec.slow)
        self._acting = frozenset(spec.name for spec in commands if spec.action is not None)
        # Slow answers that are stored once they are made, so that the next tap finds them.
        self._repeatable = {
            spec.name: spec.title
            for spec in commands
            if spec.slow and spec.answer is not None and not spec.live
        }
        self._sender = sender
        # The answers being made, and those whose reply was sent in place of them: the thread that
        # removes one from the set is the one that may reply (`_end_making`). An event can be in it
        # twice, where another process may have recorded it.
        self._making: set[Making] = set()
        self._log_key = log_key

    def receive(self, raw: Json, base_url: str = "") -> None:
        """Take an event of the webhook (LINE's JSON), remember it, and have it answered, once.
        `base_url` is the address LINE called, or "" if LINE takes no pictures from there."""
        event = read_event(raw)
        if event is None:
            return
        tap = self.responder.hear(event)
        if tap is None:
            return
        queued = self._sender is not None and not tap.refusal and self.pending.worker_lives()
        with metrics.step("remember"):
            pending = self.pending.take(tap.event, tap.command, base_url, queued)
        if pending is None:
            metrics.count("taps", outcome=TapOutcome.REPEATED)
        elif self._was_unsent(tap.event):
            self.pending.done(pending)
            metrics.count("taps", outcome=TapOutcome.UNSENT)
        elif tap.refusal:
            self._turn_away(pending, tap.refusal)
        elif not self._queued(pending) and not self._pool_of(tap.command).submit(
            self.handle, pending
        ):
            self._turn_away(pending, texts.BUSY)

    def _was_unsent(self, event: Event) -> bool:
        """Whether the message of a recorded event has been unsent meanwhile.

        Call it only once the event is recorded. When a member unsends a message, the bot notes that
        first and looks for the message's record afterwards. So where both come at the same time, at
        least one of the two notices the other.
        """
        return bool(event.message_id) and self.responder.is_unsent(event)

    def _queued(self, pending: PendingEvent) -> bool:
        """Send the number of a recorded event to the workers. Return whether they have it."""
        if self._sender is None or pending.owner != QUEUE or not pending.recorded:
            return False
        return self._sender.send(TAP, pending.event.id)

    def _pool_of(self, command: Command) -> WorkPool:
        """Slow answers have their own pool, so that no other waits for them."""
        return self.long_pool if command.name in self._slow else self.pool

    def _turn_away(self, pending: PendingEvent, sentence: str) -> None:
        self._send_instead(pending, Reply((Text(sentence),)), TapOutcome.TURNED_AWAY)

    def _send_instead(self, pending: PendingEvent, reply: Reply, outcome: TapOutcome) -> None:
        """Send this in place of the answer; nothing if the spare thread is too busy."""
        metrics.count("taps", outcome=outcome)
        if not self.spare_pool.submit(self._say, pending, reply, outcome):
            log.error("too many taps are waiting: one was %s", outcome)

    def _say(self, pending: PendingEvent, reply: Reply, outcome: TapOutcome) -> None:
        with self._about(pending) as work:
            try:
                if pending.event.token:
                    sent = messages(reply, pending.event.quotes)
                    with timed("reply"):
                        self._line.reply(pending.event.token, sent, self._end(pending))
            except LineDown as error:
                report_sending(error)
            finally:
                self.pending.done(pending)
                _log_tap(pending, work, outcome)

    def take_queued(self, event: str) -> None:
        """Answer an event of the queue here; a slow one on its own threads. Raises StorageError."""
        mine = self.pending.claim_queued(event)
        if mine is None:
            return
        if mine.command.name not in self._slow:
            self.handle(mine)
        elif not self.long_pool.submit(self.handle, mine):
            self.pending.put_off(mine)

    def recover(self) -> None:
        """Take up events that no process works on. Reply to members whose answers will not be made
        in time, and announce slow answers to groups. Raises StorageError."""
        for making in list(self._making):
            self._reply_before_answer(making)
        for pending in self.pending.lost():
            pool = self._pool_of(pending.command)
            if pool.room <= 0 or (pending.messages and not self._line.reachable):
                continue
            mine = self.pending.claim(pending, lost=True)
            if mine is None:
                continue
            if not pool.submit(self.handle, mine):
                self.pending.put_off(mine, mine.messages)
        self.responder.hear_again()  # now that the database answers

    def _end_making(self, making: Making) -> bool:
        """Return whether the answer was still being made.

        Of several threads one gets True, because removing from a set is atomic: either the answer
        is sent or what is sent in its place, never both
        (tests/dispatch/test_long.py::test_a_late_answer_is_announced_once).
        """
        try:
            self._making.remove(making)
        except KeyError:
            return False
        return True

    def _reply_before_answer(self, making: Making) -> None:
        """Reply where an answer will not be made in time, and in a group that it is coming: it is
        stored when it is made, and the next tap finds it.
        """
        event = making.event.event
        command = making.event.command
        title = self._repeatable.get(command.name)
        too_late = self.pending.seconds_left(making.event) < TOO_LATE
        waited = time.monotonic() - making.began
        coming = title is not None and not event.alone and waited >= COMING
        if not (too_late or coming) or not self._end_making(making):
            return
        if too_late or title is None:
            self._turn_away(making.event, texts.TOO_LONG)
            return
        # A command that was typed with more words is sent again as it was.
        again = () if command.rest else (choice(title, command.name, **command.options),)
        reply = Reply((Text(texts.COMING.format(title=title)),), again)
        self._send_instead(making.event, reply, TapOutcome.ANNOUNCED)

    def handle(self, pending: PendingEvent) -> None:
        """Answer an event, or reply what failed. Do nothing if another process has the event.

        An event whose reply token is past is given up, with a line in the log. Never raises.
        """
        with self._about(pending) as work:
            mine = self.pending.claim(pending)
            if mine is None:
                return
            if self.pending.seconds_left(mine) > 0:
                self._answer(mine, work)
            elif self.pending.still_owns(mine):
                self._give_up(mine)
            self.responder.settle()

    def _give_up(self, mine: PendingEvent) -> None:
        metrics.count("taps", outcome=TapOutcome.GIVEN_UP)
        log.error(
            "a tap was not answered in time and is given up: %s",
            mine.event.id,
            extra={"fields": {"result": TapOutcome.GIVEN_UP}},
        )
        self.pending.done(mine)

    def _about(self, pending: PendingEvent) -> AbstractContextManager[Work]:
        event = pending.event
        return about(event.id, event.chat, self._log_key, event.user, pending.command.name)

    def _answer(self, mine: PendingEvent, work: Work) -> None:
        began = time.perf_counter()
        try:
            outcome = self._answered(mine)
        except Exception as error:
            outcome = TapOutcome.FAILED
            if isinstance(error, LineDown) and not self.pending.still_owns(mine):
                outcome = TapOutcome.TAKEN_OVER
            else:
                report_sending(error)
        if work.lost and outcome == TapOutcome.ANSWERED:
            outcome = TapOutcome.FAILED  # the answer was the sentence about a failure
        if outcome not in (TapOutcome.PUT_OFF, TapOutcome.TAKEN_OVER):
            self.pending.done(mine, may_wait=mine.command.name not in self._acting)
        metrics.count("taps", outcome=outcome)
        _log_tap(mine, work, outcome, time.perf_counter() - began)

    def _answered(self, mine: PendingEvent) -> TapOutcome:
        """Answer the event.

        Return the outcome for the metrics. Raises LineDown when it can't be sent.
        """
        BASE.set(mine.base)
        answer: AnswerMessages | None = None
        if mine.messages:
            answer = AnswerMessages(list(mine.messages), "")
        else:
            making = Making(mine, time.monotonic())
            self._making.add(making)
            try:
                answer = self.responder.answer(mine.event, mine.command)
            finally:
                in_time = self._end_making(making)
            if answer is not None and not in_time:
                return TapOutcome.LATE
        if answer is None:
            return TapOutcome.SILENT
        with metrics.step("send"):
            return self._sent(mine, answer)

    def _sent(self, mine: PendingEvent, answer: AnswerMessages) -> TapOutcome:
        """Reply, and return the outcome.

        While LINE is out of reach, the answer is recorded and the process that looks next sends it,
        so that no thread waits. Where it can't be recorded, this thread tries until the reply token
        is past (tests/dispatch/test_answered_once.py).
        """
        token = mine.event.token
        sent = answer.messages
        until = self._end(mine)
        try:
            with timed("reply"):
                response = self._line.reply(
                    token,
                    sent,
                    min(until, time.time() + PATIENCE),
                    mine.again,
                )
        except LineDown as error:
            if not error.later or time.time() > until:
                raise
            blame(error, str(error), "line")
            if self.pending.put_off(mine, sent):
                return TapOutcome.PUT_OFF
            if not self.pending.still_owns(mine):
                return TapOutcome.TAKEN_OVER
            with timed("reply"):
                response = self._line.reply(token, sent, until, again=True, wait=True)
        if answer.question and response:
            self.responder.note_sent(mine.event.chat, response, answer.question)
        return TapOutcome.ANSWERED

    def _end(self, pending: PendingEvent) -> float:
        """The end of the reply token's life, in epoch seconds of this process's own clock."""
        return time.time() + self.pending.seconds_left(pending)

    def close(self) -> None:
        """Finish what is under way, and take no more."""
        for pool in (self.pool, self.long_pool, self.spare_pool):
            if isinstance(pool, ThreadPool):
                pool.close()


def _log_tap(
    pending: PendingEvent,
    work: Work,
    outcome: TapOutcome,
    seconds: float | None = None,
) -> None:
    fields: dict[str, object] = {"result": outcome, **work.summary()}
    if seconds is not None:
        fields["ms"] = round(1000 * seconds, 1)
    level = logging.ERROR if outcome == TapOutcome.FAILED else logging.INFO
    log.log(level, "%s %s", pending.event.type, outcome, extra={"fields": fields})
