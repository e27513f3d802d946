"""対決: compares two members side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from bot import texts
from bot.answers.common.curves import curves_of, view_of
from bot.answers.common.members import People, asked_members, people_of, token
from bot.answers.common.model_names import baseline, course_model
from bot.answers.common.pick_player import ask_who, scope_with
from bot.answers.common.ratings import Ratings, ratings_of
from bot.answers.common.scope import Scope, offered, period_choices, season_choices
from bot.answers.forecast.outlooks import past_of_scope, percent_of
from bot.answers.forecast.skill_words import EVEN, better_chance, better_words, sure
from bot.charts.pair import PairChart, PairRow, Side, draw
from bot.chat.command import BY_PERIOD, Ask, MenuGroup, Question, Spec, choice
from bot.chat.replies import Choice, Picture, Reply, Row, Table, UserError
from rating.meetings import Meeting, meetings
from rating.standings import PROVISIONAL_GAMES
from rating.tallies import Tally, has_chips, tallies

SAME = "同じ人が2人になっています。別の人を選んでください。"


@dataclass(frozen=True)
class Figure:
    """One figure of both members in words. `better` is 0 for the left one, 1 for the right one, None for neither."""

    label: str
    left: str
    right: str
    better: int | None


def answer(question: Question) -> Reply:
    """The two members named side by side, or the asker and the one named; asks for a name that is missing."""
    players = asked_members(question)
    if len(players) == 1 and question.option("player") and question.option("other"):
        raise UserError(SAME, offered(choice("対決", Ask.PAIR)))
    asker = question.asker.player
    if len(players) == 1 and asker and asker != players[0] and not question.option("player"):
        players = [asker, players[0]]
    if not players:
        return ask_who(question, "対決：1人目")
    if len(players) == 1:
        shown = question.snapshot.league.shown(players[0])
        return ask_who(
            question,
            f"{shown}と比べる",
            player=token(players[0]),
            **{name: question.option(name) for name in ("season", "from", "to")},
        )
    return compare(question, players[0], players[1])


def compare(question: Question, one: str, other: str) -> Reply:
    """The two members side by side, in the scope that `scope_with` finds for both."""
    scope, people = scope_with(question, one, other), people_of(question)
    ratings = ratings_of(question, scope, course_model(question.snapshot.league.model))
    past = past_of_scope(question, scope)
    stronger = better_chance(question, past, one, other) if past else None
    figures = [*_figures(scope, one, other, ratings), *_stronger(stronger)]
    met = meetings(scope.games).get((one, other), Meeting())
    table = _table(people, scope, one, other, figures=figures, met=met)
    if stronger is not None:
        table = replace(
            table, note=better_words(people.shown(one), people.shown(other), stronger) + table.note
        )
    view = view_of(scope.games, scope=scope)
    alone = f"　{texts.ALONE}" * _has_chips(scope, one, other)
    provisional = {player: ratings.standings[player].provisional for player in (one, other)}
    chart = PairChart(
        table.title,
        scope.subtitle + alone,
        left=Side(people.shown(one), people.colour(one)),
        right=Side(people.shown(other), people.colour(other)),
        rows=tuple(PairRow(f.label, f.left, f.right, f.better) for f in figures),
        ahead=(met.ahead, met.games - met.ahead),
        curves=curves_of(people, ratings.history, (one, other), view, provisional),
        baseline=baseline(ratings.model),
        axis=view.axis,
    )
    # The picture has every row of the table, which stands only where the picture can't.
    brief = replace(table, rows=(), heads=(), note=table.note + scope.until)
    picture = Picture(chart, draw, table.alt, (table,))
    return Reply((brief, picture), _choices(question, scope, one, other))


def _figures(scope: Scope, one: str, other: str, ratings: Ratings) -> list[Figure]:
    found = tallies(scope.games)
    a, b = found[one], found[other]
    standings, places = ratings.standings, ratings.places
    apart = places[one].group != places[other].group  # strengths that can't be compared
    return [
        _figure("レート", (standings[one].value, standings[other].value), ratings.words, plain=apart),
        _figure("対局", (a.games, b.games), lambda n: f"{n:.0f}戦", plain=True),
        _figure("平均着順", (a.mean_placing, b.mean_placing), lambda x: f"{x:.2f}", least=True),
        _figure("トップ率", (a.first_rate, b.first_rate), texts.percent),
        _figure("ラス率", (a.last_rate, b.last_rate), texts.percent, least=True),
        _figure("点数", (a.points, b.points), texts.points),
        _figure("1戦平均", (a.points / a.games, b.points / b.games), texts.points),
        *_chips(a, b),
    ]


def _stronger(chance: float | None) -> Sequence[Figure]:
    """The chance that each is the stronger; neither is marked where they are even."""
    if chance is None:
        return ()
    better = None if sure(chance) == EVEN else int(chance < 0.5)
    return (Figure("強い見込み", percent_of(chance), percent_of(1 - chance), better),)


def _chips(a: Tally, b: Tally) -> Sequence[Figure]:
    if not (a.chip_games and b.chip_games):
        return ()
    return (_figure("チップ", (a.chips, b.chips), lambda n: f"{texts.signed(round(n))}枚"),)


def _figure(
    label: str, values: tuple[float, float], words: Any, least: bool = False, plain: bool = False
) -> Figure:
    """A figure in words, and who is better. With `least` the smaller value is better, with `plain` neither is."""
    left, right = (words(value) for value in values)
    if plain or left == right:
        return Figure(label, left, right, None)
    return Figure(label, left, right, int((values[0] < values[1]) != least))


def _table(people: People, scope: Scope, one: str, other: str, figures: list[Figure], met: Meeting) -> Table:
    left, right = people.shown(one), people.shown(other)
    rows = [Row(f.label, f.left, extra=(f.right,)) for f in figures]
    if met.games:
        rows.insert(0, Row("先着", f"{met.ahead}回", extra=(f"{met.games - met.ahead}回",)))
        gap = texts.points(met.gap)
        rows.insert(1, Row("同卓の点数差", gap, extra=(texts.points(-met.gap),), detail=f"{met.games}戦"))
    title = f"{left} と {right}　{scope.title}"
    alt = f"{left} と {right}：レート {figures[0].left} と {figures[0].right}"
    return Table(
        title,
        tuple(rows),
        heads=(left, right),
        subtitle=scope.subtitle,
        note=_note(people, scope, one, other, met),
        alt=alt,
        even=True,
    )


def _note(people: People, scope: Scope, one: str, other: str, met: Meeting) -> str:
    note = "" if met.games else "同卓した対局はありません。"
    note += texts.POINTS_ALONE * _has_chips(scope, one, other)
    found = tallies(scope.games)
    few = [people.shown(player) for player in (one, other) if found[player].games < PROVISIONAL_GAMES]
    return note + (f"{'と'.join(few)}の数字は、{PROVISIONAL_GAMES}戦に満たないので暫定です。" if few else "")


def _has_chips(scope: Scope, one: str, other: str) -> bool:
    """Whether chips changed hands in games of either, which points leave out."""
    return has_chips(game for game in scope.games if one in game.players or other in game.players)


def _choices(question: Question, scope: Scope, one: str, other: str) -> tuple[Choice, ...]:
    shown, season, here = question.snapshot.league.shown, scope.option, scope.options
    both = {"player": token(one), "other": token(other)}
    return offered(
        choice("実力と運", Ask.SKILL, player=token(one), other=token(other), season=season),
        choice("ほかの人と比べる", Ask.PAIR, player=token(one)),
        *period_choices(question, scope, **both),
        *season_choices(question, scope, **both),
        choice(f"{shown(one)}の相性", Ask.MATCHUP, player=token(one), **here),
        choice(f"{shown(other)}の相性", Ask.MATCHUP, player=token(other), **here),
        choice(shown(one), Ask.PLAYER, player=token(one), **here),
        choice(shown(other), Ask.PLAYER, player=token(other), **here),
    )


SPECS = (
    Spec(
        name=Ask.PAIR,
        title="対決",
        help="2人を並べて比べます",
        answer=answer,
        words=("対決", "たいけつ", "二人", "ふたり", "2人"),
        everyday=("二人", "ふたり", "2人"),
        takes=BY_PERIOD,
        names=2,
        group=MenuGroup.ONE,
    ),
)
