"""危険度: shows how likely each tile of a typed hand is to deal in against the rivers of players in
riichi."""

from __future__ import annotations

from dataclasses import dataclass

from bot import texts
from bot.answers.common.scope import offered, seats_of
from bot.answers.common.typed import SEATS as SEAT_WORDS
from bot.answers.paifu.danger_words import Asked, absent, in_words, problem, read, shown
from bot.answers.paifu.pictures.pages import draw_danger
from bot.answers.paifu.pictures.words import SOURCE, percent
from bot.answers.paifu.seats import league_seats, rates_with
from bot.answers.paifu.tile_words import tile_name
from bot.chat.command import Ask, MenuGroup, Question, Spec, choice, normal
from bot.chat.replies import Choice, Picture, Reply, Text, UserError
from rating.paifu.deal_in import DealInRate
from rating.paifu.situation import Situation, situation
from rating.paifu.tiles import ABSENT_IN_THREE, KINDS, PaifuError

# By number of seats.
EXAMPLES = {4: "123m406p789s1123z 19m4p2z ドラ表示3m", 3: "19m406p789s11123z 9m4p2z ドラ表示3p"}
HOW = (
    "手牌、リーチした人の河、ドラ表示牌の順に書いてください（河は{}人まで、ドラは省けます）。\n\n"
    "例：危険度 {}\n\n"
    "m=萬子、p=筒子、s=索子、z=字牌（東南西北白發中が1〜7）、0は赤5です。「ドラ3p」と書くと、表示牌は2pになります。\n"
    "三人打ちは「三麻」、四人打ちは「四麻」を付けると選べます（いまは{}）。"
)
ODD = "「{}」を牌として読めません。"
ABSENT = "三人打ちに2萬から8萬はありません（四人打ちのときは「危険度 四麻」に続けて書いてください）。"


@dataclass(frozen=True)
class DangerChart:
    """The data of the picture: `hand` are tiles (0-135), `chances` those of the kinds 0-33 to deal in."""

    subtitle: str
    hand: tuple[int, ...]
    chances: tuple[DealInRate, ...]
    seats: int


def draw(chart: DangerChart) -> bytes:
    """The picture as PNG."""
    kinds = [kind for kind in range(KINDS) if chart.seats == 4 or kind not in ABSENT_IN_THREE]
    return draw_danger("危険度", chart.subtitle, chart.hand, chart.chances, kinds)


def answer(question: Question) -> Reply:
    """The danger of each tile as picture and text. Raises UserError, with an example, when the words can't be
    read."""
    typed = question.option("q").split() or question.command.rest
    said = [int(SEAT_WORDS[normal(word)]) for word in typed if normal(word) in SEAT_WORDS]
    words = tuple(word for word in typed if normal(word) not in SEAT_WORDS)
    seats = seats_of(question) or next(iter(said), league_seats(question.snapshot))
    if not words:
        raise UserError(how(seats), _choices(seats))
    asked, odd = read(words)
    if odd:
        raise _refused(ODD.format(odd[:20]), seats, chatter=not asked.hand)
    if seats == 3 and absent(asked):
        as_four = choice("四人打ちで見る", Ask.DANGER, seats=4, q=" ".join(map(normal, words)))
        raise UserError(ABSENT, (as_four, *_choices(seats)))
    found = _situation(question, asked, seats)
    sentence = in_sentences(found)
    against = f"{texts.SEATS[seats]}　{in_words(asked, seats)}"
    chart = DangerChart(against, found.hand, found.chance, seats)
    return Reply((Picture(chart, draw, sentence, (Text(sentence),)), Text(sentence)), _choices(seats))


def how(seats: int) -> str:
    """How to ask, with an example for so many seats."""
    return HOW.format(seats - 1, EXAMPLES[seats], texts.SEATS[seats])


def _situation(question: Question, asked: Asked, seats: int) -> Situation:
    lying = shown(asked, seats)
    wrong = problem(lying, seats)
    if wrong:
        raise _refused(wrong, seats)
    rates = rates_with(question.snapshot, seats)
    try:
        return situation(lying.hand, lying.rivers, lying.indicators, seats=seats, rates=rates)
    except PaifuError:
        raise UserError(how(seats), _choices(seats)) from None


def _refused(wrong: str, seats: int, chatter: bool = False) -> UserError:
    return UserError(f"{wrong}\n\n{how(seats)}", _choices(seats), chatter=chatter)


def in_sentences(found: Situation) -> str:
    """The hand's tiles in three groups: the safe ones, the three least likely to deal in, the likeliest
    one."""
    kinds = {tile // 4: tile for tile in found.hand}
    order = sorted(
        kinds.values(), key=lambda tile: (found.chance[tile // 4].rate, found.danger[tile // 4], tile)
    )
    safe = [tile_name(tile) for tile in order if not found.danger[tile // 4]]
    rest = [tile for tile in order if found.danger[tile // 4]]
    words = [f"{tile_name(tile)} {percent(found.chance[tile // 4])}" for tile in rest]
    lines = [f"安全：{'、'.join(safe) or 'ありません'}"]
    if rest:
        lines.append(f"通りやすい順：{'、'.join(words[:3])}")
    if len(rest) > 3:
        lines.append(f"いちばん危ない：{words[-1]}")
    return "\n".join([*lines, *_origin([found.chance[tile // 4] for tile in rest], found.seats)])


def _origin(chances: list[DealInRate], seats: int) -> list[str]:
    """The sentence that says where the rates come from; none where every tile is safe."""
    if not chances:
        return []
    own = [chance.own for chance in chances]
    if seats == 4 or not any(own):
        few = "三人打ちの牌譜が少ないため、" * (seats == 3)
        return [f"％は放銃率の目安です（{few}{SOURCE}での割合）。"]
    others = f"（　）のない％は{SOURCE}での割合です。" * (not all(own))
    return [f"％は放銃率の目安です（三人打ちの牌譜での割合と、その95%の範囲）。{others}"]


def _choices(seats: int) -> tuple[Choice, ...]:
    other = 7 - seats
    return offered(
        choice("例を見る", Ask.DANGER, q=EXAMPLES[seats], seats=seats),
        choice(f"{texts.SEATS[other]}の例", Ask.DANGER, q=EXAMPLES[other], seats=other),
        choice("牌譜", Ask.RECORDS),
    )


SPECS = (
    Spec(
        name=Ask.DANGER,
        title="危険度",
        help="手牌と河から、牌の危険度を出します（例は「危険度」とだけ送ると出ます）",
        answer=answer,
        words=("危険度", "きけんど", "危険"),
        group=MenuGroup.RECORDS,
        place=1,
        longest=200,  # a hand and three rivers
    ),
)
