"""Opens the log folder: a directory, or a Dropbox folder."""

from __future__ import annotations

from collections.abc import Mapping

from storage.dropbox_logs import DropboxLogs
from storage.files import folder_of
from storage.folder_logs import FolderLogs

__all__ = ["DropboxLogs", "FolderLogs", "open_logs"]


def open_logs(url: str, env: Mapping[str, str]) -> FolderLogs | DropboxLogs:
    """The log source at `file:DIR` or `dropbox:/FOLDER` (`dropbox:/` for the app's own folder).

    Dropbox needs DROPBOX_REFRESH_TOKEN with DROPBOX_APP_KEY and DROPBOX_APP_SECRET, or DROPBOX_ACCESS_TOKEN, in `env`.
    Opening sends no request. Raises ValueError when the address is wrong or `env` lacks a credential.
    """
    scheme, _, rest = url.partition(":")
    if scheme == "file":
        return FolderLogs(folder_of(url))
    if scheme == "dropbox":
        return DropboxLogs(
            rest,
            app_key=env.get("DROPBOX_APP_KEY", ""),
            app_secret=env.get("DROPBOX_APP_SECRET", ""),
            refresh_token=env.get("DROPBOX_REFRESH_TOKEN", ""),
            access_token=env.get("DROPBOX_ACCESS_TOKEN", ""),
        )
    raise ValueError(f"{url!r} is no place for logs; write file:DIR or dropbox:/FOLDER")
