"""Makes options of what members type (「6月の着順」, 「みどり 今月」, 「収支は？」), so that each
answer reads options alone. Words come before the options of a quoted answer."""

from collections.abc import Sequence
from dataclasses import replace

from bot import texts
from bot.answers.common.members import SLOTS, members, names_of, near_names, player_choices, token
from bot.answers.common.periods import Period, of_options, period_of, year_of
from bot.answers.common.reader import Reader, of_kind, reported, scope_term, stripped
from bot.answers.common.scope import ALL, days_of, offered
from bot.chat.command import LONGEST, Ask, Command, Question, Spec, Term, choice, normal
from bot.chat.replies import UserError

NOT_BY_PERIOD = "「{command}」は期間では出せません。下のボタンから選んでください。"
NOT_KNOWN = (
    "「{text}」が分かりませんでした。名前・期間・シーズンを確かめて、もう一度送ってください。"
)
PLACE = (
    "season",
    "from",
    "to",
    "date",
    "page",
)  # options that another period or season takes the place of
GOES_ALONG = ("season", "from", "to", "seats")  # options that another command takes over
Options = dict[str, str]


# Words that add nothing to another command's, the first to be left out first; and those that
# ask for the course of what another command sums up.
ADD_NOTHING = (
    Ask.RULES,
    Ask.RECORDS,
    Ask.TODAY,
    Ask.PLAYER,
    Ask.RANKING,
    Ask.RATING,
    Ask.SUM,
    Ask.POINT,
    Ask.RANK,
    Ask.FIGURE,
)
COURSES = {
    Ask.SUM: Ask.POINT,
    Ask.RANK: Ask.RANKS,
    Ask.RANKING: Ask.RANKS,
}
COURSE_WORDS = frozenset(map(normal, ("推移", "変動", "グラフ", "曲線")))
DAY_WORDS = frozenset(map(normal, ("今日", "きょう", "本日")))
LATELY = "直近30日"
PERIOD = "期間"
REACHING = ["追いつくには", "追いつくまで", "追い越すには", "追い抜くには", "抜くには", "抜くまで"]
_APART = {"差", "点差"}
_REACHED = set(map(normal, REACHING))
ORDERED = (
    "place",
    "leader",
    "bottom",
)  # figures of the order by 収支; トップ率1位は誰 is a board's
NO_MEMBER = ("leader", "bottom", "winner")  # figures that name a member
# (command, command that was typed) of one member's card, which a year makes the year's.
OWN_CARD = ((Ask.PLAYER, Ask.UNKNOWN), (Ask.ME, Ask.ME))


def understood(question: Question) -> Question:
    """The question with the words typed as options, perhaps of another command: 「みどり 今月」 is
    a member's card. Words nobody understands stay with the command `unknown`. Raises UserError
    elsewhere, and for what can't be asked."""
    command = question.command
    spec = question.spec
    if not (spec.takes_words or command.name == Ask.UNKNOWN):
        return question
    terms: tuple[Term, ...] = ()
    if any(map(stripped, command.rest)):
        terms = _terms_of(question)
    elif command.change:
        raise UserError(
            NOT_KNOWN.format(text=" ".join(command.rest)),
            offered(),
            chatter=True,
        )
    elif command.name != Ask.FIGURE:
        return question
    if not command.change and command.name != Ask.UNKNOWN:
        terms = (
            Term(
                "command",
                command.name,
                tuple(command.options.items()),
                normal(command.word),
            ),
            *terms,
        )
    terms = settled(terms)
    target = _target(question, terms)
    if not terms or target is None:
        return question
    options = dict(command.options) if command.change or target.name == command.name else {}
    if target.name != command.name:
        along = (*GOES_ALONG, *SLOTS[: target.names])
        options = {name: value for name, value in options.items() if name in along}
    options |= {name: value for term in terms for name, value in term.options}
    if "model" in target.takes and (model := of_kind(terms, "model")):
        options["model"] = model[0]
    _put_scope(question, terms, options)
    return _asked(question, *_put_members(question, target, terms, options))


def settled(terms: Sequence[Term]) -> tuple[Term, ...]:
    """The terms with the one command that several words mean together: 今日の収支 is 収支 of a day,
    収支の推移 is 点数推移."""
    names = of_kind(terms, "command")
    has_member = any(term.kind in ("member", "self") for term in terms)
    if not names or (len(names) == 1 and not has_member):
        return tuple(terms)
    terms = [_as_games(term) for term in terms]
    names = of_kind(terms, "command")

    terms = [_with_command(term, names) for term in terms]
    if any(term.word in COURSE_WORDS for term in terms):
        others = [term for term in terms if term.word not in COURSE_WORDS]
        if of_kind(others, "command"):
            terms = [_as_course(term) for term in others]
    if any(_has_options_of_its_own(term) for term in terms):
        terms = [term for term in terms if not _is_order(term)]
    for name in ADD_NOTHING:
        if len(of_kind(terms, "command")) > 1:
            terms = [term for term in terms if (term.kind, term.value) != ("command", name)]
    return tuple(terms)


def _with_command(term: Term, commands: Sequence[str]) -> Term:
    """The term of a command's word next to these commands: 今日 is a period, 自分 the asker."""
    if term.kind != "command":
        return term
    if term.word in DAY_WORDS:
        return Term("period", term.word)
    if term.value == Ask.ME and len(commands) > 1:
        return Term("self", "")
    is_lately = term.value == Ask.RECENT and len(commands) > 1
    if is_lately and {Ask.PLAYER, Ask.TODAY}.isdisjoint(commands):
        return Term("period", LATELY)
    return term


def _as_games(term: Term) -> Term:
    """俺の直近50戦 asks for games, where 直近50戦 alone is レーティング's command."""
    if term.kind != "command":
        return term
    games = scope_term(term.word)
    if games is not None and games.kind == "games":
        return games
    return term


def _as_course(term: Term) -> Term:
    """The command of the course of what this command sums up."""
    if term.kind != "command":
        return term
    return replace(term, value=COURSES.get(term.value, term.value))


def _has_options_of_its_own(term: Term) -> bool:
    """Whether a term is a word of a command with options, and not of a figure."""
    return term.kind == "command" and bool(term.options) and term.value != Ask.FIGURE


def _is_order(term: Term) -> bool:
    """Whether a term is a figure of the order by 収支."""
    return term.value == Ask.FIGURE and dict(term.options)["by"] in ORDERED


def _as_part(term: Term, spec: Spec) -> Term:
    """The term of a word that chooses a part of this command, where it is another one's word."""
    if term.kind != "command":
        return term
    for word, options in spec.parts.items():
        if normal(word) == term.word:
            return Term("part", "", tuple(options.items()))
    return term


def _terms_of(question: Question) -> tuple[Term, ...]:
    """The terms of the words typed, read here unless they were before; () for an `unknown` text.
    Raises UserError for a word nobody understands.
    """
    command = question.command
    snapshot = question.snapshot
    spec = question.spec
    if command.terms:
        return tuple(_as_part(term, spec) for term in command.terms)
    text = " ".join(command.rest)
    reader = Reader(question.catalogue, names_of(snapshot), spec)
    terms = reader.read(text)
    if terms:
        return terms
    if command.tentative and (command.change or not question.asker.alone):
        raise UserError(NOT_KNOWN.format(text=text[:LONGEST]), offered(), chatter=True)
    found: list[Term] = []
    for word in filter(stripped, text.split()):
        if terms := reader.read(word):
            found += terms
            continue
        if command.name == Ask.UNKNOWN:
            return ()
        if not spec.names:
            # The command alone, its periods, and the members' cards.
            ways = [choice(spec.title, spec.name)]
            if "period" in spec.takes:
                ways.append(choice(PERIOD, Ask.PERIOD, of=spec.name))
            shown = snapshot.league.shown
            everyone = members(snapshot)[:8]
            names = [
                choice(
                    shown(p),
                    Ask.PLAYER,
                    player=token(p),
                )
                for p in everyone
            ]
            raise UserError(
                NOT_KNOWN.format(text=word[:LONGEST]),
                offered(*ways, *names),
                chatter=True,
            )
        named = of_kind(found, "member")
        known = {"player": token(named[0])} if named and spec.names == 2 else {}
        if near := near_names(snapshot, stripped(word)):
            raise UserError(
                texts.NEAR_PLAYER, player_choices(question, near, **known), chatter=True
            )
        others = player_choices(question, members(snapshot), **known)
        raise UserError(texts.NO_SUCH_PLAYER, others, chatter=True)
    return tuple(found)


def _target(question: Question, terms: Sequence[Term]) -> Spec | None:
    """The command that is asked: said, else quoted or typed first, else what fits the words."""
    said = of_kind(terms, "command")
    catalogue = question.catalogue
    command = question.command
    if of_kind(terms, "games"):
        return catalogue.get(Ask.RECENT)
    if len(said) > 1:
        return None
    if said:
        spec = catalogue[said[0]]
        return spec if spec.takes_words or spec.answer else None
    if command.name != Ask.UNKNOWN:
        return question.spec
    members = of_kind(terms, "member")
    others = {term.kind for term in terms} - {"again", "self"}
    selves = any(term.kind == "self" for term in terms)
    people = len(members)
    if selves:
        people += 1
    if people:
        return catalogue.get(Ask.PAIR if people > 1 else Ask.PLAYER)
    if others == {"period"}:
        return catalogue.get(Ask.TODAY)
    if "model" in others:
        return catalogue.get(Ask.RATING)
    return catalogue.get(Ask.SUM) if others else None


def _put_scope(question: Question, terms: Sequence[Term], options: Options) -> None:
    periods = of_kind(terms, "period")
    seasons = of_kind(terms, "season")
    if periods or seasons:
        for name in PLACE:
            options.pop(name, None)
    if periods or any(term.word in DAY_WORDS for term in terms):
        seasons = [season for season in seasons if season != ALL]  # 今日のトータル
    if seats := of_kind(terms, "seats"):
        options["seats"] = seats[0]
    if seasons:
        numbers = [str(season.number) for season in question.snapshot.seasons]
        latest = numbers[-1:] or ["0"]
        before = numbers[-2:-1] or ["0"]
        named = {"latest": latest, "before": before}
        options["season"] = named.get(seasons[0], seasons)[0]
    if periods:
        days = days_of(question.snapshot)
        today = question.now.date()
        found = [period for word in periods if (period := period_of(word, today, days))]
        if found:
            options |= Period(
                min(each.first for each in found), max(each.last for each in found)
            ).options


def _put_members(
    question: Question, target: Spec, terms: Sequence[Term], options: Options
) -> tuple[Spec, Options]:
    """Put the members into the options; the command to ask with them: the card of one, 対決 of
    two.
    """
    asker = question.asker.player
    catalogue = question.catalogue
    players = [token(player) for player in of_kind(terms, "member")]
    if any(term.kind == "self" for term in terms):
        if not asker:
            return catalogue.get(Ask.ME, target), {}  # asks who it is
        players = list(dict.fromkeys([token(asker), *players]))
    if games := of_kind(terms, "games"):
        options["games"] = games[0]
    if target.name == Ask.FIGURE and not players and options.get("by") not in NO_MEMBER:
        players = [token(asker)] if asker and "player" not in options else players
    if not players:
        return target, options
    if target.name == Ask.SUMMARY and len(players) == 1:
        target = catalogue.get(Ask.YEAR, target)  # 俺の今年のまとめ
    said = normal(" ".join((question.command.word, *question.command.rest)))
    words = {t.word for t in terms}
    asks_gap = bool(_APART & words) and "と" in said
    if len(players) == 1 and asker and (_REACHED & words or asks_gap):
        players = list(dict.fromkeys([token(asker), *players]))
    if len(players) > target.names and (target.name == Ask.FIGURE or not target.talk):
        figure = options.get("by") or target.figure
        if any(word in said for word in COURSE_WORDS):
            figure = ""
        if figure == "mean" and normal("順位") in words:
            figure = "place"
        if len(players) == 1 and figure and "model" not in options:
            target = catalogue.get(Ask.FIGURE, target)
            kept = {name: value for name, value in options.items() if name in GOES_ALONG}
            return target, {"by": figure, **kept, "player": players[0]}
        if len(players) > 1 or target.name == Ask.TODAY:
            target = catalogue.get(Ask.PAIR if len(players) > 1 else Ask.PLAYER, target)
            for name in set(options) - set(GOES_ALONG):
                del options[name]
    if target.name == Ask.PAIR and len(players) == 1 and "other" in options:
        # The second one of those that were compared is replaced.
        players = [options["player"], players[0]]
    if target.name == Ask.PAIR and len(players) == 1 and asker and "player" not in options:
        players = [token(asker), *players] if token(asker) not in players else players
    for name in (*SLOTS, "who", "page"):
        options.pop(name, None)
    options |= dict(zip(SLOTS[: target.names], players, strict=False))
    return target, options


def _without(options: Options, *names: str) -> Options:
    return {name: value for name, value in options.items() if name not in names}


def _asked(question: Question, target: Spec, options: Options) -> Question:
    """The command's question with these options. Raises UserError where it takes no period."""
    command = question.command
    first = options.get("from", "")
    last = options.get("to", "")
    if target.name == Ask.PLAYER and first and first == last and "player" not in options:
        target = question.catalogue.get(Ask.TODAY, target)  # 11/6の成績
    year = of_options(first, last)
    if options.get("by") == "winner" and first == last:
        options = _without(options, "from", "to")
    own = (target.name, command.name) in OWN_CARD
    if own and year and year == year_of(year.first):
        target = question.catalogue.get(Ask.YEAR, target)  # 俺の2026年
    if target.name == Ask.TODAY and "season" in options and not (first or options.get("date")):
        # 前のシーズンの結果
        target = question.catalogue.get(Ask.SUMMARY, target)
        options = {"season": options["season"]}
    if first and "period" not in target.takes:
        if first == last and "day" in target.takes:
            bare = command.tentative and command.name == Ask.UNKNOWN
            days = map(str, days_of(question.snapshot))
            # In a group members may be planning.
            if bare and first not in days and not reported(" ".join(command.rest)):
                raise UserError(
                    NOT_KNOWN.format(text=" ".join(command.rest)[:LONGEST]), offered(), chatter=True
                )
            options = {"date": first, **_without(options, "from", "to", "season")}
        elif target.instead:
            target = question.catalogue.get(target.instead, target)
        elif target.talk:
            options = _without(options, "from", "to")
        else:
            others = [
                question.catalogue[name]
                for name in (Ask.SUM, Ask.RANK, Ask.RATING)
                if name in question.catalogue
            ]
            ways = tuple(choice(spec.title, spec.name, **options) for spec in others)
            alone = choice(target.title, target.name)
            raise UserError(NOT_BY_PERIOD.format(command=target.title), offered(*ways, alone))
    return replace(question, command=Command(target.name, options))
