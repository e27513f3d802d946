"""Sets of rules by name, games at a table that stand apart from Tenhou's rating, and grades (段位);
and results as people type them: each is understood, asked back or left alone, none wrong."""

import random
import re

import pytest

from bot.answers.common.members import names_of
from bot.answers.table_game.typed_result import ResultReader, is_result
from bot.chat.replies import UserError
from bot.league.repository import LeagueRepository
from rating.dan import TENHOU, dan_of
from rating.games import Game, Seat
from rating.league import Rules
from rating.league_edit import TableRules, apply
from rating.league_file import LeagueError, parse_league
from rating.scoring import scoring_of
from tests.answers.leagues import MemoryLogs
from tests.answers.world import ADMIN, LEAGUE, LOG, BotWorld, taps, words_of
from tests.real import cases

TYPED = "結果 みどり 40000 東風 35000 白發中 30000"
FOUR = "結果 みどり 45000 東風 30000 白發中 15000 まん|がん 10000"
OWN = '[ruleset."うち"]\nstart = 30000\nreturn = 30000\numa = [10, 0, -10]\n[rules.table]\nset = "うち"\n'


def test_an_admin_chooses_the_rules_of_the_table_in_the_chat(world: BotWorld) -> None:
    shown = world.say("ルール")
    assert "卓のルール（天鳳）" in words_of(shown)
    assert (
        "持ち点\n35,000点\n返し\n40,000点\nウマ\n+20 / ±0 / −20\nオカ\nトップに+15.0"
        in words_of(shown)
    )
    assert "Mリーグ" not in taps(shown)
    button = taps(world.say("規定", ADMIN))["Mリーグ"]
    assert "管理者専用" in words_of(world.tap(button))
    world.tap(taps(world.tap(button, ADMIN))["確定"], ADMIN)
    assert world.read("league.toml").endswith('[rules."table"]\nset = "Mリーグ"\n')
    assert "卓のルール（Mリーグ）" in words_of(world.say("ルール"))
    assert "45,000点　+65.0" in words_of(world.say(FOUR))
    world.write("league.toml", LEAGUE + OWN)
    assert "合計が105,000点です。90,000点になるように" in words_of(world.say(TYPED))
    assert {"うち", "天鳳", "三麻"} < set(taps(world.say("ルール", ADMIN)))


def test_a_set_stands_below_what_is_said_beside_it() -> None:
    rules = parse_league(OWN + "oka = 5\n").rules.table
    assert rules is not None
    assert (rules.named, rules.start, rules.uma, rules.oka) == (
        "うち",
        30_000,
        (10.0, 0.0, -10.0),
        5.0,
    )
    new = apply(
        LEAGUE + "[rules]\nchip = 2.0 # two\n[rules.table]\numa = [5, 0, -5]\n", TableRules("三麻")
    )
    table = parse_league(new).rules.table
    assert "# two" in new
    assert table is not None
    assert (table.named, table.chip, table.uma) == (
        "三麻",
        2.0,
        (
            20.0,
            0.0,
            -20.0,
        ),
    )
    with pytest.raises(LeagueError, match="三麻"):
        parse_league('[rules.table]\nset = "四麻"\n')


def test_what_is_written_wrongly_is_named() -> None:
    for text in (
        *('table = "other"', "table = 1", 'dan = "x"', "[dan]\npoints = [1]\nlevels = []"),
        "[dan]\npoints = [1, 0, -1]\nlevels = [[1]]",
    ):
        with pytest.raises(LeagueError, match=r"table|dan"):
            parse_league(text)


def test_games_at_a_table_may_stand_apart_from_tenhou_s_rating(world: BotWorld) -> None:
    line = "卓 | 21:00 | 三般南喰赤－ | 白發中(+47.0) みどり一色(-9.0) 東風(本人)(-38.0)\n"
    before = str(world.say("レーティング"))
    world.write("logvol1.txt", LOG + line)
    together = str(world.say("レーティング"))
    sums = words_of(world.say("収支"))
    world.write("league.toml", 'table = "apart"\n' + LEAGUE)
    apart = str(world.say("レーティング"))
    values = [re.findall(r"\d位 (\S+ 1[45]\d\d)", words) for words in (before, together, apart)]
    assert values[0] == values[2]
    assert values[0] != values[1]
    assert words_of(world.say("収支")) == sums


def test_grades_by_tenhou_s_table_beside_a_second_reckoning(world: BotWorld) -> None:
    rng = random.Random(4)
    names = ("A", "B", "C", "D")
    for seats in (3, 4):
        games = []
        for _ in range(600):
            strengths = {
                name: rng.gauss(place * -8, 20) for place, name in enumerate(names[:seats])
            }
            order = sorted(strengths, key=strengths.__getitem__, reverse=True)
            rule = f"三般{rng.choice('東南')}喰赤－"
            games.append(Game(tuple(Seat(name, 0.0) for name in order), rule=rule))
        for name in names[:seats]:
            found = dan_of(games, name, TENHOU)
            level, points = reckoned(games, name, seats)
            assert found.name == TENHOU.grades[level].name
            assert found.points == pytest.approx(points)
    world.write("league.toml", 'dan = "tenhou"\n' + LEAGUE)
    assert "9級 0/20pt" in repr(world.say("個人 みどり"))
    world.write(
        "league.toml",
        LEAGUE + '[dan]\npoints = [5, 0, -5]\nlevels = [["見習い", 0, 10], ["師範", 20, 100]]\n',
    )
    assert "見習い 5/10pt" in repr(world.say("個人 みどり"))


def reckoned(
    games: list[Game],
    name: str,
    seats: int,
) -> tuple[int, float]:
    """The same from the manual's words, with the grades numbered from 0 (新人) to 20 (天鳳位)."""
    need = [
        20,
        20,
        20,
        20,
        40,
        60,
        80,
        100,
        100,
        100,
        *(400 * n for n in range(1, 11)),
    ]
    level = 0
    points = 0.0
    for game in games:
        if level == 20:
            break
        whole = 1.0 if game.rule[2] == "南" else 2 / 3
        place = [seat.player for seat in game.seats].index(name)
        if place == 0:
            points += (45 if seats == 3 else 30) * whole
        elif place == 1 and seats == 4:
            points += 15 * whole
        elif place == seats - 1 and level >= 8:
            points -= 15 * (level - 7) * whole
        if points >= need[level]:
            level += 1
            points = 200 * (level - 9) if 9 < level < 20 else 0
        elif points < 0:
            level = max(level - 1, 9) if level > 9 else level
            points = 200 * (level - 9) if level > 9 else 0
    return level, points


ALIASED = """
[player."みどり一色"]
name = "みどり"
aliases = ["緑一色の人"]
[player."白發中"]
aliases = ["はつ"]
[player."東風(本人)"]
name = "東風"
[player."まん|がん"]
[player."両面待ち"]
[player."三色のさくら"]
name = "さくら"
[player."Naoya731"]
"""
CASES = cases("typed_results.txt")


@pytest.fixture(scope="module")
def reader() -> ResultReader:
    snapshot = LeagueRepository(MemoryLogs({"league.toml": ALIASED.encode()})).snapshot()
    shown = {player: snapshot.league.shown(player) for player in snapshot.league.players}
    rules = {seats: scoring_of(Rules(), seats) for seats in (3, 4)}
    return ResultReader(names_of(snapshot), shown, rules, asker="みどり一色")


def understood(reader: ResultReader, text: str) -> str:
    """What is understood of a message, in the words of the file."""
    if not is_result(text):
        return "-"
    try:
        result = reader.read(text)
    except UserError as error:
        return "-" if error.chatter else "?"
    values = [str(v) for v in result.points] or [f"{v:+.1f}" for v in result.results]
    chips = [f" {c:+d}枚" for c in result.chips] or [""] * len(values)
    names = [reader._shown.get(player, player) for player in result.players]
    return ", ".join(f"{n} {v}{c}" for n, v, c in zip(names, values, chips, strict=True))


@pytest.mark.parametrize(
    ("text", "wanted"),
    CASES,
    ids=[text for text, _ in CASES],
)
def test_a_message_is_understood_asked_back_or_left_alone(
    reader: ResultReader, text: str, wanted: str
) -> None:
    assert understood(reader, text.replace("\\n", "\n")) == wanted
