"""A night in words: what its poster shows, and one line that says the result."""

from __future__ import annotations

from bot import texts
from bot.answers.common.members import People
from bot.answers.common.model_names import course_model, signed
from bot.answers.games.day import DayResult
from bot.answers.recaps.night import Night, PlaceMove
from bot.charts.poster import Fact, MemberScore, Mvp, Poster, Ribbon
from rating.games import Game
from rating.models import MODELS
from rating.night import Milestone, Run, gap, raw_gap

RIBBONS, FACTS = 2, 6  # most runs and most facts on a poster
PLACINGS = 8  # characters of the placings that fit into a row
RUNS = {"firsts": "{}連勝！", "uppers": "{}戦連続連対！", "not_lasts": "{}戦連続ラス回避！"}
SO_MANY, PEAK, BEST = "通算{:.0f}戦", "今季最高レート", "今季最高スコア"


def run_words(run: Run) -> str:
    return RUNS[run.kind].format(run.length)


def sentence(people: People, night: Night) -> str:
    """The result in one line: `全12戦：MVP みどり +92.4、みどり 15戦連続ラス回避！`."""
    told = []
    if night.mvp:
        told.append(f"MVP {people.named(night.mvp)} {texts.points(_best_points(night))}")
    told += [f"{people.shown(run.player)} {run_words(run)}" for run in night.runs[:1]]
    games = f"全{len(night.part.games)}戦"
    return f"{games}：{'、'.join(told)}" if told else games


def poster_of(people: People, night: Night, title: str, subtitle: str) -> Poster:
    """The poster's figures. `title` is the day."""
    return Poster(
        people.snapshot.league.name,
        title,
        subtitle,
        mvp=_mvp(people, night),
        ribbons=tuple(Ribbon(people.shown(run.player), run_words(run)) for run in night.runs[:RIBBONS]),
        rows=tuple(_row(people, result, night.moves.get(result.player)) for result in night.part.results),
        facts=tuple(_facts(people, night))[:FACTS],
        note=texts.POINTS_ALONE if night.part.chips else "",
    )


def _best_points(night: Night) -> float:
    return night.part.results[0].tally.points


def _mvp(people: People, night: Night) -> Mvp | None:
    if not night.mvp:
        return None
    words = texts.points(_best_points(night))
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
    return MemberScore(
        str(result.place),
        people.shown(result.player),
        people.colour(result.player),
        texts.points(result.tally.points),
        counted=placings if len(placings) <= PLACINGS else f"{result.tally.games}戦",
        rating=after,
        change=texts.change(change),
        rank=_rank(move),
    )


def _rank(move: PlaceMove | None) -> str:
    """The place by rating after the day and the places won or lost: 2位▲1."""
    if move is None:
        return ""
    steps = move.before - move.after if move.before is not None else 0
    arrow = f"▲{steps}" if steps > 0 else f"▼{-steps}" if steps < 0 else ""
    return f"{move.after}位{arrow}"


def _facts(people: People, night: Night) -> list[Fact]:
    """The best score, the closest game and the comeback of a day with several games, then milestones."""
    found = []
    if night.best is not None:
        player, game = night.best
        record = any(each.kind == "best" for each in night.milestones)
        score = texts.points(game.seats[game.placing(player)].score)
        label = BEST if record else "最高スコア"
        found.append(Fact(label, people.shown(player), _timed(score, game), people.colour(player)))
    if night.closest is not None:
        names = tuple(map(people.shown, night.closest.players[:2]))
        found.append(
            Fact(
                "最接戦",
                "・".join(names),
                _timed(gap_words(people, night.closest), night.closest),
                names=names,
            )
        )
    if night.comeback is not None:
        back = night.comeback
        way = f"{texts.points(back.low)}から{texts.points(back.final)}へ"
        found.append(Fact("巻き返し", people.shown(back.player), way, people.colour(back.player)))
    peaks = sorted((each for each in night.milestones if each.kind == "peak"), key=lambda each: -each.value)
    rounds = [each for each in night.milestones if each.kind == "games"]
    return found + [_milestone(people, each) for each in (*rounds, *peaks[:1])]


def gap_words(people: People, game: Game, score: str = "スコアの差") -> str:
    """How far the first was ahead: 600点差 where league.toml tells uma, else the difference of the scores after the word `score`."""
    rules = people.snapshot.league.rules
    oka = max(0, rules.return_ - rules.start) * len(game.seats) / 1000 if rules.start else 0.0
    raw = raw_gap(game, rules.uma, oka)
    return f"{raw:,}点差" if raw is not None else f"{score} {gap(game):.1f}"


def _timed(words: str, game: Game) -> str:
    return f"{words}　{game.start:%H:%M}の対局" if game.start else words


def _milestone(people: People, each: Milestone) -> Fact:
    name, colour = people.shown(each.player), people.colour(each.player)
    if each.kind == "games":
        return Fact(SO_MANY.format(each.value), name, "おめでとうございます", colour)
    model = course_model(people.snapshot.league.model)
    value = texts.number(each.value, MODELS[model].decimals, signed(model))
    return Fact(PEAK, name, value, colour)
