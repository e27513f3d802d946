"""What the paifu tests share: the league, ids, and how a paifu or a file is sent."""

import gzip
import urllib.request

from bot.demo_chat import DEMO_GROUP
from tests.answers.world import MEMBER, BotWorld, Json
from tests.fakes.tenhou import FakeTenhou
from tests.rating.paifu.records import made
from tests.schema import assert_messages_pass

ID = "2020051820gm-0009-1234-0a1b2c3d"
OTHER_ID = "2020051821gm-00b9-1234-0a1b2c3e"
LEAGUE = """\
name = "雀録杯"
[player."東野"]
name = "ひがし"
[player."南原さん"]
name = "みなみ"
aliases = ["南原"]
[player."西田"]
"""
LOG = """\
20260401
C1934 | 20:00 | 三般南喰赤－ | 東野(+50.0) 西田(+2.0) 南原(-52.0)
"""


class RecordWorld(BotWorld):
    """A league with paifu, and the stand-in Tenhou that has them."""

    tenhou: FakeTenhou

    def serve(
        self,
        record_id: str = ID,
        seed: int = 1,
        seats: int = 4,
    ) -> str:
        """Put a made-up paifu on it; its address."""
        return serve(self.tenhou, record_id, seed, seats)

    def send(
        self, name: str, data: bytes, user: str = MEMBER, chat: str = DEMO_GROUP
    ) -> list[Json]:
        """Send a file to the chat; the answer."""
        return self.answers(self.platform.send_file(chat, user, name, data))

    def report(self, messages: list[Json]) -> Json:
        """The report's Flex message, after the pictures below it were fetched as a phone does."""
        assert_messages_pass(messages)
        first, *rest = messages
        pictures = [message for message in rest if message["type"] == "image"]
        assert 1 <= len(pictures) <= 2
        assert len(messages) <= 3
        self.fetch(rest)
        assert first["type"] == "flex"
        return first

    def fetch(self, messages: list[Json]) -> None:
        """Fetch an answer's pictures, one at least, as a phone does; beside them is at most one
        bubble.
        """
        pictures = [message for message in messages if message["type"] == "image"]
        assert len(messages) - 1 <= len(pictures) > 0
        for picture in pictures:
            with urllib.request.urlopen(picture["originalContentUrl"], timeout=5) as answer:
                assert answer.read().startswith(b"\x89PNG")

    def content_calls(self) -> list[Json]:
        return [
            call for call in self.platform.calls("/v2/bot/message/") if "/content" in call["path"]
        ]


def serve(
    tenhou: FakeTenhou,
    record_id: str = ID,
    seed: int = 1,
    seats: int = 4,
) -> str:
    """Put a made-up paifu on the stand-in Tenhou; its address."""
    tenhou.records[record_id] = gzip.compress(made(seed, seats).xml())
    return f"http://tenhou.net/0/?log={record_id}"
