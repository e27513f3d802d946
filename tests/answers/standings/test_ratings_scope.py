"""レーティング of all seasons: the first button below one season's, or what a tap shows."""

from tests.answers.leagues import World, game, world

SEASONS = """
[[season]]
name = "春"
log = "logvol1.txt"
[[season]]
name = "夏"
log = "logvol2.txt"
"""
LINES = ("20260901", *[game("甲(+30.0)", "乙(0.0)", "丙(-30.0)")] * 5)


def league(toml: str = "") -> World:
    return world(*LINES, toml=toml + SEASONS, **{"logvol2.txt": "\n".join(LINES[:4])})


def seen(made: World, what: str) -> tuple[str, str]:
    """The picture's title and the label of the first button below it."""
    asked = made.ask(what)
    return asked.pictures[0].chart.title, asked.reply.choices[0].label


def test_all_seasons_are_the_first_button() -> None:
    assert seen(league(), "レーティング") == ("レーティング　夏", "全シーズン")
    assert seen(league(), "request_rating?season=1") == ("レーティング　春", "全シーズン")
    labels = [choice.label for choice in league().ask("レーティング").reply.choices]
    assert labels.count("全シーズン") == 1


def test_a_league_may_have_all_seasons_at_the_tap() -> None:
    made = league("career = true\n")
    assert seen(made, "レーティング") == ("レーティング　全シーズン", "夏")
    assert seen(made, "request_rating") == ("レーティング　全シーズン", "夏")
    assert seen(made, "request_rating?season=2") == ("レーティング　夏", "全シーズン")
    assert seen(made, "レーティング 1期") == ("レーティング　春", "全シーズン")


def test_one_season_has_no_button_for_all() -> None:
    labels = [choice.label for choice in world(*LINES).ask("レーティング").reply.choices]
    assert "全シーズン" not in labels


def test_the_line_of_all_seasons_goes_through_them() -> None:
    (picture,) = league("career = true\n").ask("レーティング").pictures
    assert {len(curve.ys) for curve in picture.chart.curves} == {9}
