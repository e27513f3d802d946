"""書き出し: all games and everybody's figures as CSV files to download."""

import csv
import re
from collections.abc import Iterable, Sequence
from io import StringIO

from bot import texts
from bot.answers.common.figures import brief_of, by_total, careers_of, chips_left_out
from bot.answers.common.members import People, people_of
from bot.answers.common.ratings import Ratings, known_ratings, signed
from bot.answers.common.scope import ALL, Scope, below, scopes_of
from bot.chat.command import BY_SEASON, Ask, Below, Question, Spec
from bot.chat.replies import Download, Downloads, Reply
from rating.games import Game
from rating.league import Season
from rating.models import MODELS
from rating.statistics import EXPORT, STATISTICS, shown_on
from rating.tallies import Career

# The keys of the first figures; others for the export follow the placings.
FIRST_KEYS = ("games", "points", "won_chips", "total", "mean")
NAME = 20  # characters of the league's and the season's name in a file's
_FORMULA = tuple("=+-@＝＋－＠\t\r")  # what a spreadsheet may take for a formula's beginning
# what some system refuses in a file's name
_NOT_IN_NAMES = re.compile(r'[\s\\/:*?"<>|\x00-\x1f\x7f]')
BOM = "\ufeff"  # tells Excel that the file is UTF-8
WORDS = f"Excelなどで開けるCSVファイルです。{texts.LINK_LIFE}"
TITLE = "書き出し　{period}"
ALT = "{title}：CSVファイルの用意ができました"
GAMES_FILE = "対局（{games}戦）"
STANDINGS_FILE = "成績とレート"
STANDINGS_FILE_OF_SEATS = "成績とレート・{seats}{games}戦"
GAMES_NAME = "対局"  # in a file's name
STANDINGS_NAME = "成績{seats}"
LEAGUE_NAME = "雀録"  # of a league without a name
GAME_HEADS = ("シーズン", "日付", "開始", "部屋", "ルール")
SEAT_HEADS = ("{place}着", "{place}着の点数", "{place}着のチップ")
NAME_HEAD = "名前"
TENHOU_NAME_HEAD = "天鳳の名前"
PLACING_HEAD = "{place}着"
ERROR_HEAD = "{title}の誤差"
GROUP_HEAD = "グループ"
Cell = str | int | float | None


def answer(question: Question) -> Reply:
    """The files of games and of standings, and one more of standings where there are games of both
    kinds.
    """
    scopes = scopes_of(question, ALL)
    scope = scopes[0]
    people = people_of(question)
    games = people.snapshot.all_games(scope.number)
    title = TITLE.format(period=scope.title)
    files = [_games_file(question, people, scope)]
    files += [_standings_file(question, people, part) for part in scopes]
    words = WORDS + chips_left_out(people.snapshot, games).sentence
    downloads = Downloads(title, tuple(files), words, ALT.format(title=title))
    return Reply((downloads,), below(question, scope))


def _games_file(question: Question, people: People, scope: Scope) -> Download:
    games = people.snapshot.all_games(scope.number)
    label = GAMES_FILE.format(games=len(games))
    return Download(label, _file_name(question, scope, GAMES_NAME), games_csv(people, scope))


def _standings_file(question: Question, people: People, scope: Scope) -> Download:
    seats = ""
    label = STANDINGS_FILE
    if scope.others:
        seats = texts.SEATS[scope.seats]
        label = STANDINGS_FILE_OF_SEATS.format(seats=seats, games=len(scope.games))
    name = _file_name(question, scope, STANDINGS_NAME.format(seats=seats))
    return Download(label, name, standings_csv(question, people, scope))


def _file_name(question: Question, scope: Scope, kind: str) -> str:
    """The league, the kind of the file, the season and today:
    雀録杯_対局_全シーズン_2026-11-05.csv.
    """
    league = question.snapshot.league.name or LEAGUE_NAME
    parts = (
        league[:NAME],
        kind,
        scope.title[:NAME],
        question.now.date().isoformat(),
    )
    usable = [_NOT_IN_NAMES.sub("", part).strip(".") or "_" for part in parts]
    return "_".join(usable) + ".csv"


def games_csv(people: People, scope: Scope) -> bytes:
    """All games, one a row, seats in order of placing; points in thousands."""
    heads = list(GAME_HEADS)
    for place in range(1, 5):
        heads += [head.format(place=place) for head in SEAT_HEADS]
    rows: list[Sequence[Cell]] = [heads]
    for season in people.snapshot.league.seasons:
        if scope.number in (None, season.number):
            games = people.snapshot.all_games(season.number)
            rows += [_game_cells(game, season, people) for game in games]
    return table_bytes(rows)


def _game_cells(game: Game, season: Season, people: People) -> list[Cell]:
    day = None
    if game.day is not None:
        day = game.day.isoformat()
    start = None
    if game.start is not None:
        start = f"{game.start:%H:%M}"
    title = texts.season_title(season)
    cells: list[Cell] = [title, day, start, game.room, game.rule]
    for seat in game.seats:
        cells += [people.shown(seat.player), seat.score, seat.chips]
    return cells


def standings_csv(question: Question, people: People, scope: Scope) -> bytes:
    """Each member's sums in the scope, and ratings by every system. Strengths compare only members
    of one group: groups have a column of their own where there are several."""
    ratings_by_model = [known_ratings(question, scope, model) for model in MODELS]
    systems = [ratings for ratings in ratings_by_model if ratings is not None]
    grouped = _grouped(systems)
    heads = [NAME_HEAD, TENHOU_NAME_HEAD, *map(brief_of, FIRST_KEYS)]
    heads += [PLACING_HEAD.format(place=place) for place in range(1, scope.seats + 1)]
    heads += map(brief_of, _other_keys())
    for ratings in systems:
        heads += _rating_heads(ratings)
    if grouped is not None:
        heads.append(GROUP_HEAD)
    rows: list[Sequence[Cell]] = [heads]
    for career in by_total(careers_of(people, scope)):
        cells = _career_cells(career, people)
        for ratings in systems:
            cells += _rating_cells(career.player, ratings)
        if grouped is not None:
            cells.append(grouped.places[career.player].group)
        rows.append(cells)
    return table_bytes(rows)


def _grouped(systems: Sequence[Ratings]) -> Ratings | None:
    """Strengths whose players form several groups, if any. The groups come from the games, so they
    are the same for every strength."""
    for ratings in systems:
        if signed(ratings.model):
            return ratings if ratings.apart else None
    return None


def _other_keys() -> list[str]:
    return shown_on(EXPORT, FIRST_KEYS)[len(FIRST_KEYS) :]


def _career_cells(career: Career, people: People) -> list[Cell]:
    player = career.player
    tenhou_name = player
    if people.snapshot.league.hides:
        tenhou_name = people.shown(player)
    return [
        people.shown(player),
        tenhou_name,
        *_figure_cells(career, FIRST_KEYS),
        *career.tally.placings,
        *_figure_cells(career, _other_keys()),
    ]


def _figure_cells(career: Career, keys: Sequence[str]) -> list[Cell]:
    """Figures by their keys. Points have all their digits, what is divided has four."""
    cells: list[Cell] = []
    for key in keys:
        statistic = STATISTICS[key]
        value = statistic.value(career)
        if value is not None and statistic.unit not in ("points", "balance"):
            value = round(value, 4)
        cells.append(value)
    return cells


def _rating_heads(ratings: Ratings) -> list[str]:
    title, _, _ = ratings.title.partition("　")
    if _has_errors(ratings):
        return [title, ERROR_HEAD.format(title=title)]
    return [title]


def _rating_cells(player: str, ratings: Ratings) -> list[Cell]:
    rating = ratings.standings.get(player)
    value: Cell = None
    error: Cell = None
    if rating is not None:
        value = round(rating.value, 4)
        if rating.error is not None:
            error = round(rating.error, 4)
    if _has_errors(ratings):
        return [value, error]
    return [value]


def _has_errors(ratings: Ratings) -> bool:
    return any(rating.error is not None for rating in ratings.standings.values())


def table_bytes(rows: Iterable[Sequence[Cell]]) -> bytes:
    """CSV in UTF-8 with a byte order mark and CRLF line ends. A text that begins like a formula
    gets a quote before it, so that no spreadsheet runs it:
    https://owasp.org/www-community/attacks/CSV_Injection"""
    text = StringIO(newline="")
    writer = csv.writer(text)
    for row in rows:
        writer.writerow([_without_formula(cell) for cell in row])
    return (BOM + text.getvalue()).encode("utf-8", "replace")


def _without_formula(cell: Cell) -> Cell:
    if isinstance(cell, str) and cell.startswith(_FORMULA):
        return f"'{cell}"
    return cell


SPECS = (
    Spec(
        name=Ask.EXPORT,
        title="書き出し",
        help="記録をCSVファイルで受け取ります",
        answer=answer,
        words="書き出し かきだし CSV エクスポート データ出力 書き出して",
        takes=BY_SEASON,
        below=(Below.SEASONS, Ask.SUMMARY, Ask.SUM, Ask.RATING),
        live=True,
    ),
)
