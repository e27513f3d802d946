"""What is kept of a user and a message ends when they say so, and a chat where names are hidden
tells none."""

import json
from dataclasses import replace
from urllib.request import urlopen

import pytest
from sqlalchemy import select

from bot.answers.catalogue import CATALOGUE
from bot.answers.common.confirm import EXPIRED
from bot.answers.tonight.signup_list import SignUpList, SignUpWord
from bot.chat.command import Command, Question
from bot.chat.replies import Downloads
from bot.demo_chat import DEMO_GROUP
from bot.dispatch.responder import QuotableAnswers
from bot.league.paifu_log import entry_of, keep_paifu
from rating.paifu.formats import parse
from storage.schema import EVENTS, VALUES
from tests.answers import leagues
from tests.answers.leagues import LEAGUES, NINE
from tests.answers.test_every_answer import QUICK
from tests.answers.world import (
    ADMIN,
    LOG,
    MEMBER,
    NAMES,
    OTHER,
    BotWorld,
    away,
    links,
    taps,
    words_of,
)
from tests.rating.paifu.records import made

PEOPLE = tuple(f"ひと{n}号" for n in range(len(NINE)))


class Hidden(leagues.LeagueWorld):
    """A league in a chat where names are hidden."""

    def question(self, command: Command) -> Question:
        question = super().question(command)
        snapshot = question.snapshot.hidden
        return replace(question, snapshot=snapshot, ratings=self.repository.ratings(snapshot))


def renamed(data: bytes) -> bytes:
    for name, other in zip(NINE, PEOPLE, strict=True):
        data = data.replace(name.encode(), other.encode())
        data = data.replace(
            json.dumps(name)[1:-1].encode(),
            json.dumps(other)[1:-1].encode(),
        )
    return data


@pytest.mark.parametrize("league", ["nine", "twenty"])
def test_no_answer_picture_or_file_names_anybody(league: str) -> None:
    world = Hidden(
        {name: renamed(data) for name, data in LEAGUES[league].items()},
        PEOPLE[0],
    )
    for name in QUICK:
        for data in (
            CATALOGUE[name].data,
            f"{CATALOGUE[name].data}?player={PEOPLE[1]}&other={PEOPLE[2]}",
        ):
            asked = world.ask(data)
            files = [
                f.data
                for part in asked.reply.parts
                if isinstance(part, Downloads)
                for f in part.files
            ]
            charts = [picture.chart for picture in asked.pictures]
            told = asked.words + repr(charts) + b"".join(files).decode()
            told += json.dumps([m.get("altText") for m in asked.messages], ensure_ascii=False)
            assert not [person for person in PEOPLE if person in told], data


def test_names_are_hidden_in_one_chat_until_they_are_shown_again(world: BotWorld) -> None:
    world.say("自分 みどり")
    assert "名前を伏せます" in words_of(world.say("名前を伏せる"))
    told = (
        words_of(world.say("収支"))
        + words_of(world.say("自分"))
        + words_of(world.say("個人 みどり"))
    )
    assert not [name for name in (*NAMES, "みどり") if name in told]
    assert "A" in words_of(world.say("自分"))
    assert "みどり" in words_of(world.say("収支", MEMBER, MEMBER)), "another chat"
    assert "名前を伏せているトークではできません" in words_of(world.say("メンバー", ADMIN))
    link = page_link(world, DEMO_GROUP)
    for more in ("", "/figures?ask=figures"):
        with urlopen(link + more) as page:
            body = page.read().decode()
        assert "A" in body
        assert not [name for name in (*NAMES, "みどり") if name in body]
    world.say("名前を表示する")
    assert "みどり" in words_of(world.say("収支"))


def test_a_hidden_chat_names_nobody_on_the_evening(world: BotWorld) -> None:
    """Neither who took part before names were hidden, nor whom LINE alone names."""
    world.say("自分 みどり")
    join_evening(world, MEMBER)
    stranger = join_evening(world, OTHER)
    assert "みどり" in stranger
    world.say("名前を伏せる")
    shown = words_of(world.say("募集"))
    assert "参加 2人\nA、ほかの人" in shown
    listed = stranger.split("参加 2人\n")[1].split("\n")[0]
    assert not [name for name in listed.split("、") if name in shown]


def page_link(world: BotWorld, chat: str) -> str:
    return next(
        url
        for _, url in links(
            world.say(
                "ページ",
                MEMBER,
                chat,
            )
        )
        if "/league/" in url
    )


RECORD = made(1).xml()


@pytest.mark.parametrize("first", ["shown", "hidden"])
@pytest.mark.parametrize("path", ["", "/figures?ask=figures", "/record?game={file}"])
def test_a_link_without_names_shows_none_after_another(
    world: BotWorld, path: str, first: str
) -> None:
    """The page keeps its answers: each link gets its own, whichever was opened first."""
    entry = entry_of(parse(RECORD))
    keep_paifu(world.service.stores.open_logs(), RECORD, entry, world.now)
    world.look()
    world.say("名前を伏せる")
    page_links = {"shown": page_link(world, MEMBER), "hidden": page_link(world, DEMO_GROUP)}
    names = {*NAMES, "みどり", *parse(RECORD).players}
    bodies = {}
    for kind in sorted(page_links, key=lambda kind: kind != first):
        with urlopen(page_links[kind] + path.format(file=entry.file)) as page:
            bodies[kind] = page.read().decode()
    assert [name for name in names if name in bodies["shown"]]
    assert not [name for name in names if name in bodies["hidden"]]


def kept(world: BotWorld, word: str) -> list[str]:
    """The tables in which an id still stands."""
    database = world.service.state.database
    found = []
    for table in EVENTS.metadata.tables.values():
        rows = database.rows(select(table))
        found += [f"{table.name} {row}" for row in rows if word in str(tuple(row))]
    return found


def test_a_member_is_forgotten_when_that_is_confirmed(world: BotWorld) -> None:
    world.say("自分 みどり")
    world.say("メニュー", MEMBER, MEMBER)
    assert "1対1" in words_of(world.say("わたしを削除"))
    asked = world.say("わたしを削除", MEMBER, MEMBER)
    assert "みどり" in words_of(asked)
    assert kept(world, MEMBER)
    assert "何も変えていません" in words_of(world.tap(taps(asked)["やめる"], MEMBER, MEMBER))
    assert world.service.access.player_of("", MEMBER) == "みどり一色"
    assert "削除しました" in words_of(world.tap(taps(asked)["削除する"], MEMBER, MEMBER))
    assert world.service.access.player_of("", MEMBER) == ""
    write_answers(world)
    assert kept(world, MEMBER) == []


def write_answers(world: BotWorld) -> None:
    """Have every process write what its sent answers were about, as its background loop does."""
    for service in world.bot.services:
        service.background.stop()
        service.responder.quotable.write()


def join_evening(world: BotWorld, user: str) -> str:
    """Have a user take part in the evening of the group; the text of the list then."""
    return words_of(world.tap(taps(world.say("募集", user))["参加"], user))


def forget(world: BotWorld, user: str) -> None:
    asked = world.say("わたしを削除", user, user)
    assert "削除しました" in words_of(world.tap(taps(asked)["削除する"], user, user))


def test_deletion_takes_the_member_off_the_evening(world: BotWorld) -> None:
    for user, player in ((MEMBER, "みどり"), (OTHER, "東風")):
        world.say(f"自分 {player}", user)
        shown = join_evening(world, user)
    assert "みどり、東風" in shown
    forget(world, MEMBER)
    write_answers(world)
    assert kept(world, MEMBER) == []
    assert "参加 1人\n東風" in words_of(world.say("募集", OTHER))


def test_leaving_takes_the_id_off_the_evening(world: BotWorld) -> None:
    shown = join_evening(world, OTHER)
    assert "参加 1人" in shown
    world.platform.member_left(DEMO_GROUP, OTHER)
    assert "参加 0人" in words_of(world.say("募集", MEMBER))
    (group_list,) = world.service.state.values.items("signup:").values()
    assert OTHER not in group_list


def test_leaving_takes_the_id_off_a_list_that_is_over(world: BotWorld) -> None:
    join_evening(world, OTHER)
    world.later(hours=10)
    world.platform.member_left(DEMO_GROUP, OTHER)
    (group_list,) = world.service.state.values.items("signup:").values()
    assert OTHER not in group_list


def test_deletion_forgets_what_the_own_chat_began(world: BotWorld) -> None:
    """A confirmation and a session of team matches name the chat, which is the user's id."""
    values = world.service.state.values
    for key in ("edit:0123", "team:4567"):
        values.put(key, json.dumps({"chat": MEMBER, "line": "x"}))
        values.put(f"{key}8", json.dumps({"chat": OTHER, "line": "x"}))
    forget(world, MEMBER)
    assert values.present(["edit:0123", "team:4567"]) == set()
    assert values.present(["edit:01238", "team:45678"]) == {"edit:01238", "team:45678"}


def test_answers_are_not_noted_for_a_forgotten_user(world: BotWorld) -> None:
    """Another process may note an answer of the user's chat after the deletion."""
    other = QuotableAnswers(world.service.state)
    for chat in (MEMBER, DEMO_GROUP):
        other.note(chat, ["4711"], "request_sum")
    forget(world, MEMBER)
    other.write()
    assert kept(world, MEMBER) == []
    assert other.question(DEMO_GROUP, "4711") == "request_sum"


NORTH = "C" + "7" * 32


@pytest.fixture
def two_leagues(world: BotWorld) -> BotWorld:
    """The user OTHER gave a name in the root and in the league `north`, and voted in both."""
    state = world.service.state
    world.service.access.enrol(NORTH, "north")
    for league, group in (("", DEMO_GROUP), ("north", NORTH)):
        state.chats.set_player(league, OTHER, "みどり一色")
        state.values.put(f"greeted:{group}:{OTHER}", "1")
        state.values.put(f"quiz-vote/{league}/2026-05-04/{OTHER}", "[1, 2]")
    return world


def leave(world: BotWorld, group: str) -> None:
    left = {"members": [{"type": "user", "userId": OTHER}]}
    world.platform.act("memberLeft", group, None, reply=False, left=left)


@pytest.mark.parametrize(
    ("group", "left", "other"), [(DEMO_GROUP, "", "north"), (NORTH, "north", "")]
)
def test_leaving_forgets_in_the_league_of_the_group(
    two_leagues: BotWorld, group: str, left: str, other: str
) -> None:
    leave(two_leagues, group)
    access = two_leagues.service.access
    assert access.player_of(left, OTHER) == ""
    assert access.player_of(other, OTHER) == "みどり一色"
    keys = "".join(two_leagues.service.state.values.items(""))
    assert f"quiz-vote/{left}/2026-05-04/{OTHER}" not in keys
    assert f"quiz-vote/{other}/2026-05-04/{OTHER}" in keys
    assert keys.count(f"greeted:{group}") == 0


def test_leaving_forgets_after_the_bot_has_left(two_leagues: BotWorld) -> None:
    two_leagues.platform.act("leave", NORTH, None, reply=False)
    leave(two_leagues, NORTH)
    access = two_leagues.service.access
    assert access.player_of("north", OTHER) == ""
    assert access.player_of("", OTHER) == "みどり一色", "the root has a chat that asks"


def test_late_tap_of_before_the_leaving_does_not_count() -> None:
    listed = SignUpList("0", 100.0, 3).with_tap(1.0, MEMBER, SignUpWord.IN, "みどり")
    gone = listed.without(MEMBER, 5.0)
    assert gone.people == gone.with_tap(3.0, MEMBER, SignUpWord.IN, "みどり").people == ()
    assert MEMBER not in repr(gone)
    (person,) = gone.with_tap(6.0, MEMBER, SignUpWord.IN, "みどり").people
    assert person.user == MEMBER
    assert listed.with_tap(8.0, MEMBER, SignUpWord.IN).without(MEMBER, 5.0).people, (
        "back before it is heard"
    )


def test_who_blocks_the_bot_or_leaves_a_group_is_forgotten(world: BotWorld) -> None:
    for user in (MEMBER, OTHER):
        world.say("自分 みどり", user)
        world.say("メニュー", user, user)
    world.service.access.enrol(MEMBER)  # a chat of the member's own, which is the user's id
    world.platform.act("unfollow", MEMBER, MEMBER, reply=False)
    world.say("メニュー", OTHER)
    assert kept(world, MEMBER) == []
    world.platform.member_left(DEMO_GROUP, OTHER)
    world.say("メニュー", ADMIN)
    assert world.service.access.player_of("", OTHER) == ""
    assert "メンバー専用" in words_of(world.answers(world.platform.say(OTHER, OTHER, "収支")))


def test_who_leaves_while_the_database_is_away(
    world: BotWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.say("自分 みどり", OTHER)
    with monkeypatch.context() as patched:
        patched.setattr(world.service.state, "forget_user", away)
        world.platform.member_left(DEMO_GROUP, OTHER)
        world.say("メニュー", ADMIN)
        assert world.service.access.player_of("", OTHER) == "みどり一色"
    world.service.dispatcher.recover()
    assert world.service.access.player_of("", OTHER) == ""


@pytest.mark.parametrize("first", ["message", "unsend"])
def test_of_a_message_taken_back_nothing_is_kept_in_any_order(world: BotWorld, first: str) -> None:
    if first == "message":
        sent = world.platform.say(DEMO_GROUP, MEMBER, "個人 みどり")
        world.answers(sent)
        message = sent.message_id
        assert kept(world, f'"{message}"')
        world.platform.unsend(DEMO_GROUP, MEMBER, message)
    else:
        world.platform.unsend(DEMO_GROUP, MEMBER, "4711")
        late = {"id": "4711", "type": "text", "text": "個人 みどり", "quoteToken": "q"}
        sent = world.platform.act("message", DEMO_GROUP, MEMBER, message=late)
        message = "4711"
    world.say("メニュー", OTHER)
    rows = kept(world, message)
    assert [row for row in rows if not row.startswith(VALUES.name)] == []
    assert world.platform.replied(sent) == (first == "message")


def test_of_a_message_taken_back_no_value_is_kept(world: BotWorld) -> None:
    """An admin's file waits for 確定, as a value that names its message."""
    sent = world.platform.send_file(ADMIN, ADMIN, "logvol1.txt", f"{LOG}# x\n".encode())
    buttons = taps(world.answers(sent))
    assert kept(world, f'"{sent.message_id}"')
    world.platform.unsend(ADMIN, ADMIN, sent.message_id)
    assert words_of(world.tap(buttons["確定"], ADMIN, ADMIN)) == EXPIRED
    rows = [row for row in kept(world, sent.message_id) if f"unsent:{sent.message_id}" not in row]
    assert rows == []


def edit(world: BotWorld, text: str) -> None:
    """Edit a message of the group so that it has this text; nothing may come of it."""
    edited = {"id": "4711", "type": "text", "text": text, "quoteToken": "q"}
    sent = world.platform.act("messageEdited", DEMO_GROUP, MEMBER, message=edited)
    world.say("メニュー")
    assert not world.platform.replied(sent)
    assert kept(world, '"messageEdited"') == []


def test_an_edited_message_is_no_command(world: BotWorld) -> None:
    for words in ("名前を伏せる", "自分 みどり", "募集", "収支"):
        edit(world, words)
    assert world.service.access.player_of("", MEMBER) == ""
    assert not world.service.access.hides_names(DEMO_GROUP)


def test_an_edited_message_is_no_label_of_a_button(world: BotWorld) -> None:
    label = "内訳"
    assert label in taps(world.say("収支"))
    assert world.say(label), "a label that is typed is answered"
    world.say("収支")
    edit(world, label)


def test_an_edited_message_changes_nothing_twice(world: BotWorld) -> None:
    words = "結果 みどり 52000 東風 31000 白發中 22000"
    sent = world.platform.say(DEMO_GROUP, MEMBER, words)
    asked = world.answers(sent)
    world.tap(taps(asked)["記録する"])
    before = world.read("logvol1.txt")
    edited = {"id": sent.message_id, "type": "text", "text": words.replace("52000", "53000")}
    for _ in range(2):
        world.platform.act("messageEdited", DEMO_GROUP, MEMBER, reply=False, message=edited)
    world.say("メニュー")
    assert world.read("logvol1.txt") == before


def test_the_page_about_privacy_is_japanese_and_names_no_one(world: BotWorld) -> None:
    with urlopen(f"{world.base}/privacy") as page:
        body = page.read().decode()
        assert page.headers["Content-Language"] == "ja"
        assert "default-src 'none'" in page.headers["Content-Security-Policy"]
    for word in ("わたしを削除", "名前を伏せる", "退会者1", "24時間"):
        assert word in body
    assert not [name for name in NAMES if name in body]
