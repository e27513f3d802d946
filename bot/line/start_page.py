"""The page at `/`, for whoever set the bot up: that it runs, its version, and the next step. It names no
league and no chat."""

from __future__ import annotations

import base64
import hashlib
from enum import Enum
from html import escape

from bot.chat.access import ChatAccess
from bot.settings import Settings
from storage.ports import StorageError
from storage.state import State

CALLED = "webhook"
"""The state store's key that is there once LINE has called the webhook."""
LANGUAGES = ("ja", "en")


class Step(Enum):
    """What is to be done next; the value is the key of its words."""

    CONSOLE = "console"
    WEBHOOK = "webhook"
    ENROL = "enrol"
    NONE = "none"
    DATABASE = "database"


WORDS: dict[str, dict[str, str]] = {
    "ja": {
        "title": "雀録",
        "runs": "動いています",
        "away": "データベースに接続できません",
        "next": "次にすること",
        "console": "LINEの代わりに、ブラウザで試せます。",
        "open": "コンソールを開く",
        "webhook": (
            "LINE Developersコンソールの「Messaging API設定」で、このWebhook URLを入力して「検証」を押し、"
            "「Webhookの利用」をオンにしてください。"
        ),
        "enrol": (
            "ボットを友だち追加し、グループに招待してください。"
            "管理者がそのグループで「登録」と送ると使えるようになります。"
        ),
        "none": "準備はできています。グループで「メニュー」と送ってください。",
        "database": "DATABASE_URLを確かめてください。管理者は flask doctor で原因がわかります。",
    },
    "en": {
        "title": "Janroku",
        "runs": "Running",
        "away": "The database does not answer",
        "next": "Next step",
        "console": "Try it in the browser, in the place of LINE.",
        "open": "Open the console",
        "webhook": (
            "LINE Developers console, Messaging API: enter this Webhook URL, press Verify, and turn Use "
            "webhook on."
        ),
        "enrol": (
            "Add the bot as a friend and invite it to the group. An admin sends 登録 there, and the group "
            "may use it."
        ),
        "none": "All is set up. Send メニュー in the group.",
        "database": "Check DATABASE_URL. For the admin, flask doctor tells the cause.",
    },
}
STYLE = """
:root { color-scheme: light dark; --paper: #f4f6f5; --card: #fff; --ink: #16211c; --soft: #55625c;
  --line: #dfe5e2; --good: #0a7a45; --bad: #b3261e }
@media (prefers-color-scheme: dark) {
  :root { --paper: #101512; --card: #1a211d; --ink: #e8efeb; --soft: #a3b0a9; --line: #2c3630;
    --good: #5fd39a; --bad: #ff8a80 }
}
* { box-sizing: border-box }
body {
  margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 24px 16px;
    background: var(--paper); color: var(--ink);
  font: 16px/1.7 system-ui, -apple-system, "Hiragino Sans", "Noto Sans JP", "Yu Gothic UI", sans-serif;
}
main { width: 100%; max-width: 440px; padding: 28px 24px; background: var(--card);
  border: 1px solid var(--line); border-radius: 16px }
header { display: flex; align-items: baseline; justify-content: space-between; gap: 12px }
h1 { margin: 0; font-size: 28px; letter-spacing: .04em }
.state { margin: 4px 0 24px; font-weight: 600; color: var(--good) }
.state.away { color: var(--bad) }
.state::before { content: ""; display: inline-block; width: 10px; height: 10px; margin-right: 8px;
  border-radius: 50%; background: currentColor }
h2 { margin: 0 0 4px; font-size: 13px; font-weight: 600; color: var(--soft) }
p { margin: 0 }
small { color: var(--soft); font-size: 13px; white-space: nowrap }
code {
  display: block; margin-top: 12px; padding: 10px 12px; border-radius: 8px; background: var(--paper);
    border: 1px solid var(--line);
  font: 14px/1.5 ui-monospace, Menlo, Consolas, monospace; overflow-wrap: anywhere; user-select: all;
}
a {
  display: block; margin-top: 16px; padding: 12px; border-radius: 10px; background: var(--good);
    color: var(--card); font-weight: 600;
  text-align: center; text-decoration: none;
}
"""
_STYLE_HASH = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
POLICY = (
    f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
"""The page's content policy: its own style and nothing else."""


class SetUp:
    """How far the set-up has come. A thing that is done is not asked for again."""

    def __init__(self, settings: Settings, state: State, access: ChatAccess) -> None:
        self._settings = settings
        self._state = state
        self._access = access
        self._called = self._enrolled = False

    def webhook_called(self) -> None:
        """Note that LINE has called the webhook: once for each process. Raises StorageError."""
        if not self._called:
            self._state.values.put(CALLED, "1")
            self._called = True

    def next_step(self) -> Step:
        """Return what is to be done next."""
        if self._settings.console:
            return Step.CONSOLE
        try:
            self._called = self._called or self._state.values.get(CALLED) is not None
            self._enrolled = self._enrolled or bool(self._settings.league_chats or self._access.groups())
        except StorageError:
            return Step.DATABASE
        if not self._called:
            return Step.WEBHOOK
        return Step.NONE if self._enrolled else Step.ENROL


def page(step: Step, language: str, version: str, base: str) -> str:
    """Return the page in HTML; `base` is the service's own address, without a slash at its end."""
    words = WORDS[language]
    away = step is Step.DATABASE
    more = ""
    if step is Step.WEBHOOK:
        more = f"<code>{escape(base)}/callback</code>"
    elif step is Step.CONSOLE:
        more = f'<a href="/console/">{words["open"]}</a>'
    return f"""<!doctype html>
<html lang="{language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>{words["title"]}</title>
<style>{STYLE}</style>
<main>
<header><h1>{words["title"]}</h1><small>{escape(version)}</small></header>
<p class="state{" away" if away else ""}">{words["away" if away else "runs"]}</p>
<h2>{words["next"]}</h2>
<p>{words[step.value]}</p>
{more}
</main>
"""
