"""The bot, the group and the users of the console's LINE.

The secret and the token below are public. They must never guard a real channel.
"""

import hashlib
from dataclasses import dataclass

DEMO_CHANNEL_SECRET = "console-only-channel-secret"  # noqa: S105
DEMO_ACCESS_TOKEN = "console-only-access-token"  # noqa: S105

BOT_NAME = "雀録"
GROUP_NAME = "雀録杯"
MEMBER_NAMES = (
    "みどり",
    "白發中",
    "東風",
    "まんがん太郎",
    "りゃんめん",
    "三色のさくら",
    "つばめ返し",
    "ぽん吉",
    "海底丸",
)
STRANGER_NAME = "よその人"


def line_id(kind: str, seed: str) -> str:
    """An id in LINE's form:

    `U` (user), `C` (group) or `R` (room), and 32 hex digits of a hash of `seed`.
    """
    return kind + hashlib.sha256(f"console {kind} {seed}".encode()).hexdigest()[:32]


@dataclass(frozen=True)
class User:
    """A user of the console: LINE id and shown name."""

    id: str
    name: str


DEMO_BOT = User(line_id("U", "bot"), BOT_NAME)
DEMO_GROUP = line_id("C", "group")
DEMO_USERS = tuple(
    User(line_id("U", f"member {n}"), name) for n, name in enumerate(MEMBER_NAMES, 1)
)
DEMO_STRANGER = User(line_id("U", "stranger"), STRANGER_NAME)
