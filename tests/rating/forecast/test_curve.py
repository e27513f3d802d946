from dataclasses import replace
from datetime import date, timedelta

import pytest

from rating.forecast.past import Past, Plan, games_a_day, past_of, plan_of
from rating.forecast.review import (
    CurvePoint,
    TurningPoint,
    curve,
    games_by_day_end,
    season_review,
    turning_point,
)
from rating.games import GameError, game_of
from rating.league import Season
from tests.rating.models.leagues import played, random_league

DAY = date(2026, 4, 1)


def season(games: int = 24, days: int = 6) -> Past:
    return past_of(random_league(9, 5, games, skill=4.0, days=days))


def test_new_day_adds_one_point_to_the_curve() -> None:
    past = season()
    plan = Plan(games=24)
    steps: list[tuple[int, int]] = []
    before = curve(past.until(20), plan)
    marked = [replace(point, chances={"kept": 1.0}) for point in before]
    after = curve(
        past,
        plan,
        marked,
        progress=lambda done, total: steps.append((done, total)),
    )
    assert [point.chances for point in after[:-1]] == [{"kept": 1.0}] * 5
    assert steps[-1] == (6, 6)
    assert curve(past, plan) == (*before, after[-1])
    assert [point.played for point in after] == [4, 8, 12, 16, 20, 24]
    assert [point.left for point in after] == [20, 16, 12, 8, 4, 0]
    first_day = date(2020, 4, 7)
    assert [point.day for point in after] == [first_day + timedelta(days=n) for n in range(6)]
    for point in curve(past, plan):
        assert sum(point.chances.values()) == pytest.approx(1)
    leader = past.names[int(past.totals.argmax())]
    assert after[-1].chances[leader] == 1


def test_curve_lacks_later_members_and_groups_undated_games() -> None:
    games = [
        game_of("abc", (3, 0, -3), day=DAY),
        game_of("abd", (3, 0, -3), day=DAY + timedelta(days=1)),
    ]
    first, second = curve(past_of(games), Plan(left=5))
    assert sorted(first.chances) == ["a", "b", "c"]
    assert sorted(second.chances) == ["a", "b", "c", "d"]
    past = past_of([game_of("abc", (3, 0, -3))] * 45)
    assert games_by_day_end(past) == [20, 40, 45]


def test_until_renumbers_only_members() -> None:
    games = played(
        ("bcg", (3, 0, -3)),
        ("abg", (5, 0, -5)),
        ("abc", (1, 0, -1)),
        day=DAY,
    )
    whole = past_of(games, is_guest=lambda name: name == "g")
    then = whole.until(1)
    assert then.names == ("b", "c", "a", "g")
    assert (then.members, then.played) == (2, 1)
    assert then.totals.tolist() == [3, 0, 0, -3]
    assert whole.until(3).digest() == whole.digest() != then.digest()


def point(day: int, **chances: float) -> CurvePoint:
    return CurvePoint(
        DAY + timedelta(days=day),
        day,
        9 - day,
        chances,
        (day, 0),
    )


def test_turning_day_of_a_season() -> None:
    points = [
        point(0, a=0.6, b=0.4),
        point(1, a=0.3, b=0.5, c=0.2),
        point(2, a=0.1, b=0.9, c=0.0),
    ]
    turn = turning_point(points)
    assert turn == TurningPoint("b", DAY + timedelta(days=2), 0.5, 0.9)
    assert turning_point(points, "a") is None
    assert turning_point(points[:1]) is None
    new = turning_point(points, "c")
    assert (new.before, new.after) == (0.0, 0.2)


def on_days(*days: int) -> Past:
    dates = [DAY + timedelta(days=day) for day in days]
    return past_of([game_of("abc", (3, 0, -3), day=day) for day in dates])


LATER = DAY + timedelta(days=12)  # 3 games in 3 days, the last on day 3


@pytest.mark.parametrize(
    ("plan", "games"),
    [
        (Plan(games=10), 7),
        (Plan(games=2), 0),
        (Plan(left=50), 50),
        (Plan(10, DAY, 4), 4),
        (Plan(10, DAY), 7),
        (Plan(end=LATER), 8),
        (Plan(end=DAY), 0),
    ],
)
def test_plan_gives_the_games_to_come(plan: Plan, games: int) -> None:
    assert plan.left_after(on_days(2, 3, 4)) == games


def test_plan_uses_the_rate_of_sixty_days() -> None:
    past = on_days(*range(0, 200, 10))
    assert games_a_day(past) == pytest.approx(6 / 60)
    assert Plan(end=DAY + timedelta(days=190 + 100)).left_after(past) == 10
    assert not Plan().known
    assert plan_of(None) == Plan()
    assert plan_of(Season(1, "logvol1.txt", games=120, end=DAY)) == Plan(120, DAY)
    with pytest.raises(GameError, match="no planned end"):
        Plan().left_after(on_days(1))
    with pytest.raises(GameError, match="no dates"):
        Plan(end=DAY).left_after(
            past_of(
                [
                    game_of(
                        "abc",
                        (3, 0, -3),
                    )
                ]
            )
        )


def test_review_of_a_season() -> None:
    past = season(40, 8)
    review = season_review(past, curve(past, Plan(games=40)))
    totals = dict(zip(past.names, past.totals, strict=True))
    champion = max(totals, key=lambda name: totals[name])
    assert review.champions == (champion,)
    assert (review.half.played, review.half.left) == (20, 20)
    assert review.decided.game is past.season_games[review.decided.number - 1]
    assert review.decided.after > review.decided.before
    assert [member.points for member in review.luck] == sorted(totals.values(), reverse=True)
    for member in review.luck:
        assert member.skill + member.luck == pytest.approx(member.points)
        assert member.half_expected == review.half.member(member.player).expected
    assert sum(member.skill for member in review.luck) == pytest.approx(0, abs=1e-6)
    assert review.outplayed.surprise == max(member.surprise for member in review.luck)
    past = past_of([game_of("abc", (30, 0, -30), day=DAY)])
    review = season_review(past, curve(past, Plan(games=1)))
    assert review.champions == ("a",)
    assert (review.decided.number, review.decided.after) == (1, 1.0)


def test_deciding_game_raised_the_champions_chance_most() -> None:
    ring = [
        ("abc", (2.0, 0.0, -2.0)),
        ("bca", (2.0, 0.0, -2.0)),
        ("cab", (2.0, 0.0, -2.0)),
    ]
    games = played(*ring * 3, day=DAY)
    games += played(
        ("cab", (60, -30, -30)),
        day=DAY + timedelta(days=1),
    )
    games += played(*ring, day=DAY + timedelta(days=2))
    past = past_of(games)
    review = season_review(past, curve(past, Plan(games=len(games))))
    assert review.champions == ("c",)
    assert (review.decided.player, review.decided.number) == ("c", 10)


def test_curve_of_a_long_season_has_fewer_points() -> None:
    plan = Plan(left=1)
    whole = on_days(*range(155))
    before = curve(whole.until(75), plan)
    assert [point.played for point in before] == [*range(1, 76)]
    before = curve(whole.until(78), plan)
    assert [p.played for p in before] == [*range(2, 79, 2)]
    marked = [replace(point, chances={"kept": 1.0}) for point in before]
    after = curve(whole, plan, marked)
    assert [p.played for p in after] == [*range(4, 155, 4), 155]
    reused = [point for point in after if "kept" in point.chances]
    assert [point.played for point in reused] == [*range(4, 79, 4)]


def test_review_of_a_long_season_tries_few_games(monkeypatch: pytest.MonkeyPatch) -> None:
    past = past_of(random_league(3, 5, 1_280, skill=2.0, days=4))
    plan = Plan(games=past.played)
    looked: list[int] = []

    def chances(then: Past, to_come: int) -> dict[str, float]:
        looked.append(then.played)
        return dict.fromkeys(then.names, 0.9 if then.played >= 777 else 0.1 + then.played / 1e5)

    monkeypatch.setattr("rating.forecast.review.champion_chances", chances)
    decided = season_review(past, curve(past, plan)).decided
    assert (decided.number, decided.after) == (777, 0.9)
    assert len(looked) < 60
