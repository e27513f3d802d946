"""Recognises game records that members send: by address or id, as files, and as pasted text."""

import re

from bot.chat.command import Ask, Command
from bot.chat.feature import SentFile, SentText
from bot.tenhou.client import find_address, find_paifu
from rating.paifu.formats import is_packed_name, is_record_name, recognises

BROKEN_ADDRESS = Command(Ask.RECORD_REPORT, {"fault": "address"})
OTHER_FILE = Command(Ask.RECORD_REPORT, {"fault": "file"})
MAHJONG_SOUL_ADDRESS = Command(Ask.RECORD_REPORT, {"fault": "mahjong soul"})
TEXT_ENDING = ".txt"
_MAHJONG_SOUL = re.compile(
    r"(?:game\.mahjongsoul\.com|game\.maj-soul\.(?:com|net)|mahjongsoul\.game\.yo-star\.com)"
    r"[^\s?]{0,20}\?(?:[^\s#]{0,100}&)?paipu=",
    re.IGNORECASE,
)
_BROKEN = re.compile(r"(?<![0-9A-Za-z.@/-])https?://tenhou\.net/[0-9]/\?log=", re.IGNORECASE)


def recognise_address(sent: SentText) -> Command | None:
    """The address of a record at Tenhou, also one that lacks its id; a bare id only in what is said
    to the bot.
    """
    find = find_paifu if sent.spoken_to else find_address
    paifu = find(sent.text)
    if paifu is not None:
        options = {"id": paifu.id}
        if paifu.seat is not None:
            options["tw"] = str(paifu.seat)
        return Command(Ask.RECORD_REPORT, options)
    if _BROKEN.search(sent.text):
        return BROKEN_ADDRESS
    return None


def recognise_pasted(sent: SentText) -> Command | None:
    """The text of a record that is pasted into the 1:1 chat."""
    if sent.spoken_to and recognises(sent.text.encode("utf-8", "replace")):
        return Command(Ask.RECORD_REPORT, {"pasted": "1"}, (sent.text,))
    return None


def recognise_mahjong_soul(sent: SentText) -> Command | None:
    """The address of a record at Mahjong Soul: the answer says how to get its file."""
    if _MAHJONG_SOUL.search(sent.text):
        return MAHJONG_SOUL_ADDRESS
    return None


def recognise_other_address(sent: SentText) -> Command | None:
    """Any other address: the answer says which addresses are read."""
    return BROKEN_ADDRESS if "://" in sent.text else None


def recognise_file(sent: SentFile) -> Command | None:
    """A record's file, by its name; in the 1:1 chat every other file is answered too, and a text
    file may be a record. The message's id is not an option, so that no button's data can ask for
    somebody else's message.
    """
    may_be_record = is_packed_name(sent.name) or sent.name.casefold().endswith(TEXT_ENDING)
    if is_record_name(sent.name) or (sent.alone and may_be_record):
        options = {"file": sent.name, "size": str(sent.size)}
        return Command(Ask.RECORD_REPORT, options, (sent.message,))
    return OTHER_FILE if sent.alone else None
