"""今日の何切る: a position of the league's records a day, the members' votes, and the next day its
answer.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from bot import texts
from bot.answers.common.rounds import result, tile_name, wind
from bot.answers.common.scope import offered
from bot.answers.paifu import texts as paifu_texts
from bot.answers.paifu.quiz_picture import NO_KIND, QuizPicture, draw
from bot.answers.paifu.quizzes import Quiz, Quizzes, Vote
from bot.answers.paifu.top_table import DIVIDED, SHARE, SHARES_OF, share_text
from bot.chat.command import Ask, Question, Spec, Tools, choice, data_of
from bot.chat.replies import (
    GAP,
    Button,
    Choice,
    Form,
    FormRow,
    Picture,
    Reply,
    Row,
    Table,
    Text,
    UserError,
)
from rating.paifu.efficiency import DiscardChoice
from rating.paifu.record import Round
from rating.paifu.top_table.review import TopTableChoice, choices_of

TITLE = "今日の何切る"
ANSWER = "何切るの答え"
OFF = "今日の何切るは、管理者がleague.tomlに quiz = true と書くと始まります。"
NONE = "出題できる牌譜がまだありません。対局の牌譜のURLか牌譜ファイルを送ると、そこから出題します。"
GONE = "この問題の牌譜はもう残っていません。「何切る」で今日の問題が出ます。"
CLOSED = "この問題の投票は終わりました。下のボタンで答えを見られます。"
NO_ANSWER = "答えはまだありません。今日の問題の答えは、明日の「何切る」で見られます。"
NOTE = "下の牌を押して投票。あとから変えられます。答えは明日の「何切る」で。"
VOTED = "{tile}に投票しました（いま{votes}票）。答えは明日の「何切る」で。"
PLACE = "{round}　{wind}家　{turn}巡目　{seats}"
NOTIFICATION = "{title}：{text}"
HAND_IN_TEXT = "{place}\n{tiles}"
DISCARD = "{tile}切り"
LAST_ANSWER = "前回の答え"
ANSWER_HEADS = ("受け入れ", "山", "投票")
ANSWER_SUBTITLE = "{place}　{votes}票"
BEST = "正解"
TAKEN = "{player}の打牌"
VOTERS = "投票 {voters}"
VOTES = "{count}票"
BACK = "シャンテン戻し"
NO_DRAWS = "なし"
ANSWER_NOTE = (
    "その後のツモ：{draws}\n結果：{result}\n"
    "速さ（受け入れ枚数）だけの答えです。打点と守りは見ていません。"
)
IN_A_ROW = 5  # buttons
MOST_DRAWS = 6
MOST_ROWS = 6


def answer(question: Question, tools: Tools) -> Reply:
    """The day's quiz; with the option `kind` a vote, with `show` the last answer."""
    if not question.snapshot.league.quiz:
        raise UserError(OFF, offered(choice(paifu_texts.FIGURES, Ask.PAIFU)))
    quizzes = Quizzes(tools)
    today = question.now.date().isoformat()
    day_before = quizzes.day_before(today)
    buttons = _buttons(has_answer=bool(day_before))
    if question.option("show"):
        if not day_before:
            raise UserError(NO_ANSWER, (choice(TITLE, Ask.QUIZ),))
        return _answer_of(question, quizzes, day_before)
    if question.option("day", today) != today:
        raise UserError(CLOSED, buttons)
    quizzes.choose(today, [entry.file for entry in question.snapshot.paifus if entry.file])
    quiz = quizzes.of(today)
    if quiz is None:
        raise UserError(NONE, buttons)
    kind = _kind_voted_for(question, quiz)
    if kind != NO_KIND:
        return Reply((_vote(question, quizzes, today, kind),), buttons)
    return Reply((_picture(quiz, _chart(quiz, TITLE)), _form(quiz)), buttons)


def _buttons(has_answer: bool) -> tuple[Choice, ...]:
    figures = choice(paifu_texts.FIGURES, Ask.PAIFU)
    if has_answer:
        return offered(choice(LAST_ANSWER, Ask.QUIZ, show="answer"), figures)
    return offered(figures)


def place_of(quiz: Quiz) -> str:
    """東2局1本場　南家　6巡目　三人打ち."""
    played = quiz.record.rounds[quiz.position.round]
    return PLACE.format(
        round=played.name,
        wind=wind(played, quiz.position.seat),
        turn=quiz.position.turn,
        seats=texts.SEATS[quiz.record.seats],
    )


def _chart(quiz: Quiz, title: str) -> QuizPicture:
    """The position without its answer."""
    position = quiz.position
    return QuizPicture(
        title=title,
        subtitle=place_of(quiz),
        hand=position.hand,
        drawn=position.drawn,
        river=position.river,
        indicators=position.indicators,
    )


def _picture(quiz: Quiz, chart: QuizPicture) -> Picture:
    """The position as a picture; in its place the tiles as text."""
    place = place_of(quiz)
    tiles = " ".join(map(tile_name, quiz.position.hand))
    text = Text(HAND_IN_TEXT.format(place=place, tiles=tiles))
    notification = NOTIFICATION.format(title=chart.title, text=place)
    return Picture(chart, draw, notification, (text,), kind="record")


# A vote


def _kind_voted_for(question: Question, quiz: Quiz) -> int:
    """The kind of the option `kind`, where the hand has such a tile; else NO_KIND."""
    option = question.option("kind")
    if option.isdecimal() and int(option) in _kinds(quiz):
        return int(option)
    return NO_KIND


def _kinds(quiz: Quiz) -> set[int]:
    return {tile // 4 for tile in quiz.position.hand}


def _name_of_kind(kind: int) -> str:
    """The name of a kind's tile that is no red five."""
    return tile_name(kind * 4 + 1)


def _vote(question: Question, quizzes: Quizzes, day: str, kind: int) -> Text:
    """Count the asker's vote."""
    asker = question.asker
    votes = quizzes.vote(day, asker.user or asker.chat, Vote(kind, asker.player))
    return Text(VOTED.format(tile=_name_of_kind(kind), votes=votes))


def _form(quiz: Quiz) -> Form:
    """A button for each kind of tile in the hand."""
    buttons = []
    for kind in sorted(_kinds(quiz)):
        tile = _name_of_kind(kind)
        data = data_of(Ask.QUIZ, day=quiz.day, kind=kind)
        buttons.append(Button((tile,), data, said=DISCARD.format(tile=tile)))
    rows: list[FormRow] = []
    for start in range(0, len(buttons), IN_A_ROW):
        row = buttons[start : start + IN_A_ROW]
        row += [GAP] * (IN_A_ROW - len(row))
        rows.append(tuple(row))
    notification = NOTIFICATION.format(title=TITLE, text=place_of(quiz))
    return Form(TITLE, tuple(rows), NOTE, alt=notification)


# The answer of an earlier day


@dataclass(frozen=True)
class _Answer:
    """A quiz with its votes. `names`: the players' names shown, by seat."""

    quiz: Quiz
    votes: Sequence[Vote]
    names: Sequence[str]

    @property
    def round(self) -> Round:
        return self.quiz.record.rounds[self.quiz.position.round]

    @property
    def best(self) -> DiscardChoice:
        return self.quiz.position.choices[0]

    @property
    def taken(self) -> int:
        """The kind that the player discarded."""
        return self.quiz.position.taken // 4

    @cached_property
    def top_table(self) -> TopTableChoice | None:
        """What the top table would have discarded; None with four seats."""
        position = self.quiz.position
        place = (position.round, position.seat, position.turn)
        for top_choice in choices_of(self.quiz.record):
            if (top_choice.round, top_choice.seat, top_choice.turn) == place:
                return top_choice
        return None

    @property
    def votes_by_kind(self) -> Counter[int]:
        return Counter(vote.kind for vote in self.votes)


def _answer_of(question: Question, quizzes: Quizzes, day: str) -> Reply:
    """The answer to the quiz of an earlier day. Raises UserError where its record is gone."""
    quiz = quizzes.of(day)
    if quiz is None:
        raise UserError(GONE, (choice(TITLE, Ask.QUIZ),))
    solved = _Answer(quiz, quizzes.votes(day), _names(question, quiz))
    parts = (_answer_table(question, solved), _answer_picture(solved))
    return Reply(parts, _answer_buttons(solved))


def _answer_picture(solved: _Answer) -> Picture:
    """The position with the best discard marked, and the top table's shares."""
    chart = replace(_chart(solved.quiz, ANSWER), best=solved.best.kind)
    if solved.top_table is not None:
        chart = replace(chart, taken=solved.taken, shares=solved.top_table.shares)
    return _picture(solved.quiz, chart)


def _names(question: Question, quiz: Quiz) -> list[str]:
    """The names shown of the record's players, by seat."""
    league = question.snapshot.league
    days = (entry.day for entry in question.snapshot.paifus if entry.file == quiz.file)
    day = next(days, None)
    return [league.shown(league.player_of(name, day)) for name in quiz.record.players]


def _answer_table(question: Question, solved: _Answer) -> Table:
    """The best discard, the player's own, those voted for with their votes, and the top table's."""
    quiz = solved.quiz
    kinds = {solved.best.kind, solved.taken, *solved.votes_by_kind}
    if solved.top_table is not None:
        kinds.add(solved.top_table.favourite)
    options = [option for option in quiz.position.choices if option.kind in kinds]
    rows = tuple(_answer_row(question, solved, option) for option in options[:MOST_ROWS])
    draws = " ".join(map(tile_name, quiz.position.came[:MOST_DRAWS])) or NO_DRAWS
    return Table(
        ANSWER,
        rows,
        ANSWER_HEADS,
        ANSWER_SUBTITLE.format(place=place_of(quiz), votes=len(solved.votes)),
        ANSWER_NOTE.format(draws=draws, result=result(solved.round, solved.names))
        + _top_table_note(solved),
        NOTIFICATION.format(title=ANSWER, text=_name_of_kind(solved.best.kind)),
        plain=True,
    )


def _top_table_note(solved: _Answer) -> str:
    """What the top table's shares are; "" with four seats."""
    if solved.top_table is None:
        return ""
    sentences = [SHARES_OF]
    if solved.top_table.is_divided:
        sentences.insert(0, DIVIDED)
    return "\n" + "\n".join(sentences)


def _answer_row(question: Question, solved: _Answer, option: DiscardChoice) -> Row:
    """A discard with the tiles that it accepts, those of them in the wall, and its votes."""
    position = solved.quiz.position
    accepted = BACK
    in_wall = paifu_texts.UNKNOWN
    if option.shanten == solved.best.shanten:
        accepted = paifu_texts.TILES.format(count=option.tiles)
        if position.live:
            live = sum(position.live[kind] for kind in option.kinds)
            in_wall = paifu_texts.TILES.format(count=live)
    votes = VOTES.format(count=solved.votes_by_kind[option.kind])
    return Row(
        _name_of_kind(option.kind),
        accepted,
        extra=(in_wall, votes),
        detail=_answer_detail(question, solved, option),
    )


def _answer_detail(question: Question, solved: _Answer, option: DiscardChoice) -> str:
    """Whether a discard is the best one and the player's own, how usual it is at the top table, and
    who voted for it."""
    shown = question.snapshot.league.shown
    marks = []
    if option is solved.best:
        marks.append(BEST)
    if option.kind == solved.taken:
        marks.append(TAKEN.format(player=solved.names[solved.quiz.position.seat]))
    details = []
    if marks:
        details.append("・".join(marks))
    if solved.top_table is not None:
        share = solved.top_table.shares[option.kind]
        details.append(SHARE.format(share=share_text(share, is_taken=True)))
    voters = [
        shown(vote.player) for vote in solved.votes if vote.kind == option.kind and vote.player
    ]
    if voters:
        details.append(VOTERS.format(voters="・".join(voters)))
    return "　".join(details)


def _answer_buttons(solved: _Answer) -> tuple[Choice, ...]:
    label = paifu_texts.ROUND_LINK.format(round=solved.round.name)
    number = solved.quiz.position.round
    whole_round = choice(label, Ask.RECORD_REPORT, id=solved.quiz.file, round=number)
    return offered(choice(TITLE, Ask.QUIZ), whole_round)


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
