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
from rating.models import MODELS
from rating.statistics import EXPORT, STATISTICS, shown_on

COLUMNS = (
    "games",
    "points",
    "won_chips",
    "total",
    "mean",
)  # the first figures; others follow the placings
NAME = 20  # characters of the league's and the season's name in a file's
_FORMULA = tuple("=+-@＝＋－＠\t\r")  # what a spreadsheet may take for a formula's beginning
_NOT_IN_NAMES = re.compile(
    r'[\s\\/:*?"<>|\x00-\x1f\x7f]'
)  # what some system refuses in a file's name
BOM = "\ufeff"  # tells Excel that the file is UTF-8
WORDS = f"Excelなどで開けるCSVファイルです。{texts.LINK_LIFE}"
Cell = str | int | float | None


def answer(question: Question) -> Reply:
    """The files of games and of standings, and one more of standings where there are games of both
    kinds.
    """
    scopes = scopes_of(question, ALL)
    people = people_of(question)
    scope = scopes[0]
    title = f"書き出し　{scope.title}"
    everything = people.snapshot.all_games(scope.number)
    name = _file_name(question, scope, "対局")
    files = [Download(f"対局（{len(everything)}戦）", name, games_csv(people, scope))]
    for each in scopes:
        seats = ""
        kind = ""
        if each.others:
            seats = texts.SEATS[each.seats]
            kind = f"・{seats}{len(each.games)}戦"
        name = _file_name(question, each, f"成績{seats}")
        files.append(Download(f"成績とレート{kind}", name, standings_csv(question, people, each)))
    words = WORDS + chips_left_out(people.snapshot, everything).sentence
    downloads = Downloads(title, tuple(files), words, f"{title}：CSVファイルの用意ができました")
    return Reply((downloads,), below(question, scope))


def _file_name(question: Question, scope: Scope, kind: str) -> str:
    """The league, what the file holds, the season and today:
    雀録杯_対局_全シーズン_2026-11-05.csv.
    """
    league = question.snapshot.league.name or "雀録"
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
    league = people.snapshot.league
    heads = ["シーズン", "日付", "開始", "部屋", "ルール"]
    for place in range(1, 5):
        heads += [f"{place}着", f"{place}着の点数", f"{place}着のチップ"]
    rows: list[Sequence[Cell]] = [heads]
    for season in league.seasons:
        if scope.number not in (None, season.number):
            continue
        for game in people.snapshot.all_games(season.number):
            day = game.day.isoformat() if game.day else None
            start = f"{game.start:%H:%M}" if game.start else None
            cells: list[Cell] = [
                texts.season_title(season),
                day,
                start,
                game.room,
                game.rule,
            ]
            for seat in game.seats:
                cells += [people.shown(seat.player), seat.score, seat.chips]
            rows.append(cells)
    return table_bytes(rows)


def standings_csv(question: Question, people: People, scope: Scope) -> bytes:
    """Each member's sums in the scope, and ratings by every system. Strengths compare only members
    of one group, where some never met the others."""
    found = [r for model in MODELS if (r := known_ratings(question, scope, model)) is not None]
    keys = shown_on(EXPORT, COLUMNS)
    heads = ["名前", "天鳳の名前", *map(brief_of, keys[: len(COLUMNS)])]
    heads += [f"{place}着" for place in range(1, scope.seats + 1)]
    heads += map(brief_of, keys[len(COLUMNS) :])
    for ratings in found:
        title = ratings.title.partition("　")[0]
        heads += [title, f"{title}の誤差"] if _has_errors(ratings) else [title]
    # The groups are the same for every strength: they come from the games.
    apart = next((ratings for ratings in found if signed(ratings.model)), None)
    apart = apart if apart is not None and apart.apart else None
    if apart:
        heads.append("グループ")
    rows: list[Sequence[Cell]] = [heads]
    for career in by_total(careers_of(people, scope)):
        player = career.player
        figures: list[Cell] = []
        for statistic in (STATISTICS[key] for key in keys):
            value = statistic.value(career)
            # points have all their digits, what is divided has four
            if value is not None and statistic.unit not in ("points", "balance"):
                value = round(value, 4)
            figures.append(value)
        own = people.shown(player) if people.snapshot.league.hides else player
        cells: list[Cell] = [
            people.shown(player),
            own,
            *figures[: len(COLUMNS)],
        ]
        cells += [*career.tally.placings, *figures[len(COLUMNS) :]]
        for ratings in found:
            rating = ratings.standings.get(player)
            cells.append(round(rating.value, 4) if rating else None)
            if _has_errors(ratings):
                error = rating.error if rating else None
                cells.append(None if error is None else round(error, 4))
        if apart:
            cells.append(apart.places[player].group)
        rows.append(cells)
    return table_bytes(rows)


def _has_errors(ratings: Ratings) -> bool:
    return any(rating.error is not None for rating in ratings.standings.values())


def table_bytes(rows: Iterable[Sequence[Cell]]) -> bytes:
    """CSV in UTF-8 with a byte order mark and CRLF line ends. A text that begins like a formula
    gets a quote before it, so that no spreadsheet runs it:
    https://owasp.org/www-community/attacks/CSV_Injection"""
    text = StringIO(newline="")
    writer = csv.writer(text)
    for row in rows:
        formulas = [isinstance(cell, str) and cell.startswith(_FORMULA) for cell in row]
        writer.writerow(
            [f"'{cell}" if bad else cell for cell, bad in zip(row, formulas, strict=True)]
        )
    return (BOM + text.getvalue()).encode("utf-8", "replace")


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
