"""名場面集 shows the best hands and moments of the members from the paifu kept, with three and four
seats apart; 今日の何切る: off by default, one position a day and never the same, votes by taps, the
next day's answer."""

import json
from datetime import date

import pytest

from bot.answers.paifu import gallery, quiz
from bot.answers.paifu.gallery import collection, size_words, yaku_words
from bot.answers.paifu.gallery_picture import Gallery, GalleryHand, draw
from bot.league.files import PAIFU_LOG, paifu_file
from bot.league.paifu_log import entry_of
from rating.paifu.formats import parse
from rating.paifu.melds import Meld, MeldType
from rating.paifu.recordlog import BestHand, log_bytes
from rating.paifu.situation import asks
from rating.paifu.tiles import parse as tiles_of
from tests.answers.paifu.world import ID, LEAGUE, RecordWorld
from tests.answers.world import MEMBER, OTHER, taps, words_of
from tests.draw.writing import overlaps, watched
from tests.rating.paifu.records import made, read
from tests.real import RECORDS
from tests.schema import assert_messages_pass, objects

pytestmark = pytest.mark.any_backend("shows records that test_statistics keeps on every backend")

HAND = BestHand(
    "東野",
    "東1局",
    tuple(tiles_of("123m456p789s22555s")),
    (),
    tiles_of("5s")[0],
    False,
    fu=40,
    value=2600,
    limit=0,
    yaku=(
        (0, 1),
        (1, 1),
        (54, 1),
        (53, 2),
        (20, 1),
    ),
    yakuman=(),
)


def test_what_a_hand_was_in_words() -> None:
    assert yaku_words(HAND) == "6翻40符　ツモ・立直・中・赤1・裏2"
    assert size_words(HAND._replace(limit=1)) == "満貫"
    assert (
        yaku_words(
            HAND._replace(
                yaku=(),
                yakuman=(39, 42),
                limit=5,
            )
        )
        == "役満　大三元・字一色"
    )
    assert size_words(HAND._replace(limit=5)) == "数え役満"


def test_the_answer(world: RecordWorld) -> None:
    for word in ("役満", "名場面", "めいばめん", "名場面集", "やくまん"):
        assert words_of(world.say(word)) == gallery.NO_HANDS, "how to send paifu"
    world.say(world.serve())
    world.send("a.mjlog", made(2).xml())
    world.send("b.mjlog", made(3, 3).xml())
    messages = world.say("役満")
    assert_messages_pass(messages)
    assert [message["type"] for message in messages] == ["image", "flex"]
    assert "名場面" in words_of(messages[1]["contents"])
    three = world.tap(taps(messages)["三人打ち"])
    assert_messages_pass(three)
    assert "四人打ち" in taps(three)
    mine = world.say("名場面 みなみ")
    assert_messages_pass(mine)
    assert "全員の名場面集" in taps(mine)
    assert "北山" not in json.dumps(messages, ensure_ascii=False), "no member"


def test_a_row_opens_the_report_of_its_paifu(world: RecordWorld) -> None:
    world.say(world.serve())
    actions = [
        found["data"] for found in objects(world.say("役満")) if found.get("type") == "postback"
    ]
    data = next(each for each in actions if each.startswith("request_record_report?"))
    assert data == f"request_record_report?id={ID}&scene=m0"
    assert_messages_pass(world.tap(data))


def test_the_best_come_first_and_everybodys_best_is_there(world: RecordWorld) -> None:
    for seed in range(4):
        world.send(f"{seed}.mjlog", made(seed).xml())
    world.look()
    snapshot = world.service.registry.league().snapshot()
    found = collection(snapshot, 4)
    ranks = [one.hand.rank for one in found.hands if one.hand]
    assert ranks == sorted(ranks, reverse=True)
    names = {"東野": "東野", "南原": "南原さん", "西田": "西田"}
    every = [
        (read(seed).players, win)
        for seed in range(4)
        for played in read(seed).rounds
        for win in played.wins
    ]
    wins = [
        (
            len(win.yakuman),
            win.value,
            names.get(
                players[win.seat],
                "",
            ),
        )
        for players, win in every
    ]
    wins = [win for win in wins if win[2]]
    assert ranks[0][:2] == max(wins)[:2]
    for player in names.values():
        best = max(one.hand.value for one in found.of(player).hands if one.hand)
        assert best == max(value for _, value, winner in wins if winner == player)


def test_lines_of_before_and_members_without_a_hand(world: RecordWorld) -> None:
    line = json.loads(
        log_bytes(
            [
                entry_of(
                    read(1),
                    "",
                    date(2026, 4, 1),
                )
            ]
        )
    )
    del line["hands"], line["moments"]
    (world.logs / PAIFU_LOG).write_bytes(json.dumps(line).encode() + b"\n")
    world.look()
    assert words_of(world.say("役満")) == gallery.NO_HANDS
    assert "牌譜1戦" in words_of(world.tap("request_paifu")[1]["contents"]), "it counts as before"
    world.send("a.mjlog", made(2).xml())
    world.write("league.toml", LEAGUE + '[player."海底"]\nname = "うみ"\n')
    assert words_of(world.say("役満 うみ")) == gallery.NOT_HIS.format(player="うみ")
    assert "見つかりません" in words_of(world.say("役満 だれか", MEMBER, MEMBER))


def drawn(**more: object) -> GalleryHand:
    parts = {
        "name": "まんがん太郎のとても長い名前",
        "colour": "#AA4499",
        "points": "192,000点",
        "yaku": yaku_words(HAND),
        "when": "2026/12/30　南4局12本場",
        "how": "ツモ",
        "yakuman": False,
        "hand": HAND.hand[1:],
        "tile": HAND.tile,
        "calls": (),
    }
    return GalleryHand(**{**parts, **more})  # type: ignore[arg-type]


@pytest.mark.parametrize("kans", [0, 1, 4])
def test_the_picture_can_be_read_and_nothing_overlaps(kans: int) -> None:
    calls = []
    for kind in range(9, 9 + kans):
        tiles = tuple(range(4 * kind, 4 * kind + 4))
        calls.append(Meld(MeldType.CLOSED_KAN, tiles, 4 * kind).tiles)
    for north in range(120, 120 + kans):
        calls.append(Meld(MeldType.KITA, (north,), north).tiles)
    hand = drawn(
        hand=HAND.hand[1 : 14 - 3 * kans],
        calls=tuple(calls),
    )
    every = drawn(
        yaku="役満　" + "・".join(["四暗刻単騎", "大三元", "字一色", "緑一色"] * 2), yakuman=True
    )
    gallery = Gallery("役満・名場面集　四人打ち", "牌譜2戦から", (hand, every))
    with watched() as texts:
        assert draw(gallery).startswith(b"\x89PNG")
    assert overlaps(texts) == []
    assert min(one.size for one in texts if len(one.text) > 1) >= 34, (
        "the signs on tiles are single ones"
    )


ON = LEAGUE.replace("[player", "quiz = true\n[player", 1)


def fill(world: RecordWorld, *stems: str) -> None:
    entries = []
    for path in RECORDS:
        if path.stem in stems:
            entry = entry_of(parse(path.read_bytes()), "", date(2026, 4, 1))
            entries.append(entry)
            place = world.logs / paifu_file(entry.file)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(path.read_bytes())
    (world.logs / "recordlog.txt").write_bytes(log_bytes(entries))
    world.write("league.toml", ON)


@pytest.mark.parametrize("stem", ["three-plain-1", "four-plain-1"])
def test_a_day_its_votes_and_the_answer(world: RecordWorld, stem: str) -> None:
    fill(world, stem)
    asked = world.say("今日の何切る")
    world.fetch(asked)
    tiles = {label: data for label, data in taps(asked).items() if "kind=" in data}
    assert 5 <= len(tiles) <= 13
    record = parse(next(path for path in RECORDS if path.stem == stem).read_bytes())
    assert not any(name in json.dumps(asked, ensure_ascii=False) for name in record.players)
    first, second, *_ = tiles
    assert "いま1票" in words_of(world.tap(tiles[first], MEMBER))
    assert "いま1票" in words_of(world.tap(tiles[second], MEMBER)), "the last vote counts"
    assert "いま2票" in words_of(world.tap(tiles[second], OTHER))
    assert words_of(world.tap("request_quiz?show=answer")) == quiz.NO_ANSWER
    world.later(days=1)
    assert words_of(world.tap(tiles[first], MEMBER)) == quiz.CLOSED
    picture, table, *_ = answer = world.tap("request_quiz?show=answer")
    assert "2票" in words_of(table)
    assert "正解" in words_of(table)
    assert "その後のツモ" in words_of(table)
    assert ("上位卓" in words_of(table)) == (record.seats == 3)
    assert any(name in words_of(table) for name in record.players)
    world.service.state.forget_user(OTHER)
    assert "　1票" in words_of(world.tap("request_quiz?show=answer")), (
        "a vote is forgotten with its member"
    )
    assert picture["type"] == "image"
    assert any(label.endswith("を見る") for label in taps(answer))


def test_it_is_off_by_default_and_never_the_same_twice(world: RecordWorld) -> None:
    assert words_of(world.say("何切る")) == quiz.OFF
    world.write("league.toml", ON)
    assert words_of(world.say("何切る")) == quiz.NONE
    fill(world, "three-yakuman")
    record = parse(next(path for path in RECORDS if path.stem == "three-yakuman").read_bytes())
    pictures = []
    for _ in range(len(asks(record)) + 1):
        pictures.append(words_of(world.say("何切る")))
        world.later(days=1)
    assert len(set(pictures)) == len(pictures) == len(asks(record)) + 1
    assert pictures[-1] == quiz.NONE
