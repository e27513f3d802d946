"""The tables of a paifu's report: the players and the moments, the rounds, and one round in words."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from bot import texts
from bot.answers.common.members import People, token
from bot.answers.common.story import TURNING
from bot.answers.paifu.analysis import Analysis, result, subtitle, tile_name, wind
from bot.answers.paifu.round_pages import count_words
from bot.answers.paifu.story_page import swing_words, turned_round
from bot.chat.command import Ask, data_of
from bot.chat.replies import Row, Table
from rating.paifu.chances import deals_of
from rating.paifu.record import Round

TITLE = "牌譜レポート"
ADDED = "この対局を牌譜成績に加えました。"
NOBODYS = "リーグのメンバーがいない対局なので、牌譜成績には数えません。"
NOT_KEPT = "いまは牌譜成績に加えられませんでした。あとでもう一度送ってください。"
MEANING = "押し引き：リーチへの打牌が基準に合った割合。"
CLOSED = "山を開けられない牌譜です（山の残り枚数は出ません）。"
PARTLY = "読めなかったところがあります（読めた局だけを数えています）。"
MOMENTS, ROUNDS, CHANCES = "名場面", "局の一覧", "着順の確率"
MOST = {3: 2, 4: 1}  # moments beside the turning point by seats; the others stand in the list of rounds
CHANCES_MEAN = "局のはじめの点数・本場・供託・親から見た確率です。局を押すと、手牌と山が出ます。"
Link = Callable[[int], str]
"""The postback data that shows the round at an index; "" where the record is not kept."""


@dataclass(frozen=True)
class Reviewed:
    """The analysis of a paifu under the names shown. `members` are the names on Tenhou by seat."""

    analysis: Analysis
    members: tuple[str, ...]
    day: date | None

    @property
    def when(self) -> str:
        """The day, the rule and the number of rounds."""
        return "　".join(filter(None, [texts.day_with_year(self.day), subtitle(self.analysis.record)]))


def table(people: People, reviewed: Reviewed, kept: str, link: Link) -> Table:
    """The report's table. `kept` is the sentence that says whether the paifu was added to 牌譜成績."""
    analysis = reviewed.analysis
    rows = tuple(_row(people, reviewed, seat) for seat in analysis.order)

    def told(played: Round, words: str, detail: str) -> Row:
        data = link(analysis.record.rounds.index(played)) if played in analysis.record.rounds else ""
        return Row(f"{played.name}　{words}", "", detail=detail, data=data, said=f"{played.name}を見る")

    record = analysis.record
    rarest = sorted(analysis.moments, key=lambda moment: -moment.grade)[: MOST[record.seats]]
    best = [moment for moment in analysis.moments if moment in rarest]
    moments = [told(record.rounds[m.round], m.words, record.players[m.seat]) for m in best]
    if turned := turned_round(analysis):
        seat, swing = swing_words(analysis, turned[1])
        moments.insert(0, told(turned[0], TURNING, f"{analysis.record.players[seat]}の1位 {swing}"))
    note = [PARTLY] * bool(analysis.record.problems) + [CLOSED] * (not analysis.opened)
    note += [kept] * bool(kept) + [MEANING]
    first = "、".join(f"{row.rank}位 {row.name} {row.value}" for row in rows)
    return Table(
        TITLE,
        rows,
        heads=("点数", "スコア", "押し引き"),
        subtitle=reviewed.when,
        note="\n".join(note),
        alt=f"牌譜：{first}",
        more=((MOMENTS, tuple(moments)),) if moments else (),
    )


def _row(people: People, reviewed: Reviewed, seat: int) -> Row:
    analysis, member = reviewed.analysis, reviewed.members[seat]
    rating, record = analysis.review.ratings[seat], analysis.record
    agreed = texts.number(100 * rating.agreement) + "%" if rating.choices else "－"
    score = texts.points(record.scores[seat]) if record.scores else "－"
    tap, dealt = data_of(Ask.PAIFU, player=token(member), seats=record.seats), rating.deal_ins
    count = dealt.to_riichi + dealt.to_others
    return Row(
        record.players[seat],
        f"{record.points()[seat]:,}".replace("-", "−"),
        rank=str(record.placings()[seat] + 1),
        extra=(score, agreed),
        detail=f"放銃 {count}" + f"（リーチ{dealt.to_riichi}・ほか{dealt.to_others}）" * bool(count),
        colour=people.colours.get(member, ""),
        mine=seat == analysis.seat,
        data=tap if member in people.colours else "",
    )


def rounds_table(reviewed: Reviewed, link: Link) -> Table:
    """A row for each round: how it ended, and its moments. A tap shows the round."""
    analysis, rows, names = reviewed.analysis, [], reviewed.analysis.record.players
    for number, played in enumerate(analysis.record.rounds):
        riichi = "・".join(names[one.seat] for one in analysis.stories[number].riichi)
        moments = "　".join(f"★{moment.words}" for moment in analysis.moments_of(number))
        said = (result(played, names), f"リーチ {riichi}" if riichi else "", moments)
        data, words = link(number), "\n".join(filter(None, said))
        value = "見る ›" if data else ""
        rows.append(Row(played.name, value, detail=words, data=data, said=f"{played.name}を見る"))
    alt = f"{ROUNDS}：" + "、".join(row.name for row in rows[:3])
    return Table(ROUNDS, tuple(rows), subtitle=reviewed.when, alt=alt, note="局を押すと、手牌と山が出ます。")


def chances_table(reviewed: Reviewed, link: Link) -> Table:
    """Everybody's chances of the places at each deal. A tap shows the round."""
    analysis, rows = reviewed.analysis, []
    order, read = analysis.order, [played.deal for played in analysis.record.rounds]
    for (deal, _), places in zip(deals_of(analysis.record), analysis.chances or (), strict=False):
        lines = []
        for seat in order:
            shares = (f"{place}位{texts.chance(share)}" for place, share in enumerate(places[seat], 1))
            lines.append("　".join((analysis.record.players[seat], *shares)))
        data, detail = link(read.index(deal.deal)) if deal.deal in read else "", "\n".join(lines)
        value = "見る ›" if data else ""
        rows.append(Row(deal.name, value, detail=detail, data=data, said=f"{deal.name}を見る"))
    alt = f"{CHANCES}：{len(rows)}局"
    return Table(CHANCES, tuple(rows), subtitle=reviewed.when, alt=alt, note=CHANCES_MEAN)


def round_table(analysis: Analysis, number: int) -> Table:
    """One round in words, for when its pictures can't be stored: its end, riichi and moments."""
    played, names, rows = analysis.record.rounds[number], analysis.record.players, []
    for one in analysis.stories[number].riichi:
        words = f"待ち {'・'.join(tile_name(kind * 4 + 1) for kind in one.waits)}　{count_words(one)}"
        if one.next is not None and one.next_seat is not None:
            words += f"　次は{one.next}枚先（{wind(played, one.next_seat)}家の番）"
        live = f"山に{one.live}枚" if one.live is not None else "－"
        rows.append(Row(f"{names[one.seat]}　{one.turn}巡目リーチ", live, detail=words))
    rows = rows or [Row("リーチなし", "")]
    moments = tuple(Row(one.words, "", detail=names[one.seat]) for one in analysis.moments_of(number))
    said, more = result(played, names), ((MOMENTS, moments),) if moments else ()
    return Table(played.name, tuple(rows), subtitle=said, alt=f"{played.name}：{said}", more=more)
