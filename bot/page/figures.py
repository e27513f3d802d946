"""What the page shows of a question: the parts of the chat's own answer, as HTML tables and as
JSON, so it can't disagree with the chat. It adds the table of all figures, and lines to 収支."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from itertools import accumulate
from typing import Any
from urllib.parse import parse_qsl, urlencode

from bot.answers.catalogue import CATALOGUE
from bot.answers.common.figures import FORM, SHORT_OF, WORDS, careers_of, of_cases, written
from bot.answers.common.members import (
    SLOTS,
    WHOLE,
    asked_members,
    check_members,
    member_id,
    members,
    people_of,
    token,
)
from bot.answers.common.periods import month_of
from bot.answers.common.ratings import Ratings, known_ratings
from bot.answers.common.scope import (
    ALL,
    DRAWN,
    Scope,
    ask_who,
    curves_of,
    days_of,
    drawn_days,
    scope_of,
    scope_with,
    season_choices,
    seat_choices,
    view_of,
)
from bot.chat.command import BY_PERIOD, DATA, Ask, Asker, Command, Question, choice
from bot.chat.links import HIDDEN
from bot.chat.replies import Choice, Menu, Part, Picture, Row, Table, Text, UserError
from bot.draw.lines import ChanceLines, Curve, Lines, PictureWithLines
from bot.draw.style import MUTED, readable
from bot.league.balances import balance_worth
from bot.league.repository import LeagueRepository
from bot.league.snapshot import LeagueSnapshot
from rating.models import MODELS
from rating.statistics import (
    BOARD,
    STATISTICS,
    Statistic,
    qualifying_games,
    ranking,
    shown_on,
)
from rating.tallies import Career, has_chips, totals

Json = dict[str, Any]
FIGURES = "figures"
"""The page's own question: every member by every figure."""
SHOWN = frozenset({FIGURES, *CATALOGUE}) & frozenset(
    {
        FIGURES,
        Ask.RATING,
        Ask.MODELS,
        Ask.SUM,
        Ask.RANK,
        Ask.RANKING,
        Ask.RANKS,
        Ask.POINT,
        Ask.TIP,
        Ask.TEAM,
        Ask.TODAY,
        Ask.RECENT,
        Ask.PLAYER,
        Ask.MATCHUP,
        Ask.PAIR,
        Ask.SUMMARY,
        Ask.RECAP,
        Ask.FORECAST,
        Ask.NEEDS,
        Ask.IF,
        Ask.SKILL,
        Ask.PAIFU,
        Ask.GALLERY,
        Ask.RECORDS,
    }
)
"""The questions that the page asks: those that only read, without files and pictures alone, as far
as the bot has them."""
FIRST_VIEW = Ask.RATING if Ask.RATING in SHOWN else FIGURES
PERIOD = ("from", "to", "season", "page")
LINE_CONTRAST = 3.0
NAMES = frozenset(
    {"ask", *PERIOD, *SLOTS, "seats", "date", "before", "games", "left", "model"}
    | {"show", "axis", "span", "by", "who", "of", "placing", "table"}
)
"""The names in an address's query that mean anything."""
LONGEST = 300  # characters of an option's value, as in postback data


Cell = tuple[float | None, str]
"""A figure's value and its words; None and "" where there is none, None alone where it is of too
few games to be ranked."""


GridGroup = tuple[str, tuple[tuple[Row, tuple[Cell, ...]], ...]]
"""A heading, and the rows below it with their cells."""


@dataclass(frozen=True, slots=True)
class Grid:
    """Members by figures: `heads` are keys and names; a row has a cell for each. `groups` are rows
    below a heading, "" for the first."""

    title: str
    subtitle: str
    note: str
    heads: tuple[tuple[str, str], ...]
    groups: tuple[GridGroup, ...]


class Placings(Lines):
    """Lines of placings: the least is the best, and stands above."""


@dataclass(frozen=True, slots=True)
class Folded:
    """A part that a tap on its title opens."""

    part: Shown


Shown = Text | Table | Menu | Lines | Grid | Folded
Made = tuple[tuple[Shown, ...], tuple[Choice, ...]]
"""Parts, and what leads on."""


@dataclass(frozen=True, slots=True)
class Answered:
    """Parts in order, and the addresses (`?ask=…`) that lead on, with their labels. `periods` lead
    to the same of other games: label, whether these are shown, address. `days` are the days of the
    games drawn as lines, each with the number of its last game; none where no period can be asked.
    """

    parts: tuple[Shown, ...]
    ways: tuple[tuple[str, str], ...]
    periods: tuple[tuple[str, bool, str], ...]
    days: tuple[tuple[int, date], ...] = ()


def query_of(options: Mapping[str, str]) -> dict[str, str]:
    """The part of an address's query that means anything, in the order of names."""
    given = [name for name in sorted(NAMES) if options.get(name)]
    return {name: options[name][:LONGEST] for name in given}


def question_of(
    league: LeagueRepository, options: Mapping[str, str], now: Any, me: str = ""
) -> Question:
    """The question of an address's query: `ask` and the command's options; `me` is the id of the
    member who asks. A period without its last day is its first day."""
    asked = query_of(options)
    if "from" in asked:
        asked.setdefault("to", asked["from"])
    name = asked.pop("ask", FIRST_VIEW)
    command = Command(name if name in SHOWN else FIRST_VIEW, asked)
    snapshot = league.snapshot().hidden if me.startswith(HIDDEN) else league.snapshot()
    player = members_by_id(snapshot).get(me.removeprefix(HIDDEN), "")
    return Question(
        command, snapshot, league.ratings(snapshot), Asker("page", player=player), now, CATALOGUE
    )


def members_by_id(snapshot: LeagueSnapshot) -> dict[str, str]:
    return {member_id(player): player for player in members(snapshot)}


def answered(question: Question) -> Answered:
    """The answer's parts that the page shows. A refusal is an answer, too."""
    own: dict[str, Callable[[Question], Made]] = {
        FIGURES: figures,
        Ask.SUM: balance,
        Ask.PLAYER: member,
        Ask.RECENT: games,
    }
    try:
        parts, choices = own.get(question.command.name, asked)(question)
    except UserError as error:
        parts = shown(error.reply.parts)
        choices = error.reply.choices
    link = partial(
        address,
        ids={p: i for i, p in members_by_id(question.snapshot).items()},
    )
    beside = {}
    for period, is_shown in periods(question):
        beside[link(period.data)] = (period.label, is_shown)
    further = tuple(way for way in ways(choices, link) if way[1] not in beside)
    others = tuple((*said, href) for href, said in beside.items())
    return Answered(linked(parts, link), further, others, days_drawn(question, parts))


def days_drawn(
    question: Question,
    parts: Iterable[Shown],
) -> tuple[tuple[int, date], ...]:
    """The days of the games behind the lines, each with the number of its last game."""
    name = question.command.name
    has_lines = any(isinstance(part, Lines) for part in parts)
    if not has_lines or "period" not in takes(name):
        return ()
    model = question.option("model") or question.snapshot.league.model
    if name == Ask.RATING and MODELS[model].plays == "teams":
        return ()  # matches of two against two, whatever the period
    scope = scope_of(question)
    if name == Ask.PLAYER:
        player = next(iter(asked_members(question)), question.asker.player)
        scope = scope_with(question, player).of(player)
    last = {day: number for number, day in enumerate(drawn_days(scope.games), 1) if day}
    return tuple((number, day) for day, number in last.items())


def periods(question: Question) -> list[tuple[Choice, bool]]:
    """This month, the last, the last seasons and all, where they have games; with whether that is
    shown.
    """
    name = question.command.name
    taken = takes(question.command.name)
    if "season" not in taken or ("day" in taken) != ("period" in taken):
        return []
    same = kept(question.command.options)
    this = month_of(question.now.date())
    days = days_of(question.snapshot) if "period" in taken else []
    found = []
    for label, month in {"今月": this, "先月": this.moved(-1)}.items():
        if any(day in month for day in days):
            now = month.options.items() <= question.command.options.items()
            found.append((choice(label, name, **same, **month.options), now))
    shown_first = ""
    if name in (Ask.RECENT, Ask.RECORDS):
        shown_first = ALL
    elif question.snapshot.seasons:
        shown_first = str(question.snapshot.seasons[-1].number)
    season = question.option("season") or shown_first
    for each in season_choices(question, **same):
        here = each.data == choice("", name, season=season, **same).data
        found.append((each, here and not question.option("from")))
    return found


def takes(name: str) -> Collection[str]:
    return BY_PERIOD if name == FIGURES else CATALOGUE[name].takes


def kept(options: Mapping[str, str]) -> dict[str, str]:
    return {k: v for k, v in options.items() if k not in PERIOD}


def asked(question: Question) -> Made:
    answer = CATALOGUE[question.command.name].answer
    assert answer is not None
    reply = answer(question)
    return shown(reply.parts), (*reply.choices, *reply.buttons)


def balance(question: Question) -> Made:
    """収支 with the lines that the chat's table stands for."""
    parts, choices = asked(question)
    scope = scope_of(question)
    people = people_of(question)
    chip = balance_worth(people.snapshot)
    sums = totals(scope.games, lambda seat, game: seat.score + chip(seat, game))
    own = {p: line for p, line in sums.items() if p in people.order}
    if len(scope.games) < DRAWN or question.option("show"):
        return parts, choices
    view = view_of(scope.games, question.option("axis"), scope=scope)
    curves = curves_of(
        people,
        own,
        sorted(
            own,
            key=lambda player: (-own[player].last, player),
        ),
        view,
        {},
    )
    chart = Lines(f"収支の推移　{scope.title}", view.subtitle, curves, 0, view.axis, 1, signed=True)
    return (chart, *parts), choices


def games(question: Question) -> Made:
    parts, choices = asked(question)
    return (*names(question), *parts), choices


def names(question: Question) -> Iterable[Menu]:
    options = question.command.options
    here = {key: value for key, value in options.items() if key in PERIOD[:3]}
    parts = ask_who(question, "メンバー", **here).parts
    return [replace(part, text="") for part in parts if isinstance(part, Menu)]


def member(question: Question) -> Made:
    parts, choices = asked(question)
    player = next(iter(asked_members(question)), question.asker.player)
    if any(isinstance(part, Menu) for part in parts):
        return parts, choices
    own = scope_with(question, player).of(player)
    *near, records = parts
    found: list[Shown] = [*names(question), *near]
    if len(own.games) >= DRAWN:
        found.append(placings_chart(question, own, player))
    found.append(Folded(records))
    same = {
        **question.command.options,
        "player": token(player),
        "seats": str(own.seats),
    }
    pages = [(Ask.PAIFU, page) for page in ("wins", "deal_ins", "riichi", "calls")]
    for name, show in ((Ask.MATCHUP, ""), (Ask.RECENT, ""), (Ask.GALLERY, ""), *pages):
        if name not in SHOWN:
            continue
        with suppress(UserError):
            more = asked(
                replace(
                    question,
                    command=Command(name, {**same, "show": show}),
                )
            )[0]
            found += map(Folded, more) if show else more
    return tuple(found), choices


def placings_chart(question: Question, own: Scope, player: str) -> Placings:
    """The mean placing after each day (or game) of play, of all games so far and of the last
    FORM.
    """
    people = people_of(question)
    view = view_of(own.games, question.option("axis"), scope=own)
    placed = list(
        accumulate(
            (game.placing(player) + 1 for game in own.games),
            initial=0,
        )
    )
    ends = [end + 1 for end in view.closing]
    every = Curve(
        "通算",
        [view.at(n) for n in ends],
        [placed[n] / n for n in ends],
        MUTED,
    )
    full = [n for n in ends if n >= FORM]
    last = [(placed[n] - placed[n - FORM]) / FORM for n in full]
    form = Curve(
        f"直近{FORM}戦",
        [view.at(n) for n in full],
        last,
        people.colour(player),
        asker=True,
    )
    curves = (every, form) if full else (every,)
    return Placings(f"平均着順の推移　{own.title}", view.subtitle, curves, None, view.axis, 2)


def board_keys(scope: Scope, careers: Collection[Career]) -> list[str]:
    """The statistics with a board of which somebody has a value in these games."""
    keys = []
    for key in shown_on(BOARD):
        statistic = STATISTICS[key]
        if statistic.seats not in (0, scope.seats):
            continue
        if key == "chips" and not has_chips(scope.games):
            continue
        if any(statistic.value(career) is not None for career in careers):
            keys.append(key)
    return keys


def figures(question: Question) -> Made:
    """Every member by every figure that has a board; those with too few games for a rate stand
    apart.
    """
    scope = scope_of(question)
    people = people_of(question)
    check_members(people, scope.games)
    ratings = known_ratings(question, scope)
    own = careers_of(people, scope, ratings)
    least = qualifying_games(question.snapshot.league.rules.qualifying, own)
    keys = board_keys(scope, own.values())
    order = [p for p, _, _ in ranking(STATISTICS["mean"], own, least)]

    def row(player: str) -> tuple[Row, tuple[Cell, ...]]:
        cells = tuple(_cell(STATISTICS[key], own[player], least, ratings) for key in keys)
        return people.row(player, ""), cells

    few = [player for player in order if own[player].tally.games < least]
    groups = [("", tuple(row(player) for player in order if player not in few))]
    groups += (
        [
            (
                SHORT_OF.format(least),
                tuple(
                    map(
                        row,
                        few,
                    )
                ),
            )
        ]
        if few
        else []
    )
    heads = tuple((key, WORDS[key].name) for key in keys)
    grid = Grid(f"成績　{scope.title}", scope.subtitle, "", heads, tuple(groups))
    return (grid,), seat_choices(question, scope)


def _cell(statistic: Statistic, career: Career, least: int, ratings: Ratings | None) -> Cell:
    """A figure's value and its words. One of too few records has no value: it is not ranked."""
    figure = statistic.counted(career)
    if figure is None:
        return None, ""
    words = written(statistic.key, figure.value, ratings)
    if not statistic.records:
        return figure.value, words
    value = figure.value if statistic.qualifies(career, least) else None
    return value, f"{words}（{of_cases(figure)}）"


def shown(parts: Iterable[Part]) -> tuple[Shown, ...]:
    """The parts the page can show, each once: lines first and as lines, other pictures by their
    figures.
    """
    found: list[Shown] = []
    for part in parts:
        if isinstance(part, Picture):
            chart = part.chart
            if isinstance(chart, PictureWithLines):
                chart = chart.as_lines()
            if isinstance(chart, Lines) and chart.curves:
                found.insert(0, chart)
            else:
                found += [each for each in shown(part.instead) if each not in found]
        elif isinstance(part, Text | Table | Menu):
            found.append(part)
    # The chat leaves out the rows' details of a table that stands beside a picture.
    brief = [
        replace(each, rows=tuple(replace(row, detail="") for row in each.rows))
        if isinstance(each, Table)
        else each
        for each in found
    ]
    return tuple(
        each for number, each in enumerate(found) if brief[number] not in brief[number + 1 :]
    )


def ways(
    choices: Iterable[Choice],
    link: Callable[[str], str],
) -> tuple[tuple[str, str], ...]:
    found = {link(each.data): each.label for each in choices if not each.pick}
    return tuple((label, href) for href, label in found.items() if href)


def linked(
    parts: Iterable[Shown],
    link: Callable[[str], str],
) -> tuple[Shown, ...]:
    """The parts with addresses of the page for postback data, "" for what leads elsewhere."""

    def row(each: Row) -> Row:
        return replace(each, data=link(each.data))

    def part(each: Shown) -> Shown:
        if isinstance(each, Table):
            more = tuple((head, tuple(map(row, rows))) for head, rows in each.more)
            return replace(each, rows=tuple(map(row, each.rows)), more=more)
        if isinstance(each, Folded):
            return Folded(part(each.part))
        if isinstance(each, Menu):
            return replace(
                each,
                choices=tuple(Choice(*way) for way in ways(each.choices, link)),
            )
        if isinstance(each, Grid):
            groups = tuple(
                (head, tuple((row(r), cells) for r, cells in rows)) for head, rows in each.groups
            )
            return replace(each, groups=groups)
        return each

    return tuple(map(part, parts))


def address(data: str, ids: Mapping[str, str]) -> str:
    """The page's address (`?ask=…`) of postback data; "" for what the page does not show. Members
    are named by their ids, so no address tells a name on Tenhou."""
    name, _, query = data.removeprefix(DATA).partition("?")
    options = dict(parse_qsl(query))
    if name == Ask.RECORD_REPORT and options.get("id"):
        asked = {"round": options.get("round", ""), "seat": options.get("tw", "")}
        marked = {key: value for key, value in asked.items() if value.isdecimal()}
        scene = {"scene": options["scene"]} if "scene" in options else {}
        return "?" + urlencode({"game": options["id"], **marked, **scene})
    in_part = (
        "pick" in options or options.get("show") == WHOLE
    )  # which the page shows beside the picture
    if name not in SHOWN or not data.startswith(DATA) or in_part:
        return ""
    named = {slot: f"~{ids[options[slot]]}" for slot in SLOTS if options.get(slot) in ids}
    return "?" + urlencode({"ask": name, **options, **named})


def line_colour(colour: str) -> str:
    """A colour whose lines have enough contrast with the page (WCAG 2.1, 1.4.11): light ones
    darker.
    """
    return readable(colour, LINE_CONTRAST)


def as_json(made: Answered) -> Json:
    """The figures as plain values: tables by rows, lines by points (x: number of games, or days
    since 1).
    """
    ways = [(label, href) for label, _, href in made.periods]
    ways += made.ways
    days = [(number, day.isoformat()) for number, day in made.days]
    return {"parts": [_part(each) for each in made.parts], "ways": ways, "days": days}


def _part(part: Shown) -> Json:
    if isinstance(part, Text):
        return {"kind": "text", "text": part.text}
    if isinstance(part, Folded):
        return _part(part.part)
    if isinstance(part, Menu):
        return {
            "kind": "menu",
            "title": part.title,
            "ways": [(c.label, c.data) for c in part.choices],
        }
    said = {"title": part.title, "subtitle": part.subtitle}
    if isinstance(part, Lines):
        curves = [_curve(curve) for curve in part.curves]
        shape = {"axis": part.axis, "baseline": part.baseline, "decimals": part.decimals}
        unit = {"signed": part.signed, "unit": "", "down": isinstance(part, Placings)}
        if isinstance(part, ChanceLines):
            unit["unit"] = "%"
        return {"kind": "lines", **said, **shape, **unit, "curves": curves}
    if isinstance(part, Grid):
        cells = []
        for head, members in part.groups:
            cells.append((head, [{"name": row.name, "cells": c} for row, c in members]))
        return {"kind": "grid", **said, "heads": part.heads, "groups": cells}
    tables = (("", part.rows), *part.more)
    groups = [[head, list(map(_row, rows))] for head, rows in tables]
    return {
        "kind": "table",
        **said,
        "heads": part.heads,
        "note": part.note,
        "groups": groups,
    }


def _curve(curve: Curve) -> Json:
    return {
        "name": curve.name,
        "colour": line_colour(curve.colour),
        "dash": curve.dash,
        "x": list(curve.xs),
        "y": list(curve.ys),
        "asker": curve.asker,
    }


def _row(row: Row) -> Json:
    said = {key: getattr(row, key) for key in ("name", "value", "rank", "extra", "detail", "mine")}
    return {**said, "way": row.data}


VIEWS = (
    ("レート", Ask.RATING),
    ("収支", Ask.SUM),
    ("成績", FIGURES),
    ("個人", Ask.PLAYER),
    ("対局", Ask.RECENT),
    ("優勝争い", Ask.FORECAST),
    ("牌譜", Ask.PAIFU),
)
TABS = tuple((label, DATA + name) for label, name in VIEWS if name in SHOWN)
"""The page's views, and the data of their questions."""
