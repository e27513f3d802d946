import hashlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from bot.answers.catalogue import FEATURES
from bot.chat.command import Command
from bot.chat.replies import Reply, Text
from bot.dispatch.extras import Extras
from bot.league.snapshot import LeagueReader
from bot.texts import FROM_MEMORY
from storage.ports import StorageError
from tests.answers.leagues import LeagueWorld
from tests.answers.world import opened, words_of
from tests.backend import Backend

GAME = "C6529 | 15:52 | 三般南喰赤祝 | 佐藤(+77.0,+5枚) 高橋(-7.0,+1枚) 鈴木(-70.0,-6枚)\n"
UNREADABLE = {"logvol1.txt": ("20200101\n" + GAME).encode("cp932") + GAME.encode()}
WITH_FORMER_LOG = UNREADABLE | {"history/logvol1.txt/good.txt": ("20200101\n" + GAME).encode()}
INDEX = b'{"logvol1.txt": {"sha256": "%s", "since": "20261105T090000Z"}}'
BROKEN = {"league.toml": b"name = ", "logvol1.txt": b""}


def notices_of(
    parts: int, trouble: str, files: Mapping[str, bytes] = BROKEN, admin: bool = True
) -> list[str]:
    world = LeagueWorld(files, group=False)
    question = world.question(Command("rating"))
    question = replace(question, asker=replace(question.asker, admin=admin))
    reply = Reply(tuple(Text(str(number)) for number in range(parts)))
    answer = Extras(FEATURES, world.state).with_notices(question, reply, trouble)
    return [part.text for part in answer.parts if isinstance(part, Text)]


@pytest.mark.parametrize("parts", range(6))
def test_both_notices_have_room(parts: int) -> None:
    sentences = notices_of(parts, "out of reach")
    assert len(sentences) <= 5
    assert sentences[-2] == FROM_MEMORY
    assert sentences[-1].startswith("（管理者へ）league.toml")


def test_a_notice_takes_one_place_and_names_a_former_file() -> None:
    assert notices_of(4, "")[:4] == ["0", "1", "2", "3"]
    assert len(notices_of(5, "")) == 5
    assert notices_of(1, "")[-1].endswith("（それまではこのファイルなしで動きます）。")
    with_former_file = BROKEN | {"history/league.toml/good.toml": b'name = "A"'}
    assert notices_of(1, "", with_former_file)[-1].endswith("（それまでは前の内容で動きます）。")


def test_members_read_what_is_missing_and_admins_what_to_do() -> None:
    digest = hashlib.sha256(WITH_FORMER_LOG["history/logvol1.txt/good.txt"]).hexdigest().encode()
    dated = WITH_FORMER_LOG | {"history/good.json": INDEX % digest}
    notices = [
        notices_of(1, "", files, admin=False)[1:] for files in (UNREADABLE, WITH_FORMER_LOG, dated)
    ]
    assert notices == [
        ["（logvol1.txt がいま使えないため、そのシーズンの対局は入っていません）"],
        ["（logvol1.txt がいま使えないため、そのシーズンは前の内容です）"],
        ["（logvol1.txt がいま使えないため、そのシーズンは11月5日(木) 18:00時点の内容です）"],
    ]
    assert notices_of(1, "", WITH_FORMER_LOG)[-1] == (
        "（管理者へ）logvol1.txt の文字コードが UTF-8 でも Shift-JIS でもなく読めないので、UTF-8 で保存し直すか、"
        "前の版に戻してください（それまでは前の内容で動き、天鳳の結果は直したあとに入ります）。"
    )


def test_an_empty_answer_from_memory_has_the_notice_too(
    tmp_path: Path, backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(_: LeagueReader) -> bool:
        raise StorageError("away")

    with opened(tmp_path, backend) as bot:
        bot.write("logvol1.txt", "20260503\n")
        no_games = words_of(bot.say("収支"))
        monkeypatch.setattr(LeagueReader, "follow", away)
        bot.look()
        assert words_of(bot.say("収支")).split() == [no_games, FROM_MEMORY]
