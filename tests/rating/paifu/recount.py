"""A second count of deal-ins, straight from the text of an mjlog.

It shares no code with rating/.
"""

import gzip
import re


def recount(data: bytes) -> list[tuple[int, int]]:
    """(rons by players in riichi, rons by others) on the tiles of each seat, over the whole
    game. What an absent player's seat discards is left out.
    """
    text = (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode()
    seats = 3 if int(re.search(r'<GO type="(\d+)"', text)[1]) & 16 else 4  # type: ignore[index]
    to_riichi = [0] * seats
    to_others = [0] * seats
    declared: set[str] = set()
    away: set[str] = set()
    for name, inside in re.findall(r"<(INIT|REACH|AGARI|BYE|UN)\b([^>]*)>", text):
        attributes = dict(re.findall(r'(\w+)="([^"]*)"', inside))
        if name == "INIT":
            declared.clear()
        elif name == "BYE":
            away.add(attributes["who"])
        elif name == "UN":
            away -= {attribute[1:] for attribute in attributes}
        elif name == "REACH":
            declared.add(attributes["who"])
        elif attributes["who"] != attributes["fromWho"] and attributes["fromWho"] not in away:
            giver = int(attributes["fromWho"])
            if attributes["who"] in declared:
                to_riichi[giver] += 1
            else:
                to_others[giver] += 1
    return list(zip(to_riichi, to_others, strict=True))
