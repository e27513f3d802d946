"""レーティング: everybody's rating by one system, as a table and as lines, intervals or a heat
map.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from bot import texts
from bot.answers.common.members import (
    WHOLE,
    People,
    beside_picture,
    check_members,
    people_of,
    table_way,
)
from bot.answers.common.ratings import (
    APART,
    LIKELY,
    Ratings,
    model_of,
    other_models,
    ratings_of,
    words_of,
)
from bot.answers.common.scope import (
    ALL,
    DRAWN,
    RECENT,
    curves_of,
    day_word,
    last_day_start,
    offered,
    passed_on,
    period_choices,
    scope_of,
    season_choices,
    seat_choices,
    view_of,
)
from bot.chat.command import BY_PERIOD, Ask, Question, Spec, choice
from bot.chat.replies import Choice, Picture, Reply, Row, Table, leading
from bot.draw import lines as line_charts, matrix, rows as row_charts
from bot.draw.lines import Lines
from bot.draw.matrix import MatrixChart
from bot.draw.rows import (
    Interval,
    IntervalColumn,
    NameColumn,
    RowPicture,
    Rows,
    WordColumn,
    Words,
    row_height,
)
from bot.draw.style import FAINT, INK
from rating.models import MODELS
from rating.models.blade_chest import BladeChest
from rating.standings import Rating

HEAD = "レート"
IN_PERIOD = "期間中"
GAMES = "対局"
GROUP = "グループ{number}"
NOTIFICATION = "{title}：{leaders}"
RECENT_TITLE = "{title}　直近{games}戦"
CONTINUED = "期間の前のレートから続けて計算しています。"
ALONE = "この期間の対局だけで計算しています。"
INTERVAL = "見込みは、偶然を割り引いて推定した値と95%の範囲です。"
MARKS = "丸と上の数字はレート、縦線と下の数字は見込み、帯とかっこは95%の範囲です。"
NO_MATCHUPS = "相性の差は、まだ偶然と見分けられません。ここでは強さだけを示します。"
WEAKER = "← 弱い"
STRONGER = "強い →"
MATCHUP_KEY = "左の人が上の人に先着する見込み（%）　青＝有利　橙＝不利"
LIST_TITLE = "ほかのレート"
LIST_HINT = "押すか、名前を送ると出ます。"
LIST_NOTIFICATION = f"{LIST_TITLE}：{LIST_HINT}"
STRONGEST = "グラフで見る 誰が一番強い だれが一番強い 誰が強い 一番強い人 強いのは誰"
MOST = 10  # players in a matrix; if there are more, those with the most games


def answer(question: Question) -> Reply:
    scope = scope_of(question, ALL if question.snapshot.league.career else "")
    ratings = ratings_of(question, scope, model_of(question))
    people = people_of(question)
    check_members(people, ratings.scope.games)
    table = _table(people, ratings)
    buttons = _buttons(question, ratings)
    few = ratings.by_games and len(ratings.games) < DRAWN
    if few or question.option("show") == WHOLE:
        return Reply((table,), buttons)
    values: list[float] = []
    if not ratings.apart:
        values = [ratings.standings[player].value for player in ratings.places]
    brief = beside_picture(table, values, ratings.words)
    return Reply((brief, _picture(question, people, ratings, table)), buttons)


class RatingColumn(NamedTuple):
    """A column of the table next to the rating."""

    head: str
    cells: Mapping[str, str]


def _table(people: People, ratings: Ratings) -> Table:
    """Each member's rank, rating, change on the last day or interval, and games. Players without
    common opponents form their own group.
    """
    columns = [column for column in columns_of(ratings) if any(column.cells.values())]
    rows = []
    first_group = []
    for player, place in ratings.places.items():
        value = ratings.words(ratings.standings[player].value)
        cells = tuple(column.cells[player] for column in columns)
        group = GROUP.format(number=place.group) if ratings.apart else ""
        row = people.row(player, value, place.place, cells, group)
        rows.append(row)
        if place.group == 1:
            first_group.append(row)
    heads = (HEAD, *(column.head for column in columns))
    alt = NOTIFICATION.format(title=ratings.title, leaders=leading(first_group))
    return Table(ratings.title, tuple(rows), heads, ratings.subtitle, _note(ratings), alt)


def columns_of(ratings: Ratings) -> list[RatingColumn]:
    """The columns next to the rating: its change, its interval, the games."""
    changes = changes_of(ratings)
    moved = {}
    intervals = {}
    games = {}
    for player, rating in ratings.standings.items():
        moved[player] = changes.get(player, "")
        intervals[player] = ratings.interval(rating)
        games[player] = texts.played(ratings.games_of(player), rating.provisional)
    change_head = IN_PERIOD
    if ratings.scope.period is None:
        change_head = day_word(ratings.games, ratings.chosen.years)
    return [
        RatingColumn(change_head, moved),
        RatingColumn(LIKELY, intervals),
        RatingColumn(GAMES, games),
    ]


def changes_of(ratings: Ratings) -> dict[str, str]:
    """The changes of the last day of play, or of the whole period."""
    changes = {}
    last_day = last_day_start(ratings.games)
    for player, line in ratings.history.items():
        change: float | None = line.last - line.start
        if ratings.scope.period is None:
            change = line.since(last_day)
        if change is not None:
            changes[player] = texts.change(ratings.words(change, True))
    return changes


def _note(ratings: Ratings) -> str:
    standings = ratings.standings
    note = words_of(ratings.model).meaning
    if ratings.scope.period is not None:
        note += CONTINUED if ratings.by_games else ALONE
    if any(map(ratings.interval, standings.values())):
        note += INTERVAL
    if ratings.apart:
        note += APART
    if MODELS[ratings.model].plays != "teams":
        note += ratings.scope.until
    if any(rating.provisional for rating in standings.values()):
        note += f"{texts.SIGN_MEANS}。"
    return note


def _picture(question: Question, people: People, ratings: Ratings, table: Table) -> Picture:
    """Lines for a system that learns game by game, else a heat map of the matchups that it shows,
    else intervals.
    """
    chart: Lines | MatrixChart | RowPicture
    draw: Callable[..., bytes]
    if ratings.by_games:
        chart = rating_chart(question, people, ratings)
        draw = line_charts.draw
    elif MODELS[ratings.model].has_matchups and shows_matchups(ratings):
        chart = matchup_chart(people, ratings)
        draw = matrix.draw
    else:
        chart = interval_chart(people, ratings)
        draw = row_charts.draw
    return Picture(chart, draw, table.notification, (table,))


def rating_chart(question: Question, people: People, ratings: Ratings) -> Lines:
    """Everybody's line; a point is a day, or a game when only the last RECENT or very few days are
    shown.
    """
    axis = question.option("axis")
    span = question.option("span")
    view = view_of(ratings.games, axis, span, ratings.chosen)
    provisional = {player: rating.provisional for player, rating in ratings.standings.items()}
    title = ratings.title
    if view.recent:
        title = RECENT_TITLE.format(title=title, games=RECENT)
    model = MODELS[ratings.model]
    curves = curves_of(people, ratings.history, list(ratings.standings), view, provisional)
    return Lines(title, view.subtitle, curves, model.baseline, view.axis, model.decimals)


def _buttons(question: Question, ratings: Ratings) -> tuple[Choice, ...]:
    """The same ratings with another span, axis, season, number of seats or system."""
    scope = ratings.scope
    model = ratings.model
    same = {"model": "" if model == question.snapshot.league.model else model}
    if question.option("seats"):
        same["seats"] = str(scope.seats)
    seasons: tuple[Choice, ...] = ()
    if MODELS[model].plays != "teams":
        seasons = season_choices(question, scope, **same)
    all_seasons_or_newest = seasons[-1:] if scope.season else seasons[:1]
    options = {**scope.options, **same}
    views = view_buttons(question, ratings, options)
    return offered(
        *all_seasons_or_newest,
        other_models(scope),
        table_way(question),
        choice("ページ", Ask.PAGE),
        *views,
        choice("収支", Ask.SUM, **scope.options),
        choice("順位推移", Ask.RANKS, **scope.options, by="rating"),
        *date_buttons(question, ratings, options),
        *period_choices(question, scope, **same),
        *seasons,
        *seat_choices(question, scope),
    )


def view_buttons(
    question: Question, ratings: Ratings, options: Mapping[str, object]
) -> list[Choice]:
    """All games, and the last RECENT, of a system that has lines."""
    buttons = []
    if ratings.by_games:
        if question.option("span") or question.option("axis"):
            buttons.append(choice("全対局", Ask.RATING, **options))
        if not question.option("span") and len(ratings.games) > RECENT:
            buttons.append(choice(f"直近{RECENT}戦", Ask.RATING, span=RECENT, **options))
    return buttons


def date_buttons(
    question: Question, ratings: Ratings, options: Mapping[str, object]
) -> list[Choice]:
    """The lines by date, where they are not."""
    if not ratings.by_games or question.option("axis") == "date":
        return []
    return [choice("日付で見る", Ask.RATING, axis="date", **options)]


def list_models(question: Question) -> Reply:
    """Every rating system with what its numbers mean; a tap shows its ratings of the same games."""
    same = passed_on(question) | {end: question.option(end) for end in ("from", "to")}
    rows = []
    for name in MODELS:
        model = words_of(name)
        data = choice("", Ask.RATING, **same | {"model": name}).data
        rows.append(
            Row(model.title, "", detail=model.meaning, data=data, said=model.title),
        )
    table = Table(LIST_TITLE, tuple(rows), subtitle=LIST_HINT, alt=LIST_NOTIFICATION)
    return Reply((table,), offered())


def interval_chart(people: People, ratings: Ratings) -> RowPicture:
    """Each member's strength with its 95 % interval, if the system gives one, the best first.
    Players without common opponents form their own group."""
    model = MODELS[ratings.model]
    names = []
    intervals = []
    values = []
    for player in ratings.places:
        rating = ratings.standings[player]
        name = people.row_name(player, rating.provisional)
        names.append(name)
        intervals.append(interval_of(rating, name.colour, name.asker))
        colour = FAINT if rating.provisional else INK
        interval = ratings.interval(rating)
        value = ratings.words(rating.value)
        values.append(Words(value, interval, colour=colour, bold=name.asker))
    columns = (
        NameColumn(tuple(names), signed=True),
        IntervalColumn(tuple(intervals), model.baseline, model.decimals, WEAKER, STRONGER),
        WordColumn(tuple(values)),
    )
    roomy = 84
    narrow = 64
    note = ""
    if any(value.under for value in values):
        note += MARKS
        roomy = 96
        narrow = 92
    if model.has_matchups:
        note += NO_MATCHUPS
    if ratings.apart:
        note += APART
    if any(name.provisional for name in names):
        note += f"{texts.SIGN_MEANS}。"
    groups = tuple(place.group for place in ratings.places.values())
    rows = Rows(columns, row_height(len(names), roomy, narrow), groups=groups)
    return RowPicture(ratings.title, ratings.subtitle, rows, note=note)


def interval_of(rating: Rating, colour: str, asker: bool) -> Interval:
    """The interval of a rating, which is its value alone where the system gives none."""
    return Interval(
        value=rating.value,
        low=rating.value if rating.low is None else rating.low,
        high=rating.value if rating.high is None else rating.high,
        colour=colour,
        asker=asker,
        provisional=rating.provisional,
        likely=rating.likely,
    )


def shows_matchups(ratings: Ratings) -> bool:
    """Whether matchups are shown: they must predict left-out days better than the strengths
    alone.
    """
    return len(ratings.standings) > 1 and BladeChest().worth_showing(ratings.games)


def matchup_chart(people: People, ratings: Ratings) -> MatrixChart:
    """The chance (per cent) that the row's member finishes above the column's; None where they
    never played each other.
    """
    matchups = BladeChest().matchups(ratings.games)
    number = {name: place for place, name in enumerate(matchups.names)}
    by_games = sorted(ratings.standings, key=lambda p: -ratings.standings[p].games)
    most_games = by_games[:MOST]
    players = [player for player in ratings.places if player in most_games]

    def chances_of(player: str) -> Iterator[float | None]:
        group = ratings.places[player].group
        for opponent in players:
            if player == opponent or group != ratings.places[opponent].group:
                yield None
            else:
                probability = matchups.probabilities[number[player], number[opponent]]
                yield round(100 * float(probability), 1)

    return MatrixChart(
        ratings.title,
        ratings.subtitle,
        names=tuple(map(people.shown, players)),
        cells=tuple(tuple(chances_of(player)) for player in players),
        centre=50,
        colours=tuple(map(people.colour, players)),
        key=MATCHUP_KEY,
    )


SPECS = (
    Spec(
        name=Ask.RATING,
        title="レーティング",
        help="みんなのレートをグラフで出します",
        answer=answer,
        words="レーティング レート レート1位 レートトップ れーてぃんぐ れーと ぐらふ グラフ rating",
        shortcuts={
            f"直近{RECENT}戦": {"span": str(RECENT)},
            "日付で見る": {"axis": "date"},
            "全対局": {},
        }
        | {word: {"show": WHOLE} for word in ("表で見る", "レート表", "レーティング表")}
        | {word: {} for word in STRONGEST.split()},
        takes=(*BY_PERIOD, "model"),
        figure="rating",
    ),
    Spec(
        name=Ask.MODELS,
        title="ほかのレート",
        help="レートの種類を一覧で出します",
        answer=list_models,
        words="ほかのレート 他のレート レート一覧 レートの種類",
        takes=(*BY_PERIOD, "model"),
        hidden=True,
    ),
)
