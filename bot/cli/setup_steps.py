"""The steps of `flask setup`: each asks at the terminal, tries the answer for real, and keeps what
worked.
"""

import os
import re
import sys
import urllib.request
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from bot.checks.channel import CALLBACK, FITS, SECRET, TOKEN, WEBHOOK, check_webhook
from bot.line.account import secret_fits, user_name, webhook_endpoint
from bot.line.channel import install, rich_menus
from bot.line.client import LineClient, LineDown
from bot.runtime.env_file import write_env_file
from bot.runtime.translation import translated as _
from bot.service import Service
from bot.settings import LINE_API, table
from storage.addresses import allowed_address

SHOWN = 4  # last signs of a secret that are shown
ADMINS = "ADMIN_USER_IDS"
WAIT = 5.0  # seconds for the service's answer
_USER = re.compile("U[0-9a-f]{32}")


def masked(secret: str) -> str:
    return f"…{secret[-SHOWN:]}" if len(secret) >= 4 * SHOWN else "…"


def heading(text: str) -> None:
    click.echo(f"\n== {text}")


def worked(text: str) -> None:
    click.echo(f"  ✓ {text}")


def failed(text: str) -> None:
    click.echo(f"  ✗ {text}")


def ask(label: str, current: str = "", secret: bool = False) -> str:
    """Return the answer without blanks around it; `current` where only Enter is pressed. As every
    question it raises click.Abort at the end of the input and at Ctrl-C."""
    preset = masked(current) if secret and current else current
    question = f"{label} [{preset}]" if preset else label
    hidden = secret and sys.stdin.isatty()
    answer = click.prompt(question, default="", show_default=False, hide_input=hidden)
    return str(answer).strip() or current


def choose(
    question: str,
    choices: Sequence[tuple[str, str]],
    current: str,
) -> str:
    """Return the key of one of the choices (key, words). Enter takes `current`."""
    click.echo(question)
    for number, (_key, words) in enumerate(choices, 1):
        click.echo(f"  {number}  {words}")
    keys = [key for key, _words in choices]
    default = keys.index(current) + 1 if current in keys else 1
    numbers = click.IntRange(1, len(choices))
    chosen = click.prompt(_("Number"), type=numbers, default=default, show_default=True)
    return keys[int(chosen) - 1]


def choose_several(question: str, choices: Sequence[tuple[str, str]]) -> list[str]:
    """Return the keys of one or several of the choices (key, words). Enter takes the first."""
    click.echo(question)
    for number, (_key, words) in enumerate(choices, 1):
        click.echo(f"  {number}  {words}")
    numbers = {str(number): key for number, (key, _words) in enumerate(choices, 1)}
    while True:
        answers = ask(_("Numbers, with blanks between"), "1").split()
        if all(answer in numbers for answer in answers):
            return list(dict.fromkeys(numbers[answer] for answer in answers))
        failed(_("Give numbers from 1 to {last}.", last=len(choices)))


class RefusedAnswer(Exception):
    """The answer is wrong; the message says what to do.

    `away`: the service did not answer at all.
    """

    def __init__(self, words: str, away: bool = False) -> None:
        super().__init__(words)
        self.away = away


@dataclass(frozen=True)
class AskedVariable:
    name: str
    label: str
    secret: bool = False
    optional: bool = False
    default: str = ""


def asked_variable(name: str, default: str = "") -> AskedVariable:
    """The question for a variable, from the table of variables."""
    for variable in table():
        question = variable.question
        if variable.name == name and question is not None:
            return AskedVariable(
                name=name,
                label=question.label.said(),
                secret=variable.secret or question.hidden,
                optional=question.optional,
                default=default or question.default,
            )
    raise LookupError(f"{name} is not asked for")


@dataclass(frozen=True)
class Wizard:
    """The answers go to the file, and to the process's environment for SDKs. A known answer that
    still works is requested again only with `anew`."""

    file: Path
    anew: bool = False

    def get(self, name: str) -> str:
        return os.environ.get(name, "").strip()

    def explain(self, name: str, text: str) -> None:
        if not self.get(name):
            click.echo(text)

    def known(self, name: str) -> bool:
        return not self.anew and bool(self.get(name))

    @property
    def line_api(self) -> str:
        return self.get("LINE_API_URL").rstrip("/") or LINE_API

    def keep(self, **values: str) -> None:
        os.environ.update(values)
        write_env_file(self.file, values)

    def ask(
        self, questions: Sequence[AskedVariable], check: Callable[[dict[str, str]], str]
    ) -> None:
        """Ask until `check` takes the answers together, and save them; what is known is tried
        first. `check` finds the answers in the environment too; it returns what to say ("" for
        nothing), or raises RefusedAnswer or LineDown."""
        if all(question.optional or self.known(question.name) for question in questions):
            answers = {question.name: self.get(question.name) for question in questions}
        else:
            answers = self._answers_to(questions, {})
        while True:
            os.environ.update(answers)
            try:
                result = check(answers)
            except (RefusedAnswer, LineDown) as refused:
                if not _is_kept_untried(refused):
                    answers = self._answers_to(questions, answers)
                    continue
                result = _("kept untried")
            self.keep(**{name: value for name, value in answers.items() if value})
            if result:
                worked(result)
            return

    def _answers_to(
        self, questions: Sequence[AskedVariable], refused: dict[str, str]
    ) -> dict[str, str]:
        """The answers given at the terminal; Enter takes the refused or present value."""
        answers: dict[str, str] = {}
        for question in questions:
            current = refused.get(question.name) or self.get(question.name) or question.default
            answer = ask(question.label, current, question.secret)
            while not answer and not question.optional:
                failed(_("This is needed."))
                answer = ask(question.label, current, question.secret)
            answers[question.name] = answer
        return answers


def _is_kept_untried(refused: RefusedAnswer | LineDown) -> bool:
    """Print why answers were refused. Whether to keep them untried, where nothing has answered."""
    if isinstance(refused, LineDown):
        failed(_("LINE can't be reached at the moment."))
    else:
        failed(str(refused))
        if not refused.away:
            return False
    return click.confirm(_("Keep it untried?"), default=False)


def ask_channel(wizard: Wizard) -> None:
    words = _(
        "Open https://developers.line.biz/console/ and your Messaging API channel (create one: a provider, "
        "then a Messaging API channel)."
    )
    wizard.explain(TOKEN, words)
    words = _(
        "Messaging API tab: allow group chats, turn auto-reply and greeting messages off, issue the token."
    )
    wizard.explain(TOKEN, words)
    wizard.ask([asked_variable(TOKEN)], lambda answers: _check_token(wizard, answers[TOKEN]))
    wizard.ask([asked_variable(SECRET)], lambda answers: _check_secret(wizard, answers[SECRET]))
    wizard.ask([asked_variable(ADMINS)], lambda answers: _check_admins(wizard, answers[ADMINS]))


def _check_token(wizard: Wizard, token: str) -> str:
    try:
        name = LineClient(wizard.line_api, token).bot().name
    except LineDown as error:
        if error.status in (400, 401, 403):
            raise RefusedAnswer(
                _("LINE does not know this token: issue it anew and copy all of it.")
            ) from None
        raise
    return _("the channel {name}", name=name)


def _check_secret(wizard: Wizard, secret: str) -> str:
    if not secret_fits(wizard.line_api, wizard.get(TOKEN), secret):
        raise RefusedAnswer(
            _("This is not the secret of the token's channel: copy it from the same channel.")
        )
    return FITS.said()


def _check_admins(wizard: Wizard, ids: str) -> str:
    """Return the admins' names in LINE. Raises RefusedAnswer for a malformed id."""
    names = []
    for part in ids.split(","):
        user = part.strip()
        if not _USER.fullmatch(user):
            raise RefusedAnswer(
                _("{id} is no user ID: those are U and 32 hexadecimal digits.", id=user[:40])
            )
        name = user_name(wizard.line_api, wizard.get(TOKEN), user)
        names.append(name or _("{id} (add the bot as a friend in LINE)", id=f"{user[:5]}…"))
    return ", ".join(names)


def ask_address(wizard: Wizard) -> None:
    wizard.explain(
        "PUBLIC_URL", _("On Heroku: `heroku create NAME`, then `heroku info` shows the Web URL.")
    )

    def check_address(answers: dict[str, str]) -> str:
        url = answers["PUBLIC_URL"].rstrip("/")
        if not allowed_address(url) or "?" in url or "#" in url:
            raise RefusedAnswer(_("LINE takes https addresses only."))
        if runs_at(url):
            return _("the service answers there")
        return _("kept; nothing of ours answers there yet")

    wizard.ask([asked_variable("PUBLIC_URL")], check_address)


def runs_at(url: str) -> bool:
    """Whether a Janroku runs at the address."""
    try:
        # https or loopback.
        with urllib.request.urlopen(f"{url}/healthz", timeout=WAIT) as answer:  # noqa: S310
            return b'"version"' in answer.read(1000)
    except OSError:
        return False


def set_webhook(wizard: Wizard, service: Service) -> bool:
    """Set LINE's webhook to the service, and have LINE test it; return whether the test arrived."""
    wanted = service.settings.public_url + CALLBACK
    try:
        settings = service.settings
        with webhook_endpoint(settings.line_api_url, settings.channel_access_token) as webhook:
            if webhook.read().url != wanted:
                webhook.put(wanted)
                worked(_("LINE calls {url} from now on", url=wanted))
    except LineDown as error:
        failed(_("LINE took no webhook address: {error}", error=error))
        return False
    finding = check_webhook(service)
    result = f"{WEBHOOK}: {finding.text}"
    if finding.ok:
        worked(result)
    else:
        failed(result)
    return finding.ok


def install_menu(wizard: Wizard, service: Service) -> None:
    settings = service.settings
    try:
        with rich_menus(settings.line_api_url, settings.channel_access_token) as channel:
            changed = install(channel, service.catalogue, tell=lambda step: None)
    except LineDown as error:
        failed(str(error))
        return
    if changed:
        worked(_("the rich menu is on the channel"))
    else:
        worked(_("the rich menu is up to date"))
