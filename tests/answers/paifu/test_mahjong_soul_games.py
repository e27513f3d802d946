"""A game of Mahjong Soul is counted after a confirmation, once, and can be taken back."""

from bot.answers.paifu.report import RECORD_GAME
from bot.answers.table_game import paifu_game
from bot.answers.table_game.record import REGISTERED
from bot.chat.command import Ask, data_of
from rating.roomlog import parse
from tests.answers.paifu.world import RecordWorld
from tests.answers.world import OTHER, taps, words_of
from tests.rating.paifu.dialects import as_bytes, editor, tensoul, tensoul_py
from tests.rating.paifu.records import read


def record_button(world: RecordWorld, data: bytes, name: str = "game.json", user: str = "") -> str:
    """The postback of the button below the report of a file."""
    messages = world.send(name, data, user or OTHER)
    return taps(messages)[RECORD_GAME]


def log_of(world: RecordWorld) -> str:
    return world.read("logvol1.txt")


def test_game_is_shown_and_counted_after_the_tap(world: RecordWorld) -> None:
    record = read(1)
    shown = world.tap(record_button(world, as_bytes(tensoul(record))))
    words = words_of(shown)
    assert "この内容で記録しますか？" in words
    assert "ゲストとして記録します" in words
    assert "直す" not in words
    assert "雀魂 |" not in log_of(world)
    assert "記録しました" in words_of(world.tap(taps(shown)["記録する"]))
    games = parse("logvol1.txt", log_of(world).encode()).games
    game = next(game for game in games if game.room == "雀魂")
    assert str(game.day) == "2022-05-07"
    assert sorted(seat.score for seat in game.seats) == sorted(record.scores or ())


def test_same_game_of_another_converter_is_registered(world: RecordWorld) -> None:
    record = read(1)
    shown = world.tap(record_button(world, as_bytes(tensoul(record))))
    world.tap(taps(shown)["記録する"])
    button = record_button(world, as_bytes(tensoul_py(record)), "again.json")
    assert words_of(world.tap(button)) == REGISTERED


def test_game_is_taken_back(world: RecordWorld) -> None:
    shown = world.tap(record_button(world, as_bytes(tensoul(read(1)))))
    world.tap(taps(shown)["記録する"])
    words = words_of(world.say("取り消し"))
    assert "雀魂の対局を取り消しました" in words
    assert "雀魂 |" not in log_of(world)


def test_results_are_those_of_the_league_where_the_file_has_none(world: RecordWorld) -> None:
    game = tensoul(read(1))
    del game["sc"]
    game["title"] = ["友人戦南喰赤", ""]
    words = words_of(world.tap(record_button(world, as_bytes(game))))
    assert paifu_game.NO_TIME in words


def test_game_of_another_platform_has_no_button(world: RecordWorld) -> None:
    messages = world.send("game.json", as_bytes(editor(read(1))), OTHER)
    assert RECORD_GAME not in taps(messages)


def test_room_of_mahjong_soul_alone_is_a_league(world: RecordWorld) -> None:
    league = world.read("league.toml")
    world.write("league.toml", f'rooms = ["雀魂"]\n{league}')
    shown = world.tap(record_button(world, as_bytes(tensoul(read(1)))))
    assert "記録しました" in words_of(world.tap(taps(shown)["記録する"]))
    assert "雀魂 | 19:36" in log_of(world)


def test_button_with_a_forged_file_is_refused(world: RecordWorld) -> None:
    for file in ("../league.toml", "file-00000000000000000000"):
        data = data_of(Ask.TABLE_GAME, paifu=file)
        assert words_of(world.tap(data)) == paifu_game.NOT_KEPT
