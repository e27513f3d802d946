"""Sentences as members type them, and what comes: in a group, and in the 1:1 chat."""

from functools import cache

import pytest

from bot.answers.catalogue import CATALOGUE
from bot.answers.common.members import names_of
from bot.answers.common.ratings import model_title
from bot.chat.replies import Picture, Reply, Table, Text, UserError
from bot.dispatch.router import Router
from bot.line.webhook import Event
from rating.models import MODELS
from tests.answers.leagues import World

GROUP, USER = "C" + "2" * 32, "U" + "1" * 32
# Two seasons of nine members: the first in January 2026, the second from 1 to 20 September 2026; it is 5
# November 2026.
SENTENCES = [
    # A command's word, in kana and kanji
    ("収支", "収支　第2シーズン"),
    ("しゅうし", "収支　第2シーズン"),
    ("シュウシ", "収支　第2シーズン"),
    ("収支？", "収支　第2シーズン"),
    ("収支は？", "収支　第2シーズン"),
    ("収支教えて", "収支　第2シーズン"),
    ("着順 見せて", "着順　第2シーズン"),
    ("ちゃくじゅん", "着順　第2シーズン"),
    ("れーと", "第2シーズン"),
    ("ﾚｰﾃｨﾝｸﾞ", "第2シーズン"),
    *((model_title(n), f"{model_title(n)}　第2シーズン") for n, m in MODELS.items() if m.plays == "games"),
    ("2対2レート", "2対2レート　通算"),
    ("２対２レートは？", "2対2レート　通算"),
    ("得点の強さ", "実力（推定）　第2シーズン"),
    ("対戦の強さ 9月", "対戦の強さ　2026年9月"),
    ("対戦の強さって何だろう", None),
    ("ほかのレート", "ほかのレート"),
    ("らんきんぐ", "平均着順ランキング　第2シーズン"),
    ("順位表", "平均着順ランキング　第2シーズン"),
    ("順位推移", "収支の順位推移　第2シーズン"),
    ("トップ率", "トップ率ランキング　第2シーズン"),
    ("ラス率は？", "ラス率ランキング　第2シーズン"),
    ("最高スコア 通算", "最高スコアランキング　全シーズン"),
    ("きょう", "9月20日(日)の結果"),
    ("期間", "期間　収支"),
    # Periods and seasons
    ("収支 先月", "2026年10月の対局はありません。"),
    ("収支 9月", "収支　2026年9月"),
    ("収支　９月", "収支　2026年9月"),
    ("9月の収支", "収支　2026年9月"),
    ("9月の着順は？", "着順　2026年9月"),
    ("2026年9月の着順", "着順　2026年9月"),
    ("6月の着順", "2026年6月の対局はありません。"),
    ("1/3〜1/10の収支", "収支　2026年1月3日〜1月10日"),
    ("収支 1/3 〜 1/10", "収支　2026年1月3日〜1月10日"),
    ("1月3日から1月10日までの着順", "着順　2026年1月3日〜1月10日"),
    ("収支 直近100日", "収支　2026年7月29日〜11月5日"),
    ("ランキング 9月", "平均着順ランキング　2026年9月"),
    ("レート 9月", "2026年9月"),
    ("収支 去年", "2025年の対局はありません。"),
    ("着順 1期", "着順　第1シーズン"),
    ("着順 前シーズン", "着順　第1シーズン"),
    ("収支 通算", "収支　全シーズン"),
    ("収支 三人", "収支　第2シーズン"),
    ("収支 四人", "その人数の対局はありません。"),
    ("チップ 1期", "収支の内訳　第1シーズン"),
    # Days
    ("昨日", None),  # no games then: in a group it is left alone
    ("9/20", "9月20日(日)の結果"),
    ("9月20日", "9月20日(日)の結果"),
    ("9/20の収支", "収支　2026年9月20日"),
    ("今日 9/19", "9月19日(土)の結果"),
    # Members
    ("個人 みどり", "みどり　第2シーズン"),
    ("個人 みどりさん", "みどり　第2シーズン"),
    ("成績 ミドリ", "みどり　第2シーズン"),
    ("個人 白発中", "白發中　第2シーズン"),
    ("みどりの成績", "みどり　第2シーズン"),
    ("みどり 9月", "みどり　2026年9月"),
    ("みどりの9月の成績", "みどり　2026年9月"),
    ("みどり 今月", "2026年11月の対局はありません。"),
    ("収支 みどり", "みどり　第2シーズン"),
    ("みどり 白發中", "みどり と 白發中　第2シーズン"),
    ("みどりと白發中", "みどり と 白發中　第2シーズン"),
    ("みどりvs白發中", "みどり と 白發中　第2シーズン"),
    ("みどり 白發中 1期", "みどり と 白發中　第1シーズン"),
    ("対決 みどり 白發中 9月", "みどり と 白發中　2026年9月"),
    ("二人 みどり 東風", "みどり と 東風　第2シーズン"),
    ("相性 みどり 9月", "みどりの相性　2026年9月"),
    ("直近 みどり", "みどりの直近の対局"),
    ("最近 みどり", "みどりの直近の対局"),
    ("まとめ 先月", "2026年10月の対局はありません。"),
    ("まとめ 9月", "月報　2026年9月"),
    ("9月のまとめ", "月報　2026年9月"),
    ("9/14〜9/20のまとめ", "週報　9/14〜9/20"),
    ("週報", "週報　9/14〜9/20"),
    ("げっぽう", "月報　2026年9月"),
    ("月報 9月", "月報　2026年9月"),
    ("今夜のまとめ", "9月20日(日)の全8戦"),
    ("ポスター 9/19", "9月19日(土)の全8戦"),
    ("優勝確率 9月", "「優勝確率」は期間では出せません。"),
    # Talk is left alone in a group, and so is a command's word before it
    ("収支 ぞうさん", None),
    ("着順 13月", None),
    ("個人 ぞうさん", None),
    ("今日 打てる人", None),
    ("最近 寒いですね", None),
    ("自分 も行きたいです", None),
    ("みどり", None),
    ("みどりさん強い", None),
    ("先月はひどかった", None),
    ("先月の収支やばい", None),
    ("今日は無理", None),
    ("ありがとう", None),
    ("了解 おつかれ", None),
    ("三人？", None),
    ("今月", None),
]
# One vocabulary for every command, each with its own words; and talk that holds them
MORE = [
    ("収支 3人", "収支　第2シーズン"),
    ("収支 三麻", "収支　第2シーズン"),
    ("収支 サンマ", "収支　第2シーズン"),
    ("3人の収支", "収支　第2シーズン"),
    ("着順 ３人打ち", "着順　第2シーズン"),
    ("レート 三麻", "レーティング　第2シーズン"),
    ("ランキング サンマ", "平均着順ランキング　第2シーズン"),
    ("トップ率 三人", "トップ率ランキング　第2シーズン"),
    ("個人 みどり 3人", "みどり　第2シーズン"),
    ("みどり 三麻", "みどり　第2シーズン"),
    ("対決 みどり 白發中 サンマ", "みどり と 白發中　第2シーズン"),
    ("相性 3人", "相性　第2シーズン"),
    ("直近 三麻", "直近の対局"),
    ("三麻の直近", "直近の対局"),
    ("牌譜成績 3人", "まだ牌譜がありません"),
    ("牌譜成績 サンマ", "まだ牌譜がありません"),
    ("三麻の牌譜成績", "まだ牌譜がありません"),
    ("和了率 三人麻雀", "まだ牌譜がありません"),
    ("牌効率 3人", "まだ牌譜がありません"),
    ("名場面集 三麻", "役満や名場面は、送られた牌譜から集めます"),
    ("役満 3人", "役満や名場面は、送られた牌譜から集めます"),
    ("みどりの役満", "役満や名場面は、送られた牌譜から集めます"),
    ("さっきの牌譜 3人", "牌譜のある対局がまだありません"),
    ("牌譜 3人", "天鳳の牌譜のURLか、牌譜ファイル（.mjlog"),
    ("みどりの牌譜", "天鳳の牌譜のURLか、牌譜ファイル（.mjlog"),
    ("牌譜 1期", "天鳳の牌譜のURLか、牌譜ファイル（.mjlog"),
    ("牌譜成績 みどり", "まだ牌譜がありません"),
    ("牌譜成績 リーチ", "まだ牌譜がありません"),
    ("牌譜成績 先月", "まだ牌譜がありません"),
    ("条件 3人", "第2シーズンはもう終わっています"),
    ("条件 前シーズン", "第1シーズンはもう終わっています"),
    ("優勝確率 三麻", "優勝確率　第2シーズン（結果）"),
    ("もしも みどり", "第2シーズンはもう終わっているので、もしもの計算"),
    ("実力 みどり 白發中", "みどり と 白發中の実力　第2シーズン"),
    ("実力 3人 1期", "実力と運　第1シーズン"),
    ("まとめ 3人", "第2シーズンのまとめ"),
    ("月報 3人", "月報　2026年9月"),
    ("チーム 9月", "チーム　2026年9月"),
    ("点数推移 1期", "点数推移　第1シーズン"),
    ("自分 3人", "どのメンバーですか？"),
    ("ポスターは？", "9月20日(日)の全8戦"),
    ("今夜のポスターお願い", "9月20日(日)の全8戦"),
    ("トロフィーは？", "週報　9/14〜9/20"),
    ("グラフ見せて", "レーティング　第2シーズン"),
    ("1期の着順", "着順　第1シーズン"),
    ("今期の収支", "収支　第2シーズン"),
    ("前シーズンのランキング", "平均着順ランキング　第1シーズン"),
    ("2026年9月の収支", "収支　2026年9月"),
    ("9/14〜9/20の収支", "収支　2026年9月14日〜9月20日"),
    ("9月のみどり", "みどり　2026年9月"),
    ("みどりの相性", "みどりの相性　第2シーズン"),
    ("みどりと東風の対決 1期", "みどり と 東風　第1シーズン"),
    ("ラス率 通算", "ラス率ランキング　全シーズン"),
    ("最高スコア 9月", "最高スコアランキング　2026年9月"),
    ("書き出し 1期", "書き出し　第1シーズン"),
    ("危険度 三麻 123m456p789s11z", "三人打ちに2萬から8萬はありません（四人打ちのと"),
    ("対戦成績 みどり", "みどりの相性　第2シーズン"),
    ("プレイヤー みどり", "みどり　第2シーズン"),
    ("履歴 みどり", "みどりの直近の対局"),
    ("優勝条件は？", "第2シーズンはもう終わっています"),
    ("役満でた！", None),
    ("牌譜 見たい人いる？", None),
    ("条件きびしい", None),
    ("さっきのはひどい", None),
    ("自分は欠席", None),
    ("2人しかいない", None),
    ("最近 サンマ多いね", None),
    ("三麻やりたい", None),
    ("3人 集まった", None),
    ("牌譜ありがとう", None),
]
ALONE = [
    ("みどり", "みどり　第2シーズン"),
    ("みどりは？", "みどり　第2シーズン"),
    ("しゅしう", "収支　第2シーズン"),
    ("レーテイング", "第2シーズン"),
    ("ランキンク", "平均着順ランキング　第2シーズン"),
    ("みどりい", "みどり　第2シーズン"),
    ("昨日", "2026年11月4日の対局はありません。"),
    ("9月", "収支　2026年9月"),
    ("通算", "収支　全シーズン"),
    ("今日 打てる人", "分かりませんでした。"),
    ("収支 ぞうさん", "「ぞうさん」が分かりませんでした。"),
    ("着順 13月", "「13月」が分かりませんでした。"),
    ("個人 ぞうさん", "その名前の人は見つかりません。"),
    ("ありがとう", "ごめんなさい、読み取れませんでした。"),
]


@cache
def _world() -> World:
    return World.again("nine")


def heard(text: str, alone: bool) -> Reply | None:
    """What the bot says to a text, None for nothing."""
    world = _world()
    router = Router(CATALOGUE, lambda chat: names_of(world.repository.snapshot()))
    event = Event("1", "message", USER if alone else GROUP, USER, "t", 0.0, text=text, message_type="text")
    command = router.command_of(event)
    if command is None:
        return None
    try:
        return world.reply(command)
    except UserError as error:
        return error.reply if alone or not error.chatter else None


def words(reply: Reply) -> str:
    found = []
    for part in reply.parts:
        found += [part.alt] if isinstance(part, Picture) else []
        found += [part.title] if not isinstance(part, Text | Picture) and hasattr(part, "title") else []
        found += [part.text] if isinstance(part, Text) else []
    return "\n".join(found)


@pytest.mark.parametrize(("text", "shown"), [*SENTENCES, *MORE])
def test_in_a_group(text: str, shown: str | None) -> None:
    reply = heard(text, alone=False)
    if shown is None:
        assert reply is None
    else:
        assert reply is not None
        assert shown in words(reply)


@pytest.mark.parametrize(("text", "shown"), ALONE)
def test_alone_with_the_bot(text: str, shown: str) -> None:
    reply = heard(text, alone=True)
    assert reply is not None
    assert shown in words(reply)


def test_a_commands_word_never_gets_silence() -> None:
    """Whatever follows the word of a command that reads: members and days everywhere, nonsense in the 1:1
    chat; in a group that is talk."""
    for spec in CATALOGUE.values():
        if not spec.takes_words or spec.hidden or spec.slow:
            continue
        for rest in ("", " みどり", " 先月"):
            assert heard(spec.title + rest, alone=False) is not None, spec.title + rest
        for rest in (" ぞうさん", " 13月", " 9/31", " いつやる？"):
            assert heard(spec.title + rest, alone=False) is None, spec.title + rest
            assert heard(spec.title + rest, alone=True) is not None, spec.title + rest


def test_a_table_is_told() -> None:
    reply = heard("ランキング 9月", alone=False)
    assert reply is not None
    (table,) = reply.parts
    assert isinstance(table, Table)
    assert table.rows[0].rank == "1"
