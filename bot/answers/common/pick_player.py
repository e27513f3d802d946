"""Helps questions about one member: asks for a name, and finds a scope with games of that member."""

from __future__ import annotations

from bot import texts
from bot.answers.common.members import members, token
from bot.answers.common.scope import ALL, Scope, offered, period_choices, scope_of, season_choices
from bot.chat.command import Question, choice
from bot.chat.replies import Menu, Reply, UserError

WHO = "見たい人の名前を押してください。"
NOT_THEN = "{}さんは{}に打っていません。下のボタンから選んでください。"
NO_GAMES_YET = "{}さんの対局はまだありません。最初の対局が記録されたら、もう一度押してください。"


def ask_who(question: Question, title: str, **options: object) -> Reply:
    """Every member's name as a button, for a question that needs one more name.

    `options` go along with each button; with `player` among them the name is the second one (`other`). Raises
    UserError when there is nobody to choose.
    """
    slot = "other" if "player" in options else "player"
    known = options.get("player", "")
    shown = question.snapshot.league.shown
    buttons = tuple(
        choice(shown(p), question.command.name, **options, **{slot: token(p)})
        for p in members(question.snapshot)
        if token(p) != known
    )
    if not buttons:
        raise UserError(texts.NO_GAMES, offered())
    return Reply((Menu(title, buttons, WHO, f"{title}：{WHO}"),), offered())


def scope_with(question: Question, *players: str) -> Scope:
    """The scope asked for. All seasons when none is named and one of the players did not play in the latest
    season.

    Raises UserError when one of the players has no game in it.
    """
    scope = scope_of(question)
    absent = [p for p in players if not any(p in game.players for game in scope.games)]
    if not absent:
        return scope
    named_season = question.option("season") or scope.period is not None
    everything = scope if named_season else scope_of(question, ALL)
    for player in absent:
        if not any(player in game.players for game in everything.games):
            shown = question.snapshot.league.shown(player)
            buttons = season_choices(question, scope, player=token(player)) if named_season else ()
            if scope.period:
                ways = period_choices(question, scope, player=token(player))
                raise UserError(NOT_THEN.format(shown, scope.title), offered(*ways, *buttons))
            raise UserError(NO_GAMES_YET.format(shown), offered(*buttons))
    return everything
