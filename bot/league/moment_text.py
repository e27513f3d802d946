"""The words of a moment (名場面), as they are shown and as recordlog.txt keeps them."""

from rating.paifu.moments import LeastChance, Moment, MomentKind, Replacement, Subject
from rating.paifu.record import LAST_DRAW, NoWin, Record, Win, yaku_name

# {name} is the other seat's player; the other places are those of `_places`.
_TEXTS = {
    MomentKind.DEAD_RIICHI: "山に0枚のリーチ",
    MomentKind.DEAD_RIICHI_WON: "山に0枚の待ちでロン",
    MomentKind.LAST_COPY: "山に最後の1枚をツモ",
    MomentKind.HELD_BY_ONE: "残りの当たり牌{number}枚は全部{name}の手の中",
    MomentKind.MANY_LIVE: "山に{number}枚あったのに流局",
    MomentKind.NEXT_DRAW: "次巡でツモれていた",
    MomentKind.SHIFTED: "鳴きがなければツモだった",
    MomentKind.URA_UNTURNED: "裏{number}枚は乗っていた",
    MomentKind.RINSHAN_ASLEEP: "嶺上に当たり牌が眠っていた",
    MomentKind.KAN_PASSED: "{replacement}いれば嶺上開花",
    MomentKind.YAKUMAN: "役満　{yakuman}",
    MomentKind.LARGE: "{limit}　{value:,}点",
    MomentKind.URA: "裏{number}枚乗った",
    MomentKind.DORA: "ドラ{number}のアガリ",
    MomentKind.IPPATSU_TSUMO: "一発ツモ",
    MomentKind.DOUBLE_RIICHI: "ダブルリーチでアガリ",
    MomentKind.RINSHAN: "嶺上開花",
    MomentKind.ROBBED_KAN: "槍槓",
    MomentKind.LAST_TILE: "{last_tile}",
    MomentKind.QUICK: "{number}巡目のアガリ",
    MomentKind.DOUBLE_RON: "ダブロンに放銃",
    MomentKind.IPPATSU_TO_CHASER: "追っかけリーチに一発で放銃",
    MomentKind.DEALT_TENPAI: "配牌テンパイ",
    MomentKind.DEALT_IISHANTEN: "配牌イーシャンテン",
    MomentKind.SAFE_TILES: "安牌{number}枚あって放銃",
    MomentKind.FURITEN_PASSED: "フリテンで見逃し",
    MomentKind.PASSED: "リーチ後に当たり牌を見逃し",
    MomentKind.USELESS: "{number}巡連続ムダヅモ",
    MomentKind.USEFUL: "{number}巡連続で有効牌",
    MomentKind.TENPAI_REFUSED: "{number}枚待ちのテンパイ取らず",
    MomentKind.ORPHANS: "国士無双テンパイ",
    MomentKind.SAME_WAIT: "{name}と同じ待ちのリーチ",
    MomentKind.ALL_TENPAI: "全員テンパイで流局",
    MomentKind.NAGASHI: "流し満貫",
    MomentKind.ABORTED: "{draw}で流局",
    MomentKind.HONBA: "{number}本場",
    MomentKind.LAST_TO_FIRST: "最終局でラスから逆転トップ",
    MomentKind.COMEBACK: "{deal}の{chance}から逆転トップ",
    MomentKind.GREAT_COMEBACK: "{deal}の{chance}から大逆転トップ",
    MomentKind.NARROW: "{number:,}点差のトップ",
    MomentKind.BUST: "飛び",
}
_TIED = "同点トップ"
_LIMITS = {3: "倍満", 4: "三倍満", 5: "数え役満"}
_DRAWS = {"reach4": "四家立直", "ron3": "三家和", "kan4": "四開槓", "kaze4": "四風連打"}
_REPLACEMENTS = {Replacement.KAN: "カンして", Replacement.KITA: "北を抜いて"}
_LAST_DRAW = "海底ツモ"
_LAST_DISCARD = "河底ロン"


def moment_text(moment: Moment, name: str = "{}") -> str:
    """The words of a moment without its own player's name; `name` is that of the other seat that it
    is about."""
    if moment.rule is MomentKind.NARROW and moment.subject == 0:
        return _TIED
    return _TEXTS[moment.rule].format(name=name, **_places(moment.subject))


def moment_text_in(moment: Moment, record: Record) -> str:
    """The words of a moment with the name that the other seat has in the record."""
    if moment.other is None:
        return moment_text(moment)
    return moment_text(moment, record.players[moment.other])


def _places(subject: Subject) -> dict[str, object]:
    """What a text may have of the subject of its moment."""
    if isinstance(subject, Replacement):
        return {"replacement": _REPLACEMENTS[subject]}
    if isinstance(subject, int):
        return {"number": subject}
    if isinstance(subject, LeastChance):
        return {"deal": subject.deal, "chance": _percent(subject.chance)}
    if isinstance(subject, NoWin):
        return {"draw": _DRAWS[subject.type]}
    if isinstance(subject, Win):
        return {
            "yakuman": "・".join(yaku_name(number) for number in subject.yakuman),
            "limit": _LIMITS.get(subject.limit, ""),
            "value": subject.value,
            "last_tile": _last_tile(subject),
        }
    return {}


def _percent(chance: float) -> str:
    if chance < 0.005:
        return "1%未満"
    return f"{chance:.0%}"


def _last_tile(win: Win) -> str:
    if LAST_DRAW in dict(win.yaku):
        return _LAST_DRAW
    return _LAST_DISCARD
