"""牌譜 and さっきの牌譜: the games that have a record, and the report of the last one."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from bot import texts
from bot.answers.common.members import asked_members, people_of, token
from bot.answers.common.ratings import game_row, record_options
from bot.answers.common.scope import PAGE, offered, page_of, seats_of, turns
from bot.answers.paifu import report
from bot.answers.paifu.report import HOW, refusal
from bot.chat.command import BY_SEASON, Ask, Command, Question, Spec, Tools, choice
from bot.chat.replies import Choice, Reply, Table, UserError
from rating.games import Game
from rating.logdates import JST
from rating.roomlog import TABLE

# A game that began so lately is the one that さっきの means, though its record is not there.
FRESH = timedelta(hours=3)
NOT_YET = (
    "さっきの対局（{}）の牌譜はまだ届いていません。"
    "自動で届くまで1時間ほど待つか、天鳳の牌譜のURLをこのトークに送ってください。"
)
AT_A_TABLE = "さっきの対局（{}）は卓の対局なので、牌譜はありません。"
NOBODYS = (
    "牌譜のある対局がまだありません。天鳳の牌譜のURLか牌譜ファイルをこのトークに送ると、調べます。"
)
NOT_HIS = "{}さんには牌譜のある対局がまだありません。天鳳の牌譜のURLか牌譜ファイルをこのトークに送ると、調べます。"
OTHERS = "ほかの対局は、天鳳の牌譜のURLか牌譜ファイルを送ると調べます。"


def records(question: Question) -> Reply:
    """`牌譜`: the last games with a record, PAGE at a time; only those of the member named, if
    any.
    """
    player = _named(question)
    people = people_of(question)
    if not question.snapshot.paifu_log:
        raise refusal(HOW)
    games = _with_record(question, player)
    if not games:
        raise _none(question, player)
    page, pages = page_of(question, len(games))
    shown = games[(page - 1) * PAGE : page * PAGE]
    years = len({game.day.year for game in games if game.day}) > 1
    rows = [game_row(people, game, whose=player, dated=True, years=years) for game in shown]
    title = "牌譜のある対局"
    if player:
        title = f"{people.shown(player)}の{title}"
    if pages > 1:
        title += f"　{page}/{pages}"
    table = Table(
        title, tuple(rows), (), f"{len(games)}戦　新しい順", OTHERS, f"{title}：{len(games)}戦"
    )
    name = token(player) if player else ""
    here = {"player": name} | {kind: question.option(kind) for kind in BY_SEASON}
    ways = [
        *turns(question, len(games), **here),
        choice("さっきの牌譜", Ask.LAST_RECORD, player=name),
    ]
    if name:
        ways.append(choice("全員の牌譜", Ask.RECORDS))
    ways += (
        choice("牌譜成績", Ask.PAIFU, player=name),
        choice("直近の対局", Ask.RECENT),
        choice("牌譜の送り方", Ask.RECORD_REPORT),
    )
    return Reply((table,), offered(*ways))


def last_record(question: Question, tools: Tools) -> Reply:
    """`さっきの`: the report of the last game with a record, of the member named, the asker or
    anybody.
    """
    named_one = _named(question)
    asker = question.asker.player
    player = named_one or (asker if _with_record(question, asker) else "")
    games = _with_record(question, player)
    whose = named_one or asker
    latest = next(
        (game for game in _games(question) if not whose or whose in game.players),
        None,
    )
    if latest and not question.option("before") and _lacks_record(question, latest):
        choices = offered(*_ways(""))
        if games:
            name = token(whose) if whose else ""
            former = choice("その前の牌譜", Ask.LAST_RECORD, player=name, before=1)
            choices = offered(former, *_ways(""))
        sentence = AT_A_TABLE if latest.room == TABLE else NOT_YET
        when = texts.moment(latest.day, latest.start)
        raise UserError(sentence.format(when), choices)
    if not games:
        raise _none(question, player)
    options = record_options(question.snapshot, games[0], player)
    made = report.answer(replace(question, command=Command(Ask.RECORD_REPORT, options)), tools)
    others = choice("ほかの牌譜", Ask.RECORDS, player=token(named_one) if named_one else "")
    return replace(made, choices=offered(others, *made.choices))


def _lacks_record(question: Question, game: Game) -> bool:
    """Whether さっきの means this game, which began lately, and its record is not there."""
    if game.day is None or game.start is None or game in question.snapshot.paifu_of:
        return False
    return question.now - datetime.combine(game.day, game.start, JST) < FRESH


def _named(question: Question) -> str:
    return next(iter(asked_members(question)), "")


def _games(question: Question) -> list[Game]:
    """The games asked for, by default all, the latest first."""
    wanted = question.option("season")
    seats = seats_of(question)
    games = reversed(question.snapshot.all_games(int(wanted) if wanted.isdecimal() else None))
    return [game for game in games if seats in (None, len(game.seats))]


def _with_record(question: Question, player: str) -> list[Game]:
    known = question.snapshot.paifu_of
    return [
        game
        for game in _games(question)
        if game in known and (not player or player in game.players)
    ]


def _none(question: Question, player: str) -> UserError:
    sentence = NOT_HIS.format(question.snapshot.league.shown(player)) if player else NOBODYS
    return UserError(sentence, offered(*_ways(player)))


def _ways(player: str) -> Sequence[Choice]:
    label = "全員の牌譜" if player else "牌譜のある対局"
    return (
        choice(label, Ask.RECORDS),
        choice("今日", Ask.TODAY),
        choice("牌譜成績", Ask.PAIFU),
    )


SPECS = (
    Spec(
        name=Ask.LAST_RECORD,
        title="さっきの牌譜",
        help="さっきの対局の牌譜を調べます（「さっきの」「直近の牌譜 みどり」）",
        action=last_record,
        words=(
            "さっきの牌譜 さっきのはいふ さっきの さっきの対局 さっきの試合 さっきの半荘 先ほどの牌譜 "
            "さきほどの牌譜 一番新しい牌譜 最新の牌譜 直近の牌譜 ちょっきんの牌譜 ちょっきんのはいふ "
            "最近の牌譜 最後の牌譜 直近牌譜"
        ),
        talk=True,
        takes=BY_SEASON,
        names=1,
        slow=True,
    ),
    Spec(
        name=Ask.RECORDS,
        title="牌譜",
        help="牌譜のある対局を出します（天鳳の牌譜のURLかファイルを送っても調べます）",
        answer=records,
        words="牌譜 はいふ 牌譜一覧 はいふ一覧 牌譜リスト 牌譜のある対局",
        talk=True,
        takes=BY_SEASON,
        names=1,
    ),
)
