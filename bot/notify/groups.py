"""Tell a league's groups unasked, each thing once: after a sync that brought games, and of an
evening in the league's own room.

After a sync the charts that members ask for first are drawn and stored ahead; the rating chart is
also put into the log folder as `charts/rating.png`. The digest of a day is pushed, with the night's
poster, if league.toml says `digest = true`. When the first games of a new season have come, the
groups get the report (まとめ) of the season before. Each message to each group is a step of its
own: one that fails does not stop the others, and is tried again after the next sync.

An evening is a row of games with less than three hours between them. If league.toml says `evening =
true`, the groups get one line at its first game and one after the last, never one a game. The last
game is known when the room has rested for an hour.

A push is sent only if the month's quota covers all members of the group. It carries a retry key,
with which LINE takes the same message only once, for 24 hours
(https://developers.line.biz/en/docs/messaging-api/retrying-api-request/).
"""

import json
import logging
import uuid
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from functools import partial

from bot import texts
from bot.answers.common.figures import left_out_of_points
from bot.answers.common.members import members
from bot.answers.common.ratings import day_parts
from bot.chat.access import ChatAccess
from bot.chat.command import Ask, choice
from bot.chat.replies import Choice, Reply, Text
from bot.dispatch.pictures import FIRST as DRAWN_FIRST, Ahead, Pictures
from bot.league.ratings import LeagueRatings
from bot.league.repository import LeagueRegistry
from bot.league.snapshot import LeagueSnapshot
from bot.line.client import LineClient, LineDown
from bot.line.messages import messages
from bot.runtime.json_log import log_fault
from bot.sync.own_results import OwnResults
from rating.logdates import JST
from rating.merge import OwnGame
from rating.roomlog import parse_utf8
from rating.same_game import SLACK
from storage.notices import Notices
from storage.ports import Denied, StorageError
from storage.state import State
from storage.tenhou import KEPT

CHART = "charts/rating.png"
REMEMBERED = KEPT.total_seconds()  # a sent digest, for as long as games of its day may still come
BREAK = timedelta(hours=3)  # without a game, after which another evening begins
REST = timedelta(hours=1)  # without a game, after which the last one was the last
LATE = timedelta(hours=2)  # after which the first game is no news
OVER = timedelta(hours=6)  # after which the end is none
FIRST = "first"
LAST = "last"
_KEPT = 7 * 86400.0  # seconds for which an evening is known
log = logging.getLogger(__name__)


@dataclass(frozen=True)
class GroupPush:
    access: ChatAccess
    line: LineClient
    notices: Notices
    pictures: Pictures

    def groups(self, folder: str) -> list[str]:
        return [chat for chat, league in self.access.groups().items() if league == folder]

    def once(
        self, chat: str, key: str, reply: Callable[[], Reply], what: str, ttl: float | None = None
    ) -> bool:
        """Push a reply to a chat, unless it was sent under this key. Return False where the quota
        forbids it. The first word of `what` is for the log; the key is kept for `ttl` seconds
        (None: for ever). Raises LineDown when LINE does not take it, and StorageError."""
        if self.notices.was_sent(key):
            return True
        sent = self.send(chat, reply, what)
        if sent:
            self.notices.sent(key, ttl)
        return sent

    def send(
        self,
        chat: str,
        reply: Callable[[], Reply],
        what: str,
    ) -> bool:
        """Push a reply to a chat; False where the month's quota does not cover all members. Within
        24 hours LINE takes it only once for the same `what`. Raises as `once` does."""
        quota = self.line.quota()
        cost = self.line.members(chat) if chat[:1] in "CR" else 1
        if quota is not None and quota[0] < cost:
            kind = what.partition(" ")[0]
            log.warning(
                "no %s for a chat of %d: %d pushes are left this month", kind, cost, quota[0]
            )
            return False
        sent = messages(reply(), self.pictures.address)
        self.line.push(chat, sent, str(uuid.uuid5(uuid.NAMESPACE_OID, f"{what} {chat}")))
        return True


@dataclass(frozen=True)
class AfterSync:
    registry: LeagueRegistry
    pictures: Pictures
    ahead: Ahead
    push: GroupPush

    def __call__(self, folder: str, days: Collection[date]) -> bool:
        """Do what follows for a league's games of these days; False if something should be tried
        again. Errors are logged: the games are already in the log."""
        if not days:
            return True
        self.registry.league(folder).expire()
        done = True
        for name, work in self._steps(folder, days):
            try:
                work()
            except StorageError as error:
                log.warning("after the sync, %s: %s", name, error)
                done = done and isinstance(
                    error, Denied
                )  # what is forbidden now, is so the next time too
            except LineDown as error:
                log.warning("after the sync, %s: %s", name, error)
                done = (
                    done and not error.later
                )  # what LINE refuses, it will refuse the next time too
            except Exception as error:
                log_fault(f"after the sync, {name}", error)
        self.registry.settle(quiet=True)
        return done

    def games_came(self, folder: str) -> None:
        """Draw the first pictures of a league whose own room has told games.

        Raises StorageError.
        """
        self.registry.known(folder).expire()
        self.ahead.prepare(folder)
        self.registry.settle()

    def _steps(
        self, folder: str, days: Collection[date]
    ) -> Iterator[tuple[str, Callable[[], None]]]:
        """Yield every step with its name for the log.

        A step reads the league when its turn comes.
        """
        yield from ((f"drawing {name}", partial(self._draw, folder, name)) for name in DRAWN_FIRST)
        groups = self.push.groups(folder)
        yield from (
            ("digest", partial(self._send_digest, folder, chat, max(days))) for chat in groups
        )
        yield from (
            ("season report", partial(self._send_season_report, folder, c, days)) for c in groups
        )

    def _draw(self, folder: str, name: str) -> None:
        for picture in self.ahead.pictures_of(folder, name):
            drawn = picture.render() if name == Ask.RATING else None  # once, for both places
            self.pictures.keep(picture, drawn)
            if drawn is not None:
                self.registry.league(folder).logs.overwrite(CHART, drawn)

    def _read(self, folder: str) -> LeagueSnapshot:
        """What is known of a league. Raises StorageError where its folder can't be read now: what
        was read before may lack the new games."""
        league = self.registry.league(folder)
        snapshot = league.snapshot()
        if league.failed is not None:
            raise league.failed
        return snapshot

    def _send_digest(self, folder: str, chat: str, day: date) -> None:
        league = self.registry.league(folder)
        hidden = self.push.access.hides_names(chat)
        snapshot = self._read(folder).hidden if hidden else self._read(folder)
        words = (
            day_digest(snapshot, league.ratings(snapshot), day) if snapshot.league.digest else ""
        )

        def digest() -> Reply:
            posters = self.ahead.pictures_of(folder, Ask.POSTER, hidden, date=day.isoformat())
            ways = [choice("この日の対局", Ask.TODAY, date=day), choice("レーティング", Ask.RATING)]
            if snapshot.league.quiz:
                ways.append(choice("今日の何切る", Ask.QUIZ))
            return Reply((Text(words), *posters), tuple(ways))

        if words:
            self.push.once(
                chat, f"digest:{chat}:{day.isoformat()}", digest, f"digest {day}", REMEMBERED
            )

    def _send_season_report(self, folder: str, chat: str, days: Collection[date]) -> None:
        """Push the last season's report (まとめ), once, if the new one's first game is of these
        days.
        """
        snapshot = self._read(folder)
        if len(snapshot.seasons) < 2:
            return
        ended, begun = snapshot.seasons[-2:]
        if snapshot.games[begun.number][0].day not in days:
            return
        hidden = self.push.access.hides_names(chat)
        report = partial(
            self.ahead.ask,
            folder,
            Ask.SUMMARY,
            hidden,
            season=str(ended.number),
        )
        self.push.once(chat, f"season:{chat}:{ended.number}", report, f"season {ended.number}")


def day_digest(snapshot: LeagueSnapshot, ratings: LeagueRatings, day: date) -> str:
    """The text of the day's digest, a part for three and for four players, empty if nobody played.
    Its figures are those of the answer 今日, to the digit; 初 marks the first games: `みどり +52.0
    (トップ2 2着0 ラス1) R1650 (+12)`."""
    games = [game for game in snapshot.all_games() if game.day == day]
    parts = [
        part for part in day_parts(snapshot, ratings, games, members(snapshot)) if part.results
    ]
    shown = snapshot.league.shown
    told = []
    for part in parts:
        lines = [texts.SEATS[part.seats]] if len(parts) > 1 else []
        lines.append(f"{texts.day(day)}の結果（{len(part.games)}戦）")
        first, tops = part.most_firsts
        if tops:
            lines.append(f"最多トップ：{'、'.join(map(shown, first))}（{tops}回）")
        for result in part.results:
            counts = result.tally.placings
            placings = [
                f"{texts.placing(place, len(counts))}{n}" for place, n in enumerate(counts, 1)
            ]
            line = (
                f"{shown(result.player)} {texts.points(result.tally.points)} ({' '.join(placings)})"
            )
            if result.moved is not None:
                after, change = result.moved.words
                if result.moved.first:
                    change = f"初 {change}"
                line += f" R{after} ({change})"
            lines.append(line)
        if without := left_out_of_points(snapshot, part.games).sentence:
            lines.append(without)
        told.append("\n".join(lines))
    return "\n\n".join(told)


@dataclass(frozen=True, slots=True)
class Evening:
    """An evening: its games' first start and last end (JST), the first game, their number, what was
    said.
    """

    begin: datetime
    end: datetime
    first: OwnGame
    games: int
    said: frozenset[str] = frozenset()
    name: str = ""

    def wants(self, now: datetime, playing: bool) -> str:
        """Return what is to be said now:

        FIRST, LAST or "". Of a single game the first line says all.
        """
        if FIRST not in self.said:
            return FIRST if now - self.first.end <= LATE else ""
        rested = not playing and REST <= now - self.end <= OVER
        return LAST if rested and self.games > 1 and LAST not in self.said else ""


def begun(game: OwnGame) -> datetime:
    """A game's start, or where it is not known its end."""
    day, raw = game.current
    read = parse_utf8("", raw).lines[0].game
    return datetime.combine(day, (read and read.start) or time())


def last_evening(games: Sequence[OwnGame]) -> Evening | None:
    found: Evening | None = None
    for game in sorted(games, key=lambda game: (game.end, game.key)):
        begin = min(begun(game), game.end)
        if found is None or begin - found.end >= BREAK:
            found = Evening(begin, game.end, game, 1)
        else:
            found = replace(
                found,
                begin=min(
                    found.begin,
                    begin,
                ),
                end=game.end,
                games=found.games + 1,
            )
    return found


@dataclass(frozen=True)
class EveningNotice:
    """Says what is to be said of leagues' evenings. `now` returns an aware time."""

    registry: LeagueRegistry
    push: GroupPush
    state: State
    now: Callable[[], datetime]

    def __call__(self, folder: str, playing: bool) -> None:
        """Say what is due for a league, whose room rests where `playing` is False.

        Errors are logged.
        """
        try:
            self._look(folder, playing)
        except (StorageError, LineDown) as error:
            log.warning("an evening is told later, if it is still news: %s", error)

    def _look(self, folder: str, playing: bool) -> None:
        now = self.now().astimezone(JST).replace(tzinfo=None)
        days = [now.date() - timedelta(days=back) for back in (1, 0)]
        evening = last_evening(
            [game for game in OwnResults(self.state, folder).read(days) if game.stood]
        )
        if evening is None or now - evening.end > OVER:
            return
        evening = self._known(folder, evening)
        what = evening.wants(now, playing)
        if not what:
            return
        league = self.registry.known(folder)
        snapshot = league.snapshot()
        if not snapshot.league.evening:
            return
        named = _words(what, snapshot, league.ratings(snapshot), evening)
        hidden = snapshot.hidden
        unnamed = _words(what, hidden, league.ratings(hidden), evening)
        if named:
            self._keep(folder, evening)  # its name: a game heard of later may begin earlier
            self._say(folder, evening.name, what, named, unnamed)
        self._keep(folder, replace(evening, said=evening.said | {what}))

    def _say(self, folder: str, name: str, what: str, named: str, unnamed: str) -> None:
        """Push the named text, the unnamed one where names are hidden."""
        ways: tuple[Choice, ...] = (choice("レーティング", Ask.RATING), choice("今日", Ask.TODAY))
        ways = (choice("ポスター", Ask.POSTER), *ways) if what == LAST else ways
        for chat in self.push.groups(folder):
            key = f"evening:{chat}:{name}:{what}"
            said = unnamed if self.push.access.hides_names(chat) else named
            try:
                self.push.once(
                    chat, key, partial(Reply, (Text(said),), ways), f"evening {name} {what}", _KEPT
                )
            except LineDown as error:
                if error.later:  # the others' keys say that they have it
                    raise
                log.warning("an evening could not be told to a group: %s", error)

    def _known(self, folder: str, evening: Evening) -> Evening:
        """Return the evening with its name, and what was said of it. A game that becomes known late
        may begin before the others: it is the same evening."""
        text = self.state.values.get(f"evening/{folder}")
        if text:
            kept = json.loads(text)
            begin = datetime.fromisoformat(kept["begin"])
            end = datetime.fromisoformat(kept["end"])
            if evening.begin - end < BREAK and begin - evening.end < BREAK:
                return replace(evening, name=str(kept["name"]), said=frozenset(kept["said"]))
        return replace(evening, name=f"{evening.begin:%Y%m%d%H%M}")

    def _keep(self, folder: str, evening: Evening) -> None:
        times = {"begin": evening.begin.isoformat(), "end": evening.end.isoformat()}
        kept = {"name": evening.name, **times, "said": sorted(evening.said)}
        self.state.values.put(f"evening/{folder}", json.dumps(kept), _KEPT)


def _words(what: str, snapshot: LeagueSnapshot, ratings: LeagueRatings, evening: Evening) -> str:
    shown = snapshot.league.shown
    first_start = evening.begin - SLACK
    games = [
        (start, game)
        for game in snapshot.all_games()
        if game.day is not None and game.start is not None
        if first_start <= (start := datetime.combine(game.day, game.start)) <= evening.end
    ]
    if not games:
        return ""
    day = texts.day(evening.begin.date())
    if what == FIRST:  # the game as the log has it: by hand, if somebody has corrected it
        _, game = min(
            games,
            key=lambda each: abs(each[0] - begun(evening.first)),
        )
        seats = [
            f"{texts.placing(place, len(game.seats))} {shown(seat.player)} {texts.points(seat.score)}"
            for place, seat in enumerate(game.seats, 1)
        ]
        return f"{day}の1戦目：{'、'.join(seats)}"
    all_parts = day_parts(snapshot, ratings, [game for _, game in games], members(snapshot))
    parts = [part for part in all_parts if part.results]
    lines = [f"{day}はここまで全{len(games)}戦。"]
    for part in parts:
        played = f"{texts.SEATS[part.seats]}（{len(part.games)}戦）：" if len(parts) > 1 else ""
        best, (first, tops) = part.results[0], part.most_firsts
        most = f"、最多トップ {'・'.join(map(shown, first))}（{tops}回）" if tops else ""
        lines.append(
            f"{played}合計トップ {shown(best.player)} {texts.points(best.tally.points)}{most}"
        )
    if without := left_out_of_points(snapshot, [game for _, game in games]).sentence:
        lines.append(without)
    return "\n".join(lines)
