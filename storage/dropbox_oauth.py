"""Get a refresh token from Dropbox by a code that its owner copies (https://developers.dropbox.com/oauth-guide, PKCE)."""

from __future__ import annotations

import requests

from storage.late_modules import load_late
from storage.ports import Denied, StorageError

load_late("dropbox", "team", "team_log")

from dropbox import DropboxOAuth2FlowNoRedirect  # noqa: E402

TIMEOUT = 10.0  # seconds


class DropboxAuthorisation:
    """One request for a token. The code belongs to this object: a proof key made here goes with both ends of it."""

    def __init__(self, app_key: str) -> None:
        self._flow = DropboxOAuth2FlowNoRedirect(
            app_key,
            use_pkce=True,
            token_access_type="offline",  # noqa: S106
            timeout=TIMEOUT,
        )
        self.address: str = self._flow.start()
        """Where the owner allows the app, and is shown the code."""

    def refresh_token(self, code: str) -> str:
        """Return the token, which lasts until the owner revokes it.

        Raises Denied when Dropbox refuses the code, and StorageError when it can't be reached or answers otherwise.
        """
        try:
            token = str(self._flow.finish(code).refresh_token or "")
        except requests.HTTPError as error:
            status = error.response.status_code
            kind = Denied if status in (400, 401, 403) else StorageError
            raise kind(f"dropbox: the code is refused ({status})") from None
        except (requests.RequestException, KeyError, ValueError) as error:
            raise StorageError(f"dropbox: no token came ({type(error).__name__})") from None
        if not token:
            raise StorageError("dropbox: the answer has no refresh token")
        return token
