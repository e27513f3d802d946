"""Edits of league.toml by an admin: each is shown first, and written once confirmed within ten
minutes.
"""

import json
import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import asdict
from datetime import date
from typing import Any, NamedTuple

from bot.answers.common.faults import in_japanese, sentence
from bot.chat.command import Ask, Question, Spec, Tools, choice, data_of, require_admin
from bot.chat.replies import Button, Choice, Form, FormFact, Reply, Text, UserError
from bot.league.files import change, current
from bot.sync.day_loop import BEGUN
from rating.league_edit import KINDS, Edit, apply
from rating.league_file import LEAGUE_FILE, LeagueError, decoded
from rating.models import MODELS
from storage.ports import StorageError

WAIT = 600.0  # seconds in which an edit can be confirmed
EXPIRED = "この確認は取り消し済みか、期限切れです。もう一度、最初からお願いします。"
HIDDEN = (
    "名前を伏せているトークではできません。「名前を表示する」と送ってから、もう一度お願いします。"
)
DONE = "もう反映してあります。"
STOPPED = "やめました。何も変えていません。"
CHANGED = "反映しました。"
SHOW_NAMES = "名前を表示する"
HOW = f"10分以内に「確定」を押すと、{LEAGUE_FILE} に書き込みます。"
DECIDE = "確定"
CANCEL = "やめる"
LEAGUE = "リーグ"
SETTINGS = "設定"
NOTIFICATION = "{title}（確認）"
REFUSAL = "{reason}。"
MENU = Choice("メニュー", "request_menu")
# How the stored edit begins: not confirmed yet, or confirmed.
OPEN = "open "
TAKEN = "done "
# Fields of edits that JSON has as text or lists.
FIELD_READERS: Mapping[str, Callable[[Any], Any]] = {
    "start": date.fromisoformat,
    "since": date.fromisoformat,
    "members": tuple,
}


def require_names(question: Question) -> None:
    """Raises UserError in a chat where names are hidden, for what can't be done without them."""
    if question.snapshot.league.hides:
        raise UserError(HIDDEN, (choice(SHOW_NAMES, Ask.HIDE, do="show"), MENU))


def propose(
    question: Question,
    tools: Tools,
    edit: Edit,
    title: str,
    *facts: FormFact,
    done: str,
    note: str = "",
) -> Reply:
    """A form that shows the change, with 確定 and やめる; the edit is stored until then. `done` is
    the sentence after it. Raises UserError for no admin, or when league.toml can't be read or does
    not allow the edit."""
    require_admin(question)
    require_names(question)
    fault = sentence(question.snapshot)
    if fault:
        raise UserError(fault)
    try:
        apply(decoded(current(tools.logs, LEAGUE_FILE)[0]), edit, list(MODELS))
    except LeagueError as error:
        raise UserError(refusal(error)) from None
    key = secrets.token_hex(8)
    stored = {
        "kind": type(edit).__name__,
        "edit": asdict(edit),
        "done": done,
        "chat": question.asker.chat,
        "league": tools.folder,
    }
    value = OPEN + json.dumps(stored, default=date.isoformat)
    tools.parts.state.values.put(f"edit:{key}", value, WAIT)
    note = "　".join(filter(None, (note, HOW)))
    return decision(
        title,
        of_league(question, tools, facts),
        note,
        DECIDE,
        Ask.CONFIRM,
        k=key,
    )


def of_league(
    question: Question, tools: Tools, facts: tuple[FormFact, ...]
) -> tuple[FormFact, ...]:
    """The facts, below the league's name where the installation has several leagues."""
    if not tools.folder:
        return facts
    return FormFact(LEAGUE, question.snapshot.league.name or tools.folder), *facts


class OtherAnswer(NamedTuple):
    """The second button of a decision: its label, and the option `do` that it sends."""

    label: str
    do: str


NO = OtherAnswer(CANCEL, "no")


def decision(
    title: str,
    facts: tuple[FormFact, ...],
    note: str,
    label: str,
    name: str,
    other: OtherAnswer = NO,
    **options: object,
) -> Reply:
    """The facts, and two buttons:

    `label` asks the command with `do` "yes", the other one with its own.
    """
    yes = Button(
        (label,),
        data_of(name, **options, do="yes"),
        "main",
        said=label,
    )
    no = Button(
        (other.label,),
        data_of(name, **options, do=other.do),
        said=other.label,
    )
    notification = NOTIFICATION.format(title=title)
    return Reply(
        (
            Form(
                title,
                (*facts, (yes, no)),
                note=note,
                alt=notification,
            ),
        )
    )


class _StoredEdit(NamedTuple):
    """An edit that waits for 確定. `value` is what is stored: OPEN or TAKEN, and JSON."""

    key: str
    value: str
    fields: Mapping[str, Any]

    @property
    def is_taken(self) -> bool:
        return self.value.startswith(TAKEN)

    @property
    def taken(self) -> str:
        """The value that marks the edit as done."""
        return TAKEN + self.value[len(OPEN) :]


def confirm(question: Question, tools: Tools) -> Reply:
    """確定 writes the edit, やめる drops it. Raises UserError for one that is expired, done, or no
    longer possible; after a StorageError 確定 can be pressed again."""
    values = tools.parts.state.values
    buttons = (choice(SETTINGS, Ask.SETTINGS), MENU)
    is_confirmed = question.option("do") == "yes"
    stored = _stored_edit(question, tools)
    if stored is None:
        raise UserError(EXPIRED, buttons)
    if stored.is_taken or not values.replace(stored.key, stored.value, stored.taken, WAIT):
        sentence_of_end = EXPIRED
        if is_confirmed:
            sentence_of_end = DONE
        raise UserError(sentence_of_end, buttons)
    if not is_confirmed:
        values.delete(stored.key)
        return Reply((Text(STOPPED),), buttons)
    try:
        _write(question, tools, _edit_of(stored.fields))
    except LeagueError as error:
        values.delete(stored.key)
        raise UserError(refusal(error)) from None
    except StorageError:
        values.put(stored.key, stored.value, WAIT)
        raise
    tools.league.expire()
    if "rooms" in stored.fields["edit"].values():
        values.delete(BEGUN)  # the next sync is due at once
    return Reply((Text(stored.fields["done"] or CHANGED),), buttons)


def _stored_edit(question: Question, tools: Tools) -> _StoredEdit | None:
    """The edit of the button; None where it is gone, or was proposed in another chat or league."""
    nonce = question.option("k")
    if not re.fullmatch("[0-9a-f]{16}", nonce):
        return None
    key = f"edit:{nonce}"
    value = tools.parts.state.values.get(key)
    if not value:
        return None
    fields = json.loads(value[len(OPEN) :])
    origin = (question.asker.chat, tools.folder)
    if (fields["chat"], fields["league"]) != origin:
        return None
    return _StoredEdit(key, value, fields)


def _edit_of(stored: Mapping[str, Any]) -> Edit:
    """The edit that `propose` stored as JSON."""
    fields = dict(stored["edit"])
    for name, read in FIELD_READERS.items():
        if fields.get(name):
            fields[name] = read(fields[name])
    return KINDS[stored["kind"]](**fields)


def _write(question: Question, tools: Tools, edit: Edit) -> None:
    """Raises LeagueError where league.toml no longer allows the edit."""

    def edited(data: bytes) -> bytes:
        return apply(decoded(data), edit, list(MODELS)).encode()

    change(tools.logs, LEAGUE_FILE, edited, question.now)


def refusal(error: LeagueError) -> str:
    return REFUSAL.format(reason=in_japanese(error))


SPECS = (
    Spec(
        name=Ask.CONFIRM,
        title="確認",
        action=confirm,
        admin=True,
        hidden=True,
    ),
)
