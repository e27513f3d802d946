import random
from fractions import Fraction

import pytest

from rating.league_file import parse_league
from rating.scoring import TENHOU, scoring_of
from tests.rating.paifu.records import record_of
from tests.real import RECORDS


def reckoned(
    points: list[int], return_: int, uma: list[int], oka: Fraction, shared: bool
) -> list[Fraction]:
    """Every seat's result, seat by seat: how many are better decides the place, and who else has as
    much.
    """
    results = []
    for seat, seat_points in enumerate(points):
        better = sum(1 for other in points if other > seat_points)
        alike = [other for other, value in enumerate(points) if value == seat_points]
        places = [better + alike.index(seat)]
        if shared:
            places = list(range(better, better + len(alike)))
        bonus = sum(Fraction(uma[place]) for place in places)
        if 0 in places:
            bonus += oka
        results.append(Fraction(seat_points - return_, 1000) + bonus / len(places))
    return results


def test_three_hundred_random_leagues() -> None:
    rng = random.Random(32)
    for _ in range(300):
        seats = rng.choice((3, 4))
        shared = rng.random() < 0.5
        start = rng.randrange(200, 400) * 100
        return_ = start + rng.choice((0, 5000, 10_000))
        top = rng.randrange(0, 40, 10)
        uma = [top, 0, -top]
        if seats == 4:
            uma = [top + 10, top, -top, -top - 10]
        typed_oka = rng.choice((None, seats * (return_ - start) // 1000))
        text = f"[rules]\nstart = {start}\nreturn = {return_}\numa = {uma}\nties = '{'shared' if shared else 'seat'}'\n"
        if rng.random() < 0.5:  # the same for the table alone
            text = f"[rules]\numa = [1, 2, 3]\n{text.replace('[rules]', '[rules.table]')}"
        if typed_oka is not None:
            text += f"oka = {typed_oka}\n"
        rules = parse_league(text).rules
        scoring = scoring_of(rules.table or rules, seats)
        for _ in range(20):
            points = []
            for _ in range(seats - 1):
                step = rng.choice((1, 50))
                points.append(rng.randrange(-200, 900, step) * 100)
            points.append(scoring.total - sum(points))
            results = scoring.results(points)
            oka = Fraction((return_ - start) * seats, 1000)
            wanted = reckoned(points, return_, uma, oka, shared)
            values = [value for _, value in results]
            assert values == sorted(values, reverse=True)
            assert round(sum(value for _, value in results), 6) == 0
            for seat, value in results:
                assert abs(Fraction(value) - wanted[seat]) < Fraction(16, 100)
                if all(exact * 10 == int(exact * 10) for exact in wanted):
                    assert value == pytest.approx(float(wanted[seat]), abs=1e-9)


def test_tenhous_own_rules_are_those_of_its_records() -> None:
    """Results of records whose uma is Tenhou's usual one: 20, 0, -20 of three seats, 20, 10, -10,
    -20 of four.
    """
    checked = dict.fromkeys(TENHOU, 0)
    for record in map(record_of, RECORDS):
        if record.final and record.scores:
            results = dict(TENHOU[record.seats].results(record.final))
            off = [abs(results[seat] - score) for seat, score in enumerate(record.scores)]
            if max(off) < 0.05:
                checked[record.seats] += 1
    assert checked[3] > 0
