"""危険度 in the chat reads a hand, discards and dora in the usual notation; all else gets a
sentence.
"""

import pytest

from bot.answers.common.rounds import tile_name
from bot.answers.paifu import danger
from bot.answers.paifu.danger import TypedTiles, read, shown
from bot.demo_chat import DEMO_GROUP
from rating.paifu.statistics import of_records
from rating.proportions import wilson
from tests.answers.paifu.world import LOG, RecordWorld
from tests.answers.world import taps
from tests.rating.paifu.records import made, read as read_record
from tests.real import cases
from tests.schema import assert_messages_pass

pytestmark = pytest.mark.any_backend("reads a question and records; nothing is kept")

HAND = "123m406p789s1123z"


@pytest.mark.parametrize("line", cases("tiles_typed.tsv"), ids=lambda line: line[0])
def test_notation(line: list[str]) -> None:
    words, *said = line
    found, odd = read(words.split())
    if len(said) == 1:
        assert odd == said[0]
    else:
        hand, rivers, indicator, dora = said
        assert (found, odd) == (
            TypedTiles(
                hand,
                tuple(rivers.split()),
                indicator,
                dora,
            ),
            "",
        )


DORAS = [
    ("3m", 4, "2m"),
    ("1p", 4, "9p"),
    ("1z", 4, "4z"),
    ("0p6p", 4, "4p5p"),
]
DORAS += [("5z", 3, "7z"), ("9m", 3, "1m")]


@pytest.mark.parametrize(("dora", "seats", "indicator"), DORAS)
def test_a_dora_lies_open_as_its_indicator(dora: str, seats: int, indicator: str) -> None:
    assert shown(
        TypedTiles(
            "1m",
            ("1z",),
            "2p",
            dora,
        ),
        seats,
    ) == TypedTiles("1m", ("1z",), f"2p{indicator}")


def test_a_picture_and_the_safest_discards(world: RecordWorld) -> None:
    messages = world.say(f"危険度 四麻 {HAND} 19m4p2z ドラ表示3m")
    assert_messages_pass(messages)
    assert [message["type"] for message in messages] == ["image", "text"]
    assert messages[1]["text"].split("\n") == [
        "安全：1萬、4筒、南",
        "通りやすい順：東 2.1%、西 4.3%、9索 6.7%",
        "いちばん危ない：6筒 11.6%",
        "％は放銃率の目安です（天鳳の四人打ち171,650戦での割合）。",
    ]


def test_nothing_and_everything_is_safe_and_three_have_two_rivers_at_most(
    world: RecordWorld,
) -> None:
    assert "安全：ありません" in world.say("危険度 456p 1z")[1]["text"]
    assert world.say("危険度 11z 1z")[1]["text"] == "安全：東"
    assert world.say("危険度 1p 1z 2z 3z")[0]["text"].startswith(
        danger.MANY_RIVERS.format(rivers=2)
    )


def test_a_league_of_three_has_no_two_to_eight_of_man(world: RecordWorld) -> None:
    for hand in ("19m19p1z", "三麻 19m19p1z", "19m19p1z サンマ"):
        lines = world.say(f"危険度 {hand} 5z")[1]["text"].split("\n")
        assert lines[1:3] == [
            "通りやすい順：1萬 8.3%、9萬 8.3%、東 8.3%",
            "いちばん危ない：9筒 12.4%",
        ]
        assert lines[-1].startswith("％は放銃率の目安です（天鳳の三人打ち最上位卓1,500戦")
    four = world.say("危険度 ヨンマ 19m19p1z 5z")[1]["text"]
    assert "いちばん危ない：9筒 6.7%" in four
    assert "9萬 6.7%" in four


@pytest.mark.parametrize(
    "words", ["123m1z 5z", "19m1z 5m", "19m1z 5z ドラ表示0m", "三麻 19m1z 5z ドラ2m"]
)
def test_two_to_eight_of_man_with_three_gets_one_sentence(world: RecordWorld, words: str) -> None:
    messages = world.say(f"危険度 {words}")
    assert [message.get("text") for message in messages] == [danger.ABSENT]
    assert danger.ABSENT.count("。") == 1
    assert world.tap(taps(messages)["四人打ちで見る"])[0]["type"] == "image"


def test_a_long_question_in_full_width_can_be_tapped_for_four(world: RecordWorld) -> None:
    """LINE's data of a button hold 300 characters, and a full-width one takes nine."""
    words = "１２３ｍ４０６ｐ７８９ｓ１１２３ｚ １９ｍ４ｐ２ｚ ５ｓ６ｓ７ｐ ドラ表示３ｍ"
    found = taps(world.say(f"危険度 {words}"))["四人打ちで見る"]
    assert world.tap(found)[0]["type"] == "image"


def test_rates_come_from_the_leagues_own_records(
    world: RecordWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rating.paifu.deal_in.ENOUGH", 4)
    for seed in range(4):
        world.send(f"{seed}.mjlog", made(seed, 3).xml())
    statistics = of_records(read_record(seed, 3) for seed in range(4))
    table = statistics.deal_ins[3].by_class()["456"]
    low, high = wilson(int(table["deal_ins"]), int(table["discards"]))
    words = f"{100 * table['rate']:.1f}%（{100 * low:.1f}〜{100 * high:.1f}%）"
    text = world.say("危険度 5p 1z")[1]["text"]
    assert f"赤5筒 {words}".replace("赤", "") in text
    assert "95%の範囲" in text


WRONG = (
    ("", danger.how(4)),
    (HAND, danger.NO_RIVER),
    ("河 123m", danger.NO_HAND),
    (f"{HAND} 1m 2m 3m 4m", danger.MANY_RIVERS.format(rivers=3)),
    ("123456789m123456p 1z", danger.MANY_TILES.format(tiles=15)),
    ("5m 1z ドラ11111m", "9萬の枚数が多すぎます。"),
    ("1111m 1m", "1萬の枚数が多すぎます。"),
    ("00m 1z", "赤5萬の枚数が多すぎます。"),
    ("5555m 0m", "5萬の枚数が多すぎます。"),
    (f"{HAND} 8z", danger.UNREAD.format(text="8z")),
)


def test_what_is_wrong_comes_with_an_example(world: RecordWorld) -> None:
    for words, sentence in WRONG:
        messages = world.say(f"危険度 四麻 {words}")
        assert_messages_pass(messages)
        text = messages[0]["text"]
        assert text.startswith(sentence), words
        assert text.count(danger.how(4)) == 1


def test_the_examples_of_the_help_work(world: RecordWorld) -> None:
    offered = taps(world.tap("request_danger"))
    for button in ("例を見る", "四人打ちの例"):
        assert world.tap(offered[button])[0]["type"] == "image"
    for seats, example in danger.EXAMPLES.items():
        assert example in danger.how(seats)


def test_without_a_game_there_are_four(world: RecordWorld) -> None:
    world.write("logvol1.txt", "")
    assert "123m406p" in world.say("危険度")[0]["text"]
    line = "L0000 | 20:00 | 四般南喰赤－ | 東野(+50.0) 西田(+2.0) 南原(-20.0) 北山(-32.0)\n"
    world.write("logvol1.txt", LOG + line)
    assert world.say("危険度 123m 5z")[0]["text"] == danger.ABSENT, (
        "as many games of three as of four"
    )


def test_talk_about_danger_is_left_alone(world: RecordWorld) -> None:
    said = world.platform.say(
        DEMO_GROUP, world.platform.groups[DEMO_GROUP].members[0], "危険 だったね"
    )
    world.tap("request_menu")
    assert not world.platform.replied(said)


def test_tiles_in_words() -> None:
    names = [tile_name(tile) for tile in (0, 16, 17, 52, 88, 107, 108, 132)]
    assert names == ["1萬", "赤5萬", "5萬", "赤5筒", "赤5索", "9索", "東", "中"]
