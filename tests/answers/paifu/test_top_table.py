"""The top table in the report of a record: its lines, the rarest discards, and every sentence with
the measure that allows it.
"""

import gzip
import re
from io import BytesIO

import pytest
from PIL import Image

from bot.answers.paifu import top_table
from bot.answers.paifu.analysis import Analysis, analysed
from bot.answers.paifu.top_table import (
    RAREST,
    TITLE,
    agreement_rows,
    agreement_text,
    draw_rarest,
    rarest_of,
    rarest_rows,
    rarest_table,
    rarity_text,
    unusual_text,
)
from rating.paifu.deal_in import SOURCE_RATES
from rating.paifu.record import Discard
from rating.paifu.top_table.review import Agreement
from tests.answers.paifu.world import ID, RecordWorld
from tests.answers.world import Json, words_of
from tests.rating.paifu.records import read, record_of, walled
from tests.real import RECORDS
from tests.schema import assert_messages_pass, objects

pytestmark = pytest.mark.any_backend("a report reads what test_statistics writes on every backend")
ADDRESS = f"http://tenhou.net/0/?log={ID}"
THREE = [path for path in RECORDS if path.name.startswith("three-")]
HELD_OUT = "docs/paifu.md, figures on games the network was not trained on"
SMALL_SHARES = "docs/paifu.md, small shares and how often they were seen"
NO_CLAIM = "says what the figures are, and claims nothing"
MEASURES = {
    "SAME": HELD_OUT,
    "UNUSUAL_COUNT": HELD_OUT,
    "NO_UNUSUAL": HELD_OUT,
    "ONE_IN": SMALL_SHARES,
    "UNDER_ONE_IN_200": SMALL_SHARES,
    "FAVOURITE": HELD_OUT,
    "MEANING": NO_CLAIM,
    "BARS": NO_CLAIM,
    "SHARE": HELD_OUT,
    "SHARES_OF": NO_CLAIM,
    "DIVIDED": HELD_OUT,
    "TAKEN": SMALL_SHARES,
    "TAKEN_AT": NO_CLAIM,
    "ALT": NO_CLAIM,
}
"""Each sentence about the top table, and the measure that allows it."""
FORBIDDEN = ("ミス", "悪手", "正解", "損", "実力", "うま", "下手", "最善", "間違", "ランク")


def analysis_of(number: int = 0, seat: int | None = None) -> Analysis:
    return analysed(record_of(THREE[number]), SOURCE_RATES, seat)


def sentences() -> dict[str, str]:
    """The templates of whole sentences by name."""
    return {
        name: value
        for name, value in vars(top_table).items()
        if name.isupper() and isinstance(value, str) and len(value) > 12
    }


def test_every_sentence_has_a_measure() -> None:
    assert set(sentences()) - {"WHERE"} <= set(MEASURES)


@pytest.mark.parametrize("name", list(MEASURES))
def test_no_sentence_judges_a_discard(name: str) -> None:
    text = getattr(top_table, name)
    assert not any(word in text for word in FORBIDDEN)


@pytest.mark.parametrize(
    ("share", "people"),
    [
        (0.049, "約20人"),
        (0.033, "約30人"),
        (0.0102, "約100人"),
        (0.005, "約200人"),
    ],
)
def test_rarity_counts_people(share: float, people: str) -> None:
    assert people in rarity_text(share)


def test_rarity_below_one_in_200_names_no_number_of_its_own() -> None:
    assert rarity_text(0.0001) == rarity_text(0.004) == top_table.UNDER_ONE_IN_200


def test_a_seat_is_compared_with_the_top_table_in_two_sentences() -> None:
    agreement = Agreement(decisions=100, same=72, unusual=3, expected_unusual=3.31)
    assert agreement_text(agreement) == "上位卓と同じ打牌 72%（上位卓どうし 75%）"
    assert unusual_text(agreement) == "上位卓が5%未満しか選ばない打牌 3回（ふつう3.3回）"


def test_seats_with_few_discards_are_not_compared() -> None:
    analysis = analysis_of()
    few = Agreement(decisions=9, same=9)
    analysis.__dict__["agreements"] = (few, *analysis.agreements[1:])
    names = [row.name for row in agreement_rows(analysis, str)]
    assert analysis.record.players[0] not in names
    assert len(names) == 2


def test_the_marked_seat_has_its_own_rarest_discards() -> None:
    everybody = rarest_of(analysis_of())
    assert len(everybody) == 3
    seat = everybody[0].seat
    assert {choice.seat for choice in rarest_of(analysis_of(seat=seat))} == {seat}


def test_rarest_discards_in_words_name_tile_and_place() -> None:
    analysis = analysis_of()
    for row, choice in zip(rarest_rows(analysis), rarest_of(analysis), strict=True):
        assert f"{choice.turn}巡目" in row.name
        assert rarity_text(choice.share) in row.detail
    assert rarest_table(analysis, "").notification.startswith(RAREST)


def test_rarest_discards_are_pictures_of_their_hands() -> None:
    analysis = analysis_of()
    for place, choice in enumerate(rarest_of(analysis)):
        picture = Image.open(BytesIO(draw_rarest(analysis, place)))
        assert picture.width == 1200
        assert picture.height < 1900
        event = analysis.record.rounds[choice.round].events[choice.at]
        assert isinstance(event, Discard)
        assert (event.seat, event.tile) == (choice.seat, choice.tile)


def test_four_seats_have_no_choices() -> None:
    analysis = analysed(read(1, 4), SOURCE_RATES)
    assert analysis.choices == ()
    assert rarest_of(analysis) == ()


def report_of(world: RecordWorld, seats: int) -> list[Json]:
    data = walled(7, seats, 6).xml()
    world.tenhou.records[ID] = gzip.compress(data)
    return world.say(ADDRESS)


def labels(messages: list[Json]) -> list[str]:
    return [item["label"] for item in objects(messages) if "label" in item]


def test_the_report_of_three_seats_has_a_line_a_seat(world: RecordWorld) -> None:
    words = words_of(world.report(report_of(world, 3))["contents"])
    assert TITLE in words
    assert len(re.findall(r"上位卓と同じ打牌 \d+%（上位卓どうし 75%）", words)) == 3
    assert len(re.findall(r"上位卓が5%未満しか選ばない打牌 \d+回（ふつう\d+\.\d回）", words)) == 3


def test_the_report_of_four_seats_says_nothing_of_the_top_table(world: RecordWorld) -> None:
    messages = report_of(world, 4)
    assert "上位卓" not in words_of(world.report(messages)["contents"])
    assert RAREST not in labels(messages)


def test_the_rarest_discards_open_by_a_tap_with_their_replay(world: RecordWorld) -> None:
    assert RAREST in labels(report_of(world, 3))
    messages = world.tap(f"request_record_report?id={ID}&round=rare")
    assert_messages_pass(messages)
    assert [message["type"] for message in messages] == ["flex", "image", "image", "image"]
    labelled = [item for item in objects(messages) if "label" in item]
    buttons = {item["data"] for item in labelled if "再生" in item["label"]}
    assert len(buttons) == 3
    assert all(re.search(r"round=\d+&at=\d+", data) for data in buttons)
