"""What is wrong with league.toml, or with an edit of it, as one Japanese sentence with the line."""

from __future__ import annotations

import re

from bot.chat.command import Question
from bot.chat.replies import Reply, Text
from bot.texts import FROM_MEMORY
from storage.ports import StorageError

TOLD = 24 * 3600.0  # seconds for which a group is told only once of the same broken file
_AT_LINE = re.compile(r" ?\(at (?:line ([0-9]+), column [0-9]+|end of document)\)$")
_KIND = {
    "a text": '" " で囲んだ文字',
    "true or false": "true か false",
    "a list": "[ ] の並び",
    "a table": "表",
    "a number": "数",
    "a whole number": "整数",
    "a number of a usual size": "ふつうの大きさの数",
    "0 or more": "0以上の数",
    "a list of texts": "[ ] で囲んだ文字の並び",
    "3 or 4 numbers": "3つか4つの数",
    "a date such as 2020-07-01": "2020-07-01 のような日付",
}
_REASONS = (
    (r"unknown key (.+?) \(known", r"\1 という項目はありません"),
    (r"model (.+?) is none of .*", r"\1 というレーティングはありません"),
    (r"(.+) must be (.+?)(?:, not .*)?$", None),
    (r"rooms: (.+?) is no Tenhou room.*", r"rooms の \1 は天鳳の部屋番号ではありません"),
    (r"(.+?) log: (.+?) is not of the form .*", r"\1 の log は logvol3.txt のような名前にしてください"),
    (r"(.+?) log: (.+?) is another season's already", r"\2 はほかのシーズンがもう使っています"),
    (r"(.+?) aliases: (.+?) is neither .*", r"\1 の aliases に名前でないものがあります"),
    (
        r"the season before starts on (\S+), .*",
        r"前のシーズンが \1 に始まっています。それより後の日にしてください",
    ),
    (r"(.+) is a member already", r"\1 さんは、もうその内容で入っています"),
    (r"(.+) is a player's own name", r"\1 はメンバー本人の名前です。別名にはできません"),
    (r"(.+) is an alias of (.+) already", r"\1 は、もう \2 さんの別名です"),
    (r"the team (.+) is so already", r"チーム \1 は、もうその顔ぶれです"),
    (r"(.+) is in the team (.+) already", r"\1 さんは、もうチーム \2 に入っています"),
    (r"\[player\.(.+?)\]: (.+) is (.+) already", r"\2 という名前は、\1 さんと \3 さんの両方にあります"),
    (r"(.+) is (\S+) already", r"もうその設定になっています"),
    (
        r"the file is written in a way .*",
        r"書き方が特別なため、ここからは変えられません。ファイルを直接直してください",
    ),
    (r"too many brackets .*", r"かっこが多すぎます"),
    (r"some bytes are no text.*", r"文字コードが UTF-8 ではありません"),
    (r"Expected '=' after a key.*", r"項目名のあとに = がありません"),
    (r"Invalid value", r"値の書き方が正しくありません（文字は \" \" で囲みます）"),
    (
        r"Invalid initial character for a key part",
        r"項目名の書き方が正しくありません（日本語は \" \" で囲みます）",
    ),
    (r"Invalid statement", r"読めない行です"),
    (r"Expected newline or end of document.*", r"行の終わりに余分なものがあります"),
    (r"(?:Unterminated string|Illegal character '\\n'.*|Expected .*quote.*)", r"\" が閉じていません"),
    (r"(?:Unclosed array|Expected ',' or .*array.*)", r"[ ] が閉じていません"),
    (r"(?:Unclosed inline table|Expected ',' or .*table.*)", r"{ } が閉じていません"),
    (r"Expected .* at the end of an? (?:table|array) declaration", r"[ ] が閉じていません"),
    (
        r"(?:Cannot overwrite a value|Cannot declare .* twice|Duplicate .*|Cannot .*)",
        r"同じ項目が2回あります",
    ),
)


def in_japanese(reason: str) -> str:
    """A LeagueError's reason for members; the English words where it is an unforeseen one."""
    words = _AT_LINE.sub("", reason.removeprefix("league.toml: "))
    for pattern, sentence in _REASONS:
        found = re.match(pattern, words, re.DOTALL)
        if found and sentence is None:
            return f"{found[1]} は{_KIND.get(found[2], '正しい値')}で書いてください"
        if found and sentence:
            told = found.expand(sentence.replace('\\"', '"')).replace("'", "")
            return re.sub(r"([0-9]{4})-0?([0-9]+)-0?([0-9]+)", r"\1年\2月\3日", told)
    return f"書き方が正しくありません（{words[:120]}）"


def sentence(question: Question) -> str:
    """What is wrong with the league's league.toml, "" where nothing is."""
    problem = next((p for p in question.snapshot.problems if p.file == "league.toml"), None)
    if problem is None:
        return ""
    where = f"の{problem.line}行目" if problem.line else ""
    why = in_japanese(problem.reason)
    return f"league.toml {where}に間違いがあります：{why}。直すまでは、前の内容のまま動きます。".replace(
        "  ", " "
    )


def with_notice(question: Question, reply: Reply) -> Reply:
    """The reply, with a word where it is from memory, and for an admin the sentence on a broken league.toml.

    He gets that always in the 1:1 chat, in a group once a day for the same file.
    """
    if question.library.trouble:
        reply = Reply((*reply.parts[:4], Text(FROM_MEMORY)), reply.choices)
    if not question.asker.admin or not (words := sentence(question)):
        return reply
    if not question.asker.alone and question.state is not None:
        key = f"told:{question.asker.chat}:{question.snapshot.revision}"
        try:
            if not question.state.add(key, "1", TOLD):
                return reply
        except StorageError:
            return reply
    return Reply((*reply.parts[:4], Text(f"（管理者へ）{words}")), reply.choices)
