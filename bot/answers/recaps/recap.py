"""週報 and 月報: a period's podium and everybody's points in a picture, its trophies in a table."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from bot import texts
from bot.answers.common import figures
from bot.answers.common.figures import COMEBACK
from bot.answers.common.members import People, people_of, token
from bot.answers.common.periods import Period, month_of, week_of
from bot.answers.common.ratings import course_model, known_ratings
from bot.answers.common.scope import NO_DATES, Scope, below, offered, period_choices, scope_of
from bot.chat.command import BY_PERIOD, Ask, Below, Command, Question, Spec, choice, data_of
from bot.chat.replies import Picture, Reply, Row, Table, UserError, leading
from bot.draw import parts, style
from bot.draw.layout import Area, Section, line, picture, space
from bot.draw.names import distinct_names
from bot.draw.parts import MemberScore, draw_crown, draw_rays
from bot.draw.style import LOOKED_FOR, SMALL, WHITE, on
from rating.models import MODELS
from rating.paifu.tally import PaifuTally
from rating.standings import places
from rating.statistics import STATISTICS
from rating.tallies import Career
from rating.trophies import Holder, PeriodGames, Trophy, trophies

MONTH = "month"
SO_FAR = "（途中経過）"
HEADS = ("対局", "収支", "レート", "", "")
_BAND = 640
_GROUND = "#1F2A44"
_HIGH = (236, 190, 156)  # pixels of the podium's steps, the first's in the middle
TROPHIES = {
    "score": figures.name_of("best"),
    "closest": "最接戦",
    "comeback": COMEBACK,
    "firsts": figures.name_of("firsts"),
    "not_lasts": figures.name_of("not_lasts"),
    "pair": "キラー賞",
    "rise": "成長株",
    "unlucky": "不運王",
    "attendance": "皆勤賞",
}


def answer(question: Question) -> Reply:
    """The recap of the period asked for, else of this week or month, or of the last one with
    games.
    """
    if not (question.option("from") or question.option("to")):
        question = _of_latest(question)
    scope = scope_of(question)
    people = people_of(question)
    assert scope.period is not None
    ratings = known_ratings(question, scope)
    own = figures.by_total(figures.careers_of(people, scope, ratings))
    ranks = places([career.total for career in own])
    title = _title(question, scope.period)
    left_out = figures.chips_left_out(people.snapshot, scope.games).sentence
    found = figures.strong_points(people.snapshot, own, ratings)
    won = _trophies(people, scope, own)
    for player in found:  # what each has won, else is best at
        names = []
        for trophy in won:
            holders = [holder.player for holder in trophy.holders]
            if player in holders:
                names.append(TROPHIES[trophy.name])
        if names:
            found[player] = "・".join(names)
    rows = []
    scores = []
    for career, place in zip(own, ranks, strict=True):
        player = career.player
        said: dict[str, str] = {}
        for key in ("total", "games", "rating", "rise"):
            value = STATISTICS[key].value(career)
            said[key] = "" if value is None else figures.written(key, value, ratings)
        rows.append(people.row(player, said["total"], place, (said["games"],)))
        scores.append(
            MemberScore(
                str(place),
                people.shown(player),
                people.colour(player),
                said["total"],
                said["games"],
                said["rating"],
                texts.change(said["rise"]),
                said=found[player],
            )
        )
    alt = f"{title}　{scope.count}：{leading(rows)}"
    played = f"{scope.count}　{len({game.day for game in scope.games})}日"
    note = ""
    if won:
        alt += f"、トロフィー{len(won)}個"
    else:
        note = "トロフィーはまだありません。対局が増えると出ます。"
    if own:
        note += left_out
    trophy_rows = tuple(_row(people, scope, trophy) for trophy in won)
    table = Table(title, trophy_rows, (), played, note, alt, plain=True)
    # Below: the periods beside this one, the month or the week, and the same games in other
    # answers.
    month = month_of(scope.period.last)
    other = (
        choice("週報", Ask.RECAP)
        if scope.period.is_month
        else choice("月報", Ask.RECAP, **month.options)
    )
    season = choice("まとめ", Ask.SUMMARY, season=scope.within)
    choices = below(question, scope, season, *period_choices(question, scope)[:-1], other)
    if not own:
        return Reply((table,), choices)
    chart = Recap(people.snapshot.league.name, title, played, tuple(scores), left_out)
    instead = Table(scope.title, tuple(rows), ("収支", "対局"), scope.subtitle, alt=alt)
    return Reply((table, Picture(chart, draw, alt, (instead, table))), choices)


def _of_latest(question: Question) -> Question:
    """The question for this week (or month), or for the last one with games, of the season asked
    for.
    """
    snapshot = question.snapshot
    today = question.now.date()
    season = question.option("season")
    number = next((s.number for s in snapshot.seasons if str(s.number) == season), None)
    days = sorted({game.day for game in snapshot.all_games(number) if game.day})
    if not days:
        raise UserError(NO_DATES if snapshot.all_games() else texts.NO_GAMES, offered())
    of = month_of if question.option("of") == MONTH else week_of
    period = of(today)
    if not any(day in period for day in days):
        period = of(days[-1])
    options = {name: value for name, value in question.command.options.items() if name != "of"}
    return replace(question, command=Command(Ask.RECAP, {**options, **period.options}))


def _title(question: Question, period: Period) -> str:
    """月報 2026年6月, 週報 7/6〜7/12 (its year where it is not this one), else まとめ and the
    period.
    """
    years = period.first.year != question.now.year
    title = f"{'月報' if period.is_month else 'まとめ'}　{period.title}"
    if not period.is_month and period == week_of(period.first):
        title = f"週報　{texts.span(period.first, period.last, years)}"
    if question.now.date() <= period.last:
        title += SO_FAR
    return title


def _trophies(people: People, scope: Scope, own: Sequence[Career]) -> list[Trophy]:
    """The trophies of the scope's games; the luck is of the draws, by the records of the scope's
    days.
    """
    rises = {
        career.player: rise
        for career in own
        if (rise := STATISTICS["rise"].value(career)) is not None
    }
    sums = defaultdict[str, PaifuTally](PaifuTally)
    known = Counter[str]()
    for player, tally in figures.records_of(people.snapshot, scope):
        if tally.luck.variance > 0:
            sums[player] += tally
            known[player] += 1
    luck = {}
    for player, total in sums.items():
        luck[player] = (total.luck.z or 0.0, known[player])
    return trophies(PeriodGames(scope.games, people.order, rises, luck))


def _row(people: People, scope: Scope, trophy: Trophy) -> Row:
    """A trophy with who holds it.

    A tap on one of a single member opens the member's card of the period.
    """
    players = [holder.player for holder in trophy.holders]
    alone = players[0] if len(players) == 1 else ""
    words, detail = _trophy_words(people, trophy, trophy.holders[0])
    if not alone and trophy.name == "pair":  # each against an opponent of their own
        words = ""
        details = []
        for holder in trophy.holders:
            score, other = _trophy_words(people, trophy, holder)
            details.append(f"{people.shown(holder.player)} {score}（{other}）")
        detail = "　".join(details)
    return Row(
        TROPHIES[trophy.name],
        people.named(players),
        extra=(words,),
        detail=detail if alone or not words else "",
        colour=people.colour(alone) if alone else style.CONTEXT,
        mine=any(map(people.is_asker, players)),
        data=data_of(Ask.PLAYER, **scope.options, player=token(alone)) if alone else "",
        said=people.shown(alone) if alone else "",
    )


def _trophy_words(people: People, trophy: Trophy, holder: Holder) -> tuple[str, str]:
    """What won the trophy in a few characters, and what is its holder's own: day, way back,
    opponent.
    """
    value = trophy.value
    name = trophy.name
    when = ""
    if holder.game is not None and holder.game.day is not None:
        opponents = [player for player in holder.game.players if player != holder.player]
        others = "・".join(map(people.shown, opponents))
        when = f"{texts.short_day(holder.game.day)}　対{others}"
    if name == "score":
        return figures.written("best", value), when
    if name == "closest" and holder.game is not None:
        return figures.gap_words(people, holder.game, "差"), when
    if name == "comeback":
        way = f"{texts.points(holder.low)}から{texts.points(holder.high)}へ"
        return texts.points(value), f"{texts.short_day(holder.day)}　{way}"
    if name == "pair":
        return f"{holder.won}勝{holder.lost}敗", f"対{people.shown(holder.other)}"
    if name == "rise":
        decimals = MODELS[course_model(people.snapshot.league.model)].decimals
        return texts.change(texts.number(value, decimals, sign=True)), ""
    if name == "unlucky":
        return figures.luck_words(-value), ""
    if name == "attendance":
        return f"全{value:.0f}日", ""
    return f"{value:.0f}戦", ""


@dataclass(frozen=True)
class Recap:
    """`title` is the period; `rows` have the best first and make the podium, too."""

    heading: str
    title: str
    subtitle: str
    rows: Sequence[MemberScore] = ()
    note: str = ""


def draw(recap: Recap) -> bytes:
    """A PNG, 1200 pixels wide, as high as its rows need."""
    shown = distinct_names(row.name for row in recap.rows)
    rows = [replace(row, name=shown[row.name]) for row in recap.rows]
    band = Section(_BAND, partial(_podium, recap, rows[: len(_HIGH)]))
    note = [line(recap.note)] if recap.note else []
    return picture(
        [
            band,
            space(20),
            *parts.score_sections(rows, HEADS),
            *note,
            space(30),
        ]
    )


def _podium(recap: Recap, first: Sequence[MemberScore], area: Area) -> None:
    draw_rays(area.paper, area.x, 250, bottom=area.bottom, ground=_GROUND)
    area.text(recap.title, 68, WHITE, bold=True, down=62)
    area.text(
        "　".join(filter(None, (recap.heading, recap.subtitle))),
        LOOKED_FOR,
        WHITE,
        down=128,
    )
    side = area.width / 2 - 522
    second, middle, third = area.inset(side, right=side).columns(
        0,
        0,
        0,
        gap=12,
    )
    for row, column, high in zip(
        first,
        (
            middle,
            second,
            third,
        ),
        _HIGH,
        strict=False,
    ):
        step = column.inset(top=area.height - high)
        ink = on(row.colour)
        step.inset(bottom=-40).plate(row.colour, 18)
        step.inset(top=step.height, bottom=-40).fill(WHITE)
        step.inset(5, right=5).text(
            row.name,
            56,
            WHITE,
            "middle",
            bold=True,
            down=-40,
        )
        step.text(
            f"{row.place}位",
            SMALL + 6,
            ink,
            "middle",
            bold=True,
            down=step.height / 2 - 34,
        )
        step.inset(15, right=15).text(
            row.points, 64, ink, "middle", bold=True, down=step.height / 2 + 28
        )
        if column == middle:
            draw_crown(area.paper, column.x, area.height - high - 146, 54)


SPECS = (
    Spec(
        name=Ask.RECAP,
        without_offers=True,
        title="週報・月報",
        help="今週・先月などの成績とトロフィーを出します（「月報」も）",
        answer=answer,
        words="週報 しゅうほう 週間まとめ トロフィー",
        shortcuts={
            word: {"of": MONTH} for word in ("月報", "げっぽう", "月間まとめ", "月報・まとめ")
        },
        takes=BY_PERIOD,
        below=(
            *(Below.OWN, Ask.SUM, Below.SEATS, Ask.RANKING, Ask.RANK),
            *(
                choice("ポスター", Ask.POSTER),
                choice(
                    "期間",
                    Ask.PERIOD,
                    of=Ask.RECAP,
                ),
            ),
        ),
        daily=True,
    ),
)
