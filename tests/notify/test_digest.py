import random
import re
from datetime import date, timedelta

from hypothesis import given, settings, strategies as st

from bot.answers.common.members import members
from bot.answers.games.digest import day_digest
from bot.chat.replies import Table
from rating.models import MODELS
from rating.models.base import Sequential
from tests.answers.leagues import LeagueWorld, game, world

DAY = date(2020, 5, 18)
COURSES = [
    name for name, kind in MODELS.items() if kind.plays == "games" and issubclass(kind, Sequential)
]  # systems that learn game by game
PLAYERS = ("みどり", "白發中", "東風", "まん|がん", "両面待ち", "さくら", "NoName", "客")
LINE = re.compile(r"(.+) ([+−±][\d.]+) \((トップ[^)]*)\)(?: R(\S+) \((初 )?(\S+)\))?")


def digest(league: LeagueWorld, day: date) -> str:
    snapshot = league.repository.snapshot()
    return day_digest(snapshot, league.repository.ratings(snapshot), day)


def test_a_day_in_lines_with_shared_places_and_without_chips() -> None:
    league = world(
        "20200517",
        game("甲(+40.0)", "乙(0.0)", "丁(-40.0)"),
        "20200518",
        game("甲(+40.0)", "乙(0.0)", "丙(-40.0)"),
        game("乙(+20.0)", "甲(+5.5)", "丙(-25.5)"),
        game("甲(+10.0)", "NoName(0.0)", "乙(-10.0)"),
        toml='[player."甲"]\nname = "こう"\n',
    )
    assert digest(league, DAY).split("\n") == [
        "5月18日(月)の結果（3戦）",
        "最多トップ：こう（2回）",
        "こう +55.5 (トップ2 2着1 ラス0) R1587 (+57)",
        "乙 +10.0 (トップ1 2着1 ラス1) R1501 (+1)",
        "丙 −65.5 (トップ0 2着0 ラス2) R1441 (初 −59)",
    ]
    assert (
        digest(
            world(
                "20200518",
                game("甲(+1.0)", "乙(0.0)", "丙(-1.0)"),
            ),
            date(2020, 5, 17),
        )
        == ""
    )
    games = game("甲(+1.0)", "乙(0.0)", "丙(-1.0)"), game("乙(+1.0)", "丙(0.0)", "甲(-1.0)")
    assert digest(world("20200518", *games), DAY).split("\n")[1] == "最多トップ：乙、甲（1回）"
    with_chips = game("甲(+40.0,+3枚)", "乙(0.0,0枚)", "丙(-40.0,-3枚)")
    assert digest(world("20200518", with_chips), DAY).endswith("点数にチップは含みません。")
    without = game("甲(+40.0)", "乙(0.0)", "丙(-40.0)")
    assert "チップ" not in digest(world("20200518", without), DAY)


def test_the_exact_change_is_rounded_not_the_ratings() -> None:
    """From 1500.551 to 1530.482 is a change of +30, though the rounded ratings differ by 29."""
    league = world(
        "20200517",
        game("甲(+40.0)", "乙(0.0)", "丙(-40.0)"),
        "20200518",
        game("乙(+40.0)", "甲(0.0)", "丙(-40.0)"),
        **{"rating.txt": "乙 1500.56 0\n"},
    )
    assert "乙 +40.0 (トップ1 2着0 ラス0) R1530 (+30)" in digest(league, DAY)
    assert league.ask("今日").reply.parts[0].rows[0].extra[-1] == "▲30"  # type: ignore[union-attr]


@st.composite
def leagues(draw: st.DrawFn) -> tuple[LeagueWorld, list[date]]:
    """Days of games of three and of four seats, with ratings to begin from, guests, chips and two
    seasons.
    """
    rng = random.Random(draw(st.integers(0, 10**6)))
    model = draw(st.sampled_from(COURSES))
    first = date(2020, 1, 1)
    days = [
        first + timedelta(days=number)
        for number in range(
            draw(
                st.integers(
                    1,
                    6,
                )
            )
        )
    ]
    logs = []
    for day in days:
        logs.append(f"{day:%Y%m%d}")
        for number in range(rng.randint(1, 5)):
            table = rng.sample(PLAYERS, rng.choice((3, 3, 4)))
            won = sorted(rng.randrange(-600, 600) / 10 for _ in table[1:])
            scores = sorted([*won, -round(sum(won), 1)], reverse=True)
            chip = ",+1枚" if rng.random() < 0.3 else ""
            seats = [f"{p}({s:+.1f}{chip})" for p, s in zip(table, scores, strict=True)]
            logs.append(game(*seats, at=f"{10 + number}:00"))
    starts = "".join(
        f"{p} {rng.uniform(1400, 1600):.2f} {rng.randrange(400)}\n" for p in PLAYERS[:4]
    )
    toml = f'model = "{model}"\n[player."客"]\nguest = true\n'
    return world(*logs, toml=toml, **{"rating.txt": starts}), days


@settings(max_examples=12, deadline=None)
@given(leagues())
def test_digest_and_today_agree_to_the_digit(made: tuple[LeagueWorld, list[date]]) -> None:
    league, days = made
    snapshot = league.repository.snapshot()
    names = set(map(snapshot.league.shown, members(snapshot)))
    for day in days:
        parts = league.ask(f"request_today?date={day}").reply.parts
        tables = [part for part in parts if isinstance(part, Table) and part.title != "対局"]
        digests = [
            match.groups()
            for line in digest(league, day).split("\n")
            if (match := LINE.fullmatch(line))
        ]
        listed = [row for table in tables for row in table.rows]
        assert len(digests) == len(listed)
        for (name, points, placings, after, _, change), row in zip(digests, listed, strict=True):
            assert name == row.name in names
            assert points == row.value
            assert "-".join(re.findall(r"(?:トップ|着|ラス)(\d+)", placings)) == row.extra[0]
            assert row.extra[-1] == (
                change.translate({ord("+"): "▲", ord("−"): "▼"}) if after else "―"
            )


@settings(max_examples=10, deadline=None)
@given(leagues())
def test_the_changes_are_those_of_the_ratings(made: tuple[LeagueWorld, list[date]]) -> None:
    """The change shown is the exact difference of the ratings after and before the day, rounded
    once.
    """
    league, days = made
    snapshot = league.repository.snapshot()
    model = snapshot.league.model
    for seats in {len(g.seats) for g in snapshot.all_games()}:
        rated = league.repository.ratings(snapshot).rated(model, 1, seats)
        for player, line in rated.history.items():
            played = [rated.games[number].day for number in line.games]
            values = [line.start, *line.values]
            for day in days:
                at = [number for number, other in enumerate(played) if other == day]
                if not at or player not in members(snapshot):
                    continue
                exact = values[at[-1] + 1] - values[at[0]]
                decimals = MODELS[model].decimals
                words = f"{exact:+.{decimals}f}".replace("-", "−")
                words = f"±{words[1:]}" if not words[1:].strip("0.") else words
                matches = [
                    m for line_ in digest(league, day).split("\n") if (m := LINE.fullmatch(line_))
                ]
                name = snapshot.league.shown(player)
                of_player = [match[6] for match in matches if match[1] == name]
                assert words in of_player


def test_a_day_across_two_seasons_is_one_day() -> None:
    """Where a season begins in the evening, the day's points are of both seasons, as in 今日."""
    toml = '[[season]]\nlog = "logvol1.txt"\n[[season]]\nlog = "logvol2.txt"\nstart = 2020-05-18T20:00:00\n'
    league = world(
        "20200518",
        game("甲(+40.0)", "乙(0.0)", "丙(-40.0)", at="19:00"),
        toml=toml,
        **{
            "logvol2.txt": "20200518\n" + game("甲(+5.0)", "乙(0.0)", "丙(-5.0)", at="21:00") + "\n"
        },
    )
    assert "甲 +45.0 (トップ2 2着0 ラス0)" in digest(league, DAY)
    assert league.ask(f"request_today?date={DAY}").reply.parts[0].rows[0].value == "+45.0"  # type: ignore[union-attr]
