"""The steps of `flask setup`: each asks at the terminal, tries the answer for real, and keeps what
worked.
"""

import os
import re
import sys
import urllib.request
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import click

from bot.checks.channel import CALLBACK, FITS, SECRET, TOKEN, WEBHOOK, check_webhook
from bot.checks.stores import fetched, store_finding, try_images, try_logs, try_state
from bot.cli.league import progress_bars, synced, with_rooms_of_logs
from bot.league.files import LEAGUE_FILE
from bot.line.channel import install, rich_menus, secret_fits, user_name, webhook_endpoint
from bot.line.client import LineClient, LineDown
from bot.runtime.env_file import write_env_file
from bot.runtime.translation import translated as _
from bot.service import Service
from bot.settings import HOME, LINE_API
from bot.stores import UNREACHABLE
from bot.sync.room_search import proposal
from bot.sync.run import SYNCED, last_sync
from bot.tenhou.client import TenhouError
from bot.tenhou.throttle import TooSoon
from rating.league import LOG_NAME
from rating.logdates import JST
from storage.addresses import ImageOptions, allowed_address
from storage.ports import StorageError
from storage.s3_images import S3Images
from storage.state import open_state
from storage.stores import open_images, open_logs

SHOWN = 4  # last signs of a secret that are shown
ADMINS = "ADMIN_USER_IDS"
FIRST_LOG = "logvol1.txt"
WAIT = 5.0  # seconds for the service's answer
_USER = re.compile("U[0-9a-f]{32}")
DATABASE = "postgres:"
DROPBOX = "dropbox:"
FOLDER = "file:"
S3 = "s3:"
DROPBOX_NAMES = (
    "DROPBOX_APP_KEY",
    "DROPBOX_APP_SECRET",
    "DROPBOX_REFRESH_TOKEN",
    "DROPBOX_ACCESS_TOKEN",
)
ERRORS = (StorageError, ValueError, OSError)


def masked(secret: str) -> str:
    return f"…{secret[-SHOWN:]}" if len(secret) >= 4 * SHOWN else "…"


def heading(text: str) -> None:
    click.echo(f"\n== {text}")


def worked(text: str) -> None:
    click.echo(f"  ✓ {text}")


def failed(text: str) -> None:
    click.echo(f"  ✗ {text}")


def ask(label: str, kept: str = "", secret: bool = False) -> str:
    """Return the answer without blanks around it; `kept` where only Enter is pressed. As every
    question it raises click.Abort at the end of the input and at Ctrl-C."""
    shown = masked(kept) if secret and kept else kept
    question = f"{label} [{shown}]" if shown else label
    hidden = secret and sys.stdin.isatty()
    answer = click.prompt(question, default="", show_default=False, hide_input=hidden)
    return str(answer).strip() or kept


def choose(
    question: str,
    choices: Sequence[tuple[str, str]],
    kept: str,
) -> str:
    """Return the key of one of the choices (key, words). Enter takes `kept`."""
    click.echo(question)
    for number, (_key, words) in enumerate(choices, 1):
        click.echo(f"  {number}  {words}")
    keys = [key for key, _words in choices]
    default = keys.index(kept) + 1 if kept in keys else 1
    numbers = click.IntRange(1, len(choices))
    chosen = click.prompt(_("Number"), type=numbers, default=default, show_default=True)
    return keys[int(chosen) - 1]


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


@dataclass(frozen=True)
class Wizard:
    """The file that keeps the answers, as the process's environment does for SDKs. What is known
    and still works is asked only with `anew`."""

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
        answers: dict[str, str] = {}
        untold = all(question.optional or self.known(question.name) for question in questions)
        while True:
            for question in questions:
                if untold:
                    answers[question.name] = self.get(question.name)
                    continue
                kept = answers.get(question.name) or self.get(question.name) or question.default
                while not (answer := ask(question.label, kept, question.secret)):
                    if question.optional:
                        break
                    failed(_("This is needed."))
                answers[question.name] = answer
            os.environ.update(answers)
            try:
                told = check(answers)
            except (RefusedAnswer, LineDown) as refused:
                away = isinstance(refused, LineDown) or refused.away
                line = _("LINE can't be reached at the moment.")
                failed(line if isinstance(refused, LineDown) else str(refused))
                untold = False
                if not away or not click.confirm(_("Keep it untried?"), default=False):
                    continue
                told = _("kept untried")
            self.keep(**{name: value for name, value in answers.items() if value})
            if told:
                worked(told)
            return


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
    token = AskedVariable(TOKEN, _("Channel access token (long-lived)"), secret=True)
    wizard.ask([token], lambda given: _token_told(wizard, given[TOKEN]))
    secret = AskedVariable(SECRET, _("Channel secret (Basic settings tab)"), secret=True)
    wizard.ask([secret], lambda given: _secret_told(wizard, given[SECRET]))
    admins = AskedVariable(ADMINS, _("Your user ID (Basic settings tab; several: comma separated)"))
    wizard.ask([admins], lambda given: _admins_told(wizard, given[ADMINS]))


def _token_told(wizard: Wizard, token: str) -> str:
    try:
        name = LineClient(wizard.line_api, token).bot().name
    except LineDown as error:
        if error.status in (400, 401, 403):
            raise RefusedAnswer(
                _("LINE does not know this token: issue it anew and copy all of it.")
            ) from None
        raise
    return _("the channel {name}", name=name)


def _secret_told(wizard: Wizard, secret: str) -> str:
    if not secret_fits(wizard.line_api, wizard.get(TOKEN), secret):
        raise RefusedAnswer(
            _("This is not the secret of the token's channel: copy it from the same channel.")
        )
    return FITS.said()


def _admins_told(wizard: Wizard, ids: str) -> str:
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
    question = AskedVariable("PUBLIC_URL", _("Address of the service (https://…)"))

    def told(given: dict[str, str]) -> str:
        url = given["PUBLIC_URL"].rstrip("/")
        if not allowed_address(url) or "?" in url or "#" in url:
            raise RefusedAnswer(_("LINE takes https addresses only."))
        if answers(url):
            return _("the service answers there")
        return _("kept; nothing of ours answers there yet")

    wizard.ask([question], told)


def answers(url: str) -> bool:
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
            url, _active = webhook.read()
            if url != wanted:
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


def make_league(wizard: Wizard, service: Service) -> None:
    """Make league.toml where there is none, the first log, and sync. Raises StorageError."""
    logs = service.stores.open_logs()
    files = logs.revisions()
    if LEAGUE_FILE in files:
        worked(_("league.toml is there"))
    else:
        _find(wizard, service)
    if any(map(LOG_NAME.match, files)):
        worked(_("a season log is there"))
    else:
        logs.write(FIRST_LOG, b"", None)
        worked(_("the first season log is made: {name}", name=FIRST_LOG))
    try:
        _leagues, result = synced(service)
    except (StorageError, OSError) as error:
        failed(str(error))
        return
    if not result.problems and last_sync(service.state) is None:
        # The search for rooms has read the same files, so they were not asked for again.
        service.state.values.put(SYNCED, service.now().isoformat())
    for problem in result.problems:
        failed(problem)
    worked(_("synced: {games} games added", games=result.games))


def _find(wizard: Wizard, service: Service) -> None:
    """Ask for members until rooms are found where they met, and write league.toml; nothing where no
    name is given."""
    click.echo(
        _(
            "Two or more members' names on Tenhou find the private rooms where they met in the last week."
        )
    )
    while names := ask(_("Names, with blanks between (Enter: later)")).split():
        try:
            with progress_bars() as progress:
                found = service.find_rooms(names, progress)
        except TooSoon as early:
            until = early.until.astimezone(JST).strftime("%H:%M")
            failed(_("Tenhou was asked just now; it may be asked again at {until}", until=until))
            continue
        except TenhouError as error:
            failed(str(error))
            continue
        if not found.rooms:
            failed(_("They met in no private room in the last week."))
            continue
        for room in found.rooms:
            players = ", ".join(f"{player} {count}" for player, count in room.players.most_common())
            text = _("{room}: met in {met} of {games} games: {players}")
            line = text.format(room=room.name, met=room.met, games=room.games, players=players)
            click.echo(f"  {line}")
        found = with_rooms_of_logs(service, found, partial(click.confirm, default=True))
        title = ask(_("Name of the league"), _("Mahjong league"))
        if click.confirm(_("Write league.toml with these rooms and players?"), default=True):
            service.stores.open_logs().write(LEAGUE_FILE, proposal(found, title).encode(), None)
            worked(_("league.toml is written"))
            return
    click.echo(_("Later: `flask league init NAME NAME`, or write league.toml by hand (README)."))


def ask_stores(wizard: Wizard) -> None:
    choices = [
        (DATABASE, _("the database alone: nothing else is needed")),
        (DROPBOX, _("Dropbox: the logs are files that members of the league can open")),
        (FOLDER, _("a folder of this machine (not on Heroku)")),
    ]
    place = wizard.get("LOGS_URL").partition(":")[0] + ":"
    if not wizard.known("LOGS_URL"):
        place = choose(_("Where are the season logs kept?"), choices, place)
    _ask_database(wizard, place)
    if place == DATABASE:
        wizard.keep(LOGS_URL=DATABASE, IMAGES_URL=DATABASE)
        worked(_("logs and pictures are kept in the database"))
        return
    if place == DROPBOX:
        _ask_dropbox(wizard)
    else:
        folder = AskedVariable(
            "LOGS_URL", _("Folder of the logs"), default=f"file:{HOME / 'league'}"
        )
        wizard.ask([folder], lambda given: _logs_told(wizard, given["LOGS_URL"]))
    _ask_images(wizard, place)


def _ask_database(wizard: Wizard, place: str) -> None:
    if place == FOLDER:
        default = wizard.get("DATABASE_URL") or f"sqlite:///{HOME / 'janroku.sqlite3'}"
    else:
        default = ""
        words = _(
            "On Heroku: `heroku addons:create heroku-postgresql:essential-0 --wait`, then `heroku config:get "
            "DATABASE_URL` shows the address."
        )
        wizard.explain("DATABASE_URL", words)
    question = AskedVariable(
        "DATABASE_URL", _("Address of the database"), secret=True, default=default
    )
    wizard.ask(
        [question],
        lambda given: _state_told(given["DATABASE_URL"], needs_postgres=place == DATABASE),
    )


def _state_told(url: str, needs_postgres: bool) -> str:
    if needs_postgres and not url.startswith(("postgres://", "postgresql://")):
        raise RefusedAnswer(_("The address begins with postgres://"))
    try:
        state = open_state(url)
        try:
            try_state(state)
        finally:
            state.close()
    except ERRORS as error:
        raise _refused("DATABASE_URL", url, error) from None
    return _("written and read")


def _ask_dropbox(wizard: Wizard) -> None:
    words = _(
        "Open https://www.dropbox.com/developers/apps: Create app, Scoped access, App folder."
    )
    wizard.explain("DROPBOX_APP_KEY", words)
    wizard.explain(
        "DROPBOX_REFRESH_TOKEN",
        _(
            "Permissions: tick files.metadata.read, files.content.read and files.content.write, then Submit."
        ),
    )
    key = AskedVariable("DROPBOX_APP_KEY", _("App key (Settings)"))
    words = _("App secret (Settings; it may be left out, and changes then show some seconds later)")
    secret = AskedVariable("DROPBOX_APP_SECRET", words, secret=True, optional=True)
    folder = wizard.get("LOGS_URL")
    if not folder.startswith(DROPBOX):
        folder = "dropbox:/"
    fine = True
    while True:
        wizard.ask([key, secret], lambda given: "")
        there = wizard.get("DROPBOX_REFRESH_TOKEN")
        unasked = fine and wizard.known("DROPBOX_REFRESH_TOKEN")
        said = _("Use the refresh token that is there?")
        if not there or not (unasked or click.confirm(said, default=fine)):
            _get_token(wizard)
        try:
            told = _logs_told(wizard, folder)
        except RefusedAnswer as refused:
            failed(str(refused))
            fine = refused.away
            wizard = replace(wizard, anew=not refused.away)
            continue
        wizard.keep(LOGS_URL=folder)
        worked(told)
        return


def _get_token(wizard: Wizard) -> None:
    # Dropbox's SDK is loaded only where it is used.
    from storage.dropbox_logs import DropboxAuthorisation

    asked = DropboxAuthorisation(wizard.get("DROPBOX_APP_KEY"))
    click.echo(_("Open this address, allow the app, and copy the code:"))
    click.echo(f"\n  {asked.address}\n")
    while True:
        code = ask(_("Code"), secret=True)
        try:
            wizard.keep(DROPBOX_REFRESH_TOKEN=asked.refresh_token(code))
        except StorageError as error:
            failed(str(error))
        else:
            return


def _logs_told(wizard: Wizard, url: str) -> str:
    env = {name: wizard.get(name) for name in (*DROPBOX_NAMES, "DATABASE_URL")}
    try:
        try_logs(open_logs(url, env))
    except ERRORS as error:
        raise _refused("LOGS_URL", url, error) from None
    return _("a file was written, read and removed")


def _ask_images(wizard: Wizard, place: str) -> None:
    choices = [
        (DATABASE, _("the database")),
        (S3, _("S3: a bucket of your AWS account")),
        (FOLDER, _("a folder of this machine (not on Heroku)")),
    ]
    if not wizard.get("DATABASE_URL").startswith("postgres"):
        del choices[0]
    address = wizard.get("IMAGES_URL")
    kept = address.partition(":")[0] + ":"
    chosen = kept
    if not wizard.known("IMAGES_URL"):
        default = kept if address.partition(":")[0] else place
        chosen = choose(_("Where are the pictures kept?"), choices, default)
    if chosen == S3:
        _ask_bucket(wizard)
        return
    if chosen != kept:
        address = DATABASE if chosen == DATABASE else f"file:{HOME / 'images'}"
    wizard.keep(IMAGES_URL=address)


def _ask_bucket(wizard: Wizard) -> None:
    words = _(
        "In the S3 console create a bucket (all public access blocked); in IAM a user who may put, get, "
        "delete and list in it, and an access key for it (README has the policy)."
    )
    wizard.explain("AWS_ACCESS_KEY_ID", words)
    questions = [
        AskedVariable("IMAGES_URL", _("Bucket, as s3://BUCKET/charts")),
        AskedVariable("AWS_DEFAULT_REGION", _("The bucket's region"), default="ap-northeast-1"),
        AskedVariable("AWS_ACCESS_KEY_ID", _("Access key ID"), secret=True),
        AskedVariable("AWS_SECRET_ACCESS_KEY", _("Secret access key"), secret=True),
    ]
    wizard.ask(questions, lambda given: _bucket_told(given["IMAGES_URL"]))
    days = int(UNREACHABLE // 86400)
    try:
        images = open_images(wizard.get("IMAGES_URL"), ImageOptions())
        assert isinstance(images, S3Images)
        images.expire_after(days)
    except (StorageError, ValueError):  # refused, or the address has no prefix
        told = _(
            "The bucket has taken no lifecycle rule: set one that expires objects after {days} days in the "
            "S3 console, or run `flask sweep` every week."
        )
        failed(told.format(days=days))
    else:
        worked(_("S3 removes pictures after {days} days", days=days))


def _bucket_told(url: str) -> str:
    if not url.startswith("s3://"):
        raise RefusedAnswer(_("Write s3://BUCKET/charts"))
    try:
        link = try_images(open_images(url, ImageOptions()))
    except ERRORS as error:
        raise _refused("IMAGES_URL", url, error) from None
    found = fetched("IMAGES_URL", link)
    if not found.ok:
        raise RefusedAnswer(found.text, away=not found.stops_release)
    return found.text


def _refused(name: str, url: str, error: Exception) -> RefusedAnswer:
    found = store_finding(name, url, error)
    return RefusedAnswer(f"{found.what}: {found.text}", away=not found.stops_release)
