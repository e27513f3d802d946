"""Takes a file's bytes to JSON values, within limits that are checked before it is parsed."""

import json
import re
from typing import Any, NoReturn

from rating.paifu.tiles import PaifuError

# A long game is about 60 KB, or five times that with a line for each number.
MOST_BYTES = 1024 * 1024
DEEPEST = 12
MOST_ROUNDS = 200
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_BLANKS = _BYTE_ORDER_MARK + b" \r\n\t"
_HEAD_BYTES = 1024
_GAME_NAME = re.compile(rb'"(log|ratingc|playerMapping|rule|name|title|ref|disp)"\s*:')
# A text that does not end takes all the rest, so that a million of quotation marks are read once.
_TEXT = re.compile(rb'"(?:[^"\\]|\\.)*(?:"|\\?\Z)', re.DOTALL)
_BRACKET = re.compile(rb"[\[\]{}]")


def looks_like_game(data: bytes) -> bool:
    """Whether the bytes begin as a JSON object with two names of a game, or with its rounds."""
    head = data[:_HEAD_BYTES].lstrip(_BLANKS)
    if not head.startswith(b"{"):
        return False
    names = set(_GAME_NAME.findall(head))
    return b"log" in names or len(names) > 1


def load(data: bytes) -> dict[str, Any]:
    """The game's JSON object, whose `log` is a list of rounds. Raises PaifuError for anything
    else."""
    if len(data) > MOST_BYTES:
        raise PaifuError("the JSON is larger than 1 MB: not a game record")
    _check_depth(data)
    try:
        game = json.loads(data.decode("utf-8-sig"), parse_constant=_refuse_constant)
    except UnicodeDecodeError:
        raise PaifuError("the JSON is not in UTF-8") from None
    except json.JSONDecodeError as error:
        raise PaifuError(f"the JSON is cut or broken in line {error.lineno}") from None
    except (ValueError, RecursionError):
        raise PaifuError("the JSON is broken: a number in it is no number") from None
    if not isinstance(game, dict) or not isinstance(game.get("log"), list):
        raise PaifuError("the JSON is not a game: it has no list of rounds")
    if not game["log"]:
        raise PaifuError("the record holds no round")
    if len(game["log"]) > MOST_ROUNDS:
        raise PaifuError(f"more than {MOST_ROUNDS} rounds: not a game record")
    return game


def _check_depth(data: bytes) -> None:
    depth = 0
    for bracket in _BRACKET.finditer(_TEXT.sub(b"", data)):
        if bracket[0] in b"[{":
            depth += 1
        else:
            depth -= 1
        if depth > DEEPEST:
            raise PaifuError(f"the JSON has more than {DEEPEST} levels: not a game record")


def _refuse_constant(_name: str) -> NoReturn:
    raise ValueError("not a number of JSON")
