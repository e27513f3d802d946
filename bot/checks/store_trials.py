"""Try a store with real calls: something is written, read and removed. What it answers becomes a
sentence.
"""

import re
import secrets
from collections.abc import Mapping
from types import MappingProxyType

from bot.checks.parts import NO_TRUST, UNTRUSTED
from bot.runtime.finding import Code, Finding, fault, trouble
from bot.runtime.translation import message as _, untranslated
from bot.settings.store_kind import fill
from bot.settings.stores import kind_of
from storage.backups import BackupPlace
from storage.ports import Denied, ImageStore, LogSource, NewerSchema, NotFound, StorageError
from storage.state import State

_PROBE = "doctor/probe.png"
PNG = b"\x89PNG\r\n\x1a\n"


def store_finding(
    name: str,
    url: str,
    error: Exception,
    variables: Mapping[str, str] = MappingProxyType({}),
) -> Finding:
    """What a failed call of the store at `url`, which the variable `name` has, means. `variables`
    are the stores' own.
    """
    words = " ".join(str(error).split())
    if isinstance(error, NewerSchema):
        # The error itself has the remedy.
        return fault(name, "old", untranslated(words.removeprefix("DATABASE_URL: ")))
    if re.search(rf"{UNTRUSTED}|SSLError", words):
        return trouble(name, "untrusted", NO_TRUST)
    kind = kind_of(url)
    for advice in kind.advice:
        if advice.pattern.search(words):
            message = fill(advice.message, words=words)
            if advice.passing:
                return trouble(advice.variable or name, advice.code, message)
            variable = kind.variable_in_use(advice.variable, variables) or name
            return fault(variable, advice.code, message)
    if kind.away and not isinstance(error, Denied | NotFound | ValueError):
        return trouble(name, "away", kind.away)
    code: Code = "unreadable"
    if isinstance(error, ValueError):
        code = "malformed"
    return fault(name, code, _("it can't be used: {words}", words=words))


def try_logs(logs: LogSource) -> None:
    name = f"charts/doctor-{secrets.token_hex(8)}.txt"
    data = secrets.token_bytes(8)
    logs.overwrite(name, data)
    if logs.read(name).data != data:
        raise StorageError("what was written could not be read again")
    logs.remove(name)


def try_backups(place: BackupPlace) -> None:
    name = f"doctor-{secrets.token_hex(8)}.txt"
    data = secrets.token_bytes(8)
    place.put(name, data)
    if place.read(name) != data:
        raise StorageError("what was written could not be read again")
    place.remove(name)


def try_state(state: State) -> None:
    key = f"doctor:{secrets.token_hex(8)}"
    value = secrets.token_hex(8)
    state.values.put(key, value, 60)
    if state.values.get(key) != value:
        raise StorageError("what was written could not be read again")
    state.values.delete(key)


def try_images(images: ImageStore, link: bool = True) -> str:
    """Put a picture and find it; return its signed link, "" without `link`. Raises StorageError."""
    images.put(_PROBE, PNG)
    if not images.has(_PROBE):
        raise StorageError("what was written can't be found again")
    if not link:
        return ""
    return images.url(_PROBE)
