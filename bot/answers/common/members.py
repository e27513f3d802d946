"""Shows the league's members (names, colours, rows), and finds the member a word means."""

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import ClassVar
from urllib.parse import quote

from bot import texts
from bot.chat.command import Ask, Question, choice, data_of, normal
from bot.chat.replies import Choice, Row, Table, UserError
from bot.draw import style
from bot.draw.parts import JOINT
from bot.draw.rows import RowName
from bot.league.snapshot import LeagueSnapshot
from rating.games import Game

SLOTS = ("player", "other", "third", "fourth", "fifth")  # options that name members
WHO = "どのメンバーですか？"
GAIN = "名前を押すと、「自分」で自分の成績が出るようになります。"
WHOLE = "table"  # of a postback's `show`: the table alone
NEAR = 0.5  # least likeness (difflib's ratio) of a name that is offered
# Most characters of a quoted name in postback data; a longer name is replaced by its digest. The
# data may hold two names, and LINE allows it 300 characters:
# https://developers.line.biz/en/reference/messaging-api/
LONG = 110
_POLITE = re.compile(r"(さん|くん|君|ちゃん|様|氏)$")
_STROKES = re.compile(r"[\s\-‐-―−ー~〜・･.、。]+")


def members(snapshot: LeagueSnapshot) -> list[str]:
    """The members' names on Tenhou, as in league.toml, then by first game; no guests."""
    played = (player for game in snapshot.all_games() for player in game.players)
    order = dict.fromkeys([*snapshot.league.players, *played])
    return [player for player in order if not snapshot.league.is_guest(player)]


def members_of(question: Question) -> tuple[str, ...]:
    return tuple(members(question.snapshot))


def checksum(everyone: tuple[str, ...]) -> str:
    """A checksum of the list of members. A button that names members by their place in the list
    carries it, to notice that the list has changed."""
    return hashlib.sha256("\n".join(everyone).encode()).hexdigest()[:8]


@dataclass(frozen=True)
class People:
    """The members as this asker sees them, in the league's fixed order; `asker` is "" when
    unknown.
    """

    snapshot: LeagueSnapshot
    order: tuple[str, ...]
    colours: dict[str, str]
    dashes: dict[str, style.Dash]
    asker: str

    NAMED: ClassVar[int] = 2  # most members who are all named where they share something

    def shown(self, player: str) -> str:
        return self.snapshot.league.shown(player)

    def named(self, players: Sequence[str]) -> str:
        """Those who share something: みどり・白發中, or みどり ほか3人 where they are more than
        NAMED.
        """
        names = self.joined(players) or tuple(map(self.shown, players))
        unnamed = len(players) - len(names)
        if unnamed > 0:
            return f"{JOINT.join(names)} ほか{unnamed}人"
        return JOINT.join(names)

    def joined(self, players: Sequence[str]) -> tuple[str, ...]:
        """The names in what `named` says of several, () where it is one name alone."""
        if len(players) < 2:
            return ()
        if len(players) > self.NAMED:
            return (self.shown(players[0]),)
        return tuple(map(self.shown, players))

    def colour(self, player: str) -> str:
        return self.colours.get(player, style.INK)

    def dash(self, player: str) -> style.Dash:
        return self.dashes.get(player, ())

    def is_asker(self, player: str) -> bool:
        return bool(self.asker) and player == self.asker

    def row_name(self, player: str, provisional: bool = False) -> RowName:
        """The member's name in a chart of rows."""
        return RowName(self.shown(player), self.colour(player), self.is_asker(player), provisional)

    def row(
        self,
        player: str,
        value: str,
        rank: int = 0,
        extra: tuple[str, ...] = (),
        detail: str = "",
        data: str = "",
    ) -> Row:
        """A member's row in the member's colour; the asker's is marked.

        A tap opens the card, or `data`.
        """
        colour = self.colours.get(player, "")
        mine = self.is_asker(player)
        tap = data or data_of(Ask.PLAYER, player=token(player))
        return Row(
            self.shown(player),
            value,
            str(rank or ""),
            extra,
            detail,
            colour,
            mine,
            tap,
        )


def people_of(question: Question) -> People:
    """The members with their colours and dashes, for the asker of the question."""
    order = members(question.snapshot)
    return People(
        question.snapshot,
        tuple(order),
        style.colours(order),
        style.dashes(order),
        question.asker.player,
    )


def beside_picture(
    table: Table,
    values: Sequence[float] = (),
    words: Callable[[float], str] = texts.points,
) -> Table:
    """The table with what stands below the picture in its place: the asker's row, or the first, and
    how far it is from the one above (the first from the second) by the rows' `values`."""
    rows = table.rows
    at = next((n for n, row in enumerate(rows) if row.mine), 0)
    own = rows[at]
    other = at - 1 if at else 1
    if len(values) > 1:
        gap = words(abs(values[at] - values[other])).lstrip("+±")
        same = rows[at].rank == rows[other].rank
        if same:
            said = f"{rows[other].name}と同じ"
        else:
            said = f"{rows[other].rank}位の{rows[other].name}と{gap}差"
        own = replace(
            own,
            detail="　".join(filter(None, (own.detail, said))),
        )
    return replace(table, by_picture=replace(table, rows=(own,), alt=table.notification))


def table_way(question: Question) -> Choice:
    """A button to the whole table in place of the picture, and back."""
    whole = question.option("show") == WHOLE
    options = {**question.command.options, "show": "" if whole else WHOLE}
    return choice("グラフで見る" if whole else "表で見る", question.command.name, **options)


def own_names(snapshot: LeagueSnapshot) -> tuple[Choice, ...]:
    """A button a member, which says that the asker is that one."""
    everyone = members(snapshot)
    return tuple(choice(snapshot.league.shown(p), Ask.ME, player=token(p)) for p in everyone)


def check_members(people: People, games: Iterable[Game]) -> None:
    """Raises UserError where no member sat at any of the tables."""
    seated = {player for game in games for player in game.players}
    if seated.isdisjoint(people.order):
        raise UserError(
            texts.NO_MEMBERS, (choice("直近", Ask.RECENT), choice("メニュー", Ask.MENU))
        )


def token(player: str) -> str:
    """A player in postback data: the name on Tenhou, or its digest where the name is too long."""
    return player if len(quote(player)) <= LONG else f"~{member_id(player)}"


def member_id(player: str) -> str:
    """A member in an address of the league's page: a short digest, which tells no name."""
    return hashlib.sha256(player.encode()).hexdigest()[:12]


def key(name: str) -> str:
    """A name as names are compared: width, case and kana folded; no dashes, spaces or honorific."""
    plain = normal(name)
    return _STROKES.sub("", _POLITE.sub("", plain)) or plain


def names_of(snapshot: LeagueSnapshot) -> dict[str, str]:
    """Each member's names and aliases (as `key`) -> the name on Tenhou.

    Own names come before aliases.
    """
    everyone = members(snapshot)
    league = snapshot.league
    known: list[tuple[str, str]] = []
    for player in everyone:
        known.append((player, player))
        known.append((league.shown(player), player))
    for player in everyone:
        if player in league.players:
            known += [(alias.name, player) for alias in league.players[player].aliases]
    return {key(name): player for name, player in reversed(known)}


def likeness(word: str) -> float:
    """How like a name (difflib's ratio) a word with one typing error is at least."""
    return 0.66 if len(word) < 4 else 0.74


def likely_members(
    names: Mapping[str, str],
    word: str,
) -> tuple[set[str], bool]:
    """The members (of `names_of`) a word probably means: the only one whose name it begins (then
    True), else those one typing error off."""
    wanted = key(word)
    if len(word) > 1:
        beginning = {player for name, player in names.items() if name.startswith(wanted)}
        if len(beginning) == 1:
            return beginning, True
    close = get_close_matches(wanted, list(names), n=4, cutoff=likeness(word))
    return {names[name] for name in close}, False


def near_names(snapshot: LeagueSnapshot, word: str) -> list[str]:
    """Up to four members whose name begins with the word, contains it, or is like it; nearest
    first.
    """
    names = names_of(snapshot)
    wanted = key(word)[:30]
    if not wanted:
        return []
    close = [name for name in names if name.startswith(wanted)]
    for name in names:
        is_part = 2 * len(name) > len(wanted) and name in wanted
        if wanted in name or is_part:
            close.append(name)
    close += get_close_matches(wanted, list(names), n=4, cutoff=NEAR)
    return list(dict.fromkeys(names[name] for name in close))[:4]


def asked_members(question: Question) -> list[str]:
    """The members the question names, each once. Raises UserError when an option names nobody."""
    everyone = members(question.snapshot)
    asked: dict[str, None] = {}
    for wanted in filter(None, map(question.option, SLOTS)):
        found = next(
            (p for p in everyone if wanted in (p, token(p), f"~{member_id(p)}")),
            None,
        )
        found = found or names_of(question.snapshot).get(key(wanted))
        if found is None:
            raise UserError(texts.NO_SUCH_PLAYER, player_choices(question, everyone))
        asked[found] = None
    return list(asked)


def player_choices(
    question: Question, players: Sequence[str], **options: object
) -> tuple[Choice, ...]:
    """The question for each of the players, twelve at most (as `other` with `player` set), and the
    menu.
    """
    name = question.command.name
    shown = question.snapshot.league.shown
    slot = "other" if "player" in options else "player"
    buttons = []
    for player in players[:12]:
        named = {slot: token(player)}
        buttons.append(choice(shown(player), name, **options, **named))
    return (*buttons, choice("メニュー", Ask.MENU))
