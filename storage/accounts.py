"""Leagues' own Dropbox accounts."""

from typing import NamedTuple

from sqlalchemy import select

from storage.database import Subject
from storage.schema import ACCOUNTS


class Account(NamedTuple):
    """A league's folder in its own Dropbox account, and the account's refresh token, encrypted."""

    folder: str
    token: str


class Accounts(Subject):
    def get(self, league: str) -> Account | None:
        row = self._database.first(select(ACCOUNTS).where(ACCOUNTS.c.league == league))
        return Account(row.folder, row.token) if row else None

    def set(self, league: str, account: Account) -> None:
        self._database.put(ACCOUNTS, {"league": league, **account._asdict()})

    def remove(self, league: str) -> None:
        self._remove(ACCOUNTS, ACCOUNTS.c.league == league)
