"""Every word that ever asked a command still asks it, and so does the data of every button in members'
chats."""

import ast
import re
from urllib.parse import parse_qsl

import pytest

from bot.answers.catalogue import CATALOGUE
from bot.answers.common.typed import understood
from bot.chat.command import Catalogue, Command, Spec, data_of
from bot.dispatch.router import Router
from bot.line.webhook import Event
from tests.answers.leagues import World
from tests.tools.house import ROOT

ROUTER = Router(CATALOGUE)
WORDS = {
    "request_rating": "レーティング レート れーてぃんぐ れーと ぐらふ グラフ rating 全対局 グラフで見る 一番強い人",
    "request_rating?span=50": "直近50戦",
    "request_rating?axis=date": "日付で見る",
    "request_models": "ほかのレート 他のレート レート一覧 レートの種類",
    "request_sum": "収支 しゅうし しゅうけい 集計 合計",
    "request_sum?show=parts": "内訳 収支の内訳",
    "request_rank": "着順 順位 ちゃくじゅん 平均着順 平均順位 着順の回数 1着2着3着の回数 着順分布",
    "request_ranking": "ランキング 順位表 ランク ranking rank",
    "request_ranking?by=average": "1戦平均 平均収支",
    "request_ranking?by=first": "トップ率",
    "request_ranking?by=upper": "連対率",
    "request_ranking?by=last": "ラス率 ラス率ワースト",
    "request_ranking?by=ahead": "先着率",
    "request_ranking?by=best": "最高スコア 最高得点 最高点 ベストスコア 最高点数 ハイスコア",
    "request_ranking?by=worst": "最低スコア 最低得点 最低点 ワーストスコア",
    "request_ranking?by=day": "最高の1日 1日の最高得点",
    "request_ranking?by=firsts": "連続トップ 連勝 連勝記録 最多連勝 最大連勝 何連勝 何連勝中 れんしょう 最長連勝",
    "request_ranking?by=not_lasts": "連続ラス回避",
    "request_ranking?by=uppers": "連続連対",
    "request_ranking?by=peak": "最高レート",
    "request_ranking?by=games": "対局数",
    "request_ranking?by=chips": "チップ平均",
    "request_ranking?by=busts": "トビ率 飛び率 飛び回数 トビ回数",
    "request_ranks": "順位推移 じゅんいすいい 順位の推移 順位変動 収支の順位",
    "request_point": "点数推移 点数 ポイント てんすう 推移 変動 収支推移 収支の推移 折れ線",
    "request_tip": "チップ推移 チップ",
    "request_today": "今日 きょう 本日 結果 けっか 誰が勝った だれが勝った 勝者",
    "request_recent": "直近 ちょっきん 最近 履歴 りれき",
    "request_poster": "ポスター 今夜のポスター 今夜のまとめ 今日のまとめ 今日のポスター MVP えむぶいぴー 今日のMVP",
    "request_player": "個人 こじん 成績 せいせき プレイヤー カード 戦績 せんせき",
    "request_player?show=details": "くわしく 詳しく",
    "request_player?who=all": "ほかの人",
    "request_figure?by=place": "何位 なんい 何番 なん位",
    "request_figure?by=gap": (
        "差 首位との差 首位の差 首位差 トップとの差 トップ差 1位との差 一位との差 上との差 首位まで トップまで 1位まで 一位まで 点差"
    ),
    "request_figure?by=leader": "首位 暫定1位 暫定首位 一番勝ってる人 1位は誰 トップ誰",
    "request_figure?by=bottom": "最下位 一番負けてる人 ビリは誰",
    "request_figure?by=nemesis": "天敵 苦手 苦手な相手 苦手な人 苦手なやつ 苦手な奴 にがて 一番負けてる相手 苦手にしてる相手",
    "request_figure?by=prey": "得意 得意な相手 得意な人 得意なやつ 得意な奴 とくい カモ お得意様 一番勝ってる相手 カモってる相手",
    "request_figure?by=winner": "優勝者 優勝した人 優勝したのは誰 チャンピオン 前回の優勝者 王者",
    "request_figure?by=total": (
        "いくら勝った いくら負けた いくつ勝った いくつ負けた どれだけ勝った どれだけ負けた 何点勝った 何点負けた いくら勝ってる "
        "いくら負けてる 勝ってる 負けてる 何点取った"
    ),
    "request_figure?by=first": "トップ何回 何回トップ トップ回数 トップ数 何勝 何回勝った",
    "request_figure?by=last": "ラス何回 何回ラス ラス回数",
    "request_figure?by=games": "何戦 何半荘 何試合",
    "request_matchup": "相性 あいしょう 対戦成績",
    "request_pair": "対決 たいけつ 二人 ふたり 2人 だれかと比べる 誰かと比べる ほかの人と比べる 直対 直接対決 勝ち越してる 負け越してる 勝ち越し 負け越し",
    "request_team": "チーム ちーむ 団体 チーム戦 うちのチーム",
    "request_summary": "まとめ 総括 シーズンまとめ 総まとめ",
    "request_recap": "週報 しゅうほう 週間まとめ トロフィー 週報・月報",
    "request_recap?of=month": "月報 げっぽう 月間まとめ 月報・まとめ",
    "request_forecast": "優勝確率 ゆうしょうかくりつ 優勝予想 ゆうしょうよそう 優勝確率・条件 優勝する確率 優勝の確率 優勝の可能性 優勝しそうな人 優勝しそう 優勝できる 優勝できそう 優勝になりそう 優勝誰になりそう 優勝は誰になりそう 誰が優勝しそう 誰が優勝する 優勝するのは誰 優勝争い 残り何戦 残り対局数",
    "request_needs": "条件 じょうけん 優勝条件 優勝の条件 優勝じょうけん 優勝するには",
    "request_if": "もしも 仮定 かてい",
    "request_skill": "実力 じつりょく 実力と運",
    "request_compare": "レート検証 比較 ひかく レート比較",
    "request_paifu": "牌譜成績 はいふせいせき 和了率 放銃率 アガリ率",
    "request_paifu_luck": "牌効率 ツモ運 配牌運 裏運 はいこうりつ 運・牌効率 運がいい人 運がいいの 運の悪い人",
    "request_gallery": "役満 名場面 名場面集 やくまん めいばめん 役満集 最高打点",
    "request_last_record": (
        "さっきの牌譜 さっきのはいふ さっきの さっきの対局 先ほどの牌譜 さきほどの牌譜 直近の牌譜 ちょっきんの牌譜 ちょっきんのはいふ 最近の牌譜 最後の牌譜 "
        "直近牌譜 さっきの試合 さっきの半荘"
    ),
    "request_records": "牌譜 はいふ 牌譜一覧 はいふ一覧 牌譜リスト 牌譜のある対局",
    "request_danger": "危険度 きけんど 危険",
    "request_quiz": "何切る 今日の何切る なにきる クイズ 何切るクイズ 何切る一問",
    "request_page": "ページ リーグのページ page",
    "request_room": "いまの部屋 部屋のようす",
    "request_signup": "募集 参加者募集 メンツ募集",
    "request_fine": "罰符 ボーナス チョンボ",
    "request_rules": "ルール 規定 卓のルール",
    "request_end_links": "リンクを無効にする リンク無効",
    "request_export": "書き出し かきだし CSV エクスポート データ出力",
    "request_record_report": "牌譜の送り方",
    "request_matchup?show=gap": "点数の差",
    "request_matchup?show=games": "同卓の数",
    "request_ranks?by=rating": "レートの順位",
    "request_needs?show=last&table=top": "最終戦：上位の卓",
    "request_needs?show=last&table=recent": "最終戦：前回の卓",
    "request_year": "自分のまとめ 1年 一年 振り返り ふりかえり 1年の振り返り",
    "request_recent?games=1": "最後の対局 直前の対局 前の対局 前回の対局",
    "request_period": "期間 きかん カレンダー",
    "request_record": "記録 2対2 2対2記録 きろく 2対2を記録",
    "request_table_game": "卓の結果 卓の記録 結果を記録",
    "request_undo": "取り消し 取消 とりけし",
    "request_me": "自分 じぶん",
    "request_me?do=change": "名前を変える 名前変える 名前を変えたい 名前変えたい",
    "request_me?do=forget": "設定を消す",
    "request_rating?show=table": "表で見る レート表 レーティング表",
    "request_ranking?by=lasts": "連続ラス 連敗 連敗記録 最多連敗 最長連敗 何連敗 何連敗中 れんぱい",
    "request_today?show=games": "対局 たいきょく 試合 対局一覧",
    "request_greeting": "雀録の紹介",
    "request_unknown": "分からない言葉",
    "request_menu": "メニュー menu",
    "request_menu?more=1": "もっと",
    "request_help": "ヘルプ help 使い方 つかいかた できること 何ができる 何ができるの つかい方",
    "request_enrol": "登録",
    "request_remove": "解除",
    "request_settings": "設定",
    "request_new_season": "新シーズン",
    "request_alias": "別名",
    "request_team_edit": "チーム編成 チーム変更 チーム追加",
    "request_model": "モデル",
    "request_members": "メンバー",
    "request_confirm": "確認",
    "request_files": "記録ファイル きろくファイル",
    "request_log_file": "記録ファイルの確認",
    "request_log_file_confirm": "記録ファイルの書き込み",
    "request_status": "状態 じょうたい",
    "request_ident": "ID ユーザーID トークID",
    "request_rooms": "部屋",
    "request_hide": "名前を伏せる",
    "request_hide?do=show": "名前を表示する",
    "request_forget_me": "わたしを削除 私を削除",
}
NEW_WORDS = {  # spoken later
    "request_figure?by=total": "プラマイ なんぼ勝った なんぼ負けた なんぼ勝ってる なんぼ負けてる なんぼ勝っとる なんぼ負けとる まだマイナス まだプラス プラス マイナス 勝ってん 勝ってます 勝ってますか 負けてん 負けてます 負けてますか",
    "request_figure?by=mean": "平順 何着",
    "request_rating": "レート1位 レートトップ",
    "request_pair": "との成績 との戦績 何勝何敗 タイマン 勝敗",
    "request_forecast": "まだ優勝できる まだ優勝ある 優勝ある 優勝まだいける 優勝いける",
    "request_paifu?show=wins": "平均打点 平均和了点 打点",
    "request_paifu?show=deal_ins": "振り込み 振り込みすぎ ほうじゅうりつ 平均放銃点",
    "request_paifu_luck": "運いい人 運いいの 運の良さ 運悪い人 運悪い 運悪すぎ 運悪すぎん",
    "request_sum?show=parts": "チップ抜き チップ込み",
    "request_rank": "123着の回数 2着回数 2着多い",
    "request_ranking?by=worst": "最低点数 ひどい点数 最大の負け",
    "request_ranking?by=day": "1日の最高",
    "request_ranking?by=firsts": "トップ何連続 何連続トップ",
    "request_ranking?by=lasts": "ラス何連続 何連続ラス",
    "request_ranking?by=games": "対戦数 試合数 半荘数 打数",
    "request_point": "すいい 曲線",
    "request_player": "段位",
    "request_figure?by=place": "何番目 なんばんめ",
    "request_figure?by=gap": "追いつくには 追い越すには 追い抜くには 抜くには",
    "request_figure?by=bottom": "ビリ ドベ ラス王",
    "request_figure?by=nemesis": "てんてき",
    "request_figure?by=first": "トップの回数",
    "request_figure?by=last": "ラスの回数",
    "request_figure?by=games": "何局",
    "request_team": "チーム順位 チーム別",
    "request_summary": "サマリー シーズンのまとめ",
    "request_needs": "逆転の条件 逆転条件 逆転するには 首位になる条件 首位になるには",
    "request_skill": "運と実力 実力順 実力と運の割合",
    "request_paifu": "牌譜の成績 牌譜の統計 牌譜せいせき よくアガる",
    "request_last_record": "最新の牌譜",
    "request_export": "書き出して",
    "request_rules": "うちのルール ウマ オカ ウマオカ",
    "request_me?do=change": "名前をかえたい ニックネームをかえたい 登録名をかえたい 表示名をかえたい",
    "request_help": "コマンド コマンド一覧",
}
BUTTONS = """
request_rating?season=all&model=trueskill&seats=4&span=100 request_rating?from=2026-09-01&to=2026-09-30&axis=date
request_models?season=2 request_sum?season=2&show=parts request_rank?season=1&seats=4 request_ranking?season=1&seats=3&by=first
request_ranks?season=all&by=rating request_point?season=1&axis=date request_tip?season=1 request_team?season=2&axis=date
request_today?date=2026-09-20 request_recent?page=2&season=1&player=%E3%81%BF%E3%81%A9%E3%82%8A request_poster?date=2026-09-20
request_player?player=%E3%81%BF%E3%81%A9%E3%82%8A&season=1&show=details request_player?who=all request_matchup?who=all&season=2
request_matchup?player=%E3%81%BF%E3%81%A9%E3%82%8A&other=%E7%99%BD%E7%99%BC%E4%B8%AD&show=gap
request_pair?player=%E3%81%BF%E3%81%A9%E3%82%8A&other=%E7%99%BD%E7%99%BC%E4%B8%AD&season=1 request_recap?of=month
request_recap?from=2026-09-14&to=2026-09-20 request_forecast?season=2&left=50 request_needs?season=2&left=30&show=last&table=top
request_if?season=2&left=30&player=%E3%81%BF%E3%81%A9%E3%82%8A&placing=2 request_skill?season=all request_compare?season=all
request_paifu?seats=3&player=%E3%81%BF%E3%81%A9%E3%82%8A&show=riichi request_paifu_luck?seats=4 request_gallery?seats=3
request_last_record?before=1 request_records?page=2&player=%E3%81%BF%E3%81%A9%E3%82%8A request_record_report?id=1&tw=2
request_danger?seats=4&q=123m request_export?season=1 request_period?of=rank&seats=3 request_summary?season=1&seats=3
request_record?n=1&add=2 request_me?do=change request_me?player=%E3%81%BF%E3%81%A9%E3%82%8A request_menu request_help
"""


@pytest.mark.parametrize(
    ("data", "word"),
    [(data, word) for data, all in (*WORDS.items(), *NEW_WORDS.items()) for word in all.split()],
)
def test_every_word_of_before_asks_its_command(data: str, word: str) -> None:
    for typed in (word, f"{word}は？", word.upper()):
        command = ROUTER.from_words(typed)
        assert command is not None, typed
        assert data_of(command.name, **command.options) == data


def test_the_list_is_whole() -> None:
    said = {word for words in (*WORDS.values(), *NEW_WORDS.values()) for word in words.split()}
    now = {word for spec in CATALOGUE.values() for word in (*spec.words.split(), *spec.shortcuts)}
    made = re.compile(
        "誰|差$|と$|率$|一番|いちばん|1番|まで|なら$|ったら$|変え|変更|何点|^いく|^なんぼ|^どれ|^どんだけ"
    )  # 誰がトップ and their like
    assert {word for word in now if not made.search(word)} <= said


def test_every_command_answers_its_words() -> None:
    """In the league of nine, where a word alone asks something that reads and is quick."""
    world = World.again("nine", "みどり")
    for data in WORDS:
        command = ROUTER.from_postback(data)
        assert command is not None
        spec = CATALOGUE[command.name]
        if spec.answer is not None and not spec.slow:
            assert world.ask(data).messages, data


@pytest.mark.parametrize("data", BUTTONS.split())
def test_old_buttons_keep_their_options(data: str) -> None:
    name, _, query = data.removeprefix("request_").partition("?")
    assert ROUTER.from_postback(data) == Command(name, dict(parse_qsl(query)))


@pytest.mark.parametrize("word", ["3人", "三人", "三麻", "サンマ", "３人打ち", "三人麻雀"])
def test_the_words_of_seats_mean_the_same_everywhere(word: str) -> None:
    world = World.again("nine", "みどり")
    for spec in CATALOGUE.values():
        if "seats" in spec.takes:
            said = ROUTER.from_words(f"{spec.title} {word}")
            assert said is not None
            assert understood(world.question(said)).option("seats") == "3", spec.name


@pytest.mark.parametrize(
    ("asked", "words", "data"),
    [
        ("request_paifu?seats=4&show=riichi", "3人は？", "request_paifu?seats=3&show=riichi"),
        ("request_paifu?seats=4", "放銃は？", "request_paifu?seats=4&show=deal_ins"),
        ("request_records?page=2", "みどりは？", "request_records?player=%E3%81%BF%E3%81%A9%E3%82%8A"),
        ("request_sum?season=1", "牌譜は？", "request_records?season=1"),
        ("request_gallery", "収支は？", "request_sum"),
        ("request_player?player=%E3%81%BF%E3%81%A9%E3%82%8A", "さっきの牌譜", "request_last_record"),
        ("request_rank?season=1", "9月は？", "request_rank?from=2026-09-01&to=2026-09-30"),
    ],
)
def test_every_answer_that_takes_words_can_be_quoted(asked: str, words: str, data: str) -> None:
    router = Router(CATALOGUE, asked=lambda chat, message: asked)
    text = Event("1", "message", "C1", "U1", "t", 0.0, text=words, message_type="text", quoted="1")
    command = router.command_of(text)
    assert command is not None
    said = understood(World.again("nine").question(command)).command
    assert data_of(said.name, **dict(sorted(said.options.items()))) == data


def test_commands_are_named_by_a_constant() -> None:
    """In what makes buttons and Specs, so that a misspelt one fails in the type check and when the catalogue
    is made."""
    where = {"choice": 1, "data_of": 0, "Command": 0}
    for path in sorted((ROOT / "bot").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in where:
                named = node.args[where[node.func.id] :][:1]
                said = [each.value for each in named if isinstance(each, ast.Constant)]
                assert not any(said), f"{path}:{node.lineno}"


def test_a_misspelt_command_is_found_when_the_catalogue_is_made() -> None:
    specs = (Spec(name="one", title="一", instead="two"), Spec(name="two", title="二"))
    Catalogue(specs).check(["one"])
    with pytest.raises(ValueError, match="no such command: two"):
        Catalogue(specs[:1]).check()
    with pytest.raises(ValueError, match="no such command: three"):
        Catalogue(specs).check(["three"])
