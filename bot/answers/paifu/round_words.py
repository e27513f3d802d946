"""A round of a record in words."""

from bot.answers.common.rounds import result, tile_name, wind
from bot.answers.paifu.analysis import Analysis
from bot.answers.paifu.round_pages import count_words
from bot.chat.replies import Row, Table
from bot.league.moment_text import moment_text_in

MOMENTS = "名場面"


def round_table(analysis: Analysis, number: int) -> Table:
    """One round in words, for when its pictures can't be stored: its end, riichi and moments."""
    played = analysis.record.rounds[number]
    names = analysis.record.players
    rows = []
    for one in analysis.stories[number].riichi:
        words = (
            f"待ち {'・'.join(tile_name(kind * 4 + 1) for kind in one.waits)}　{count_words(one)}"
        )
        if one.next is not None and one.next_seat is not None:
            words += f"　次は{one.next}枚先（{wind(played, one.next_seat)}家の番）"
        live = f"山に{one.live}枚" if one.live is not None else "－"
        rows.append(Row(f"{names[one.seat]}　{one.turn}巡目リーチ", live, detail=words))
    if not rows:
        rows = [Row("リーチなし", "")]
    best = analysis.moments_of(number)
    moments = tuple(
        Row(moment_text_in(moment, analysis.record), "", detail=names[moment.seat])
        for moment in best
    )
    said = result(played, names)
    more = ((MOMENTS, moments),) if moments else ()
    return Table(played.name, tuple(rows), subtitle=said, alt=f"{played.name}：{said}", more=more)
