"""記録ファイル: an admin sends a season log or league.toml as a file, and gets the files of the log
folder back.

A file is shown first, and written once it is confirmed within ten minutes. It is asked for again at
LINE then, and must be the very bytes that were shown, in the place of those they were compared
with."""

import hashlib
import json
import re
import secrets
from operator import itemgetter

from bot import texts
from bot.answers.common.confirm import (
    DONE,
    EXPIRED,
    MENU,
    STOPPED,
    WAIT,
    decision,
    of_league,
    refusal,
    require_names,
)
from bot.chat.command import Ask, Command, Question, Spec, Tools, choice
from bot.chat.feature import SentFile
from bot.chat.replies import Download, Downloads, FormFact, Reply, Text, UserError
from bot.league.files import LEAGUE_FILE, PAIFU_LOG, current, is_read, write_keeping
from bot.league.last_good import LastGood
from rating.encoding import EncodingError, as_utf8
from rating.league import LOG_NAME
from rating.league_file import LeagueError, decoded, parse_league
from rating.models import MODELS
from rating.roomlog import parse
from storage.ports import LARGEST, Conflict, NotFound

RECEIVED = "log_file"
CONFIRM = "log_file_confirm"
ALONE = "記録のファイルは、1対1のトークで扱えます。"
GONE = "ファイルを受け取れませんでした。もう一度送ってください。"
TOO_LARGE = f"ファイルが大きすぎます。{LARGEST >> 20}MBまでのファイルを送ってください。"
NO_TEXT = "{} は文字として読めません。UTF-8 で保存し直して、もう一度送ってください。"
NO_GAMES = "{} に対局が1戦もありません。中身を確かめて、もう一度送ってください。"
SAME = "{} は、いまの内容と同じです。何も変えていません。"
MEANWHILE = "その間に {} が書き換えられました。もう一度送ってください。"
OLDER = 6  # season logs offered, the newest ones
_KEY = "edit:file-"


def recognise(sent: SentFile) -> Command | None:
    """A file of the log folder, by its name, in the 1:1 chat. The message's id is not an option, so
    that no button's data can ask for somebody else's message.
    """
    name = sent.name.casefold()
    if not sent.alone or not is_read(name) or name == PAIFU_LOG:
        return None
    return Command(
        RECEIVED,
        {"file": name, "size": str(sent.size)},
        (sent.message,),
    )


def receive(question: Question, tools: Tools) -> Reply:
    """Show what the sent file would change, with 確定 and やめる.

    Raises UserError for an unusable one.
    """
    _require(question)
    name = question.option("file")
    message = next(iter(question.command.rest), "")
    raw = _content(question, tools, message)
    data, facts = _checked(name, raw, tools)
    old, rev = current(tools.logs, name)
    if data == old:
        raise UserError(SAME.format(name))
    key = secrets.token_hex(8)
    kept = {
        "file": name,
        "message": message,
        "sha256": hashlib.sha256(raw).hexdigest(),
        "rev": rev,
    }
    kept |= {"chat": question.asker.chat, "league": tools.folder}
    tools.parts.state.values.put(_KEY + key, json.dumps(kept), WAIT)
    title = f"{name} を{'置き換えますか' if rev is not None else '加えますか'}？"
    note = "10分以内に「確定」を押すと、書き込みます。"
    if rev is not None:
        note = f"前の内容は残しておきます。{note}"
    return decision(title, of_league(question, tools, facts), note, "確定", CONFIRM, k=key)


def confirm(question: Question, tools: Tools) -> Reply:
    """確定 writes the file, やめる drops it. Raises UserError when the confirmation is gone or the
    file was changed meanwhile; after a StorageError 確定 can be pressed again."""
    _require(question)
    nonce = question.option("k")
    key = ""
    if re.fullmatch("[0-9a-f]{16}", nonce):
        key = _KEY + nonce
    value = ""
    if key:
        value = tools.parts.state.values.get(key) or ""
    kept = json.loads(value) if value else {}
    asked_in = (question.asker.chat, tools.folder)
    if not kept or (kept["chat"], kept["league"]) != asked_in:
        raise UserError(EXPIRED)
    if question.option("do") != "yes":
        tools.parts.state.values.delete(key)
        return Reply((Text(STOPPED),))
    name = str(kept["file"])
    raw = _content(question, tools, str(kept["message"]))
    if hashlib.sha256(raw).hexdigest() != kept["sha256"]:
        raise UserError(GONE)
    data, _ = _checked(name, raw, tools)
    old, rev = current(tools.logs, name)
    if old == data:
        raise UserError(DONE)
    if rev != kept["rev"]:
        raise UserError(MEANWHILE.format(name))
    try:
        write_keeping(tools.logs, name, data, rev, now=question.now, old=old)
        LastGood(tools.logs).accept(name, data, question.now)  # it may have fewer games
    except Conflict:
        raise UserError(MEANWHILE.format(name)) from None
    tools.parts.state.values.delete(key)
    tools.league.expire()
    return Reply((Text(f"{name} を書き込みました。"),), (choice("記録ファイル", Ask.FILES), MENU))


def files(question: Question, tools: Tools) -> Reply:
    """Links to league.toml, the newest season logs, and what else is read, for an admin in the 1:1
    chat.
    """
    _require(question)
    names = [name for name in tools.logs.revisions() if is_read(name) and name != PAIFU_LOG]
    logs = []
    for name in names:
        number = LOG_NAME.match(name)
        if number:
            logs.append((int(number[1]), name))
    logs.sort(key=itemgetter(0), reverse=True)
    newest = [name for _, name in logs[:OLDER]]
    others = sorted(name for name in names if not LOG_NAME.match(name))
    found = []
    for name in [*newest, *others]:
        try:
            data = tools.logs.read(name).data
        except NotFound:
            continue  # removed meanwhile
        found.append(Download(name, name, data, "text/plain; charset=utf-8"))
    how = "直したファイルは、このトークにそのまま送ると書き込めます。"
    if not found:
        raise UserError(
            f"記録のファイルはまだありません。logvol1.txt を送ると、書き込めます。{how}"
        )
    alt = "記録ファイル：リンクの用意ができました"
    return Reply(
        (Downloads("記録ファイル", tuple(found), f"{how}{texts.LINK_LIFE}", alt),), (MENU,)
    )


def _require(question: Question) -> None:
    """Raises UserError for everybody but an admin in the 1:1 chat."""
    require_names(question)
    if not question.asker.alone:
        raise UserError(ALONE)


def _content(question: Question, tools: Tools, message: str) -> bytes:
    """The bytes of a message's file.

    Raises UserError when it is too large or LINE does not give it.
    """
    size = question.option("size")
    if size.isdecimal() and int(size) > LARGEST:
        raise UserError(TOO_LARGE)
    raw = tools.content(message, LARGEST) if message else None
    if raw is None:
        raise UserError(GONE)
    if len(raw) > LARGEST:
        raise UserError(TOO_LARGE)
    return raw


def _checked(
    name: str,
    raw: bytes,
    tools: Tools,
) -> tuple[bytes, tuple[FormFact, ...]]:
    """The file in UTF-8, and what it holds beside the one there.

    Raises UserError for an unusable one.
    """
    try:
        data = as_utf8(raw).data
    except EncodingError:
        raise UserError(NO_TEXT.format(name)) from None
    if name == LEAGUE_FILE:
        try:
            league = parse_league(decoded(data), list(MODELS))
        except LeagueError as error:
            told = f"{name} に間違いがあります：{refusal(error)}直して、もう一度送ってください。"
            raise UserError(told) from None
        seasons = FormFact("シーズン", f"{len(league.seasons)}")
        return data, (seasons, FormFact("メンバー", f"{len(league.players)}人"))
    if not LOG_NAME.match(name):
        return data, (FormFact("行", f"{len(data.splitlines())}"),)
    log = parse(name, data)
    before = parse(name, current(tools.logs, name)[0])
    if not log.games:
        raise UserError(NO_GAMES.format(name))
    games = FormFact(
        "対局", f"{len(log.games)}戦", f"{len(before.games)}戦" if before.games else ""
    )
    if not log.problems:
        return data, (games,)
    words = f"{len(log.problems)}行（最初は{log.problems[0].line}行目）"
    return data, (games, FormFact("読めない行", words))


SPECS = (
    Spec(
        name=Ask.FILES,
        title="記録ファイル",
        help="記録のファイルを受け取ります（ファイルを送ると書き込めます）",
        action=files,
        words="記録ファイル きろくファイル",
        bare=True,
        admin=True,
    ),
    Spec(
        name=RECEIVED,
        title="記録ファイルの確認",
        action=receive,
        admin=True,
        hidden=True,
        slow=True,
    ),
    Spec(
        name=CONFIRM,
        title="記録ファイルの書き込み",
        action=confirm,
        admin=True,
        hidden=True,
        slow=True,
    ),
)
