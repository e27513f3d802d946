"""Dropbox: the logs are files in an app's folder, where members of the league can open them."""

import re
from collections.abc import Mapping
from contextlib import nullcontext

from bot.runtime.translation import Message, message as _
from bot.settings.store_kind import (
    AccountAddress,
    Advice,
    Authorisation,
    Hint,
    LeagueAccounts,
    SetupOffer,
    StoreKind,
    TokenRequest,
)
from bot.settings.variable import (
    Heroku,
    PlainText,
    Reading,
    SetupQuestion,
    Topic,
    Variable,
    Wording,
)
from storage.backups import BackupPlace, FolderBackups
from storage.ports import Guard, LogSource

_SCHEME = "dropbox:"
KEY = "DROPBOX_APP_KEY"
SECRET = "DROPBOX_APP_SECRET"  # noqa: S105 (a name)
TOKEN = "DROPBOX_REFRESH_TOKEN"  # noqa: S105 (a name)
ACCESS = "DROPBOX_ACCESS_TOKEN"


def _open_logs(
    url: str, variables: Mapping[str, str], _database: object, guard: Guard
) -> LogSource:
    from storage.dropbox_logs import DropboxLogs  # its SDK is loaded only where it is used

    return DropboxLogs(
        url.removeprefix(_SCHEME),
        app_key=variables.get(KEY, ""),
        app_secret=variables.get(SECRET, ""),
        refresh_token=variables.get(TOKEN, ""),
        access_token=variables.get(ACCESS, ""),
        guard=guard,
    )


def _open_backups(url: str, variables: Mapping[str, str]) -> BackupPlace:
    return FolderBackups(_open_logs(url, variables, None, nullcontext))


def _check(reading: Reading, _url: str, _named: str) -> None:
    """Report missing variables. The address may be bare: it is the app's own folder then."""
    if reading.name != "LOGS_URL" or reading.text_of(ACCESS):
        return
    for name in (KEY, TOKEN):
        if not reading.text_of(name):
            reading.report(
                _("is missing (LOGS_URL names Dropbox; or give DROPBOX_ACCESS_TOKEN)"),
                "missing",
                name,
            )


def _begin_authorisation(values: Mapping[str, str]) -> Authorisation:
    from storage.dropbox_logs import DropboxAuthorisation

    return DropboxAuthorisation(values[KEY])


def _account_address(folder: str, token: str, variables: Mapping[str, str]) -> AccountAddress:
    app = {name: variables.get(name, "") for name in (KEY, SECRET)}
    return AccountAddress(f"{_SCHEME}{folder}", {**app, TOKEN: token})


def _revoked(variables: Mapping[str, str]) -> Message:
    if variables.get(ACCESS):
        return _("Dropbox no longer accepts the token: set DROPBOX_ACCESS_TOKEN anew")
    return _(
        "Dropbox is no longer linked: allow the app once more, and set DROPBOX_REFRESH_TOKEN anew"
    )


_VARIABLES = (
    Variable(
        KEY,
        PlainText(),
        Topic.STORES,
        Wording(
            "the app's key (Dropbox App Console > the app > Settings)",
            "アプリのキー（Dropbox App Console > アプリ > Settings）",
        ),
        question=SetupQuestion(_("App key (Settings)")),
        heroku=Heroku(),
    ),
    Variable(
        SECRET,
        PlainText(),
        Topic.STORES,
        Wording(
            "the app's secret (there too); without it changes show some seconds later",
            "アプリのシークレット（同じところ）。なければ、変更は数秒遅れて出る",
        ),
        secret=True,
        question=SetupQuestion(
            _(
                "App secret (Settings; it may be left out, and changes then show some seconds later)"
            ),
            optional=True,
        ),
        heroku=Heroku(),
    ),
    Variable(
        TOKEN,
        PlainText(),
        Topic.STORES,
        Wording(
            "the token of the account, which `flask setup` gets",
            "アカウントのトークン（`flask setup` が取得する）",
        ),
        secret=True,
        heroku=Heroku(),
    ),
    Variable(
        ACCESS,
        PlainText(),
        Topic.STORES,
        Wording(
            "a token that lasts for some hours, in place of `DROPBOX_REFRESH_TOKEN`",
            "数時間だけ使えるトークン（`DROPBOX_REFRESH_TOKEN` の代わり）",
        ),
        secret=True,
        replaces=TOKEN,
    ),
)

_ADVICE = (
    Advice(
        re.compile(r"missing_scope|required scope"),
        TOKEN,
        "permission",
        _(
            "the Dropbox app lacks a permission: tick files.metadata.read, files.content.read and "
            "files.content.write under "
            "Permissions, Submit, and get a new refresh token with `flask setup`"
        ),
    ),
    Advice(
        re.compile(r"(expired|invalid)_access_token"),
        TOKEN,
        "refused",
        _("Dropbox no longer accepts it: `flask setup` gets a new one, which lasts"),
    ),
    Advice(
        re.compile(r"invalid_client|[Ii]nvalid client_id"),
        SECRET,
        "refused",
        _("it does not belong to DROPBOX_APP_KEY: copy both from the app's Settings"),
    ),
    Advice(
        re.compile(r"access token is malformed|HTTP header .?Authorization"),
        TOKEN,
        "malformed",
        _("Dropbox knows no token of this form: copy it whole, or get one with `flask setup`"),
    ),
    Advice(
        re.compile(r"access token you provided"),
        TOKEN,
        "refused",
        _("it is a team's token: get one of a single account with `flask setup`"),
    ),
    Advice(
        re.compile(r"(request body|Dropbox-API-Arg.?): path:"),
        "",
        "malformed",
        _("Dropbox has no such path: write dropbox:/FOLDER"),
    ),
    Advice(
        re.compile(
            r"Dropbox refuses the request: .{0,300}([Ii]nvalid app|app is disabled|[Yy]our app)"
        ),
        KEY,
        "refused",
        _(
            "Dropbox refuses the app: look at its Settings (https://www.dropbox.com/developers/apps)"
        ),
    ),
    Advice(
        re.compile(r"Dropbox refuses the request"), TOKEN, "refused", _("it can't be used: {words}")
    ),
)

DROPBOX = StoreKind(
    name="dropbox",
    title="Dropbox",
    scheme=_SCHEME,
    form=Wording("`dropbox:/FOLDER`", "`dropbox:/FOLDER`"),
    open_logs=_open_logs,
    open_backups=_open_backups,
    check=_check,
    variables=_VARIABLES,
    advice=_ADVICE,
    away=_("Dropbox does not answer at the moment; try again later"),
    revoked=_revoked,
    logs_offer=SetupOffer(
        _("Dropbox: the logs are files that members of the league can open"), "dropbox:/"
    ),
    hints=(
        Hint(
            KEY,
            _(
                "Open https://www.dropbox.com/developers/apps: Create app, Scoped access, App folder."
            ),
        ),
        Hint(
            TOKEN,
            _(
                "Permissions: tick files.metadata.read, files.content.read and files.content.write, then Submit."
            ),
        ),
    ),
    token_request=TokenRequest(TOKEN, _begin_authorisation),
    league_accounts=LeagueAccounts(
        _account_address,
        _(
            "the league's Dropbox is no longer linked: allow the app once more, and run "
            "`flask league dropbox {league}`"
        ),
    ),
)
