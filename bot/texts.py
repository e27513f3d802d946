"""The sentences that belong to no single answer, and dates and numbers as members read them."""

from datetime import date, datetime, time

from rating.league import Season
from rating.logdates import JST
from storage.addresses import LIFETIME

WEEKDAYS = "月火水木金土日"
SEATS = {3: "三人打ち", 4: "四人打ち"}  # by number of seats

STRANGER = (
    "このボットはリーグのメンバー専用です。使いたいときは、管理者に登録をお願いしてください。"
)
NO_GAMES = "まだ対局の記録がありません。最初の対局が記録されたら、もう一度押してください。"
NO_MEMBERS = (
    "メンバーの対局がまだありません。管理者が「メンバー 追加 天鳳の名前」で加えると、ここに出ます。"
)
LOGS_DOWN = "いま記録を読みに行けません。1分ほどおいて、もう一度お試しください。"
BROKEN = (
    "うまく答えられませんでした。少し待ってもう一度お試しください（管理者には記録を残しました）。"
)
UNKNOWN = "ごめんなさい、読み取れませんでした。"
BUSY = "いま混み合っています。少し待ってから、もう一度お試しください。"
COMING = "{title}を計算しています。数秒たったら、もう一度押すか送ってください。"
TOO_LONG = "計算に時間がかかっているので、1分ほどおいてから、もう一度お試しください。"
TOO_MUCH = "少し速すぎます。1分ほどおいてから、もう一度お試しください。"
NO_SUCH_SEASON = "そのシーズンはありません。下のボタンから選んでください。"
NO_SUCH_SEATS = "その人数の対局はありません。下のボタンから選んでください。"
NO_SUCH_MODEL = "そのレーティングはありません。下のボタンから選んでください。"
NO_SUCH_PLAYER = "その名前の人は見つかりません。下のボタンから選んでください。"
NEAR_PLAYER = "もしかして、この人ですか？ 下のボタンから選んでください。"
LINK_LIFE = f"リンクの有効期限：{LIFETIME // 86400}日。"
POINTS_WITHOUT = "点数に{left_out}は含みません。"
BALANCE_ALONE = "収支にチップは含みません。"
BALANCE_PARTLY = "収支に含むチップは、1枚が何点かを決めてあるシーズンの分だけです。"
SIGN = "※"
SIGN_MEANS = "※は暫定（30戦未満）"
# The same in short, for pictures and details.
WITHOUT = "{left_out}別"
ALONE = "チップ別"
PARTLY = "一部のチップ別"
FROM_MEMORY = "（いま記録を読みに行けないため、前に読んだ内容です）"
FORMER_LOG = "（{file} がいま使えないため、そのシーズンは前の内容です）"
FORMER_LOG_OF = "（{file} がいま使えないため、そのシーズンは{moment}時点の内容です）"
NO_LOG = "（{file} がいま使えないため、そのシーズンの対局は入っていません）"


def joined(*parts: str) -> str:
    """The parts that are not empty, with a gap between them: 7/26〜11/10　581戦."""
    return "　".join(filter(None, parts))


def season_title(season: Season) -> str:
    """A season's name; one without a name goes by its number."""
    return season.name or f"第{season.number}シーズン"


def day(value: date) -> str:
    """As 7月3日(金)."""
    return f"{value.month}月{value.day}日({WEEKDAYS[value.weekday()]})"


def short_day(value: date | None, year: bool = False) -> str:
    """Return a day as 7/3, with its year as 2020/7/3, or "" for None."""
    if value is None:
        return ""
    return f"{value.year}/{value.month}/{value.day}" if year else f"{value.month}/{value.day}"


def period(first: date | None, last: date | None) -> str:
    """Return a period as 2020年4月7日〜6月30日, without the second year when it is the first
    one.
    """
    if first is None or last is None:
        return day_with_year(last or first) if last or first else ""
    if first == last:
        return day_with_year(last)
    tail = f"{last.month}月{last.day}日"
    return f"{day_with_year(first)}〜{tail if last.year == first.year else day_with_year(last)}"


def day_with_year(value: date | None) -> str:
    """Return a day as 2020年4月7日, or "" for None."""
    return f"{value.year}年{value.month}月{value.day}日" if value else ""


def span(first: date | None, last: date | None, year: bool = False) -> str:
    """Return a period in short: 7/26〜11/10, or 2019/10/5〜2020/12/4 with `year` or two years."""
    if first is None or last is None:
        return short_day(first or last, year)
    years = year or first.year != last.year
    start = short_day(first, years)
    end = short_day(last, years)
    return start if start == end else f"{start}〜{end}"


def moment(value_day: date | None, start: time | None, year: bool = False) -> str:
    """Return a start as 6月30日(火) 22:20, with `year` as 2020年6月30日(火) 22:20; without what is
    None.
    """
    parts = []
    if value_day is not None:
        parts.append(f"{value_day.year}年{day(value_day)}" if year else day(value_day))
    if start:
        parts.append(f"{start:%H:%M}")
    return " ".join(parts)


def points(value: float) -> str:
    """Return points (in thousands) as +52.0 or +1,752.0 with a true minus sign, and as ±0.0 for
    zero.
    """
    return "±0.0" if abs(value) < 0.05 else f"{value:+,.1f}".replace("-", "−")


def number(value: float, decimals: int = 0, sign: bool = False) -> str:
    """Return a number as 1650, 1.95, +12.3 or −4: a true minus sign, and ± before zero if signs are
    shown. Numbers with signs are sums, which have commas (+1,752); ratings have none."""
    if sign:
        words = f"{abs(value):,.{decimals}f}"
    else:
        words = f"{abs(value):.{decimals}f}"
    is_zero = not words.strip("0.")
    if value < 0 and not is_zero:
        return f"−{words}"
    if not sign:
        return words
    return f"±{words}" if is_zero else f"+{words}"


def change(words: str) -> str:
    """Return a rating's change with its sign as ▲12 for +12, ▼15 for −15; a zero stays.

    Points keep + and −: in scores ▲ is a minus."""
    return {"+": "▲", "−": "▼"}.get(words[:1], words[:1]) + words[1:]


def played(games: int, few: bool = False) -> str:
    """Return a number of games as 323戦, and 26戦※ where they are `few`: its figures are
    provisional.
    """
    if few:
        return f"{games}戦{SIGN}"
    return f"{games}戦"


def percent(share: float) -> str:
    """A share (0 to 1) as 12.5%."""
    return f"{100 * share:.1f}%"


def chance(share: float) -> str:
    """Return a chance in whole per cents: 62%, <1% and >99% for what rounds to 0 and 100 but is
    neither.
    """
    if 0 < share < 0.005:
        return "<1%"
    return ">99%" if 0.995 <= share < 1 else f"{share:.0%}"


def signed(value: int) -> str:
    """Return a whole number as +5, −5, +1,752 or ±0."""
    return f"{value:+,d}".replace("-", "−") if value else "±0"


def now() -> datetime:
    return datetime.now(JST)


def placing(place: int, seats: int) -> str:
    """The word of a placing (from 1): トップ, 2着, 3着, and ラス for the last of so many seats."""
    return {1: "トップ", seats: "ラス"}.get(place, f"{place}着")
