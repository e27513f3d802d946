"""名場面集: the best hands of the league's members (役満 first) and the rarest moments in the
paifu.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import NamedTuple

from bot import texts
from bot.answers.common.members import People, asked_members, members, people_of, token
from bot.answers.common.scope import offered, other_seats, seats_of
from bot.answers.paifu import texts as paifu_texts
from bot.answers.paifu.gallery_picture import Gallery, GalleryHand, draw
from bot.chat.command import Ask, Question, Spec, choice, data_of
from bot.chat.replies import Choice, Picture, Reply, Row, Table, UserError
from bot.league.snapshot import LeagueSnapshot
from rating.paifu.melds import Meld, MeldType
from rating.paifu.record import DORA, RED, TSUMO, URA, Yaku, yaku_name
from rating.paifu.recordlog import BestHand, KeptMoment, PaifuEntry

IN_PICTURE = 5  # hands
MOMENTS = 5
TITLE = "役満・名場面集　{seats}"
TITLE_OF_PLAYER = "{player}の役満・名場面集　{seats}"
SUBTITLE = "牌譜{paifus}戦から"
NOTIFICATION = "{title}：{player} {points} {yaku}"
TABLE_NOTIFICATION = "{title}：{rows}"
FURTHER_TITLE = "{title}　{part}"
BESTS = "自己ベスト"
FURTHER = "つづき"
NOTE = "送られた牌譜のアガリだけです。"
EVERYBODYS = "全員の名場面集"
ASKERS = "自分の名場面集"
NO_HANDS = "役満や名場面は、送られた牌譜から集めます。天鳳の牌譜のURLか牌譜ファイルをこのトークに送ってください。"
NOT_HIS = "{player}さんのアガリは、まだ牌譜にありません。対局の牌譜のURLかファイルを送ると、ここに加わります。"
YAKUMAN = "役満"
YAKUMAN_WITH = "役満　{yaku}"
HAND = "{size}　{yaku}"
HAN_AND_FU = "{han}翻{fu}符"
LIMITS = {1: "満貫", 2: "跳満", 3: "倍満", 4: "三倍満", 5: "数え役満"}
SHORT: dict[Yaku, str] = {TSUMO: "ツモ", RED: "赤", URA: "裏"}
SELF_DRAWN = "ツモ"
WON_ON_DISCARD = "ロン"
COUNTED_YAKU = (DORA, URA, RED)  # one han each


@dataclass(frozen=True)
class FeaturedHand:
    """A member's hand: the `scene` of `entry`'s record (h0 is its first hand)."""

    player: str
    entry: PaifuEntry
    scene: str
    hand: BestHand


@dataclass(frozen=True)
class FeaturedMoment:
    """A member's moment: the `scene` of `entry`'s record (m0 is its first moment)."""

    player: str
    entry: PaifuEntry
    scene: str
    moment: KeptMoment


Featured = FeaturedHand | FeaturedMoment


@dataclass(frozen=True)
class Collection:
    """The members' hands in paifu of `seats` seats, the best first, and their rarest moments."""

    seats: int
    paifus: int
    hands: tuple[FeaturedHand, ...]
    moments: tuple[FeaturedMoment, ...]

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
    hands: list[FeaturedHand] = []
    moments: list[FeaturedMoment] = []
    for entry in entries:
        for number, hand in enumerate(entry.hands or ()):
            player = player_of(hand.player, entry.day)
            if player in everyone:
                hands.append(FeaturedHand(player, entry, f"h{number}", hand))
        for number, moment in enumerate(entry.moments):
            player = player_of(moment.player, entry.day)
            if player in everyone:
                moments.append(FeaturedMoment(player, entry, f"m{number}", moment))
    # Of equals the latest first.
    hands.sort(key=_day, reverse=True)
    moments.sort(key=_day, reverse=True)
    hands.sort(key=_rank_of_hand, reverse=True)
    moments.sort(key=_grade_of_moment, reverse=True)
    return Collection(seats, len(entries), tuple(hands), tuple(moments))


def _day(featured: Featured) -> date:
    return featured.entry.day or date.min


def _rank_of_hand(featured: FeaturedHand) -> tuple[int, ...]:
    return featured.hand.rank


def _grade_of_moment(featured: FeaturedMoment) -> int:
    return featured.moment.grade


def answer(question: Question) -> Reply:
    """The best hands as a picture, everybody's best and the moments as a table."""
    player = next(iter(asked_members(question)), "")
    people = people_of(question)
    featured = _figures(question, player)
    buttons = _buttons(question, featured, player)
    if not featured.hands:
        sentence = NO_HANDS
        if player:
            sentence = NOT_HIS.format(player=people.shown(player))
        raise UserError(sentence, buttons)
    title = TITLE.format(seats=texts.SEATS[featured.seats])
    if player:
        title = TITLE_OF_PLAYER.format(
            player=people.shown(player), seats=texts.SEATS[featured.seats]
        )
    picture = _picture(people, featured, title)
    table = _table(people, featured, title, player)
    if not table.rows:
        return Reply((picture,), buttons)
    return Reply((table, picture), buttons)


def _figures(question: Question, player: str) -> Collection:
    """The collection of the seats that the question is about, else of those with more paifu; of
    `player` alone where it is named. Raises UserError without any hand.
    """
    wanted = seats_of(question)
    collections = [collection(question.snapshot, seats) for seats in (4, 3)]
    collections = [featured for featured in collections if featured.hands]
    if not collections:
        how = choice(paifu_texts.HOW_TO_SEND, Ask.RECORD_REPORT)
        raise UserError(NO_HANDS, offered(how))
    best = max(collections, key=lambda featured: (featured.seats == wanted, featured.paifus))
    if player:
        return best.of(player)
    return best


def _picture(people: People, featured: Collection, title: str) -> Picture:
    """The picture of the best hands, with a table of them in its place."""
    rows = []
    hands = []
    for best in featured.hands[:IN_PICTURE]:
        hand = _drawn_hand(people, best)
        hands.append(hand)
        detail = f"{hand.yaku}　{hand.when}"
        rows.append(
            people.row(
                best.player,
                hand.points,
                detail=detail,
                data=_tap(best),
            )
        )
    first = hands[0]
    notification = NOTIFICATION.format(
        title=title, player=first.name, points=first.points, yaku=first.yaku
    )
    chart = Gallery(title, SUBTITLE.format(paifus=featured.paifus), tuple(hands))
    table = Table(title, tuple(rows), alt=notification)
    return Picture(chart, draw, notification, (table,))


def _drawn_hand(people: People, featured: FeaturedHand) -> GalleryHand:
    hand = featured.hand
    concealed = list(hand.hand)
    concealed.remove(hand.tile)
    how = WON_ON_DISCARD
    if hand.tsumo:
        how = SELF_DRAWN
    return GalleryHand(
        name=people.shown(featured.player),
        colour=people.colour(featured.player),
        points=paifu_texts.WIN_POINTS.format(points=hand.value),
        yaku=yaku_words(hand),
        when="　".join(
            filter(
                None,
                (texts.short_day(featured.entry.day, True), hand.round),
            )
        ),
        how=how,
        yakuman=bool(hand.yakuman),
        hand=tuple(concealed),
        tile=hand.tile,
        calls=_drawn_calls(hand.melds),
    )


def _drawn_calls(melds: Sequence[Meld]) -> tuple[tuple[int, ...], ...]:
    """The tiles of each call; norths set aside are one group at the end."""
    calls = [meld.tiles for meld in melds if meld.type != MeldType.KITA]
    norths: list[int] = []
    for meld in melds:
        if meld.type == MeldType.KITA:
            norths += meld.tiles
    if norths:
        calls.append(tuple(norths))
    return tuple(calls)


class _FurtherHands(NamedTuple):
    head: str
    hands: Sequence[FeaturedHand]


def _table(people: People, featured: Collection, title: str, player: str) -> Table:
    """What the picture does not show: everybody's best, or a member's further hands; then the
    moments.
    """
    further = _further_hands(featured, player)
    hand_rows = tuple(_hand_row(people, hand, player) for hand in further.hands)
    moment_rows = tuple(
        _moment_row(people, moment, player) for moment in featured.moments[:MOMENTS]
    )
    first_rows = [f"{row.name} {row.value}" for row in (*moment_rows, *hand_rows)[:2]]
    notification = TABLE_NOTIFICATION.format(title=title, rows="、".join(first_rows))
    if not moment_rows:
        title = FURTHER_TITLE.format(title=title, part=further.head)
        return Table(title, hand_rows, note=NOTE, alt=notification)
    groups: tuple[tuple[str, tuple[Row, ...]], ...] = ()
    if hand_rows:
        groups = ((further.head, hand_rows),)
    return Table(paifu_texts.MOMENTS, moment_rows, note=NOTE, alt=notification, more=groups)


def _further_hands(featured: Collection, player: str) -> _FurtherHands:
    """The hands that the picture does not show: a member's next ones, or everybody's best."""
    if player:
        return _FurtherHands(FURTHER, featured.hands[IN_PICTURE : 2 * IN_PICTURE])
    in_picture = featured.hands[:IN_PICTURE]
    bests: dict[str, FeaturedHand] = {}
    for hand in featured.hands:
        bests.setdefault(hand.player, hand)
    return _FurtherHands(BESTS, [hand for hand in bests.values() if hand not in in_picture])


def _hand_row(people: People, featured: FeaturedHand, player: str) -> Row:
    """A hand in the table of `player`, or of all under its member's name."""
    points = paifu_texts.WIN_POINTS.format(points=featured.hand.value)
    size = size_words(featured.hand)
    day = texts.short_day(featured.entry.day)
    tap = _tap(featured)
    if player:
        return Row(
            size,
            points,
            extra=(day,),
            colour=people.colour(player),
            data=tap,
        )
    return people.row(featured.player, points, extra=(size, day), data=tap)


def _moment_row(people: People, featured: FeaturedMoment, player: str) -> Row:
    """A moment in the table of `player`, or of all with its member's name."""
    moment = featured.moment
    league = people.snapshot.league
    other = ""
    if moment.other:
        other = league.shown(league.player_of(moment.other, featured.entry.day))
    day = texts.short_day(featured.entry.day)
    row = Row(
        moment.said.replace("{}", other),
        day,
        colour=people.colour(featured.player),
        data=_tap(featured),
    )
    if player:
        return row
    name = people.shown(featured.player)
    return replace(
        row,
        value=name,
        extra=(day,),
        mine=people.is_asker(featured.player),
    )


def yaku_words(hand: BestHand) -> str:
    """What a hand was: 役満　四暗刻, or 倍満　立直・ツモ・清一色・ドラ3・裏1."""
    if hand.yakuman:
        return YAKUMAN_WITH.format(yaku="・".join(map(yaku_name, hand.yakuman)))
    names: list[str] = []
    counted: list[str] = []
    for number, han in hand.yaku:
        name = SHORT.get(number) or yaku_name(number).split(" ")[-1]
        if number in COUNTED_YAKU:
            counted.append(f"{name}{han}")
        else:
            names.append(name)
    return HAND.format(size=size_words(hand), yaku="・".join(names + counted))


def size_words(hand: BestHand) -> str:
    """How large a hand is: 役満, 跳満, or 3翻40符."""
    if hand.yakuman:
        return YAKUMAN
    return LIMITS.get(hand.limit) or HAN_AND_FU.format(
        han=hand.han,
        fu=hand.fu,
    )


def _tap(featured: Featured) -> str:
    """A tap opens the report of the record; on the league's page, the scene in its replay."""
    return data_of(Ask.RECORD_REPORT, id=featured.entry.file, scene=featured.scene)


def _buttons(question: Question, featured: Collection, player: str) -> tuple[Choice, ...]:
    name = ""
    if player:
        name = token(player)
    seats = featured.seats
    asker = question.asker.player
    buttons: list[Choice] = []
    other = other_seats(seats)
    if collection(question.snapshot, other).hands:
        buttons.append(
            choice(
                texts.SEATS[other],
                Ask.GALLERY,
                seats=other,
                player=name,
            )
        )
    if player:
        buttons.append(choice(EVERYBODYS, Ask.GALLERY, seats=seats))
        buttons.append(choice(paifu_texts.PLAYER, Ask.PLAYER, player=name))
    elif any(hand.player == asker for hand in featured.hands):
        buttons.append(choice(ASKERS, Ask.GALLERY, player=token(asker), seats=seats))
    buttons.append(choice(paifu_texts.FIGURES, Ask.PAIFU, seats=seats, player=name))
    buttons.append(choice(paifu_texts.HOW_TO_SEND, Ask.RECORD_REPORT))
    return offered(*buttons)


SPECS = (
    Spec(
        name=Ask.GALLERY,
        title=paifu_texts.GALLERY,
        help="送られた牌譜から、役満や最高打点の手と名場面を出します",
        answer=answer,
        words="役満 名場面 名場面集 やくまん めいばめん 役満集 最高打点",
        talk=True,
        takes=("seats",),
        names=1,
    ),
)
