import re
from datetime import date, datetime
from unicodedata import normalize

import pytest
from hypothesis import given, strategies as st

from bot.texts import season_title
from rating.games import game_of
from rating.league import League, Season, parse_logs
from rating.league_file import (
    LeagueError,
    Place,
    line_of,
    parse_league,
    parse_ratings,
    strange_keys,
)
from tests.real import DATA

FAULTS = (DATA / "league_faults.txt").read_text("utf-8").splitlines()
TEXT = (DATA / "league.toml").read_text("utf-8")


def test_a_full_league_toml_is_read_without_strange_keys() -> None:
    assert strange_keys(TEXT) == []
    league = parse_league(TEXT)
    assert league.name == "雀録杯"
    assert league.rooms == ("C1234", "L5678")
    assert league.members_only
    season = league.seasons[0]
    assert season.start == datetime(2020, 7, 1)
    assert season.games == 120
    assert season.end == date(2020, 12, 31)
    assert league.shown("みどり一色") == "みどり"
    assert league.player_of("緑一色の人") == "みどり一色"
    assert league.player_of("旧名", date(2020, 5, 31)) == "みどり一色"
    assert league.player_of("旧名", date(2020, 6, 1)) == "旧名"
    assert league.is_guest("客")
    assert league.is_guest("NoName#2")
    assert league.teams[0].members == ("みどり一色", "白發中")
    assert league.rules.chip == 2.0
    assert league.rules.uma == (20.0, 0.0, -20.0)


def test_games_of_members_in_the_leagues_rooms_count() -> None:
    league = parse_league(TEXT)
    games = [
        game_of(["緑一色の人", "白發中", "客"], [1, 0, -1], room="C1234"),
        game_of(["みどり一色", "白發中", "だれか"], [1, 0, -1], room="C1234"),
        game_of(["みどり一色", "白發中", "客"], [1, 0, -1], room="C9999"),
    ]
    (counted,) = league.canonical(games)
    assert counted.players == ("みどり一色", "白發中", "客")


def test_names_in_the_file_are_compared_in_any_unicode_form() -> None:
    text = """[player."がくと"]
aliases = ["ガク", {name = "ガクト", until = 2020-06-01}]
[team."ガチ"]
members = ["がくと"]
"""
    assert parse_league(normalize("NFD", text)) == parse_league(text)
    league = parse_league(text)
    assert league.player_of(normalize("NFD", "ガクト"), date(2020, 5, 1)) == "がくと"


def test_two_tables_of_one_name_are_one_player() -> None:
    tables = ['[player."がくと"]\nname = "ガク"\naliases = ["甲"]\n']
    tables.append(
        normalize("NFD", '[player."がくと"]\nname = "別"\nrating = 1600\naliases = ["乙"]')
    )
    (player,) = parse_league("".join(tables)).players.values()
    aliases = tuple(alias.name for alias in player.aliases)
    assert (player.name, player.rating, aliases) == ("ガク", 1600.0, ("甲", "乙"))


def test_a_fault_of_a_table_in_nfd_has_its_line() -> None:
    text = normalize("NFD", '\n[player."がくと"]\nrating = "x"\n')
    with pytest.raises(LeagueError) as caught:
        parse_league(text)
    assert line_of(caught.value, text) == 3
    (strange,) = strange_keys(normalize("NFD", '\n\n[player."がくと"]\nnmae = "x"\n'))
    assert strange.line == 4


@pytest.mark.parametrize(
    "text",
    [
        'name = "{}"',
        '[[season]]\nname = "{}"',
        '[player."{}"]',
        '[player."甲"]\nname = "{}"',
        '[player."甲"]\naliases = ["{}"]',
        '[player."甲"]\naliases = [{{name = "{}"}}]',
        '[team."{}"]',
        '[team."東"]\nmembers = ["{}"]',
        '[ruleset."{}"]',
    ],
)
def test_a_name_has_at_most_a_hundred_characters(text: str) -> None:
    parse_league(text.format("あ" * 100))
    with pytest.raises(LeagueError, match="has 5000 characters, more than 100") as caught:
        parse_league(text.format("あ" * 5000))
    assert caught.value.code == "long_name"
    assert len(caught.value.reason) < 100


def test_first_of_several_shared_aliases_is_reported() -> None:
    aliases = [f"alias{number}" for number in range(20)]
    tables = [f'[player."{player}"]\naliases = {aliases}' for player in "ab"]
    with pytest.raises(LeagueError, match="alias0 is a already"):
        parse_league("\n".join(tables))


def test_characters_that_turn_text_around_are_not_shown() -> None:
    league = parse_league('name = "杯\u202e"\n[player."甲\u202e"]\n[player."乙"]\nname = "\u2066"')
    names = ("甲\u202e", "乙", "丙\u202e", "\u202e")
    assert [league.shown(name) for name in names] == ["甲", "乙", "丙", "?"]
    assert league.name == "杯"


def test_ratings_are_of_the_name_in_any_unicode_form() -> None:
    assert parse_ratings(normalize("NFD", "がくと 1600 10")) == ({"がくと": (1600.0, 10)}, [])


def test_without_a_file_each_number_of_a_log_is_a_season() -> None:
    league = League().with_logs(["logvol2.txt", "logvol10.txt", "rating.txt", "logvol1.txt"])
    assert [season.number for season in league.seasons] == [1, 2, 10]
    assert season_title(league.seasons[2]) == "第10シーズン"
    logs = ["logvol01.txt", "logvol1.txt", "logvol2.txt"]
    described = League(seasons=(Season(1, "logvol01.txt"),))
    assert [season.log for season in League().with_logs(logs).seasons] == logs[1:]
    assert [season.log for season in described.with_logs(logs[:2]).seasons] == ["logvol01.txt"]


def test_a_game_belongs_to_the_last_season_begun_in_jst() -> None:
    starts = ("2020-04-01", "2020-07-01T12:00:00")
    league = parse_league("".join(f"[[season]]\nstart = {start}\n" for start in starts))
    first, second = league.seasons
    assert league.season_at(datetime(2020, 7, 1, 11, 59)) == first
    assert league.season_at(datetime(2020, 7, 1, 12, 0)) == second
    assert league.season_at(datetime(2020, 3, 31, 23, 59)) is None
    starts = ("2020-06-30T15:00:00Z", "2020-09-01T00:00:00+09:00")
    league = parse_league("".join(f"[[season]]\nstart = {start}\n" for start in starts))
    assert [season.start for season in league.seasons] == [
        datetime(2020, 7, 1),
        datetime(2020, 9, 1),
    ]


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_named_with_its_line(fault: str) -> None:
    r"""A fault is a part of the message, the line, and the text, in which \n ends a line and
    9{5000} means 5000 nines."""
    message, line, text = fault.split(" ¦ ")
    text = re.sub(
        r"(.)\{(\d+)\}",
        lambda match: match[1] * int(match[2]),
        text.replace("\\n", "\n"),
    )
    with pytest.raises(LeagueError, match=r"league\.toml") as error:
        parse_league(text)
    assert message in str(error.value)
    assert line_of(error.value, text) == int(line)


def test_starting_ratings_and_names_of_some_time() -> None:
    starts, odd = parse_ratings(
        "# last year\nみどり一色 1612.5 120\n白發中 1500\nx y z\n\nw nan 3\n"
    )
    assert starts == {"みどり一色": (1612.5, 120), "白發中": (1500.0, 0)}
    assert odd == [(4, "x y z"), (6, "w nan 3")]
    template = '[player."{}"]\naliases = [{{ name = "{}", until = 2020-07-01 }}]\n'
    league = parse_league(template.format("A", "B") + template.format("B", "A"))
    before = date(2020, 6, 30)
    assert [league.player_of(name, before) for name in "AB"] == ["B", "A"]
    after = date(2020, 7, 1)
    assert [league.player_of(name, after) for name in "AB"] == ["A", "B"]
    assert [league.player_of(name) for name in "AB"] == ["A", "B"]


TODAY = date(2026, 11, 21)


def days(league: League, **files: str) -> dict[str, list[str]]:
    data = {f"{name}.txt": text.encode() for name, text in files.items()}
    logs = parse_logs(league.with_logs(data), data, TODAY)
    return {name: list(map(str, log.days)) for name, log in logs.items()}


def test_years_left_out_follow_from_the_other_seasons() -> None:
    dates = days(
        League(), logvol1="#4/7\n#12/20\n", logvol2="20210105\n", logvol10="#4/1\n#11/20\n"
    )
    assert list(dates) == ["logvol1.txt", "logvol2.txt", "logvol10.txt"]
    assert [*dates.values()] == [
        ["2020-04-07", "2020-12-20"],
        ["2021-01-05"],
        ["2026-04-01", "2026-11-20"],
    ]
    dates = days(
        League(), logvol1="#4/7\n#12/20\n", logvol2="#1/5\n#6/1\n", logvol3="#7/1\n#11/21\n"
    )
    wanted = [
        ["2025-04-07", "2025-12-20"],
        ["2026-01-05", "2026-06-01"],
        ["2026-07-01", "2026-11-21"],
    ]
    assert [*dates.values()] == wanted
    league = League(
        seasons=(
            Season(1, "logvol1.txt", start=datetime(2019, 4, 1)),
            Season(2, "logvol2.txt"),
        )
    )
    dates = days(league, logvol1="#4/7\n#3/1\n", logvol2="#4/2\n#5/1\n")
    assert dates["logvol1.txt"] == ["2019-04-07", "2020-03-01"]
    assert dates["logvol2.txt"] == ["2026-04-02", "2026-05-01"]


places = st.builds(
    Place,
    st.sampled_from(["player", "team", "rules"]),
    st.text(max_size=20),
    st.text(max_size=20),
) | st.builds(
    Place,
    st.just("season"),
    st.integers(1, 5),
    st.text(max_size=20),
)


@given(
    places | st.builds(Place, key=st.text(max_size=20)),
    st.text(max_size=200),
)
def test_any_place_and_text_give_a_line_of_the_text_or_none(place: Place, text: str) -> None:
    assert 0 <= line_of(LeagueError("not_a_table", place), text) <= text.count("\n") + 1
    strange_keys(text)
