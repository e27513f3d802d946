"""Read and check Janroku's environment variables.

All faults are reported at once, with the variable's name, never with a secret. The SDKs read more
variables of their own (DROPBOX_API_HOST, REQUESTS_CA_BUNDLE).
"""

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bot.demo_chat import DEMO_GROUP, DEMO_USERS
from bot.runtime.env_file import load_env_file
from bot.runtime.translation import message as _, untranslated
from bot.settings.kinds import LINE_API
from bot.settings.stores import store_variables
from bot.settings.table import COMMIT, TENHOU, Settings, table
from bot.settings.variable import Reading, SettingFault, SettingsError, variables_of
from storage.addresses import LOOPBACK, split

__all__ = [
    "LINE_API",
    "TENHOU",
    "SettingFault",
    "Settings",
    "SettingsError",
    "read_commit",
    "read_settings",
    "table",
]


def read_settings(env: Mapping[str, str] | None = None) -> Settings:
    """Return the settings of the environment and .env, or of a mapping.

    SettingsError names every fault.
    """
    if env is None:
        try:
            load_env_file()
        except ValueError as error:
            raise SettingsError([SettingFault("JANROKU_ENV_FILE", untranslated(error))]) from None
        env = os.environ
    settings = _read(env)
    if not settings.console or settings.league_chats:
        return settings
    admins = settings.admin_user_ids or frozenset({DEMO_USERS[0].id})
    return replace(settings, league_chats=frozenset({DEMO_GROUP}), admin_user_ids=admins)


def read_commit(env: Mapping[str, str]) -> str:
    """The deployed commit, or "" where it is not known."""
    return COMMIT.kind.read(Reading(COMMIT.name, env, []))


def _read(env: Mapping[str, str]) -> Settings:
    faults: list[SettingFault] = []
    values: dict[str, Any] = {}
    for field_name, variable in variables_of(Settings):
        values[field_name] = variable.kind.read(Reading(variable.name, env, faults))
    values_of_stores: dict[str, str] = {}
    for variable in store_variables():
        value = variable.kind.read(Reading(variable.name, env, faults))
        values_of_stores[variable.name] = str(value)
    _check_console(Reading("LINE_CHANNEL_SECRET", env, faults), values["line_api_url"])
    if faults:
        raise SettingsError(faults)
    return Settings(
        demo=not Reading("LOGS_URL", env, faults).text,
        dyno="DYNO" in env,
        store_variables=values_of_stores,
        **values,
    )


def _check_console(reading: Reading, line_api_url: str) -> None:
    """Report a missing channel where the console can't take its place: its secret is public."""
    if reading.text or reading.text_of("LINE_CHANNEL_ACCESS_TOKEN"):
        return
    parts = split(line_api_url)
    if reading.on_dyno:
        reading.report(_("is missing: on Heroku the console is not to be had"), "missing")
    elif parts is not None and parts.hostname not in LOOPBACK:
        reading.report(
            _("is missing (LINE_API_URL names another host than this machine)"), "missing"
        )
