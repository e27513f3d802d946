"""募集: one list a chat, which equals the truth of the taps whatever happens to them on their way."""

from __future__ import annotations

import random
from contextlib import nullcontext
from datetime import datetime

import pytest

from bot.answers.tonight.signup_list import SignUps, is_call, wanted
from bot.demo_chat import DEMO_GROUP, DEMO_USERS
from rating.logdates import JST
from storage.database import in_memory
from storage.notes import Values
from storage.state import State
from tests.answers.tonight.test_room import links, room
from tests.answers.world import ADMIN, MEMBER, OTHER, World, taps, words_of
from tests.fakes.tenhou_room import START, FakeRoom

__all__ = ["room"]
CALLS = (
    "募集",
    "21時から",
    "今日やる人？",
    "今夜打てる人いる？",
    "募集 22時半から",
    "三麻募集",
    "麻雀やる人いますか",
    "メンツ募集中！",
    "21:30から打つ人",
    "四人打ち募集します",
)
TALK = (
    "21時からドラマ見る",
    "募集要項を見て",
    "やる人？",
    "今日",
    "今日は打つ",
    "9時から仕事",
    "打つ人が足りないね",
    "三麻",
    "21時",
    "今日来る？",
    "今日打てる人",
    "",
)
EVENINGS = 40  # 1,000 have been played in the same way
IDS = [user.id for user in DEMO_USERS]


def list_of(answer: object) -> dict[str, str]:
    """What stands on the list in an answer."""
    lines = words_of(answer).split("\n")
    return {
        line.split(" ")[0]: lines[n + 1]
        for n, line in enumerate(lines)
        if line.startswith(("参加 ", "遅れる "))
    }


def test_a_list_opens_fills_by_taps_and_names_those_who_come(room: tuple[World, FakeRoom]) -> None:
    world, _ = room
    for user, name in ((MEMBER, "みどり一色"), (OTHER, "白發中")):
        world.tap(f"request_me?player={name}", user)
    opened = world.say("21時から")
    assert "21:00からの募集" in words_of(opened)
    buttons = taps(opened)
    assert list_of(world.tap(buttons["参加"])) == {"参加": "みどり"}
    assert list_of(world.tap(buttons["遅れる"], OTHER)) == {"参加": "みどり", "遅れる": "白發中"}
    assert list_of(world.tap(buttons["やめる"])) == {"参加": "まだいません", "遅れる": "白發中"}
    world.tap(buttons["参加"])
    full = world.tap(buttons["参加"], ADMIN)
    named = full[1]
    assert named["type"] == "textV2"
    assert named["text"].startswith(
        "3人そろいました！\n21:00から、よろしくお願いします：{m0}さん、{m1}さん、{m2}さん"
    )
    called = {part["mentionee"]["userId"] for part in named["substitution"].values()}
    assert called == {MEMBER, OTHER, ADMIN}
    assert "https://tenhou.net/0/?C1017" in links(full)
    assert '"clipboardText": "C1017"' in repr(full).replace("'", '"')
    assert "始める" not in taps(full)
    assert len(world.tap(buttons["遅れる"], ADMIN)) == 1  # it was full before
    shown = world.say("募集")
    assert taps(shown)["参加"] == buttons["参加"]
    world.later(hours=8)
    assert "この募集は終わっています" in words_of(world.tap(buttons["やめる"]))
    assert list_of(world.say("今日やる人？")) == {"参加": "まだいません"}
    assert "グループのトークで" in words_of(world.say("募集", chat=MEMBER))


def test_who_leaves_the_group_leaves_the_list_and_is_not_called(room: tuple[World, FakeRoom]) -> None:
    world, _ = room
    buttons = taps(world.say("募集"))
    for user in (MEMBER, OTHER):
        world.tap(buttons["参加"], user)
    world.platform.member_left(DEMO_GROUP, OTHER)
    assert len(list_of(world.say("募集"))["参加"].split("、")) == 1
    world.tap(buttons["参加"], IDS[3])
    world.platform.groups[DEMO_GROUP].members.remove(IDS[3])  # and LINE's event is lost
    left = world.tap(buttons["参加"], IDS[4])
    assert len(left) == 1
    assert len(list_of(left)["参加"].split("、")) == 2


@pytest.mark.parametrize("env", [{"START_GAMES": "on"}])
def test_one_of_them_starts_the_table_once_and_who_is_missing_is_named(
    room: tuple[World, FakeRoom], env: dict[str, str]
) -> None:
    world, there = room
    world.answering.rooms.may_start = True
    players = dict(zip((MEMBER, OTHER, ADMIN), ("みどり一色", "白發中", "東風(本人)"), strict=True))
    buttons = taps(world.say("募集"))
    for user in players:
        last = world.tap(buttons["参加"], user)
    begin = taps(last)["始める"]
    assert "天鳳の名前が分かりません" in words_of(world.tap(begin))
    for user, name in players.items():
        world.tap(f"request_me?player={name}", user)
        last = world.tap(buttons["参加"], user)
    assert "打つ人が押してください" in words_of(world.tap(begin, IDS[4]))
    there.waiting = ["みどり一色", "東風(本人)"]
    assert there.looks == []
    go = taps(world.tap(begin))["はい、始める"]
    assert "白發中さんが部屋にいません" in words_of(world.tap(go))
    there.waiting.append("白發中")
    assert "もう開始を伝えています" in words_of(world.tap(go))
    world.later(seconds=10)
    go = taps(world.tap(begin))["はい、始める"]
    assert "天鳳に開始を伝えました" in words_of(world.tap(go, ADMIN))
    for data in (go, taps(world.tap(begin))["はい、始める"]):
        assert "もう開始を伝えています" in words_of(world.tap(data))
    assert there.started == [["0019", "みどり一色", "白發中", "東風(本人)"]]
    assert [path for path, _ in there.looks] == [START, START]


@pytest.mark.parametrize("text", CALLS)
def test_a_call_for_players_is_understood(text: str) -> None:
    assert is_call(text)


@pytest.mark.parametrize("text", TALK)
def test_talk_calls_nobody(text: str) -> None:
    assert not is_call(text)


@pytest.mark.parametrize(
    ("text", "hour", "found"),
    [
        ("9時から", 20, (0, "21:00")),
        ("9時から", 8, (0, "9:00")),
        ("21時半から四麻", 19, (4, "21:30")),
        ("25時から三人", 22, (3, "1:00")),
        ("募集", 20, (0, "")),
        ("１時から", 23, (0, "1:00")),
    ],
)
def test_hours_and_seats_of_a_call(text: str, hour: int, found: tuple[int, str]) -> None:
    assert wanted(text, datetime(2026, 5, 4, hour, 30, tzinfo=JST)) == found


class Crash(Exception):
    pass


def evening(state: State, seed: int) -> tuple[list[tuple[str, bool]], list[tuple[str, bool]]]:
    """A random evening: taps that come late, twice, at once, and of which the process dies before or after it
    has written; the list in the end, and the truth by LINE's times of the taps."""
    rng = random.Random(seed)
    clock = datetime(2026, 5, 4, 20, tzinfo=JST)
    begin = clock.timestamp()
    signups = [SignUps(state.values, f"C{seed}", begin + rng.randrange(3)) for _ in range(3)]
    nonce = {each.open(clock, 3, "").nonce for each in signups}.pop()
    users = [f"U{n}" for n in range(rng.randrange(1, 8))]
    sent = [
        (
            begin + rng.randrange(2000) / 1000,
            rng.choice(users),
            rng.choice(("in", "in", "late", "out", "left")),
        )
        for _ in range(rng.randrange(1, 25))
    ]
    sent = list({(at, user): (at, user, word) for at, user, word in sent}.values())
    waiting = rng.sample(sent * 2, len(sent) * 2)
    before = {old: rng.random() for old in range(3)}

    def deliver() -> None:
        if not waiting:
            return
        at, user, word = waiting.pop()
        try:
            rng.choice(signups).tap("" if word == "left" else nonce, at, user, word, user, "")
        except Crash:
            waiting.insert(0, (at, user, word))

    real, depth = Values.replace, 0

    def at_once(values: Values, key: str, old: str, new: str, ttl: float | None = None) -> bool:
        nonlocal depth
        if depth < 3 and rng.random() < before[depth % 3] / 2:
            depth += 1
            deliver()
            depth -= 1
        if rng.random() < 0.05:
            raise Crash
        done = real(values, key, old, new, ttl)
        if rng.random() < 0.05:
            raise Crash
        return done

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Values, "replace", at_once)
        while waiting:
            deliver()
    shown = signups[0].now()
    assert shown is not None
    return [(person.user, person.late) for person in shown.people], truth(sent)


def truth(sent: list[tuple[float, str, str]]) -> list[tuple[str, bool]]:
    """Who comes, in the order of the first tap since each was last off the list."""
    found: list[tuple[float, str, bool]] = []
    for user in {user for _, user, _ in sent}:
        own = sorted((at, word) for at, who, word in sent if who == user)
        if own[-1][1] in ("in", "late"):
            off = max((n for n, (_, word) in enumerate(own) if word in ("out", "left")), default=-1)
            found.append((own[off + 1][0], user, own[-1][1] == "late"))
    return [(user, late) for _, user, late in sorted(found)]


def test_random_evenings_end_with_the_truth_of_the_taps() -> None:
    state = State(in_memory(lambda what, write: nullcontext(), lambda: 1.7e9))
    for seed in range(EVENINGS):
        shown, true = evening(state, seed)
        assert shown == true, seed
