import pytest

from bot.draw.rich_menu import HEIGHT, SYMBOLS, WIDTH, RichMenuTab, areas, draw
from tests.draw.pngs import opened

NAMES = list(SYMBOLS)
SIX = [(name, "レーティング") for name in NAMES[:6]]


@pytest.mark.parametrize("first", range(0, len(NAMES), 6))
def test_every_symbol_is_drawn(first: int) -> None:
    menu = RichMenuTab([(name, "名前") for name in NAMES[first : first + 6]], ["成績", "くわしく"], 1)
    data = draw(menu)
    assert opened(data).size == (2500, 1686)
    assert draw(menu) == data


def test_symbols_differ() -> None:
    assert len({draw(RichMenuTab([(name, "")])) for name in NAMES}) == len(NAMES)


@pytest.mark.parametrize("tabs", [(), ("成績", "くわしく"), ("一", "二", "三")])
def test_tap_areas_cover_the_picture_without_overlap(tabs: tuple[str, ...]) -> None:
    buttons, heads = areas(RichMenuTab(SIX, tabs))
    every = buttons + heads
    assert sum(wide * high for _, _, wide, high in every) == WIDTH * HEIGHT
    assert all(x >= 0 and y >= 0 and x + wide <= WIDTH and y + high <= HEIGHT for x, y, wide, high in every)
    assert len(every) <= 20


def test_a_seventh_button_is_refused() -> None:
    with pytest.raises(ValueError, match="6 buttons, not 7"):
        draw(RichMenuTab([*SIX, ("help", "使い方")]))
