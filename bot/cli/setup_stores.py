"""The step of `flask setup` about stores: where logs, pictures and the database are.

Which stores there are, what they are asked for, and what is explained is in the stores' modules
(`bot/settings/stores/`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import click

from bot.checks.links import fetched
from bot.checks.store_trials import store_finding, try_images, try_logs, try_state
from bot.cli.setup_steps import (
    AskedVariable,
    RefusedAnswer,
    Wizard,
    ask,
    asked_variable,
    choose,
    failed,
    worked,
)
from bot.runtime.translation import translated as _
from bot.settings.store_kind import SetupOffer, StoreKind, TokenRequest, fill
from bot.settings.stores import (
    IMAGE_KINDS,
    LOG_KINDS,
    kind_of,
    open_images,
    open_logs,
    store_variables,
)
from bot.settings.variable import HOME
from storage.addresses import UNREACHABLE, ImageOptions
from storage.ports import ExpiringImages, ImageStore, StorageError
from storage.state import open_state

LOGS = "LOGS_URL"
IMAGES = "IMAGES_URL"
DATABASE = "DATABASE_URL"
ERRORS = (StorageError, ValueError, OSError)


def ask_stores(wizard: Wizard) -> None:
    kind = _choose_kind(
        wizard,
        LOGS,
        _("Where are the season logs kept?"),
        [(kind, kind.logs_offer) for kind in LOG_KINDS if kind.logs_offer],
    )
    _ask_database(wizard, kind)
    if kind.in_database:
        wizard.keep(LOGS_URL=kind.scheme, IMAGES_URL=kind.scheme)
        worked(_("logs and pictures are kept in the database"))
        return
    _explain(wizard, kind)
    if kind.token_request:
        _ask_logs_with_token(wizard, kind, kind.token_request)
    elif kind.logs_offer:
        questions = _questions(kind, LOGS, kind.logs_offer)
        wizard.ask(questions, lambda answers: _try_logs(wizard, answers[LOGS]))
    _ask_images(wizard, kind)


def _choose_kind(
    wizard: Wizard,
    name: str,
    question: str,
    offers: Sequence[tuple[StoreKind, SetupOffer]],
    default: StoreKind | None = None,
) -> StoreKind:
    """The kind of store that a variable names by its address: the present one, or a chosen one."""
    address = wizard.get(name)
    kinds = {kind.scheme: kind for kind, _offer in offers}
    present = default
    for kind in kinds.values():
        if address.startswith(kind.scheme):
            present = kind
    if wizard.known(name):
        return present or kind_of(address)
    choices = [(kind.scheme, offer.choice.said()) for kind, offer in reversed(offers)]
    preset = ""
    if present is not None:
        preset = present.scheme
    return kinds[choose(question, choices, preset)]


def _ask_database(wizard: Wizard, logs: StoreKind) -> None:
    """Ask for the database: any on the machine where the logs are too, else one with an address."""
    question = asked_variable(DATABASE)
    if logs.on_disk:
        default = wizard.get(DATABASE) or f"sqlite:///{HOME / 'janroku.sqlite3'}"
        question = replace(question, default=default)
    else:
        words = _(
            "On Heroku: `heroku addons:create heroku-postgresql:essential-0 --wait`, then `heroku config:get "
            "DATABASE_URL` shows the address."
        )
        wizard.explain(DATABASE, words)
    wizard.ask([question], lambda answers: _try_database(answers[DATABASE], logs))


def _try_database(url: str, logs: StoreKind) -> str:
    if logs.in_database and not url.startswith(logs.state_schemes):
        raise RefusedAnswer(_("The address begins with postgres://"))
    try:
        state = open_state(url)
        try:
            try_state(state)
        finally:
            state.close()
    except ERRORS as error:
        raise _refused(DATABASE, url, error, {}) from None
    return _("written and read")


def _explain(wizard: Wizard, kind: StoreKind) -> None:
    for hint in kind.hints:
        wizard.explain(hint.variable, hint.message.said())


def _questions(kind: StoreKind, name: str, offer: SetupOffer) -> list[AskedVariable]:
    """The questions for a store: its address, in the variable `name`, and its variables."""
    questions = []
    if offer.question:
        default = offer.address.format(home=HOME)
        questions.append(AskedVariable(name, offer.question.said(), default=default))
    names = [variable.name for variable in kind.variables if variable.question]
    return questions + [asked_variable(variable) for variable in names]


def _store_values(wizard: Wizard) -> dict[str, str]:
    return {variable.name: wizard.get(variable.name) for variable in store_variables()}


def _ask_logs_with_token(wizard: Wizard, kind: StoreKind, request: TokenRequest) -> None:
    """Ask until the store takes a token that its owner grants."""
    assert kind.logs_offer
    address = wizard.get(LOGS)
    if not address.startswith(kind.scheme):
        address = kind.logs_offer.address
    questions = _questions(kind, LOGS, kind.logs_offer)
    is_token_fine = True
    while True:
        wizard.ask(questions, lambda answers: "")
        is_known = is_token_fine and wizard.known(request.variable)
        label = _("Use the refresh token that is there?")
        if not wizard.get(request.variable) or not (
            is_known or click.confirm(label, default=is_token_fine)
        ):
            _get_token(wizard, request)
        try:
            result = _try_logs(wizard, address)
        except RefusedAnswer as refused:
            failed(str(refused))
            is_token_fine = refused.away
            wizard = replace(wizard, anew=not refused.away)
            continue
        wizard.keep(LOGS_URL=address)
        worked(result)
        return


def _get_token(wizard: Wizard, request: TokenRequest) -> None:
    authorisation = request.begin(_store_values(wizard))
    click.echo(_("Open this address, allow the app, and copy the code:"))
    click.echo(f"\n  {authorisation.address}\n")
    while True:
        code = ask(_("Code"), secret=True)
        try:
            wizard.keep(**{request.variable: authorisation.refresh_token(code)})
        except StorageError as error:
            failed(str(error))
        else:
            return


def _try_logs(wizard: Wizard, url: str) -> str:
    values = _store_values(wizard)
    try:
        try_logs(open_logs(url, values))
    except ERRORS as error:
        raise _refused(LOGS, url, error, values) from None
    return _("a file was written, read and removed")


def _ask_images(wizard: Wizard, logs: StoreKind) -> None:
    """Ask where pictures go; the database is offered only if it can store files."""
    database = wizard.get(DATABASE)
    offers = [
        (kind, kind.images_offer)
        for kind in IMAGE_KINDS
        if kind.images_offer and (not kind.in_database or database.startswith(kind.state_schemes))
    ]
    kind = _choose_kind(wizard, IMAGES, _("Where are the pictures kept?"), offers, logs)
    offer = kind.images_offer
    if offer is None:
        return
    questions = _questions(kind, IMAGES, offer)
    if questions:
        _explain(wizard, kind)
        wizard.ask(questions, lambda answers: _try_images(wizard, kind, answers))
        _set_expiry(wizard, kind)
        return
    address = wizard.get(IMAGES)
    if not address.startswith(kind.scheme):
        address = offer.address.format(home=HOME)
    wizard.keep(IMAGES_URL=address)


def _try_images(wizard: Wizard, kind: StoreKind, answers: dict[str, str]) -> str:
    url = answers.get(IMAGES) or wizard.get(IMAGES)
    if not url.startswith(kind.scheme):
        raise RefusedAnswer(_("Write {form}", form=kind.plain_form))
    values = _store_values(wizard)
    try:
        link = try_images(_opened_images(wizard, url), link=kind.serves_pictures)
    except ERRORS as error:
        raise _refused(IMAGES, url, error, values) from None
    if not link:
        return _("written and read")
    finding = fetched(IMAGES, link, kind)
    if not finding.ok:
        raise RefusedAnswer(finding.text, away=not finding.stops_release)
    return finding.text


def _opened_images(wizard: Wizard, url: str) -> ImageStore:
    return open_images(url, ImageOptions(variables=_store_values(wizard)))


def _set_expiry(wizard: Wizard, kind: StoreKind) -> None:
    """Have the store remove old pictures by itself, where it can."""
    images = _opened_images(wizard, wizard.get(IMAGES))
    if kind.expiry is None or not isinstance(images, ExpiringImages):
        return
    days = int(UNREACHABLE // 86400)
    try:
        images.expire_after(days)
    except (StorageError, ValueError):  # refused, or the address has no prefix
        failed(fill(kind.expiry.setup_failed, days=days).said())
    else:
        worked(fill(kind.expiry.setup_added, days=days).said())


def _refused(
    name: str,
    url: str,
    error: Exception,
    values: Mapping[str, str],
) -> RefusedAnswer:
    """The refusal of an answer because of what its store answered."""
    try:
        finding = store_finding(name, url, error, values)
    except ValueError:  # no kind of store has such an address
        reason = _("it can't be used: {words}", words=error)
        return RefusedAnswer(f"{name}: {reason}")
    return RefusedAnswer(f"{finding.subject}: {finding.text}", away=not finding.stops_release)
