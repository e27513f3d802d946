"""What the page shows of a question: the parts of the chat's own answer, as HTML tables and as
JSON, so it can't disagree with the chat. It adds the table of all figures, and lines to 収支."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from itertools import accumulate
from typing import Any, NamedTuple
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


class Cell(NamedTuple):
    """A figure's value and its text; None and "" where there is none, None alone where it is of too
    few games to be ranked."""

    value: float | None
    text: str


class GridRow(NamedTuple):
    """A member's row with its cells."""

    row: Row
    cells: tuple[Cell, ...]


class GridGroup(NamedTuple):
    """A heading, and the rows below it."""

    heading: str
    rows: tuple[GridRow, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """Members by figures: `heads` are keys and names; a row has a cell for each. The heading of the
    first group is ""."""

    title: str
    subtitle: str
    note: str
    heads: tuple[tuple[str, str], ...]
    groups: tuple[GridGroup, ...]


class Placings(Lines):
    """Lines of placings: the lowest number is the best, and is at the top."""


@dataclass(frozen=True, slots=True)
class Folded:
    """A part that a tap on its title opens."""

    part: Shown


Shown = Text | Table | Menu | Lines | Grid | Folded


class PageContent(NamedTuple):
    """Parts, and the choices that lead on."""

    parts: tuple[Shown, ...]
    choices: tuple[Choice, ...]


class PeriodChoice(NamedTuple):
    """A choice of the games of a period. `is_shown`: the page shows these games."""

    choice: Choice
    is_shown: bool


class FurtherLink(NamedTuple):
    """A label and an address of the page (`?ask=…`)."""

    label: str
    url: str


class PeriodLink(NamedTuple):
    """A link to the same question about other games. `is_shown`: the page shows these games."""

    label: str
    is_shown: bool
    url: str


class DayEnd(NamedTuple):
    """The number of a day's last game among the games drawn as lines."""

    number: int
    day: date


@dataclass(frozen=True, slots=True)
class Answered:
    """Parts in order, and the links that lead on. `days` are the days of the games drawn as lines;
    none where the question has no period.
    """

    parts: tuple[Shown, ...]
    links: tuple[FurtherLink, ...]
    periods: tuple[PeriodLink, ...]
    days: tuple[DayEnd, ...] = ()


def query_of(options: Mapping[str, str]) -> dict[str, str]:
    """The part of an address's query that means anything, in the order of names."""
    names_in_use = [name for name in sorted(NAMES) if options.get(name)]
    return {name: options[name][:LONGEST] for name in names_in_use}


def question_of(
    league: LeagueRepository, options: Mapping[str, str], now: Any, me: str = ""
) -> Question:
    """The question of an address's query: `ask` and the command's options; `me` is the id of the
    reading member. A period without its last day is its first day."""
    query = query_of(options)
    if "from" in query:
        query.setdefault("to", query["from"])
    name = query.pop("ask", FIRST_VIEW)
    if name not in SHOWN:
        name = FIRST_VIEW
    command = Command(name, query)
    snapshot = league.snapshot()
    if me.startswith(HIDDEN):
        snapshot = snapshot.hidden
    player = members_by_id(snapshot).get(me.removeprefix(HIDDEN), "")
    return Question(
        command, snapshot, league.ratings(snapshot), Asker("page", player=player), now, CATALOGUE
    )


def members_by_id(snapshot: LeagueSnapshot) -> dict[str, str]:
    return {member_id(player): player for player in members(snapshot)}


def answered(question: Question) -> Answered:
    """The answer's parts that the page shows. A refusal is an answer, too."""
    content = content_of(question)
    ids = {player: id_ for id_, player in members_by_id(question.snapshot).items()}
    link = partial(address, ids=ids)
    by_url: dict[str, PeriodLink] = {}
    for period, is_shown in periods(question):
        url = link(period.data)
        by_url[url] = PeriodLink(period.label, is_shown, url)
    return Answered(
        parts=linked(content.parts, link),
        links=tuple(other for other in links_of(content.choices, link) if other.url not in by_url),
        periods=tuple(by_url.values()),
        days=days_drawn(question, content.parts),
    )


def content_of(question: Question) -> PageContent:
    maker = MAKERS.get(question.command.name, chat_answer)
    try:
        return maker(question)
    except UserError as error:
        return PageContent(shown(error.reply.parts), error.reply.choices)


def days_drawn(question: Question, parts: Iterable[Shown]) -> tuple[DayEnd, ...]:
    """The days of the games behind the lines."""
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
    return tuple(DayEnd(number, day) for day, number in last.items())


def periods(question: Question) -> list[PeriodChoice]:
    """This month, the last, the last seasons and all, where they have games."""
    options = takes(question.command.name)
    if "season" not in options or ("day" in options) != ("period" in options):
        return []
    choices = []
    if "period" in options:
        choices += month_periods(question)
    return choices + season_periods(question)


def month_periods(question: Question) -> list[PeriodChoice]:
    same = without_period(question.command.options)
    this_month = month_of(question.now.date())
    days = days_of(question.snapshot)
    choices = []
    for label, month in {"今月": this_month, "先月": this_month.moved(-1)}.items():
        if any(day in month for day in days):
            is_shown = month.options.items() <= question.command.options.items()
            month_choice = choice(label, question.command.name, **same, **month.options)
            choices.append(PeriodChoice(month_choice, is_shown))
    return choices


def season_periods(question: Question) -> list[PeriodChoice]:
    name = question.command.name
    same = without_period(question.command.options)
    shown_first = ""
    if name in (Ask.RECENT, Ask.RECORDS):
        shown_first = ALL
    elif question.snapshot.seasons:
        shown_first = str(question.snapshot.seasons[-1].number)
    season = question.option("season") or shown_first
    current = choice("", name, season=season, **same).data
    choices = []
    for season_choice in season_choices(question, **same):
        is_shown = season_choice.data == current and not question.option("from")
        choices.append(PeriodChoice(season_choice, is_shown))
    return choices


def takes(name: str) -> Collection[str]:
    """The names of the options of a question."""
    if name == FIGURES:
        return BY_PERIOD
    return CATALOGUE[name].takes


def without_period(options: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in options.items() if name not in PERIOD}


def chat_answer(question: Question) -> PageContent:
    """The answer of the chat."""
    answer = CATALOGUE[question.command.name].answer
    assert answer is not None
    reply = answer(question)
    return PageContent(shown(reply.parts), (*reply.choices, *reply.buttons))


def balance(question: Question) -> PageContent:
    """収支 with the lines that the chat replaces with its table."""
    content = chat_answer(question)
    scope = scope_of(question)
    people = people_of(question)
    chip = balance_worth(people.snapshot)
    sums = totals(scope.games, lambda seat, game: seat.score + chip(seat, game))
    balances = {player: line for player, line in sums.items() if player in people.order}
    if len(scope.games) < DRAWN or question.option("show"):
        return content
    view = view_of(scope.games, question.option("axis"), scope=scope)
    order = sorted(balances, key=lambda player: (-balances[player].last, player))
    curves = curves_of(people, balances, order, view, {})
    chart = Lines(f"収支の推移　{scope.title}", view.subtitle, curves, 0, view.axis, 1, signed=True)
    return PageContent((chart, *content.parts), content.choices)


def games(question: Question) -> PageContent:
    content = chat_answer(question)
    return PageContent((*name_menus(question), *content.parts), content.choices)


def name_menus(question: Question) -> list[Menu]:
    """The members' names, each with a link to the same question about the member."""
    options = question.command.options
    period = {name: value for name, value in options.items() if name in PERIOD[:3]}
    parts = ask_who(question, "メンバー", **period).parts
    return [replace(part, text="") for part in parts if isinstance(part, Menu)]


def member(question: Question) -> PageContent:
    """A member's answer with the course of the placings, and further answers about the member."""
    content = chat_answer(question)
    player = next(iter(asked_members(question)), question.asker.player)
    if any(isinstance(part, Menu) for part in content.parts):
        return content
    scope = scope_with(question, player).of(player)
    *figures_of_member, records = content.parts
    parts: list[Shown] = [*name_menus(question), *figures_of_member]
    if len(scope.games) >= DRAWN:
        parts.append(placings_chart(question, scope, player))
    parts.append(Folded(records))
    options = {
        **question.command.options,
        "player": token(player),
        "seats": str(scope.seats),
    }
    return PageContent((*parts, *further_parts(question, options)), content.choices)


def further_parts(question: Question, options: Mapping[str, str]) -> Iterable[Shown]:
    """Further answers about a member, as far as there are any; pages of 牌譜 are folded."""
    for name in (Ask.MATCHUP, Ask.RECENT, Ask.GALLERY):
        yield from parts_of(question, name, {**options, "show": ""})
    for page in ("wins", "deal_ins", "riichi", "calls"):
        yield from map(Folded, parts_of(question, Ask.PAIFU, {**options, "show": page}))


def parts_of(question: Question, name: str, options: dict[str, str]) -> tuple[Shown, ...]:
    """The parts of another question; none where it is refused or not on the page."""
    if name not in SHOWN:
        return ()
    try:
        return chat_answer(replace(question, command=Command(name, options))).parts
    except UserError:
        return ()


def placings_chart(question: Question, scope: Scope, player: str) -> Placings:
    """The mean placing after each day (or game) of play, of all games so far and of the last
    FORM.
    """
    people = people_of(question)
    view = view_of(scope.games, question.option("axis"), scope=scope)
    placings = (game.placing(player) + 1 for game in scope.games)
    sums = list(accumulate(placings, initial=0))
    ends = [end + 1 for end in view.closing]
    means = [sums[count] / count for count in ends]
    curves = [Curve("通算", [view.at(count) for count in ends], means, MUTED)]
    ends_of_form = [count for count in ends if count >= FORM]
    if ends_of_form:
        form = Curve(
            f"直近{FORM}戦",
            [view.at(count) for count in ends_of_form],
            [(sums[count] - sums[count - FORM]) / FORM for count in ends_of_form],
            people.colour(player),
            asker=True,
        )
        curves.append(form)
    title = f"平均着順の推移　{scope.title}"
    return Placings(title, view.subtitle, tuple(curves), None, view.axis, 2)


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


def figures(question: Question) -> PageContent:
    """Every member by every figure that has a board; members with too few games for a rate form a
    group of their own.
    """
    scope = scope_of(question)
    people = people_of(question)
    check_members(people, scope.games)
    ratings = known_ratings(question, scope)
    careers = careers_of(people, scope, ratings)
    minimum = qualifying_games(question.snapshot.league.rules.qualifying, careers)
    keys = board_keys(scope, careers.values())
    ranked: list[GridRow] = []
    short: list[GridRow] = []
    for player, _, _ in ranking(STATISTICS["mean"], careers, minimum):
        career = careers[player]
        cells = tuple(_cell(STATISTICS[key], career, minimum, ratings) for key in keys)
        row = GridRow(people.row(player, ""), cells)
        if career.tally.games < minimum:
            short.append(row)
        else:
            ranked.append(row)
    groups = [GridGroup("", tuple(ranked))]
    if short:
        groups.append(GridGroup(SHORT_OF.format(minimum), tuple(short)))
    heads = tuple((key, WORDS[key].name) for key in keys)
    grid = Grid(f"成績　{scope.title}", scope.subtitle, "", heads, tuple(groups))
    return PageContent((grid,), seat_choices(question, scope))


def _cell(statistic: Statistic, career: Career, minimum: int, ratings: Ratings | None) -> Cell:
    """A figure's cell. One of too few records has no value: it is not ranked."""
    figure = statistic.counted(career)
    if figure is None:
        return Cell(None, "")
    text = written(statistic.key, figure.value, ratings)
    if not statistic.records:
        return Cell(figure.value, text)
    text = f"{text}（{of_cases(figure)}）"
    if statistic.qualifies(career, minimum):
        return Cell(figure.value, text)
    return Cell(None, text)


MAKERS: Mapping[str, Callable[[Question], PageContent]] = {
    FIGURES: figures,
    Ask.SUM: balance,
    Ask.PLAYER: member,
    Ask.RECENT: games,
}
"""The questions that the page answers in another way than the chat."""


def shown(parts: Iterable[Part]) -> tuple[Shown, ...]:
    """The parts the page can show, each once: lines first and as lines, other pictures by their
    figures.
    """
    result: list[Shown] = []
    for part in parts:
        if isinstance(part, Picture):
            chart = part.chart
            if isinstance(chart, PictureWithLines):
                chart = chart.as_lines()
            if isinstance(chart, Lines) and chart.curves:
                result.insert(0, chart)
            else:
                result += [figure for figure in shown(part.instead) if figure not in result]
        elif isinstance(part, Text | Table | Menu):
            result.append(part)
    # The chat leaves out the rows' details of a table that it sends with a picture.
    brief = [without_details(part) for part in result]
    return tuple(
        part for number, part in enumerate(result) if brief[number] not in brief[number + 1 :]
    )


def without_details(part: Shown) -> Shown:
    if not isinstance(part, Table):
        return part
    return replace(part, rows=tuple(replace(row, detail="") for row in part.rows))


def links_of(choices: Iterable[Choice], link: Callable[[str], str]) -> tuple[FurtherLink, ...]:
    """The links of choices, each address once and none for what the page does not show."""
    labels = {link(choice.data): choice.label for choice in choices if not choice.pick}
    return tuple(FurtherLink(label, url) for url, label in labels.items() if url)


def linked(
    parts: Iterable[Shown],
    link: Callable[[str], str],
) -> tuple[Shown, ...]:
    """The parts with addresses of the page for postback data, "" for what leads elsewhere."""

    def with_link(row: Row) -> Row:
        return replace(row, data=link(row.data))

    def linked_group(group: GridGroup) -> GridGroup:
        rows = tuple(GridRow(with_link(row), cells) for row, cells in group.rows)
        return GridGroup(group.heading, rows)

    def linked_part(part: Shown) -> Shown:
        if isinstance(part, Table):
            more = tuple((head, tuple(map(with_link, rows))) for head, rows in part.more)
            return replace(part, rows=tuple(map(with_link, part.rows)), more=more)
        if isinstance(part, Folded):
            return Folded(linked_part(part.part))
        if isinstance(part, Menu):
            links = links_of(part.choices, link)
            return replace(part, choices=tuple(Choice(label, url) for label, url in links))
        if isinstance(part, Grid):
            return replace(part, groups=tuple(map(linked_group, part.groups)))
        return part

    return tuple(map(linked_part, parts))


def address(data: str, ids: Mapping[str, str]) -> str:
    """The page's address (`?ask=…`) of postback data; "" for what the page does not show. Members
    are named by their ids, so no address contains a name on Tenhou."""
    name, _, query = data.removeprefix(DATA).partition("?")
    options = dict(parse_qsl(query))
    if name == Ask.RECORD_REPORT and options.get("id"):
        record = {"game": options["id"]}
        for key, option in {"round": "round", "seat": "tw"}.items():
            if options.get(option, "").isdecimal():
                record[key] = options[option]
        if "scene" in options:
            record["scene"] = options["scene"]
        return "?" + urlencode(record)
    # The page shows these parts together with the picture.
    in_part = "pick" in options or options.get("show") == WHOLE
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
    links = [FurtherLink(period.label, period.url) for period in made.periods]
    links += made.links
    days = [(number, day.isoformat()) for number, day in made.days]
    return {"parts": [_part(part) for part in made.parts], "ways": links, "days": days}


def _part(part: Shown) -> Json:
    if isinstance(part, Text):
        return {"kind": "text", "text": part.text}
    if isinstance(part, Folded):
        return _part(part.part)
    if isinstance(part, Menu):
        return {
            "kind": "menu",
            "title": part.title,
            "ways": [(choice.label, choice.data) for choice in part.choices],
        }
    head = {"title": part.title, "subtitle": part.subtitle}
    if isinstance(part, Lines):
        curves = [_curve(curve) for curve in part.curves]
        shape = {"axis": part.axis, "baseline": part.baseline, "decimals": part.decimals}
        unit = {"signed": part.signed, "unit": "", "down": isinstance(part, Placings)}
        if isinstance(part, ChanceLines):
            unit["unit"] = "%"
        return {"kind": "lines", **head, **shape, **unit, "curves": curves}
    if isinstance(part, Grid):
        grid_groups = []
        for heading, rows in part.groups:
            members_rows = [{"name": row.name, "cells": cells} for row, cells in rows]
            grid_groups.append((heading, members_rows))
        return {"kind": "grid", **head, "heads": part.heads, "groups": grid_groups}
    tables = (("", part.rows), *part.more)
    groups = [[heading, list(map(_row, table_rows))] for heading, table_rows in tables]
    return {
        "kind": "table",
        **head,
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
    names = ("name", "value", "rank", "extra", "detail", "mine")
    values = {name: getattr(row, name) for name in names}
    return {**values, "way": row.data}


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
