"""実力: how much of each member's points is skill and how much luck; of two members, who is
better.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from bot.answers.common import outlooks
from bot.answers.common.members import People, asked_members, beside_picture, people_of, token
from bot.answers.common.scope import Scope, below, scope_of, too_few
from bot.chat.command import BY_SEASON, Ask, Below, Question, Spec, choice
from bot.chat.replies import Choice, Picture, Reply, Table, UserError
from bot.draw import rows as row_charts
from bot.draw.layout import number
from bot.draw.rows import Bar, BarColumn, NameColumn, RowName, RowPicture, Rows, WordColumn, Words
from bot.draw.style import MUTED, WHITE, blend
from rating.forecast.past import Past
from rating.forecast.skill import SkillAndLuck, skill_and_luck
from rating.forecast.strengths import SkillRatio, is_informative, skills_of
from rating.models.skill import Bounds

LUCK = "運は、打った相手と自分の実力から見込まれる収支と、実際の収支との差です。"
SHARES = "割合は、平均点の差のうち実力による分です。本当の値は、10回に9回はこの幅に入ります。"
EARLIER = "前のシーズンの対局も考えています。"
WITHOUT_FINES = "収支は、罰符を除いた分です。"
ABSENT = "{name}さんの対局が、この期間にはまだありません。"
TITLE = "実力と運　{scope}"
TITLE_OF_TWO = "{left} と {right}の実力　{scope}"
NOTIFICATION = "実力と運：{sentence}"
NOTIFICATION_OF_TWO = "{left} と {right}：{sentence}"
HEADS = ("実力の分", "対局")
GAMES = "{games}戦"
SUBTITLE = "{period}　{games}戦"
LEGEND = "濃い色：実力　淡い色：運　黒い線：合計"
PARTS = "実力{skill}　運{luck}"
_ROW = 104  # pixels


@dataclass(frozen=True)
class SkillFigures:
    """The points of everybody by skill and luck, and the shares of skill; `player` is the one the
    sentence is about."""

    past: Past
    everyone: Sequence[SkillAndLuck]
    ratio: SkillRatio
    shares: Mapping[str, Bounds]
    player: str


def answer(question: Question) -> Reply:
    """Everybody's skill and luck, with a sentence on one member; of two members, who is better."""
    scope = scope_of(question)
    people = people_of(question)
    players = asked_members(question)
    past = past_of(question, scope)
    for player in players:
        if player not in past.names[: past.members]:
            raise UserError(
                ABSENT.format(name=people.shown(player)),
                _buttons(question, scope, []),
            )
    if len(players) == 2:
        table = table_of_two(question, people, scope, past, players)
        return Reply((table,), _buttons(question, scope, players))
    figures = _figures(question, people, past, players)
    table = _table(question, people, scope, figures)
    buttons = _buttons(question, scope, [figures.player])
    if not any(map(is_informative, figures.shares.values())):
        return Reply((without_bars(question, people, figures, table),), buttons)
    return Reply((beside_picture(table), _picture(people, figures, table)), buttons)


def past_of(question: Question, scope: Scope) -> Past:
    """The games as numbers. Raises UserError where there are too few."""
    past = outlooks.past_of_scope(question, scope)
    if past is None or past.members < 2 or past.played < question.spec.fewest:
        raise too_few(question, scope)
    return past


def _figures(
    question: Question, people: People, past: Past, players: Sequence[str]
) -> SkillFigures:
    key = ("luck", past.digest())
    everyone = question.ratings.computed(key, lambda: skill_and_luck(past, skills_of(past)))
    ratio = outlooks.skill_of(question, past)
    members = past.names[: past.members]
    shares = {}
    for player, games in zip(members, past.games, strict=False):
        shares[player] = ratio.share(int(games))
    subject = everyone[0].player
    if players:
        subject = players[0]
    elif people.asker in members:
        subject = people.asker
    return SkillFigures(past, everyone, ratio, shares, subject)


def sentence_of(people: People, figures: SkillFigures) -> str:
    """How much of the points of the subject is skill."""
    share = figures.shares[figures.player]
    return outlooks.sentence_of(people.shown(figures.player), share, figures.ratio)


def _table(question: Question, people: People, scope: Scope, figures: SkillFigures) -> Table:
    """Each member's share of skill, those with the most games first."""
    rows = []
    by_name = sorted(figures.everyone, key=attrgetter("player"))
    for member in sorted(by_name, key=attrgetter("games"), reverse=True):
        share = outlooks.share_words(figures.shares[member.player])
        games = GAMES.format(games=member.games)
        row = people.row(member.player, share, extra=(games,))
        rows.append(replace(row, mine=member.player == figures.player))
    note = LUCK + SHARES + outlooks.fairness_words(question, figures.past, people)
    if figures.past.fined.any():
        note += WITHOUT_FINES
    return Table(
        title=TITLE.format(scope=scope.title),
        rows=tuple(rows),
        heads=HEADS,
        subtitle=_subtitle(scope, figures.past),
        note=note,
        alt=NOTIFICATION.format(sentence=sentence_of(people, figures)),
    )


def without_bars(question: Question, people: People, figures: SkillFigures, table: Table) -> Table:
    """The table with the sentence that the picture would have; where nothing is known of anybody's
    skill there is no picture."""
    sentence = sentence_of(people, figures)
    fairness = outlooks.fairness_words(question, figures.past, people)
    return replace(table, note=sentence + SHARES + fairness)


def table_of_two(
    question: Question, people: People, scope: Scope, past: Past, players: Sequence[str]
) -> Table:
    """The shares of two members, and who of them is better."""
    left, right = map(people.shown, players)
    sentence = outlooks.better_words(question, past, people, *players) or outlooks.UNSURE
    ratio = outlooks.skill_of(question, past)
    rows = []
    for player in players:
        games = int(past.games[past.names.index(player)])
        share = outlooks.share_words(ratio.share(games))
        played = GAMES.format(games=games)
        rows.append(people.row(player, share, extra=(played,)))
    title = TITLE_OF_TWO.format(left=left, right=right, scope=scope.title)
    alt = NOTIFICATION_OF_TWO.format(left=left, right=right, sentence=sentence)
    note = sentence + SHARES
    if past.earlier:
        note += EARLIER
    return Table(title, tuple(rows), HEADS, _subtitle(scope, past), note, alt)


def _subtitle(scope: Scope, past: Past) -> str:
    period = outlooks.period_of(scope, past)
    if not period:
        return GAMES.format(games=past.played)
    return SUBTITLE.format(period=period, games=past.played)


def _picture(people: People, figures: SkillFigures, table: Table) -> Picture:
    names = []
    for member in figures.everyone:
        name = people.row_name(member.player)
        names.append(replace(name, asker=member.player == figures.player))
    rows = skill_rows(names, figures.everyone)
    sentence = sentence_of(people, figures)
    chart = RowPicture(table.title, table.subtitle, rows, sentence, legend=LEGEND)
    return Picture(chart, row_charts.draw, table.notification, (table,))


def skill_rows(names: Sequence[RowName], members: Sequence[SkillAndLuck]) -> Rows:
    """Each member's bar of skill, luck's paler one after it, and the mark of the points."""
    bars = []
    totals = []
    values = []
    for name, member in zip(names, members, strict=True):
        skill = round(member.skill, 1)
        luck = round(member.luck, 1)
        total = skill + luck
        pale = blend(name.colour, WHITE, 0.65)
        luck_takes_from_skill = skill * luck < 0
        bar_of_luck = Bar(skill, total, pale, slim=luck_takes_from_skill)
        bars.append((Bar(0.0, skill, name.colour), bar_of_luck))
        totals.append(total)
        values.append(words_of(total, skill, luck))
    columns = (
        NameColumn(tuple(names)),
        BarColumn(tuple(bars), tuple(totals)),
        WordColumn(tuple(values)),
    )
    return Rows(columns, _ROW)


def words_of(total: float, skill: float, luck: float) -> Words:
    """The points, and below them what they are made of."""
    parts = PARTS.format(
        skill=number(round(skill), signed=True),
        luck=number(round(luck), signed=True),
    )
    return Words(number(round(total), signed=True), parts, bold=True, under_colour=MUTED)


def _buttons(
    question: Question,
    scope: Scope,
    players: Sequence[str],
) -> tuple[Choice, ...]:
    named = list(map(token, players))
    season = scope.option
    if len(named) == 2:
        pair = choice(
            "対決",
            Ask.PAIR,
            player=named[0],
            other=named[1],
            season=season,
        )
        return below(question, scope, pair, player="")
    if named:
        card = choice("個人", Ask.PLAYER, player=named[0], season=season)
        return below(question, scope, card, player=named[0])
    return below(question, scope, player="")


SPECS = (
    Spec(
        name=Ask.SKILL,
        title="実力",
        help="収支のうち、どこまでが実力でどこからが運かを出します",
        answer=answer,
        words="実力 じつりょく 実力と運 実力差 実力の差 運と実力 実力順 実力と運の割合",
        takes=BY_SEASON,
        names=2,
        fewest=outlooks.FEWEST,
        empty=outlooks.TOO_FEW,
        below=(
            Below.OWN,
            Ask.FORECAST,
            Below.AGAIN,
            choice("レート検証", Ask.COMPARE),
            Ask.SUM,
        ),
    ),
)
