"""牌譜成績: rates, placings and points per round from the league's paifu, for 3 or for 4 seats; and
how often each class of tile dealt in."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot import texts
from bot.answers.common.figures import RECORD_WORDS
from bot.answers.common.members import People, asked_members, people_of, token
from bot.answers.common.scope import offered, other_seats, seats_of
from bot.answers.paifu import figure_pages, statistics_picture, texts as paifu_texts
from bot.answers.paifu.figure_pages import PAGES, PaifuStanding, standing, value_words
from bot.answers.paifu.statistics_picture import PlayerTally, StatisticsChart, deal_in_words
from bot.chat.command import Ask, Question, Spec, choice, data_of
from bot.chat.replies import Choice, Part, Picture, Reply, Row, Table, UserError
from bot.draw.parts import Fact
from rating.paifu.recordlog import total
from rating.paifu.tally import PaifuTally, RoundEnding

FEW = 100  # with fewer rounds the rates are marked as rough
NO_RECORDS = "まだ牌譜がありません。天鳳の牌譜のURLか牌譜ファイルをこのトークに送ると、ここに加わっていきます。"
NOBODY = "送られた牌譜には、まだリーグのメンバーがいません。メンバーの対局の牌譜を送ってください。"
NOT_HIM = (
    "{player}さんの牌譜はまだありません。対局の牌譜のURLかファイルを送ると、ここに加わります。"
)
NOTE = "送られた牌譜だけの成績です。放銃の相手は、ダブロンでは2人と数えます。"
PALE = f"{FEW}局に満たない数字は、めやすです。"
TITLE_OF_PLAYER = "{player}　{title}"
NOTIFICATION_OF_PLAYER = "{player}の牌譜成績：{facts}"
HEADS = ("局収支", "アガリ", "放銃")
MEAN_PLACING = "平均着順 {mean:.2f}"
RIICHI_RATE = "リーチ {rate}"
CALL_RATE = "副露 {rate}"
MEAN_WIN = "平均 {points:,.0f}点"
OF_ROUNDS = "{rounds}局中{deal_ins}"
ROUND_BALANCE = "局収支"
POINTS = "{points}点"
A_ROUND = "1局あたり"
EVERYBODYS = "全員の牌譜成績"
LUCK = "luck"  # of the option `show`: the pages of their own
YAKU = "yaku"


@dataclass(frozen=True)
class _Request:
    """What is asked of 牌譜成績: a member ("" for all), and the page (`show`, "" for the rates)."""

    player: str
    show: str


def answer(question: Question) -> Reply:
    """The figures of all members as picture and table, of the member named, or a page of them."""
    player = next(iter(asked_members(question)), "")
    chosen = _figures(question)
    if not chosen.tallies and not player:
        raise UserError(NOBODY, _buttons(question, chosen, _Request("", "")))
    people = people_of(question)
    if player and not facts_of(chosen, player):
        sentence = NOT_HIM.format(player=people.shown(player))
        raise UserError(sentence, _buttons(question, chosen, _Request("", "")))
    show = question.option("show")
    if show not in PAGES:
        show = ""
    request = _Request(player, show)
    return Reply(_page(people, chosen, request), _buttons(question, chosen, request))


def _figures(question: Question) -> PaifuStanding:
    """The standing of the number of seats that the question is about, else of the one with more
    paifu. Raises UserError without any paifu.
    """
    standings = [standing(question.snapshot, seats) for seats in (4, 3)]
    standings = [chosen for chosen in standings if chosen.entries]
    if not standings:
        how = choice(paifu_texts.HOW_TO_SEND, Ask.RECORD_REPORT)
        raise UserError(NO_RECORDS, offered(how))
    wanted = seats_of(question)
    return max(standings, key=lambda chosen: (chosen.seats == wanted, len(chosen.entries)))


def _page(people: People, chosen: PaifuStanding, request: _Request) -> tuple[Part, ...]:
    player = request.player
    if request.show == LUCK and player:
        return figure_pages.luck_of_one(people, chosen, player)
    if request.show == LUCK:
        return figure_pages.luck_of_all(people, chosen)
    if request.show == YAKU:
        return figure_pages.yaku_page(people, chosen, player)
    if request.show and player:
        return figure_pages.page_of_one(people, chosen, PAGES[request.show], player)
    if request.show:
        return figure_pages.page_of_all(people, chosen, PAGES[request.show])
    if player:
        return (_table_of_player(people, chosen, player),)
    return _rates_of_all(people, chosen)


def _note(tallies: Sequence[PaifuTally]) -> str:
    if any(tally.rounds < FEW for tally in tallies):
        return NOTE + PALE
    return NOTE


def _table_of_player(people: People, chosen: PaifuStanding, player: str) -> Table:
    """One member's figures, one a row."""
    tally = chosen.tallies[player]
    name = people.shown(player)
    facts = facts_of(chosen, player)
    rows = tuple(Row(fact.label, fact.value, detail=fact.detail) for fact in facts)
    first_facts = "、".join(f"{fact.label} {fact.value}" for fact in facts[:3])
    return Table(
        TITLE_OF_PLAYER.format(player=name, title=chosen.title),
        rows,
        subtitle=paifu_texts.PAIFUS_AND_ROUNDS.format(paifus=tally.games, rounds=tally.rounds),
        note=_note([tally]),
        alt=NOTIFICATION_OF_PLAYER.format(player=name, facts=first_facts),
    )


def _rates_of_all(people: People, chosen: PaifuStanding) -> tuple[Part, ...]:
    """A row for each member by points per round, best first; the picture has the details."""
    order = sorted(
        chosen.tallies, key=lambda player: (-chosen.tallies[player].mean("mean"), player)
    )
    rows = tuple(_row(people, chosen, player) for player in order)
    note = _note(list(chosen.tallies.values()))
    table = Table(chosen.title, rows, HEADS, chosen.subtitle, note)
    brief = replace(table, rows=tuple(replace(row, detail="") for row in rows))
    return brief, _picture(people, chosen, order, table)


def _row(people: People, chosen: PaifuStanding, player: str) -> Row:
    tally = chosen.tallies[player]
    rates = {key: texts.percent(rate.value or 0.0) for key, rate in tally.rates().items()}
    details = [paifu_texts.ROUNDS.format(count=tally.rounds)]
    if tally.games:
        details.append(MEAN_PLACING.format(mean=tally.mean("mean_placing")))
    details.append(RIICHI_RATE.format(rate=rates["riichi"]))
    details.append(CALL_RATE.format(rate=rates["call"]))
    return people.row(
        player,
        texts.number(tally.mean("mean"), 0, True),
        extra=(rates["win"], rates["deal_in"]),
        detail="　".join(details),
        data=data_of(Ask.PAIFU, player=token(player), seats=chosen.seats),
    )


def _picture(people: People, chosen: PaifuStanding, order: Sequence[str], table: Table) -> Picture:
    """The picture of everybody's rates, in this order, with the table for where it can't be sent."""
    asker = ""
    if people.asker:
        asker = people.shown(people.asker)
    rows = [PlayerTally(people.shown(player), chosen.tallies[player]) for player in order]
    chart = StatisticsChart(
        title=chosen.title,
        subtitle=chosen.subtitle,
        rows=tuple(rows),
        statistics=total(chosen.entries),
        seats=chosen.seats,
        colours=tuple(people.colour(player) for player in order),
        asker=asker,
    )
    return Picture(chart, statistics_picture.draw, table.notification, (table,))


def luck_answer(question: Question) -> Reply:
    """The page of luck and tile efficiency."""
    options = dict(question.command.options) | {"show": LUCK}
    return answer(replace(question, command=replace(question.command, options=options)))


def facts_of(chosen: PaifuStanding, player: str) -> tuple[Fact, ...]:
    """One member's figures; empty when the member is in no paifu."""
    tally = chosen.tallies.get(player)
    if tally is None or not tally.rounds:
        return ()
    rounds = paifu_texts.ROUNDS.format(count=tally.rounds)
    wins = rounds
    if tally.endings[RoundEnding.WIN]:
        wins = MEAN_WIN.format(points=tally.mean("mean_win"))
    details = {
        "win": wins,
        "deal_in": OF_ROUNDS.format(rounds=tally.rounds, deal_ins=deal_in_words(tally)),
        "riichi": paifu_texts.TIMES.format(count=tally.riichis),
        "call": paifu_texts.ROUNDS.format(count=tally.called),
    }
    rates = tally.rates()
    facts = [
        Fact(RECORD_WORDS[key].title, value_words(key, rates[key].value), detail)
        for key, detail in details.items()
    ]
    balance = POINTS.format(points=texts.number(tally.mean("mean"), 0, True))
    return (*facts, Fact(ROUND_BALANCE, balance, A_ROUND))


def record_facts(question: Question, player: str, seats: int) -> tuple[Fact, ...]:
    """A member's rates, luck and tile efficiency for the card."""
    chosen = standing(question.snapshot, seats)
    if player not in chosen.tallies:
        return ()
    return (*facts_of(chosen, player)[:4], *figure_pages.conduct_facts(chosen, player))


def _buttons(question: Question, chosen: PaifuStanding, request: _Request) -> tuple[Choice, ...]:
    name = ""
    if request.player:
        name = token(request.player)
    seats = chosen.seats
    show = request.show
    buttons = _page_buttons(chosen, show, name)
    other = other_seats(seats)
    if standing(question.snapshot, other).entries:
        label = texts.SEATS[other]
        buttons.append(choice(label, Ask.PAIFU, seats=other, player=name, show=show))
    if name:
        buttons.append(choice(EVERYBODYS, Ask.PAIFU, seats=seats, show=show))
        buttons.append(choice(paifu_texts.PLAYER, Ask.PLAYER, player=name))
    return offered(
        *buttons,
        choice(paifu_texts.GALLERY, Ask.GALLERY, seats=seats, player=name),
        choice(paifu_texts.HOW_TO_SEND, Ask.RECORD_REPORT),
        choice(paifu_texts.DANGER, Ask.DANGER),
    )


def _page_buttons(chosen: PaifuStanding, show: str, name: str) -> list[Choice]:
    """The other pages of figures, and the rates, of a member or of all."""
    titles: dict[str, str] = {}
    if chosen.tallies:
        titles = {page.name: page.title for page in PAGES.values()}
    titles[""] = paifu_texts.FIGURES
    return [
        choice(title, Ask.PAIFU, seats=chosen.seats, player=name, show=page)
        for page, title in titles.items()
        if page != show
    ]


# What members type for the pages.


def _rate_words() -> dict[str, dict[str, str]]:
    """The page of each rate, by its title, with リーチ and with 立直."""
    words: dict[str, dict[str, str]] = {}
    for page in PAGES.values():
        for key in page.every:
            title = RECORD_WORDS[key].title
            if title.endswith("率"):
                in_kanji = title.replace("リーチ", "立直")
                words |= {title: {"show": page.name}, in_kanji: {"show": page.name}}
    return words


PARTS = {word: {"show": page.name} for page in PAGES.values() for word in page.words}
MEAN_WIN_WORDS = "平均打点 平均和了点 打点"
DEAL_IN_WORDS = "振り込み 振り込み率 振り込みすぎ ほうじゅう率 ほうじゅうりつ 平均放銃点"
RATES = (
    _rate_words()
    | {word: {"show": "wins"} for word in MEAN_WIN_WORDS.split()}
    | {word: {"show": "deal_ins"} for word in DEAL_IN_WORDS.split()}
)
PLAY_WORDS = (
    "牌譜成績 はいふせいせき 和了率 放銃率 アガリ率 牌譜の成績 牌譜の統計 牌譜せいせき "
    "一番アガってる 一番和了ってる よくアガる 一番振り込んでる 一番放銃してる"
)
LUCK_WORDS = (
    "牌効率 ツモ運 配牌運 裏運 はいこうりつ 運がいい人 運いい人 運がいいの 運いいの 運の良さ "
    "運の悪い人 運悪い人 運悪い 運悪すぎ 運悪すぎん"
)

SPECS = (
    Spec(
        name=Ask.PAIFU,
        title=paifu_texts.FIGURES,
        help="送られた牌譜から、アガリ率・放銃率などを出します",
        answer=answer,
        words=PLAY_WORDS,
        shortcuts=RATES,
        talk=True,
        takes=("seats",),
        names=1,
        parts=PARTS,
    ),
    Spec(
        name=Ask.PAIFU_LUCK,
        title=figure_pages.TITLE,
        help="送られた牌譜から、ツモ運・配牌運・裏運と牌効率を出します",
        answer=luck_answer,
        words=LUCK_WORDS,
        talk=True,
        takes=("seats",),
        names=1,
        parts=PARTS,
    ),
)
