"""Says in one Japanese sentence what is wrong with league.toml, or with an edit of it."""

import hashlib
import re
from collections.abc import Sequence
from datetime import date

from bot.chat.command import Ask, choice
from bot.league.files import EDITING_TIME
from bot.league.in_force import UnusableFile
from bot.league.snapshot import LeagueSnapshot
from bot.runtime.finding import Code, Finding, lasting
from bot.runtime.translation import untranslated
from rating.league_file import LEAGUE_FILE, LeagueError
from rating.roomlog import Problem

ACCEPT = choice("この内容を使う", Ask.LOST)
STATUS = choice("状態", Ask.STATUS)

# A sentence for each code of `rating.league_file.WORDS`; TOML's own errors have theirs below.
WORDS = {
    "brackets": "かっこが多すぎます",
    "digits": "桁数が多すぎる数があります",
    "value": "読めない値があります（{words}）",
    "not_text": "文字コードが UTF-8 ではありません",
    "too_large": "ファイルが大きすぎます",
    "long_name": "「{begin}…」という名前が長すぎます（{count}文字。{most}文字までです）",
    "unknown_key": "{key} という項目はありません",
    "unknown_model": "{model} というレーティングはありません",
    "kind": "{place} は{wanted}で書いてください",
    "not_a_table": "{place} は表で書いてください",
    "rule_set": "{name} というルールはありません（{known}）",
    "room": "rooms の {room} は天鳳の部屋番号ではありません",
    "log_name": "{table} の log は logvol3.txt のような名前にしてください",
    "log_taken": "{log} はほかのシーズンがもう使っています",
    "alias_form": "{table} の aliases に名前でないものがあります",
    "name_taken": "{name} という名前は、{table_name} さんと {owner} さんの両方にあります",
    "season_end": "{table} の end（{end}）は、シーズンの開始（{start}）より前です",
    "season_order": "前のシーズンが {day} に始まっています。それより後の日にしてください",
    "member_already": "{player} さんは、その内容で登録済みです",
    "own_name": "{name} はメンバー本人の名前です。別名にはできません",
    "alias_taken": "{name} は、もう {player} さんの別名です",
    "team_same": "チーム {team} は、もうその顔ぶれです",
    "team_taken": "{player} さんは、もうチーム {team} に入っています",
    "setting_same": "もうその設定になっています",
    "not_editable": "書き方が特別なため、ここからは変えられません。ファイルを直接直してください",
}

KINDS = {
    "text": '" " で囲んだ文字',
    "truth": "true か false",
    "list": "[ ] の並び",
    "table": "表",
    "number": "数",
    "whole": "整数",
    "size": "ふつうの大きさの数",
    "positive": "0以上の数",
    "texts": "[ ] で囲んだ文字の並び",
    "uma": "3つか4つの数",
    "date": "2020-07-01 のような日付",
    "apart": '"apart"',
    "dan": '"tenhou" か、points（3つか4つの数）と levels（[名前, 初め, 昇段]）の表',
    "ties": '"seat"（席順）か "shared"（山分け）',
}
# Beginnings of the messages of Python's tomllib, which has no codes, and what they mean.
_SYNTAX = (
    (r"Expected '=' after a key", "項目名のあとに = がありません"),
    (r"Invalid value", '値の書き方が正しくありません（文字は " " で囲みます）'),
    (r"Invalid initial character", '項目名の書き方が正しくありません（日本語は " " で囲みます）'),
    (r"Invalid statement", "読めない行です"),
    (r"Expected newline or end of document", "行の終わりに余分なものがあります"),
    (r"Unterminated string|Illegal character '\\n'|Expected .*quote", '" が閉じていません'),
    (r"Unclosed array|Expected ',' or .*array", "[ ] が閉じていません"),
    (r"Unclosed inline table|Expected ',' or .*table", "{ } が閉じていません"),
    (r"Expected .* at the end of an? (?:table|array) declaration", "[ ] が閉じていません"),
    (r"Cannot |Duplicate ", "同じ項目が2回あります"),
)

UNREAD_LINE = "{file} の{line}行目が読めず、その対局を数えていないので、行を直してください。"
UNREAD_LINES = "{file} の{line}行目が読めず、その対局を数えていないので、行を直してください（ほか{others}行）。"
# What is used until the file is repaired: the former version, or nothing.
FORMER = "（それまでは前の内容で動き、天鳳の結果は直したあとに入ります）"
NO_SEASON = "（それまではこのシーズンの対局なしで動き、天鳳の結果は直したあとに入ります）"
FORMER_LEAGUE = "（それまでは前の内容で動きます）"
NO_LEAGUE = "（それまではこのファイルなしで動きます）"
TOO_LARGE = "{file} が大きすぎて読めないので、分けるか、前の版に戻してください{until}。"
NO_TEXT = (
    "{file} の文字コードが UTF-8 でも Shift-JIS でもなく読めないので、UTF-8 で保存し直すか、"
    "前の版に戻してください{until}。"
)
_CHOOSE = (
    "1対1のトークの「状態」で、この内容を使うか、元に戻すかを選んでください"
    "（それまでは前の内容で動きます）。"
)
LOST = {
    "gone": "{file} がなくなったので、" + _CHOOSE,
    "empty": "{file} の中身がなくなったので、" + _CHOOSE,
    "fewer": "{file} の対局が{games_before}戦から{games}戦に減ったので、" + _CHOOSE,
}
# A mistake in league.toml.
BROKEN_TOML = "{file}に間違いがあるので、直してください（{why}）{until}。"
BROKEN_TOML_LINE = "{file} の{line}行目に間違いがあるので、直してください（{why}）{until}。"
BAD_SYNTAX = "書き方が正しくありません（{message}）"
_DATE = "%Y年%-m月%-d日"


def in_japanese(error: LeagueError) -> str:
    """What is wrong, in Japanese. A TOML error that is not in _SYNTAX keeps its English message."""
    if error.code == "syntax":
        return _syntax_error(str(error.values["words"]))
    values = {"place": error.place, "table_name": error.place.name} | error.values
    texts_of_values = {name: _value_text(value) for name, value in values.items()}
    if error.code == "kind":
        texts_of_values["wanted"] = KINDS[str(error.values["wanted"])]
    return WORDS[error.code].format(table=error.place.table, **texts_of_values)


def _syntax_error(message: str) -> str:
    for pattern, meaning in _SYNTAX:
        if re.match(pattern, message):
            return meaning
    return BAD_SYNTAX.format(message=message.partition(" (at ")[0][:120])


def _value_text(value: object) -> str:
    if isinstance(value, date):
        return value.strftime(_DATE)
    return str(value).replace("'", "")


def sentence(snapshot: LeagueSnapshot) -> str:
    """What is wrong with the league's league.toml; "" when nothing is wrong."""
    for fault in snapshot.unusable:
        if fault.file == LEAGUE_FILE:
            return fault_text(snapshot, fault)
    return ""


def first_fault(snapshot: LeagueSnapshot) -> Finding | None:
    """The first file that cannot be used, or else the first line of the logs; None where all can be
    read.
    """
    if snapshot.unusable:
        return _unusable_file(snapshot, snapshot.unusable[0])
    problems = [
        problem for name in sorted(snapshot.logs) for problem in snapshot.logs[name].problems
    ]
    if problems:
        return _unread_lines(problems)
    return None


def _unusable_file(snapshot: LeagueSnapshot, file: UnusableFile) -> Finding:
    """The fault of a file that cannot be used. Its code is "lost" where the file, or games of it,
    are missing: an admin may accept that."""
    code: Code | None = None
    if file.lost:
        code = "lost"
    return lasting(
        subject="league",
        about=f"{file.file} {file.reason}",
        sentence=untranslated(fault_text(snapshot, file)),
        patience=EDITING_TIME,
        code=code,
    )


def _unread_lines(problems: Sequence[Problem]) -> Finding:
    """The fault of lines that cannot be read: another one as soon as any of the lines changes."""
    lines = "\n".join(f"{problem.file}:{problem.line}:{problem.text}" for problem in problems)
    template = UNREAD_LINE
    if len(problems) > 1:
        template = UNREAD_LINES
    values = {"file": problems[0].file, "line": problems[0].line, "others": len(problems) - 1}
    return lasting(
        subject="league",
        about=hashlib.sha256(lines.encode()).hexdigest()[:16],
        sentence=untranslated(template.format(**values)),
        patience=EDITING_TIME,
    )


def fault_text(snapshot: LeagueSnapshot, fault: UnusableFile) -> str:
    """What is wrong with a file that cannot be used, with its line where it is known, and what to
    do.
    """
    if fault.lost:
        games_before, games = fault.games
        values = {"file": fault.file, "games_before": games_before, "games": games}
        return LOST[fault.lost].format(**values)
    if fault.file == LEAGUE_FILE and snapshot.league_error is not None:
        return _broken_league(fault, snapshot.league_error)
    until = NO_SEASON
    if fault.has_former:
        until = FORMER
    template = NO_TEXT
    if fault.large:
        template = TOO_LARGE
    return template.format(file=fault.file, until=until)


def _broken_league(fault: UnusableFile, error: LeagueError) -> str:
    until = NO_LEAGUE
    if fault.has_former:
        until = FORMER_LEAGUE
    template = BROKEN_TOML
    if fault.line:
        template = BROKEN_TOML_LINE
    values = {"file": fault.file, "line": fault.line, "why": in_japanese(error), "until": until}
    return template.format(**values)
