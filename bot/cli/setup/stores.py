"""Ask where logs, state and pictures are kept, and try each place by writing and reading."""

from dataclasses import replace

from bot.checks.stores import fetched, store_finding, try_images, try_logs, try_state
from bot.cli.setup.wizard import AskedVariable, RefusedAnswer, Wizard
from bot.runtime.finding import translated as _
from bot.settings import HOME
from bot.stores import UNREACHABLE
from storage.addresses import ImageOptions
from storage.ports import StorageError
from storage.s3_images import S3Images
from storage.state import open_state
from storage.stores import open_images, open_logs

DATABASE, DROPBOX, FOLDER, S3 = "postgres:", "dropbox:", "file:", "s3:"
DROPBOX_NAMES = ("DROPBOX_APP_KEY", "DROPBOX_APP_SECRET", "DROPBOX_REFRESH_TOKEN", "DROPBOX_ACCESS_TOKEN")
ERRORS = (StorageError, ValueError, OSError)


def ask_stores(wizard: Wizard) -> None:
    choices = [
        (DATABASE, _("the database alone: nothing else is needed")),
        (DROPBOX, _("Dropbox: the logs are files that members of the league can open")),
        (FOLDER, _("a folder of this machine (not on Heroku)")),
    ]
    place = wizard.get("LOGS_URL").partition(":")[0] + ":"
    if not wizard.known("LOGS_URL"):
        place = wizard.terminal.choose(_("Where are the season logs kept?"), choices, place)
    _ask_database(wizard, place)
    if place == DATABASE:
        wizard.keep(LOGS_URL=DATABASE, IMAGES_URL=DATABASE)
        wizard.terminal.worked(_("logs and pictures are kept in the database"))
        return
    if place == DROPBOX:
        _ask_dropbox(wizard)
    else:
        folder = AskedVariable("LOGS_URL", _("Folder of the logs"), default=f"file:{HOME / 'league'}")
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
    question = AskedVariable("DATABASE_URL", _("Address of the database"), secret=True, default=default)
    wizard.ask([question], lambda given: _state_told(given["DATABASE_URL"], needs_postgres=place == DATABASE))


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
    words = _("Open https://www.dropbox.com/developers/apps: Create app, Scoped access, App folder.")
    wizard.explain("DROPBOX_APP_KEY", words)
    words = _(
        "Permissions: tick files.metadata.read, files.content.read and files.content.write, then Submit."
    )
    wizard.explain("DROPBOX_REFRESH_TOKEN", words)
    key = AskedVariable("DROPBOX_APP_KEY", _("App key (Settings)"))
    words = _("App secret (Settings; it may be left out, and changes then show some seconds later)")
    secret = AskedVariable("DROPBOX_APP_SECRET", words, secret=True, optional=True)
    folder = wizard.get("LOGS_URL") if wizard.get("LOGS_URL").startswith(DROPBOX) else "dropbox:/"
    fine = True
    while True:
        wizard.ask([key, secret], lambda given: "")
        there = wizard.get("DROPBOX_REFRESH_TOKEN")
        unasked = fine and wizard.known("DROPBOX_REFRESH_TOKEN")
        said = _("Use the refresh token that is there?")
        if not there or not (unasked or wizard.terminal.confirm(said, default=fine)):
            _get_token(wizard)
        try:
            told = _logs_told(wizard, folder)
        except RefusedAnswer as refused:
            wizard.terminal.failed(str(refused))
            fine, wizard = refused.away, replace(wizard, anew=not refused.away)
            continue
        wizard.keep(LOGS_URL=folder)
        wizard.terminal.worked(told)
        return


def _get_token(wizard: Wizard) -> None:
    from storage.dropbox_client import DropboxAuthorisation  # Dropbox's SDK is loaded only where it is used

    asked = DropboxAuthorisation(wizard.get("DROPBOX_APP_KEY"))
    wizard.terminal.say(_("Open this address, allow the app, and copy the code:"))
    wizard.terminal.say(f"\n  {asked.address}\n")
    while True:
        code = wizard.terminal.ask(_("Code"), secret=True)
        try:
            wizard.keep(DROPBOX_REFRESH_TOKEN=asked.refresh_token(code))
        except StorageError as error:
            wizard.terminal.failed(str(error))
        else:
            return


def _logs_told(wizard: Wizard, url: str) -> str:
    try:
        try_logs(open_logs(url, {name: wizard.get(name) for name in (*DROPBOX_NAMES, "DATABASE_URL")}))
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
    chosen = kept = wizard.get("IMAGES_URL").partition(":")[0] + ":"
    if not wizard.known("IMAGES_URL"):
        asked = _("Where are the pictures kept?")
        chosen = wizard.terminal.choose(asked, choices, kept if kept != ":" else place)
    if chosen == S3:
        _ask_bucket(wizard)
        return
    default = DATABASE if chosen == DATABASE else f"file:{HOME / 'images'}"
    wizard.keep(IMAGES_URL=wizard.get("IMAGES_URL") if kept == chosen else default)


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
        wizard.terminal.failed(told.format(days=days))
    else:
        wizard.terminal.worked(_("S3 removes pictures after {days} days", days=days))


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
