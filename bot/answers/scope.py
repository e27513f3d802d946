"""What a question is about: the season, the model, the number of seats, from its options or its words."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bot import texts
from bot.commands import Question, choice, normal
from bot.replies import Choice, UserError
from rating.games import Game, same_seats
from rating.league import Season
from rating.models import MODELS

ALL = "all"
_SEASON = re.compile(r"^(?:第|シーズン|しーずん|s)?([0-9]{1,4})(?:シーズン|しーずん|期)?$")


@dataclass(frozen=True)
class Scope:
    """The games a question is about. `season` is None for all of them."""

    season: Season | None
    games: tuple[Game, ...]
    seats: int

    @property
    def number(self) -> int | None:
        return self.season.number if self.season else None

    @property
    def title(self) -> str:
        return self.season.title if self.season else "全シーズン"

    @property
    def subtitle(self) -> str:
        """Period, number of games, and when the last one started."""
        days = [game.day for game in self.games if game.day]
        last = self.games[-1]
        parts = [
            texts.period(min(days), max(days)) if days else "",
            f"{len(self.games)}戦",
            f"{texts.moment(last.day, last.start)}の対局まで",
        ]
        return "　".join(filter(None, parts))

    @property
    def option(self) -> str:
        return str(self.season.number) if self.season else ALL


def scope_of(question: Question, default: str = "") -> Scope:
    """The scope asked for: this season where none is named. UserError where there is no such season or no game."""
    snapshot = question.snapshot
    seasons = snapshot.seasons
    if not seasons:
        raise UserError(texts.NO_GAMES)
    wanted = question.option("season") or _season_word(question) or default
    if wanted == ALL:
        season = None
    elif not wanted:
        season = seasons[-1]
    else:
        season = next((s for s in seasons if str(s.number) == wanted), None)
        if season is None:
            raise UserError(texts.NO_SUCH_SEASON, season_choices(question))
    games = snapshot.all_games(season.number if season else None)
    seats = _seats(question)
    kept = tuple(same_seats(games, seats))
    if not kept:
        raise UserError(texts.NO_GAMES)
    return Scope(season, kept, len(kept[0].seats))


def _seats(question: Question) -> int | None:
    wanted = question.option("seats")
    return int(wanted) if wanted in ("3", "4") else None


def _season_word(question: Question) -> str:
    for word in question.command.rest:
        if normal(word) in map(normal, ("全部", "全期間", "全シーズン", "通算", "all")):
            return ALL
        if found := _SEASON.match(normal(word)):
            return found[1]
    return ""


def model_of(question: Question) -> str:
    """The rating system asked for, else the league's own."""
    wanted = question.option("model")
    if not wanted:
        wanted = next((w for w in map(normal, question.command.rest) if w in MODELS), "")
    if not wanted:
        wanted = question.snapshot.league.model
    if wanted not in MODELS:
        raise UserError(texts.NO_SUCH_MODEL, tuple(choice(m, "rating", model=m) for m in MODELS))
    return wanted


def season_choices(question: Question, **options: object) -> tuple[Choice, ...]:
    """The same question for the other seasons, newest first, and for all of them."""
    name = question.command.name
    seasons = question.snapshot.seasons
    others = [choice(s.title, name, season=s.number, **options) for s in reversed(seasons[-4:])]
    if len(seasons) > 1:
        others.append(choice("全シーズン", name, season=ALL, **options))
    return tuple(others)
