"""今日 and 直近 list single games; 期間 is the menu of periods for another question: months and
weeks, and calendars for a day and for a from-to."""

from collections import Counter
from collections.abc import Sequence
from datetime import date, timedelta

from bot import texts
from bot.answers.common.days import day_is_over, day_parts
from bot.answers.common.figures import GUESTS, left_out_of_points, placing_counts
from bot.answers.common.members import People, asked_members, people_of, token
from bot.answers.common.periods import last_days, month_of, week_of
from bot.answers.common.ratings import game_row
from bot.answers.common.scope import (
    ALL,
    NO_DATES,
    PAGE,
    Scope,
    days_of,
    no_such_day,
    offered,
    page_of,
    passed_on,
    scopes_of,
    turns,
)
from bot.chat.command import BY_DAY, BY_PERIOD, Ask, Question, Spec, choice, data_of
from bot.chat.replies import Choice, Menu, Once, Reply, Table, UserError
from rating.games import Game

GAMES = "games"  # of a postback's `show`: the games of the day
NEXT_DAY = timedelta(days=1)  # until when the poster comes by itself
MOST = 40  # games of one day that are listed, the latest ones
NOT_YET = "今日の対局はまだありません"
WORDS = "見たい期間を押してください。「収支 先月」「6/1〜6/30の着順」のように送っても出ます。"
MONTHS = 3  # months with games that are offered


def today(question: Question) -> Reply:
    """Everybody's sums on the day asked for, else on the last day of play; with `show` its
    games.
    """
    everything = _games(question, scopes_of(question, ALL))
    people = people_of(question)
    days = sorted({game.day for game in everything if game.day})
    wanted = question.option("date")
    day = next((day for day in days if day.isoformat() == wanted), None)
    if wanted and day is None:
        raise UserError(no_such_day(wanted), _day_choices(question, days, None, wanted))
    if not wanted:
        day = days[-1] if days else None
    games = [game for game in everything if game.day == day]
    if day is None:
        title = "これまでの対局"
    elif day == question.now.date():
        title = f"今日の結果　{texts.day(day)}"
    else:
        title = f"{'' if day.year == question.now.year else f'{day.year}年'}{texts.day(day)}の結果"
    parts = day_parts(question.snapshot, question.ratings, games, people.order)
    tables = []
    for part in parts:
        rows = []
        chips = ["チップ"] if part.chips else []
        for result in part.results:
            cells = [placing_counts(result.tally)]
            if part.chips:
                cells.append(f"{texts.signed(result.tally.chips)}枚")
            cells.append(texts.change(result.moved.words[1]) if result.moved else "―")
            points = texts.points(result.tally.points)
            rows.append(people.row(result.player, points, result.place, tuple(cells)))
        kind = ""
        head = title
        if len(parts) > 1:
            kind = texts.SEATS[part.seats]
            head = f"{title}　{kind}"
        note = left_out_of_points(people.snapshot, part.games).sentence
        if part.guests:
            note += GUESTS
        played = f"{kind}{len(part.games)}戦"
        if day != question.now.date() and not wanted:
            played += f"　{NOT_YET}"
        heads = ("点数", "着順", *chips, "レート")
        tables.append(Table(head, tuple(rows), heads, played, note))
    others = len(games) - len(games[-MOST:])
    numbered = enumerate(games[-MOST:], others + 1)
    listed = tuple(game_row(people, game, str(number)) for number, game in numbered)
    note = ""
    if others:
        note = f"ほかに{others}戦あります。"
    last = _sentence(people, games[-1]) if games else ""
    listing = Table(
        f"{title}　対局", listed, note=note, alt=f"{title}　全{len(games)}戦：最後は {last}"
    )
    choices = _day_choices(question, days, day)
    options = {"date": day, "seats": question.option("seats"), "season": question.option("season")}
    if question.option("show") == GAMES or not any(part.results for part in parts):
        return Reply((listing,), (choice("今日", Ask.TODAY, **options), *choices))
    once = None
    if day is not None and question.now.date() - day <= NEXT_DAY and day_is_over(question, games):
        poster = question.answer_of(Ask.POSTER, date=day.isoformat())
        if poster is not None:
            once = Once(f"poster:{day}", poster.parts)
    ways = [choice("対局", Ask.TODAY, **options, show=GAMES)]
    if day:
        ways.append(choice("ポスター", Ask.POSTER, date=day))
    return Reply(tuple(tables), (*ways, *choices), once=once)


def _games(question: Question, scopes: Sequence[Scope]) -> tuple[Game, ...]:
    """The games of all the scopes, which are of the same seasons, in order of play."""
    scope = scopes[0]
    if len(scopes) == 1:
        return scope.games
    games = question.snapshot.all_games(scope.number)
    return tuple(game for game in games if game.day in scope.period) if scope.period else games


def _day_choices(
    question: Question, days: Sequence[date], day: date | None, wanted: str = ""
) -> tuple[Choice, ...]:
    """The days of play before and after the day, or the one `wanted`, then others."""
    before = len(days)
    if day in days:
        before = days.index(day)
    elif wanted:
        before = sum(1 for other in days if other.isoformat() < wanted)
    after = before
    if day in days:
        after += 1
    neighbours = []
    if before:
        neighbours.append(("前の日", days[before - 1]))
    if after < len(days):
        neighbours.append(("次の日", days[after]))
    ways = []
    for word, other in neighbours:
        when = texts.short_day(other, other.year != question.now.year)
        ways.append(choice(f"{word} {when}", Ask.TODAY, date=other))
    if after < len(days) - 1:
        ways.append(choice("いちばん新しい日", Ask.TODAY))
    others = {
        "直近の対局": Ask.RECENT,
        "レーティング": Ask.RATING,
        "収支": Ask.SUM,
        "点数推移": Ask.POINT,
    }
    return offered(
        *ways,
        *pick_day(question, days, day),
        *map(choice, others, others.values()),
    )


def pick_day(
    question: Question, days: Sequence[date], day: date | None = None
) -> tuple[Choice, ...]:
    """A calendar to pick a day from, which opens on `day`; none without days of play."""
    if not days:
        return ()
    data = choice("", Ask.TODAY, pick="date").data
    initial = day.isoformat() if day else ""
    bounds = _bounds(question, days)
    return (Choice("日を選ぶ", data, "date", **bounds, initial=initial),)


def _bounds(question: Question, days: Sequence[date]) -> dict[str, str]:
    """The first and the last day of a calendar, as arguments of a Choice."""
    last = max(days[-1], question.now.date())
    return {"least": days[0].isoformat(), "most": last.isoformat()}


def recent(question: Question) -> Reply:
    """`直近`: the last games, PAGE at a time; only those of the member named, if any."""
    scopes = scopes_of(question, ALL)
    people = people_of(question)
    player = next(iter(asked_members(question)), "")
    latest_first = reversed(_games(question, scopes))
    games = [game for game in latest_first if not player or player in game.players]
    page, pages = page_of(question, len(games))
    shown = games[(page - 1) * PAGE : page * PAGE]
    wanted = question.option("games")
    if wanted.isdecimal():
        pages = 1
        shown = games[: min(int(wanted), MOST)]
    whose = f"{people.shown(player)}の" if player else ""
    title = f"{whose}直近" + (f"{len(shown)}戦" if wanted else "の対局")
    if pages > 1:
        title += f"　{page}/{pages}"
    rows = []
    this_year = date(question.now.year, 1, 1)
    for game in shown:
        years = scopes[0].years and (game.day or this_year) < this_year
        rows.append(game_row(people, game, whose=player, dated=True, years=years))
    counts = sorted(Counter(len(game.seats) for game in games).items())
    played = f"{len(games)}戦"
    if len(counts) > 1:
        played = "・".join(f"{texts.SEATS[seats]}{count}戦" for seats, count in counts)
    alt = f"{whose}直近の対局：{_sentence(people, shown[0])}" if shown else title
    subtitle = f"{scopes[0].title}　{played}　新しい順" if shown else "まだ対局がありません。"
    table = Table(title, tuple(rows), subtitle=subtitle, alt=alt)
    same = token(player) if player else ""
    here = {} if scopes[0].options == {"season": ALL} else scopes[0].options
    ways = list(turns(question, len(games), player=same, **here))
    if player:
        ways += [choice("全員の直近", Ask.RECENT), choice("個人", Ask.PLAYER, player=same)]
    ways += [
        choice("今日", Ask.TODAY),
        choice("レーティング", Ask.RATING),
        choice("収支", Ask.SUM),
    ]
    return Reply((table,), offered(*ways))


def _sentence(people: People, game: Game) -> str:
    return "、".join(f"{people.shown(s.player)} {texts.points(s.score)}" for s in game.seats)


def periods(question: Question) -> Reply:
    """The periods as buttons for the command named by `of`.

    Raises UserError when no game has a day.
    """
    spec = question.catalogue.get(question.option("of"))
    if spec is None or "period" not in spec.takes:
        spec = question.catalogue.get(Ask.SUM) or question.catalogue[Ask.RECENT]
    days = days_of(question.snapshot)
    today = question.now.date()
    options = passed_on(question)
    if not days:
        raise UserError(NO_DATES if question.snapshot.all_games() else texts.NO_GAMES, offered())
    options.pop("season", None)  # a period spans seasons

    near = {
        "今週": week_of(today),
        "先週": week_of(today).moved(-1),
        "今月": month_of(today),
        "先月": month_of(today).moved(-1),
        "直近30日": last_days(30, today),
    }
    with_games = {
        label: period for label, period in near.items() if any(day in period for day in days)
    }
    months = dict.fromkeys(month_of(day) for day in reversed(days))
    past = [month for month in months if month not in with_games.values()][:MONTHS]
    with_games |= {month.title: month for month in past}
    bounds = _bounds(question, days)
    calendars = {"1日を選ぶ": "day", "期間を選ぶ": "from"}.items()
    buttons = (
        *(
            choice(label, spec.name, **(options | period.options))
            for label, period in with_games.items()
        ),
        *(
            Choice(label, data_of(spec.name, **options, pick=pick), "date", **bounds)
            for label, pick in calendars
        ),
        choice("全期間", spec.name, **options, season="all"),
    )
    title = f"期間　{spec.title}"
    return Reply(
        (Menu(title, buttons, WORDS, f"{title}：{WORDS}"),), offered(*pick_day(question, days))
    )


SPECS = (
    Spec(
        name=Ask.TODAY,
        title="今日",
        help="今日（または最後に打った日）の結果を出します",
        answer=today,
        words="今日 きょう 本日 結果 けっか 誰が勝った 勝者",
        shortcuts={word: {"show": GAMES} for word in ("対局", "たいきょく", "試合", "対局一覧")},
        everyday="今日 きょう 本日 対局 たいきょく 試合",
        takes=BY_DAY,
        instead=Ask.SUM,
        live=True,
    ),
    Spec(
        name=Ask.RECENT,
        title="直近",
        help="最近の対局を10戦ずつ出します",
        answer=recent,
        words="直近 ちょっきん 最近 履歴 りれき",
        shortcuts={f"{which}の対局": {"games": "1"} for which in ("最後", "直前", "前", "前回")},
        everyday="最近",
        takes=BY_PERIOD,
        names=1,
    ),
    Spec(
        name=Ask.PERIOD,
        title="期間",
        help="期間を選んで成績を出します",
        answer=periods,
        words="期間 きかん カレンダー",
        bare=True,
        daily=True,
    ),
)
