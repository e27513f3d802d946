"""Whatever league.toml says is used or named as a fault; nothing else is raised by it, then or
later.
"""

from contextlib import suppress

from hypothesis import given, settings, strategies as st

from bot.answers.catalogue import CATALOGUE
from bot.answers.common.faults import in_japanese
from bot.chat.command import Command
from bot.chat.replies import UserError
from bot.league.check import check_folder
from rating.league_file import LeagueError, line_of, parse_league, strange_keys
from tests.answers.leagues import game, world

NUMBERS = ["0", "-1", "1", "2", "1e9", "-1e9", "0.5", "1e999", "nan", "-inf", "true"]
NUMBERS += ["9" * 400, "9" * 5000, "0x" + "f" * 5000]
DAYS = [
    "9999-12-31T23:59:59-12:00",
    "0001-01-01T00:00:00+14:00",
    "9999-12-31",
    "0001-01-01",
    "1900-01-01",
]
DAYS += ["2199-12-31T23:59:59-12:00", "2020-01-01T00:00:00+23:59", "2020-07-01", "12:00:00"]
TEXTS = ['"みどり一色"', '"甲"', '""', '"logvol1.txt"', '"C1234"', '"\\u0000"', "''"]
TEXTS += [f'"logvol{"9" * 5000}.txt"', f'"{"x" * 9000}"']
NESTED = [
    "[" * 3000 + "]" * 3000,
    "[" * 300 + "]" * 300,
    "{a=" * 300 + "1" + "}" * 300,
]
NESTED += ["[]", "[1,2,3]", '["甲"]', "{}"]
ALIASES = [f"[{{name = '乙', since = {day}}}]" for day in DAYS] + [f"[{text}]" for text in TEXTS]
VALUES = st.sampled_from(NUMBERS + DAYS + TEXTS + NESTED)
LIKELY = {
    **dict.fromkeys(("start", "end"), st.sampled_from(DAYS)),
    **dict.fromkeys(("name", "log"), st.sampled_from(TEXTS)),
    "aliases": st.sampled_from(ALIASES),
    "uma": st.sampled_from([f"[{number}, 0, -1]" for number in NUMBERS]),
}
TABLES = {
    "": ("name", "rooms", "model", "members_only", "digest", "evening", "x"),
    "[[season]]": ("name", "log", "start", "chip", "games", "end", "x"),
    '[player."甲"]': ("name", "aliases", "rating", "games", "guest", "x"),
    "[team.t]": ("members",),
    "[rules]": ("chip", "uma", "start", "return", "oka", "ties", "qualifying"),
    "[rules.table]": ("uma", "start", "return", "oka", "ties"),
}
NUMBER = st.sampled_from(NUMBERS)


@st.composite
def _files(draw: st.DrawFn) -> str:
    lines: list[str] = []
    for head, keys in TABLES.items():
        if head and not draw(st.booleans()):
            continue
        lines.append(head)
        for key in draw(
            st.lists(
                st.sampled_from(keys),
                unique=True,
                max_size=3,
            )
        ):
            value = draw(
                VALUES
                if draw(
                    st.integers(
                        0,
                        3,
                    )
                )
                == 0
                else LIKELY.get(key, NUMBER)
            )
            lines.append(f"{key} = {value}")
    return "\n".join(lines) + "\n"


@settings(max_examples=300)
@given(_files())
def test_every_file_is_used_or_a_fault(text: str) -> None:
    try:
        parse_league(text)
    except LeagueError as error:
        texts = f"{in_japanese(error)}\n{error.reason}"
        line = line_of(error, text)
    else:
        strange_keys(text)
        return
    assert texts.count("\n") == 1
    assert len(texts) < 2000
    assert 0 <= line <= text.count("\n") + 1


@settings(max_examples=100)
@given(
    _files(),
    st.sampled_from([spec.name for spec in CATALOGUE.values() if spec.answer and not spec.slow]),
)
def test_every_file_has_an_answer(text: str, name: str) -> None:
    served = world("20200701", game("甲(+40.0)", "乙(0.0)", "丙(-40.0)"), toml=text)
    with suppress(UserError):
        served.reply(Command(name))
    check_folder(served.repository.logs)
