"""PNG as it comes back; the race of まとめ: what its frames show, its bytes and sizes, and the
animated PNG around it."""

import io
import random
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from PIL import Image

from bot.answers.standings import race
from bot.answers.standings.race import DAY, FRAMES, LIMIT, WIDTH, RaceChart, RaceLine, draw
from bot.chat.replies import Animation, Reply, Row, Table
from bot.dispatch.pictures import with_addresses
from bot.draw import layout, paper
from bot.draw.paper import AnimationFrame, AnimationTooLarge, FlatSheet, Paper, encode
from bot.draw.style import palette
from bot.line.messages import messages
from tests.answers.leagues import LeagueWorld, game, world
from tests.draw.leagues import NINE, TWENTY
from tests.draw.pngs import opened
from tests.draw.writing import overlaps, watched
from tests.schema import assert_messages_pass
from tests.tools.looks import IMAGE

HERO = 345  # points: the width of a giga bubble


def chart_of(members: tuple[str, ...], days: int) -> RaceChart:
    """A race in which places change every day; the members join one after the other."""
    rng = random.Random(days)
    totals = dict.fromkeys(members, 0.0)
    lines = {member: list[float | None]() for member in members}
    for day in range(days):
        for _ in range(4):
            first, second, third = rng.sample(members, 3)
            won = rng.uniform(20, 60)
            middle = rng.uniform(-10, 10)
            totals[first] += won
            totals[second] += middle
            totals[third] -= won + middle
        for place, member in enumerate(members):
            begun = day >= place * days // 60
            lines[member].append(round(totals[member], 1) if begun else None)
    start = date(2026, 1, 1)
    return RaceChart(
        "収支レース　第1シーズン",
        tuple(f"{(start + timedelta(days=day)):%-m/%-d}" for day in range(days)),
        tuple(
            RaceLine(m, c, tuple(lines[m]))
            for m, c in zip(members, palette(len(members)), strict=True)
        ),
    )


def hero_of(league: LeagueWorld, what: str = "まとめ") -> Animation | None:
    for part in league.ask(what).reply.parts:
        if isinstance(part, Table):
            return part.hero
    return None


def played(data: bytes) -> Iterator[tuple[np.ndarray, Any]]:
    """The default image and then each frame as RGB, with Pillow's notes, as another program reads
    them.
    """
    with Image.open(io.BytesIO(data)) as picture:
        for number in range(picture.n_frames):  # type: ignore[attr-defined]
            picture.seek(number)
            yield np.asarray(picture.convert("RGBA")), dict(picture.info)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from([0.0, 0.1, 0.6]), max_size=5),
    *(
        st.integers(1, 9),
        st.integers(1, 9),
        st.integers(0, 2**32 - 1),
    ),
)
def test_frames_come_back_as_they_were(parts: list[float], high: int, wide: int, seed: int) -> None:
    """However much of the picture, a part of 1, changes from frame to frame."""
    rng = np.random.default_rng(seed)
    pixels = [rng.integers(0, 6, (high, wide)).astype(np.uint8)]
    for part in parts:
        new = rng.integers(0, 6, (high, wide)).astype(np.uint8)
        pixels.append(
            np.where(
                rng.random((high, wide)) < part,
                new,
                pixels[-1],
            )
        )
    delays = [int(delay) for delay in rng.integers(1, 60_001, len(pixels))]
    colours = [
        (255, 255, 255),
        (0, 0, 0),
        (200, 0, 80),
        (0, 180, 180),
        (1, 2, 3),
        (90, 90, 90),
    ]
    frames = [AnimationFrame(each, delay) for each, delay in zip(pixels, delays, strict=True)]
    data = paper.encode_animation(iter(frames), colours, LIMIT)
    default, *found = played(data)
    table = np.array(colours)
    image, _ = default
    assert (image[:, :, :3] == table[pixels[-1]]).all()
    for (image, info), each, delay in zip(found, pixels, delays, strict=True):
        assert (image[:, :, :3] == table[each]).all()
        assert (image[:, :, 3] == 255).all()
        assert info["duration"] == pytest.approx(delay)
    assert found[0][1]["loop"] == 0


def test_too_many_bytes_say_how_many_frames_fit() -> None:
    noise = (
        np.random.default_rng(1)
        .integers(
            0,
            200,
            (20, 50, 50),
        )
        .astype(np.uint8)
    )
    frames = [AnimationFrame(each, 70) for each in noise]
    colours = [(n, n, n) for n in range(200)]
    with pytest.raises(AnimationTooLarge) as caught:
        paper.encode_animation(frames, colours, 20_000)
    fitted = caught.value.frames
    assert 1 < fitted < 20
    assert len(paper.encode_animation(frames[: fitted - 1], colours, 20_000)) <= 20_000


@pytest.mark.parametrize(
    ("members", "days"),
    [(3, 10), (9, 400), (20, 60)],
)
def test_a_race_has_at_most_300_kilobytes(members: int, days: int) -> None:
    chart = chart_of(TWENTY[:members], days)
    with watched(FlatSheet) as texts:
        data = draw(chart)
    assert len(data) <= LIMIT
    totals = [line.totals[-1] or 0.0 for line in chart.lines]
    ends = {layout.number(total, signed=True) for total in totals}
    assert ends <= {text.text for text in texts[-3 * members - 1 :]}, "it ends with all games"
    with Image.open(io.BytesIO(data)) as picture:
        assert picture.size == chart.size
        assert picture.info["default_image"]
        assert 20 <= picture.n_frames <= FRAMES + 2  # type: ignore[attr-defined]
    if members * days == 30:
        assert draw(chart) == data


def test_a_race_begins_with_the_first_day_and_ends_with_the_last() -> None:
    chart = chart_of(NINE[:3], 6)
    with watched(FlatSheet) as texts:
        frames = list(played(draw(chart)))
    drawn_days = [text.text for text in texts if text.size == DAY]
    assert list(dict.fromkeys(drawn_days)) == list(chart.days)
    assert (frames[0][0] == frames[-1][0]).all()
    assert not (frames[1][0] == frames[-1][0]).all()
    waits = [info["duration"] for _, info in frames[1:]]
    assert waits[-1] == 4000
    assert sum(waits) < 12_000


@pytest.mark.parametrize("names", [NINE, TWENTY, ("国士無双十三面国士無双", "𠮷野家", "吉野家")])
def test_nothing_in_a_race_is_too_small_to_read(names: tuple[str, ...]) -> None:
    """Eleven points in the chat, where it is seen, and no words on others while nothing moves."""
    with watched(FlatSheet) as texts:
        draw(chart_of(names, 1))
    assert min(text.size for text in texts) * HERO / WIDTH >= 11
    assert min(text.left for text in texts) >= 0
    assert max(text.right for text in texts) <= WIDTH
    assert overlaps(texts) == []
    drawn = {text.text for text in texts}
    assert ("吉野家" in drawn) == ("吉野家(2)" in drawn)


def test_the_totals_of_a_race_are_those_of_the_games() -> None:
    league = LeagueWorld.again("nine")
    hero = hero_of(LeagueWorld.again("nine"))
    assert hero is not None
    chart = hero.chart
    games = league.repository.snapshot().all_games(2)
    days = sorted({each.day for each in games if each.day})
    assert list(chart.days) == [f"{day.month}/{day.day}" for day in days]
    for line in chart.lines:
        for number, day in enumerate(days):
            own = [
                seat.score + 2 * (seat.chips or 0)
                for each in games
                if each.day and each.day <= day
                for seat in each.seats
                if seat.player == line.name
            ]
            if own:
                assert line.totals[number] == pytest.approx(sum(own), abs=1e-6)
            else:
                assert line.totals[number] is None


def test_a_race_needs_two_who_move() -> None:
    for league in ("one game", "one player", "guests only"):
        assert hero_of(LeagueWorld.again(league)) is None
    day = game("甲(+30.0)", "乙(0.0)", "丙(-30.0)")
    few = hero_of(world("20260901", day, game("丁(+30.0)", "乙(0.0)", "丙(-30.0)")))
    assert few is not None
    totals = [line.totals for line in few.chart.lines]
    assert totals == [(30, 30), (0, 0), (-30, -60), (None, 30)]
    assert few.render().startswith(b"\x89PNG")


def test_a_race_that_has_no_room_moves_in_fewer_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    chart = chart_of(NINE[:4], 12)
    found = []
    for limit in (60_000, 25_000, 15_000):
        monkeypatch.setattr(race, "LIMIT", limit)
        data = draw(chart)
        assert len(data) <= limit
        found.append(len(list(played(data))))
    assert found == sorted(found, reverse=True)
    assert len(set(found)) == 3
    monkeypatch.setattr(race, "LIMIT", 2000)
    with pytest.raises(AnimationTooLarge):
        draw(chart)


@pytest.mark.parametrize(
    ("league", "what"), [("demo", "まとめ"), ("twenty", "まとめ 1"), ("nine", "まとめ")]
)
def test_the_race_stands_above_the_words_and_all_takes_two_screens(league: str, what: str) -> None:
    """At 390 points: the race, its words and buttons (208 points), and the pictures with the space
    between (24)."""
    asked = LeagueWorld.again(league).ask(what)
    assert_messages_pass(asked.messages)
    assert [message["type"] for message in asked.messages] == ["image", "flex"]
    hero = asked.messages[1]["contents"]["hero"]
    assert hero["animated"] is True
    width, height = map(int, hero["aspectRatio"].split(":"))
    assert (width, height) == (WIDTH, asked.files[hero["url"]].size[1])  # type: ignore[union-attr]
    points = HERO * height / width + 208
    for picture in asked.pictures:
        with Image.open(io.BytesIO(picture.render())) as drawn:
            points += IMAGE * drawn.height / drawn.width + 24
    assert points <= 2 * 620


def test_the_words_come_without_the_race_where_it_cannot_be_stored() -> None:
    hero = Animation(chart_of(NINE[:3], 2), draw, (600, 218))
    rows = tuple(Row(f"選手{n}", "+1.0") for n in range(30))

    (sent,) = messages(Reply((Table("題", (), hero=hero),)))
    assert "hero" not in sent["contents"]
    reply = Reply((Table("題", rows, hero=hero),))
    (pages,) = messages(with_addresses(reply, lambda part: "https://example.com/a.png"))
    assert ["hero" in bubble for bubble in pages["contents"]["contents"]] == [True, False]
    assert_messages_pass([pages])


@settings(max_examples=30, deadline=None)
@given(
    st.integers(1, 300),
    st.integers(1, 40),
    st.integers(1, 120),
    st.integers(0, 2**32 - 1),
)
def test_up_to_127_colours_come_back_as_they_were(
    height: int, width: int, colours: int, seed: int
) -> None:
    random = np.random.default_rng(seed)
    table = np.full((colours + 1, 4), 255, np.uint8)
    bins = random.choice(32 * 32 * 32 - 1, colours, replace=False)
    table[1:, :3] = (
        np.stack(
            [
                bins % 32 * 8,
                bins // 32 % 32 * 8,
                bins // 1024 * 8,
            ],
            axis=1,
        )
        + 3
    )
    pixels = table[random.integers(0, colours + 1, (height, width))]
    decoded = np.asarray(opened(encode(pixels)))
    assert (decoded == pixels[:, :, :3]).all()


def test_soft_edges_come_back_nearly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nine crossing lines with text in their colours: no pixel differs visibly after encoding."""
    drawn = []

    def noted(
        pixels: np.ndarray,
        exact: Iterable[tuple[int, int, int]],
    ) -> bytes:
        drawn.append(pixels[:, :, :3].astype(int))
        return encode(pixels, exact)

    monkeypatch.setattr("bot.draw.paper.encode", noted)
    paper = Paper(600, 600)
    for place, colour in enumerate(palette(9)):
        paper.line(
            (20, 580),
            (40 + 60 * place, 560 - 60 * place),
            6,
            colour,
        )
        paper.text(300, 40 + 60 * place, "烏龍茶(黒)", 40, colour)
    encoded = np.asarray(opened(paper.png()))
    error = np.abs(encoded.astype(int) - drawn[0])
    assert error.max() < 64
    assert (error.max(axis=2) > 24).mean() < 0.003


def test_named_colours_stay_exact_among_their_neighbours() -> None:
    pixels = np.full((4, 4, 4), 255, np.uint8)
    pixels[0, :, :3] = (200, 100, 50)
    pixels[1:, :, :3] = (201, 101, 51)
    back = opened(encode(pixels, [(200, 100, 50)]))
    assert back.getpixel((0, 0)) == (200, 100, 50)
    assert back.getpixel((0, 3)) == (200, 100, 50)
