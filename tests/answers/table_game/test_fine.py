"""罰符: typed, shown, written once by a tap, counted in 収支 and nowhere else, taken back."""

from rating.roomlog import Fine, format_fine, parse
from tests.answers.world import LEAGUE, LOG, OTHER, World, taps, words_of

LINE = "罰符 | 21:00 | みどり一色(-10.0) チョンボ\n"


def test_a_fine_is_written_once_by_a_tap_and_counts_in_the_balance_alone(world: World) -> None:
    before = {
        word: words_of(world.say(word)) for word in ("着順", "レーティング", "点数推移", "今日", "直近")
    }
    form = world.say("罰符 みどり -10 チョンボ")
    assert "みどり\n点数\n−10.0\n理由\nチョンボ" in words_of(form)
    assert world.read("logvol1.txt") == LOG
    for _ in range(2):
        done = world.tap(taps(form)["記録する"])
    assert world.read("logvol1.txt") == LOG + "20260504\n" + LINE
    assert "+40.0" in words_of(world.say("収支"))
    assert "−10.0" in words_of(world.say("内訳"))
    assert "収支は、点数と罰符の合計です。" in words_of(world.say("収支"))
    assert {word: words_of(world.say(word)) for word in before} == before
    assert world.service.registry.league("").snapshot().problems == ()
    world.say("結果 みどり 52000 東風 31000 白發中 22000")
    said = words_of(world.say("取り消し", user=OTHER))
    assert "罰符を取り消しました。\n5月4日(月)　罰符 みどり −10.0 チョンボ" in said
    assert world.read("logvol1.txt") == LOG + "20260504\n"
    assert "+50.0" in words_of(world.say("収支"))
    assert "取り消し済み" in words_of(world.tap(taps(form)["記録する"]))
    assert words_of(done)


TYPED = {
    "罰符 みどり 10": "−10.0",
    "罰符 みどりさん −8000点 フリテンリーチ": "−8.0",
    "ボーナス 東風 5 役満": "+5.0",
    "罰符 白發中 +20 役満祝儀": "+20.0",
    "罰符 みどり ▲２０": "−20.0",
}


def test_forms_in_which_a_fine_is_typed_and_what_can_not_be_read_is_asked_back(world: World) -> None:
    for text, points in TYPED.items():
        assert f"点数\n{points}" in words_of(world.say(text)), text
    for text in ("罰符", "罰符 だれか -10"):
        assert "送ってください" in words_of(world.say(text))
    button = taps(world.say("罰符 みどり -10"))["記録する"]
    world.write("league.toml", LEAGUE + '[player."新しい人"]\n')
    assert "メンバーの一覧が変わったか" in words_of(world.tap(button))


def test_a_fine_belongs_to_the_player_s_last_game_before_it(world: World) -> None:
    log = parse("logvol1.txt", (LOG + LINE).encode())
    assert (log.lines[-1].kind, log.lines[-1].fine) == ("fine", Fine("みどり一色", -10.0, "チョンボ"))
    fine = log.lines[-1].fine
    assert fine is not None
    start = log.games[0].start
    assert start is not None
    assert format_fine(fine, start) == LINE.replace("21:00", "20:00").rstrip()
    world.write("logvol1.txt", LOG + LINE + LINE.replace("みどり一色(-10.0)", "だれか(+3.0)"))
    assert world.service.registry.league("").snapshot().fines == {("logvol1.txt", 2, "みどり一色"): -10.0}
    broken = parse("logvol1.txt", LINE.replace("21:00", "27:00").encode()).lines[0]
    assert (broken.kind, bool(broken.reason)) == ("problem", True)
