"""Reads a result as members type it: 「結果 みどり 52000 東風 31000 白發中 22000」. Nothing is
guessed of points: what does not add up, or could be read in two ways, is asked back."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from bot.answers.common.members import likely_members
from bot.answers.common.reader import SELF, stripped
from bot.chat.command import normal
from bot.chat.replies import UserError
from rating.numerals import MINUS, SIGN
from rating.roomlog import GUEST
from rating.scoring import UNIT, Scoring

STICK = 1000  # points of a riichi stick
MOST_STICKS = 9  # more are not left at the end of a game
LONGEST = 200  # characters of a message that may be a result
AGAIN = "「結果 みどり 52000 東風 31000 白發中 22000」のように、名前と点数を並べて送ってください。"
WHO = "「{}」という人が見つかりません。名前を確かめて、もう一度送ってください。"
PAIRS = f"どの点数がだれのものか、読み取れませんでした。{AGAIN}"
SEATS = f"3人か4人の名前が要ります。{AGAIN}"
TWICE = "{}さんが2回出てきます。名前を確かめて、もう一度送ってください。"
SUM = "合計が{:,}点です。{:,}点になるように直して、もう一度送ってください（残った供託はトップに足します）。"
SHORT = (
    "合計が{total:,}点で、{missing:,}点足りません。供託が{sticks}本残っていたなら、"
    "「トップに足す」を押してください。ちがうときは、直した結果をもう一度送ってください。"
)
RESULT_SHORT = (
    "スコアの合計が{total:+.1f}です。供託が{sticks}本残っていたなら、"
    "「トップに足す」を押してください。ちがうときは、直した結果をもう一度送ってください。"
)
ADDED = "供託{:,}点は、トップの{}さんに足しました。"
NO_ASKER = "だれの点数か、まだ分かりません。名前で書いて、もう一度送ってください。"
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
# A long vowel mark is a minus sign only where it can't belong to the word before it.
_LONG_MARK = r"(?<=[\s(:=])ー"
_SIGNS = rf"(?:まいなす|ぷらす|±|(?!ー){SIGN}|{_LONG_MARK})"
_UNIT = r"(?:点|てん|ぽいんと|pts?(?![a-z])|p(?![a-z]))"
_NUMBER = (
    r"(?:\d{1,3}(?:,\d{3}){1,3}(?:\.\d{1,3})?(?!\d)|\d{1,9}(?:\.\d{1,3})?(?:[万千][\d"
    + _KANJI
    + r"百千十]{0,9}|k(?![a-z]))?"
    rf"|[{_KANJI}十]{{1,9}}[万千][\d{_KANJI}千百十]{{0,9}}|[{_KANJI}]{{3,9}}|千[{_KANJI}百十]{{0,9}})"
)
_NO_POINTS = (
    r"(?!\s?(?:[年月日時分秒戦位着回目本枚円歳人連勝敗局度%:]|/\d{1,2}(?!\d)|半荘|しーずん|[.]\d))"
)
_SCORE = (
    rf"(?<!\d:)(?<![\d.,年月])(?:(?<!\d/)|(?={_SIGNS}|\d{{3}}))(?P<sign>{_SIGNS}\s?)?"
    rf"(?P<number>{_NUMBER})(?P<unit>\s?{_UNIT})?{_NO_POINTS}"
)
_DATE = (
    r"(?:(?:\d{4}[/年.-])?\d{1,2}[/月]\d{1,2}日?(?!\d)"
    r"(?:\s?\([月火水木金土日]\)|[月火水木金土日]曜日?)?)"
)
_DATE_PARTS = re.compile(r"(?:(?P<year>\d{4})[/年.-])?(?P<month>\d{1,2})[/月](?P<day>\d{1,2})")
_HEAD = re.compile(
    rf"^(?:(?P<day>昨日|きのう|昨夜|今日|きょう|本日|さっき)|(?P<date>{_DATE})\s?)?の?(?:りある)?の?"
    r"(?:(?:(?:対局|麻雀|まーじゃん|試合|げーむ)の?)?(?P<result>結果|けっか)|卓|たく|半荘|はんちゃん|東風戦|対局)"
    rf"(?:[0-9{_KANJI}]{{1,2}}(?:回戦|戦目|回目|本目))?(?P<of>の?(?:結果|けっか))?(?:です|は)?(?P<space>[\s:、,!。]*)"
    rf"(?:(?P<later_date>{_DATE})[\s:、,!。の]*)?"
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
_PARTICLES = re.compile("^(?:は|が|で|と|の|も|点|位|着)+")
_SELF = (
    rf"(?P<self>(?<![^\W\d_])(?:{'|'.join(sorted(SELF, key=len, reverse=True))})(?:は|が)?"
    rf"(?=[\W\d]|[{_KANJI}千]|$))"
)
_REST = (
    rf"(?P<chips>(?:(?P<chips_sign>{_SIGNS})\s?)?(?P<chips_number>\d{{1,3}})\s?枚)"
    rf"|(?P<sticks>(?:供託|きょうたく|りーち棒)(?:金|が|は|の)?[\s:=]?"
    rf"(?:(?P<stick_count>\d{{1,2}}|[一二三四五六七八九])\s?本?(?!\d)|(?P<stick_points>{_NUMBER})\s?{_UNIT}?)"
    r"(?:残り|あり)?)"
    r"|(?P<place>(?:(?<!\d)[1-4]|[一二三四])\s?[位着](?!\d)|とっぷ|らす|(?<!\S)[1-4](?:[.):](?!\d)|(?=[^\W\d千万百十k])))"
    r"|(?P<chip_word>ちっぷ|祝儀)"
    rf"|(?P<score>{_SCORE})"
    r"|(?P<space>[\s、,，。;|/()（）「」『』【】〔〕〈〉《》<>\[\]:=・→~〜!]+)"
)


class TypedDate(NamedTuple):
    month: int
    day: int
    year: int | None = None


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
    date: TypedDate | None = None


class SticksMissing(UserError):
    """The points are short by riichi sticks. `result` is the result with them added to the top."""

    def __init__(self, sentence: str, result: TypedResult) -> None:
        super().__init__(sentence)
        self.result = result


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
    if not _points_in(rest):
        return False
    return re.search(r"[^\W\d_]", _SOME_SCORE.sub("", rest)) is not None


def _points_in(text: str) -> int:
    """How many points stand in a text: numbers of 3-6 digits, or with a unit or sign; two of two
    digits.
    """
    matches = list(_SOME_SCORE.finditer(text))
    numbers = [re.sub(r"\D", "", match["number"]) for match in matches]
    sure = [
        len(digits) >= 3 or match["unit"] or match["sign"] or digits != match["number"]
        for match, digits in zip(matches, numbers, strict=True)
        if len(digits) <= 6
    ]
    of_two_digits = sum(1 for digits in numbers if len(digits) == 2)
    if any(sure) or of_two_digits > 1:
        return len(sure)
    return 0


class ResultReader:
    """Reads results by the members' names (`key` -> name on Tenhou) and the rules of three and four
    seats.
    """

    def __init__(
        self,
        names: Mapping[str, str],
        shown: Mapping[str, str],
        rules: Mapping[int, Scoring],
        asker: str = "",
    ) -> None:
        self._names = {**{"げすと": GUEST, "noname": GUEST}, **names}
        self._shown = shown
        self._asker = asker
        self._rules = rules
        known = sorted(
            (name for name in self._names if not name.isdigit()),
            key=len,
            reverse=True,
        )
        between = f"{_LITTLE}{{0,2}}"
        patterns = [between.join(map(re.escape, name)) for name in known]
        named = "|".join(patterns) or "(?!)"
        self._token = re.compile(rf"(?P<name>(?:{named}){_POLITE})|{_SELF}|{_REST}")

    def read(self, text: str) -> TypedResult:
        """The result that a text tells (see `is_result`). Raises UserError where it is asked back;
        as `chatter` where it is probably talk: without two members and points."""
        plain = normal(text)
        head = _HEAD.match(plain)
        notes: list[str] = []
        try:
            terms = self._terms(plain[head.end() if head else 0 :], notes)
            sticks = _sticks_in(terms)
            parts = _paired(terms, [player for kind, player in terms if kind == "name"])
            result = self._checked(parts, sticks, notes)
        except UserError as error:
            if isinstance(error, SticksMissing):
                error.result = _with_day(error.result, head)
            # A result is meant where at least two members and so many points stand in the text.
            names = sum(
                match["name"] is not None or match["self"] is not None
                for match in self._token.finditer(plain)
            )
            least = 1 if head and (head["result"] or head["of"]) else 2
            error.chatter = names < 2 or _points_in(plain) < least
            raise
        return _with_day(result, head)

    def _terms(
        self,
        text: str,
        notes: list[str],
    ) -> list[tuple[str, str]]:
        """What stands in the text: (kind, value) of names (on Tenhou), scores, chips, places."""
        terms: list[tuple[str, str]] = []
        unread = ""  # the letters since the last term
        at = 0
        while at <= len(text):
            found = self._token.match(text, at) if at < len(text) else None
            if at < len(text) and found is None:
                unread += text[at]
                at += 1
                continue
            if unread:
                player = self._player(unread, notes)
                if player is not None:
                    terms.append(("name", player))
                unread = ""
            if found is None:
                break
            at = found.end()
            if found["self"] is not None:
                if not self._asker:
                    raise UserError(NO_ASKER)
                terms.append(("name", self._asker))
            for kind in ("name", "chips", "sticks", "place", "chip_word", "score"):
                if (value := found[kind]) is not None:
                    if kind == "name":
                        words = (
                            re.sub(_LITTLE, "", w)
                            for w in (value, re.sub(f"{_POLITE}$", "", value))
                        )
                        value = next(self._names[word] for word in words if word in self._names)
                    terms.append((kind, value))
        return terms

    def _player(self, text: str, notes: list[str]) -> str | None:
        """The member whose name is misspelt or shortened in a text between known terms; None where
        the text is empty or a filler. Notes say whom it was read as.

        Raises UserError where it could be several members, or none.
        """
        word = stripped(text)
        without_particles = stripped(_PARTICLES.sub("", word))
        if not without_particles or word in _FILLERS or without_particles in _FILLERS:
            return None
        likely, _begun = likely_members(self._names, word)
        if len(likely) != 1:
            raise UserError(WHO.format(word[:20]))
        player = likely.pop()
        notes.append(f"「{word[:20]}」は{self._shown.get(player, player)}さんと読みました。")
        return player

    def _checked(
        self,
        parts: Sequence[_Part],
        sticks: int,
        notes: list[str],
    ) -> TypedResult:
        """The result of what was typed of each player. `sticks` are the points of riichi sticks
        that nobody has. Raises UserError."""
        players = tuple(part.player for part in parts)
        for player in players:
            if player != GUEST and players.count(player) > 1:
                raise UserError(TWICE.format(self._name(player)))
        if len(players) not in self._rules:
            raise UserError(SEATS)
        missing = [part.player for part in parts if part.value is None]
        if len(missing) > 1:
            raise UserError(PAIRS)
        if missing:
            notes.append(LEFT_OUT.format(self._name(missing[0])))
        chips = _chips(parts)
        values = [part.value for part in parts]
        total = self._rules[len(parts)].total
        if _are_results(parts):
            results, added = _results(values, sticks)
            typed = TypedResult(players, results=results, chips=chips)
        else:
            points, added = _points(values, total, sticks)
            typed = TypedResult(players, points=points, chips=chips)
        made: tuple[float, ...] = typed.points or typed.results
        self._check_places(parts, made)
        if added:
            notes.append(
                ADDED.format(
                    added,
                    self._name(players[made.index(max(made))]),
                )
            )
        if len(set(made)) < len(made):
            notes.append(TIED)
        typed = replace(typed, notes=tuple(notes))
        if added and not sticks:
            count = added // STICK
            if typed.points:
                sentence = SHORT.format(total=total - added, missing=added, sticks=count)
            else:
                sentence = RESULT_SHORT.format(total=-added / 1000, sticks=count)
            raise SticksMissing(sentence, typed)
        return typed

    def _check_places(self, parts: Sequence[_Part], made: Sequence[float]) -> None:
        """The places typed must be those of the points. Raises UserError."""
        for part, value in zip(parts, made, strict=True):
            better = sum(1 for other in made if other > value)
            equal = sum(1 for other in made if other == value)
            place = part.place if part.place > 0 else len(parts)
            if part.place and not better < place <= better + equal:
                raise UserError(PLACE.format(self._name(part.player)))

    def _name(self, player: str) -> str:
        return self._shown.get(player, player)


def _with_day(result: TypedResult, head: re.Match[str] | None) -> TypedResult:
    """The result with the day that the head of the message names."""
    if head is None:
        return result
    parts = _DATE_PARTS.match(head["date"] or head["later_date"] or "")
    if parts is None:
        return replace(result, yesterday=head["day"] in ("昨日", "きのう", "昨夜"))
    year = int(parts["year"]) if parts["year"] else None
    return replace(
        result,
        date=TypedDate(int(parts["month"]), int(parts["day"]), year),
    )


def _sticks_in(terms: list[tuple[str, str]]) -> int:
    """Take the riichi sticks out of the terms, and return their points. Raises UserError where
    they are named twice."""
    texts = [text for kind, text in terms if kind == "sticks"]
    terms[:] = [(kind, text) for kind, text in terms if kind != "sticks"]
    if not texts:
        return 0
    if len(texts) > 1:
        raise UserError(PAIRS)
    match = re.fullmatch(_REST, texts[0])
    assert match is not None
    if match["stick_count"]:
        return round(_amount(match["stick_count"])) * STICK
    return round(_amount(match["stick_points"].replace(",", "")))


def _paired(
    terms: Sequence[tuple[str, str]],
    names: Sequence[str],
) -> list[_Part]:
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
    before = bool(re.fullmatch("(sn){3,4}", kinds))
    number = -1
    chips = False
    place = 0
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
                parts[number].place = place
                place = 0
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
            parts[at].chips = round(_value(value)[0])
            chips = False
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
    kinds = "".join("n" if kind == "name" else "s" for kind, _ in apart)
    if not re.fullmatch("(ns)+", kinds):
        raise UserError(PAIRS)
    chips = {}
    for (_, player), (_, number) in zip(apart[::2], apart[1::2], strict=True):
        count, _signed = _value(number)
        chips[player] = round(count)
    return terms[:at], chips


def _value(text: str) -> tuple[float, bool]:
    """A number as typed (▲3,000点, 五万二千, 5.2万, +3枚), and whether it has a sign. A number in
    `pt` counts as one with a sign: it is a result, not points at the table."""
    match = re.match(
        rf"(?P<sign>{_SIGNS}|ー)?\s?(?P<number>{_NUMBER}|\d+)(?P<result>\s?p|\s?ぽ)?", text
    )
    assert match is not None
    value = _amount(match["number"].replace(",", ""))
    sign = match["sign"]
    if sign is not None and re.fullmatch(rf"まいなす|{MINUS}", sign):
        value = -value
    return value, bool(sign or match["result"])


def _amount(number: str) -> float:
    if number.endswith("k"):
        return round(float(number[:-1]) * 1000, 1)
    if decimal := _DECIMAL.fullmatch(number):
        return round(
            float(decimal[1]) * _TENS.get(decimal[2] or "", 1),
            1,
        )
    total = 0
    digits = ""
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
    if not small:
        return False
    if all(part.signed or part.value == 0 for part in told):
        return True
    return len(told) == len(parts) and abs(sum(values)) < 0.05


def _results(
    values: Sequence[float | None],
    sticks: int,
) -> tuple[tuple[float, ...], int]:
    """Results in thousands, and the points of sticks added to the first's. Raises UserError."""
    total = round(sum(value or 0.0 for value in values), 1)
    if None in values:
        rest = round(-total - sticks / 1000, 1)
        values = [rest if value is None else value for value in values]
        total = round(-sticks / 1000, 1)
    results = tuple(value or 0.0 for value in values)
    missing = round(-total * 1000)
    if abs(total) < 0.05:
        return results, 0
    if missing == sticks or (not sticks and _are_sticks(missing)):
        best = results.index(max(results))
        added = round(results[best] + missing / 1000, 1)
        return (*results[:best], added, *results[best + 1 :]), missing
    raise UserError(RESULT_SUM.format(total))


def _points(
    values: Sequence[float | None],
    total: int,
    sticks: int,
) -> tuple[tuple[int, ...], int]:
    """Points in ones, as typed (52000, 520 in hundreds, 52.0 in thousands), and the points of
    sticks added to the first's. Raises UserError."""
    exact = _points_of_sum(values, total)
    if None not in values and len(exact) == 1:
        return exact[0], 0  # sticks that are named are counted in
    if sticks:
        exact = _points_of_sum(values, total - sticks)
    if len(exact) == 1:
        return _with_sticks(exact[0], sticks), sticks
    if None in values or exact:
        raise UserError("点数を読み取れませんでした。「52000」のように、1点単位で送ってください。")
    if not sticks:
        for missing in range(STICK, (MOST_STICKS + 1) * STICK, STICK):
            short = _points_of_sum(values, total - missing)
            if len(short) == 1:
                return _with_sticks(short[0], missing), missing
    numbers = [value for value in values if value is not None]
    highest = max(map(abs, numbers))
    unit = 1000
    if highest >= 2000:
        unit = 1
    elif highest >= 200:
        unit = 100
    raise UserError(SUM.format(round(sum(numbers) * unit), total))


def _are_sticks(points: int) -> bool:
    return points % STICK == 0 and 1 <= points // STICK <= MOST_STICKS


def _with_sticks(points: tuple[int, ...], sticks: int) -> tuple[int, ...]:
    best = points.index(max(points))
    return (*points[:best], points[best] + sticks, *points[best + 1 :])


def _points_of_sum(
    values: Sequence[float | None],
    total: int,
) -> list[tuple[int, ...]]:
    """The points in ones that add up to the total, for each unit in which they can be typed."""
    numbers = [value for value in values if value is not None]
    readings: list[tuple[int, ...]] = []
    for unit in (1, 100, 1000):
        hundreds = [n * unit / UNIT for n in numbers]
        if any(abs(value - round(value)) >= 1e-6 for value in hundreds):
            continue
        rest = total - sum(round(n * unit) for n in numbers)
        points = tuple(rest if value is None else round(value * unit) for value in values)
        if len(numbers) == len(values):
            fits = rest == 0
        else:
            # A game's end, where one's points were worked out: the first has at least the mean,
            # and not everybody else is far below 0.
            highest = max(points)
            fits = total / len(points) <= highest < 2 * total and min(points) > -total
        if fits:
            readings.append(points)
    return readings


def _chips(parts: Sequence[_Part]) -> tuple[int, ...]:
    """Everybody's chips; () where none were typed. Raises UserError."""
    told = [part.chips for part in parts if part.chips is not None]
    if told and len(told) == len(parts) - 1:
        return tuple(-sum(told) if part.chips is None else part.chips for part in parts)
    if sum(told):
        raise UserError(CHIPS.format(sum(told)) if len(told) == len(parts) else ALL_CHIPS)
    return tuple(part.chips or 0 for part in parts) if told else ()
