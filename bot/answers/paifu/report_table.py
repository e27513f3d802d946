"""Writes the report of a paifu (game record) as a table: points, push and fold, the most dangerous discards."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from bot import texts
from bot.answers.common.members import People, token
from bot.answers.paifu.tile_words import tile_name
from bot.charts.paifu.pages import subtitle
from bot.charts.paifu.words import NOT_RIICHI, percent, verdict
from bot.chat.command import data_of
from bot.chat.replies import Row, Table
from rating.paifu.review import Push, Review

MOST = 3  # dangerous discards listed
ADDED = "この対局を牌譜成績に加えました。"
KNOWN = "この対局はもう牌譜成績に入っています。"
NOT_KEPT = "いまは牌譜成績に加えられませんでした。あとでもう一度送ってください。"
MEANING = "一致は、リーチを受けて切った牌のうち、押し引きの基準に合っていた割合です。放銃はリーチへの数で、ダブロンは2回です。"


@dataclass(frozen=True)
class Reviewed:
    """The review of a paifu under the names shown. `members` are the names on Tenhou by seat, `seat` the one to mark."""

    review: Review
    members: tuple[str, ...]
    seat: int | None
    day: date | None


def table(people: People, reviewed: Reviewed, kept: str) -> Table:
    """The report's table. `kept` is the sentence that says whether the paifu was added to 牌譜成績."""
    done = reviewed.review
    record, placings = done.record, done.record.placings()
    order = sorted(range(record.seats), key=lambda seat: placings[seat])
    rows = tuple(_row(people, reviewed, seat) for seat in order)
    worst = done.most_dangerous(MOST)
    more = (("危険だった打牌", tuple(_worst(done, push) for push in worst)),) if worst else ()
    note = [kept, MEANING]
    if record.problems:
        note.insert(0, "読めなかったところがあります（読めた局だけを数えています）。")
    when = "　".join(filter(None, [texts.day_with_year(reviewed.day), subtitle(record)]))
    first = "、".join(f"{row.rank}位 {row.name} {row.value}" for row in rows)
    heads = ("点数", "一致", "放銃")
    return Table(
        "押し引きレポート",
        rows,
        heads=heads,
        subtitle=when,
        note="\n".join(note),
        alt=f"牌譜：{first}",
        more=more,
    )


def _row(people: People, reviewed: Reviewed, seat: int) -> Row:
    done, member = reviewed.review, reviewed.members[seat]
    rating, record = done.ratings[seat], done.record
    agreed = texts.number(100 * rating.agreement) + "%" if rating.choices else "－"
    known = member in people.colours
    return Row(
        record.players[seat],
        f"{record.points()[seat]:,}".replace("-", "−"),
        rank=str(record.placings()[seat] + 1),
        extra=(agreed, str(rating.deal_ins.to_riichi)),
        detail=_detail(done, seat),
        colour=people.colours.get(member, ""),
        mine=seat == reviewed.seat,
        data=data_of("paifu", player=token(member), seats=record.seats) if known else "",
    )


def _detail(done: Review, seat: int) -> str:
    rating, scores = done.ratings[seat], done.record.scores
    words = [f"スコア {texts.points(scores[seat])}"] if scores else []
    if rating.choices:
        words += [f"対リーチ {rating.choices}打", f"余計なリスク {rating.spare:,.0f}点"]
    else:
        words.append("対リーチの打牌なし")
    others = rating.deal_ins.to_others
    return "　".join(words) + (f"\n{NOT_RIICHI}に放銃 {others}" if others else "")


def _worst(done: Review, push: Push) -> Row:
    """One dangerous discard: round, turn, player, tile, and the safest tile of the hand."""
    facing, record = push.facing, done.record
    where = f"{record.rounds[push.round].name} {facing.turn}巡目　{record.players[facing.seat]}"
    safer = f"なら{percent(push.least_chance)}" if push.least_chance.high else "なら安全"
    detail = f"放銃率 {percent(push.chance)}（目安、{tile_name(push.safest)}{safer}）　{verdict(push)}"
    return Row(where, tile_name(facing.tile), detail=detail)
