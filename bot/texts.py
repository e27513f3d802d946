"""Every sentence a member reads that belongs to no single answer, and dates as people say them."""

from __future__ import annotations

from datetime import date, datetime, time

from rating.logdates import JST

WEEKDAYS = "月火水木金土日"

STRANGER = "このボットはリーグのメンバー専用です。使いたいときは、管理者に登録をお願いしてください。"
NO_GAMES = "まだ対局の記録がありません。最初の対局が記録されたら、もう一度押してください。"
LOGS_DOWN = "いま記録を読みに行けません。1分ほどおいて、もう一度お試しください。"
BROKEN = "うまく答えられませんでした。少し待ってもう一度お試しください（管理者には記録を残しました）。"
UNKNOWN = "すみません、その言葉は分かりません。「メニュー」と送ると、聞けることの一覧が出ます。"
NEAR = "もしかして、これですか？ 下のボタンから選んでください。"
BUSY = "いま混み合っています。少し待ってから、もう一度お試しください。"
TOO_MUCH = "少し速すぎます。1分ほどおいてから、もう一度お試しください。"
NO_SUCH_SEASON = "そのシーズンはありません。下のボタンから選んでください。"
NO_SUCH_SEATS = "その人数の対局はありません。下のボタンから選んでください。"
NO_SUCH_MODEL = "そのレーティングはありません。下のボタンから選んでください。"
NO_SUCH_PLAYER = "その名前の人は見つかりません。下のボタンから選んでください。"
NEAR_PLAYER = "もしかして、この人ですか？ 下のボタンから選んでください。"
FROM_MEMORY = "（いま記録を読みに行けないため、前に読んだ内容です）"


def day(value: date) -> str:
    """7月3日(金)"""
    return f"{value.month}月{value.day}日({WEEKDAYS[value.weekday()]})"


def period(first: date | None, last: date | None) -> str:
    """2020年4月7日〜6月30日; the second year only where it differs."""
    if first is None or last is None:
        return day_with_year(last or first) if last or first else ""
    if first == last:
        return day_with_year(last)
    tail = f"{last.month}月{last.day}日"
    return f"{day_with_year(first)}〜{tail if last.year == first.year else day_with_year(last)}"


def day_with_year(value: date | None) -> str:
    return f"{value.year}年{value.month}月{value.day}日" if value else ""


def moment(value_day: date | None, start: time | None) -> str:
    """6月30日(火) 22:20"""
    parts = [day(value_day)] if value_day else []
    return " ".join([*parts, f"{start:%H:%M}"] if start else parts)


def points(value: float) -> str:
    """+52.0, a true minus sign, ±0.0 for zero."""
    if abs(value) < 0.05:
        return "±0.0"
    return f"{value:+.1f}".replace("-", "−")


def number(value: float, decimals: int = 0, sign: bool = False) -> str:
    """1650, 1.95, +12.3, −4: a true minus sign, ± for nothing where signs are shown."""
    words = f"{abs(value):.{decimals}f}"
    if not words.strip("0."):
        return f"±{words}" if sign else words
    return ("−" if value < 0 else "+" if sign else "") + words


def percent(share: float) -> str:
    return f"{100 * share:.1f}%"


def signed(value: int) -> str:
    """+5, −5, ±0"""
    return f"{value:+d}".replace("-", "−") if value else "±0"


def now() -> datetime:
    return datetime.now(JST)
