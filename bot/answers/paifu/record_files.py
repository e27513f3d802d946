"""A record as the files that other reviewers read."""

import json

from bot import texts
from bot.chat.replies import Download, Downloads
from rating.paifu import exchange
from rating.paifu.record import Record

REVIEWERS = "NAGA・Mortalで見る"
FOR_FOUR = "天鳳形式はNAGA、Mortalの牌譜検討やtenhou.net/6で、mjai形式はMortalなどのAIで開けます。"
FOR_THREE = "天鳳形式はtenhou.net/6で開けます。NAGAとMortalは四人打ち用です。mjai形式は三麻対応のAIで使えます。"


def files_of(record: Record, name: str) -> Downloads:
    """The record as other reviewers read it, to download."""
    tenhou = json.dumps(exchange.tenhou6(record), ensure_ascii=False, separators=(",", ":"))
    events = exchange.mjai(record)
    mjai = "\n".join(json.dumps(event, ensure_ascii=False) for event in events)
    files = (
        Download("天鳳形式（JSON）", f"{name}.json", tenhou.encode(), "application/json"),
        Download("mjai形式", f"{name}.mjson", f"{mjai}\n".encode(), "application/x-ndjson"),
    )
    words = (FOR_FOUR if record.seats == 4 else FOR_THREE) + texts.LINK_LIFE
    return Downloads(REVIEWERS, files, words, "牌譜ファイルの用意ができました")
