"""書き出し: all games and everybody's figures as CSV files to download."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence
from io import StringIO

from bot import texts
from bot.answers.common.members import People, people_of
from bot.answers.common.ratings import Ratings, ratings_of
from bot.answers.common.scope import ALL, Scope, offered, scopes_of, season_choices
from bot.answers.standings.balance import balances, chips_left_out
from bot.chat.command import BY_SEASON, Ask, Question, Spec, choice
from bot.chat.replies import Choice, Download, Downloads, Reply, UserError
from rating.games import Game
from rating.models import MODELS

NAME = 20  # characters of the league's and the season's name in a file's
_FORMULA = tuple("=+-@＝＋－＠\t\r")  # what a spreadsheet may take for a formula's beginning
_NOT_IN_NAMES = re.compile(r'[\s\\/:*?"<>|\x00-\x1f\x7f]')  # what some system refuses in a file's name
BOM = "\ufeff"  # tells Excel that the file is UTF-8
WORDS = "Excelなどで開けるCSVファイルです。リンクの有効期限：7日。"
Cell = str | int | float | None


def answer(question: Question) -> Reply:
    """The files of games and of standings, and one more of standings where there are games of both kinds."""
    scopes, people = scopes_of(question, ALL), people_of(question)
    scope = scopes[0]
    games = _file_name(question, scope, "対局")
    files = [Download(f"対局（{_count(question, scope)}戦）", games, games_csv(people, scope))]
    for each in scopes:
        seats = texts.SEATS[each.seats] * bool(each.others)
        kind = f"・{seats}{len(each.games)}戦" * bool(seats)
        name = _file_name(question, each, f"成績{seats}")
        files.append(Download(f"成績とレート{kind}", name, standings_csv(question, people, each)))
    title = f"書き出し　{scope.title}"
    words = WORDS + chips_left_out(people.snapshot, people.snapshot.all_games(scope.number)).sentence
    return Reply(
        (Downloads(title, tuple(files), words, f"{title}：CSVファイルの用意ができました"),),
        _choices(question, scope),
    )


def _file_name(question: Question, scope: Scope, kind: str) -> str:
    """A file's name: the league, what the file holds, the season, and the day it is made, as 雀録杯_対局_全シーズン_2026-11-05.csv."""
    league = question.snapshot.league.name or "雀録"
    parts = (league[:NAME], kind, scope.title[:NAME], question.now.date().isoformat())
    return "_".join(_NOT_IN_NAMES.sub("", part).strip(".") or "_" for part in parts) + ".csv"


def _count(question: Question, scope: Scope) -> int:
    return len(question.snapshot.all_games(scope.number))


def games_csv(people: People, scope: Scope) -> bytes:
    """All games with three or four seats, one row per game, seats in order of placing; points in thousands."""
    league = people.snapshot.league
    heads = ["シーズン", "日付", "開始", "部屋", "ルール"]
    for place in range(1, 5):
        heads += [f"{place}着", f"{place}着の点数", f"{place}着のチップ"]
    rows: list[Sequence[Cell]] = [heads]
    for season in league.seasons:
        if scope.number in (None, season.number):
            rows += [
                [season.title, *_game_cells(people, game)]
                for game in people.snapshot.all_games(season.number)
            ]
    return table_bytes(rows)


def _game_cells(people: People, game: Game) -> list[Cell]:
    cells: list[Cell] = [
        game.day.isoformat() if game.day else None,
        f"{game.start:%H:%M}" if game.start else None,
        game.room,
        game.rule,
    ]
    for seat in game.seats:
        cells += [people.shown(seat.player), seat.score, seat.chips]
    return cells


def standings_csv(question: Question, people: People, scope: Scope) -> bytes:
    """Each member's sums in the scope and ratings by every system, one row per member.

    Strengths compare only members of one group, where some never met the others.
    """
    found = [r for model in MODELS if (r := _ratings(question, scope, model)) is not None]
    heads = ["名前", "天鳳の名前", "対局", "点数", "チップ", "収支", "平均着順"]
    heads += [f"{place}着" for place in range(1, scope.seats + 1)]
    for ratings in found:
        heads += _rating_heads(ratings)
    # The groups are the same for every strength: they come from the games.
    apart = next((ratings for ratings in found if ratings.apart), None)
    heads += ["グループ"] if apart else []
    rows: list[Sequence[Cell]] = [heads]
    for b in balances(people.snapshot, scope):
        if b.player not in people.order:
            continue
        tally = b.tally
        chips = tally.chips if tally.chip_games else None
        cells: list[Cell] = [people.shown(b.player), b.player, tally.games, tally.points, chips, b.total]
        cells += [round(tally.mean_placing, 4), *tally.placings]
        for ratings in found:
            cells += _rating_cells(ratings, b.player)
        cells += [apart.places[b.player].group] if apart else []
        rows.append(cells)
    return table_bytes(rows)


def _ratings(question: Question, scope: Scope, model: str) -> Ratings | None:
    try:
        return ratings_of(question, scope, model)
    except UserError:
        return None


def _rating_heads(ratings: Ratings) -> list[str]:
    title = ratings.title.partition("　")[0]
    return [title, f"{title}の誤差"] if _has_errors(ratings) else [title]


def _rating_cells(ratings: Ratings, player: str) -> list[Cell]:
    rating = ratings.standings.get(player)
    value = round(rating.value, 4) if rating else None
    if not _has_errors(ratings):
        return [value]
    return [value, round(rating.error, 4) if rating and rating.error is not None else None]


def _has_errors(ratings: Ratings) -> bool:
    return any(rating.error is not None for rating in ratings.standings.values())


def table_bytes(rows: Iterable[Sequence[Cell]]) -> bytes:
    """CSV in UTF-8 with a byte order mark and CRLF line ends.

    A text that begins like a formula gets a quote before it, so that no spreadsheet runs it:
    https://owasp.org/www-community/attacks/CSV_Injection
    """
    text = StringIO(newline="")
    writer = csv.writer(text)
    for row in rows:
        writer.writerow([_safe(cell) for cell in row])
    return (BOM + text.getvalue()).encode("utf-8", "replace")


def _safe(cell: Cell) -> Cell:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell


def _choices(question: Question, scope: Scope) -> tuple[Choice, ...]:
    return offered(
        *season_choices(question, scope.option),
        choice("まとめ", Ask.SUMMARY, season=scope.option),
        choice("収支", Ask.SUM, season=scope.option),
        choice("レーティング", Ask.RATING, season=scope.option),
    )


SPECS = (
    Spec(
        name=Ask.EXPORT,
        title="書き出し",
        help="記録をCSVファイルで受け取ります",
        answer=answer,
        words=("書き出し", "かきだし", "CSV", "エクスポート"),
        takes=BY_SEASON,
        live=True,
    ),
)
