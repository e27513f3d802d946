"""Results of a game at a table as people type them: each is understood, asked back or left alone, none wrong."""

import pytest

from bot.answers.common.members import names_of
from bot.answers.table_game.typed_result import ResultReader, is_result
from bot.chat.replies import UserError
from bot.league.repository import LeagueRepository
from rating.league import Rules
from rating.scoring import scoring_of
from tests.answers.leagues import MemoryLogs
from tests.real import cases

LEAGUE = """
[player."みどり一色"]
name = "みどり"
aliases = ["緑一色の人"]
[player."白發中"]
aliases = ["はつ"]
[player."東風(本人)"]
name = "東風"
[player."まん|がん"]
[player."両面待ち"]
[player."三色のさくら"]
name = "さくら"
[player."Naoya731"]
"""
CASES = cases("typed_results.txt")


@pytest.fixture(scope="module")
def reader() -> ResultReader:
    snapshot = LeagueRepository(MemoryLogs({"league.toml": LEAGUE.encode()})).snapshot()
    shown = {player: snapshot.league.shown(player) for player in snapshot.league.players}
    return ResultReader(names_of(snapshot), shown, {n: scoring_of(Rules(), n) for n in (3, 4)})


def understood(reader: ResultReader, text: str) -> str:
    """What is understood of a message, in the words of the file."""
    if not is_result(text):
        return "-"
    try:
        result = reader.read(text)
    except UserError as error:
        return "-" if error.chatter else "?"
    values = [str(v) for v in result.points] or [f"{v:+.1f}" for v in result.results]
    chips = [f" {c:+d}枚" for c in result.chips] or [""] * len(values)
    names = [reader._shown.get(player, player) for player in result.players]
    return ", ".join(f"{n} {v}{c}" for n, v, c in zip(names, values, chips, strict=True))


@pytest.mark.parametrize(("text", "wanted"), CASES, ids=[text for text, _ in CASES])
def test_a_message_is_understood_asked_back_or_left_alone(
    reader: ResultReader, text: str, wanted: str
) -> None:
    assert understood(reader, text.replace("\\n", "\n")) == wanted
