"""The steps of the set-up but for the stores: LINE's channel, the service's address, the menu, the league."""

import re
import urllib.request

from bot.checks.channel import CALLBACK, SECRET, TOKEN, WEBHOOK, check_webhook
from bot.cli.league import progress_bars, synced, with_rooms_of_logs
from bot.cli.setup.wizard import AskedVariable, RefusedAnswer, Wizard
from bot.league.files import LEAGUE_FILE
from bot.line.channel import install, rich_menus, secret_fits, user_name, webhook_endpoint
from bot.line.client import LineClient, LineDown
from bot.runtime.finding import translated as _
from bot.service import Service
from bot.settings import allowed_address
from bot.sync.find_rooms import proposal
from bot.sync.run import SYNCED, last_sync
from bot.tenhou.client import TenhouError
from bot.tenhou.throttle import TooSoon
from rating.league import LOG_NAME
from rating.logdates import JST
from storage.ports import StorageError

ADMINS = "ADMIN_USER_IDS"
FIRST_LOG = "logvol1.txt"
WAIT = 5.0  # seconds for the service's answer
_USER = re.compile("U[0-9a-f]{32}")


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
            told = _("LINE does not know this token: issue it anew and copy all of it.")
            raise RefusedAnswer(told) from None
        raise _away() from None
    return _("the channel {name}", name=name)


def _secret_told(wizard: Wizard, secret: str) -> str:
    try:
        fits = secret_fits(wizard.line_api, wizard.get(TOKEN), secret)
    except LineDown:
        raise _away() from None
    if not fits:
        told = _("This is not the secret of the token's channel: copy it from the same channel.")
        raise RefusedAnswer(told)
    return _("it is this channel's")


def _admins_told(wizard: Wizard, ids: str) -> str:
    names = []
    for one in (part.strip() for part in ids.split(",")):
        if not _USER.fullmatch(one):
            raise RefusedAnswer(_("{id} is no user ID: those are U and 32 hexadecimal digits.", id=one[:40]))
        try:
            name = user_name(wizard.line_api, wizard.get(TOKEN), one)
        except LineDown:
            raise _away() from None
        names.append(name or _("{id} (add the bot as a friend in LINE)", id=f"{one[:5]}…"))
    return ", ".join(names)


def _away() -> RefusedAnswer:
    return RefusedAnswer(_("LINE can't be reached at the moment."), away=True)


def ask_address(wizard: Wizard) -> None:
    wizard.explain("PUBLIC_URL", _("On Heroku: `heroku create NAME`, then `heroku info` shows the Web URL."))
    question = AskedVariable("PUBLIC_URL", _("Address of the service (https://…)"))

    def told(given: dict[str, str]) -> str:
        url = given["PUBLIC_URL"].rstrip("/")
        if not allowed_address(url) or "?" in url or "#" in url:
            raise RefusedAnswer(_("LINE takes https addresses only."))
        there, nothing = _("the service answers there"), _("kept; nothing of ours answers there yet")
        return there if answers(url) else nothing

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
            if webhook.read().url != wanted:
                webhook.put(wanted)
                wizard.terminal.worked(_("LINE calls {url} from now on", url=wanted))
    except LineDown as error:
        wizard.terminal.failed(_("LINE took no webhook address: {error}", error=error))
        return False
    found = check_webhook(service)
    (wizard.terminal.worked if found.ok else wizard.terminal.failed)(f"{WEBHOOK}: {found.text}")
    return found.ok


def install_menu(wizard: Wizard, service: Service) -> None:
    settings = service.settings
    try:
        with rich_menus(settings.line_api_url, settings.channel_access_token) as channel:
            changed = install(channel, service.catalogue, tell=lambda step: None)
    except LineDown as error:
        wizard.terminal.failed(str(error))
        return
    new, old = _("the rich menu is on the channel"), _("the rich menu is up to date")
    wizard.terminal.worked(new if changed else old)


def make_league(wizard: Wizard, service: Service) -> None:
    """Make league.toml where there is none, the first log, and sync. Raises StorageError."""
    logs = service.stores.open_logs()
    files = logs.changes().files
    if LEAGUE_FILE in files:
        wizard.terminal.worked(_("league.toml is there"))
    else:
        _find(wizard, service)
    if any(map(LOG_NAME.match, files)):
        wizard.terminal.worked(_("a season log is there"))
    else:
        logs.write(FIRST_LOG, b"", None)
        wizard.terminal.worked(_("the first season log is made: {name}", name=FIRST_LOG))
    try:
        _leagues, result = synced(service)
    except (StorageError, OSError) as error:
        wizard.terminal.failed(str(error))
        return
    if not result.problems and last_sync(service.state) is None:
        # The search for rooms has read the same files, so they were not asked for again.
        service.state.values.put(SYNCED, service.now().isoformat())
    for problem in result.problems:
        wizard.terminal.failed(problem)
    wizard.terminal.worked(_("synced: {games} games added", games=result.games))


def _find(wizard: Wizard, service: Service) -> None:
    """Ask for members until rooms are found where they met, and write league.toml; nothing where no name is
    given."""
    terminal = wizard.terminal
    told = _("Two or more members' names on Tenhou find the private rooms where they met in the last week.")
    terminal.say(told)
    while names := terminal.ask(_("Names, with blanks between (Enter: later)")).split():
        try:
            with progress_bars() as progress:
                found = service.find_rooms(names, progress)
        except TooSoon as early:
            until = early.until.astimezone(JST).strftime("%H:%M")
            terminal.failed(_("Tenhou was asked just now; it may be asked again at {until}", until=until))
            continue
        except TenhouError as error:
            terminal.failed(str(error))
            continue
        if not found.rooms:
            terminal.failed(_("They met in no private room in the last week."))
            continue
        for room in found.rooms:
            players = ", ".join(f"{player} {count}" for player, count in room.players.most_common())
            told = _("{room}: met in {met} of {games} games: {players}")
            terminal.say("  " + told.format(room=room.name, met=room.met, games=room.games, players=players))
        found = with_rooms_of_logs(service, found, lambda asked: terminal.confirm(asked, default=True))
        title = terminal.ask(_("Name of the league"), _("Mahjong league"))
        if terminal.confirm(_("Write league.toml with these rooms and players?"), default=True):
            service.stores.open_logs().write(LEAGUE_FILE, proposal(found, title).encode(), None)
            terminal.worked(_("league.toml is written"))
            return
    terminal.say(_("Later: `flask league init NAME NAME`, or write league.toml by hand (README)."))
