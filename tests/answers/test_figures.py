"""The figures in answers: sums, the members meant, days and exported files; and figures in one
line, counted again from the games alone."""

import csv
import re
from collections import defaultdict
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest

from bot.answers.common.figures import WORDS, FigureWords
from bot.answers.standings import compare
from bot.chat.replies import Download, Downloads, Menu, Text
from rating.games import Game
from rating.statistics import STATISTICS, Statistic
from tests.answers.leagues import LEAGUES, NINE, Asked, LeagueWorld, game, log_of, world
from tests.real import SEASONS


def value(words: str) -> float:
    """The number in `+12.3`, `−4枚`, `318戦`."""
    number = words.rstrip("枚戦%※").replace(",", "")
    return float(number.replace("−", "-").replace("±", ""))


def values_of(asked: Asked) -> dict[str, float]:
    """The numbers of the first table, by name."""
    return {row.name: value(row.value) for row in asked.table.rows}


def sum_of(asked: Asked) -> float:
    return round(sum(value(row.value) for row in asked.table.rows), 6)


@pytest.fixture
def nine() -> LeagueWorld:
    return LeagueWorld(LEAGUES["nine"])


@pytest.mark.parametrize("season", ["1", "2", "all"])
def test_totals_are_zero_and_placings_are_games(nine: LeagueWorld, season: str) -> None:
    for name in ("sum", "point"):
        assert sum_of(nine.ask(f"request_{name}?season={season}")) == 0
    if season != "1":
        parts = nine.ask(f"request_tip?season={season}").table
        assert parts == nine.ask(f"request_sum?season={season}&show=parts").table
        chips = [row.extra[0].partition("（")[0] for row in parts.rows]
        assert sum(map(value, chips)) == 0
    for row in nine.ask(f"request_rank?season={season}").table.rows:
        counts, games = row.extra
        assert sum(map(int, counts.split("-"))) == value(games)


@pytest.mark.parametrize("path", SEASONS, ids=lambda path: path.name)
def test_the_real_seasons_add_up(path: Path) -> None:
    world = LeagueWorld({"logvol1.txt": path.read_bytes()})
    games = len(world.repository.snapshot().all_games())
    balance = world.ask("request_sum?season=all")
    if "ゲスト" not in balance.table.note:
        assert sum_of(balance) == 0
        rows = world.ask("着順 全部").table.rows
        counts = [row.extra[0].split("-") for row in rows]
        for place in range(3):
            assert sum(int(count[place]) for count in counts) == games
    assert "NoName" not in [row.name for row in balance.table.rows]


def test_chips_count_at_the_worth_of_their_season() -> None:
    log = "20260901\nC1 \nC1934 | 20:00 | 三般南喰赤祝 | a(+30.0,+5枚) b(0.0,-2枚) c(-30.0,-3枚)\n"
    rules = "[rules]\nchip = 2.0\n[[season]]\nlog = 'logvol1.txt'\nchip = 10\n"
    world = LeagueWorld(
        {"logvol1.txt": log.encode(), "logvol2.txt": log.encode(), "league.toml": rules.encode()}
    )
    for season, values in (
        ("1", ["+80.0", "−20.0", "−60.0"]),
        ("2", ["+40.0", "−4.0", "−36.0"]),
        ("全部", ["+120.0", "−24.0", "−96.0"]),
    ):
        rows = world.ask(f"収支 {season}").table.rows
        assert [row.value for row in rows] == values, season
    assert world.ask("request_sum?season=1&show=parts").table.rows[0].extra[0] == "+5枚（+50.0）"


def test_guests_are_opponents_but_not_listed() -> None:
    world = LeagueWorld(LEAGUES["one player"])
    balance = world.ask("収支").table
    assert [row.name for row in balance.rows] == [NINE[0]]
    assert "ゲスト" in balance.note
    assert value(balance.rows[0].extra[-1]) == 40


def test_three_and_four_seats_stay_apart() -> None:
    world = LeagueWorld(LEAGUES["twenty"])
    three = world.ask("request_rank?season=all")
    four = world.ask("request_rank?season=all&seats=4")
    for asked, seats, games in ((three, 3, 400), (four, 4, 20)):
        rows = asked.table.rows
        assert {row.extra[0].count("-") for row in rows} == {seats - 1}
        assert sum(value(row.extra[-1]) for row in rows) == seats * games
    assert any(tap["label"] == "四人打ち" for tap in three.choices)


def test_names_as_people_type_them(nine: LeagueWorld) -> None:
    """A near miss is answered at once, a near second name keeps the first, and an unknown one gets
    a list.
    """
    for typed in ("みどり", "ミドリ", "ﾐﾄﾞﾘ", "みどりさん", "み どり", "ミドリ君"):
        assert nine.ask(f"個人 {typed}").table.title.startswith("みどり　"), typed
    for typed, meant in (("みど", "みどり"), ("白発中", "白發中"), ("海底", "海底丸")):
        asked = nine.ask(f"個人 {typed}")
        assert not asked.refused
        assert asked.table.title.startswith(meant)
    assert nine.ask("対決 みどり 海底").table.title.startswith("みどり と 海底丸")
    assert len(nine.ask("個人 ぞうさん").reply.choices) == 10
    league = '[player."みどり"]\nname = "Midori Ito"\naliases = ["緑一色の人"]\n'
    world = LeagueWorld({**LEAGUES["one game"], "league.toml": league.encode()})
    for typed in ("緑一色の人", "midori ito", "ＭＩＤＯＲＩ　ＩＴＯ"):
        assert world.ask(f"個人 {typed}").table.title.startswith("Midori Ito　")


def test_my_own_rows_and_card() -> None:
    world = LeagueWorld(LEAGUES["nine"], NINE[2])
    for name in ("rating", "sum", "rank", "point", "tip"):
        marked = [row.name for row in world.ask(f"request_{name}").table.rows if row.mine]
        assert marked == [NINE[2]]
    assert world.ask("個人").table.title.startswith(NINE[2])
    assert world.ask("二人 みどり").table.title.startswith(f"{NINE[2]} と みどり")
    curves = world.ask("request_rating").chart.curves
    assert [curve.name for curve in curves if curve.asker] == [NINE[2]]


def test_saying_who_one_is(nine: LeagueWorld) -> None:
    menu = nine.ask("自分").reply.parts[0]
    assert isinstance(menu, Menu)
    assert len(menu.choices) == 9
    nine.ask(menu.choices[1].data)
    assert nine.state.chats.player("", nine.asker.user) == "白發中"
    nine.ask("自分 まん|がん")
    assert nine.state.chats.player("", nine.asker.user) == "まん|がん"
    nine.ask("request_me?do=forget")
    assert nine.state.chats.player("", nine.asker.user) == ""
    assert nine.ask("自分 ねこ").refused


def test_today_is_the_last_day_of_play_and_leads_back(nine: LeagueWorld) -> None:
    (day,) = nine.ask("今日").tables
    (games,) = nine.ask("request_today?show=games").tables
    assert len(games.rows) == 8
    assert round(sum(value(row.value) for row in day.rows), 6) == 0
    assert day.heads == ("点数", "着順", "チップ", "レート")
    before = next(
        data for label, data in nine.ask("今日").taps.items() if label.startswith("前の日")
    )
    assert nine.ask(before).table.title != day.title


def test_ratings_say_what_a_day_did_and_begin_where_rating_txt_says(nine: LeagueWorld) -> None:
    """The changes by the last day's games equal those in the rating table."""
    ratings = nine.ask("レーティング").table
    last = {row.name: row.extra[0] for row in ratings.rows}
    for row in nine.ask("今日").table.rows:
        assert row.extra[-1] == last[row.name]
    world = LeagueWorld({**LEAGUES["one game"], "rating.txt": "みどり 1900 400\n".encode()})
    found = {row.name: row for row in world.ask("レーティング").table.rows}
    assert value(found["みどり"].value) > 1880
    assert found["みどり"].extra[-1] == "401戦"


def test_recent_games_by_tens(nine: LeagueWorld) -> None:
    first = nine.ask("直近").table
    last = nine.ask("request_recent?page=36").table
    assert len(first.rows) == len(last.rows) == 10
    assert first.title.endswith("1/36")
    assert nine.ask("request_recent?page=99").table.title == last.title
    assert {row.name for row in nine.ask("直近 海底丸").table.rows} == {"海底丸"}


def test_two_against_two_and_what_is_not_there_yet(nine: LeagueWorld) -> None:
    found = nine.ask("request_rating?model=team_elo").table
    assert {row.name: row.extra for row in found.rows}["みどり"][-1] == "5戦※"
    assert "通算" in found.title
    few = LeagueWorld(LEAGUES["one game"])
    for what, words in (
        ("request_rating?model=team_elo", "2対2の記録はまだありません"),
        ("比較", "いまは1戦"),
        ("チーム", "チームはまだ決まっていません"),
    ):
        asked = few.ask(what)
        assert words in asked.words
        assert asked.refused


def test_a_picture_that_fails_leaves_the_figures(nine: LeagueWorld) -> None:
    """The picture's replacement and the table after it hold everything the card shows, as text."""
    asked = nine.ask("個人 みどり")
    tables = (*asked.pictures[0].instead, *asked.tables)
    words = [row.name for table in tables for row in table.rows]  # type: ignore[union-attr]
    assert {
        "称号",
        "レート",
        "最高レート",
        "最低レート",
        "平均着順",
        "着順",
        "実力（推定）",
    } <= set(words)
    assert {"点数（チップ別）", "最高スコア", "連続トップ", "ライバル"} <= set(words)


def test_the_exported_files(nine: LeagueWorld) -> None:
    asked = nine.ask("書き出し")
    files = {}
    assert isinstance(asked.reply.parts[0], Downloads)
    for file in asked.files.values():
        assert isinstance(file, Download)
        assert file.render().startswith(b"\xef\xbb\xbf")
        text = file.render().decode("utf-8-sig")
        files[file.name] = list(csv.reader(StringIO(text)))
    heads, *rows = files["雀録_対局_全シーズン_2026-11-05.csv"]
    assert len(rows) == 360
    assert heads[:5] == ["シーズン", "日付", "開始", "部屋", "ルール"]
    for row in rows:
        assert sum(float(row[i]) for i in (6, 9, 12)) == 0
    assert {len(row[1]) for row in rows} == {10}
    heads, *rows = files["雀録_成績_全シーズン_2026-11-05.csv"]
    assert {row[0] for row in rows} == set(NINE)
    points = heads.index("点数")
    assert round(sum(float(row[points]) for row in rows), 6) == 0
    assert "実力（推定）の誤差" in heads
    placings = [heads.index(f"{place}着") for place in (1, 2, 3)]
    for row in rows:
        assert sum(int(row[column]) for column in placings) == int(row[2])


def test_one_entry_is_a_board_a_row_of_the_card_and_a_column(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    thirds = Statistic(
        "thirds",
        "share",
        lambda own: own.tally.placings[2] / own.tally.games,
    )
    monkeypatch.setitem(STATISTICS, "thirds", thirds)
    monkeypatch.setitem(WORDS, "thirds", FigureWords("3着率"))
    league = LeagueWorld(LEAGUES["nine"])
    shares = {}
    for row in league.ask("着順 全部").table.rows:
        counts = list(map(int, row.extra[0].split("-")))
        shares[row.name] = counts[2] / sum(counts)
    board = league.ask("request_ranking?season=all&by=thirds").table
    assert board.title.startswith("3着率ランキング")
    assert {row.name: row.value for row in board.rows} == {
        p: f"{100 * s:.1f}%" for p, s in shares.items()
    }
    card = league.ask("request_player?player=みどり&season=all&show=details").tables[0]
    assert (
        next(row.value for row in card.rows if row.name == "3着率")
        == f"{100 * shares['みどり']:.1f}%"
    )
    files = league.ask("書き出し").files.values()
    (file,) = [file for file in files if "成績" in file.name]
    heads, *rows = csv.reader(StringIO(file.render().decode("utf-8-sig")))
    column = {row[0]: float(row[heads.index("3着率")]) for row in rows}
    assert column == {player: round(share, 4) for player, share in shares.items()}


def test_a_name_that_looks_like_a_formula_stays_a_name() -> None:
    from bot.answers.games.export import table_bytes

    wide = ("＝1", "＋1", "－1", "＠x", "\t=1", "\r=1", "-1")

    text = table_bytes([["=1+1", "@x", "-Д-", -5, None], list(wide)]).decode("utf-8-sig")
    lines = list(csv.reader(StringIO(text)))
    assert lines == [["'=1+1", "'@x", "'-Д-", "-5", ""], [f"'{begin}" for begin in wide]]


def test_a_comparison_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    once = compare.compare

    def counted(*args: object, **options: object) -> object:
        made.append(1)
        return once(*args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(compare, "compare", counted)
    files = {"logvol1.txt": log_of(NINE, 110)}
    world = LeagueWorld(files)
    first = world.ask("比較")
    world.asker = replace(world.asker, player=NINE[0])
    second = world.ask("比較")
    assert len(made) == 1
    assert first.table == second.table
    assert compare.CHANCE in first.words or "いちばん当たった" in first.words


def test_a_season_that_goes_on_has_a_leader_and_no_champion(nine: LeagueWorld) -> None:
    over = nine.ask("まとめ 1")
    running = nine.ask("まとめ 2")
    assert over.chart.champion.label == "優勝"
    assert "優勝は" in over.words
    # The season counts as over: nobody has played for a month.
    assert running.chart.champion.label == "優勝"
    going = LeagueWorld({"logvol1.txt": log_of(NINE, 400)}).ask("まとめ")
    assert going.chart.champion.label == "首位"
    assert "途中経過" in going.words


def test_teams_sum_their_members(nine: LeagueWorld) -> None:
    teams = values_of(nine.ask("チーム"))
    members = values_of(nine.ask("収支"))
    east = members["みどり"] + members["東風"]
    assert teams == {"東家": pytest.approx(east), "西家": members["白發中"]}
    course = nine.ask("request_team?view=course").chart
    ends = {curve.name: curve.ys[-1] for curve in course.curves}
    assert ends == pytest.approx(teams)


ME = "みどり"


def line(asked: LeagueWorld, data: str) -> str:
    (part,) = asked.ask(f"request_figure?{data}").reply.parts
    assert isinstance(part, Text)
    return part.text


def games_of(asked: LeagueWorld, season: int) -> tuple[Game, ...]:
    return asked.repository.snapshot().all_games(season)


def test_lines_are_what_the_games_say() -> None:
    """In the league of nine: a chip is worth 2.0 and season 1 has none."""
    asked = LeagueWorld.again("nine", ME)
    total = defaultdict(float)
    placed = defaultdict(list)
    for each in games_of(asked, 2):
        for seat in each.seats:
            better = sum(other.score > seat.score for other in each.seats)
            placed[seat.player].append(better)
            total[seat.player] += seat.score + 2 * (seat.chips or 0)
    order = sorted(total, key=lambda player: -total[player])
    place = order.index(ME) + 1
    own = placed[ME]

    def written(value: float) -> str:
        return f"{value:+,.1f}".replace("-", "−")

    said = line(asked, f"by=place&player={ME}")
    assert f"収支{place}位（{written(total[ME])}）" in said
    assert f"平均着順{sum(own) / len(own) + 1:.2f}" in said
    assert f"{len(own)}戦中{own.count(0)}回" in line(asked, f"by=first&player={ME}")
    assert f"（{len(own)}戦中{own.count(2)}回" in line(asked, f"by=last&player={ME}")
    assert line(asked, f"by=games&player={ME}").startswith(
        f"{ME}　第2シーズン：対局数 {len(own)}戦"
    )
    for player in order[1:]:
        gap = f"首位の{order[0]}と{total[order[0]] - total[player]:,.1f}差"
        assert gap in LeagueWorld.again("nine", player).ask("差").words
    assert f"2位の{order[1]}と{total[order[0]] - total[order[1]]:,.1f}差" in line(
        asked, f"by=gap&player={order[0]}"
    )
    assert f"首位は{order[0]}（収支{written(total[order[0]])}）" in line(asked, "by=leader")
    assert f"最下位は{order[-1]}（収支{written(total[order[-1]])}）" in line(asked, "by=bottom")
    assert f"第2シーズンの優勝は{order[0]}（収支{written(total[order[0]])}）です。" in line(
        asked, "by=winner"
    )


@pytest.mark.parametrize(
    ("by", "word"),
    [("nemesis", "低い"), ("prey", "高い")],
)
def test_the_opponent_with_the_lowest_and_the_highest_share(by: str, word: str) -> None:
    asked = LeagueWorld.again("nine", ME)
    met = defaultdict(list)
    for each in games_of(asked, 1):
        scores = {seat.player: seat.score for seat in each.seats}
        if ME not in scores:
            continue
        for other in set(scores) - {ME}:
            if scores[ME] == scores[other]:
                met[other].append(0.5)
            else:
                met[other].append(float(scores[ME] > scores[other]))
    often = {other: own for other, own in met.items() if len(own) >= 10}
    shares = {other: sum(own) / len(own) for other, own in often.items()}
    best = (min if by == "nemesis" else max)(shares.values())
    said = line(asked, f"by={by}&player={ME}&season=1")
    found = re.search(
        rf"先着率がいちばん{word}相手は(.+)（(.+)%）。.+と言える差はまだ見えません", said
    )
    assert found
    assert float(found[2]) == pytest.approx(100 * best, abs=0.05)
    assert {shares[name] for name in found[1].split("・")} == {best}


def test_who_is_level_and_who_is_alone() -> None:
    tie = world("20260901", game("甲(+20.0)", "乙(+20.0)", "丙(-40.0)"), me="乙")
    assert "首位は乙・甲（収支+20.0）。3位の丙と60.0差" in line(tie, "by=leader")
    assert "収支1位。3位の丙と60.0差" in line(tie, "by=gap&player=乙")
    assert "連続トップはまだ出せません" in line(tie, "by=firsts&player=丙")
    assert "天敵はまだ見えません" in line(tie, "by=nemesis&player=甲")
    assert "第1シーズンの優勝は乙・甲（収支+20.0）です。" in line(tie, "by=winner")
    # Where nobody is known, one is asked for a name.
    asked = LeagueWorld.again("nine")
    assert "見たい人の名前を押してください。" in asked.ask("何位").words
    assert "得意" in asked.ask("天敵").words
    assert "首位は" in asked.ask("首位との差").words
