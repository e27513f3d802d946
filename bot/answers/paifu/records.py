"""牌譜 and さっきの牌譜: the games that have a record, and the report of the last one."""

from dataclasses import replace
from datetime import datetime, timedelta

from bot import texts
from bot.answers.common.members import asked_members, people_of, token
from bot.answers.common.paging import PAGE, page_of, turns
from bot.answers.common.ratings import game_row, record_options
from bot.answers.common.scope import offered, seats_of
from bot.answers.paifu import report, texts as paifu_texts
from bot.answers.paifu.report import HOW, refusal
from bot.chat.command import BY_SEASON, Ask, Command, Question, Spec, Tools, choice
from bot.chat.replies import Choice, Reply, Table, UserError
from rating.games import Game
from rating.logdates import JST
from rating.roomlog import TABLE

# A game that began so lately is the one that さっきの means, though its record is not there.
FRESH = timedelta(hours=3)
NOT_YET = (
    "さっきの対局（{start}）の牌譜はまだ届いていません。"
    "自動で届くまで1時間ほど待つか、天鳳の牌譜のURLをこのトークに送ってください。"
)
AT_A_TABLE = "さっきの対局（{start}）は卓の対局なので、牌譜はありません。"
NOBODYS = (
    "牌譜のある対局がまだありません。天鳳の牌譜のURLか牌譜ファイルをこのトークに送ると、調べます。"
)
NOT_HIS = (
    "{player}さんには牌譜のある対局がまだありません。"
    "天鳳の牌譜のURLか牌譜ファイルをこのトークに送ると、調べます。"
)
OTHERS = "ほかの対局は、天鳳の牌譜のURLか牌譜ファイルを送ると調べます。"
TITLE = "牌譜のある対局"
TITLE_OF_PLAYER = "{player}の牌譜のある対局"
TITLE_OF_PAGE = "{title}　{page}/{pages}"
SUBTITLE = "{games}戦　新しい順"
NOTIFICATION = "{title}：{games}戦"
EVERYBODYS = "全員の牌譜"
RECENT_GAMES = "直近の対局"
TODAY = "今日"
FORMER_RECORD = "その前の牌譜"
OTHER_RECORDS = "ほかの牌譜"


def records(question: Question) -> Reply:
    """`牌譜`: the last games with a record, PAGE at a time; only those of the member named, if
    any.
    """
    player = _named_member(question)
    if not question.snapshot.paifu_log:
        raise refusal(HOW)
    games = _games_with_record(question, player)
    if not games:
        raise _no_record(question, player)
    return Reply((_table(question, games, player),), _buttons(question, games, player))


def _table(question: Question, games: list[Game], player: str) -> Table:
    """The page of `games` that the question is about."""
    people = people_of(question)
    page, pages = page_of(question, len(games))
    on_page = games[(page - 1) * PAGE : page * PAGE]
    years = {game.day.year for game in games if game.day}
    rows = [
        game_row(
            people,
            game,
            whose=player,
            dated=True,
            years=len(years) > 1,
        )
        for game in on_page
    ]
    title = TITLE
    if player:
        title = TITLE_OF_PLAYER.format(player=people.shown(player))
    if pages > 1:
        title = TITLE_OF_PAGE.format(title=title, page=page, pages=pages)
    return Table(
        title,
        tuple(rows),
        subtitle=SUBTITLE.format(games=len(games)),
        note=OTHERS,
        alt=NOTIFICATION.format(title=title, games=len(games)),
    )


def _buttons(
    question: Question,
    games: list[Game],
    player: str,
) -> tuple[Choice, ...]:
    name = _token(player)
    options = {"player": name}
    for key in BY_SEASON:
        options[key] = question.option(key)
    buttons = list(turns(question, len(games), **options))
    buttons.append(choice(paifu_texts.LAST_RECORD, Ask.LAST_RECORD, player=name))
    if name:
        buttons.append(choice(EVERYBODYS, Ask.RECORDS))
    buttons.append(choice(paifu_texts.FIGURES, Ask.PAIFU, player=name))
    buttons.append(choice(RECENT_GAMES, Ask.RECENT))
    buttons.append(choice(paifu_texts.HOW_TO_SEND, Ask.RECORD_REPORT))
    return offered(*buttons)


def last_record(question: Question, tools: Tools) -> Reply:
    """`さっきの`: the report of the last game with a record, of the member named, the asker or
    anybody.
    """
    named_member = _named_member(question)
    player = named_member
    asker = question.asker.player
    if not named_member and _games_with_record(question, asker):
        player = asker
    games = _games_with_record(question, player)
    latest = _latest_game(question, named_member or asker)
    if latest and not question.option("before") and _lacks_record(question, latest):
        raise _no_record_yet(latest, has_former=bool(games), player=named_member or asker)
    if not games:
        raise _no_record(question, player)
    options = record_options(question.snapshot, games[0], player)
    reply = report.answer(replace(question, command=Command(Ask.RECORD_REPORT, options)), tools)
    others = choice(OTHER_RECORDS, Ask.RECORDS, player=_token(named_member))
    return replace(reply, choices=offered(others, *reply.choices))


def _latest_game(question: Question, player: str) -> Game | None:
    """The last game, with or without a record, of a member, or of anybody for ""."""
    for game in _games(question):
        if not player or player in game.players:
            return game
    return None


def _no_record_yet(game: Game, has_former: bool, player: str) -> UserError:
    """The error for a game that began lately and whose record is not there."""
    buttons = _other_buttons("")
    if has_former:
        former = choice(FORMER_RECORD, Ask.LAST_RECORD, player=_token(player), before=1)
        buttons = (former, *buttons)
    sentence = NOT_YET
    if game.room == TABLE:
        sentence = AT_A_TABLE
    start = texts.moment(game.day, game.start)
    return UserError(sentence.format(start=start), offered(*buttons))


def _lacks_record(question: Question, game: Game) -> bool:
    """Whether さっきの means this game, which began lately, and its record is not there."""
    if game.day is None or game.start is None or game in question.snapshot.paifu_of:
        return False
    return question.now - datetime.combine(game.day, game.start, JST) < FRESH


def _named_member(question: Question) -> str:
    return next(iter(asked_members(question)), "")


def _token(player: str) -> str:
    """The member as an option of a button, "" for nobody."""
    if player:
        return token(player)
    return ""


def _games(question: Question) -> list[Game]:
    """The games that the question is about, by default all, the latest first."""
    season = None
    if question.option("season").isdecimal():
        season = int(question.option("season"))
    seats = seats_of(question)
    games = reversed(question.snapshot.all_games(season))
    return [game for game in games if seats in (None, len(game.seats))]


def _games_with_record(question: Question, player: str) -> list[Game]:
    """Those of a member, or of anybody for ""."""
    paifu_of = question.snapshot.paifu_of
    games = [game for game in _games(question) if game in paifu_of]
    if not player:
        return games
    return [game for game in games if player in game.players]


def _no_record(question: Question, player: str) -> UserError:
    """The error where no game (of the member) has a record."""
    sentence = NOBODYS
    if player:
        sentence = NOT_HIS.format(player=question.snapshot.league.shown(player))
    return UserError(sentence, offered(*_other_buttons(player)))


def _other_buttons(player: str) -> tuple[Choice, ...]:
    label = TITLE
    if player:
        label = EVERYBODYS
    return (
        choice(label, Ask.RECORDS),
        choice(TODAY, Ask.TODAY),
        choice(paifu_texts.FIGURES, Ask.PAIFU),
    )


SPECS = (
    Spec(
        name=Ask.LAST_RECORD,
        title=paifu_texts.LAST_RECORD,
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
        title=paifu_texts.RECORDS,
        help="牌譜のある対局を出します（天鳳の牌譜のURLかファイルを送っても調べます）",
        answer=records,
        words="牌譜 はいふ 牌譜一覧 はいふ一覧 牌譜リスト 牌譜のある対局",
        talk=True,
        takes=BY_SEASON,
        names=1,
    ),
)
