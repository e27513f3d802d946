"""今日の何切る: a position of the league's records a day, the members' votes, and the next day its
answer.
"""

import hashlib
import json
from collections import Counter
from dataclasses import dataclass
from functools import partial

from bot import texts
from bot.answers.common.rounds import result, tile_name, wind
from bot.answers.common.scope import offered
from bot.chat.command import Ask, Question, Spec, Tools, choice, data_of
from bot.chat.replies import GAP, Button, Form, Picture, Reply, Row, Table, Text, UserError
from bot.draw.layout import Area, Section, Titled, space, titled
from bot.draw.style import MUTED, SMALL, UP
from bot.draw.tiles import HIGH, draw_tile
from bot.league.paifu_log import PaifuFolder
from rating.paifu.record import Record
from rating.paifu.situation import Position, asks, position
from rating.paifu.tiles import PaifuError
from rating.paifu.wall import open_walls
from storage.values import LeagueKey

TITLE = "今日の何切る"
ANSWER = "何切るの答え"
OFF = "今日の何切るは、管理者がleague.tomlに quiz = true と書くと始まります。"
NONE = "出題できる牌譜がまだありません。対局の牌譜のURLか牌譜ファイルを送ると、そこから出題します。"
GONE = "この問題の牌譜はもう残っていません。「何切る」で今日の問題が出ます。"
CLOSED = "この問題の投票は終わりました。下のボタンで答えを見られます。"
NO_ANSWER = "答えはまだありません。今日の問題の答えは、明日の「何切る」で見られます。"
NOTE = "下の牌を押して投票。あとから変えられます。答えは明日の「何切る」で。"
SPEED = "速さ（受け入れ枚数）だけの答えです。打点と守りは見ていません。"
# records looked through a day; buttons in a row; draws and rows shown
LOOKED = 20
ACROSS = 5
SHOWN = 6
VOTES = 90 * 86400.0  # seconds for which votes are kept
_TILE = 68
_SMALL = 52


@dataclass(frozen=True)
class QuizPicture(Titled):
    """The hand as it is drawn, with the tile just drawn apart; `best` is the kind to mark, -1 for
    none.
    """

    hand: tuple[int, ...]
    drawn: int
    river: tuple[int, ...]
    indicators: tuple[int, ...]
    best: int = -1


def draw(chart: QuizPicture) -> bytes:
    """A PNG, 1200 pixels wide: the hand, the dora indicators and the own river."""

    def hand(area: Area) -> None:
        left = area.left
        tiles = [tile for tile in chart.hand if tile != chart.drawn]
        for tile in (*tiles, chart.drawn):
            if tile == chart.drawn:
                left += 26
            if tile // 4 == chart.best:
                area.paper.pill(
                    left - 5,
                    area.top - 5,
                    left + _TILE + 5,
                    area.top + _TILE * HIGH + 5,
                    12,
                    UP,
                )
            draw_tile(area.paper, left, area.top, _TILE, tile)
            left += _TILE + 6

    def small(words: str, tiles: tuple[int, ...], area: Area) -> None:
        area.text(words, SMALL, MUTED, down=_SMALL * HIGH / 2)
        for place, tile in enumerate(tiles):
            draw_tile(
                area.paper,
                area.left + 190 + place * (_SMALL + 4),
                area.top,
                _SMALL,
                tile,
            )

    sections = [Section(int(_TILE * HIGH) + 34, hand)]
    for words, tiles in (("ドラ表示", chart.indicators), ("自分の河", chart.river)):
        if tiles:
            draw_line = partial(small, words, tiles)
            sections.append(Section(int(_SMALL * HIGH) + 16, draw_line))
    return titled(
        chart.title,
        chart.subtitle,
        [space(20), *sections, space(10)],
        least=0,
    )


@dataclass(frozen=True)
class Quiz:
    """The quiz of a day (ISO): a record of the league, and the position in it."""

    day: str
    file: str
    record: Record
    asked: Position

    @property
    def where(self) -> str:
        """東2局1本場　南家　6巡目　三人打ち."""
        played = self.record.rounds[self.asked.round]
        seat = f"{wind(played, self.asked.seat)}家"
        return "　".join(
            (played.name, seat, f"{self.asked.turn}巡目", texts.SEATS[self.record.seats])
        )

    def picture(self, title: str, best: int = -1) -> Picture:
        asked = self.asked
        chart = QuizPicture(
            title, self.where, asked.hand, asked.drawn, asked.river, asked.indicators, best
        )
        hand = " ".join(map(tile_name, asked.hand))
        instead = (Text(f"{self.where}\n{hand}"),)
        return Picture(chart, draw, f"{title}：{self.where}", instead, kind="record")


class Quizzes:
    """The quizzes of a league and their votes, among the values of the state store."""

    def __init__(self, tools: Tools) -> None:
        self._tools = tools
        self._values = tools.parts.state.values
        self._days = LeagueKey.QUIZ.of(tools.folder)
        self._votes = LeagueKey.QUIZ_VOTE.of(tools.folder)

    def answered(self, before: str) -> str:
        """The last day before this one that had a quiz, or ""."""
        days = (key.removeprefix(self._days) for key in self._values.items(self._days))
        return max((day for day in days if day < before), default="")

    def of(self, day: str) -> Quiz | None:
        """The quiz of a day that has one; None where its record is gone."""
        kept = self._values.get(self._days + day)
        if not kept:
            return None
        file, number, seat, turn = json.loads(kept)
        record = self._record(file) if file else None
        if not record:
            return None
        asked = position(record, number, seat, turn, open_walls(record).rounds)
        return Quiz(day, file, record, asked) if asked else None

    def chosen(self, day: str, files: list[str]) -> None:
        """Choose the day's position: never one that was asked before.

        Of two processes the first decides.
        """
        if self._values.get(self._days + day) is not None:
            return
        used = set(self._values.items(self._days).values())
        for file in sorted(files, key=partial(_mixed, day))[:LOOKED]:
            record = self._record(file)
            if not record:
                continue
            positions = {
                json.dumps(
                    [
                        file,
                        asked.round,
                        asked.seat,
                        asked.turn,
                    ]
                )
                for asked in asks(record)
            }
            if fresh := sorted(positions - used, key=partial(_mixed, day)):
                self._values.add(self._days + day, fresh[0])
                return

    def vote(self, day: str, who: str, kind: int, player: str) -> int:
        """Count a vote in the place of the same member's former one; the number of votes."""
        key = f"{self._votes}{day}/"
        self._values.put(key + who, json.dumps([kind, player]), VOTES)
        return len(self._values.items(key))

    def votes(self, day: str) -> list[tuple[int, str]]:
        """(kind, the member's name on Tenhou or "") of every vote."""
        kept = self._values.items(f"{self._votes}{day}/")
        return [(kind, player) for kind, player in map(json.loads, kept.values())]

    def _record(self, file: str) -> Record | None:
        folder = PaifuFolder(self._tools.logs)
        data = folder.get(file)
        try:
            return folder.parsed(data) if data is not None else None
        except PaifuError:
            return None


def _mixed(day: str, words: str) -> str:
    return hashlib.sha256(f"{day}|{words}".encode()).hexdigest()


def answer(question: Question, tools: Tools) -> Reply:
    """The day's quiz; with the option `kind` a vote, with `show` the last answer."""
    if not question.snapshot.league.quiz:
        raise UserError(OFF, offered(choice("牌譜成績", Ask.PAIFU)))
    today = question.now.date().isoformat()
    quizzes = Quizzes(tools)
    before = quizzes.answered(today)
    ways = offered(choice("牌譜成績", Ask.PAIFU))
    if before:
        last = choice("前回の答え", Ask.QUIZ, show="answer")
        ways = offered(last, choice("牌譜成績", Ask.PAIFU))
    if question.option("show"):
        if not before:
            raise UserError(NO_ANSWER, (choice(TITLE, Ask.QUIZ),))
        return _answer(question, _known(quizzes, before), quizzes.votes(before))
    if question.option("day", today) != today:
        raise UserError(CLOSED, ways)
    quizzes.chosen(today, [entry.file for entry in question.snapshot.paifus if entry.file])
    quiz = quizzes.of(today)
    if quiz is None:
        raise UserError(NONE, ways)
    kinds = {tile // 4: tile for tile in reversed(quiz.asked.hand)}
    wanted = question.option("kind")
    if wanted.isdecimal() and int(wanted) in kinds:
        asker = question.asker
        votes = quizzes.vote(today, asker.user or asker.chat, int(wanted), asker.player)
        name = tile_name(int(wanted) * 4 + 1)
        return Reply(
            (Text(f"{name}に投票しました（いま{votes}票）。答えは明日の「何切る」で。"),), ways
        )
    buttons = []
    for kind in sorted(kinds):
        name = tile_name(kind * 4 + 1)
        buttons.append(
            Button(
                (name,),
                data_of(Ask.QUIZ, day=today, kind=kind),
                said=f"{name}切り",
            )
        )
    buttons += [GAP] * (-len(buttons) % ACROSS)
    starts = range(0, len(buttons), ACROSS)
    rows = tuple(tuple(buttons[start : start + ACROSS]) for start in starts)
    return Reply(
        (quiz.picture(TITLE), Form(TITLE, rows, NOTE, alt=f"{TITLE}：{quiz.where}")),
        ways,
    )


def _known(quizzes: Quizzes, day: str) -> Quiz:
    quiz = quizzes.of(day)
    if quiz is None:
        raise UserError(GONE, (choice(TITLE, Ask.QUIZ),))
    return quiz


def _answer(
    question: Question,
    quiz: Quiz,
    votes: list[tuple[int, str]],
) -> Reply:
    asked = quiz.asked
    league = question.snapshot.league
    played = quiz.record.rounds[asked.round]
    best = asked.choices[0]
    taken = asked.taken // 4
    counted = Counter(kind for kind, _ in votes)
    shown = [
        one for one in asked.choices if one in (best,) or one.kind == taken or counted[one.kind]
    ]
    day = next(
        (entry.day for entry in question.snapshot.paifus if entry.file == quiz.file),
        None,
    )
    names = [league.shown(league.player_of(name, day)) for name in quiz.record.players]
    rows = []
    for one in shown[:SHOWN]:
        marks = []
        if one is best:
            marks.append("正解")
        if one.kind == taken:
            marks.append(f"{names[asked.seat]}の打牌")
        details = ["・".join(marks)] if marks else []
        voters = [league.shown(player) for kind, player in votes if kind == one.kind and player]
        if voters:
            details.append(f"投票 {'・'.join(voters)}")
        tiles = "シャンテン戻し"
        live = "－"
        if one.shanten == best.shanten:
            tiles = f"{one.tiles}枚"
            if asked.live:
                live = f"{sum(asked.live[kind] for kind in one.kinds)}枚"
        rows.append(
            Row(
                tile_name(one.kind * 4 + 1),
                tiles,
                extra=(live, f"{counted[one.kind]}票"),
                detail="　".join(details),
            )
        )
    came = " ".join(map(tile_name, asked.came[:SHOWN])) or "なし"
    note = f"その後のツモ：{came}\n結果：{result(played, names)}\n{SPEED}"
    alt = f"{ANSWER}：{tile_name(best.kind * 4 + 1)}"
    subtitle = f"{quiz.where}　{len(votes)}票"
    table = Table(
        ANSWER,
        tuple(rows),
        ("受け入れ", "山", "投票"),
        subtitle,
        note,
        alt,
        plain=True,
    )
    seen = choice(f"{played.name}を見る", Ask.RECORD_REPORT, id=quiz.file, round=asked.round)
    return Reply(
        (table, quiz.picture(ANSWER, best.kind)),
        offered(choice(TITLE, Ask.QUIZ), seen),
    )


SPECS = (
    Spec(
        name=Ask.QUIZ,
        title=TITLE,
        help="リーグの牌譜から1日1問、何を切るかを投票で当てます（答えは翌日）",
        action=answer,
        words="何切る 今日の何切る なにきる クイズ 何切るクイズ 何切る一問",
        hidden=True,
        slow=True,
    ),
)
