"""Links to leagues' pages: signed, expiring, and ended all at once by an admin."""

import hashlib
import secrets
import time
from collections.abc import Callable

from bot.chat.access import ChatAccess
from storage.addresses import SignedTokens
from storage.ports import NotFound, StorageError
from storage.values import LeagueKey, Values

PURPOSE = "janroku league page 1\0"
HIDDEN = "!"  # before the member of a link to a page without names


class LeagueLinks:
    """Makes and reads the links. A token has the league's folder, the version of its links, its
    expiry and the member, nothing of LINE's ids. Safe in threads and between processes: of two
    that make a league's first link, the first decides its version, and both links are valid. Shown
    by tests/chat/test_links.py."""

    def __init__(
        self,
        access: ChatAccess,
        values: Values,
        secret: str,
        days: int,
        base: Callable[[], str],
        clock: Callable[[], float] = time.time,
    ) -> None:
        """`secret` is the channel's, `days` a link's life, `base()` the service's address from
        outside.
        """
        self.days = days
        self._access = access
        self._values = values
        self._tokens = SignedTokens(
            hashlib.sha256(b"page " + secret.encode()).digest(), PURPOSE, clock
        )
        self._base = base
        self._clock = clock

    def privacy(self) -> str:
        """The address of the page about data stored of members, "" while this service's is not
        known.
        """
        base = self._base().rstrip("/")
        if not base:
            return ""
        return f"{base}/privacy"

    def url(self, league: str, member: str = "") -> str:
        """A new link to the page of the league in that folder ("" for the root); `member`: the
        asker's id or "", after HIDDEN for a page without names. Raises StorageError, also while no
        address of this service is known."""
        base = self._base()
        if not base:
            raise StorageError("the address of this service is not known yet; set PUBLIC_URL")
        # Adding stores nothing where another process has stored a version.
        key = LeagueKey.PAGE.of(league)
        self._values.add(key, secrets.token_hex(8))
        words = f"{self._values.get(key) or ''}:{member}.{league}"
        token = self._tokens.token(words, int(self._clock()) + self.days * 86400)
        return f"{base.rstrip('/')}/league/{token}"

    def words(self, token: str) -> str:
        """The text in a token of ours, "" for one that is altered or has expired."""
        try:
            return self._tokens.words(token)
        except NotFound:
            return ""

    def league(self, words: str) -> str | None:
        """The folder of a token's words; None for a link that was ended and for a league of no
        enrolled chat. Every link takes the same look-ups, so that response times reveal nothing. Raises
        StorageError."""
        version_and_member, _, league = words.partition(".")
        version = version_and_member.partition(":")[0]
        current_version = self._values.get(LeagueKey.PAGE.of(league))
        enrolled = self._access.leagues()
        is_valid = version != "" and version == current_version and league in enrolled
        return league if is_valid else None

    @staticmethod
    def member(words: str) -> str:
        """The `member` of the link that a token of these words is."""
        return words.partition(".")[0].partition(":")[2]

    def end(self, league: str) -> None:
        """End every link to the league's page. Raises StorageError."""
        self._values.delete(LeagueKey.PAGE.of(league))
