"""Alt texts are what notifications and LINE's list of chats show: one line that says the result and reads
aloud as one."""

import pytest

from bot.answers.catalogue import CATALOGUE
from tests.answers.leagues import World

QUESTIONS = {
    "player": "個人 みどり",
    "pair": "対決 みどり 白發中",
    "if": "もしも みどり",
    "danger": "危険度 19m406p789s11123z 9m4p2z ドラ表示3p",
}
ASKED = [
    name for name, spec in CATALOGUE.items() if not (spec.admin or name in ("compare", "unknown", "confirm"))
]
LONGEST = 120  # characters
WORDS = {"menu", "help", "greeting", "page"}  # about the bot, without a result


@pytest.mark.parametrize("league", ["demo", "nine", "one game"])
def test_every_alt_text_reads_as_one_line_with_its_result(league: str) -> None:
    """And the last message has words for the list of chats, but for answers of three messages, to which
    nothing is added below their picture."""
    titles = {spec.title for spec in CATALOGUE.values()}
    for name in ASKED:
        found = World.again(league, "みどり").ask(QUESTIONS.get(name, CATALOGUE[name].data)).messages
        for alt in filter(None, (message.get("altText") for message in found)):
            assert alt == " ".join(alt.splitlines()).strip(), name
            assert len(alt) <= LONGEST, alt
            assert not any(word in alt for word in ("None", "nan", "request_", "…")), alt
            assert alt not in titles
            assert name in WORDS or any(sign in alt for sign in "：。？（"), f"{alt} says no result"
        assert found[-1]["type"] in ("flex", "text") or len(found) == 3, name
