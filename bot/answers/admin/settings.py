"""The admin's 設定, 新シーズン, 別名, チーム編成 and モデル; each change is shown and confirmed."""

from bot import texts
from bot.answers.admin.members import player_of, short, tenhou_name
from bot.answers.common import members, ratings
from bot.answers.common.confirm import MENU, propose
from bot.answers.common.faults import sentence
from bot.answers.common.periods import day_of
from bot.chat.command import Action, Ask, Question, Spec, Tools, choice, data_of, normal
from bot.chat.replies import Button, Form, FormFact, FormRow, Reply, Text, Tone, UserError
from rating.league_edit import NewAlias, NewSeason, Setting, TeamMembers, next_season
from rating.models import MODELS

ALIAS = (
    "別名は「別名 みどり一色 緑一色の人」のように、いまの名前、別の名前の順に送ってください。"
    "日から先だけのときは、最後に「2026-04-01から」と書きます。"
)
TEAM = "チームは「チーム編成 東家 みどり 白發中」のように、チーム名、メンバーの順に送ってください。"
SEASON_DAY = "開始日は「新シーズン 春の陣 12/1」のように、名前のあとに書けます。"


def settings(question: Question, tools: Tools) -> Reply:
    league = question.snapshot.league
    seasons = question.snapshot.league.seasons
    counted = "メンバーだけ" if league.members_only else "全員"
    rows: list[FormRow] = [
        FormFact("シーズン", texts.season_title(seasons[-1]) if seasons else "まだありません"),
        FormFact(
            "メンバー", f"{len(members.members(question.snapshot))}人（{counted}の対局を数えます）"
        ),
        FormFact("レート", ratings.model_title(league.model)),
        FormFact("部屋", "、".join(league.rooms) or "指定なし"),
        FormFact("トークID", question.asker.chat),
        "変える",
        (_button("新シーズン", "new_season"), _button("メンバー", "members")),
        (_button("別名", "alias"), _button("チーム編成", "team_edit")),
        (_button("モデル", "model"), _button("部屋", "rooms")),
    ]
    words = sentence(question.snapshot) or "league.toml は正しく読めています。"
    return Reply(
        (Form(league.name or "設定", tuple(rows), words, alt="リーグの設定"),),
        (MENU,),
    )


def _button(word: str, name: str) -> Button:
    return Button((word,), data_of(name), said=word)


def season(question: Question, tools: Tools) -> Reply:
    """`新シーズン [名前] [開始日]`: propose a season. By default it starts today and has the next
    number as its name."""
    today = question.now.date()
    words = list(question.command.rest)
    start = day_of(question.option("start"), today)
    typed = day_of(words[-1], today) if words else None
    if typed:
        words.pop()
    number, log = next_season(question.snapshot.league.seasons)
    name = short(" ".join(words) or question.option("name") or f"第{number}シーズン")
    start = start or typed or today
    edit = NewSeason(name, log, start)
    since = f"{texts.day(start)}から"
    facts = FormFact("名前", name), FormFact("開始日", since), FormFact("ログ", log)
    done = f"{name}を始めました（{since}）。"
    reply = propose(question, tools, edit, "新しいシーズンを始めますか？", *facts, done=done)
    how = (Text(SEASON_DAY),) if not words and not question.option("start") else ()
    return Reply((*reply.parts, *how), (MENU,))


def alias(question: Question, tools: Tools) -> Reply:
    """`別名 いまの名前 別の名前 [日から]`: propose another name of a member on Tenhou."""
    words = list(question.command.rest)
    today = question.now.date()
    since = day_of(words[-1], today) if len(words) > 2 else None
    words = words[:-1] if since else words
    if len(words) != 2:
        raise UserError(ALIAS, (choice("メンバー", Ask.MEMBERS), MENU))
    player = player_of(question, words[0])
    other = tenhou_name(question, words[1])
    shown = question.snapshot.league.shown(player)
    games = sum(1 for game in question.snapshot.all_games() if other in game.players)
    facts = (
        FormFact("メンバー", player if shown == player else f"{shown}（{player}）"),
        FormFact("別名", other),
        FormFact("期間", f"{texts.day_with_year(since)}から" if since else "すべての対局"),
    )
    done = f"{other} の対局を、{shown}さんの対局として数えます。"
    note = ""
    if games:
        note = f"いま別の人として数えている {games}戦もまとめます。"
    return propose(
        question,
        tools,
        NewAlias(player, other, since),
        "別名を加えますか？",
        *facts,
        note=note,
        done=done,
    )


def team(question: Question, tools: Tools) -> Reply:
    """`チーム編成 東家 みどり 白發中`: propose a team's members; with fewer words, list the
    teams.
    """
    league = question.snapshot.league
    words = list(question.command.rest)
    teams = {team.name: team.members for team in league.teams}
    if len(words) < 2:
        lines = [f"{name}：{'、'.join(map(league.shown, who))}" for name, who in teams.items()]
        return Reply(
            (Text("\n".join([*lines, TEAM])),),
            (choice("設定", Ask.SETTINGS), MENU),
        )
    name = short(words[0])
    who = tuple(dict.fromkeys(player_of(question, word) for word in words[1:]))
    was = "、".join(map(league.shown, teams.get(name, ())))
    facts = (
        FormFact("チーム", name),
        FormFact(
            "メンバー",
            "、".join(map(league.shown, who)),
            was,
        ),
    )
    title = "チームの顔ぶれを変えますか？" if name in teams else "チームを作りますか？"
    return propose(
        question, tools, TeamMembers(name, who), title, *facts, done=f"チーム{name}を決めました。"
    )


def model(question: Question, tools: Tools) -> Reply:
    """`モデル [名前]`: propose the rating that is shown first; without a name, offer all as
    buttons.
    """
    now = question.snapshot.league.model
    known = filter(
        None,
        (ratings.BY_WORD.get(normal(word)) for word in question.command.rest),
    )
    wanted = question.option("to") or next(known, "")
    title = ratings.model_title
    if wanted in MODELS and wanted != now:
        fact = FormFact("レート", title(wanted), title(now))
        ask = "最初に出すレートを変えますか？"
        done = f"「レーティング」では、{title(wanted)}を最初に出します。"
        return propose(question, tools, Setting("model", wanted), ask, fact, done=done)
    rows: list[FormRow] = []
    for name in MODELS:
        tone: Tone = "chosen" if name == now else "plain"
        rows.append(
            (
                Button(
                    (title(name),),
                    data_of(Ask.MODEL, to=name),
                    tone,
                ),
            )
        )
    how = "「レーティング」で最初に出すものを選んでください。"
    return Reply((Form("最初に出すレート", tuple(rows), how),), (MENU,))


def _spec(
    name: str,
    title: str,
    help_: str,
    action: Action,
    *words: str,
) -> Spec:
    return Spec(
        name=name,
        title=title,
        help=help_,
        action=action,
        words=" ".join((title, *words)),
        admin=True,
    )


SPECS = (
    _spec(Ask.SETTINGS, "設定", "リーグの設定を見て変えます", settings),
    _spec(
        Ask.NEW_SEASON, "新シーズン", "新しいシーズンを始めます（新シーズン 名前 開始日）", season
    ),
    _spec(Ask.ALIAS, "別名", "天鳳の名前が変わった人をまとめます", alias),
    _spec(
        Ask.TEAM_EDIT,
        "チーム編成",
        "チームを作り、顔ぶれを変えます",
        team,
        "チーム変更",
        "チーム追加",
    ),
    _spec(Ask.MODEL, "モデル", "最初に出すレートを選びます", model),
)
