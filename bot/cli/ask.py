"""`flask ask`: any answer of the bot at the terminal, read and made as in a 1:1 chat."""

import click

from bot.answers.common.members import key, names_of
from bot.chat.command import Ask, Asker, Command, Question
from bot.chat.reach import reachable
from bot.chat.replies import Reply, UserError
from bot.cli.base import CommandContext, command, with_context
from bot.cli.chosen import LEAGUE, snapshot_of
from bot.cli.errors import Failure
from bot.cli.options import AS_JSON
from bot.cli.printing import print_report, write_picture
from bot.cli.reply_text import reply_lines, reply_report
from bot.dispatch.router import Router
from bot.league.snapshot import LeagueSnapshot
from bot.line.webhook import Event
from bot.runtime.translation import translated as _
from bot.service import Service


@command()
@click.argument("words", nargs=-1, required=True, metavar="WORDS...")
@click.option(
    "--png",
    type=click.Path(dir_okay=False, writable=True),
    help="Write the first picture into this file.",
)
@click.option("--member", default="", help="Who asks: the member that 俺 and 自分 mean.")
@LEAGUE
@AS_JSON
@with_context
def ask(
    cli: CommandContext,
    words: tuple[str, ...],
    png: str | None,
    member: str,
    league: str,
    as_json: bool,
) -> None:
    """WORDS are what a member would type, such as レーティング 先月, or a button's data from --json.
    Only what reads is answered: nothing is changed, stored or sent.
    """
    if as_json and png is not None:
        raise Failure(_("--json and --png can't be combined"))
    question = typed_question(cli.service, " ".join(words), member, league)
    reply = reply_to(question)
    if png is not None:
        click.echo(write_picture(png, first_picture(reply)))
        return
    print_report(as_json, reply_report(question.command, reply), reply_lines(reply), indent=2)


def typed_question(
    service: Service,
    text: str,
    member: str = "",
    league: str = "",
) -> Question:
    """The question of a text that a member types in the 1:1 chat, or of a button's data. Raises
    Failure where the bot has no answer to it.
    """
    snapshot = snapshot_of(service, league)
    asker = Asker("", player=_player_of(snapshot, member))
    typed_command = _command_of(service, snapshot, text)
    try:
        question = service.responder.question(
            typed_command, service.registry.league(league), snapshot, asker
        )
    except UserError as error:
        raise _failure_of(error) from None
    if question.command.name == Ask.UNKNOWN:
        raise Failure(
            _("{text}: no question of the bot; `flask ask help` prints what it answers", text=text)
        )
    if question.spec.answer is None:
        title = question.spec.title
        raise Failure(_("{title}: this may change something, so only LINE takes it", title=title))
    return question


def reply_to(question: Question) -> Reply:
    """The answer. Raises Failure with the sentence that a member gets where there is none."""
    answer = question.spec.answer
    assert answer is not None
    try:
        return reachable(answer(question), question.catalogue)
    except UserError as error:
        raise _failure_of(error) from None


def first_picture(reply: Reply) -> bytes:
    """The first picture or animation of the reply. Raises Failure where it has none."""
    if not reply.drawn:
        raise Failure(_("this answer has no picture"))
    return reply.drawn[0].render()


def _player_of(snapshot: LeagueSnapshot, member: str) -> str:
    """The name on Tenhou of the member with this name, "" for no name."""
    if not member:
        return ""
    player = names_of(snapshot).get(key(member))
    if player is None:
        raise Failure(_("{name}: no such member", name=member))
    return player


def _command_of(service: Service, snapshot: LeagueSnapshot, text: str) -> Command:
    router = Router(service.features, names=lambda chat: names_of(snapshot))
    message = Event(
        id="", type="message", chat="", user="", token="", at=0.0, text=text, message_type="text"
    )
    typed_command = router.from_postback(text) or router.command_of(message)
    return typed_command or Command(Ask.UNKNOWN)


def _failure_of(error: UserError) -> Failure:
    return Failure(" ".join(str(error).split()))
