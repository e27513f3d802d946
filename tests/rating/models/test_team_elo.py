from datetime import date
from unicodedata import normalize

import pytest
from hypothesis import given, strategies as st

from rating.models.base import ModelError, replay
from rating.models.team_elo import (
    STREAKS,
    TeamElo,
    TeamEloState,
    average_bonus,
    streak_bonus,
    variation,
)
from rating.teamlog import Session, TeamGame, games_of, parse, write
from tests.real import worked_figures

SIGNS = {"o": True, "x": False, None: None}


def test_variation() -> None:
    for case in worked_figures("team_elo")["variation"]:
        winners = case["RA"]
        losers = case["RB"]
        if case["winner"] == "B":
            winners, losers = losers, winners
        assert variation(winners, losers) == pytest.approx(case["delta"], rel=1e-14)


def test_bonuses() -> None:
    for case in worked_figures("team_elo")["average_bonus"]:
        bonus = average_bonus(case["rating"], case["table_average"])
        assert bonus == pytest.approx(case["bonus"], rel=1e-12)
    for case in worked_figures("team_elo")["streak_bonus"]:
        assert streak_bonus(case["streak"], case["bonus"]) == case["value"]


def test_all_streak_states_in_both_modes() -> None:
    cases = worked_figures("team_elo")["streak_formula"]
    assert len(cases) == 30
    for case in cases:
        results = tuple(SIGNS[sign] for sign in case["games"])
        for mode, streak in STREAKS.items():
            assert streak(case["base"], results) == case[mode], (mode, case)


def walked(model: TeamElo, log: str) -> dict[str, TeamEloState]:
    sessions, problems = parse(log)
    assert not problems
    return replay(model, games_of(sessions)).states


@pytest.mark.parametrize("mode", list(STREAKS))
def test_next_session_continues_from_every_state(mode: str) -> None:
    """All 30 states, `-` for a game not played, and the bonus of the next session's first game."""
    for case in worked_figures("team_elo")["streak_formula"]:
        marks = " ".join(sign or "-" for sign in case["games"])
        before = "2020-07-03 | A B C D | o o -\n" if case["base"] else ""
        log = f"{before}2020-07-04 | A B C D | {marks}\n"
        states = walked(TeamElo(mode), log)
        state = states.get("A", TeamEloState(1500.0, 0))
        assert state.streak == case[mode], case
        after = walked(TeamElo(mode), log + "2020-07-05 | A B C D | o - -\n")["A"]
        ratings = [states.get(player, TeamEloState(1500.0, 0)).rating for player in "ABCD"]
        bonus = average_bonus(state.rating, sum(ratings) / 4)
        change = variation(sum(ratings[:2]), sum(ratings[2:]))
        gain = change + bonus * (1 + case[mode])
        assert after.rating == pytest.approx(state.rating + gain, rel=1e-12)
        assert after.streak == case[mode] + 1


def test_session_and_floor() -> None:
    worked = worked_figures("team_elo")["session_sequential"]
    streaks = worked["streak_start"]
    states = {}
    for player, rating in worked["start"].items():
        states[player] = TeamEloState(float(rating), 0, streaks[player])
    for number, game in enumerate(worked["games"]):
        played = TeamGame(
            tuple(game["A"]),
            tuple(game["B"]),
            game["winner"] == "A",
            0,
            number,
        )
        before = [states[p] for p in played.players]
        after = TeamElo().play(played, before)
        states.update(zip(played.players, after, strict=True))
        for player, expected in game["players"].items():
            assert states[player].rating == pytest.approx(expected["after"], rel=1e-14)
            assert states[player].streak == expected["streak_after"]
    for case in worked_figures("team_elo")["floor"]:
        game = TeamGame(("A", "B"), ("C", "D"), False)
        rating = float(case["rating"])
        after = TeamElo().play(game, [TeamEloState(rating, 0)] * 4)[0]
        assert after.rating == case.get("after", case.get("after_resolved"))


NAME = st.text("あいう|()-o#", min_size=1, max_size=8)
PLAYERS = st.lists(NAME, min_size=4, max_size=4, unique=True).map(tuple)
RESULTS = st.tuples(*[st.sampled_from([True, False, None])] * 3)
SESSION = st.builds(
    Session,
    st.dates(date(2000, 1, 1), date(2100, 1, 1)),
    PLAYERS,
    RESULTS,
)


@given(st.lists(SESSION, max_size=5))
def test_team_log_both_ways(sessions: list[Session]) -> None:
    read, problems = parse(write(sessions))
    assert not problems
    assert [(s.day, s.players, s.results) for s in read] == [
        (s.day, s.players, s.results) for s in sessions
    ]
    assert [s.line for s in read] == list(range(1, len(sessions) + 1))


def test_a_name_in_nfc_and_nfd_is_one_player() -> None:
    text = "2020-07-04 | がく B C D | o - x\n"
    sessions, problems = parse(text + normalize("NFD", text))
    assert not problems
    assert {session.players for session in sessions} == {("がく", "B", "C", "D")}
    (problem,) = parse(f"2020-07-04 | がく B C {normalize('NFD', 'がく')} | o - x")[1]
    assert problem.reason == "a player sits twice"


def test_odd_lines_are_reported_by_number() -> None:
    text = "\ufeff# 2v2\n\n2020-07-04 | A B C D | o - x\n2020-07-32 | A B C D | o o o\n2020-07-05 | A B A D | o o o\nhello\r\n"
    sessions, problems = parse(text)
    assert [s.line for s in sessions] == [3]
    form = "not `YYYY-MM-DD | four players | three of o x -`"
    reasons = [(4, "2020-07-32 is no date"), (5, "a player sits twice"), (6, form)]
    assert [(p.line, p.reason) for p in problems] == reasons
    games = games_of(sessions)
    wanted = [
        (("A", "B"), ("C", "D"), True, 0),
        (
            ("A", "C"),
            ("B", "D"),
            False,
            2,
        ),
    ]
    read = [(game.first, game.second, game.first_won, game.number) for game in games]
    assert read == wanted
    assert games[0].where == "teamlog.txt:3"


def test_unknown_mode_is_refused() -> None:
    with pytest.raises(ModelError, match="natural, sheet"):
        TeamElo("odd")


@pytest.mark.parametrize(
    "start",
    [-2000.0, -1e9, -999999.0, 0.0, 999999.0, 1e9],
)
def test_any_rating_of_a_file_can_be_a_start(start: float) -> None:
    """No rating is below 0: a start below 0 counts as 0."""
    model = TeamElo(starts={"A": (start, 0)})
    game = TeamGame(("A", "B"), ("C", "D"), True)
    assert model.initial("A").rating == max(start, 0.0)
    after = replay(model, [game]).states
    assert all(state.rating >= 0 for state in after.values())
    assert after["A"].rating >= model.initial("A").rating
