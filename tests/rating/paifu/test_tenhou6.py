"""tenhou.net/6's JSON: every dialect, written from the records of the tests and read back."""

import copy
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from rating.logdates import JST
from rating.paifu.formats import HEAD_BYTES, is_record_name, parse, recognises, rename_player
from rating.paifu.record import Away, GamePlatform, NoWin, Record, Round
from rating.paifu.recordlog import game_key, key_of
from rating.paifu.statistics import of_record
from rating.paifu.tiles import PaifuError
from tests.rating.paifu.back import plain
from tests.rating.paifu.dialects import (
    DIALECTS,
    Dialect,
    Game,
    as_bytes,
    editor,
    exported,
    tenhou,
    tensoul,
    tensoul_py,
    tensoul_py_ng,
)
from tests.rating.paifu.records import checked, read, record_of
from tests.real import RECORDS

each_record = pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
each_dialect = pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.__name__)


@cache
def game_of_four() -> Game:
    """A game of four that has its end."""
    return exported(record_of(next(path for path in RECORDS if path.stem == "four-plain-1")))


def read_game(game: Any) -> Record:
    return parse(as_bytes(game))


def change_points(items: list[Any], points: int) -> None:
    """Change the points that a round's result gives to the first seat."""
    *_, result = items
    _, change, *_ = result
    change[0] += points


def change_first_hand(items: list[Any], face: int) -> None:
    """Put another tile into the first hand of a round."""
    _, _, _, _, hand, *_ = items
    hand[0] = face


def has_absence(played: Round) -> bool:
    """Whether somebody left during the round."""
    return any(isinstance(event, Away) for event in played.events)


def shown(record: Record) -> list[list[bool]]:
    """Which seats showed their hands at each end without a win."""
    seats_shown = []
    for played in record.rounds:
        ending = played.endings[0]
        if isinstance(ending, NoWin):
            seats_shown.append([hand is not None for hand in ending.shown])
    return seats_shown


@each_record
@each_dialect
def test_every_dialect_of_a_record_is_read_back(path: Path, dialect: Dialect) -> None:
    record = record_of(path)
    back = read_game(dialect(record))
    assert plain(back, order=False) == plain(record, order=False)
    assert back.problems == ()
    assert back.players == record.players
    assert back.seats == record.seats


@each_record
def test_export_loses_only_what_the_form_loses(path: Path) -> None:
    record = record_of(path)
    back = read_game(exported(record))
    assert back.rules == record.rules
    assert back.scores == record.scores
    assert shown(back) == shown(record)
    for played, own in zip(back.rounds, record.rounds, strict=True):
        for ending, own_ending in zip(played.endings, own.endings, strict=True):
            assert ending.before == own_ending.before
    if record.final is not None:
        assert back.final == record.final


@each_record
def test_statistics_of_an_export_are_those_of_the_record(path: Path) -> None:
    record = record_of(path)
    was_absent = record.rounds[-1].away or any(map(has_absence, record.rounds))
    back_record = read_game(exported(record))
    has_same_dora = plain(record, order=True) == plain(back_record, order=True)
    if was_absent or not has_same_dora:
        return  # absence and the time of a new dora are not in the form
    back = of_record(back_record)
    assert back.players == of_record(record).players


@each_dialect
def test_final_points_are_those_of_the_file(dialect: Dialect) -> None:
    record = read_game(game_of_four())
    back = read_game(dialect(record))
    assert back.final == record.final


def test_final_points_without_their_own_are_a_note() -> None:
    record = read_game(game_of_four())
    back = read_game(editor(record))
    assert back.final == record.final
    assert back.notes == (
        "the final points are those of the last round: the file has none of its own",
    )


def test_sticks_left_at_the_end_go_to_the_first() -> None:
    game = copy.deepcopy(game_of_four())
    del game["sc"]
    *_, last = game["log"]
    number, honba, _ = last[0]
    last[0] = [number, honba, 3]
    last[-1] = ["流局", [0, 0, 0, 0]]
    game["log"] = [last]
    record = read_game(game)
    after = record.rounds[-1].after
    assert record.final is not None
    assert sum(record.final) - sum(after) in (3000, 4000, 5000, 6000, 7000)
    assert max(record.final) > max(after)


def test_wrong_changes_are_replaced_by_the_next_deal() -> None:
    game = copy.deepcopy(game_of_four())
    right = read_game(game)
    change_points(game["log"][0], 1000)
    record = read_game(game)
    name = record.rounds[0].name
    note = f"{name}: its points are those of the next deal, not those of its result"
    assert record.notes == (note,)
    assert record.rounds[0].endings == right.rounds[0].endings


def test_wrong_changes_of_the_last_round_are_replaced_by_the_end() -> None:
    game = copy.deepcopy(game_of_four())
    right = read_game(game)
    *_, last = game["log"]
    change_points(last, 500)
    record = read_game(game)
    assert len(record.notes) == 1
    assert record.rounds[-1].after == right.rounds[-1].after
    assert record.final == right.final


def test_points_that_do_not_add_up_stay_as_written() -> None:
    game = copy.deepcopy(game_of_four())
    _, second, *_ = game["log"]
    _, points, *_ = second
    points[0] += 700
    record = read_game(game)
    assert f"{record.rounds[0].name}: the next deal begins with other points" in record.notes


def test_platform_and_time_of_each_converter() -> None:
    record = read_game(game_of_four())
    assert read_game(tenhou(record)).platform == GamePlatform.TENHOU
    assert read_game(editor(record)).platform == GamePlatform.UNKNOWN
    for dialect in (tensoul, tensoul_py, tensoul_py_ng):
        back = read_game(dialect(record))
        assert back.platform == GamePlatform.MAHJONG_SOUL
        assert back.played_at == datetime(2022, 5, 7, 19, 36, 42, tzinfo=JST)


@pytest.mark.parametrize("time", ["", "sample", None, True, -5, 1e300])
def test_title_without_a_time_has_none(time: Any) -> None:
    game = copy.deepcopy(game_of_four())
    game["title"] = ["", time]
    assert read_game(game).played_at is None


@each_record
def test_two_converters_of_a_game_give_one_key(path: Path) -> None:
    record = record_of(path)
    by_tensoul = read_game(tensoul(record))
    by_tensoul_py = read_game(tensoul_py(record))
    assert key_of(by_tensoul) == key_of(by_tensoul_py)
    assert game_key(by_tensoul) == game_key(record)


def test_seats_and_length_come_from_the_rounds() -> None:
    record = read(2, seats=3)
    game = tensoul(record)
    game["rule"] = {}
    back = read_game(game)
    assert back.seats == 3
    assert back.rules.south_rounds == any(played.number >= 4 for played in record.rounds)


def test_no_red_fives_where_the_rule_has_none() -> None:
    record = record_of(next(path for path in RECORDS if path.stem == "four-plain-1"))
    game = exported(record)
    text = as_bytes(game).decode()
    for red, plain_five in (("51", "15"), ("52", "25"), ("53", "35")):
        text = text.replace(f" {red},", f" {plain_five},").replace(f" {red}]", f" {plain_five}]")
    game_without = text.replace('"aka15"', '"aka51"')
    for five in ("51", "52", "53"):
        game_without = game_without.replace(f'"aka{five}": 1', f'"aka{five}": 0')
    back = parse(game_without.encode())
    assert back.rules.bits & 2
    assert len(back.rounds) + back.lost == len(record.rounds)


def test_four_red_fives_are_a_note() -> None:
    game = copy.deepcopy(game_of_four())
    game["rule"]["aka52"] = 2
    record = read_game(game)
    note = "there are two red fives of one kind: the second is shown as a plain one"
    assert note in record.notes


def test_player_without_a_name_is_called_by_the_seat() -> None:
    game = copy.deepcopy(game_of_four())
    game["name"] = ["AI", "", "AI"]
    assert read_game(game).players == ("AI", "席2", "AI", "席4")


def test_fault_in_a_round_costs_that_round() -> None:
    game = copy.deepcopy(game_of_four())
    rounds = len(game["log"])
    *_, last = game["log"]
    change_first_hand(last, 99)
    record = read_game(game)
    assert len(record.rounds) == rounds - 1
    assert record.lost == 1
    assert record.problems == (
        f"{read_game(game_of_four()).rounds[-1].name}: there is no tile '99'",
    )


def test_file_whose_last_round_is_lost_has_its_final_points() -> None:
    game = copy.deepcopy(game_of_four())
    game["log"][-1][-1] = ["和了"]
    assert read_game(game).final == read_game(game_of_four()).final
    del game["sc"]
    assert read_game(game).final is None


FAULTS = {
    "": "not a game record in a known format",
    '{"log": 1}': "it has no list of rounds",
    '{"log": []}': "the record holds no round",
    '{"log": [[1, 2': "the JSON is cut or broken in line 1",
    '{"log": [[[0,0,0]]]}': "no round has the tiles of three or four seats",
    '{"log": [NaN]}': "a number in it is no number",
    '{"log": ' + "[" * 40 + "]" * 40 + "}": "more than 12 levels",
    '{"log": ' + "9" * 5000 + "}": "a number in it is no number",
    '{"log": [' + "0," * 201 + "0]}": "more than 200 rounds",
    '{"log": [' + " " * 1024 * 1024 + "]}": "larger than 1 MB",
}


@pytest.mark.parametrize(("text", "message"), FAULTS.items())
def test_broken_file_is_refused_in_one_sentence(text: str, message: str) -> None:
    with pytest.raises(PaifuError, match=message) as caught:
        parse(text.encode())
    assert "\n" not in str(caught.value)


def test_file_in_another_encoding_is_refused() -> None:
    with pytest.raises(PaifuError, match="not in UTF-8"):
        parse('{"name": ["東野"], "log": [[]]}'.encode("cp932"))


def test_byte_order_mark_does_not_hide_a_game() -> None:
    data = b"\xef\xbb\xbf" + as_bytes(game_of_four())
    assert parse(data).rounds == read_game(game_of_four()).rounds


@each_dialect
def test_beginning_of_a_file_is_recognised(dialect: Dialect) -> None:
    data = as_bytes(dialect(read_game(game_of_four())))
    assert recognises(data[:HEAD_BYTES])
    assert is_record_name("game.JSON")


@pytest.mark.parametrize("text", ['{"a": 1}', "[1]", '"log"', '{"noted": 1, "name": "x"}'])
def test_other_json_is_not_recognised(text: str) -> None:
    assert not recognises(text.encode())


def test_renamed_player_is_in_no_place_of_the_file() -> None:
    record = read_game(game_of_four())
    old, *others = record.players
    data = rename_player(as_bytes(tensoul_py_ng(record)), {old}, "退会者1")
    assert old.encode() not in data
    assert parse(data).players == ("退会者1", *others)


Paths = list[tuple[Any, Any]]


def places_of(value: Any) -> Paths:
    """Every place in a JSON value, as the container and its key."""
    places: Paths = []
    keys: list[Any] = []
    if isinstance(value, list):
        keys = list(range(len(value)))
    elif isinstance(value, dict):
        keys = list(value)
    for key in keys:
        places.append((value, key))
        places += places_of(value[key])
    return places


VALUES = st.sampled_from([0, -1, 60, 52, 2**70, 1.5, True, None, "", "r60", "流局", []])


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_changed_file_is_read_or_refused_in_one_line(data: st.DataObject) -> None:
    game = copy.deepcopy(game_of_four())
    for _ in range(data.draw(st.integers(1, 3))):
        places = places_of(game)
        container, key = places[data.draw(st.integers(0, len(places) - 1))]
        container[key] = data.draw(VALUES)
    assert checked(as_bytes(game)) in (True, False)
