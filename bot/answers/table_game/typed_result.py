"""Reads a result as members type it: 「結果 みどり 52000 東風 31000 白發中 22000」. Nothing is
guessed of points: what does not add up, or could be read in two ways, is asked back."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bot.answers.common.members import likely_members
from bot.answers.common.reader import stripped
from bot.chat.command import normal
from bot.chat.replies import UserError
from rating.roomlog import GUEST
from rating.scoring import UNIT, Scoring

LONGEST = 200  # characters of a message that may be a result
AGAIN = "「結果 みどり 52000 東風 31000 白發中 22000」のように、名前と点数を並べて送ってください。"
WHO = "「{}」という人が見つかりません。名前を確かめて、もう一度送ってください。"
PAIRS = f"どの点数がだれのものか、読み取れませんでした。{AGAIN}"
SEATS = f"3人か4人の名前が要ります。{AGAIN}"
TWICE = "{}さんが2回出てきます。名前を確かめて、もう一度送ってください。"
SUM = "合計が{:,}点です。{:,}点になるように直して、もう一度送ってください（残った供託はトップに足します）。"
RESULT_SUM = "スコアの合計が{:+.1f}です。0になるように直して、もう一度送ってください。"
CHIPS = "チップの合計が{:+d}枚です。0枚になるように直して、もう一度送ってください。"
ALL_CHIPS = "チップは全員の枚数を書いて（1人だけなら省けます）、もう一度送ってください。"
PLACE = "{}さんの着順と点数が合いません。確かめて、もう一度送ってください。"
LEFT_OUT = "{}さんの点数は、残りから計算しました。"
TIED = "同点は、先に書いた人を上にしました。"

_DIGITS = {
    **{str(n): n for n in range(10)},
    **{c: n for n, c in enumerate("〇一二三四五六七八九")},
    "零": 0,
}
_TENS = {"万": 10_000, "千": 1_000, "百": 100, "十": 10}
_KANJI = "〇零一二三四五六七八九"
_SIGNS = r"(?:まいなす|ぷらす|[-+−–‐▲△])"
_NUMBER = (
    r"(?:\d{1,3}(?:,\d{3}){1,3}(?!\d)|\d{1,9}(?:\.\d{1,3})?(?:[万千][\d"
    + _KANJI
    + r"百千十]{0,9}|k(?![a-z]))?"
    rf"|[{_KANJI}十]{{1,9}}[万千][\d{_KANJI}千百十]{{0,9}}|[{_KANJI}]{{3,9}}|千[{_KANJI}百十]{{0,9}})"
)
_NO_POINTS = r"(?!\s?(?:[年月日時分秒戦位着回目本枚円歳人連勝敗局度%:/]|半荘|しーずん|[.]\d))"
_SCORE = (
    rf"(?<!\d:)(?<![\d/.,年月])(?P<sign>{_SIGNS}\s?|(?<=\s)ー)?"
    rf"(?P<number>{_NUMBER})(?P<unit>\s?(?:点|てん))?{_NO_POINTS}"
)
_HEAD = re.compile(
    r"^(?P<day>昨日|きのう|昨夜|今日|きょう|本日|さっき)?の?(?:りある)?の?"
    r"(?:(?:(?:対局|麻雀|まーじゃん|試合|げーむ)の?)?(?P<result>結果|けっか)|卓|たく|半荘|はんちゃん|東風戦|対局)"
    rf"(?:[0-9{_KANJI}]{{1,2}}(?:回戦|戦目|回目|本目))?(?P<of>の?(?:結果|けっか))?(?:です|は)?(?P<space>[\s:、,!。]*)"
)
_DECIMAL = re.compile(r"(\d{1,9}\.\d{1,3})([万千])?")
_SOME_SCORE = re.compile(rf"{_SCORE}")
_POLITE = "(?:さん|くん|君|ちゃん|様|氏)?"
_LITTLE = r"[\s\-‐-―−ー~〜・･.、。]"
_FILLER_WORDS = (
    "東家 南家 西家 北家 起家 親 とび 飛び 飛 はこ 終了 以上 でした です 最終 点数 すこあ 持ち点 "
    "お疲れ様 お疲れさま お疲れ お願いします よろしく まで 残り 各 ok"
)
_FILLERS = frozenset(_FILLER_WORDS.split())
_REST = (
    r"(?P<chips>(?:(?P<chips_sign>[-+−▲△])\s?)?(?P<chips_number>\d{1,3})\s?枚)"
    r"|(?P<place>(?:(?<!\d)[1-4]|[一二三四])\s?[位着](?!\d)|とっぷ|らす|(?<!\S)[1-4](?:[.):](?!\d)|(?=[^\W\d千万百十k])))"
    r"|(?P<chip_word>ちっぷ|祝儀)"
    rf"|(?P<score>{_SCORE})"
    r"|(?P<space>[\s、,，。;|/()（）「」\[\]:=・→~〜!]+)"
)


@dataclass(frozen=True, slots=True)
class TypedResult:
    """The players as typed (`GUEST` for a guest), their points at the table or their results in
    thousands, where those were typed, and chips, or (). `notes` say what was worked out."""

    players: tuple[str, ...]
    points: tuple[int, ...] = ()
    results: tuple[float, ...] = ()
    chips: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()
    yesterday: bool = False


@dataclass(slots=True)
class _Part:
    player: str
    value: float | None = None
    signed: bool = False
    chips: int | None = None
    place: int = 0


def is_result(text: str) -> bool:
    """Whether a text has the form of a result: its word first, then a name and points."""
    plain = normal(text)
    head = _HEAD.match(plain) if len(text) <= LONGEST else None
    if head is None or not (head["result"] or head["of"] or head["space"]):
        return False
    rest = plain[head.end() :]
    return _points_in(rest) > 0 and bool(re.search(r"[^\W\d_]", _SOME_SCORE.sub("", rest)))


def _points_in(text: str) -> int:
    """How many points stand in a text: numbers of 3-6 digits, or with a unit or sign; two of two
    digits.
    """
    numbers = [(found, re.sub(r"\D", "", found["number"])) for found in _SOME_SCORE.finditer(text)]
    sure = [
        len(digits) >= 3 or found["unit"] or found["sign"] or digits != found["number"]
        for found, digits in numbers
        if len(digits) <= 6
    ]
    return len(sure) if any(sure) or sum(len(digits) == 2 for _, digits in numbers) > 1 else 0


class ResultReader:
    """Reads results by the members' names (`key` -> name on Tenhou) and the rules of three and four
    seats.
    """

    def __init__(
        self, names: Mapping[str, str], shown: Mapping[str, str], rules: Mapping[int, Scoring]
    ) -> None:
        self._names = {**{"げすと": GUEST, "noname": GUEST}, **names}
        self._shown = shown
        self._rules = rules
        known = sorted((name for name in self._names if not name.isdigit()), key=len, reverse=True)
        named = "|".join(f"{_LITTLE}{{0,2}}".join(map(re.escape, name)) for name in known) or "(?!)"
        self._token = re.compile(rf"(?P<name>(?:{named}){_POLITE})|{_REST}")

    def read(self, text: str) -> TypedResult:
        """The result that a text tells (see `is_result`). Raises UserError where it is asked back;
        as `chatter` where it is probably talk: without two members and points."""
        plain = normal(text)
        head = _HEAD.match(plain)
        notes: list[str] = []
        try:
            terms = self._terms(plain[head.end() if head else 0 :], notes)
            parts = _paired(terms, [player for kind, player in terms if kind == "name"])
            result = self._checked(parts, notes)
        except UserError as error:
            # A result is meant where at least two members and so many points stand in the text.
            names = sum(found["name"] is not None for found in self._token.finditer(plain))
            least = 1 if head and (head["result"] or head["of"]) else 2
            error.chatter = names < 2 or _points_in(plain) < least
            raise
        return replace(result, yesterday=bool(head and head["day"] in ("昨日", "きのう", "昨夜")))

    def _terms(self, text: str, notes: list[str]) -> list[tuple[str, str]]:
        """What stands in the text: (kind, value) of names (on Tenhou), scores, chips, places."""
        terms: list[tuple[str, str]] = []
        odd, at = "", 0
        while at <= len(text):
            found = self._token.match(text, at) if at < len(text) else None
            if at < len(text) and found is None:
                odd, at = odd + text[at], at + 1
                continue
            if odd:
                if (player := self._player(odd, notes)) is not None:
                    terms.append(("name", player))
                odd = ""
            if found is None:
                break
            at = found.end()
            for kind in ("name", "chips", "place", "chip_word", "score"):
                if (value := found[kind]) is not None:
                    if kind == "name":
                        words = (
                            re.sub(_LITTLE, "", w)
                            for w in (value, re.sub(f"{_POLITE}$", "", value))
                        )
                        value = next(self._names[word] for word in words if word in self._names)
                    terms.append((kind, value))
        return terms

    def _player(self, odd: str, notes: list[str]) -> str | None:
        """Whom a word names that is no name as it stands; None for a little word.

        Raises UserError.
        """
        word = stripped(odd)
        bare = stripped(re.sub("^(?:は|が|で|と|の|も|点|位|着)+", "", word))
        if not word or not bare or not _FILLERS.isdisjoint((word, bare)):
            return None
        likely, _begun = likely_members(self._names, word)
        if len(likely) != 1:
            raise UserError(WHO.format(word[:20]))
        player = likely.pop()
        notes.append(f"「{word[:20]}」は{self._shown.get(player, player)}さんと読みました。")
        return player

    def _checked(self, parts: Sequence[_Part], notes: list[str]) -> TypedResult:
        """The result of what was typed of each player. Raises UserError."""
        players = tuple(part.player for part in parts)
        for player in players:
            if player != GUEST and players.count(player) > 1:
                raise UserError(TWICE.format(self._shown.get(player, player)))
        if len(players) not in self._rules:
            raise UserError(SEATS)
        missing = [number for number, part in enumerate(parts) if part.value is None]
        if len(missing) > 1:
            raise UserError(PAIRS)
        if missing:
            notes.append(LEFT_OUT.format(self._shown.get(players[missing[0]], players[missing[0]])))
        result = TypedResult(players, chips=_chips(parts), notes=tuple(notes))
        values = [part.value for part in parts]
        if _are_results(parts):
            left = round(-sum(value or 0.0 for value in values), 1)
            results = tuple(left if value is None else value for value in values)
            if abs(sum(results)) > 0.05:
                raise UserError(RESULT_SUM.format(sum(results)))
            result = replace(result, results=results)
        else:
            result = replace(result, points=_points(values, self._rules[len(parts)].total))
        made = result.points or result.results
        for part, value in zip(
            parts, made, strict=True
        ):  # the places typed must be those of the points
            better, equal = sum(v > value for v in made), sum(v == value for v in made)
            last = part.place if part.place > 0 else len(parts)
            if part.place and not better < last <= better + equal:
                raise UserError(PLACE.format(self._shown.get(part.player, part.player)))
        tied = [TIED] if len(set(made)) < len(made) else []
        return replace(result, notes=(*result.notes, *tied))


def _paired(terms: Sequence[tuple[str, str]], names: Sequence[str]) -> list[_Part]:
    """What was typed of each player: names and points by turns, or all names first.

    Raises UserError.
    """
    kinds = "".join(kind[0] for kind, _ in terms if kind in ("name", "score"))
    parts = [_Part(name) for name in names]
    values = [value for kind, value in terms if kind == "score"]
    if re.fullmatch("(n{3}s{3}|n{4}s{4})", kinds):
        for part, value in zip(parts, values, strict=True):
            part.value, part.signed = _value(value)
        if any(kind not in ("name", "score") for kind, _ in terms):
            raise UserError(PAIRS)
        return parts
    # the points stand before their names only where all do; then each name ends what was typed
    # of its player
    before, number, chips, place = bool(re.fullmatch("(sn){3,4}", kinds)), -1, False, 0
    if "chip_word" in dict(terms) and (chips_apart := _chips_apart(terms)):
        terms, told = chips_apart
        parts = _paired(terms, [player for kind, player in terms if kind == "name"])
        for part in parts:
            part.chips = told.pop(part.player, part.chips)
        if told:
            raise UserError(PAIRS)
        return parts
    for kind, value in terms:
        if kind == "name":
            number += 1
            if place:
                parts[number].place, place = place, 0
            continue
        if kind == "place":
            place_now = {"とっぷ": 1, "らす": -1}.get(value) or _DIGITS[value[0]]
            after = terms[-1][0] == "place"  # places stand after the points they belong to
            if (
                after
                and number >= 0
                and not parts[number].place
                and parts[number].value is not None
            ):
                parts[number].place = place_now
            else:
                place = place_now
            continue
        at = number + 1 if before and kind == "score" else number
        if not 0 <= at < len(parts):
            raise UserError(PAIRS)
        if kind == "chip_word":
            chips = True
        elif kind == "chips" or chips:
            if parts[at].chips is not None:
                raise UserError(PAIRS)
            parts[at].chips, chips = round(_value(value)[0]), False
        elif parts[at].value is not None:
            raise UserError(PAIRS)
        else:
            parts[at].value, parts[at].signed = _value(value)
    return parts


def _chips_apart(
    terms: Sequence[tuple[str, str]],
) -> tuple[Sequence[tuple[str, str]], dict[str, int]] | None:
    """The terms before a list of chips of their own (チップ みどり +3 東風 -1 …), and the chips by
    player.
    """
    at = next(index for index, (kind, _) in enumerate(terms) if kind == "chip_word")
    apart = terms[at + 1 :]
    if not apart or apart[0][0] != "name":
        return None
    if not re.fullmatch("(ns)+", "".join("n" if kind == "name" else "s" for kind, _ in apart)):
        raise UserError(PAIRS)
    return terms[:at], {
        apart[i][1]: round(_value(apart[i + 1][1])[0]) for i in range(0, len(apart), 2)
    }


def _value(text: str) -> tuple[float, bool]:
    """A number as typed (▲3,000点, 五万二千, 5.2万, +3枚), and whether it has a sign."""
    found = re.match(rf"(?P<sign>{_SIGNS}|ー)?\s?(?P<number>{_NUMBER}|\d+)", text)
    assert found is not None
    sign = -1 if found["sign"] and found["sign"] not in ("+", "ぷらす") else 1
    return sign * _amount(found["number"].replace(",", "")), bool(found["sign"])


def _amount(number: str) -> float:
    if number.endswith("k"):
        return round(float(number[:-1]) * 1000, 1)
    if decimal := _DECIMAL.fullmatch(number):
        return round(float(decimal[1]) * _TENS.get(decimal[2] or "", 1), 1)
    total, digits = 0, ""
    for sign in number:
        if sign in _DIGITS:
            digits += str(_DIGITS[sign])
        else:
            total += int(digits or "1") * _TENS[sign]
            digits = ""
    return total + int(digits or "0")


def _are_results(parts: Sequence[_Part]) -> bool:
    """Whether results were typed (+47.0) and no points: under 1000, signed but for 0, in all 0."""
    told = [part for part in parts if part.value is not None]
    values = [part.value or 0.0 for part in told]
    small = all(abs(value) < UNIT * 5 for value in values) and min(values) < 0
    signed = all(part.signed or part.value == 0 for part in told)
    return small and (signed or (len(told) == len(parts) and abs(sum(values)) < 0.05))


def _points(values: Sequence[float | None], total: int) -> tuple[int, ...]:
    """Points in ones, as typed: 52000, 520 in hundreds, 52.0 in thousands. Raises UserError."""
    told = [value for value in values if value is not None]
    found = []
    for unit in (1, 100, 1000):
        points = [round(value * unit) for value in told]
        left = total - sum(points)
        exact = all(abs(value * unit / UNIT - round(value * unit / UNIT)) < 1e-6 for value in told)
        # A game's end, where one's points were worked out: the first has at least the mean, and
        # not everybody else is far below 0.
        every = [*points, left]
        usual = total / len(every) <= max(every) < 2 * total and min(every) > -total
        fits = left == 0 if len(told) == len(values) else usual
        if exact and fits:
            each = iter(points)
            found.append(tuple(left if value is None else next(each) for value in values))
    if len(found) == 1:
        return found[0]
    if not found and len(told) == len(values):
        highest = max(map(abs, told))
        unit = 1 if highest >= 2000 else 100 if highest >= 200 else 1000
        raise UserError(SUM.format(round(sum(told) * unit), total))
    raise UserError("点数を読み取れませんでした。「52000」のように、1点単位で送ってください。")


def _chips(parts: Sequence[_Part]) -> tuple[int, ...]:
    """Everybody's chips; () where none were typed. Raises UserError."""
    told = [part.chips for part in parts if part.chips is not None]
    if told and len(told) == len(parts) - 1:
        return tuple(-sum(told) if part.chips is None else part.chips for part in parts)
    if sum(told):
        raise UserError(CHIPS.format(sum(told)) if len(told) == len(parts) else ALL_CHIPS)
    return tuple(part.chips or 0 for part in parts) if told else ()
