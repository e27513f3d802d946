"""Edits of league.toml by an admin: each is shown first, and done once confirmed within ten
minutes.
"""

import json
import re
import secrets
from dataclasses import asdict
from datetime import date

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
MENU = Choice("メニュー", "request_menu")
# How the kept edit begins: not confirmed yet, or confirmed.
OPEN = "open "
TAKEN = "done "


def require_names(question: Question) -> None:
    """Raises UserError in a chat where names are hidden, for what can't be done without them."""
    if question.snapshot.league.hides:
        raise UserError(HIDDEN, (choice("名前を表示する", Ask.HIDE, do="show"), MENU))


def propose(
    question: Question,
    tools: Tools,
    edit: Edit,
    title: str,
    *facts: FormFact,
    done: str,
    note: str = "",
) -> Reply:
    """A form that shows the change, with 確定 and やめる; the edit is kept until then. `done` is
    what is said after it. Raises UserError for no admin, or when league.toml can't be read or does
    not allow the edit."""
    require_admin(question)
    require_names(question)
    if wrong := sentence(question.snapshot):
        raise UserError(wrong)
    try:
        apply(decoded(current(tools.logs, LEAGUE_FILE)[0]), edit, list(MODELS))
    except LeagueError as error:
        raise UserError(refusal(error)) from None
    key = secrets.token_hex(8)
    kept = {"kind": type(edit).__name__, "edit": asdict(edit), "done": done}
    kept |= {"chat": question.asker.chat, "league": tools.folder}
    tools.parts.state.values.put(
        f"edit:{key}", OPEN + json.dumps(kept, default=date.isoformat), WAIT
    )
    note = "　".join(
        filter(None, (note, f"10分以内に「確定」を押すと、{LEAGUE_FILE} に書き込みます。"))
    )
    return decision(
        title,
        of_league(question, tools, facts),
        note,
        "確定",
        Ask.CONFIRM,
        k=key,
    )


def of_league(
    question: Question, tools: Tools, facts: tuple[FormFact, ...]
) -> tuple[FormFact, ...]:
    """The facts, below the league's name where the installation has several leagues."""
    if not tools.folder:
        return facts
    return FormFact("リーグ", question.snapshot.league.name or tools.folder), *facts


def decision(
    title: str,
    facts: tuple[FormFact, ...],
    note: str,
    word: str,
    name: str,
    other: tuple[str, str] = ("やめる", "no"),
    **options: object,
) -> Reply:
    """The facts, and two buttons:

    `word` asks the command with `do` "yes", `other`'s word with its own.
    """
    buttons = (
        Button(
            (word,),
            data_of(name, **options, do="yes"),
            "main",
            said=word,
        ),
        Button(
            (other[0],),
            data_of(name, **options, do=other[1]),
            said=other[0],
        ),
    )
    return Reply(
        (
            Form(
                title,
                (*facts, buttons),
                note=note,
                alt=f"{title}（確認）",
            ),
        )
    )


def confirm(question: Question, tools: Tools) -> Reply:
    """確定 writes the edit, やめる drops it. Raises UserError for one that is expired, done, or no
    longer possible; after a StorageError 確定 can be pressed again."""
    state = tools.parts.state
    nonce = question.option("k")
    key = f"edit:{nonce}" if re.fullmatch("[0-9a-f]{16}", nonce) else ""
    value = ""
    if key:
        value = state.values.get(key) or ""
    kept = json.loads(value[len(OPEN) :]) if value else {}
    settings = (choice("設定", Ask.SETTINGS), MENU)
    asked_in = (question.asker.chat, tools.folder)
    if not kept or (kept["chat"], kept["league"]) != asked_in:
        raise UserError(EXPIRED, settings)
    if value.startswith(TAKEN) or not state.values.replace(
        key, value, TAKEN + value[len(OPEN) :], WAIT
    ):
        raise UserError(DONE if question.option("do") == "yes" else EXPIRED, settings)
    if question.option("do") != "yes":
        state.values.delete(key)
        return Reply((Text(STOPPED),), settings)
    fields = dict(kept["edit"])
    for name, read in (
        ("start", date.fromisoformat),
        ("since", date.fromisoformat),
        ("members", tuple),
    ):
        if fields.get(name):
            fields[name] = read(fields[name])
    edit = KINDS[kept["kind"]](**fields)
    try:
        models = list(MODELS)
        change(
            tools.logs,
            LEAGUE_FILE,
            lambda data: apply(decoded(data), edit, models).encode(),
            question.now,
        )
    except LeagueError as error:
        state.values.delete(key)
        raise UserError(refusal(error)) from None
    except StorageError:
        state.values.put(key, value, WAIT)
        raise
    tools.league.expire()
    if "rooms" in kept["edit"].values():
        state.values.delete(BEGUN)  # the next sync is due at once
    return Reply((Text(kept["done"] or "反映しました。"),), settings)


def refusal(error: LeagueError) -> str:
    return f"{in_japanese(error)}。"


SPECS = (
    Spec(
        name=Ask.CONFIRM,
        title="確認",
        action=confirm,
        admin=True,
        hidden=True,
    ),
)
