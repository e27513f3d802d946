"""What only an admin may do: shown first, done when he confirms it, within ten minutes, once."""

from __future__ import annotations

import json
import re
import secrets
from dataclasses import asdict
from datetime import date
from typing import Any

from bot.answers.admin.faults import in_japanese, sentence
from bot.chat.command import Question, Spec, choice, data_of
from bot.chat.forms import Button, Fact, Form
from bot.chat.replies import Choice, Reply, Text, UserError
from bot.league.edit import change, current
from rating.league import LeagueError
from rating.league_edit import KINDS, Edit, apply
from rating.league_file import NO_TEXT
from rating.models import MODELS
from storage.ports import StateStore, StorageError

ADMIN_ONLY = "これは管理者だけができます。管理者にお願いしてください。"
WAIT = 600.0  # seconds in which an edit can be confirmed
EXPIRED = "確認の時間（10分）が過ぎました。もう一度、最初からお願いします。"
DONE = "もう反映してあります。"
STOPPED = "やめました。何も変えていません。"
NO_STATE = "いまは変更できません。少し待ってから、もう一度お試しください。"
FILE = "league.toml"
MENU = Choice("メニュー", "request_menu")
OPEN, TAKEN = "open ", "done "


def require_admin(question: Question) -> StateStore:
    """The state store, for an admin; UserError for everybody else."""
    if not question.asker.admin:
        raise UserError(ADMIN_ONLY)
    if question.state is None:
        raise UserError(NO_STATE)
    return question.state


def propose(
    question: Question, edit: Edit, title: str, facts: tuple[Fact, ...], note: str = "", done: str = ""
) -> Reply:
    """What will change, with 確定 and やめる. UserError where the edit can't be done as the file is now."""
    state = require_admin(question)
    if wrong := sentence(question):
        raise UserError(wrong)
    try:
        apply(_text(current(question.library.logs, FILE)[0]), edit, list(MODELS))
    except LeagueError as error:
        raise UserError(refusal(error)) from None
    if question.league:  # one of several
        facts = (Fact("リーグ", question.snapshot.league.name or question.league), *facts)
    key = secrets.token_hex(8)
    kept = {"kind": type(edit).__name__, "edit": asdict(edit), "chat": question.asker.chat, "done": done}
    state.put(f"edit:{key}", OPEN + json.dumps(kept | {"league": question.league}, default=_plain), WAIT)
    buttons = (
        Button(("確定",), data_of("confirm", k=key, do="yes"), "main", said="確定"),
        Button(("やめる",), data_of("confirm", k=key, do="no"), said="やめる"),
    )
    note = "　".join(filter(None, (note, "10分以内に「確定」を押すと、league.toml に書き込みます。")))
    return Reply((Form(title, (*facts, buttons), note=note, alt=f"{title}（確認）"),))


def confirm(question: Question) -> Reply:
    """確定 or やめる."""
    state, nonce = require_admin(question), question.option("k")
    key = f"edit:{nonce}" if re.fullmatch("[0-9a-f]{16}", nonce) else ""
    value = (key and state.get(key)) or ""
    kept = json.loads(value[len(OPEN) :]) if value else {}
    if not kept or (kept["chat"], kept["league"]) != (question.asker.chat, question.league):
        raise UserError(EXPIRED)
    if value.startswith(TAKEN) or not state.replace(key, value, TAKEN + value[len(OPEN) :], WAIT):
        raise UserError(DONE if question.option("do") == "yes" else EXPIRED)
    if question.option("do") != "yes":
        state.delete(key)
        return Reply((Text(STOPPED),))
    try:
        _write(question, _edit(kept))
    except LeagueError as error:
        state.delete(key)
        raise UserError(refusal(error)) from None
    except StorageError:
        state.put(key, value, WAIT)
        raise
    question.library.stale()
    return Reply((Text(kept["done"] or "反映しました。"),), (choice("設定", "settings"), MENU))


def refusal(error: LeagueError) -> str:
    return f"{in_japanese(str(error))}。"


def _write(question: Question, edit: Edit) -> None:
    def new(data: bytes) -> bytes:
        return apply(_text(data), edit, list(MODELS)).encode()

    change(question.library.logs, FILE, new, question.now)


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise LeagueError(NO_TEXT) from None


def _edit(kept: dict[str, Any]) -> Edit:
    fields = dict(kept["edit"])
    for name in ("start", "since"):
        if fields.get(name):
            fields[name] = date.fromisoformat(fields[name])
    if "members" in fields:
        fields["members"] = tuple(fields["members"])
    return KINDS[kept["kind"]](**fields)


def _plain(value: object) -> str:
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(type(value).__name__)


SPECS = (Spec("confirm", "確認", "", confirm, (), admin=True, hidden=True, live=True),)
