"""直近: the last games, some at a time."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from bot import texts
from bot.answers.common.members import People, asked_members, people_of, token
from bot.answers.common.paging import PAGE, page_of, turns
from bot.answers.common.ratings import game_row
from bot.answers.common.scope import ALL, Scope, offered, scopes_of
from bot.answers.games.games import MOST, PLAYED, PLAYED_SEATS, games_of, scores_of
from bot.chat.command import BY_PERIOD, Ask, Question, Spec, choice
from bot.chat.replies import Choice, Reply, Row, Table
from rating.games import Game

TITLE = "直近の対局"
TITLE_OF_MEMBER = "{player}の直近の対局"
LAST_GAMES = "直近{games}戦"
LAST_GAMES_OF_MEMBER = "{player}の直近{games}戦"
PAGE_OF = "{title}　{page}/{pages}"
SUBTITLE = "{period}　{played}　新しい順"
NO_GAMES = "まだ対局がありません。"
ALT = "{title}：{scores}"


@dataclass(frozen=True)
class RecentGames:
    """The games shown, the latest first, of `all_games`; those of `player` alone, if any. `pages`
    is 1 where the question gives a number of games."""

    scope: Scope
    player: str
    games: tuple[Game, ...]
    all_games: tuple[Game, ...]
    page: int
    pages: int


def recent(question: Question) -> Reply:
    """The last games, PAGE at a time; only those of the member named, if any."""
    recent_games = _games(question)
    people = people_of(question)
    return Reply((_table(question, recent_games, people),), _buttons(question, recent_games))


def _games(question: Question) -> RecentGames:
    scopes = scopes_of(question, ALL)
    player = next(iter(asked_members(question)), "")
    latest_first = reversed(games_of(question, scopes))
    games = tuple(game for game in latest_first if not player or player in game.players)
    page, pages = page_of(question, len(games))
    shown = games[(page - 1) * PAGE : page * PAGE]
    number = question.option("games")
    if number.isdecimal():
        pages = 1
        shown = games[: min(int(number), MOST)]
    return RecentGames(scopes[0], player, shown, games, page, pages)


def _table(question: Question, recent_games: RecentGames, people: People) -> Table:
    games = recent_games.games
    title = _title(question, recent_games, people)
    if not games:
        return Table(title, (), subtitle=NO_GAMES, alt=title)
    name = _name(recent_games.player, people)
    subtitle = SUBTITLE.format(
        period=recent_games.scope.title, played=_played(recent_games.all_games)
    )
    alt = ALT.format(title=name, scores=scores_of(people, games[0]))
    return Table(title, _rows(question, recent_games, people), subtitle=subtitle, alt=alt)


def _name(player: str, people: People) -> str:
    if player:
        return TITLE_OF_MEMBER.format(player=people.shown(player))
    return TITLE


def _title(question: Question, recent_games: RecentGames, people: People) -> str:
    title = _name(recent_games.player, people)
    if question.option("games"):
        games = len(recent_games.games)
        title = LAST_GAMES.format(games=games)
        if recent_games.player:
            player = people.shown(recent_games.player)
            title = LAST_GAMES_OF_MEMBER.format(player=player, games=games)
    if recent_games.pages > 1:
        title = PAGE_OF.format(title=title, page=recent_games.page, pages=recent_games.pages)
    return title


def _played(games: Sequence[Game]) -> str:
    """How many games, by their number of seats where they have several."""
    counts = Counter(len(game.seats) for game in games)
    if len(counts) == 1:
        return PLAYED.format(games=len(games))
    parts = [
        PLAYED_SEATS.format(seats=texts.SEATS[seats], games=count)
        for seats, count in sorted(counts.items())
    ]
    return "・".join(parts)


def _rows(question: Question, recent_games: RecentGames, people: People) -> tuple[Row, ...]:
    this_year = date(question.now.year, 1, 1)
    rows = []
    for game in recent_games.games:
        is_older = (game.day or this_year) < this_year
        years = recent_games.scope.years and is_older
        row = game_row(people, game, whose=recent_games.player, dated=True, years=years)
        rows.append(row)
    return tuple(rows)


def _buttons(question: Question, recent_games: RecentGames) -> tuple[Choice, ...]:
    """Other pages of the same games, the member's card, and other reports."""
    player = ""
    if recent_games.player:
        player = token(recent_games.player)
    scope_options = recent_games.scope.options
    if scope_options == {"season": ALL}:
        scope_options = {}  # 直近 shows the games of all seasons by itself
    buttons = list(turns(question, len(recent_games.all_games), player=player, **scope_options))
    if player:
        buttons.append(choice("全員の直近", Ask.RECENT))
        buttons.append(choice("個人", Ask.PLAYER, player=player))
    return offered(
        *buttons,
        choice("今日", Ask.TODAY),
        choice("レーティング", Ask.RATING),
        choice("収支", Ask.SUM),
    )


SPECS = (
    Spec(
        name=Ask.RECENT,
        title="直近",
        help="最近の対局を10戦ずつ出します",
        answer=recent,
        words="直近 ちょっきん 最近 履歴 りれき",
        shortcuts={f"{which}の対局": {"games": "1"} for which in ("最後", "直前", "前", "前回")},
        everyday="最近",
        takes=BY_PERIOD,
        names=1,
    ),
)
