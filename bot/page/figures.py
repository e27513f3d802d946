"""What the page shows of a question: the parts of the chat's own answer, as HTML tables and as
JSON, so it can't disagree with the chat. It adds the table of all figures, and lines to 収支."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from itertools import accumulate
from typing import Any

from bot.answers.catalogue import CATALOGUE
from bot.answers.common.figures import FORM
from bot.answers.common.members import (
    SLOTS,
    asked_members,
    member_id,
    members,
    people_of,
    token,
)
from bot.answers.common.scope import (
    DRAWN,
    Scope,
    ask_who,
    curves_of,
    scope_of,
    scope_with,
    view_of,
)
from bot.chat.command import Ask, Asker, Command, Question
from bot.chat.links import HIDDEN
from bot.chat.replies import Menu, Part, Picture, Table, Text, UserError
from bot.draw.lines import Curve, Lines, PictureWithLines
from bot.draw.style import MUTED
from bot.league.balances import balance_worth
from bot.league.repository import LeagueRepository
from bot.league.snapshot import LeagueSnapshot
from bot.page.grid import figures_view
from bot.page.links import PartLinks, address, links_of
from bot.page.parts import Answered, Folded, PageContent, PeriodLink, Placings, Shown
from bot.page.periods import PERIOD, days_drawn, periods
from bot.page.views import FIGURES, FIRST_VIEW, SHOWN
from rating.tallies import totals

NAMES = frozenset(
    {"ask", *PERIOD, *SLOTS, "seats", "date", "before", "games", "left", "model"}
    | {"show", "axis", "span", "by", "who", "of", "placing", "table"}
)
"""The names in an address's query that mean anything."""

LONGEST = 300  # characters of an option's value, as in postback data


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
        parts=PartLinks(link).parts(content.parts),
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
    if len(scope.games) < DRAWN or question.option("show"):
        return content
    return PageContent((balance_chart(question, scope), *content.parts), content.choices)


def balance_chart(question: Question, scope: Scope) -> Lines:
    people = people_of(question)
    chip = balance_worth(people.snapshot)
    sums = totals(scope.games, lambda seat, game: seat.score + chip(seat, game))
    balances = {player: line for player, line in sums.items() if player in people.order}
    order = sorted(balances, key=lambda player: (-balances[player].last, player))
    view = view_of(scope.games, question.option("axis"), scope=scope)
    curves = curves_of(people, balances, order, view, {})
    return Lines(f"収支の推移　{scope.title}", view.subtitle, curves, 0, view.axis, 1, signed=True)


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
    view = view_of(scope.games, question.option("axis"), scope=scope)
    placings = (game.placing(player) + 1 for game in scope.games)
    sums = list(accumulate(placings, initial=0))
    ends = [end + 1 for end in view.closing]
    means = [sums[count] / count for count in ends]
    curves = [Curve("通算", [view.at(count) for count in ends], means, MUTED)]
    ends_of_form = [count for count in ends if count >= FORM]
    if ends_of_form:
        xs = [view.at(count) for count in ends_of_form]
        ys = [(sums[count] - sums[count - FORM]) / FORM for count in ends_of_form]
        colour = people_of(question).colour(player)
        curves.append(Curve(f"直近{FORM}戦", xs, ys, colour, asker=True))
    title = f"平均着順の推移　{scope.title}"
    return Placings(title, view.subtitle, tuple(curves), None, view.axis, 2)


MAKERS: Mapping[str, Callable[[Question], PageContent]] = {
    FIGURES: figures_view,
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
