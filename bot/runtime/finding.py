"""The list of what is checked, and what a check found, in words that any language can be made of.

`flask doctor`, 状態 and what admins are told unasked read the list.
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
"""What kind of fault a check has found, in `flask doctor --json` (docs/watching.md says what each
is).
"""


@dataclass(frozen=True, slots=True)
class Finding:
    """What was checked (a variable's name, or a word), whether it works, and what to know or mend.
    `code` says what kind of fault it is, to programs. `stops_release`: the installation is set up
    wrongly; not so for an outage, or what only a running service can mend. Of a fault that lasts,
    `about` tells it from others of its kind; admins are told once it lasts for `patience`."""

    what: str
    ok: bool
    messages: tuple[Message, ...]
    code: Code | None = None
    stops_release: bool = False
    about: str = ""
    patience: timedelta = timedelta()

    def said(self, translate: Translate = gettext.gettext) -> str:
        return "; ".join(one.said(translate) for one in self.messages)

    @property
    def text(self) -> str:
        """In the language of the command line."""
        return self.said()


def good(what: str, *messages: Message) -> Finding:
    return Finding(what, True, messages)


def fault(what: str, code: Code, *messages: Message) -> Finding:
    """Something is set up wrongly, which stops a release."""
    return Finding(what, False, messages, code, stops_release=True)


def trouble(what: str, code: Code, *messages: Message) -> Finding:
    """Something must be mended or waited for, but a release goes on."""
    return Finding(what, False, messages, code)


def lasting(
    what: str,
    about: str,
    words: Message,
    patience: timedelta = timedelta(),
) -> Finding:
    """A fault that admins are told of unasked, in one sentence."""
    return Finding(what, False, (words,), about=about, patience=patience)


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that is looked at. `name` is as commands say it, `label` as members read it.

    `turn`: in which of the rounds of `bot/checks/run.py` it is looked at with real calls (0: in
    none, or as a part of another), the second once the database has answered, and what it `needs`
    besides. `kind`: under which a fault of it that lasts is kept, and admins told: those of the
    league, or of the root all (`host`). `anew`: of which leagues 状態 looks at it itself, so that a
    kept fault of it is not told. `shown`: 状態 tells what was found also where all is well."""

    name: str
    label: str
    turn: int = 0
    needs: str = ""
    kind: str = ""
    host: bool = False
    anew: Literal["all", "root", "none"] = "all"
    shown: bool = False


CHECKS = (
    Check("LINE_CHANNEL_ACCESS_TOKEN", "LINE", 1),
    Check("LINE_CHANNEL_SECRET", "チャネルシークレット"),
    Check("clock", "時計"),
    Check("DATABASE_URL", "データベース", 1, kind="database"),
    Check("LOGS_URL", "記録のフォルダー", 1, kind="logs", host=True, anew="root"),
    Check("dropbox", "Dropbox", kind="dropbox", host=True, anew="root"),
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
    Check("quota", "今月のプッシュ", 2, needs="LINE_CHANNEL_ACCESS_TOKEN", shown=True),
    Check("sync", "天鳳の結果の取り込み", 2, kind="sync", host=True, shown=True),
    Check("TENHOU_URL", "天鳳", 2),
    Check("TENHOU_ROOM_ID", "天鳳の部屋", kind="room", anew="root"),
    Check("league", "記録の中身", 2, needs="LOGS_URL", kind="file"),
    Check("records", "牌譜", kind="records", anew="none"),
    Check("memory", "メモリー", 3),
    Check("version", "バージョン", 3, shown=True),
)
"""In the order in which findings are told."""
NAMED = {check.name: check for check in CHECKS}
KINDS = {check.kind: check for check in CHECKS if check.kind}
