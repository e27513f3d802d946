from hypothesis import given, settings, strategies as st

from bot.draw.glyphs import wrap


def test_words_stay_whole_and_no_line_begins_with_a_full_stop() -> None:
    lines = wrap("運を確かに上回ったのは bayesian_btr と plackett_luce です。", 34, 500, 5)
    assert any("bayesian_btr" in line for line in lines)
    assert not any(line[0] in "。、" for line in lines)


@settings(max_examples=50, deadline=None)
@given(st.text("あ漢。、A ", max_size=80), st.integers(1, 4))
def test_no_more_lines_than_asked(text: str, most: int) -> None:
    assert len(wrap(text, 34, 200, most)) <= most
