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
AND_OTHERS = "{names} ほか{others}人"
EQUAL = "{player}と同じ"
DISTANCE = "{rank}位の{player}と{gap}差"
AS_CHART = "グラフで見る"
AS_TABLE = "表で見る"
RECENT_GAMES = "直近"
MENU = "メニュー"
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
            return AND_OTHERS.format(names=JOINT.join(names), others=unnamed)
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
    """The table as it is sent together with the picture: the asker's row, or the first, and how far
    it is from the one above (the first from the second) by the rows' `values`."""
    rows = table.rows
    place = 0
    for index, row in enumerate(rows):
        if row.mine:
            place = index
            break
    row = rows[place]
    if len(values) > 1:
        near = place - 1
        if place == 0:
            near = 1
        gap = words(abs(values[place] - values[near])).lstrip("+±")
        row = replace(row, detail=_with_gap(row, rows[near], gap))
    return replace(table, by_picture=replace(table, rows=(row,), alt=table.notification))


def _with_gap(row: Row, near: Row, gap: str) -> str:
    """A row's detail, and how far it is from a row next to it."""
    distance = DISTANCE.format(rank=near.rank, player=near.name, gap=gap)
    if row.rank == near.rank:
        distance = EQUAL.format(player=near.name)
    return "　".join(filter(None, (row.detail, distance)))


def table_way(question: Question) -> Choice:
    """A button to the whole table in place of the picture, and back."""
    label = AS_TABLE
    show = WHOLE
    if question.option("show") == WHOLE:
        label = AS_CHART
        show = ""
    options = {**question.command.options, "show": show}
    return choice(label, question.command.name, **options)


def own_names(snapshot: LeagueSnapshot) -> tuple[Choice, ...]:
    """A button a member, with which the asker chooses the own name."""
    shown = snapshot.league.shown
    return tuple(
        choice(shown(player), Ask.ME, player=token(player)) for player in members(snapshot)
    )


def check_members(people: People, games: Iterable[Game]) -> None:
    """Raises UserError where no member sat at any of the tables."""
    seated = {player for game in games for player in game.players}
    if seated.isdisjoint(people.order):
        buttons = (choice(RECENT_GAMES, Ask.RECENT), choice(MENU, Ask.MENU))
        raise UserError(texts.NO_MEMBERS, buttons)


def token(player: str) -> str:
    """A player in postback data: the name on Tenhou, or its digest where the name is too long."""
    if len(quote(player)) <= LONG:
        return player
    return f"~{member_id(player)}"


def member_id(player: str) -> str:
    """A member in an address of the league's page: a short digest, without the name."""
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
    """The least likeness (difflib's ratio) of a word with one typing error and a name."""
    if len(word) < 4:
        return 0.66
    return 0.74


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
    """The members the question names, once each. Raises UserError when an option names nobody."""
    everyone = members(question.snapshot)
    players: list[str] = []
    for name in filter(None, map(question.option, SLOTS)):
        player = _player_of(question.snapshot, everyone, name)
        if player is None:
            raise UserError(texts.NO_SUCH_PLAYER, player_choices(question, everyone))
        if player not in players:
            players.append(player)
    return players


def _player_of(snapshot: LeagueSnapshot, everyone: Sequence[str], name: str) -> str | None:
    """The member of an option: a name, a token or an id; None for nobody."""
    for player in everyone:
        if name in (player, token(player), f"~{member_id(player)}"):
            return player
    return names_of(snapshot).get(key(name))


def player_choices(
    question: Question, players: Sequence[str], **options: object
) -> tuple[Choice, ...]:
    """The question for each of the players, twelve at most (as `other` with `player` set), and the
    menu.
    """
    name = question.command.name
    shown = question.snapshot.league.shown
    option = "player"
    if "player" in options:
        option = "other"
    buttons = []
    for player in players[:12]:
        with_name = options | {option: token(player)}
        buttons.append(choice(shown(player), name, **with_name))
    return (*buttons, choice(MENU, Ask.MENU))
