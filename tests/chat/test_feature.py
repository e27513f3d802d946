import pytest

from bot.chat.command import Ask, Command, Spec
from bot.chat.feature import Feature, Features, Happening, Occurrence, SentFile, SentText
from storage.state import State


def feature(name: str, *commands: str, **declared: object) -> Feature:
    specs = tuple(Spec(name=command, title=command) for command in commands)
    return Feature(name=name, specs=specs, **declared)  # type: ignore[arg-type]


def test_help_has_unnamed_commands_after_their_features_own() -> None:
    features = Features(
        (
            feature(
                "one",
                Ask.SUM,
                "new",
                Ask.MENU,
            ),
            feature("two", Ask.RATING, Ask.RANK),
        )
    )
    names = list(features.catalogue)
    assert names == [Ask.RATING, Ask.SUM, "new", Ask.RANK, Ask.MENU]


def test_a_misspelt_command_is_an_error() -> None:
    wrong = Feature(
        name="one",
        specs=(Spec(name="one", title="一", below=("player_",)),),
    )
    with pytest.raises(ValueError, match="no such command: player_"):
        assert Features((wrong,)).catalogue


def test_the_first_recogniser_in_order_counts() -> None:
    def never(sent: SentText) -> Command | None:
        return None

    def first(sent: SentText) -> Command | None:
        return Command("one") if sent.spoken_to else None

    def second(sent: SentText) -> Command | None:
        return Command("two")

    features = Features(
        (
            feature(
                "one",
                texts=(never, first),
            ),
            feature("two", texts=(second,)),
        )
    )
    assert features.command_of_text(SentText("a", spoken_to=True)) == Command("one")
    assert features.command_of_text(SentText("a", spoken_to=False)) == Command("two")
    assert features.command_of_leftover(SentText("a", spoken_to=True)) is None
    assert features.command_of_file(SentFile("a", 1, "4711", alone=True)) is None


def test_listeners_hear_of_their_own_happening_alone(state: State) -> None:
    heard: list[str] = []
    features = Features(
        (
            feature("one", listeners={Happening.MEMBERS_LEFT: lambda _: heard.append("one")}),
            feature("two", listeners={Happening.MEMBERS_LEFT: lambda _: heard.append("two")}),
            feature("three", listeners={Happening.BOT_REMOVED: lambda _: heard.append("three")}),
        )
    )
    features.report(Occurrence(Happening.MEMBERS_LEFT, state, at=1.0))
    assert heard == ["one", "two"]


def test_a_forgotten_user_is_reported_before_the_store_forgets(state: State) -> None:
    occurrences: list[Occurrence] = []
    listening = feature("one", listeners={Happening.USER_FORGOTTEN: occurrences.append})
    Features((listening,)).forget_user(state, "U1", at=2.0)
    (occurrence,) = occurrences
    assert occurrence.users == ("U1",)
    assert occurrence.at == 2.0
