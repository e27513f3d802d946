"""ポスター: one picture of a night: the MVP, runs that go on, everybody's points, the day's best.
It comes by itself with the first 今日 of a day in each chat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial

from bot import texts
from bot.answers.common.days import DayPart, RatedDay, day_is_over, day_parts, rated_day
from bot.answers.common.figures import (
    COMEBACK,
    gap_words,
    left_out_of_points,
    name_of,
    placing_counts,
    written,
)
from bot.answers.common.members import People, people_of
from bot.answers.common.ratings import course_model, signed
from bot.answers.common.scope import NO_DATES, days_of, no_such_day, offered
from bot.answers.common.story import (
    TITLE as CHANCES,
    StoryLines,
    curves,
    seat_names,
    story_lines,
    turning_line,
)
from bot.chat.command import BY_DAY, Ask, Question, Spec, choice
from bot.chat.replies import Choice, Picture, Reply, Table, UserError
from bot.draw import parts
from bot.draw.layout import Area, Section, line, picture, space
from bot.draw.names import distinct_names
from bot.draw.parts import GOLD, Fact, MemberScore, draw_crown, draw_rays
from bot.draw.style import INK, LOOKED_FOR, SMALL, WHITE, on
from bot.league.snapshot import LeagueSnapshot
from rating.games import Game
from rating.milestones import Milestone, best_milestone, games_milestones, peak_milestone
from rating.models import MODELS
from rating.night import best_scores, closest, comebacks
from rating.paifu import recordlog
from rating.paifu.recordlog import PaifuEntry
from rating.runs import notable_runs
from rating.standings import places

NO_MEMBERS = "{}は、メンバーの対局がないのでポスターはありません。下のボタンから選んでください。"
SEVERAL = 2  # games from which one of them can be the best or the closest
# most runs and most facts on a poster
RIBBONS = 2
FACTS = 6
PLACINGS = 8  # characters of the placings that fit into a row
SO_FAR = "（途中経過）"
RUNS = {"firsts": "{}戦連続トップ！", "uppers": "{}戦連続連対！", "not_lasts": "{}戦連続ラス回避！"}
THIS_SEASON = "今季"
GAME_COMEBACK = "逆転トップ"  # how the moments of a comeback in one game end
_HIGH = 250  # pixels of the curves
# pixels of the head with the MVP, and without one
_BAND = 520
_PLAIN = 236
_NIGHT = "#1F2A44"  # of a head that is nobody's


def answer(question: Question) -> Reply:
    """The posters of the day asked for, else of the last day of play."""
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
    """A day's posters, one for each number of seats, the commonest last; none where no member
    played.
    """
    people = people_of(question)
    games = [game for game in question.snapshot.all_games() if game.day == day]
    parts = day_parts(question.snapshot, question.ratings, games, people.order)
    parts = [part for part in parts if part.results]
    parts.sort(key=lambda part: (len(part.games), -part.seats))
    title = _title(question, day)
    over = not games or day_is_over(question, games)
    pictures = []
    for part in parts:
        kind = texts.SEATS[part.seats] if len(parts) > 1 else ""
        pictures.append(_picture(question, people, part, title, kind, over))
    return tuple(pictures)


def _picture(
    question: Question, people: People, part: DayPart, title: str, kind: str, over: bool
) -> Picture:
    """The poster of one number of seats, named by `kind`.

    Before the evening is `over` it names no MVP.
    """
    own = [result.player for result in part.results]
    rated = rated_day(question.snapshot, question.ratings, part.games)
    if rated and not rated.numbers:
        rated = None
    # Runs go on from the season's games with as many seats, up to the day's last one.
    season = rated.rated.games[: rated.numbers[-1] + 1] if rated else part.games
    runs = [
        (people.shown(run.player), RUNS[run.kind].format(run.length))
        for run in notable_runs(season, own)
    ]
    first = part.results[0].tally
    said = []
    mvp = None
    points = texts.points(first.points)
    best = [
        result.player for result in part.results if result.place == 1 and result.tally.points > 0
    ]
    if best and over:
        said.append(f"MVP {people.named(best)} {points}")
        if len(best) == 1 and first.games > 1:
            if first.placings[0]:
                points += f"　トップ{first.placings[0]}回"
            points += f"　平均着順{written('mean', first.mean_placing)}"
        colour = people.colour(best[0]) if len(best) == 1 else _NIGHT
        mvp = Fact("MVP", people.named(best), points, colour, people.joined(best))
    said += map(" ".join, runs[:1])
    count = f"全{len(part.games)}戦" if over else f"{len(part.games)}戦{SO_FAR}"
    sentence = f"{count}：{'、'.join(said)}" if said else count
    recorded = _recorded(people.snapshot, part.games)
    ranks = _ranks(question.snapshot, rated) if rated else {}
    rows = []
    scores = []
    for result in part.results:
        player = result.player
        tally = result.tally
        played = f"{tally.games}戦"
        placings = placing_counts(tally)
        won = texts.points(tally.points)
        after, change = result.moved.words if result.moved else ("", "")
        rows.append(people.row(player, won, result.place, (played,)))
        name = people.shown(player)
        colour = people.colour(player)
        counted = placings if len(placings) <= PLACINGS else played
        moved = after, texts.change(change), ranks.get(player, "")
        scores.append(MemberScore(str(result.place), name, colour, won, counted, *moved))
    chart = Poster(
        people.snapshot.league.name,
        title,
        kind + count,
        mvp=mvp,
        ribbons=tuple(Fact("", name, words) for name, words in runs[:RIBBONS]),
        rows=tuple(scores),
        facts=tuple(_facts(people, part, own, rated, recorded))[:FACTS],
        story=_story(people, recorded),
        note=left_out_of_points(people.snapshot, part.games).sentence,
    )
    alt = f"{title}の{kind}{sentence}"
    table = Table(title, tuple(rows), ("点数", "対局"), sentence, alt=alt)
    return Picture(chart, draw, alt, (table,))


def _ranks(snapshot: LeagueSnapshot, rated: RatedDay) -> dict[str, str]:
    """The places by rating after the day, of the members who had played, and those won or lost:
    2位▲1.
    """

    def places_until(game: int) -> dict[str, int]:
        values = {
            player: line.before(game)
            for player, line in rated.rated.history.items()
            if line.games and line.games[0] < game and not snapshot.league.is_guest(player)
        }
        order = sorted(values, key=lambda player: -values[player])
        ranks = places([values[player] for player in order])
        return dict(zip(order, ranks, strict=True))

    before = places_until(rated.numbers[0])
    ranks = {}
    for player, place in places_until(rated.numbers[-1] + 1).items():
        steps = before.get(player, place) - place
        ranks[player] = f"{place}位"
        if steps > 0:
            ranks[player] += f"▲{steps}"
        elif steps < 0:
            ranks[player] += f"▼{-steps}"
    return ranks


def _facts(
    people: People, part: DayPart, own: Sequence[str], rated: RatedDay | None, recorded: Recorded
) -> Iterator[Fact]:
    """The best score, the closest game, the comeback, round numbers of games, the season's highest
    rating.
    """
    best = best_scores(part.games, own)
    nearest = closest(part.games, own)
    earlier = rated.rated.games[: rated.numbers[0]] if rated else ()
    if best:
        player, game = best[0]
        score = game.seats[game.placing(player)].score
        record = rated is not None and best_milestone(earlier, player, score) is not None
        if record or len(part.games) >= SEVERAL:
            label = name_of("best")
            if record:
                label = THIS_SEASON + label
            holders = list(dict.fromkeys(p for p, _ in best))
            words = written("best", score)
            if len(best) == 1:
                words = _timed(words, game)
            colour = people.colour(player) if len(holders) == 1 else INK
            yield Fact(label, people.named(holders), words, colour, people.joined(holders))
    if nearest is not None and len(part.games) >= SEVERAL:
        names = tuple(map(people.shown, nearest.players[:2]))
        yield Fact(
            "最接戦", "・".join(names), _timed(gap_words(people, nearest), nearest), names=names
        )
    yield from _turned(people, recorded)
    for back in comebacks(part.games, own)[:1]:
        way = f"{texts.points(back.low)}から{texts.points(back.final)}へ"
        yield Fact(COMEBACK, people.shown(back.player), way, people.colour(back.player))
    # Who has played a round number of games with the day's games of this number of seats.
    everything = people.snapshot.all_games()
    games_of_day = set(part.games)
    last = max(
        (n for n, game in enumerate(everything) if game in games_of_day),
        default=-1,
    )
    after = _games_by_player(everything[: last + 1], own)
    played = _games_by_player(part.games, own)
    for each in games_milestones(after - played, after):
        name = people.shown(each.player)
        colour = people.colour(each.player)
        yield Fact(f"通算{each.value:.0f}戦", name, "おめでとうございます", colour)
    peaks: list[Milestone | None] = []
    if rated:
        lines = rated.rated.history
        peaks = [peak_milestone(p, lines[p], rated.numbers) for p in own if p in lines]
    peak = max(filter(None, peaks), key=lambda each: each.value, default=None)
    if peak is not None:
        model = course_model(people.snapshot.league.model)
        value = texts.number(peak.value, MODELS[model].decimals, signed(model))
        label = THIS_SEASON + name_of("peak")
        yield Fact(label, people.shown(peak.player), value, people.colour(peak.player))


def _games_by_player(games: Iterable[Game], players: Sequence[str]) -> Counter[str]:
    """In how many of the games each of the players played."""
    counts = Counter[str]()
    for game in games:
        counts.update(player for player in game.players if player in players)
    return counts


Recorded = list[tuple[Game, PaifuEntry]]


def _recorded(snapshot: LeagueSnapshot, games: Sequence[Game]) -> Recorded:
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


def _story(people: People, recorded: Recorded) -> tuple[StoryLines, ...]:
    """The story of the game whose chances moved the most, of those whose record tells them."""
    dramas = [
        (entry.story.drama, number)
        for number, (_, entry) in enumerate(recorded)
        if entry.story is not None and entry.scores
    ]
    if not dramas:
        return ()
    _, number = max(dramas)
    game, entry = recorded[number]
    assert entry.story is not None
    day = entry.day or game.day
    players = [people.snapshot.league.player_of(name, day) for name, _ in entry.scores]
    names = seat_names([people.shown(player) for player in players])
    colours = [people.colours.get(player, "") for player in players]
    points = [texts.points(score) for _, score in entry.scores]
    chart = story_lines(
        entry.story.first,
        entry.story.deals,
        list(zip(names, colours, points, strict=True)),
        entry.story.turning,
        order=sorted(
            range(len(points)),
            key=lambda seat: -entry.scores[seat][1],
        ),
    )
    return (replace(chart, title=_timed(CHANCES, game)),)


def _turned(people: People, recorded: Recorded) -> Iterator[Fact]:
    """The rarest comeback of the day's records, by the winner's least chance of first."""
    league = people.snapshot.league
    told = [
        (moment.grade, league.player_of(moment.player, entry.day), moment.said)
        for _, entry in recorded
        for moment in entry.moments
        if moment.said.endswith(GAME_COMEBACK)
    ]
    for _, player, said in sorted(told, reverse=True)[:1]:
        least = said.removesuffix(GAME_COMEBACK).removesuffix("大")
        yield Fact(GAME_COMEBACK, people.shown(player), least, people.colour(player))


def _timed(words: str, game: Game) -> str:
    return f"{words}　{game.start:%H:%M}の対局" if game.start else words


def _title(question: Question, day: date) -> str:
    return f"{'' if day.year == question.now.year else f'{day.year}年'}{texts.day(day)}"


def _choices(
    question: Question,
    days: Sequence[date],
    day: date | None,
) -> tuple[Choice, ...]:
    ways = []
    at = days.index(day) if day in days else len(days)
    if day:
        ways.append(
            choice("今日" if day == question.now.date() else "この日の対局", Ask.TODAY, date=day)
        )
    if at > 0:
        ways.append(choice("前の日", Ask.POSTER, date=days[at - 1]))
    if at + 1 < len(days):
        ways.append(choice("次の日", Ask.POSTER, date=days[at + 1]))
    recaps = choice("週報", Ask.RECAP), choice("月報", Ask.RECAP, of="month")
    return offered(*ways, *recaps, choice("レーティング", Ask.RATING))


@dataclass(frozen=True)
class Poster:
    """`title` is the day; `ribbons` are members and their runs; `rows` have the best first; `story`
    is that of one game, where a record tells it."""

    heading: str
    title: str
    subtitle: str
    mvp: Fact | None = None
    ribbons: Sequence[Fact] = ()
    rows: Sequence[MemberScore] = ()
    facts: Sequence[Fact] = ()
    story: Sequence[StoryLines] = ()
    note: str = ""


def draw(poster: Poster) -> bytes:
    """A PNG, 1200 pixels wide, as high as its parts need."""
    best = [poster.mvp] if poster.mvp else []
    named = parts.names_of([*poster.ribbons, *poster.facts, *best])
    shown = distinct_names([*(row.name for row in poster.rows), *named])
    rows = [replace(row, name=shown[row.name]) for row in poster.rows]
    mvp = next(iter(parts.as_drawn(best, shown)), None)
    sections = [
        Section(
            _BAND if mvp else _PLAIN,
            partial(_head, replace(poster, mvp=mvp)),
        )
    ]
    sections += [
        Section(112, partial(_ribbon, one)) for one in parts.as_drawn(poster.ribbons, shown)
    ]
    sections += [space(20), *parts.score_sections(rows)]
    if poster.facts:
        facts = parts.as_drawn(poster.facts, shown)
        sections += [space(30), *parts.fact_grid(facts, fill=True)]
    for story in poster.story:
        sections += [
            space(10),
            line(story.title, height=50),
            *turning_line(story),
            curves(story, _HIGH),
        ]
    if poster.note:
        sections.append(line(poster.note))
    return picture([*sections, space(30)])


def _head(poster: Poster, area: Area) -> None:
    mvp = poster.mvp
    ground = mvp.colour if mvp else _NIGHT
    ink = on(ground)
    words = area.inset(right=288)
    x = area.right - 130
    y = 150
    draw_rays(area.paper, x, y, bottom=area.bottom, ground=ground)
    words.text(poster.heading, LOOKED_FOR, ink, down=62)
    down = 132 if poster.heading else 72
    taken = words.text(poster.title, 68, ink, bold=True, down=down) + 30
    words.inset(min(taken, words.width - 120)).text(
        poster.subtitle,
        LOOKED_FOR,
        ink,
        down=down + 6,
    )
    if mvp is None:
        return
    draw_crown(area.paper, x, y, 96)
    badge = Area(area.paper, area.left, 216, area.left + 150, 278)
    badge.plate(ink, 31)
    badge.text(mvp.label, 46, ground, "middle", bold=True)
    area.text(mvp.value, 124, ink, bold=True, down=352)
    area.text(mvp.detail, 56, ink, bold=True, down=460, least=SMALL)


def _ribbon(ribbon: Fact, area: Area) -> None:
    strip = area.inset(bottom=4)
    strip.band(INK)
    strip.paper.box(0, strip.top, 20, strip.bottom, GOLD)
    taken = strip.inset(right=strip.width - 460).text(
        ribbon.value,
        56,
        GOLD,
        bold=True,
    )
    strip.inset(taken + 30).text(
        ribbon.detail,
        56,
        WHITE,
        bold=True,
        least=SMALL,
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
