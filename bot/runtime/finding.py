"""The list of checks, and what a check has found, in messages that can be translated.

`flask doctor`, 状態 and the notices to admins read the list.
"""

import gettext
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal

from bot.runtime.translation import Message, Translate

Code = Literal[
    "away",
    "clock",
    "elsewhere",
    "limit",
    "lost",
    "malformed",
    "missing",
    "off",
    "old",
    "permission",
    "read_only",
    "refused",
    "unreadable",
    "untrusted",
]
"""What kind of fault a check has found, in `flask doctor --json` (docs/watching.md describes each)."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What was checked (a variable's name, or a word), whether it works, and what to know or fix.

    `code` is the kind of fault, for programs. `stops_release`: the installation is set up wrongly;
    not so for an outage, or a fault that only a running service can fix. `about` distinguishes a
    lasting fault from others of its kind; admins get a notice once it lasts for `patience`.
    """

    subject: str
    ok: bool
    messages: tuple[Message, ...]
    code: Code | None = None
    stops_release: bool = False
    about: str = ""
    patience: timedelta = timedelta()

    def said(self, translate: Translate = gettext.gettext) -> str:
        return "; ".join(message.said(translate) for message in self.messages)

    @property
    def text(self) -> str:
        """In the language of the command line."""
        return self.said()


def good(subject: str, *messages: Message) -> Finding:
    return Finding(subject, True, messages)


def fault(subject: str, code: Code, *messages: Message) -> Finding:
    """Something is set up wrongly, which stops a release."""
    return Finding(subject, False, messages, code, stops_release=True)


def trouble(subject: str, code: Code, *messages: Message) -> Finding:
    """Something must be fixed or waited for, but a release goes on."""
    return Finding(subject, False, messages, code)


def lasting(
    subject: str,
    about: str,
    sentence: Message,
    patience: timedelta = timedelta(),
    code: Code | None = None,
) -> Finding:
    """A fault that admins get a notice of, in one sentence."""
    return Finding(subject, False, (sentence,), code, about=about, patience=patience)


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that is checked. `name` is what commands print, `label` what members read.

    `turn`: in which of the rounds of `bot/checks/run.py` it is checked with real calls (0: in none,
    or as a part of another), the second once the database has answered. `needs`: the check that has
    to be good before. `kind`: under which a lasting fault is recorded; its notice goes to the
    admins of the league, or for the root to all (`host`). `live`: the leagues for which 状態 checks
    it itself, so that it does not show a recorded fault. `always_shown`: 状態 shows the finding also
    where all is well."""

    name: str
    label: str
    turn: int = 0
    needs: str = ""
    kind: str = ""
    host: bool = False
    live: Literal["all", "root", "none"] = "all"
    always_shown: bool = False


CHECKS = (
    Check("LINE_CHANNEL_ACCESS_TOKEN", "LINE", 1),
    Check("LINE_CHANNEL_SECRET", "チャネルシークレット"),
    Check("clock", "時計"),
    Check("DATABASE_URL", "データベース", 1, kind="database"),
    Check("LOGS_URL", "記録のフォルダー", 1, kind="logs", host=True, live="root"),
    Check("dropbox", "Dropbox", kind="dropbox", host=True, live="root"),
    Check("IMAGES_URL", "画像の保存先", 1, kind="pictures", host=True),
    Check("REDIS_URL", "ワーカー", 1),
    Check("BACKUP_URL", "バックアップ", 1),
    Check("HEARTBEAT_URL", "外からの見張り", 1),
    Check("richmenu", "リッチメニュー", 1),
    Check("font", "画像の文字", 1),
    Check("LEAGUE_CHATS", "登録したトーク", 2),
    Check("ADMIN_USER_IDS", "管理者"),
    Check("webhook", "LINEからの呼び出し", 2, needs="LINE_CHANNEL_ACCESS_TOKEN"),
    Check("PUBLIC_URL", "ボットのアドレス"),
    Check("quota", "今月のプッシュ", 2, needs="LINE_CHANNEL_ACCESS_TOKEN", always_shown=True),
    Check("sync", "天鳳の結果の取り込み", 2, kind="sync", host=True, always_shown=True),
    Check("TENHOU_URL", "天鳳", 2),
    Check("TENHOU_ROOM_ID", "天鳳の部屋", kind="room", live="root"),
    Check("league", "記録の中身", 2, needs="LOGS_URL", kind="file"),
    Check("records", "牌譜", kind="records", live="none"),
    Check("memory", "メモリー", 3),
    Check("version", "バージョン", 3, always_shown=True),
)
"""In the order in which findings are shown."""
NAMED = {check.name: check for check in CHECKS}
KINDS = {check.kind: check for check in CHECKS if check.kind}
