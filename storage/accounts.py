"""Leagues' own Dropbox accounts: the folder in the account, and its refresh token, encrypted."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import delete, select

from storage.database import Database
from storage.schema import ACCOUNTS


class Account(NamedTuple):
    """A league's folder in its own Dropbox account, and the account's refresh token, encrypted."""

    folder: str
    token: str


class Accounts:
    """The accounts by league. For errors see Database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, league: str) -> Account | None:
        """A league's account; None where it has none."""
        query = select(ACCOUNTS.c.folder, ACCOUNTS.c.token).where(ACCOUNTS.c.league == league)
        row = self._database.first(query)
        return Account(*row) if row else None

    def set(self, league: str, account: Account) -> None:
        """Give a league an account."""
        self._database.put(ACCOUNTS, {"league": league, **account._asdict()})

    def remove(self, league: str) -> None:
        """Forget a league's account."""
        self._database.write(delete(ACCOUNTS).where(ACCOUNTS.c.league == league))
