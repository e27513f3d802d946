"""個人: title, radar, rival and what stands beside the picture; 自分のまとめ: a member's year,
counted again.
"""

import gzip
import re
import statistics
from collections import Counter, defaultdict
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote

import pytest

from bot.answers.common.figures import brief_of
from bot.answers.players.card import BY_GAMES, TITLES, in_words
from bot.answers.players.card_picture import BANNER, draw
from bot.answers.players.offers import own_years
from bot.chat.command import Command
from bot.chat.replies import Cards, Text
from bot.league.demo import ensure_demo
from bot.league.repository import LeagueRepository
from bot.settings.stores import open_logs
from rating.games import Game
from rating.logdates import JST
from rating.statistics import PROFILE, standard_score
from rating.tallies import careers
from rating.trophies import RULES, EarnedTitle, titles
from tests.answers.leagues import NINE, LeagueWorld, game, world
from tests.answers.world import LOG, BotWorld, taps, words_of
from tests.draw.writing import written
from tests.real import SEASONS
from tests.schema import assert_messages_pass

DOC = Path(__file__).parents[3] / "docs" / "titles.md"
Rows = list[tuple[int, float, int | None, object, dict[str, float]]]


# -- titles, reckoned once more


def _plain(games: list[Game]) -> dict[str, Rows]:
    """For each player and game: placing, score, chips, day, and the score of each opponent
    below.
    """
    found: dict[str, Rows] = defaultdict(list)
    for each in games:
        for place, seat in enumerate(each.seats):
            others = {}
            for number, other in enumerate(each.seats):
                if number != place:
                    others[other.player] = float(number > place)
            row = (place + 1, seat.score, seat.chips, each.day, others)
            found[seat.player].append(row)
    return found


def _share(hits: list[bool], least: int) -> float | None:
    return sum(hits) / len(hits) if len(hits) >= least else None


def _run(hits: list[bool]) -> float:
    signs = "".join("x" if hit else " " for hit in hits)
    return float(max(map(len, signs.split(" "))))


def _figures(
    rows: Rows,
    seats: int,
    members: set[str],
    leader: str,
) -> dict[str, float | None]:
    """Every figure of a player, by the rules' names, without the code that the titles are made
    by.
    """
    places = [row[0] for row in rows]
    scores = [row[1] for row in rows]
    firsts = [place == 1 for place in places]
    lasts = [place == seats for place in places]
    by_day: dict[object, list[int]] = defaultdict(list)
    points: dict[object, float] = defaultdict(float)
    for place, score, _, day, _ in rows:
        if day:
            by_day[day].append(place)
            points[day] += score
    against: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        for other, ahead in row[4].items():
            if other in members:
                against[other].append(ahead)
    known = [statistics.mean(games) for games in against.values() if len(games) >= 10]
    chips = [row[2] for row in rows if row[2] is not None]
    half = len(rows) // 2
    won = [score for score, hit in zip(scores, firsts, strict=True) if hit]
    lost = [score for score, hit in zip(scores, lasts, strict=True) if hit]
    after_last = [first for last, first in zip(lasts, firsts[1:], strict=False) if last]
    after_first = [later for first, later in pairwise(firsts) if first]
    mean = statistics.mean(places)
    return {
        "crown": mean,
        "no_weakness": min(known) if len(known) > 1 else None,
        "lasts": lasts.count(True) / len(rows),
        "firsts": firsts.count(True) / len(rows),
        "first_run": _run(firsts),
        "safe_run": _run([not hit for hit in lasts]),
        "above_leader": statistics.mean(against[leader]) if len(against[leader]) >= 10 else None,
        "mean": statistics.mean(scores),
        "placing": mean,
        "upper": sum(place < 3 for place in places) / len(rows),
        "best_score": max(scores),
        "best_day": max(points.values()) if points else None,
        "recent": sum(scores[-20:]) if len(rows) > 19 else None,
        "growth": statistics.mean(places[:half]) - statistics.mean(places[half:])
        if len(rows) > 59
        else None,
        "first_mean": statistics.mean(won) if len(won) > 9 else None,
        "last_mean": statistics.mean(lost) if len(lost) > 9 else None,
        "after_last": _share(after_last, 20),
        "after_first": _share(after_first, 20),
        "opening": _share([day[0] == 1 for day in by_day.values()], 15),
        "closing": _share([day[-1] == 1 for day in by_day.values()], 15),
        "chips": sum(chips) / len(chips) if len(chips) > 19 else None,
        "seconds": places.count(2) / len(rows),
        "steady": statistics.pstdev(scores),
        "bold": statistics.pstdev(scores),
        "games": float(len(rows)),
    }


def _bars(seats: int) -> dict[str, tuple[str, str]]:
    """Whether the least or the most is best, and the bar, by title: as the document says."""
    row = r"^\| (.+?) \| .+? \| (least|most) \| (.+?) \| (.+?) \|$"
    lines = re.findall(row, DOC.read_text("utf-8"), re.M)
    bars = {}
    for title, best, *of_seats in lines:
        bars[title] = (best, of_seats[seats - 3])
    return bars


def _reached(value: float, bar: str, least: bool, values: list[float]) -> bool:
    if bar in ("none", "―"):
        return bar == "none"
    number = float(re.search(r"[\d.]+", bar)[0])  # type: ignore[index]
    if "the mean of all" in bar:
        mean = statistics.mean(values)
        return value <= mean - number + 1e-9 if least else value >= mean + number - 1e-9
    number /= 100 if bar.endswith("%") else 1
    return value <= number + 1e-9 if least else value >= number - 1e-9


def _reckoned(
    games: list[Game],
    members: set[str],
    seats: int,
) -> dict[str, list[str]]:
    plain: dict[str, Rows] = {}
    for player, rows in _plain(games).items():
        if player in members and len(rows) >= 30:
            plain[player] = rows
    means: dict[str, float] = {}
    for player, rows in plain.items():
        means[player] = statistics.mean(row[0] for row in rows)
    leader = min(means, key=lambda p: means[p], default="")
    if list(means.values()).count(means.get(leader, 0)) != 1:
        leader = ""
    figures: dict[str, dict[str, float | None]] = {}
    for player, rows in plain.items():
        figures[player] = _figures(rows, seats, members, leader)
    holders: dict[str, str] = {}
    for title, (best, bar) in _bars(seats).items():
        name = next(name for name, called in TITLES.items() if called == title)
        values: dict[str, float] = {}
        for player, by_name in figures.items():
            value = by_name[name]
            if value is not None and player != "":
                values[player] = value
        if name == "above_leader":
            values.pop(leader, None)
        least = best == "least"
        ranked = sorted(values, key=values.__getitem__, reverse=not least)
        if len(ranked) < 2:
            continue
        top, second = (values[player] for player in ranked[:2])
        if abs(top - second) < 1e-6:
            continue
        if _reached(top, bar, least, list(values.values())):
            holders[name] = ranked[0]
    best_of = {}
    for name in ("placing", "mean", "firsts"):
        values = {player: by_name[name] or 0.0 for player, by_name in figures.items()}
        order = sorted(values, key=values.__getitem__, reverse=name != "placing")
        best_of[name] = order[:1]
    if "crown" in holders and any(own != [holders["crown"]] for own in best_of.values()):
        del holders["crown"]
    found: dict[str, list[str]] = defaultdict(list)
    for name in TITLES:
        if name in holders:
            found[holders[name]].append(name)
    return dict(found)


def _agrees(games: tuple[Game, ...]) -> set[str]:
    """Check the titles of each number of seats; return which were earned."""
    seen: set[str] = set()
    for seats in (3, 4):
        own = [each for each in games if len(each.seats) == seats]
        members = {player for each in own for player in each.players} - {"NoName"}
        made = titles(careers(own, members, 30), seats)
        names = {}
        for player, held in made.items():
            names[player] = [title.rule.name for title in held]
        assert names == _reckoned(own, members, seats)
        seen |= {title.rule.name for held in made.values() for title in held}
    return seen


def test_titles_are_what_a_second_reckoning_says() -> None:
    for league in ("nine", "twenty", "long names", "undated", "one player", "one game"):
        _agrees(LeagueWorld.again(league).repository.snapshot().all_games())
    for path in SEASONS:
        league_of_season = LeagueWorld({"logvol1.txt": path.read_bytes()})
        assert _agrees(league_of_season.repository.snapshot().all_games())


def test_most_titles_are_earned_somewhere() -> None:
    snapshot = LeagueWorld.again("demo").repository.snapshot()
    seen = set().union(
        *(_agrees(tuple(snapshot.all_games(season.number))) for season in snapshot.seasons)
    )
    four = []
    for n, each in enumerate(snapshot.all_games(1)):
        fourth = replace(each.seats[0], player=f"p{n % 4}")
        four.append(
            replace(
                each,
                seats=(*each.seats[:2], fourth, each.seats[2]),
            )
        )
    seen |= _agrees(tuple(four))
    assert len(seen) >= 18


def test_every_rule_has_its_words_and_its_line_in_the_document() -> None:
    assert [rule.name for rule in RULES] == list(TITLES)
    assert list(_bars(3)) == list(TITLES.values())
    text = DOC.read_text("utf-8")
    for least, title in BY_GAMES:
        assert f"{title} from {least}" in text or (not least and f"{title} before" in text)


def test_equals_hold_no_title() -> None:
    turns = ["甲乙丙", "乙丙甲", "丙甲乙"] * 12
    league = world(
        "20260901", *[game(f"{a}(+40.0)", f"{b}(-5.0)", f"{c}(-35.0)") for a, b, c in turns]
    )
    games = league.repository.snapshot().all_games()
    assert titles(careers(games, {"甲", "乙", "丙"}, 30), 3) == {}
    honour = league.ask("個人 甲").chart.honour
    assert (honour.title, honour.reason) == ("レギュラー", "通算36戦")
    # A new member, and an old one without a title.
    few = world("20260901", game("甲(+40.0)", "乙(-5.0)", "丙(-35.0)"))
    assert few.ask("個人 丙").chart.honour.title == "新人"
    assert LeagueWorld.again("demo").ask("個人 海底丸 8月").chart.honour.title == "レギュラー"


def test_the_title_says_its_figure_and_the_next_best() -> None:
    asked = LeagueWorld.again("demo").ask("個人 東風")
    honour = asked.chart.honour
    assert (honour.title, honour.reason) == ("一日の覇者", "1日の最高得点 +256.0（次点 +209.0）")
    row = next(row for row in asked.table.rows if row.name == "ほかの称号")
    assert row.detail.split("・") == ["波に乗る人", "締めの一番"]
    assert asked.pictures[0].alt.startswith("東風　第3シーズン：「一日の覇者」、レート ")
    shown = {text.text for text in written(asked.pictures[0].render)}
    assert {honour.title, honour.reason, "東風"} <= shown


# -- radar and rival


def _first_share(rows: Rows) -> float:
    """The share of the games that a player finished first."""
    return sum(row[0] == 1 for row in rows) / len(rows)


def test_the_radar_tells_how_a_member_stands() -> None:
    """Of all members together each axis has the mean 50 and the deviation 10."""
    league = LeagueWorld.again("demo")
    cards = [
        league.ask(f"個人 {name}").chart for name in ("みどり", "白發中", "東風", "まんがん太郎")
    ]
    assert [axis.name for axis in cards[0].axes] == list(map(brief_of, PROFILE))
    games = league.repository.snapshot().all_games(3)
    by_player = _plain(list(games))
    firsts = [_first_share(rows) for rows in by_player.values() if len(rows) >= 30]
    spread = statistics.pstdev(firsts)
    own = _first_share(by_player["みどり一色"])
    first = cards[0].axes[0]
    assert first.score == pytest.approx(
        50 + 10 * (own - statistics.mean(firsts)) / spread, abs=0.01
    )
    assert first.value == f"{100 * own:.1f}%"
    assert len({len(card.axes) for card in cards}) == 1
    assert not any(card.rough for card in cards)
    assert standard_score(3.0, [3.0, 3.0, 3.0]) == 50


def test_the_radar_is_pale_or_missing_with_few_games() -> None:
    assert LeagueWorld.again("undated").ask("個人 みどり").chart.rough
    assert LeagueWorld.again("one game").ask("個人 みどり").chart.axes == ()
    assert LeagueWorld.again("one player").ask("個人 みどり").chart.axes == ()


def test_the_rival_is_the_one_with_whom_games_are_the_most_even() -> None:
    league = LeagueWorld.again("nine")
    games = league.repository.snapshot().all_games(2)
    for name in NINE[:4]:
        rows = _plain(list(games))[name]
        met = {}
        for other in set(NINE) - {name}:
            met[other] = [row[4][other] for row in rows if other in row[4]]
        most = max(map(len, met.values()))
        evenness = {}
        for other, ahead in met.items():
            if len(ahead) >= 10 and 3 * len(ahead) >= most:
                evenness[other] = abs(statistics.mean(ahead) - 0.5)
        rival = league.ask(f"個人 {name}").chart.rival
        assert evenness[rival.name] == pytest.approx(min(evenness.values()))
        assert rival.ahead == sum(met[rival.name])
        assert rival.games == len(met[rival.name])
        assert rival.share == f"先着率 {rival.ahead / rival.games:.0%}（{rival.games}戦）"


def test_the_line_has_its_peak_wherever_in_a_day_it_was() -> None:
    league = LeagueWorld.again("nine")
    asked = league.ask("個人 みどり")
    course = asked.chart.course
    snapshot = league.repository.snapshot()
    line = league.repository.ratings(snapshot).rated("tenhou", 2).history["みどり"]
    assert course.values[course.peak] == max([line.start, *line.values])
    assert course.values[-1] == line.last
    assert course.places[-1] == len(line.values)
    assert list(course.places) == sorted(set(course.places))
    assert course.days == ("9/1", "9/20")
    # A line needs some games.
    day = [game("甲(+40.0)", "乙(-5.0)", "丙(-35.0)")]
    assert world("20260901", *day * 2).ask("個人 甲").chart.course is None
    course = world("20260901", *day * 3).ask("個人 甲").chart.course
    assert course.days == ("", "9/1")


# -- the answer


def test_the_table_says_only_what_the_picture_does_not() -> None:
    asked = LeagueWorld.again("demo").ask("個人 みどり")
    shown = {text.text for text in written(asked.pictures[0].render)}
    for row in asked.table.rows:
        assert row.value not in shown
        assert row.name not in shown or row.name == "着順"
    assert_messages_pass(asked.messages)


def test_details_are_a_tap_away_and_lead_back() -> None:
    league = LeagueWorld.again("demo")
    details = league.ask(league.ask("個人 みどり 9月").taps["くわしく"])
    assert details.pictures == []
    assert_messages_pass(details.messages)
    assert {"称号", "最低スコア", "連続ラス", "最高レート"} <= set(details.words.split("\n"))
    assert league.ask(details.taps["個人"]).words == league.ask("個人 みどり 9月").words


def test_the_badge_names_what_the_place_is_of() -> None:
    chart = LeagueWorld.again("nine").ask("個人 みどり").chart
    assert (chart.ranked_by, chart.among) == ("レート", "9人中")
    texts = written(lambda: draw(chart))
    assert "レート" in {text.text for text in texts if text.y < BANNER}


def test_a_title_of_ones_own_first_games_says_so() -> None:
    rules = {rule.name: rule for rule in RULES}
    opening = in_words(EarnedTitle(rules["opening"], 0.45, 0.4))
    closing = in_words(EarnedTitle(rules["closing"], 0.45, 0.4))
    assert opening.reason == "その日の自分の1戦目のトップ率 45.0%（次点 40.0%）"
    assert closing.reason == "その日の自分の最終戦のトップ率 45.0%（次点 40.0%）"


def test_one_knows_oneself() -> None:
    known = LeagueWorld.again("nine", "白發中")
    card = known.ask("自分")
    assert card.chart == known.ask("個人").chart
    assert known.ask("自分 1期").table.title == "白發中　第1シーズン"
    assert known.ask("自分 9月").table.title == "白發中　2026年9月"
    assert known.ask(known.ask("自分 1期").reply.question_data).table.title == "白發中　第1シーズン"
    asked = known.ask(card.taps["名前を変える"])
    assert "いまは「白發中」さんになっています" in asked.words
    assert "どのメンバーですか？" in LeagueWorld.again("nine").ask("自分").words
    # So can a member without games.
    toml = '[player."新顔"]\n[player."甲"]\n'
    league = world("20260901", game("甲(+40.0)", "乙(-5.0)", "丙(-35.0)"), toml=toml, me="新顔")
    assert "いまは「新顔」さんになっています" in league.ask("自分").words


THREE = ("甲(+40.0)", "乙(0.0)", "丙(-40.0)")


def cards(league: LeagueWorld, what: str) -> dict[str, tuple[str, str]]:
    """The cards by what stands above: the large value and the words below."""
    (part,) = league.ask(what).reply.parts
    assert isinstance(part, Cards)
    return {row.name: (row.value, row.detail) for row in part.rows}


def test_a_year_is_what_the_files_say(tmp_path: Path) -> None:
    ensure_demo(tmp_path / "demo")
    repository = LeagueRepository(open_logs(f"file:{tmp_path}/demo", {}))
    league = LeagueWorld({}, "みどり一色", repository=repository)
    snapshot = repository.snapshot()
    year = max(each.day.year for each in snapshot.all_games() if each.day)
    total = defaultdict[str, float](float)
    days = Counter[str]()
    placed: list[int] = []
    ahead = Counter[str]()
    met = Counter[str]()
    for each in snapshot.all_games():
        if each.day is None or each.day.year != year:
            continue
        for place, seat in enumerate(each.seats):
            total[seat.player] += seat.score + 2 * (seat.chips or 0)
            if seat.player == "みどり一色":
                placed.append(place)
                days[str(each.day)] += round(10 * seat.score)
                for other in each.players[:place] + each.players[place + 1 :]:
                    met[other] += 1
                    if each.players.index(other) > place:
                        ahead[other] += 1
    won = Counter[str]()
    for file in (tmp_path / "demo").rglob("*.mjlog"):
        text = gzip.decompress(file.read_bytes()).decode()
        names = [unquote(name) for name in re.findall(r'n\d="([^"]+)"', text)]
        for win in re.findall("<AGARI ([^>]+)>", text):
            found = dict(re.findall(r'(\w+)="(\d+)', win))
            kind = int(found["machi"]) // 4
            who = int(found["who"])
            honours = "東南西北白發中"
            face = f"{kind % 9 + 1}{'萬筒索'[kind // 9]}" if kind < 27 else honours[kind - 27]
            if names[who] == "みどり一色":
                won[face] += 1
    told = cards(league, f"request_year?from={year}-01-01&to={year}-12-31")
    games, balance = told[f"みどり　{year}年"]
    place = sorted(total.values(), reverse=True).index(total["みどり一色"]) + 1
    assert games == f"{len(placed)}戦"
    assert f"収支 {total['みどり一色']:+,.1f}（{len(total)}人中{place}位）" in balance
    assert "-".join(str(placed.count(n)) for n in range(3)) in balance
    assert f"{sum(placed) / len(placed) + 1:.2f}" in balance
    assert told["1日の最高得点（チップ別）"][0] == f"{max(days.values()) / 10:+,.1f}"
    often = [player for player, games_met in met.items() if games_met >= 10]
    share, other = min((ahead[player] / met[player], player) for player in often)
    shown = snapshot.league.shown(other)
    nemesis = told.get("天敵") or told["先着率がいちばん低い相手"]
    assert nemesis == (shown, f"先着率 {share:.1%}（{met[other]}戦）")
    (face, count), (_, second) = won.most_common(2)
    partner = (face, f"牌譜のアガリ{won.total()}回中{count}回") if count > second else None
    assert told.get("相棒の牌") == partner
    card = league.ask(f"request_player?from={year}-01-01&to={year}-12-31&player=みどり一色")
    assert told["称号"][0] in card.words  # docs/titles.md and its tests tell who earns it


def test_of_few_games_it_says_how_many_it_needs() -> None:
    nine_games = [game(*THREE)] * 9
    few = world("20260401", *nine_games, me="甲").ask("自分のまとめ")
    assert few.reply.parts == (Text("2026年のまとめは、10戦から出ます（いま9戦です）。"),)
    enough = world("20260401", *[game(*THREE)] * 10, me="丙")
    assert list(cards(enough, "自分のまとめ")) == [
        "丙　2026年",
        "天敵",
        "称号",
    ]  # no day won, no records
    lowest = cards(enough, "自分のまとめ 甲")["先着率がいちばん低い相手"]
    assert lowest == ("丙・乙", "先着率 100.0%（10戦）")


@pytest.mark.parametrize(
    ("day", "label"), [("12-24", ""), ("12-25", "自分の2026年"), ("12-32", "")]
)
def test_offered_once_in_the_last_week_of_the_year(world: BotWorld, day: str, label: str) -> None:
    more = [f"C1934 | 21:{n} | {LOG.splitlines()[1][16:]}\n" for n in range(10, 20)]
    world.write("logvol1.txt", LOG + "".join(more))
    evening = datetime(2026, 12, 1, 21, tzinfo=JST)
    world.now = evening + timedelta(days=int(day[3:]) - 1)
    first = world.say("収支")
    second = world.say("収支")
    offered = [name for name in taps(first) if name.startswith("自分の")]
    assert "自分の2026年" not in taps(second)
    if not label:
        assert offered == []
        return
    assert offered == [label]
    world.say("自分 みどり")
    tapped = world.tap(taps(first)[label])
    assert words_of(tapped) == words_of(world.say(label))


@pytest.mark.parametrize(
    ("day", "planned", "offered"),
    [
        (4, "", []),
        (4, "games = 2\n", ["year:s1"]),
        (31, "games = 2\n", ["year:s1"]),
        (32, "games = 2\n", []),
    ],
)
def test_a_season_is_offered_for_a_month_once_it_is_over(
    day: int, planned: str, offered: list[str]
) -> None:
    toml = f'[[season]]\nname = "春"\nlog = "logvol1.txt"\nstart = 2026-04-01\n{planned}'
    league = world("20260401", *[game(*THREE)] * 2, toml=toml)
    now = datetime(2026, 4, 1, tzinfo=JST) + timedelta(days=day - 1)
    assert [
        offer.mark
        for offer in own_years(
            replace(
                league.question(Command("sum")),
                now=now,
            ),
            last=None,
        )
    ] == offered
