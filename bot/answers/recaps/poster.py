"""ポスター: one picture of a night: the MVP, runs that go on, everybody's points, the day's best.
It comes by itself with the first 今日 of a day in each chat."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from bot import texts
from bot.answers.common.days import DayPart, RatedDay, day_is_over, day_parts, rated_day
from bot.answers.common.figures import left_out_of_points, placing_counts, written
from bot.answers.common.members import People, people_of
from bot.answers.common.scope import NO_DATES, days_of, no_such_day, offered
from bot.answers.recaps import poster_picture
from bot.answers.recaps.poster_facts import poster_facts
from bot.answers.recaps.poster_picture import NIGHT, Poster
from bot.answers.recaps.poster_story import Recorded, recorded_games, story_of
from bot.answers.recaps.scores import MemberScore
from bot.chat.command import BY_DAY, Ask, Question, Spec, choice
from bot.chat.replies import Choice, Picture, Reply, Table, UserError
from bot.draw.parts import Fact
from rating.runs import Run, notable_runs
from rating.standings import places

NO_MEMBERS = "{day}は、メンバーの対局がないのでポスターはありません。下のボタンから選んでください。"
DAY_OF_YEAR = "{year}年{day}"
MVP = "MVP"
MVP_RESULT = "MVP {names} {points}"
RUNS = {
    "firsts": "{length}戦連続トップ！",
    "uppers": "{length}戦連続連対！",
    "not_lasts": "{length}戦連続ラス回避！",
}
FIRSTS = "トップ{firsts}回"
MEAN = "平均着順{mean}"
ALL_GAMES = "全{games}戦"
GAMES_SO_FAR = "{games}戦（途中経過）"
GAMES = "{games}戦"
PLACE = "{place}位"
UP = "{place}位▲{steps}"
DOWN = "{place}位▼{steps}"
SENTENCE = "{games}：{results}"
NOTIFICATION = "{day}の{seats}{sentence}"
HEADS = ("点数", "対局")
TODAY = "今日"
THIS_DAY = "この日の対局"
DAY_BEFORE = "前の日"
DAY_AFTER = "次の日"
# most runs and most facts on a poster
RIBBONS = 2
FACTS = 6
PLACINGS = 8  # characters of the placings that fit into a row


def answer(question: Question) -> Reply:
    """The posters of the day asked for, else of the last day of play."""
    days = days_of(question.snapshot)
    if not days:
        raise UserError(NO_DATES if question.snapshot.all_games() else texts.NO_GAMES, offered())
    wanted = question.option("date") or days[-1].isoformat()
    day = next((day for day in days if day.isoformat() == wanted), None)
    if day is None:
        raise UserError(no_such_day(wanted), _buttons(question, days, None))
    pictures = posters(question, day)
    buttons = _buttons(question, days, day)
    if not pictures:
        raise UserError(NO_MEMBERS.format(day=_title(question, day)), buttons)
    return Reply(pictures, buttons)


def posters(question: Question, day: date) -> tuple[Picture, ...]:
    """A day's posters, one for each number of seats, the commonest last; none where no member
    played.
    """
    people = people_of(question)
    games = [game for game in question.snapshot.all_games() if game.day == day]
    over = not games or day_is_over(question, games)
    title = _title(question, day)
    every_part = day_parts(question.snapshot, question.ratings, games, people.order)
    parts = [part for part in every_part if part.results]
    parts.sort(key=lambda part: (len(part.games), -part.seats))
    pictures = []
    for part in parts:
        seats_label = texts.SEATS[part.seats] if len(parts) > 1 else ""
        figures = _figures(question, people, part, over)
        pictures.append(_picture(people, figures, title, seats_label))
    return tuple(pictures)


@dataclass(frozen=True)
class NightFigures:
    """A day's games with one number of seats. `rated`: the season's ratings, where there are
    enough games; `runs` go on; `best`: the members who share the first place with points above 0.
    `over`: the evening has ended."""

    part: DayPart
    rated: RatedDay | None
    runs: Sequence[Run]
    best: Sequence[str]
    recorded: Recorded
    over: bool

    @property
    def games(self) -> str:
        """The number of games in words."""
        template = ALL_GAMES if self.over else GAMES_SO_FAR
        return template.format(games=len(self.part.games))


def _figures(question: Question, people: People, part: DayPart, over: bool) -> NightFigures:
    """The night's figures. Runs go on from the season's games with as many seats, up to the day's
    last one."""
    rated = rated_day(question.snapshot, question.ratings, part.games)
    season = part.games
    if rated and not rated.numbers:
        rated = None
    if rated:
        season = tuple(rated.rated.games[: rated.numbers[-1] + 1])
    best = [
        result.player for result in part.results if result.place == 1 and result.tally.points > 0
    ]
    players = [result.player for result in part.results]
    recorded = recorded_games(people.snapshot, part.games)
    return NightFigures(part, rated, notable_runs(season, players), best, recorded, over)


def _title(question: Question, day: date) -> str:
    """The day, with its year where it is not this one."""
    if day.year == question.now.year:
        return texts.day(day)
    return DAY_OF_YEAR.format(year=day.year, day=texts.day(day))


def _picture(people: People, figures: NightFigures, title: str, seats_label: str) -> Picture:
    """The poster of the day's games with one number of seats. `title` is the day; `seats_label` is
    the number of seats in words, or "" where the day has one poster."""
    ribbons = []
    for run in figures.runs[:RIBBONS]:
        name = people.shown(run.player)
        ribbons.append(Fact(label="", value=name, detail=_run(run)))
    facts = poster_facts(people, figures.part, figures.rated, figures.recorded)
    poster = Poster(
        heading=people.snapshot.league.name,
        title=title,
        subtitle=f"{seats_label}{figures.games}",
        mvp=_mvp(people, figures),
        ribbons=tuple(ribbons),
        rows=_scores(people, figures),
        facts=tuple(facts)[:FACTS],
        story=story_of(people, figures.recorded),
        note=left_out_of_points(people.snapshot, figures.part.games).sentence,
    )
    sentence = _sentence(people, figures)
    alt = NOTIFICATION.format(day=title, seats=seats_label, sentence=sentence)
    table = _table(people, figures, title=title, subtitle=sentence, alt=alt)
    return Picture(poster, poster_picture.draw, alt, (table,))


def _run(run: Run) -> str:
    return RUNS[run.kind].format(length=run.length)


def _mvp(people: People, figures: NightFigures) -> Fact | None:
    """The panel of the best; None before the evening is over, and where nobody won points."""
    best = figures.best
    if not best or not figures.over:
        return None
    first = figures.part.results[0].tally
    details = [texts.points(first.points)]
    colour = NIGHT
    if len(best) == 1:
        colour = people.colour(best[0])
        if first.games > 1:
            if first.placings[0]:
                details.append(FIRSTS.format(firsts=first.placings[0]))
            details.append(MEAN.format(mean=written("mean", first.mean_placing)))
    detail = texts.joined(*details)
    return Fact(MVP, people.named(best), detail, colour, people.joined(best))


def _sentence(people: People, figures: NightFigures) -> str:
    """The number of games, the MVP, and the rarest run."""
    results = []
    if figures.best and figures.over:
        points = texts.points(figures.part.results[0].tally.points)
        results.append(MVP_RESULT.format(names=people.named(figures.best), points=points))
    if figures.runs:
        run = figures.runs[0]
        results.append(f"{people.shown(run.player)} {_run(run)}")
    if not results:
        return figures.games
    return SENTENCE.format(games=figures.games, results="、".join(results))


def _scores(people: People, figures: NightFigures) -> tuple[MemberScore, ...]:
    """Each member's points, placings (or games, where these are long), and rating."""
    ranks = _ranks(people, figures.rated) if figures.rated else {}
    scores = []
    for result in figures.part.results:
        rating = ""
        change = ""
        if result.moved:
            rating, change = result.moved.words
        counted = placing_counts(result.tally)
        if len(counted) > PLACINGS:
            counted = GAMES.format(games=result.tally.games)
        score = MemberScore(
            place=str(result.place),
            name=people.shown(result.player),
            colour=people.colour(result.player),
            points=texts.points(result.tally.points),
            counted=counted,
            rating=rating,
            change=texts.change(change),
            rank=ranks.get(result.player, ""),
        )
        scores.append(score)
    return tuple(scores)


def _ranks(people: People, rated: RatedDay) -> dict[str, str]:
    """The places by rating after the day, of the members who had played, and those won or lost:
    2位▲1.
    """
    before = _places_until(people, rated, rated.numbers[0])
    ranks = {}
    after = _places_until(people, rated, rated.numbers[-1] + 1)
    for player, place in after.items():
        steps = before.get(player, place) - place
        template = PLACE
        if steps > 0:
            template = UP
        elif steps < 0:
            template = DOWN
        ranks[player] = template.format(place=place, steps=abs(steps))
    return ranks


def _places_until(people: People, rated: RatedDay, game: int) -> dict[str, int]:
    """The places by rating before the game with this number, of the members who had played."""
    values = {}
    for player, line in rated.rated.history.items():
        has_played = line.games and line.games[0] < game
        if has_played and not people.snapshot.league.is_guest(player):
            values[player] = line.before(game)
    order = sorted(values, key=lambda player: -values[player])
    ranks = places([values[player] for player in order])
    return dict(zip(order, ranks, strict=True))


def _table(
    people: People,
    figures: NightFigures,
    title: str,
    subtitle: str,
    alt: str,
) -> Table:
    """The members' points and games, where the poster can't be sent."""
    rows = []
    for result in figures.part.results:
        points = texts.points(result.tally.points)
        games = GAMES.format(games=result.tally.games)
        rows.append(people.row(result.player, points, result.place, (games,)))
    return Table(title, tuple(rows), HEADS, subtitle, alt=alt)


def _buttons(
    question: Question,
    days: Sequence[date],
    day: date | None,
) -> tuple[Choice, ...]:
    """The day's games, the days before and after, and other reports."""
    buttons = []
    index = days.index(day) if day in days else len(days)
    if day:
        label = TODAY if day == question.now.date() else THIS_DAY
        buttons.append(choice(label, Ask.TODAY, date=day))
    if index > 0:
        buttons.append(choice(DAY_BEFORE, Ask.POSTER, date=days[index - 1]))
    if index + 1 < len(days):
        buttons.append(choice(DAY_AFTER, Ask.POSTER, date=days[index + 1]))
    return offered(
        *buttons,
        choice("週報", Ask.RECAP),
        choice("月報", Ask.RECAP, of="month"),
        choice("レーティング", Ask.RATING),
    )


SPECS = (
    Spec(
        name=Ask.POSTER,
        title="ポスター",
        help="その日のMVP・連続トップ・最接戦などを1枚の絵にします",
        answer=answer,
        words=(
            "ポスター 今夜のポスター 今夜のまとめ 今日のまとめ 今日のポスター MVP えむぶいぴー 今日のMVP"
        ),
        takes=BY_DAY,
        instead=Ask.RECAP,
        live=True,
    ),
)
