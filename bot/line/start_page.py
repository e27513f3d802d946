"""The page at `/`, for whoever set the bot up: version and next step. It names no league and no chat."""

import base64
import hashlib
from html import escape

from bot.chat.access import ChatAccess
from bot.runtime.finding import NAMED, Message, japanese, message as _
from bot.settings import Settings
from storage.ports import StorageError
from storage.state import State

CALLED = "webhook"
"""The state store's key that is there once LINE has called the webhook."""
LANGUAGES = ("ja", "en")


CONSOLE = _("Try it in the browser, in the place of LINE.")
STEPS = {"webhook": _("Connect LINE"), "LEAGUE_CHATS": _("Enrol the group"), "sync": _("Name the room")}
"""What is ticked on the page once it is done, by the checks' names, in order."""
NONE = _("All is set up. Send メニュー in the group.")


PRIVACY = {
    "保存するもの": (
        "対局の記録（天鳳の名前、順位、点数、チップ）と、送られた牌譜。",
        "LINEのユーザーIDとトークID、「自分」で選んだ名前。",
        "ボットへの質問（24時間）と、どの答えがどの質問へのものか（7日）。",
    ),
    "保存しないもの": (
        "グループの会話。ボットへの質問のほかは読み捨てます。",
        "LINEの表示名、アイコン、友だちの情報。",
    ),
    "使いみち": (
        "成績を計算してトークで見せるためだけに使い、売ったり広告に使ったりしません。",
        "データはLINEと、管理者が選んだサーバー（データベース、記録のフォルダー、画像の置き場）にあります。",
        "画像、ファイル、ページは、そのリンクを知っている人だけが期限まで開けます。",
    ),
    "消しかた": (
        "ボットとの1対1のトークで「わたしを削除」と送ると、あなたのIDについて保存したものを消します。",
        "ボットをブロックしたときと、グループを退出したときも消します（グループでは、そのグループの分）。",
        "メッセージの送信を取り消すと、そのメッセージについて保存したものを消します。",
        "対局の記録の名前も消したいときは、管理者に伝えてください（「退会者1」に書き換えます）。",
        "「名前を伏せる」と送ると、そのトークの答え、画像、ページ、ファイルの名前がA、B…になります。",
    ),
    "問い合わせ": ("このボットを招待した管理者に聞いてください。",),
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
p + p { margin-top: 8px }
p + h2, header + h2 { margin-top: 20px }
ol { list-style: none; margin: 0 0 20px; padding: 0; color: var(--soft) }
li::before { content: "○"; display: inline-block; width: 1.6em }
li.done::before { content: "✓"; color: var(--good); font-weight: 700 }
li.next { color: var(--ink); font-weight: 600 }
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
        self.called = self._enrolled = self._read = False

    def next_step(self) -> Message:
        """Return what is to be done next: the `step` of the first check that is not well, CONSOLE or NONE."""
        if self._settings.console:
            return CONSOLE
        try:
            self.called = self.called or self._state.values.get(CALLED) is not None
            self._enrolled = self._enrolled or bool(self._settings.league_chats or self._access.groups())
            own = bool(self._settings.tenhou_room_id) or self._settings.demo
            self._read = (
                self._read or own or self._state.rooms.any() or bool(self._state.results.read_marks())
            )
        except StorageError:
            return NAMED["DATABASE_URL"].step
        done = zip(STEPS, (self.called, self._enrolled, self._read), strict=True)
        return next((NAMED[name].step for name, so in done if not so), NONE)


def page(step: Message, language: str, version: str, base: str) -> str:
    """Return the page in HTML; `base` is the service's own address, without a slash at its end."""
    said = japanese() if language == "ja" else str
    away, title = step == NAMED["DATABASE_URL"].step, _("Janroku").said(said)
    state = _("The database does not answer") if away else _("Running")
    more = ""
    if step == NAMED["webhook"].step:
        more = f"<code>{escape(base)}/callback</code>"
    elif step == CONSOLE:
        more = f'<a href="/console/">{_("Open the console").said(said)}</a>'
    steps = [*(NAMED[name].step for name in STEPS), NONE]
    at = steps.index(step) if step in steps else 0
    kinds = [" class=done"] * at + [" class=next"] + [""] * len(STEPS)
    labels = [label.said(said) for label in STEPS.values()]
    ticks = "".join(f"<li{kind}>{label}</li>" for kind, label in zip(kinds, labels, strict=False))
    body = f"""<header><h1>{title}</h1><small>{escape(version)}</small></header>
<p class="state{" away" if away else ""}">{state.said(said)}</p>
{f"<ol>{ticks}</ol>" if step in steps else ""}<h2>{_("Next step").said(said)}</h2>
<p>{step.said(said)}</p>
{more}"""
    return _document(language, title, body)


def privacy() -> str:
    """Return the page that tells members what is kept of them, and how it goes, in HTML."""
    parts = "".join(f"<h2>{head}</h2>\n<p>{'</p><p>'.join(lines)}</p>\n" for head, lines in PRIVACY.items())
    return _document("ja", "雀録の個人情報の扱い", f"<header><h1>個人情報の扱い</h1></header>\n{parts}")


def _document(language: str, title: str, body: str) -> str:
    return f"""<!doctype html>
<html lang="{language}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>{title}</title>
<style>{STYLE}</style>
<main>
{body}
</main>
"""
