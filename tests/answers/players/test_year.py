"""自分のまとめ: the cards of a member's year, counted again from the files alone; offered once."""

import gzip
import re
from collections import Counter, defaultdict
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from urllib.parse import unquote

import pytest

from bot.chat.command import Command
from bot.chat.replies import Cards, Text
from bot.dispatch.responder import own_years
from bot.league.demo import ensure_demo
from bot.league.repository import LeagueRepository
from rating.logdates import JST
from storage.stores import open_logs
from tests.answers.leagues import World as League, game, world
from tests.answers.world import LOG, World, taps, words_of

THREE = ("甲(+40.0)", "乙(0.0)", "丙(-40.0)")


def cards(league: League, what: str) -> dict[str, tuple[str, str]]:
    """The cards by what stands above: the large value and the words below."""
    (part,) = league.ask(what).reply.parts
    assert isinstance(part, Cards)
    return {row.name: (row.value, row.detail) for row in part.rows}


def test_a_year_is_what_the_files_say(tmp_path: Path) -> None:
    ensure_demo(tmp_path / "demo")
    repository = LeagueRepository(open_logs(f"file:{tmp_path}/demo", {}))
    league, snapshot = League({}, "みどり一色", repository=repository), repository.snapshot()
    year = max(each.day.year for each in snapshot.all_games() if each.day)
    total, days, placed = defaultdict[str, float](float), Counter[str](), list[int]()
    ahead, met = Counter[str](), Counter[str]()
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
                    ahead[other] += each.players.index(other) > place
    won = Counter[str]()
    for file in (tmp_path / "demo").rglob("*.mjlog"):
        text = gzip.decompress(file.read_bytes()).decode()
        names = [unquote(name) for name in re.findall(r'n\d="([^"]+)"', text)]
        for attributes in re.findall("<AGARI ([^>]+)>", text):
            tile, who = (
                int(re.search(rf'{a}="(\d+)"', attributes)[1]) // n for a, n in (("machi", 4), ("who", 1))
            )  # type: ignore[index]
            won[f"{tile % 9 + 1}{'萬筒索'[tile // 9]}" if tile < 27 else "東南西北白發中"[tile - 27]] += (
                names[who] == "みどり一色"
            )
    told = cards(league, f"request_year?from={year}-01-01&to={year}-12-31")
    games, balance = told[f"みどり　{year}年"]
    place = sorted(total.values(), reverse=True).index(total["みどり一色"]) + 1
    assert games == f"{len(placed)}戦"
    assert f"収支 {total['みどり一色']:+,.1f}（{len(total)}人中{place}位）" in balance
    assert "-".join(str(placed.count(n)) for n in range(3)) in balance
    assert f"{sum(placed) / len(placed) + 1:.2f}" in balance
    assert told["1日の最高得点（チップ別）"][0] == f"{max(days.values()) / 10:+,.1f}"
    share, other = min((ahead[p] / met[p], p) for p in met if met[p] >= 10)
    shown = snapshot.league.shown(other)
    assert (told.get("天敵") or told["先着率がいちばん低い相手"]) == (
        shown,
        f"先着率 {share:.1%}（{met[other]}戦）",
    )
    (tile, count), (_, second) = won.most_common(2)
    told_tile = ((tile, f"牌譜のアガリ{won.total()}回中{count}回")) if count > second else None
    assert told.get("相棒の牌") == told_tile
    card = league.ask(f"request_player?from={year}-01-01&to={year}-12-31&player=みどり一色")
    assert told["称号"][0] in card.words  # docs/titles.md and its tests tell who earns it


def test_of_few_games_it_says_how_many_it_needs() -> None:
    few = world("20260401", *[game(*THREE)] * 9, me="甲").ask("自分のまとめ")
    assert few.reply.parts == (Text("2026年のまとめは、10戦から出ます（いま9戦です）。"),)
    enough = world("20260401", *[game(*THREE)] * 10, me="丙")
    assert list(cards(enough, "自分のまとめ")) == ["丙　2026年", "天敵", "称号"]  # no day won, no records
    lowest = cards(enough, "自分のまとめ 甲")["先着率がいちばん低い相手"]
    assert lowest == ("丙・乙", "先着率 100.0%（10戦）")


@pytest.mark.parametrize(
    ("now", "label"), [((2026, 12, 24), ""), ((2026, 12, 25), "自分の2026年"), ((2027, 1, 1), "")]
)
def test_offered_once_in_the_last_week_of_the_year(
    world: World, now: tuple[int, int, int], label: str
) -> None:
    world.write(
        "logvol1.txt", LOG + "".join(f"C1934 | 21:{n} | {LOG.splitlines()[1][16:]}\n" for n in range(10, 20))
    )
    world.now = datetime(*now, 21, tzinfo=JST)
    first, second = world.say("収支"), world.say("収支")
    assert [name for name in taps(first) if name.startswith("自分の")] == [label] * bool(label)
    assert "自分の2026年" not in taps(second)
    if label:
        world.say("自分 みどり")
        assert words_of(world.tap(taps(first)[label])) == words_of(world.say(label))


@pytest.mark.parametrize(
    ("day", "planned", "offered"),
    [(4, "", []), (4, "games = 2\n", ["s1"]), (31, "games = 2\n", ["s1"]), (32, "games = 2\n", [])],
)
def test_a_season_is_offered_for_a_month_once_it_is_over(day: int, planned: str, offered: list[str]) -> None:
    toml = f'[[season]]\nname = "春"\nlog = "logvol1.txt"\nstart = 2026-04-01\n{planned}'
    league = world("20260401", *[game(*THREE)] * 2, toml=toml)
    now = datetime(2026, 4, 1, tzinfo=JST) + timedelta(days=day - 1)
    assert [mark for mark, _ in own_years(replace(league.question(Command("sum")), now=now))] == offered
