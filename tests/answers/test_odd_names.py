"""Names in two Unicode forms, very long ones, and ones that turn the text around."""

import json
from unicodedata import normalize

import pytest

from bot.answers.catalogue import CATALOGUE
from rating.names import LONGEST_NAME
from tests.answers.leagues import NINE, LeagueWorld, game, log_of, world
from tests.answers.test_every_answer import QUICK

GAKUTO = "がくと"
PLACES = [("(+40.0)", "(0.0)", "(-40.0)"), ("(0.0)", "(+40.0)", "(-40.0)")] * 2
INVISIBLE = "\u061c\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"
TURNED = "".join(f'[player."{name}"]\nname = "{name}\u202e点\u2066"\n' for name in NINE)
TURNED += '[[season]]\nname = "春\u202e"\n[team."東\u202e"]\nmembers = ["みどり"]\n'


def league_of_gakuto(form: str) -> LeagueWorld:
    """A league whose log has a name in both forms, and whose league.toml has it in `form`."""
    games = [game(f"{GAKUTO}{a}", f"つばき{b}", f"ひなた{c}") for a, b, c in PLACES]
    lines = [normalize("NFC" if n % 2 else "NFD", line) for n, line in enumerate(games)]
    toml = f"""members_only = true
[player."{GAKUTO}"]
name = "ガク"
[player."つばき"]
[player."ひなた"]
[team."東家"]
members = ["{GAKUTO}"]
"""
    files = {
        "rating.txt": f"{GAKUTO} 1600 10\n",
        "teamlog.txt": f"2026-09-04 | {GAKUTO} つばき ひなた 北家 | o x o\n",
    }
    forms = {name: normalize(form, text) for name, text in files.items()}
    return world("20260901", *lines, toml=normalize(form, toml), **forms)


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_name_in_two_unicode_forms_is_one_player(form: str) -> None:
    league = league_of_gakuto(form)
    snapshot = league.repository.snapshot()
    assert snapshot.problems == ()
    counts = [game.players.count(GAKUTO) for game in snapshot.all_games()]
    assert counts == [1] * len(PLACES)
    assert set(snapshot.league.players) == {GAKUTO, "つばき", "ひなた"}
    assert snapshot.starts[GAKUTO] == (1600.0, 10)
    assert snapshot.league.teams[0].members == (GAKUTO,)
    for typed in ("NFC", "NFD"):
        assert "ガク" in league.ask(normalize(typed, f"個人 {GAKUTO}")).words


@pytest.mark.parametrize("length", [LONGEST_NAME, 5000])
@pytest.mark.parametrize("name", QUICK)
def test_long_names_fit_into_messages_of_line(name: str, length: int) -> None:
    toml = f'name = "{"雀" * length}"\n[[season]]\nname = "{"春" * length}"\n'
    toml += "".join(f'[player."{p}"]\nname = "{p[0] * length}"\n' for p in NINE)
    league = LeagueWorld({"logvol1.txt": log_of(NINE, 60), "league.toml": toml.encode()}, NINE[0])
    for message in league.ask(CATALOGUE[name].data).messages:
        contents = message.get("contents", {})
        for bubble in contents.get("contents", [contents]):
            assert len(json.dumps(bubble, ensure_ascii=False).encode()) <= 30_720


@pytest.mark.parametrize("name", QUICK)
def test_no_message_has_characters_that_turn_text_around(name: str) -> None:
    league = LeagueWorld(
        {"logvol1.txt": log_of(NINE, 60), "league.toml": TURNED.encode()},
        NINE[0],
    )
    asked = league.ask(CATALOGUE[name].data)
    assert not set(asked.words) & set(INVISIBLE)


def test_what_a_member_types_is_not_turned_around_in_the_answer() -> None:
    league = LeagueWorld({"logvol1.txt": log_of(NINE, 30)}, NINE[0])
    assert not set(league.ask("対決 \u202eだれか").words) & set(INVISIBLE)
