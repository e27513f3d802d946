"""メンバー: an admin sees and changes who is in the league, the names shown, and whose games
count.
"""

from collections import Counter
from collections.abc import Iterator

from bot.answers.common import members
from bot.answers.common.confirm import MENU, propose, require_names
from bot.chat.command import Ask, Question, Spec, Tools, choice, normal
from bot.chat.replies import FormFact, Reply, Row, Table, UserError
from rating.league import League
from rating.league_edit import Setting, ShownName
from rating.names import canonical_name

NAME = 20  # characters of a name an admin gives
LONG = "名前は20文字までにしてください。"
ODD = "名前に使えない文字があります。打ち直して送ってください。"
NOBODY = "「{}」という人は見つかりません。メンバーの名前か、天鳳の名前で送ってください。"
NEAR = "もしかして {names} ですか？"
ADD = "新しい人を加えるときは「メンバー 追加 天鳳の名前 表示名」と送ってください。"
ADDED = "{name}さんをメンバーに加えました。"
RENAMED = "表示名を{name}にしました。"
SWITCHES = {"おん": True, "on": True, "おふ": False, "off": False}  # as `normal` writes them


def player_of(question: Question, word: str) -> str:
    """The name on Tenhou of the member a word means. Raises UserError with the nearest names."""
    player = members.names_of(question.snapshot).get(members.key(word))
    if player is not None:
        return player
    near_names = members.near_names(question.snapshot, word)
    hint = ADD
    if near_names:
        hint = NEAR.format(names="、".join(map(question.snapshot.league.shown, near_names)))
    raise UserError(
        NOBODY.format(word[:NAME]) + hint,
        (choice("メンバー", Ask.MEMBERS), MENU),
    )


def tenhou_name(question: Question, word: str) -> str:
    """A name on Tenhou as the logs write it, whatever its width, case or kana; else the word
    itself.
    """
    word = canonical_name(word)
    logged_names = {
        name
        for log in question.snapshot.logs.values()
        for game in log.games
        for name in game.players
    }
    if word in logged_names:
        return word
    return next(
        (name for name in sorted(logged_names) if normal(name) == normal(word)),
        short(word),
    )


def short(name: str) -> str:
    """The name itself. Raises UserError when it is longer than NAME characters or not printable."""
    if len(name) > NAME:
        raise UserError(LONG)
    if not name.isprintable():
        raise UserError(ODD)
    return name


def roster(question: Question, tools: Tools) -> Reply:
    """`メンバー`: the list of members; `追加 天鳳の名前 [表示名]`, `みどり 新しい表示名`, `限定
    オン`: the form of a change."""
    require_names(question)
    only = question.option("only")
    if only in ("on", "off"):
        return _members_only(question, tools, only == "on")
    addition = question.option("add")
    if addition:
        return _addition(question, tools, addition, "")
    words = question.command.rest
    if not words:
        return _list(question)
    if words[0] == "限定" and len(words) == 2:
        switch = normal(words[1])
        if switch in SWITCHES:
            return _members_only(question, tools, SWITCHES[switch])
    if len(words) < 2:
        raise UserError(ADD, (choice("メンバー", Ask.MEMBERS), MENU))
    if words[0] == "追加":
        return _addition(question, tools, words[1], " ".join(words[2:]))
    return _new_name(question, tools, words[0], " ".join(words[1:]))


def _addition(question: Question, tools: Tools, word: str, shown_name: str) -> Reply:
    """The form that adds a player; without a name to show, the name on Tenhou is shown."""
    player = tenhou_name(question, word)
    name = short(shown_name)
    facts = (FormFact("天鳳の名前", player), FormFact("表示名", name or player))
    edit = ShownName(player, name)
    done = ADDED.format(name=name or player)
    return propose(question, tools, edit, "メンバーに加えますか？", *facts, done=done)


def _new_name(question: Question, tools: Tools, word: str, shown_name: str) -> Reply:
    """The form that changes the name shown of a member."""
    player = player_of(question, word)
    name = short(shown_name)
    facts = (
        FormFact("天鳳の名前", player),
        FormFact("表示名", name, question.snapshot.league.shown(player)),
    )
    edit = ShownName(player, name)
    done = RENAMED.format(name=name)
    return propose(question, tools, edit, "表示名を変えますか？", *facts, done=done)


def _members_only(question: Question, tools: Tools, on: bool) -> Reply:
    league = question.snapshot.league
    outside = [p for p in members.members(question.snapshot) if p not in league.players]
    if on and len(league.players) < 3:
        raise UserError(
            f"league.toml にメンバーが3人いないと、数える対局がなくなります。{ADD}", (MENU,)
        )
    value = "全員"
    was = "メンバーだけ"
    note = ""
    if on:
        value = "メンバーだけ"
        was = "全員"
    if on and outside:
        names = "、".join(outside[:6])
        if len(outside) > 6:
            names += "など"
        note = f"{names}の入った対局は数えなくなります。"
    edit = Setting("members_only", on)
    fact = FormFact("数える対局", f"{value}の対局", f"{was}の対局")
    done = f"{value}の対局を数えます。"
    return propose(question, tools, edit, "数える対局を変えますか？", fact, note=note, done=done)


def _list(question: Question) -> Reply:
    snapshot = question.snapshot
    league = snapshot.league
    people = members.people_of(question)
    games = Counter(player for game in snapshot.all_games() for player in game.players)
    rows = []
    for player in people.order:
        name = league.shown(player)
        games_played = f"{games[player]}戦"
        detail = "　".join(_details(league, player))
        rows.append(Row(name, games_played, detail=detail, colour=people.colour(player)))
    note = "表示名は「メンバー みどり 新しい名前」で変えられます。" + ADD
    count = "全員の対局を数えています"
    toggle = choice("メンバーだけ数える", Ask.MEMBERS, only="on")
    if league.members_only:
        count = "メンバーだけの対局を数えています"
        toggle = choice("全員の対局を数える", Ask.MEMBERS, only="off")
    outside = [p for p in people.order if p not in league.players]
    addable = [player for player in outside if len(player) <= NAME]
    adds = [choice(f"{player}を加える", Ask.MEMBERS, add=player) for player in addable[:6]]
    table = Table("メンバー", tuple(rows), subtitle=count, note=note, alt=f"メンバー {len(rows)}人")
    return Reply(
        (table,),
        (toggle, *adds, choice("設定", Ask.SETTINGS), MENU),
    )


def _details(league: League, player: str) -> Iterator[str]:
    """A member's name on Tenhou and aliases, and whether league.toml lists the others only."""
    if league.shown(player) != player:
        yield f"天鳳 {player}"
    entry = league.players.get(player)
    if entry is None:
        if league.players:
            yield "league.toml にいません"
    elif entry.aliases:
        yield "別名 " + "、".join(alias.name for alias in entry.aliases)


SPECS = (
    Spec(
        name=Ask.MEMBERS,
        title="メンバー",
        help="メンバーを見て、加えます",
        action=roster,
        words="メンバー",
        admin=True,
    ),
)
