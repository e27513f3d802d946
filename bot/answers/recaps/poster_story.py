"""The story of a poster: the chances in the game of the day that moved the most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot import texts
from bot.answers.common.members import People
from bot.answers.common.story import TITLE, StoryLines, seat_names, story_lines
from bot.league.snapshot import LeagueSnapshot
from rating.games import Game
from rating.paifu import recordlog
from rating.paifu.recordlog import PaifuEntry

TIMED = "{text}　{start:%H:%M}の対局"

Recorded = list[tuple[Game, PaifuEntry]]


def recorded_games(snapshot: LeagueSnapshot, games: Sequence[Game]) -> Recorded:
    """The games that have a record, with it; other lines of the record log are not read."""
    known = snapshot.paifu_of
    keys = [known[game].key.encode() for game in games if game in known]
    log = snapshot.paifu_log.splitlines()
    lines = [line for line in log if any(key in line for key in keys)]
    entries = {entry.key: entry for entry in recordlog.read(b"\n".join(lines))}
    recorded = []
    for game in games:
        paifu = known.get(game)
        if paifu is not None and paifu.key in entries:
            recorded.append((game, entries[paifu.key]))
    return recorded


def story_of(people: People, recorded: Recorded) -> tuple[StoryLines, ...]:
    """The story of the game whose chances moved the most; none where no record has one."""
    dramas = []
    for number, (_, entry) in enumerate(recorded):
        if entry.story is not None and entry.scores:
            dramas.append((entry.story.drama, number))
    if not dramas:
        return ()
    _, number = max(dramas)
    game, entry = recorded[number]
    return (replace(_lines(people, game, entry), title=timed(TITLE, game)),)


def _lines(people: People, game: Game, entry: PaifuEntry) -> StoryLines:
    assert entry.story is not None
    day = entry.day or game.day
    players = [people.snapshot.league.player_of(name, day) for name, _ in entry.scores]
    scores = [score for _, score in entry.scores]
    names = seat_names([people.shown(player) for player in players])
    colours = [people.colours.get(player, "") for player in players]
    seats = list(zip(names, colours, map(texts.points, scores), strict=True))
    best_first = sorted(range(len(scores)), key=lambda seat: -scores[seat])
    story = entry.story
    return story_lines(story.first, story.deals, seats, story.turning, order=best_first)


def timed(text: str, game: Game) -> str:
    """The text with the time at which the game began, where it is known."""
    if game.start is None:
        return text
    return TIMED.format(text=text, start=game.start)
