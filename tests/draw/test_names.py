"""Names as pictures show them: no two alike."""

import pytest
from hypothesis import given, settings, strategies as st

from bot.draw.glyphs import MISSING, drawable, fit, has
from bot.draw.names import distinct_names


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (["🐼", "🐯"], ["〓2", "〓1"]),
        (["🐼", "みどり"], [MISSING, "みどり"]),
        (["吉野家", "𠮷野家"], ["吉野家", "吉野家(2)"]),
        (["𠮷野家", "みどり"], ["吉野家", "みどり"]),
        (["🦊狐", "🐺狐", "狐"], ["〓2狐", "〓1狐", "狐"]),
        (["葛城", "葛\U000e0100城"], ["葛城", "葛城(2)"]),
        (["\u200b", ""], [MISSING, ""]),
        (["〓1", "🐼", "🐯"], ["〓1", "〓3", "〓2"]),
        (["NoName", "NoName"], ["NoName"] * 2),
        (["麻雀大好きクラブの太郎", "麻雀大好きクラブの次郎"], ["麻雀大…の太郎", "麻雀大…の次郎"]),
        (["mahjong_taro", "mahjong_jiro"], ["mahjong_taro", "mahjong_jiro"]),
        (["麻雀大好きクラブの太郎", "別人"], ["麻雀大好きクラブの太郎", "別人"]),
    ],
)
def test_names_that_look_alike_get_numbers(names: list[str], shown: list[str]) -> None:
    found = distinct_names(names)
    assert [found[name] for name in names] == shown


ODD = st.text("🐼🐯𠮷吉김ㅋ葛\U000e0100〓あW\u200b(2)✨สก ", max_size=9)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        ODD | st.text(max_size=12),
        max_size=12,
        unique=True,
    )
)
def test_different_names_are_never_drawn_alike(names: list[str]) -> None:
    shown = distinct_names(names)
    assert len(set(shown.values())) == len(names)
    assert distinct_names(reversed(names)) == shown
    assert distinct_names(shown.values()) == {words: words for words in shown.values()}
    assert all(drawable(words) == words for words in shown.values())
    assert all(has(char) for words in shown.values() for char in words if char not in " \u3000")


@settings(max_examples=30, deadline=None)
@given(
    st.lists(
        st.text("麻雀大好きクラブ太郎", min_size=6, max_size=14),
        min_size=2,
        max_size=8,
        unique=True,
    )
)
def test_long_names_with_one_beginning_differ_when_cut(names: list[str]) -> None:
    """The narrowest space for a name on any chart is 7 characters at the smallest size."""
    alike = [f"同じ始まりの{name}" for name in names]
    drawn = distinct_names(alike).values()
    cut = [fit(words, 40, 7.6 * 28, 28)[0] for words in drawn]
    assert len(set(cut)) == len(cut)
