"""The table `accounts`: leagues' own Dropbox accounts.

A row is a league whose folder is in its own account, with the account's refresh token, which the bot
encrypts before it comes here. A league without a row is in the folder of LOGS_URL.
"""

from typing import NamedTuple

from storage.database import Subject
from storage.schema import ACCOUNTS


class Account(NamedTuple):
    """A league's folder in its own Dropbox account, and the account's refresh token, encrypted."""

    folder: str
    token: str


class Accounts(Subject):
    """The accounts by league."""

    def get(self, league: str) -> Account | None:
        row = self._first(ACCOUNTS, ACCOUNTS.c.league == league)
        if row is None:
            return None
        return Account(row.folder, row.token)

    def set(self, league: str, account: Account) -> None:
        self._database.put(ACCOUNTS, {"league": league, **account._asdict()})

    def remove(self, league: str) -> None:
        self._remove(ACCOUNTS, ACCOUNTS.c.league == league)
