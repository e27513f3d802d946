"""What is kept of a user and a message ends when they say so, and a chat where names are hidden
tells none."""

import json
from dataclasses import replace
from urllib.request import urlopen

import pytest
from sqlalchemy import select

from bot.answers.catalogue import CATALOGUE
from bot.chat.command import Command, Question
from bot.chat.replies import Downloads
from bot.demo_chat import DEMO_GROUP
from storage.schema import EVENTS, VALUES
from tests.answers import leagues
from tests.answers.leagues import LEAGUES, NINE
from tests.answers.test_every_answer import QUICK
from tests.answers.world import ADMIN, MEMBER, NAMES, OTHER, World, away, links, taps, words_of

PEOPLE = tuple(f"ひと{n}号" for n in range(len(NINE)))


class Hidden(leagues.World):
    """A league in a chat where names are hidden."""

    def question(self, command: Command) -> Question:
        question = super().question(command)
        snapshot = question.snapshot.hidden
        return replace(question, snapshot=snapshot, ratings=self.repository.ratings(snapshot))


def renamed(data: bytes) -> bytes:
    for name, other in zip(NINE, PEOPLE, strict=True):
        data = data.replace(name.encode(), other.encode())
        data = data.replace(json.dumps(name)[1:-1].encode(), json.dumps(other)[1:-1].encode())
    return data


@pytest.mark.parametrize("league", ["nine", "twenty"])
def test_no_answer_picture_or_file_names_anybody(league: str) -> None:
    world = Hidden({name: renamed(data) for name, data in LEAGUES[league].items()}, PEOPLE[0])
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
            told = asked.words + repr([p.chart for p in asked.pictures]) + b"".join(files).decode()
            told += json.dumps([m.get("altText") for m in asked.messages], ensure_ascii=False)
            assert not [person for person in PEOPLE if person in told], data


def test_names_are_hidden_in_one_chat_until_they_are_shown_again(world: World) -> None:
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
    link = next(url for _, url in links(world.say("ページ")) if "/league/" in url)
    for more in ("", "/figures?ask=figures"):
        with urlopen(link + more) as page:
            body = page.read().decode()
        assert "A" in body
        assert not [name for name in (*NAMES, "みどり") if name in body]
    world.say("名前を表示する")
    assert "みどり" in words_of(world.say("収支"))


def kept(world: World, word: str) -> list[str]:
    """The tables in which an id still stands."""
    database, found = world.service.state.database, []
    for table in EVENTS.metadata.tables.values():
        rows = [row for row in database.rows(select(table)) if word in str(tuple(row))]
        found += [f"{table.name} {row}" for row in rows]
    return found


def test_a_member_is_forgotten_when_that_is_confirmed(world: World) -> None:
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
    world.service.background.stop()
    left = [
        row
        for row in kept(world, MEMBER)
        if "request_forget_me" not in row and "forget_me" not in row
    ]
    assert left == []


def test_who_blocks_the_bot_or_leaves_a_group_is_forgotten(world: World) -> None:
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
    world: World, monkeypatch: pytest.MonkeyPatch
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
def test_of_a_message_taken_back_nothing_is_kept_in_any_order(world: World, first: str) -> None:
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
    assert [row for row in kept(world, message) if not row.startswith(VALUES.name)] == []
    assert world.platform.replied(sent) == (first == "message")


def test_an_edited_message_changes_nothing_twice(world: World) -> None:
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


def test_the_page_about_privacy_is_japanese_and_names_no_one(world: World) -> None:
    with urlopen(f"{world.base}/privacy") as page:
        body = page.read().decode()
        assert page.headers["Content-Language"] == "ja"
        assert "default-src 'none'" in page.headers["Content-Security-Policy"]
    for word in ("わたしを削除", "名前を伏せる", "退会者1", "24時間"):
        assert word in body
    assert not [name for name in NAMES if name in body]
