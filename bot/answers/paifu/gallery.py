"""名場面集: the best hands of the league's members (役満 first) and the rarest moments in the
paifu.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial

from bot import texts
from bot.answers.common.members import People, asked_members, members, people_of, token
from bot.answers.common.scope import offered, seats_of
from bot.chat.command import Ask, Question, Spec, choice, data_of
from bot.chat.replies import Choice, Picture, Reply, Row, Table, UserError
from bot.draw import glyphs
from bot.draw.layout import Area, Section, Titled, space, titled
from bot.draw.style import AXIS, INK, LOOKED_FOR, MUTED, readable
from bot.draw.tiles import HIGH, draw_tile
from bot.league.snapshot import LeagueSnapshot
from rating.paifu.record import DORA, KITA, RED, TSUMO, URA, yaku_name
from rating.paifu.recordlog import BestHand, KeptMoment, PaifuEntry

# most pixels of a tile, and pixels between two
_WIDEST = 68.0
_BETWEEN = 3.0
_APART = 0.45  # the gap before a call, in widths of a tile


@dataclass(frozen=True)
class GalleryHand:
    """A hand as it is drawn: `hand` are the concealed tiles without the winning `tile`."""

    name: str
    colour: str
    points: str
    yaku: str
    when: str
    how: str
    yakuman: bool
    hand: tuple[int, ...]
    tile: int
    calls: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Gallery(Titled):
    """The hands, the best first."""

    hands: Sequence[GalleryHand]


def draw(gallery: Gallery) -> bytes:
    """A PNG, 1200 pixels wide, as high as its hands need."""
    hands = [Section(262, partial(_draw_hand, hand)) for hand in gallery.hands]
    return titled(gallery.title, gallery.subtitle, [*hands, space(10)], least=0)


def _draw_hand(hand: GalleryHand, area: Area) -> None:
    area.inset(bottom=area.height).underline()
    bar, words = area.columns(10, 0, gap=18)
    bar.inset(top=20, bottom=140).plate(hand.colour, 4)
    taken = words.text(hand.points, LOOKED_FOR, anchor="right", bold=True, down=44)
    upper = words.inset(right=taken + 30)
    name = upper.inset(right=glyphs.width(hand.when, AXIS) + 24)
    taken = name.text(
        hand.name,
        LOOKED_FOR,
        readable(hand.colour),
        bold=True,
        down=44,
    )
    upper.inset(taken + 24).text(hand.when, AXIS, MUTED, down=47)
    ink = "#A50026" if hand.yakuman else INK
    words.text(hand.yaku, LOOKED_FOR, ink, bold=hand.yakuman, down=100)
    number = len(hand.hand) + 1 + sum(map(len, hand.calls))
    gaps = _APART * (len(hand.calls) + 1)
    width = min(_WIDEST, (area.width - 90 - _BETWEEN * number) / (number + gaps))
    x = area.left
    top = area.top + 142
    for tiles in (hand.hand, (hand.tile,), *hand.calls):
        if tiles is not hand.hand:
            x += width * _APART
        for tile in tiles:
            draw_tile(area.paper, x, top, width, tile)
            x += width + _BETWEEN
        if tiles == (hand.tile,):
            middle = top + width * HIGH / 2
            x += 8 + area.paper.text(x + 8, middle, hand.how, AXIS, MUTED)


IN_PICTURE = 5
MOMENTS = 5
SHORT = {TSUMO: "ツモ", RED: "赤", URA: "裏"}
LIMITS = {1: "満貫", 2: "跳満", 3: "倍満", 4: "三倍満", 5: "数え役満"}
NO_HANDS = "役満や名場面は、送られた牌譜から集めます。天鳳の牌譜のURLか牌譜ファイルをこのトークに送ってください。"
NOT_HIS = (
    "{}さんのアガリは、まだ牌譜にありません。対局の牌譜のURLかファイルを送ると、ここに加わります。"
)
NOTE = "送られた牌譜のアガリだけです。"


@dataclass(frozen=True)
class Featured:
    """A member's hand or moment: the `scene` (h0 the first hand, m0 the first moment) of `entry`'s
    record.
    """

    player: str
    entry: PaifuEntry
    scene: str
    hand: BestHand | None = None
    moment: KeptMoment | None = None

    @property
    def day(self) -> date:
        return self.entry.day or date.min


@dataclass(frozen=True)
class Collection:
    """The members' hands in paifu of `seats` seats, the best first, and their rarest moments."""

    seats: int
    paifus: int
    hands: tuple[Featured, ...]
    moments: tuple[Featured, ...]

    @property
    def title(self) -> str:
        return f"役満・名場面集　{texts.SEATS[self.seats]}"

    def of(self, player: str) -> Collection:
        """The collection of one member."""
        return replace(
            self,
            hands=tuple(hand for hand in self.hands if hand.player == player),
            moments=tuple(moment for moment in self.moments if moment.player == player),
        )


def collection(snapshot: LeagueSnapshot, seats: int) -> Collection:
    """The best hands and moments of the league's members with so many seats (3 or 4)."""
    entries = [entry for entry in snapshot.paifus if entry.seats == seats]
    everyone = set(members(snapshot))
    player_of = snapshot.league.player_of
    hands: list[Featured] = []
    moments: list[Featured] = []
    for entry in entries:
        for n, hand in enumerate(entry.hands or ()):
            hands.append(Featured(player_of(hand.player, entry.day), entry, f"h{n}", hand))
        for n, one in enumerate(entry.moments):
            moments.append(
                Featured(
                    player_of(one.player, entry.day),
                    entry,
                    f"m{n}",
                    moment=one,
                )
            )
    for part in (hands, moments):
        part[:] = [one for one in part if one.player in everyone]
        part.sort(key=lambda one: one.day, reverse=True)
    hands.sort(
        key=lambda one: one.hand.rank if one.hand else (0, 0, 0),
        reverse=True,
    )
    moments.sort(key=lambda one: one.moment.grade if one.moment else 0, reverse=True)
    return Collection(seats, len(entries), tuple(hands), tuple(moments))


def answer(question: Question) -> Reply:
    """The best hands as a picture, everybody's best and the moments as a table."""
    both = [collection(question.snapshot, seats) for seats in (4, 3)]
    known = [each for each in both if each.hands]
    if not known:
        raise UserError(NO_HANDS, offered(choice("牌譜の送り方", Ask.RECORD_REPORT)))
    player = next(iter(asked_members(question)), "")
    wanted = seats_of(question)
    chosen = max(known, key=lambda one: (one.seats == wanted, one.paifus))
    if player:
        chosen = chosen.of(player)
    people = people_of(question)
    if not chosen.hands:
        sentence = NOT_HIS.format(people.shown(player)) if player else NO_HANDS
        raise UserError(sentence, _choices(question, chosen, player))
    title = f"{people.shown(player)}の{chosen.title}" if player else chosen.title
    best = chosen.hands[:IN_PICTURE]
    shown = tuple(_drawn(people, one, one.hand) for one in best if one.hand)
    alt = f"{title}：{shown[0].name} {shown[0].points} {shown[0].yaku}"
    rows = tuple(
        people.row(one.player, drawn.points, detail=f"{drawn.yaku}　{drawn.when}", data=_tap(one))
        for one, drawn in zip(best, shown, strict=True)
    )
    drawing = Gallery(title, f"牌譜{chosen.paifus}戦から", shown)
    picture = Picture(drawing, draw, alt, (Table(title, rows, alt=alt),))
    table = _further(people, chosen, title, player)
    choices = _choices(question, chosen, player)
    if not table.rows:
        return Reply((picture,), choices)
    return Reply((table, picture), choices)


def _further(people: People, chosen: Collection, title: str, player: str) -> Table:
    """What the picture does not show: everybody's best, or a member's further hands; then the
    moments.
    """
    if player:
        head = "つづき"
        more = chosen.hands[IN_PICTURE : 2 * IN_PICTURE]
    else:
        best: dict[str, Featured] = {}
        for one in chosen.hands:
            best.setdefault(one.player, one)
        drawn = chosen.hands[:IN_PICTURE]
        head = "自己ベスト"
        more = tuple(one for one in best.values() if one not in drawn)
    rows = []
    told = []
    for one in more:
        if hand := one.hand:
            points = f"{hand.value:,}点"
            size = size_words(hand)
            day = texts.short_day(one.entry.day)
            if player:
                rows.append(
                    Row(
                        size,
                        points,
                        extra=(day,),
                        colour=people.colour(player),
                        data=_tap(one),
                    )
                )
            else:
                rows.append(
                    people.row(
                        one.player,
                        points,
                        extra=(size, day),
                        data=_tap(one),
                    )
                )
    for one in chosen.moments[:MOMENTS]:
        if moment := one.moment:
            league = people.snapshot.league
            day = texts.short_day(one.entry.day)
            other = (
                league.shown(league.player_of(moment.other, one.entry.day)) if moment.other else ""
            )
            row = Row(
                moment.said.replace("{}", other),
                day,
                colour=people.colour(one.player),
                data=_tap(one),
            )
            if not player:
                mine = people.is_asker(one.player)
                row = replace(
                    row,
                    value=people.shown(one.player),
                    extra=(day,),
                    mine=mine,
                )
            told.append(row)
    alt = f"{title}：" + "、".join(f"{row.name} {row.value}" for row in (*told, *rows)[:2])
    if not told:
        return Table(f"{title}　{head}", tuple(rows), note=NOTE, alt=alt)
    groups = ((head, tuple(rows)),) if rows else ()
    return Table("名場面", tuple(told), note=NOTE, alt=alt, more=groups)


def yaku_words(hand: BestHand) -> str:
    """What a hand was: 役満　四暗刻, or 倍満　立直・ツモ・清一色・ドラ3・裏1."""
    if hand.yakuman:
        return "役満　" + "・".join(map(yaku_name, hand.yakuman))
    names = []
    order = sorted(
        hand.yaku,
        key=lambda item: item[0] in (DORA, URA, RED),
    )
    for number, han in order:
        name = SHORT.get(number) or yaku_name(number).split(" ")[-1]
        names.append(f"{name}{han}" if number in (DORA, URA, RED) else name)
    return f"{size_words(hand)}　{'・'.join(names)}"


def size_words(hand: BestHand) -> str:
    """How large a hand is: 役満, 跳満, or 3翻40符."""
    if hand.yakuman:
        return "役満"
    return LIMITS.get(hand.limit) or f"{hand.han}翻{hand.fu}符"


def _drawn(people: People, one: Featured, hand: BestHand) -> GalleryHand:
    calls = [meld.tiles for meld in hand.melds if meld.type != KITA]
    norths: list[int] = []
    for meld in hand.melds:
        if meld.type == KITA:
            norths += meld.tiles
    if norths:
        calls.append(tuple(norths))
    concealed = list(hand.hand)
    concealed.remove(hand.tile)
    return GalleryHand(
        name=people.shown(one.player),
        colour=people.colour(one.player),
        points=f"{hand.value:,}点",
        yaku=yaku_words(hand),
        when="　".join(
            filter(
                None,
                (texts.short_day(one.entry.day, True), hand.round),
            )
        ),
        how="ツモ" if hand.tsumo else "ロン",
        yakuman=bool(hand.yakuman),
        hand=tuple(concealed),
        tile=hand.tile,
        calls=tuple(calls),
    )


def _tap(one: Featured) -> str:
    """A tap opens the report of the record; on the league's page, the scene in its replay."""
    return data_of(Ask.RECORD_REPORT, id=one.entry.file, scene=one.scene)


def _choices(question: Question, chosen: Collection, player: str) -> tuple[Choice, ...]:
    name = token(player) if player else ""
    other = 7 - chosen.seats
    found: list[Choice] = []
    if collection(question.snapshot, other).hands:
        found.append(
            choice(
                texts.SEATS[other],
                Ask.GALLERY,
                seats=other,
                player=name,
            )
        )
    asker = question.asker.player
    if player:
        found.append(choice("全員の名場面集", Ask.GALLERY, seats=chosen.seats))
        found.append(choice("個人", Ask.PLAYER, player=name))
    elif asker in {one.player for one in chosen.hands}:
        found.append(
            choice(
                "自分の名場面集",
                Ask.GALLERY,
                player=token(asker),
                seats=chosen.seats,
            )
        )
    return offered(
        *found,
        choice("牌譜成績", Ask.PAIFU, seats=chosen.seats, player=name),
        choice("牌譜の送り方", Ask.RECORD_REPORT),
    )


SPECS = (
    Spec(
        name=Ask.GALLERY,
        title="名場面集",
        help="送られた牌譜から、役満や最高打点の手と名場面を出します",
        answer=answer,
        words="役満 名場面 名場面集 やくまん めいばめん 役満集 最高打点",
        talk=True,
        takes=("seats",),
        names=1,
    ),
)
