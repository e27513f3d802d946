"""部屋: an admin says which rooms at Tenhou are the league's, by number or by who plays there."""

import re
import unicodedata
from collections import Counter

from bot import texts
from bot.answers.common.confirm import MENU, propose, require_names
from bot.chat.command import Ask, Question, Spec, Tools, choice
from bot.chat.replies import FormFact, Reply, Text, UserError
from bot.league.snapshot import LeagueSnapshot
from bot.tenhou.client import TenhouError
from bot.tenhou.throttle import TooSoon
from rating.league_edit import Setting
from rating.logdates import JST

HOW = (
    "「部屋 C1234」のように部屋番号を送るか、「部屋 みどり一色 白發中 東風」のように、"
    "いつも打つ3人の天鳳の名前を送ってください。"
    "前の記録があれば、1対1のトークに logvol1.txt をファイルで送っても始められます。"
)
NOT_HERE = "「{}」が最近一緒に打った部屋は見つかりません（{}〜{}）。"
SOON = "天鳳には少し前に問い合わせたばかりです。{:%H:%M}より後に、もう一度送ってください。"
DOWN = "いま天鳳に問い合わせできません。部屋番号が分かれば「部屋 C1234」のように送ってください。"
DONE = "部屋を{}にしました。結果は1時間以内に入ります（夜の1時から7時は、そのあと）。"
_ROOM = re.compile("[CL][0-9]{4}")


def missing(snapshot: LeagueSnapshot) -> bool:
    """Whether no room is known from which results could come: neither named, nor from games."""
    return not snapshot.league.rooms and not snapshot.all_games()


def answer(question: Question, tools: Tools) -> Reply:
    """`部屋`: the rooms and their games; `部屋 C1234` or `部屋 名前 名前 名前` proposes others."""
    require_names(question)
    words = tuple(unicodedata.normalize("NFKC", word).upper() for word in question.command.rest)
    if not words:
        games = Counter(game.room for game in question.snapshot.all_games())
        rooms = dict.fromkeys((*question.snapshot.league.rooms, *sorted(games)))
        told = [f"{room}：{games[room]}戦" for room in rooms] or ["部屋はまだ決まっていません。"]
        return Reply(
            (Text("\n".join([*told, HOW])),),
            (choice("設定", Ask.SETTINGS), MENU),
        )
    facts: tuple[FormFact, ...] = ()
    if not all(map(_ROOM.fullmatch, words)):
        words, facts = _found(question, tools)
    was = "、".join(question.snapshot.league.rooms)
    new = "、".join(words)
    edit = Setting("rooms", list(words))
    facts = (FormFact("部屋", new, was), *facts)
    return propose(
        question, tools, edit, "この部屋の対局を記録しますか？", *facts, done=DONE.format(new)
    )


def _found(
    question: Question,
    tools: Tools,
) -> tuple[tuple[str, ...], tuple[FormFact, ...]]:
    """The rooms where these players met lately, and what is told of each.

    Raises UserError for none.
    """
    names = question.command.rest
    if tools.folder:  # the search keeps what it finds for the root folder's league
        raise UserError(HOW, (MENU,))
    try:
        found = tools.parts.find_rooms(names)
    except TooSoon as early:
        raise UserError(SOON.format(early.until.astimezone(JST)), (MENU,)) from None
    except TenhouError:
        raise UserError(DOWN, (MENU,)) from None
    if not found.rooms:
        first, last = map(
            texts.day,
            (found.days[0], found.days[-1]),
        )
        raise UserError(
            NOT_HERE.format("、".join(names), first, last) + HOW,
            (MENU,),
        )
    facts = [
        FormFact(room.name, f"{room.meetings}戦（{'、'.join(room.players)}）"[:60])
        for room in found.rooms
    ]
    return tuple(room.name for room in found.rooms), tuple(facts)


SPECS = (
    Spec(
        name=Ask.ROOMS,
        title="部屋",
        help="どの部屋の対局を記録するかを決めます",
        action=answer,
        words="部屋",
        admin=True,
        slow=True,
    ),
)
