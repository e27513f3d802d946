"""運・牌効率: the luck and the tile efficiency of the members over all paifu, and who surely differs."""

from math import sqrt

from bot import texts
from bot.answers.common.figures import luck_words
from bot.answers.common.members import People, token
from bot.answers.paifu.figure_pages import FigurePanels, FigureRow, PaifuStanding, PanelValue, draw, total_of
from bot.chat.command import Ask, data_of
from bot.chat.replies import Part, Picture, Row, Table
from bot.draw.parts import Fact
from rating.paifu.luck import DEAL_SHANTEN
from rating.paifu.play_figures import Difference, loss_difference, surely_apart
from rating.proportions import Z95

TITLE = "運・牌効率"
HEADS = ("ツモ運", "配牌運", "裏運", "牌効率")
PICTURE_NOTE = "右ほど幸運・速い打牌　灰色の帯：偶然だけで95%が収まる幅"
NOTE = "ツモ運・裏運は見込みとの差の枚数です。合計の幅は打つほど広がります。運は実力ではありません。"
UNSEEN = "牌効率の差はまだ見えません。"


def loss_of(chosen: PaifuStanding, player: str) -> Difference:
    """How much more a member gives up a discard than all members together."""
    usual = total_of(chosen).efficiency.mean_loss or 0.0
    return loss_difference([tally.efficiency for tally in chosen.games[player]], usual)


def grade_of(chosen: PaifuStanding, player: str) -> str:
    """A member's grade by the bounds for as many games as there are; "" without decisions."""
    tally = chosen.tallies[player]
    return tally.efficiency.grade(chosen.seats, tally.games) or ""


def sides_of(chosen: PaifuStanding) -> dict[str, int]:
    """-1 for members whose discards are surely faster than all members', 1 for slower ones, else 0."""
    every = [[tally.efficiency for tally in games] for games in chosen.games.values()]
    return dict(zip(chosen.games, surely_apart(every), strict=True))


def page_of_all(people: People, chosen: PaifuStanding) -> tuple[Part, ...]:
    """The luck and tile efficiency of all members: a table, and the picture about the middle."""
    title = f"{TITLE}　{chosen.title}"
    known = {player: tally for player, tally in chosen.tallies.items() if tally.efficiency.decisions}
    order = sorted(known, key=lambda player: (known[player].efficiency.mean_loss or 0.0, player))
    usual = total_of(chosen).efficiency.mean_loss or 0.0
    drawn, rows = [], []
    for player in order:
        luck, efficiency, loss = known[player].luck, known[player].efficiency, loss_of(chosen, player)
        # The dot stands the more to the right, the less is given up.
        value, half, best = -(usual + loss.value), loss.half or 0.0, f"{efficiency.share or 0.0:.0%}"
        grade = grade_of(chosen, player), best, loss.half is None
        dot = PanelValue(value, value - half, value + half, *grade)
        values = (_z(luck.z), _z(luck.deal), _z(luck.ura_z), dot)
        drawn.append(FigureRow(people.shown(player), people.colour(player), people.is_asker(player), values))
        tap = data_of(Ask.PAIFU, player=token(player), seats=chosen.seats, show="luck")
        extra = (_tiles(luck.ura), texts.percent(efficiency.mean_loss or 0.0))
        rows.append(people.row(player, _tiles(luck.draws), 0, extra, data=tap))
    alt = f"{title}：" + "、".join(f"{people.shown(one)} {grade_of(chosen, one)}" for one in order[:3])
    # Whose tile efficiency is surely above or below all members', with all of them looked at.
    found, told = sides_of(chosen), ""
    for side, words in ((-1, "全員の平均より速い：{}。"), (1, "平均より遅い：{}。")):
        names = [people.shown(one) for one in order if found[one] * side > 0]
        told += words.format("・".join(names)) * bool(names)
    note, heads = NOTE + (told or UNSEEN), ("ツモ", "裏", "1打あたりのロス")
    table = Table(title, tuple(rows), heads=heads, subtitle=chosen.subtitle, note=note, alt=alt, even=True)
    middles, bands = (0.0, 0.0, 0.0, -usual), (Z95, Z95, Z95, 0.0)
    panels = FigurePanels(title, chosen.subtitle, HEADS, middles, tuple(drawn), PICTURE_NOTE, bands)
    return table, Picture(panels, draw, alt, (table,))


def _z(z: float | None) -> PanelValue | None:
    return None if z is None else PanelValue(z, z, z, luck_words(z), "")


def _tiles(value: float) -> str:
    return f"{texts.number(value, 1, True)}枚"


def page_of_one(people: People, chosen: PaifuStanding, player: str) -> tuple[Part, ...]:
    """One member's luck and tile efficiency; that it differs is said as on the page of all."""
    tally, half = chosen.tallies[player], loss_of(chosen, player).half
    luck, efficiency = tally.luck, tally.efficiency
    dealt = Row("配牌運", "－")
    if luck.rounds:  # shanten nearer to tenpai than a random hand, a round
        spread = DEAL_SHANTEN[chosen.seats][1]
        nearer = texts.number(spread * luck.dealt / luck.rounds, 2, True)
        width = f"±{Z95 * spread / sqrt(luck.rounds):.2f}シャンテン"
        dealt = Row("配牌運", f"{nearer}シャンテン", detail=_chance(luck.deal, width))
    rows = [
        Row("ツモ運", _tiles(luck.draws), detail=_chance(luck.z, f"±{Z95 * sqrt(luck.variance):.1f}枚")),
        dealt,
        Row("裏運", _tiles(luck.ura), detail=_chance(luck.ura_z, f"±{Z95 * sqrt(luck.ura_variance):.1f}枚")),
    ]
    if efficiency.decisions:
        usual = total_of(chosen).efficiency.mean_loss or 0.0
        best = f"最善打率 {texts.percent(efficiency.share or 0.0)}（{efficiency.decisions:,}打）"
        mean = efficiency.mean_loss or 0.0
        interval = f"95%区間 {100 * max(0.0, mean - half):.1f}〜{100 * (mean + half):.1f}%　" if half else ""
        rows.append(Row("牌効率", grade_of(chosen, player), detail=best))
        detail = f"{interval}全員 {texts.percent(usual)}"
        rows.append(Row("1打あたりのロス", texts.percent(mean), detail=detail))
    title = f"{people.shown(player)}　{TITLE}"
    alt = f"{title}：ツモ運 {luck_words(luck.z or 0.0)}、牌効率 {grade_of(chosen, player) or '－'}"
    note = ""
    if luck.z is not None and abs(luck.z) > Z95:
        note += "ツモ運は、偶然だけなら20回に1回もない大きさです。"
    elif luck.z is not None:
        note += "ツモ運は偶然でよくある大きさです。"
    if efficiency.decisions:
        side = {-1: "速く", 1: "遅く"}.get(sides_of(chosen)[player])
        note += f"牌効率は平均より{side}、差は偶然とは言いにくい大きさです。" if side else UNSEEN
    return (Table(title, tuple(rows), subtitle=chosen.subtitle_of(player), note=note, alt=alt),)


def _chance(z: float | None, width: str) -> str:
    return "まだありません" if z is None else f"{luck_words(z)}　偶然だけで95%が収まる幅 {width}"


def conduct_facts(chosen: PaifuStanding, player: str) -> tuple[Fact, ...]:
    """A member's luck of draws and tile efficiency for the card; () where no paifu tells them."""
    tally = chosen.tallies.get(player)
    if tally is None or tally.luck.z is None or not tally.efficiency.decisions:
        return ()
    return (
        Fact("ツモ運", luck_words(tally.luck.z), _tiles(tally.luck.draws)),
        Fact("牌効率", grade_of(chosen, player), f"最善 {tally.efficiency.share or 0.0:.0%}"),
    )
