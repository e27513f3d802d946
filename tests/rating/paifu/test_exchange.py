from pathlib import Path

import pytest

from rating.paifu.exchange import mjai, tenhou6
from tests.rating.paifu.back import differences
from tests.rating.paifu.records import record_of
from tests.real import RECORDS


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_real_record_survives_an_exchange(path: Path) -> None:
    assert differences(record_of(path)) == []


def test_exchange_uses_the_reviewers_forms() -> None:
    """Every word of tenhou.net/6's rounds that is no number of a tile, and every type of mjai's
    events.
    """
    records = [record_of(path) for path in RECORDS]
    rounds = [played for record in records for played in tenhou6(record)["log"]]
    parts = [part for played in rounds for part in played[4:16]]
    words = {word[:1] for part in parts for word in part if isinstance(word, str)}
    letters = {word for word in words if not word.isdecimal()}
    assert letters == set("cprf") | (words & set("mka"))
    rules = [tenhou6(record)["rule"]["disp"] for record in records]
    assert {rule[0] for rule in rules} == {"三", "四"}
    types = {event["type"] for record in records for event in mjai(record)}
    assert types == {
        "start_game",
        "start_kyoku",
        "tsumo",
        "dahai",
        "chi",
        "pon",
        "daiminkan",
        "ankan",
        "kakan",
        "nukidora",
        "reach",
        "reach_accepted",
        "dora",
        "hora",
        "ryukyoku",
        "end_kyoku",
        "end_game",
    }
