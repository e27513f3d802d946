"""相性: who finishes above whom.

A heat map of all members, or a table of one member against each other.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bot import texts
from bot.answers.common.figures import left_out_of_points
from bot.answers.common.members import People, asked_members, people_of, token
from bot.answers.common.scope import ALL, Scope, ask_who, below, scope_of
from bot.answers.players import pair
from bot.chat.command import BY_PERIOD, Ask, Below, Question, Spec, choice, data_of
from bot.chat.replies import Choice, Part, Picture, Reply, Row, Table
from bot.draw.matrix import MatrixChart, draw
from rating.tallies import (
    Career,
    Meeting,
    Meetings,
    against,
    meetings,
    sure_leads,
    tallies,
)

SQUARE = 3  # members from which a matrix says more than a table
MOST = (
    10  # members in a matrix that can be read on a phone; with more there is a table of one member
)
DECIMALS = 6  # members in a matrix whose cells have room for decimals
PALE = 20  # a cell of fewer games is pale
ENOUGH = 10  # fewest games together for 得意 and 苦手
UNSEEN = "得意・苦手と言える差は、まだ見えません。"


@dataclass(frozen=True)
class Show:
    """What the cells of a matrix show; `key` explains it, `centre` is the even value."""

    label: str
    key: str
    value: Callable[[Meeting], float]
    centre: float
    decimals: int = 0
    signed: bool = False
    least: int = 5  # with fewer games together a cell is empty


class Favourite(NamedTuple):
    """The opponents of equal extreme share, with their label and a meeting with the first."""

    label: str
    names: list[str]
    meeting: Meeting


COUNTS = "　小さい数字は対局数"
SHOWS = {
    "": Show(
        "先着率",
        "左の人が上の人に先着した割合（%）　青＝勝ち越し　橙＝負け越し",
        lambda m: 100 * m.share,
        50,
    ),
    "gap": Show(
        "点数の差",
        "左の人が上の人より1戦あたり何点上か　青＝プラス　橙＝マイナス",
        value=lambda m: m.mean_gap,
        centre=0,
        decimals=1,
        signed=True,
    ),
    "games": Show("同卓の数", "同じ卓で打った対局の数", lambda m: float(m.games), 0, least=1),
}
_SHORTCUTS = {show.label: {"show": name} for name, show in SHOWS.items() if name}


def answer(question: Question) -> Reply:
    """All members as a heat map, one member against each other, or two members side by side."""
    players = asked_members(question)
    scope = scope_of(question)
    people = people_of(question)
    if len(players) == 2:
        return pair.compare(question, players[0], players[1])
    if not players and question.option("who") == ALL:
        return ask_who(question, "相性", **scope.options)
    found = meetings(scope.games)
    played = tallies(scope.games)
    here = [player for player in people.order if player in played]
    if not players and len(here) > MOST:
        # The one with the most games has the table that says most.
        most = max(here, key=lambda player: played[player].games)
        players = [people.asker if people.asker in here else most]
    if players:
        table = _one(people, scope, players[0], found)
        return Reply((table,), _choices(question, scope, len(here), players[0]))
    show = question.option("show")
    chart = _matrix(question, people, scope, here, found)
    if show and show in SHOWS:
        table = _values(people, scope, here, found, SHOWS[show])
    else:
        table = _everybody(people, scope, here, found)
    parts: tuple[Part, ...] = (table,)
    has_values = any(cell is not None for row in chart.cells for cell in row)
    if len(here) >= SQUARE and has_values:
        parts = (table, Picture(chart, draw, table.notification, (table,)))
    return Reply(parts, _choices(question, scope, len(here)))


def _everybody(people: People, scope: Scope, here: Sequence[str], found: Meetings) -> Table:
    pairs = {player: favourites(people, found, player) for player in here}
    # Who has the highest 先着率 against another: みどりはぽん吉に先着率61%.
    best = [
        (m.share, m.games, player, others)
        for player, ((_, others, m), _) in pairs.items()
        if others
    ]
    rows = []
    for player in here:
        words = tuple(
            f"{people.named(equal)} {100 * m.share:.0f}%" if equal else "―"
            for _, equal, m in pairs[player]
        )
        met = against(found, player).values()
        games = sum(m.games for m in met)
        ahead = sum(m.ahead for m in met) / max(1, games)
        data = data_of(Ask.MATCHUP, player=token(player), **scope.options)
        cells = words if best else ()
        rows.append(people.row(player, f"{ahead:.0%}", 0, cells, data=data))
    title = f"相性　{scope.title}"
    alt = UNSEEN
    note = UNSEEN
    if best:
        share, _, player, others = max(best)
        alt = f"{people.shown(player)}は{people.named(others)}に先着率{100 * share:.0f}%"
        note = "得意・苦手は、偶然とは言いにくい差の相手です。"
    note += "名前を押すと、その人の相性が出ます。"
    heads = ("先着率", "得意", "苦手") if best else ("先着率",)
    return Table(title, tuple(rows), heads, scope.subtitle, note, f"{title}：{alt}")


def _values(
    people: People, scope: Scope, here: Sequence[str], found: Meetings, show: Show
) -> Table:
    """Each member's opponents with the highest and the lowest of what the picture shows."""
    rows = []
    for player in here:
        own = [
            (show.value(meeting), other)
            for other, meeting in against(found, player).items()
            if meeting.games >= show.least and other in people.order
        ]
        ends = []
        if own:
            values = [value for value, _ in own]
            ends = [max(values), min(values)]
        said = []
        for end in ends:
            names = people.named([other for value, other in own if value == end])
            said.append(f"{names} {texts.number(end, show.decimals, show.signed)}")
        data = data_of(Ask.MATCHUP, player=token(player), **scope.options)
        rows.append(people.row(player, "", 0, tuple(said), data=data))
    title = f"{show.label}　{scope.title}"
    highest = [f"{row.name} 最高 {row.extra[0]}" for row in rows[:2] if row.extra]
    alt = f"{title}：{'、'.join(highest)}"
    return Table(
        title,
        tuple(rows),
        ("", "最高", "最低"),
        scope.subtitle,
        f"{show.key}。",
        alt,
    )


def favourites(people: People, found: Meetings, player: str) -> tuple[Favourite, Favourite]:
    """Whom the player finishes above most often (得意) and least often (苦手): label, names, and a
    meeting.

    No names where nobody's difference is sure with all pairs looked at (`sure_leads`). Of equal
    shares the one of more games stands; several who are equal in both are all named."""
    sure = sure_leads(found, people.order, ENOUGH)
    own = against(found, player).items()
    best = _most(
        [(other, met) for other, met in own if (player, other) in sure],
        1,
    )
    worst = _most(
        [(other, met) for other, met in own if (other, player) in sure],
        -1,
    )
    return Favourite("得意", *best), Favourite("苦手", *worst)


def lowest(
    people: People,
    career: Career,
    best: bool = False,
) -> tuple[list[str], Meeting, bool]:
    """Whom one finished above least (or most) often, and whether surely; else of those with ENOUGH
    games.
    """
    prey, nemesis = favourites(people, career.peers.meetings, career.player)
    favourite = nemesis
    if best:
        favourite = prey
    if favourite.names:
        return favourite.names, favourite.meeting, True
    known = [
        (opponent, meeting)
        for opponent, meeting in career.meetings.items()
        if meeting.games >= ENOUGH and opponent in people.order
    ]
    return (*_most(known, 1 if best else -1), False)


def _most(
    known: list[tuple[str, Meeting]],
    sign: int,
) -> tuple[list[str], Meeting]:
    """Those with the greatest (sign 1) or least (-1) share, and the meeting of the first of
    them.
    """
    top = max(
        ((sign * met.share, met.games) for _, met in known),
        default=None,
    )
    equal = [
        (opponent, meeting)
        for opponent, meeting in known
        if (sign * meeting.share, meeting.games) == top
    ]
    meeting = equal[0][1] if equal else Meeting()
    return [opponent for opponent, _ in equal], meeting


def _matrix(
    question: Question, people: People, scope: Scope, here: Sequence[str], found: Meetings
) -> MatrixChart:
    show = SHOWS.get(question.option("show"), SHOWS[""])
    told = show is not SHOWS["games"]  # beside each value, of how many games it is
    subtitle = scope.subtitle
    if show is SHOWS["gap"] and (without := left_out_of_points(people.snapshot, scope.games).short):
        subtitle += f"　{without}"
    if told:
        subtitle += COUNTS
    cells = []
    notes = []
    few = []
    for one in here:
        met = [found.get((one, other)) for other in here]
        cells.append(tuple(_cell(show, meeting) for meeting in met))
        few.append(tuple(m is not None and m.games < PALE and told for m in met))
        notes.append(tuple(str(m.games) if m and told else "" for m in met))
    return MatrixChart(
        f"{show.label if question.option('show') else '相性'}　{scope.title}",
        subtitle,
        tuple(map(people.shown, here)),
        tuple(cells),
        show.centre,
        decimals=show.decimals if len(here) <= DECIMALS else 0,
        signed=show.signed,
        notes=tuple(notes),
        colours=tuple(map(people.colour, here)),
        key=show.key,
        few=tuple(few),
    )


def _cell(show: Show, meeting: Meeting | None) -> float | None:
    """The value of a cell; None with too few games together."""
    if meeting is None or meeting.games < show.least:
        return None
    return round(show.value(meeting), 3)


def _one(people: People, scope: Scope, player: str, found: Meetings) -> Table:
    rows: list[Row] = []
    for other, m in against(found, player).items():
        if other not in people.order:
            continue
        tap = data_of(
            Ask.PAIR,
            player=token(player),
            other=token(other),
            **scope.options,
        )
        cells = (texts.points(m.gap), f"{m.games}戦")
        rows.append(
            people.row(
                other,
                texts.percent(m.share),
                0,
                cells,
                data=tap,
            )
        )
    title = f"{people.shown(player)}の相性　{scope.title}"
    heads = ("先着率", "点数の差", "同卓")
    if not rows:
        return Table(title, (), heads, "まだ対局がありません。")
    note = "先着率は、相手より上の順位だった割合です。名前を押すと2人を並べて見られます。"
    note += left_out_of_points(people.snapshot, scope.of(player).games).sentence
    return Table(title, tuple(rows), heads, scope.subtitle, note)


def _choices(
    question: Question, scope: Scope, members: int, player: str = ""
) -> tuple[Choice, ...]:
    here = scope.options
    same = {"player": token(player) if player else ""}
    if player:
        everybody = choice("全員の相性", Ask.MATCHUP, **here)
        other = everybody if members <= MOST else choice("ほかの人", Ask.MATCHUP, who=ALL, **here)
        ways = [other, choice("個人", Ask.PLAYER, **same, **here)]
    else:
        current = question.option("show") if question.option("show") in SHOWS else ""
        ways = [
            choice(show.label, Ask.MATCHUP, **here, show=name)
            for name, show in SHOWS.items()
            if name != current
        ]
        if question.asker.player:
            ways.append(
                choice("自分の相性", Ask.MATCHUP, player=token(question.asker.player), **here)
            )
    return below(question, scope, *ways, **same)


SPECS = (
    Spec(
        name=Ask.MATCHUP,
        title="相性",
        help="だれがだれに強いかを出します",
        answer=answer,
        words="相性 あいしょう 対戦成績",
        shortcuts=_SHORTCUTS,
        takes=BY_PERIOD,
        names=2,
        below=(Below.OWN, Below.AGAIN, choice("対決", Ask.PAIR), Ask.RANK),
    ),
)
