"""Games on pages: which page a question is about, and the buttons to the pages next to it."""

from typing import NamedTuple

from bot.chat.command import Question, choice
from bot.chat.replies import Choice

PAGE = 10  # games on one page
EARLIER_GAMES = "前の{games}戦"
LATER_GAMES = "次の{games}戦"


class Page(NamedTuple):
    """A page (from 1) of so many."""

    number: int
    pages: int


def page_of(question: Question, games: int) -> Page:
    """The page of so many games that the question is about, by default the first."""
    option = question.option("page")
    pages = max(1, -(-games // PAGE))
    number = 1
    if option.isascii() and option.isdecimal() and len(option) < 6:
        number = int(option)
    return Page(min(max(1, number), pages), pages)


def turns(question: Question, games: int, **options: object) -> tuple[Choice, ...]:
    """The buttons to the page before and after."""
    page = page_of(question, games)
    name = question.command.name
    buttons = []
    if page.number < page.pages:
        label = EARLIER_GAMES.format(games=PAGE)
        buttons.append(choice(label, name, page=page.number + 1, **options))
    if page.number > 1:
        label = LATER_GAMES.format(games=PAGE)
        buttons.append(choice(label, name, page=page.number - 1, **options))
    return tuple(buttons)
