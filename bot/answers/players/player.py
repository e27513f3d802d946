"""個人: one member's card, as a picture and in words."""

from __future__ import annotations

from bot.answers.common.members import asked_members, people_of, token
from bot.answers.common.pick_player import ask_who
from bot.answers.common.scope import ALL, offered, period_choices, season_choices, seat_choices
from bot.answers.players.card import Card, card_chart, card_of, card_table, detail_tables
from bot.answers.players.card_picture import draw
from bot.chat.command import BY_PERIOD, Ask, MenuGroup, Question, Spec, choice
from bot.chat.replies import Choice, Picture, Reply

DETAILS = "details"


def answer(question: Question) -> Reply:
    """The card of the member named, else of the asker; asks for a name when both are unknown."""
    players = asked_members(question)
    if not players and question.asker.player and question.option("who") != ALL:
        players = [question.asker.player]
    if not players:
        return ask_who(question, "個人")
    people = people_of(question)
    card = card_of(question, people, players[0])
    details = detail_tables(people, card)
    if question.option("show") == DETAILS:
        return Reply(details, _choices(question, card))
    table = card_table(people, card)
    picture = Picture(card_chart(people, card), draw, table.alt, details)
    return Reply((table, picture), _choices(question, card))


def _choices(question: Question, card: Card) -> tuple[Choice, ...]:
    player, season, here = token(card.player), card.scope.option, card.scope.options
    shown = question.option("show") == DETAILS
    return offered(
        choice(
            "個人" if shown else "くわしく", Ask.PLAYER, player=player, **here, show="" if shown else DETAILS
        ),
        choice("相性", Ask.MATCHUP, player=player, **here),
        choice("直近の対局", Ask.RECENT, player=player),
        choice("実力と運", Ask.SKILL, player=player, season=season),
        *period_choices(question, card.scope, player=player),
        choice("だれかと比べる", Ask.PAIR, player=player, **here),
        *season_choices(question, card.scope, player=player),
        *seat_choices(question, card.scope, player=player),
        choice("ほかの人", Ask.PLAYER, who=ALL),
        *([choice("牌譜成績", Ask.PAIFU, player=player)] if card.paifu else []),
        choice("レーティング", Ask.RATING, **here),
    )


SPECS = (
    Spec(
        name=Ask.PLAYER,
        title="個人",
        help="ひとりの成績をまとめて出します",
        answer=answer,
        words=("個人", "こじん", "成績", "プレイヤー"),
        takes=BY_PERIOD,
        names=1,
        group=MenuGroup.ONE,
    ),
)
