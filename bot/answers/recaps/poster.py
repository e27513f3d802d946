"""ポスター: one picture of a night worth forwarding. It comes by itself with the first 今日 of a day in each chat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from bot import texts
from bot.answers.common.curves import value_before
from bot.answers.common.figures import name_of, written
from bot.answers.common.members import People, people_of
from bot.answers.common.model_names import course_model, signed
from bot.answers.common.period_faults import NO_DATES, no_such_day
from bot.answers.common.scope import days_of, offered
from bot.answers.games.day import DayPart, DayResult, RatedDay, day_parts, rated_day
from bot.charts.poster import Fact, MemberScore, Mvp, Poster, Ribbon, draw
from bot.chat.command import Question, Spec, choice
from bot.chat.replies import Choice, Picture, Reply, Table, UserError
from bot.league.snapshot import LeagueSnapshot
from rating.games import Game
from rating.models import MODELS
from rating.night import (
    Comeback,
    Milestone,
    Run,
    best_milestone,
    best_score,
    closest,
    comebacks,
    games_milestones,
    gap,
    notable_runs,
    peak_milestone,
    raw_gap,
)
from rating.standings import places

NAME = "poster"
NO_MEMBERS = "{}は、メンバーの対局がないのでポスターはありません。下のボタンから選んでください。"
SEVERAL = 2  # games from which one of them can be the best or the closest
RIBBONS, FACTS = 2, 6  # most runs and most facts on a poster
PLACINGS = 8  # characters of the placings that fit into a row
RUNS = {"firsts": "{}連勝！", "uppers": "{}戦連続連対！", "not_lasts": "{}戦連続ラス回避！"}
THIS_SEASON = "今季"


@dataclass(frozen=True)
class PlaceMove:
    """A member's place by rating before and after the day; `before` is None where the day's games are the first ones."""

    before: int | None
    after: int


@dataclass(frozen=True)
class Night:
    """A day's games with one number of seats, and what there is to tell of them.

    `mvp` are the members with the most points, none where these are not above 0. `best` is the highest score: who, and in
    which game. `runs` and `milestones` begin with the most remarkable.
    """

    part: DayPart
    mvp: tuple[str, ...]
    moves: Mapping[str, PlaceMove]
    runs: tuple[Run, ...] = ()
    best: tuple[str, Game] | None = None
    closest: Game | None = None
    comeback: Comeback | None = None
    milestones: tuple[Milestone, ...] = ()


def answer(question: Question) -> Reply:
    """The poster of the day asked for, else of the last day of play; one for each number of seats, the commonest last."""
    days = days_of(question.snapshot)
    if not days:
        raise UserError(NO_DATES if question.snapshot.all_games() else texts.NO_GAMES, offered())
    wanted = question.option("date") or days[-1].isoformat()
    day = next((day for day in days if day.isoformat() == wanted), None)
    if day is None:
        raise UserError(no_such_day(wanted), _choices(question, days, None))
    pictures = posters(question, day)
    if not pictures:
        raise UserError(NO_MEMBERS.format(_title(question, day)), _choices(question, days, day))
    return Reply(pictures, _choices(question, days, day))


def posters(question: Question, day: date) -> tuple[Picture, ...]:
    """The posters of a day, the one with the most games last; none where no member played."""
    people, title = people_of(question), _title(question, day)
    games = [game for game in question.snapshot.all_games() if game.day == day]
    found = [
        _night(question, part)
        for part in day_parts(question.snapshot, question.ratings, games, people.order)
        if part.results
    ]
    made = []
    for night in sorted(found, key=lambda night: (len(night.part.games), -night.part.seats)):
        kind = texts.SEATS[night.part.seats] if len(found) > 1 else ""
        chart = _poster(people, night, title, f"{kind}全{len(night.part.games)}戦")
        alt = f"{title}の{kind}{_sentence(people, night)}"
        made.append(Picture(chart, draw, alt, (_instead(people, night, title, alt),)))
    return tuple(made)


def _night(question: Question, part: DayPart) -> Night:
    """What there is to tell of a part of a day."""
    snapshot, own = question.snapshot, [result.player for result in part.results]
    rated = rated_day(snapshot, question.ratings, part.games)
    # The season's games with as many seats, up to the day's last one.
    season: Sequence[Game] = part.games
    if rated is not None and rated.numbers:
        season = rated.rated.games[: rated.numbers[-1] + 1]
    several = len(part.games) >= SEVERAL
    milestones = tuple(_milestones(snapshot, rated, part, own))
    record = any(each.kind == "best" for each in milestones)
    return Night(
        part,
        mvp=tuple(r.player for r in part.results if r.place == 1 and r.tally.points > 0),
        moves=_moves(snapshot, rated) if rated else {},
        runs=tuple(notable_runs(season, own)),
        best=best_score(part.games, own) if several or record else None,
        closest=closest(part.games, own) if several else None,
        comeback=next(iter(comebacks(part.games, own)), None),
        milestones=milestones,
    )


def _moves(snapshot: LeagueSnapshot, rated: RatedDay) -> dict[str, PlaceMove]:
    """The members' places by rating before and after the day, among those who had played by then."""

    def places_until(game: int) -> dict[str, int]:
        values = {
            player: value_before(line, game)
            for player, line in rated.rated.history.items()
            if line.games and line.games[0] < game and not snapshot.league.is_guest(player)
        }
        order = sorted(values, key=lambda player: -values[player])
        return dict(zip(order, places([values[player] for player in order]), strict=True))

    if not rated.numbers:
        return {}
    before, after = places_until(rated.numbers[0]), places_until(rated.numbers[-1] + 1)
    return {player: PlaceMove(before.get(player), place) for player, place in after.items()}


def _milestones(
    snapshot: LeagueSnapshot, rated: RatedDay | None, part: DayPart, own: Sequence[str]
) -> list[Milestone]:
    """Season's bests first, then round numbers of games over all seasons."""
    found: list[Milestone | None] = []
    best = best_score(part.games, own)
    if rated is not None and rated.numbers:
        earlier = rated.rated.games[: rated.numbers[0]]
        if best is not None:
            player, game = best
            found.append(best_milestone(earlier, player, game.seats[game.placing(player)].score))
        lines = rated.rated.history
        found += [peak_milestone(player, lines[player], rated.numbers) for player in own if player in lines]
    # Who has played a round number of games with the day's games of this number of seats.
    everything, day = snapshot.all_games(), set(map(id, part.games))
    last = max((n for n, game in enumerate(everything) if id(game) in day), default=-1)
    after = Counter(p for game in everything[: last + 1] for p in game.players if p in own)
    played = Counter(p for game in part.games for p in game.players if p in own)
    return [*(each for each in found if each is not None), *games_milestones(after - played, after)]


def _run_words(run: Run) -> str:
    return RUNS[run.kind].format(run.length)


def _sentence(people: People, night: Night) -> str:
    """The result in one line: `全12戦：MVP みどり +92.4、みどり 15戦連続ラス回避！`."""
    told = []
    if night.mvp:
        told.append(f"MVP {people.named(night.mvp)} {texts.points(night.part.results[0].tally.points)}")
    told += [f"{people.shown(run.player)} {_run_words(run)}" for run in night.runs[:1]]
    games = f"全{len(night.part.games)}戦"
    return f"{games}：{'、'.join(told)}" if told else games


def _poster(people: People, night: Night, title: str, subtitle: str) -> Poster:
    """The poster's figures. `title` is the day."""
    return Poster(
        people.snapshot.league.name,
        title,
        subtitle,
        mvp=_mvp(people, night),
        ribbons=tuple(Ribbon(people.shown(run.player), _run_words(run)) for run in night.runs[:RIBBONS]),
        rows=tuple(_row(people, result, night.moves.get(result.player)) for result in night.part.results),
        facts=tuple(_facts(people, night))[:FACTS],
        note=texts.POINTS_ALONE if night.part.chips else "",
    )


def _mvp(people: People, night: Night) -> Mvp | None:
    if not night.mvp:
        return None
    words = texts.points(night.part.results[0].tally.points)
    if len(night.mvp) > 1:
        return Mvp(people.named(night.mvp), words, names=people.joined(night.mvp))
    tally = night.part.results[0].tally
    if tally.games > 1:
        words += f"　トップ{tally.placings[0]}回" * bool(tally.placings[0])
        words += f"　平均着順{tally.mean_placing:.2f}"
    return Mvp(people.shown(night.mvp[0]), words, people.colour(night.mvp[0]))


def _row(people: People, result: DayResult, move: PlaceMove | None) -> MemberScore:
    placings = "-".join(map(str, result.tally.placings))
    after, change = result.moved.words if result.moved else ("", "")
    rank = ""
    if move is not None:  # the place by rating after the day and the places won or lost: 2位▲1
        steps = move.before - move.after if move.before is not None else 0
        rank = f"{move.after}位" + (f"▲{steps}" if steps > 0 else f"▼{-steps}" if steps < 0 else "")
    return MemberScore(
        str(result.place),
        people.shown(result.player),
        people.colour(result.player),
        texts.points(result.tally.points),
        counted=placings if len(placings) <= PLACINGS else f"{result.tally.games}戦",
        rating=after,
        change=texts.change(change),
        rank=rank,
    )


def _facts(people: People, night: Night) -> list[Fact]:
    """The best score, the closest game and the comeback of a day with several games, then milestones."""
    found = []
    if night.best is not None:
        player, game = night.best
        season = THIS_SEASON * any(each.kind == "best" for each in night.milestones)
        score = written("best", game.seats[game.placing(player)].score)
        label = season + name_of("best")
        found.append(Fact(label, people.shown(player), _timed(score, game), people.colour(player)))
    if night.closest is not None:
        names = tuple(map(people.shown, night.closest.players[:2]))
        words = _timed(gap_words(people, night.closest), night.closest)
        found.append(Fact("最接戦", "・".join(names), words, names=names))
    if night.comeback is not None:
        back = night.comeback
        way = f"{texts.points(back.low)}から{texts.points(back.final)}へ"
        found.append(Fact("巻き返し", people.shown(back.player), way, people.colour(back.player)))
    for each in (each for each in night.milestones if each.kind == "games"):
        name, colour = people.shown(each.player), people.colour(each.player)
        found.append(Fact(f"通算{each.value:.0f}戦", name, "おめでとうございます", colour))
    peaks = [each for each in night.milestones if each.kind == "peak"]
    if peaks:
        peak, model = max(peaks, key=lambda each: each.value), course_model(people.snapshot.league.model)
        value = texts.number(peak.value, MODELS[model].decimals, signed(model))
        label = THIS_SEASON + name_of("peak")
        found.append(Fact(label, people.shown(peak.player), value, people.colour(peak.player)))
    return found


def gap_words(people: People, game: Game, score: str = "スコアの差") -> str:
    """How far the first was ahead: 600点差 where league.toml tells uma, else the difference of the scores after the word `score`."""
    rules = people.snapshot.league.rules
    oka = max(0, rules.return_ - rules.start) * len(game.seats) / 1000 if rules.start else 0.0
    raw = raw_gap(game, rules.uma, oka)
    return f"{raw:,}点差" if raw is not None else f"{score} {gap(game):.1f}"


def _timed(words: str, game: Game) -> str:
    return f"{words}　{game.start:%H:%M}の対局" if game.start else words


def _instead(people: People, night: Night, title: str, alt: str) -> Table:
    """What the poster shows, for where it can't be sent."""
    rows = tuple(
        people.row(
            result.player, texts.points(result.tally.points), result.place, (f"{result.tally.games}戦",)
        )
        for result in night.part.results
    )
    return Table(title, rows, ("点数", "対局"), _sentence(people, night), alt=alt)


def _title(question: Question, day: date) -> str:
    return f"{'' if day.year == question.now.year else f'{day.year}年'}{texts.day(day)}"


def _choices(question: Question, days: Sequence[date], day: date | None) -> tuple[Choice, ...]:
    """The day's games, the posters of the days beside it, and the recaps."""
    ways = (
        [choice("今日" if day == question.now.date() else "この日の対局", "today", date=day)] if day else []
    )
    at = days.index(day) if day in days else len(days)
    if at > 0:
        ways.append(choice("前の日", NAME, date=days[at - 1]))
    if at + 1 < len(days):
        ways.append(choice("次の日", NAME, date=days[at + 1]))
    return offered(
        *ways, choice("週報", "recap"), choice("月報", "recap", of="month"), choice("レーティング", "rating")
    )


def button(day: date) -> Choice:
    """The button that shows the poster of a day."""
    return choice("ポスター", NAME, date=day)


SPECS = (
    Spec(
        name=NAME,
        title="ポスター",
        help="その日のMVP・連勝・最接戦などを1枚の絵にします",
        answer=answer,
        words=("ポスター", "今夜のポスター", "今夜のまとめ", "今日のまとめ", "今日のポスター"),
        daily=True,
        plain=True,
    ),
)
