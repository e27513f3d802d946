"""レーティング: everybody's rating by one system, as a table and as lines, intervals or a heat
map.
"""

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
from bot.answers.standings import forest_picture as forest
from bot.answers.standings.forest_picture import ForestChart, Interval
from bot.chat.command import BY_PERIOD, Ask, Question, Spec, choice
from bot.chat.replies import Choice, Picture, Reply, Row, Table, leading
from bot.draw import lines, matrix
from bot.draw.lines import Lines
from bot.draw.matrix import MatrixChart
from rating.models import MODELS
from rating.models.blade_chest import BladeChest

HEAD = "レート"
INTERVAL = "見込みは、偶然を割り引いて推定した値と95%の範囲です。"
ALONE = "この期間の対局だけで計算しています。"
HOW_TO_ASK = "押すか、名前を送ると出ます。"
MARKS = "丸と上の数字はレート、縦線と下の数字は見込み、帯とかっこは95%の範囲です。"
NO_MATCHUPS = "相性の差は、まだ偶然と見分けられません。ここでは強さだけを示します。"
STRONGEST = "グラフで見る 誰が一番強い だれが一番強い 誰が強い 一番強い人 強いのは誰"
MOST = 10  # players in a matrix; if there are more, those with the most games


def answer(question: Question) -> Reply:
    scope = scope_of(question, ALL if question.snapshot.league.career else "")
    found = ratings_of(question, scope, model_of(question))
    people = people_of(question)
    check_members(people, found.scope.games)
    table = ratings_table(people, found)
    if question.option("show") == WHOLE or (found.by_games and len(found.games) < DRAWN):
        return Reply((table,), _choices(question, found))
    picture = picture_of(question, people, found, table)
    values = [] if found.apart else [found.standings[player].value for player in found.places]
    return Reply((beside_picture(table, values, found.words), picture), _choices(question, found))


def ratings_table(people: People, found: Ratings) -> Table:
    """Each member's rank, rating, change on the last day or interval, and games; who never met is
    apart.
    """
    standings = found.standings
    moved = {}
    when = day_word(found.games, found.chosen.years)
    first = last_day_start(found.games)
    for player, line in found.history.items():
        change = line.since(first) if found.scope.period is None else line.last - line.start
        moved[player] = "" if change is None else texts.change(found.words(change, True))
    columns = [
        (
            when if found.scope.period is None else "期間中",
            {p: moved.get(p, "") for p in standings},
        ),
        (LIKELY, {p: found.interval(rating) for p, rating in standings.items()}),
        (
            "対局",
            {
                p: texts.played(found.games_of(p), rating.provisional)
                for p, rating in standings.items()
            },
        ),
    ]
    columns = [(head, cells) for head, cells in columns if any(cells.values())]
    rows = []
    best = []
    for player, place in found.places.items():
        value = found.words(standings[player].value)
        extra = tuple(cells[player] for _, cells in columns)
        group = ""
        if found.apart:
            group = f"グループ{place.group}"
        row = people.row(player, value, place.place, extra, group)
        rows.append(row)
        if place.group == 1:
            best.append(row)
    note = words_of(found.model).meaning
    if found.scope.period is not None:
        note += "期間の前のレートから続けて計算しています。" if found.by_games else ALONE
    if any(map(found.interval, standings.values())):
        note += INTERVAL
    if found.apart:
        note += APART
    if MODELS[found.model].plays != "teams":
        note += found.scope.until
    if any(rating.provisional for rating in standings.values()):
        note += f"{texts.SIGN_MEANS}。"
    heads = (HEAD, *(head for head, _ in columns))
    alt = f"{found.title}：{leading(best)}"
    return Table(found.title, tuple(rows), heads, found.subtitle, note, alt)


def picture_of(question: Question, people: People, found: Ratings, table: Table) -> Picture:
    """Lines for a system that learns game by game, else a heat map of matchups it shows, else
    intervals.
    """
    if found.by_games:
        return Picture(
            rating_chart(question, people, found), lines.draw, table.notification, (table,)
        )
    if MODELS[found.model].has_matchups and shows_matchups(found):
        return Picture(matchup_chart(people, found), matrix.draw, table.notification, (table,))
    return Picture(forest_chart(people, found), forest.draw, table.notification, (table,))


def rating_chart(question: Question, people: People, found: Ratings) -> Lines:
    """Everybody's line; a point is a day, or a game when only the last RECENT or very few days are
    shown.
    """
    view = view_of(
        found.games,
        question.option("axis"),
        question.option("span"),
        found.chosen,
    )
    provisional = {player: rating.provisional for player, rating in found.standings.items()}
    title = found.title
    if view.recent:
        title += f"　直近{RECENT}戦"
    model = MODELS[found.model]
    curves = curves_of(people, found.history, list(found.standings), view, provisional)
    return Lines(title, view.subtitle, curves, model.baseline, view.axis, model.decimals)


def _choices(question: Question, found: Ratings) -> tuple[Choice, ...]:
    """The same ratings with another span, axis, season, number of seats or system."""
    scope = found.scope
    model = found.model
    same = {"model": "" if model == question.snapshot.league.model else model}
    if question.option("seats"):
        same["seats"] = str(scope.seats)
    here = {**scope.options, **same}
    seasons = () if MODELS[model].plays == "teams" else season_choices(question, scope, **same)
    result = list(seasons[-1:] if scope.season else seasons[:1])  # all seasons, or the newest one
    result += [other_models(scope), table_way(question), choice("ページ", Ask.PAGE)]
    if found.by_games:
        if question.option("span") or question.option("axis"):
            result.append(choice("全対局", Ask.RATING, **here))
        if not question.option("span") and len(found.games) > RECENT:
            result.append(choice(f"直近{RECENT}戦", Ask.RATING, span=RECENT, **here))
    result.append(choice("収支", Ask.SUM, **scope.options))
    result.append(choice("順位推移", Ask.RANKS, **scope.options, by="rating"))
    if found.by_games and question.option("axis") != "date":
        result.append(choice("日付で見る", Ask.RATING, axis="date", **here))
    ways = period_choices(question, scope, **same)
    return offered(*result, *ways, *seasons, *seat_choices(question, scope))


def list_models(question: Question) -> Reply:
    """Every rating system with what its numbers mean; a tap shows its ratings of the same games."""
    same = passed_on(question) | {end: question.option(end) for end in ("from", "to")}
    rows = []
    for name in MODELS:
        title, meaning = words_of(name)
        data = choice("", Ask.RATING, **same | {"model": name}).data
        rows.append(Row(title, "", detail=meaning, data=data, said=title))
    table = Table(
        "ほかのレート", tuple(rows), subtitle=HOW_TO_ASK, alt=f"ほかのレート：{HOW_TO_ASK}"
    )
    return Reply((table,), offered())


def forest_chart(people: People, found: Ratings) -> ForestChart:
    """Each member's strength with its 95 % interval, if the system gives one; who never met stands
    apart.
    """
    rows = []
    model = MODELS[found.model]
    for player, rating in found.standings.items():
        rows.append(
            Interval(
                people.shown(player),
                rating.value,
                rating.value if rating.low is None else rating.low,
                rating.value if rating.high is None else rating.high,
                colour=people.colour(player),
                provisional=rating.provisional,
                asker=people.is_asker(player),
                words=found.words(rating.value),
                spread=found.interval(rating),
                group=found.places[player].group,
                likely=rating.likely,
            )
        )
    note = ""
    if any(row.spread for row in rows):
        note += MARKS
    if model.has_matchups:
        note += NO_MATCHUPS
    if found.apart:
        note += APART
    ends = "← 弱い", "強い →"
    return ForestChart(
        found.title, found.subtitle, tuple(rows), model.baseline, model.decimals, *ends, note
    )


def shows_matchups(found: Ratings) -> bool:
    """Whether matchups are shown: they must predict left-out days better than the strengths
    alone.
    """
    return len(found.standings) > 1 and BladeChest().worth_showing(found.games)


def matchup_chart(people: People, found: Ratings) -> MatrixChart:
    """The chance (per cent) that the row's member finishes above the column's; None where they
    never met.
    """
    matchups = BladeChest().matchups(found.games)
    number = {name: place for place, name in enumerate(matchups.names)}
    by_games = sorted(found.standings, key=lambda p: -found.standings[p].games)
    most_games = by_games[:MOST]
    players = [player for player in found.places if player in most_games]

    def chance(one: str, other: str) -> float | None:
        if one == other or found.places[one].group != found.places[other].group:
            return None
        return round(100 * float(matchups.probabilities[number[one], number[other]]), 1)

    cells = tuple(tuple(chance(one, other) for other in players) for one in players)
    names = tuple(map(people.shown, players))
    colours = tuple(map(people.colour, players))
    key = "左の人が上の人に先着する見込み（%）　青＝有利　橙＝不利"
    return MatrixChart(found.title, found.subtitle, names, cells, 50, colours=colours, key=key)


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
