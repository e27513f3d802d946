"""ルール: the rules that games at a table are counted by, and for an admin the sets that can be
chosen.
"""

from bot import texts
from bot.answers.common.confirm import propose
from bot.answers.table_game.record import MENU
from bot.chat.command import Ask, Question, Spec, Tools, choice, data_of
from bot.chat.replies import Button, Form, FormFact, FormRow, Reply, Tone
from rating.league import Rules
from rating.league_edit import TableRules
from rating.scoring import scoring_of

TITLE = "ルール"
USUAL = "天鳳"
TIES = {"seat": "席順（先に書いた人が上）", "shared": "山分け"}


def answer(question: Question, tools: Tools) -> Reply:
    """The rules in force; an admin's tap on a set proposes it for games at a table."""
    league = question.snapshot.league
    wanted = question.option("set")
    rules = league.rules.table or league.rules
    now = rules.named
    if not now:
        usual = Rules(chip=rules.chip, qualifying=rules.qualifying)
        now = USUAL if rules == usual else "独自"
    if wanted in league.sets:
        fact = FormFact("卓のルール", wanted, now)
        done = f"卓の結果を、{wanted}のルールで数えます。"
        return propose(
            question, tools, TableRules(wanted), "卓のルールを変えますか？", fact, done=done
        )
    latest = question.snapshot.all_games()[-100:]
    seats = {len(game.seats) for game in latest} or {3, 4}
    rows: list[FormRow] = []
    for count in sorted(seats):
        scoring = scoring_of(rules, count)
        if len(seats) > 1:
            rows.append(texts.SEATS[count])
        rows += [
            FormFact("持ち点", f"{scoring.start:,}点"),
            FormFact("返し", f"{scoring.return_:,}点"),
            FormFact(
                "ウマ",
                " / ".join(texts.number(uma, sign=True) for uma in scoring.uma),
            ),
            FormFact("オカ", f"トップに{texts.points(scoring.oka)}"),
            FormFact("同点", TIES[rules.ties]),
        ]
    if league.rules.chip:
        rows.append(FormFact("チップ", f"1枚につき{texts.points(league.rules.chip)}"))
    if question.asker.admin:
        rows.append("卓のルールを選ぶ")
        buttons = []
        for name in league.sets:
            tone: Tone = "chosen" if name == now else "plain"
            buttons.append(
                Button(
                    (name,),
                    data_of(Ask.RULES, set=name),
                    tone,
                    said=name,
                    narrow=True,
                )
            )
        starts = range(0, len(buttons), 3)
        rows += [tuple(buttons[start : start + 3]) for start in starts]
    form = Form(f"卓のルール（{now}）", tuple(rows), alt=f"卓のルール：{now}")
    return Reply((form,), (choice("卓の結果", Ask.TABLE_GAME), MENU))


SPECS = (
    Spec(
        name=Ask.RULES,
        title=TITLE,
        help="卓の結果を数えるルール（規定）を出します",
        action=answer,
        words=f"{TITLE} 規定 卓のルール うちのルール ウマ オカ ウマオカ",
        bare=True,
        hidden=True,
    ),
)
