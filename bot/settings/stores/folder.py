"""A folder of this machine, for logs, pictures and backups."""

from collections.abc import Mapping

from bot.runtime.translation import message as _
from bot.settings.store_kind import SetupOffer, StoreKind
from bot.settings.variable import Wording
from storage.addresses import ImageOptions
from storage.backups import BackupPlace, FolderBackups
from storage.files import folder_of
from storage.folder import FolderImages, FolderLogs
from storage.ports import ImageStore, LogSource

_KEPT = 60 * 24 * 3600.0  # seconds


def _open_logs(url: str, *_unused: object) -> LogSource:
    return FolderLogs(folder_of(url))


def _open_images(url: str, options: ImageOptions) -> ImageStore:
    return FolderImages(folder_of(url), options)


def _open_backups(url: str, _variables: Mapping[str, str]) -> BackupPlace:
    return FolderBackups(FolderLogs(folder_of(url)))


_CHOICE = _("a folder of this machine (not on Heroku)")
FOLDER = StoreKind(
    name="file",
    title="folder",
    scheme="file:",
    form=Wording("`file:DIR`", "`file:DIR`"),
    open_logs=_open_logs,
    open_images=_open_images,
    open_backups=_open_backups,
    on_disk=True,
    keeps_pictures=_KEPT,
    logs_offer=SetupOffer(_CHOICE, "file:{home}/league", _("Folder of the logs")),
    images_offer=SetupOffer(_CHOICE, "file:{home}/images"),
)
