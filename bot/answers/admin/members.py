"""メンバー: an admin sees and changes who is in the league, the names shown, and whose games
count.
"""

from collections import Counter

from bot.answers.common import members
from bot.answers.common.confirm import MENU, propose, require_names
from bot.chat.command import Ask, Question, Spec, Tools, choice, normal
from bot.chat.replies import FormFact, Reply, Row, Table, UserError
from rating.league_edit import Setting, ShownName
from rating.names import canonical_name

NAME = 20  # characters of a name an admin gives
LONG = "名前は20文字までにしてください。"
ODD = "名前に使えない文字があります。打ち直して送ってください。"
NOBODY = "「{}」という人は見つかりません。メンバーの名前か、天鳳の名前で送ってください。"
ADD = "新しい人を加えるときは「メンバー 追加 天鳳の名前 表示名」と送ってください。"


def player_of(question: Question, word: str) -> str:
    """The name on Tenhou of the member a word means. Raises UserError with the nearest names."""
    found = members.names_of(question.snapshot).get(members.key(word))
    if found is None:
        near = "、".join(
            map(question.snapshot.league.shown, members.near_names(question.snapshot, word))
        )
        hint = f"もしかして {near} ですか？" if near else ADD
        raise UserError(
            NOBODY.format(word[:NAME]) + hint,
            (choice("メンバー", Ask.MEMBERS), MENU),
        )
    return found


def tenhou_name(question: Question, word: str) -> str:
    """A name on Tenhou as the logs write it, whatever its width, case or kana; else the word
    itself.
    """
    word = canonical_name(word)
    known = {
        p for log in question.snapshot.logs.values() for game in log.games for p in game.players
    }
    if word in known:
        return word
    return next(
        (name for name in sorted(known) if normal(name) == normal(word)),
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
    words = list(question.command.rest)
    if question.option("only") in ("on", "off"):
        return _members_only(question, tools, question.option("only") == "on")
    if question.option("add"):
        words = ["追加", question.option("add")]
    if not words:
        return _list(question)
    if words[0] == "限定" and len(words) == 2:
        switch = normal(words[1])
        if switch in ("おん", "おふ", "on", "off"):
            return _members_only(question, tools, switch in ("おん", "on"))
    if words[0] == "追加" and len(words) > 1:
        player = tenhou_name(question, words[1])
        name = short(" ".join(words[2:]))
        facts = FormFact("天鳳の名前", player), FormFact("表示名", name or player)
        done = f"{name or player}さんをメンバーに加えました。"
        return propose(
            question, tools, ShownName(player, name), "メンバーに加えますか？", *facts, done=done
        )
    if len(words) < 2:
        raise UserError(ADD, (choice("メンバー", Ask.MEMBERS), MENU))
    player = player_of(question, words[0])
    name = short(" ".join(words[1:]))
    facts = (
        FormFact("天鳳の名前", player),
        FormFact("表示名", name, question.snapshot.league.shown(player)),
    )
    edit = ShownName(player, name)
    done = f"表示名を{name}にしました。"
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
        known = league.players.get(player)
        other = "、".join(a.name for a in known.aliases) if known else ""
        told = [
            f"天鳳 {player}" if league.shown(player) != player else "",
            f"別名 {other}" if other else "",
        ]
        told.append("" if known or not league.players else "league.toml にいません")
        detail = "　".join(filter(None, told))
        name = league.shown(player)
        played = f"{games[player]}戦"
        rows.append(Row(name, played, detail=detail, colour=people.colour(player)))
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
