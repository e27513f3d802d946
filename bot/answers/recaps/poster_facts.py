"""The facts of a poster: the best score, the closest game, comebacks, round numbers, a new peak."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from bot import texts
from bot.answers.common.days import DayPart, RatedDay
from bot.answers.common.figures import COMEBACK, gap_words, name_of, written
from bot.answers.common.members import People
from bot.answers.common.ratings import course_model, signed
from bot.answers.recaps.poster_story import Recorded, timed
from bot.draw.parts import Fact
from bot.draw.style import INK
from rating.games import Game
from rating.milestones import best_milestone, games_milestones, peak_milestone
from rating.models import MODELS
from rating.night import best_scores, closest, comebacks

SEVERAL = 2  # games from which one of them can be the best or the closest
OF_SEASON = "今季{figure}"
CLOSEST = "最接戦"
CLIMB = "{low}から{high}へ"
ROUND_NUMBER = "通算{games:.0f}戦"
CONGRATULATIONS = "おめでとうございます"
GAME_COMEBACK = "逆転トップ"  # how the moments of a comeback in one game end


def poster_facts(
    people: People, part: DayPart, rated: RatedDay | None, recorded: Recorded
) -> Iterator[Fact]:
    """The facts of a day's games with one number of seats, the most interesting first."""
    players = [result.player for result in part.results]
    yield from _best_score(people, part, players, rated)
    yield from _closest_game(people, part, players)
    yield from _game_comeback(people, recorded)
    for comeback in comebacks(part.games, players)[:1]:
        climb = CLIMB.format(
            low=texts.points(comeback.low),
            high=texts.points(comeback.final),
        )
        yield _fact(people, COMEBACK, comeback.player, climb)
    yield from _round_numbers(people, part.games, players)
    if rated:
        yield from _peak(people, players, rated)


def _fact(people: People, label: str, player: str, detail: str) -> Fact:
    return Fact(label, people.shown(player), detail, people.colour(player))


def _best_score(
    people: People, part: DayPart, players: Sequence[str], rated: RatedDay | None
) -> Iterator[Fact]:
    """The best score of several games, or one that is the season's best so far."""
    best = best_scores(part.games, players)
    if not best:
        return
    player, game = best[0]
    score = game.seats[game.placing(player)].score
    label = name_of("best")
    is_record = False
    if rated is not None:
        earlier = rated.rated.games[: rated.numbers[0]]
        is_record = best_milestone(earlier, player, score) is not None
    if is_record:
        label = OF_SEASON.format(figure=label)
    elif len(part.games) < SEVERAL:
        return
    holders = list(dict.fromkeys(holder for holder, _ in best))
    detail = written("best", score)
    if len(best) == 1:
        detail = timed(detail, game)
    colour = people.colour(player) if len(holders) == 1 else INK
    yield Fact(label, people.named(holders), detail, colour, people.joined(holders))


def _closest_game(people: People, part: DayPart, players: Sequence[str]) -> Iterator[Fact]:
    game = closest(part.games, players)
    if game is None or len(part.games) < SEVERAL:
        return
    names = tuple(map(people.shown, game.players[:2]))
    detail = timed(gap_words(people, game), game)
    yield Fact(CLOSEST, "・".join(names), detail, names=names)


def _game_comeback(people: People, recorded: Recorded) -> Iterator[Fact]:
    """The rarest comeback of the day's records, by the winner's least chance of first."""
    league = people.snapshot.league
    moments = []
    for _, entry in recorded:
        for moment in entry.moments:
            if moment.said.endswith(GAME_COMEBACK):
                player = league.player_of(moment.player, entry.day)
                moments.append((moment.grade, player, moment.said))
    if moments:
        _, player, sentence = max(moments)
        least_chance = sentence.removesuffix(GAME_COMEBACK).removesuffix("大")
        yield _fact(people, GAME_COMEBACK, player, least_chance)


def _round_numbers(
    people: People,
    games: Sequence[Game],
    players: Sequence[str],
) -> Iterator[Fact]:
    """Who has played a round number of games with the day's games of this number of seats."""
    every_game = people.snapshot.all_games()
    games_of_day = set(games)
    last = -1
    for number, game in enumerate(every_game):
        if game in games_of_day:
            last = number
    after = _games_by_player(every_game[: last + 1], players)
    played = _games_by_player(games, players)
    for milestone in games_milestones(after - played, after):
        label = ROUND_NUMBER.format(games=milestone.value)
        yield _fact(people, label, milestone.player, CONGRATULATIONS)


def _games_by_player(games: Iterable[Game], players: Sequence[str]) -> Counter[str]:
    """In how many of the games each of the players played."""
    counts = Counter[str]()
    for game in games:
        counts.update(player for player in game.players if player in players)
    return counts


def _peak(people: People, players: Sequence[str], rated: RatedDay) -> Iterator[Fact]:
    """The highest of the ratings that are a member's best of the season."""
    lines = rated.rated.history
    peaks = []
    for player in players:
        if player in lines:
            peak = peak_milestone(player, lines[player], rated.numbers)
            if peak is not None:
                peaks.append(peak)
    if not peaks:
        return
    highest = max(peaks, key=lambda peak: peak.value)
    model = course_model(people.snapshot.league.model)
    value = texts.number(highest.value, MODELS[model].decimals, signed(model))
    label = OF_SEASON.format(figure=name_of("peak"))
    yield _fact(people, label, highest.player, value)
