"""The names of a chat's league as far as they are in memory: whether a text in a group names members costs no store a question."""

from __future__ import annotations

from collections.abc import Mapping

from bot.answers.common.members import names_of
from bot.chat.access import ChatAccess
from bot.league.registry import LeagueRegistry
from bot.league.snapshot import LeagueSnapshot
from bot.runtime.cache import IdentityCache

LEAGUES = 64  # whose names are kept


class KnownNames:
    """Names of members by chat. Safe in threads."""

    def __init__(self, access: ChatAccess, registry: LeagueRegistry) -> None:
        self._access = access
        self._registry = registry
        self._names: IdentityCache[LeagueSnapshot, Mapping[str, str]] = IdentityCache(LEAGUES)

    def of(self, chat: str) -> Mapping[str, str]:
        """The names (as `key`) of the chat's league -> names on Tenhou; none where the league was not asked for yet."""
        folder = self._access.known_league(chat)
        snapshot = None if folder is None else self._registry.in_memory(folder)
        return {} if snapshot is None else self._names.get(snapshot, names_of)
