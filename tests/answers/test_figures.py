"""The figures in answers: sums, the members meant, days and exported files."""

import csv
import subprocess
import sys
from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest

from bot.answers.common.figures import WORDS, FigureWords
from bot.answers.standings import compare
from bot.chat.replies import Download, Downloads, Menu, Table, Text
from rating.statistics import STATISTICS, Statistic
from tests.answers.leagues import LEAGUES, NINE, Asked, World, log_of
from tests.real import SEASONS


def tables(asked: Asked) -> list[Table]:
    return [part for part in asked.reply.parts if isinstance(part, Table)]


def table(asked: Asked) -> Table:
    return tables(asked)[0]


def value(words: str) -> float:
    """The number in `+12.3`, `−4枚`, `318戦`."""
    return float(words.rstrip("枚戦%※").replace("−", "-").replace("±", "").replace(",", ""))


def sum_of(asked: Asked) -> float:
    return round(sum(value(row.value) for row in table(asked).rows), 6)


@pytest.fixture
def nine() -> World:
    return World(LEAGUES["nine"])


@pytest.mark.parametrize("season", ["1", "2", "all"])
def test_totals_are_zero_and_placings_are_games(nine: World, season: str) -> None:
    for name in ("sum", "point"):
        assert sum_of(nine.ask(f"request_{name}?season={season}")) == 0
    if season != "1":
        parts = table(nine.ask(f"request_tip?season={season}"))
        assert parts == table(nine.ask(f"request_sum?season={season}&show=parts"))
        assert sum(value(row.extra[0].partition("（")[0]) for row in parts.rows) == 0
    for row in table(nine.ask(f"request_rank?season={season}")).rows:
        counts, games = row.extra
        assert sum(map(int, counts.split("-"))) == value(games)


@pytest.mark.parametrize("path", SEASONS, ids=lambda path: path.name)
def test_the_real_seasons_add_up(path: Path) -> None:
    world = World({"logvol1.txt": path.read_bytes()})
    games = len(world.repository.snapshot().all_games())
    balance = table(world.ask("request_sum?season=all"))
    if "ゲスト" not in balance.note:
        assert round(sum(value(row.value) for row in balance.rows), 6) == 0
        counts = [row.extra[0].split("-") for row in table(world.ask("着順 全部")).rows]
        assert [sum(int(c[place]) for c in counts) for place in range(3)] == [games] * 3
    for row in balance.rows:
        assert row.name != "NoName"


def test_chips_count_at_the_worth_of_their_season() -> None:
    log = "20260901\nC1 \nC1934 | 20:00 | 三般南喰赤祝 | a(+30.0,+5枚) b(0.0,-2枚) c(-30.0,-3枚)\n"
    rules = "[rules]\nchip = 2.0\n[[season]]\nlog = 'logvol1.txt'\nchip = 10\n"
    world = World({"logvol1.txt": log.encode(), "logvol2.txt": log.encode(), "league.toml": rules.encode()})
    assert [row.value for row in table(world.ask("収支 1")).rows] == ["+80.0", "−20.0", "−60.0"]
    assert [row.value for row in table(world.ask("収支 2")).rows] == ["+40.0", "−4.0", "−36.0"]
    assert [row.value for row in table(world.ask("収支 全部")).rows] == ["+120.0", "−24.0", "−96.0"]
    assert table(world.ask("request_sum?season=1&show=parts")).rows[0].extra[0] == "+5枚（+50.0）"


def test_guests_are_opponents_but_not_listed() -> None:
    world = World(LEAGUES["one player"])
    balance = table(world.ask("収支"))
    assert [row.name for row in balance.rows] == [NINE[0]]
    assert "ゲスト" in balance.note
    assert value(balance.rows[0].extra[-1]) == 40


def test_three_and_four_seats_stay_apart() -> None:
    world = World(LEAGUES["twenty"])
    three, four = world.ask("request_rank?season=all"), world.ask("request_rank?season=all&seats=4")
    assert {row.extra[0].count("-") for row in table(three).rows} == {2}
    assert {row.extra[0].count("-") for row in table(four).rows} == {3}
    assert sum(value(row.extra[-1]) for row in table(three).rows) == 3 * 400
    assert sum(value(row.extra[-1]) for row in table(four).rows) == 4 * 20
    assert any(tap["label"] == "四人打ち" for tap in three.choices)


@pytest.mark.parametrize("typed", ["みどり", "ミドリ", "ﾐﾄﾞﾘ", "みどりさん", "み どり", "ミドリ君"])
def test_names_as_people_type_them(nine: World, typed: str) -> None:
    assert table(nine.ask(f"個人 {typed}")).title.startswith("みどり　")


@pytest.mark.parametrize(("typed", "meant"), [("みど", "みどり"), ("白発中", "白發中"), ("海底", "海底丸")])
def test_a_near_miss_is_answered_at_once(nine: World, typed: str, meant: str) -> None:
    asked = nine.ask(f"個人 {typed}")
    assert not asked.refused
    assert table(asked).title.startswith(meant)


def test_aliases_name_their_player() -> None:
    league = '[player."みどり"]\nname = "Midori Ito"\naliases = ["緑一色の人"]\n'
    world = World({**LEAGUES["one game"], "league.toml": league.encode()})
    for typed in ("緑一色の人", "midori ito", "ＭＩＤＯＲＩ　ＩＴＯ"):
        assert table(world.ask(f"個人 {typed}")).title.startswith("Midori Ito　")


def test_a_near_second_name_keeps_the_first(nine: World) -> None:
    assert table(nine.ask("対決 みどり 海底")).title.startswith("みどり と 海底丸")


def test_my_own_rows_and_card() -> None:
    world = World(LEAGUES["nine"], NINE[2])
    for name in ("rating", "sum", "rank", "point", "tip"):
        marked = [row.name for row in table(world.ask(f"request_{name}")).rows if row.mine]
        assert marked == [NINE[2]]
    assert table(world.ask("個人")).title.startswith(NINE[2])
    assert table(world.ask("二人 みどり")).title.startswith(f"{NINE[2]} と みどり")
    curves = world.ask("request_rating").pictures[0].chart.curves
    assert [curve.name for curve in curves if curve.asker] == [NINE[2]]


def test_saying_who_one_is(nine: World) -> None:
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


def test_today_is_the_last_day_of_play_and_leads_back(nine: World) -> None:
    (day,) = tables(nine.ask("今日"))
    (games,) = tables(nine.ask("request_today?show=games"))
    assert len(games.rows) == 8
    assert round(sum(value(row.value) for row in day.rows), 6) == 0
    assert day.heads == ("点数", "着順", "チップ", "レート")
    before = next(tap for tap in nine.ask("今日").choices if tap["label"].startswith("前の日"))
    assert tables(nine.ask(before["data"]))[0].title != day.title


def test_what_a_day_did_to_the_ratings_is_what_the_season_says(nine: World) -> None:
    """The changes by the last day's games equal those in the rating table."""
    last = {row.name: row.extra[0] for row in table(nine.ask("レーティング")).rows}
    for row in table(nine.ask("今日")).rows:
        assert row.extra[-1] == last[row.name]


def test_recent_games_by_tens(nine: World) -> None:
    first, last = table(nine.ask("直近")), table(nine.ask("request_recent?page=36"))
    assert len(first.rows) == len(last.rows) == 10
    assert first.title.endswith("1/36")
    assert table(nine.ask("request_recent?page=99")).title == last.title
    assert {row.name for row in table(nine.ask("直近 海底丸")).rows} == {"海底丸"}


def test_two_against_two(nine: World) -> None:
    found = table(nine.ask("request_rating?model=team_elo"))
    assert {row.name: row.extra for row in found.rows}["みどり"][-1] == "5戦※"
    assert "通算" in found.title
    nothing = World(LEAGUES["one game"]).ask("request_rating?model=team_elo")
    assert nothing.refused
    assert "2対2の記録はまだありません" in nothing.words


def test_ratings_begin_where_rating_txt_says() -> None:
    world = World({**LEAGUES["one game"], "rating.txt": "みどり 1900 400\n".encode()})
    found = {row.name: row for row in table(world.ask("レーティング")).rows}
    assert value(found["みどり"].value) > 1880
    assert found["みどり"].extra[-1] == "401戦"


def test_a_picture_that_fails_leaves_the_figures(nine: World) -> None:
    """The picture's replacement and the table after it hold everything the card shows, as text."""
    asked = nine.ask("個人 みどり")
    words = [row.name for part in (*asked.pictures[0].instead, *tables(asked)) for row in part.rows]  # type: ignore[union-attr]
    assert {"称号", "レート", "最高レート", "最低レート", "平均着順", "着順", "実力（推定）"} <= set(words)
    assert {"点数（チップ別）", "最高スコア", "連続トップ", "ライバル"} <= set(words)


@pytest.fixture
def files(nine: World) -> dict[str, list[list[str]]]:
    asked = nine.ask("書き出し")
    assert isinstance(asked.reply.parts[0], Downloads)
    found = {}
    for file in asked.files.values():
        assert isinstance(file, Download)
        assert file.render().startswith(b"\xef\xbb\xbf")
        found[file.name] = list(csv.reader(StringIO(file.render().decode("utf-8-sig"))))
    return found


def test_the_exported_games(files: dict[str, list[list[str]]]) -> None:
    heads, *rows = files["雀録_対局_全シーズン_2026-11-05.csv"]
    assert len(rows) == 360
    assert heads[:5] == ["シーズン", "日付", "開始", "部屋", "ルール"]
    for row in rows:
        assert sum(float(row[i]) for i in (6, 9, 12)) == 0
    assert {len(row[1]) for row in rows} == {10}


def test_the_exported_standings(files: dict[str, list[list[str]]]) -> None:
    heads, *rows = files["雀録_成績_全シーズン_2026-11-05.csv"]
    assert {row[0] for row in rows} == set(NINE)
    assert round(sum(float(row[heads.index("点数")]) for row in rows), 6) == 0
    assert "実力（推定）の誤差" in heads
    for row in rows:
        assert sum(int(row[heads.index(f"{place}着")]) for place in (1, 2, 3)) == int(row[2])


def test_one_entry_is_a_board_a_row_of_the_card_and_a_column(monkeypatch: pytest.MonkeyPatch) -> None:
    thirds = Statistic("thirds", "share", lambda own: own.tally.placings[2] / own.tally.games)
    monkeypatch.setitem(STATISTICS, "thirds", thirds)
    monkeypatch.setitem(WORDS, "thirds", FigureWords("3着率"))
    league = World(LEAGUES["nine"])
    shares = {}
    for row in table(league.ask("着順 全部")).rows:
        counts = list(map(int, row.extra[0].split("-")))
        shares[row.name] = counts[2] / sum(counts)
    board = table(league.ask("request_ranking?season=all&by=thirds"))
    assert board.title.startswith("3着率ランキング")
    assert {row.name: row.value for row in board.rows} == {p: f"{100 * s:.1f}%" for p, s in shares.items()}
    card = tables(league.ask("request_player?player=みどり&season=all&show=details"))[0]
    assert next(row.value for row in card.rows if row.name == "3着率") == f"{100 * shares['みどり']:.1f}%"
    (file,) = [file for file in league.ask("書き出し").files.values() if "成績" in file.name]
    heads, *rows = csv.reader(StringIO(file.render().decode("utf-8-sig")))
    column = {row[0]: float(row[heads.index("3着率")]) for row in rows}
    assert column == {player: round(share, 4) for player, share in shares.items()}


def test_a_name_that_looks_like_a_formula_stays_a_name() -> None:
    from bot.answers.games.export import table_bytes

    wide = ("＝1", "＋1", "－1", "＠x", "\t=1", "\r=1", "-1")

    lines = list(
        csv.reader(StringIO(table_bytes([["=1+1", "@x", "-Д-", -5, None], list(wide)]).decode("utf-8-sig")))
    )
    assert lines == [["'=1+1", "'@x", "'-Д-", "-5", ""], [f"'{begin}" for begin in wide]]


def test_a_comparison_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    once = compare.compare

    def counted(*args: object, **options: object) -> object:
        made.append(1)
        return once(*args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(compare, "compare", counted)
    files = {"logvol1.txt": log_of(NINE, 110)}
    world = World(files)
    first = world.ask("比較")
    world.asker = replace(world.asker, player=NINE[0])
    second = world.ask("比較")
    assert len(made) == 1
    assert table(first) == table(second)
    assert compare.CHANCE in first.words or "いちばん当たった" in first.words


def test_too_few_games_to_compare() -> None:
    asked = World(LEAGUES["one game"]).ask("比較")
    assert asked.refused
    assert "いまは1戦" in asked.words


def test_a_season_that_goes_on_has_a_leader_and_no_champion(nine: World) -> None:
    over, running = nine.ask("まとめ 1"), nine.ask("まとめ 2")
    assert over.pictures[-1].chart.champion.label == "優勝"
    assert "優勝は" in over.words
    # The season counts as over: nobody has played for a month.
    assert running.pictures[-1].chart.champion.label == "優勝"
    going = World({"logvol1.txt": log_of(NINE, 400)}).ask("まとめ")
    assert going.pictures[-1].chart.champion.label == "首位"
    assert "途中経過" in going.words


def test_no_teams_yet() -> None:
    asked = World(LEAGUES["one game"]).ask("チーム")
    assert isinstance(asked.reply.parts[0], Text)
    assert "チームはまだ決まっていません" in asked.words


def test_teams_sum_their_members(nine: World) -> None:
    teams = {row.name: value(row.value) for row in table(nine.ask("チーム")).rows}
    own = {row.name: value(row.value) for row in table(nine.ask("収支")).rows}
    assert teams == {"東家": pytest.approx(own["みどり"] + own["東風"]), "西家": own["白發中"]}
    course = nine.ask("request_team?view=course").pictures[0].chart
    assert {curve.name: curve.ys[-1] for curve in course.curves} == pytest.approx(teams)


def test_answers_load_no_drawing_library() -> None:
    program = "import sys, bot.answers.catalogue; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
