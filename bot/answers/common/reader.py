"""Reads a text as terms: a command, members, a period, a season, seats, a rating system, and little
words. A text is read whole or not at all, so that members' talk is none; each place of it is looked
at once."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product
from math import prod
from typing import NamedTuple

from bot.answers.common.members import key
from bot.answers.common.periods import is_period
from bot.answers.common.ratings import BY_WORD
from bot.answers.common.scope import ALL
from bot.chat.command import LONGEST, Ask, Catalogue, Spec, Term, TermKind, normal

MOST = 64  # readings of one word that are made
_LONGEST = 10  # characters of a word that is read
_TABLE = """
一いち,いつ,かず,ひと,いー 二に,じ,ふた,りゃん 三さん,み,みつ,さぶ 四し,よん,よ,すー 五ご,う,うー
六ろく,む,りゅう 七しち,なな,ちー 八はち,や,ぱー 九きゅう,く,ここの,ちゅう 十じゅう,とお,しー
百ひゃく,もも 千せん,ち 万まん,よろず,わん 東とう,とん,ひがし,あずま 南なん,みなみ,なみ
西さい,しゃー,にし,せい 北ほく,ぺー,きた 白はく,しろ,しら,ぱい 発はつ,はっ,ほつ 中ちゅう,ちゅん,なか
風ふう,ぷう,かぜ,ふん,かざ 両りょう,りゃん 面めん,おもて,つら 待まち,まつ,たい 色しょく,いろ,しき
海かい,はい,うみ,み 底てい,そこ 丸まる,がん 河か,ほう,かわ 嶺れい,りん,みね 槓かん 国こく,くに
士し,さむらい 無む,な 双そう,ふた 緑みどり,りょく,りゅう,ろく 老ろう,らお,ろー 頭とう,あたま,かしら
清せい,ちん,きよ 混こん,ほん 対たい,とい 刻こく,こー 暗あん,くら 平へい,ぴん,たいら,ひら 和わ,ほう,かず
満まん,みつ 貫かん,つら 跳はね,ちょう 倍ばい 役やく 牌はい,ぱい 雀じゃん,すずめ 荘そう,しょう
燕つばめ,えん 返かえし,がえし,へん 断たん 立りつ,たつ,りー 直ちょく,なお,ち 宝ほう,たから,どら 裏うら
赤あか,せき 青あお,せい 黒くろ,こく 金きん,かね,かな 銀ぎん 黄き,こう 紫むらさき,し 桃もも,とう
桜さくら,おう 梅うめ,ばい 松まつ,しょう 竹たけ,ちく 菊きく 花はな,か 華はな,か 蘭らん 蓮れん,はす 葵あおい
楓かえで 椿つばき 菫すみれ 杏あん,あんず 柚ゆず,ゆ 李り,すもも 草くさ,そう 葉は,よう 木き,もく,ぎ
林はやし,りん 森もり,しん 山やま,さん 川かわ,せん,がわ 谷たに,や 田た,でん,だ 野の,や 原はら,げん,ばら
沢さわ,ざわ,たく 石いし,せき 岩いわ,がん 島しま,とう,じま 崎さき,ざき 浜はま 池いけ,ち 水みず,すい 火ひ,か
土つち,ど 天てん,あま 空そら,くう 星ほし,せい 月つき,げつ,がつ 日ひ,にち,か 陽よう,はる,ひ
光ひかり,こう,みつ 雪ゆき,せつ 雨あめ,う 雲くも,うん 雷かみなり,らい 虹にじ 夢ゆめ,む 愛あい 恋こい,れん
心こころ,しん 春はる,しゅん 夏なつ,か 秋あき,しゅう 冬ふゆ,とう 朝あさ,ちょう 夜よる,や,よ 夕ゆう
朱しゅ,あか 猫ねこ 犬いぬ,けん 虎とら,こ 竜りゅう,たつ,ろん 鳥とり,ちょう 魚さかな,うお 馬うま,ば 牛うし
熊くま 狐きつね 狸たぬき 亀かめ 鶴つる,かく 鷹たか 鷲わし 鳳おおとり,ほう 凰おう 神かみ,しん,こう
仏ほとけ,ぶつ 王おう 姫ひめ 帝てい,みかど 将しょう,まさ 軍ぐん 鬼おに,き 魔ま 侍さむらい,じ 忍しのぶ,にん
師し 匠しょう,たくみ 男おとこ,お,だん 女おんな,め,じょ 子こ,し,す 太た,たい,ふと 郎ろう 助すけ 介すけ,かい
吉きち,よし 次じ,つぎ 大おお,だい,ひろ 小こ,お,しょう 高たか,こう 長なが,ちょう 新しん,あら,にい 古ふる,こ
上うえ,かみ,じょう 下した,しも 左ひだり,さ 右みぎ,う 前まえ,ぜん 後あと,ご 本もと,ほん 村むら,そん
町まち,ちょう 藤ふじ,とう,どう 佐さ 斎さい 伊い 渡わた,と 辺べ,なべ 近ちか,こん 遠とお,えん 井い
口くち,ぐち 内うち,ない 橋はし,ばし,きょう 坂さか,ざか 岡おか 福ふく 安やす,あん 永なが,えい 久ひさ,く
美み,び 恵え,めぐみ,けい 香か,かおり,こう 里さと,り 奈な 菜な 真ま,しん,まこと 優ゆう,まさる 勇ゆう,いさむ
健けん,たけし 翔しょう,と,かける 拓たく 明あき,めい,あきら 正まさ,しょう,ただし 誠まこと,せい
浩ひろ,ひろし,こう 宏ひろ,ひろし,こう 博ひろ,ひろし,はく 隆たかし,りゅう,たか 剛つよし,ごう 学まなぶ,がく
修おさむ,しゅう 進すすむ,しん 聡さとし,そう 智さとし,とも,ち 哲てつ,さとし 徹とおる,てつ 純じゅん
淳じゅん,あつし 潤じゅん 涼りょう 良りょう,よし 亮りょう 翼つばさ 蒼あお,そう 樹いつき,き,じゅ
悠ゆう,はるか 遥はるか 結ゆい,ゆう 陸りく 湊みなと 蛇へび,じゃ 強つよし,きょう 弱じゃく 打うち,だ
勝かつ,しょう,まさる 負まけ 運うん 力ちから,りき 点てん 棒ぼう 組くみ 手て,しゅ 目め 耳みみ 鼻はな 足あし
紬つむぎ 向むき,なた,こう 颯そう,はやて 凛りん 莉り 彩あや 琴こと 澪みお 咲さき 希き,のぞみ 由ゆ,よし
佳か,よし 沙さ 紗さ 亜あ 斗と 人と,ひと 仁じん,ひとし 隼はやと,しゅん 駿しゅん 也や 弥や 之ゆき
幸ゆき,こう 彦ひこ 輝てる,き,ひかる 航わたる,こう 渉わたる 悟さとる 司つかさ,し 実みのる,み 昭あき
雄お,ゆう 夫お 敏とし 俊とし,しゅん 晴はる 治はる,じ 紀のり,き 典のり
"""
_READINGS = {entry[0]: tuple(entry[1:].split(",")) for entry in _TABLE.split()}
_LOOSE = str.maketrans(
    "ぁぃぅぇぉっゃゅょゎがぎぐげござじずぜぞだぢづでどばびぶべぼぱぴぷぺぽ",
    "あいうえおつやゆよわかきくけこさしすせそたちつてとはひふへほはひふへほ",
    "ー",
)


_FOREIGN_KANA = "てぃち でぃぢ とぅつ ふぁは ふぃひ ゔぁば ゔぶ つぁさ"
_AS_SAID = {pair[:-1]: pair[-1] for pair in _FOREIGN_KANA.split()}
_FOREIGN = re.compile("|".join(_AS_SAID))


@lru_cache(4096)
def loose(word: str) -> str:
    """A word (as `normal` writes it) without what a thumb gets wrong: small kana, voicing, long
    vowels.
    """
    return word.translate(_LOOSE)


@lru_cache(4096)
def thumbed(word: str) -> frozenset[str]:
    """The ways a word is compared: as `loose` kana, also with れーてぃ as れーち."""
    return frozenset(
        {
            loose(word),
            loose(
                _FOREIGN.sub(
                    lambda found: _AS_SAID[found[0]],
                    word,
                )
            ),
        }
    )


def _readings_of(sign: str) -> tuple[str, ...]:
    """The readings of a kanji; kana read as they are, and other signs have no reading."""
    if "ぁ" <= sign <= "ー":
        return _READINGS.get(sign, (sign,))
    return _READINGS.get(sign, ())


@lru_cache(4096)
def sounds(word: str) -> frozenset[str]:
    """The ways a word (as `normal` writes it) may sound, as `loose` kana. There are none for a word
    with a letter that has no reading, and none for one that is too long or has too many ways.
    """
    if len(word) > _LONGEST:
        return frozenset()
    readings = [_readings_of(letter) for letter in word]
    ways = prod(len(of_letter) for of_letter in readings)
    if ways == 0 or ways > MOST:
        return frozenset()
    return frozenset(loose("".join(kana)) for kana in product(*readings))


TYPOS = 24  # characters of a text in which a typing error is looked for


def _by_normal(words: Mapping[str, str]) -> dict[str, str]:
    return {normal(word): value for value, said in words.items() for word in said.split()}


SEATS = _by_normal(
    {
        "3": "三人 3人 三人打ち 3人打ち 三麻 サンマ 三人麻雀 3麻",
        "4": "四人 4人 四人打ち 4人打ち 四麻 ヨンマ 四人麻雀 4麻",
    }
)
_SEASONS = _by_normal(
    {
        "latest": "今シーズン 今期 今季 このシーズン",
        "before": "前シーズン 先シーズン 昨シーズン 前期 昨季 前回のシーズン 前のシーズン",
        ALL: "全部 全期間 全シーズン 通算 トータル 歴代 今まで これまで 累計 all",
    }
)
_SEASON = re.compile(r"^(?:第|シーズン|しーずん|s)?([0-9]{1,4})(?:シーズン|しーずん|期)?$")
_AGAIN = _by_normal({"": "もう一度 もういちど もう1回 もう一回 もっかい 最新 更新 再度"})
_GAMES = re.compile(
    r"(?:最近|さいきん|直近|ここ|過去|この|前の?|らすと)の?([0-9]{1,3})(?:戦|せん|半荘|はんちゃん|試合|げーむ|回|局)分?"
    r"|直近の?([0-9]{1,3})"
)
_SELVES = (
    "俺 おれ 俺様 オイラ 僕 ぼく 私 わたし あたし わたくし わし 儂 わい うち 自分 じぶん 自身 当方"
)
SELF = frozenset(normal(_SELVES).split())
_ASKS = (
    "教えて おしえて おせーて おせえて 見せて みせて みして 見して 出して だして 見たい みたい 見たいな "
    "知りたい しりたい 確認したい ください 下さい くださいな くれ ちょうだい 頂戴 お願い お願いします "
    "お願いいたします おねがい おねがいします おなしゃす 頼む たのむ よろ はよ はよう 早く はやく まだ "
    "まだかな プリーズ please plz ほしい 欲しい どう どうだった どうなの どうなる どうなるの どうなります "
    "どうなりますか どうですか どうでした どうでしたか どうなった どうなりました どうなってる まとめて "
    "きぼん 希望 並べて ならべて くらべて 比べて 貼って 送って 作って つくって 頼んます たのんます "
    "たのむわ 言うて 出せる 出せない どうなってますか どうよ どうかな どうだっけ どうだったっけ どうなん "
    "どうなんだろう どんな感じ どうなってたっけ くらべたい 比べたい くらべ くらべよう 比べよう みせろ "
    "見せろ 検討したい 分析 解析 解析して 検討 検討して 出せます 出せますか わからん どんなかんじ "
    "どんなもん 表示 見る みる 見て みて"
)
_LITTLE_WORDS = (
    "の は わ が を も と で に へ や って だと なら さんの っち の場合 について に関して の方 どこ 何 "
    "なに いくつ いくら なんぼ どれくらい どのくらい どんくらい どれぐらい どのぐらい 何点 何回 何枚 何% "
    "何パーセント 何人 だっけ っけ だった だったっけ です ですか でしたか でしょう でしょうか かな かしら "
    "なの あと なのか なん なんだ やねん 今 いま 今の いまの 現在 現時点 ねえ ねぇ ねー なあ おーい おい "
    "えっと えーと あの ちなみに ところで そういえば とりあえず もう がわからない が分からない がわからん "
    "わからない の記録 取った とった 打った うった した やった 誰 だれ みんな みんなの 全員 全員の 我々 対 "
    "vs vs. 雀録 どっちが強い どっちが上 どちらが強い どっち どっち強い どっちが強いの やつ 奴 のやつ 一番 "
    "いちばん 場合 誰よ じゃ している してる くん ちゃん さん だけ だけで 順に 順で 数字で 数値で "
    "いっぺんに 結局 絶対 ことある あがったことある やろ しろ って何 んだけど のって ある あるん "
    "いまどんな つけて 見せてや みせてや くれん くれへん の分 何パー ひと 打ってる 出る 足りない "
    "何ポイント 順番 のちょうし 事ある あがった事ある マトリックス 必要 必要ですか どんな どない 見られる "
    "見れる 見れます 先輩 氏 さま 様 分 の調子 いますか います いつ 最後に に対する には してん してんの "
    "良い いただけますか いただけませんか もらえますか もらえる くれますか くれません くださいますか "
    "できますか 出せますか"
)
# Said of what is asked for, where somebody asks who or which: 誰のラス率が一番低い, but
# レート高いｗ is talk.
_DEGREES = (
    "高い 低い 多い 少ない 強い 弱い 長い 短い いい 良い 悪い 上 下 最長 最多 最大 最小 最強 稼いだ "
    "稼いでる 勝った 勝ってる 負けた 負けてる 取った 上がった あがった 出た でた 出した 達成した 持ってる "
    "記録 人 やつ いる おる ある あった 大きい でかい たかい ひくい ばっか ばっかり 悪すぎ 悪すぎん 良すぎ "
    "調子いい 引いてる 引いた 離れてる 開いてる 差がある 下がった 回数 ベスト ワースト"
)
_ENDS = f"{_ASKS} {_LITTLE_WORDS} 、 。 , ! ? … ~ ー".replace(" や ", " ")  # 自分でやって is talk
_NOISE = frozenset(normal(f"{_ASKS} {_LITTLE_WORDS} 表 一覧 データ 記録は").split())
_DEGREE = frozenset(normal(_DEGREES).split())
_WHO = re.compile("誰|何回|だれ|人|一番|いちばん|1番|どの|最長|最多|最大|[?？]")
_LONGEST_NOISE = max(map(len, _NOISE))
_SIGNS = re.compile(r"(?:[^\w]|_|ー|w+(?![a-z])|笑|草|っ)+")
_ASKING = re.compile(
    "|".join(
        map(
            re.escape,
            map(normal, _ASKS.split()),
        )
    )
)
# Read backwards, the longest first: so each character is looked at once, however many little
# words there are.
_LONGEST_FIRST = sorted(_ENDS.split(), key=len, reverse=True)
_ONE = "|".join(re.escape(end[::-1]) for end in _LONGEST_FIRST)
_LAST = re.compile(_ONE)
_LITTLE = re.compile(f"(?:{_ONE})*+")
# Says that something is wanted, anywhere in a text that is not read whole.
_WISH = re.compile(
    "(?:"
    + "|".join(re.escape(normal(word)) for word in _ASKS.split() if word != "まだ")
    + ")(?!から)|[?？]|誰|だれ|いくつ|いくら|なんぼ|なん[枚点位回%]|何[枚点位回%]|どれ|どっち|っけ$"
)
# Of talk, in a text that is not read whole.
_SUPPOSED = re.compile("ても|でも|たら|なら|んかった|わけ|けどな|なんだっけ")
_YAKUMAN = re.compile(
    "国士(?:無双)?|大三元|四暗刻|字一色|緑一色|清老頭|[大小]四喜|九[蓮連](?:宝灯)?|四槓子|[天地]和"
)
_BEGGED = re.compile(
    "[見み]せ[てろ]|[教おし]えて|[出だ]して|[下くだ]さい|お願い|おねがい|ほしい|欲しい|[知見]りたい|見たい|[比ら]べ|ちょうだい"
)
_GRAMMAR = re.compile("[ぁ-んー]{0,4}")  # of a text that is read but for so much
_VAGUE = {
    "gap",
    "leader",
    "bottom",
    "winner",
    "place",
    "games",
}  # figures whose words say much else
_LONGEST_TERM = 12
_COMMON_WORDS = (
    "結果 点数 記録 ポイント 一番 トップ ラス 運 得意 苦手 カモ 差 条件 まとめ チップ チーム 対決 ポスター "
    "ランキング ランク 牌譜 役満 合計 集計 成績 危険 数字 直近 自分 個人 カード グラフ 相性 推移 変動 履歴 "
    "勝ってる 負けてる 何戦 優勝しそう 優勝できる 連勝 連敗 勝者 実力 比較 順位 書き出し ルール 罰符 1年 "
    "一年"
)
_COMMON = frozenset(normal(_COMMON_WORDS).split())  # said of other things too
_DATED = frozenset("今昨本先去前半一二三直最過土日月火水木金")
_DATED_KANA = re.compile(r"さい|きょ|きの|きゅ|こ[んとのなこ]|せん|おと|さき|さく|ゆう|らす|~")
_REPORTED = re.compile("どうだった|どうでした|[見み]せて|[教おし]えて|[出だ]して|まとめて|ください")
_STROKES = re.compile(r"[\s\-‐-―−ー~〜・･.、。]+")
_LONG = re.compile(
    "(?<=[おこそとのほもよろごぞどぼうくすつぬふむゆるょゅ])う|(?<=[えけせてねへめれ])い"
)
_RUNS = re.compile(r"[一-鿿々]+|[ぁ-んー]+|[a-z]+")


class KanaWord(NamedTuple):
    plain: str  # in its `loose` form
    command: str


class Reader:
    """Reads texts by a catalogue's words and members' names (`key` -> name on Tenhou). `spec`: the
    command of the text, whose parts are known too. With `guess` parts of names, readings and one
    typing error are taken where only one fits."""

    def __init__(
        self,
        catalogue: Catalogue,
        names: Mapping[str, str],
        spec: Spec | None = None,
        guess: bool = True,
    ) -> None:
        self._catalogue = catalogue
        self._names = names
        self._guess = guess
        self._parts = (
            {normal(word): options for word, options in spec.parts.items()} if spec else {}
        )
        self._spoken = _spoken(tuple(names.items())) if guess else {}

    def read(self, text: str) -> tuple[Term, ...]:
        """The terms of a text in order; none where any part of it is unknown."""
        plain = normal(text)
        if not plain or len(plain) > LONGEST:
            return ()
        found = self._walk(plain, typos=False)
        if not found and self._guess and len(plain) <= TYPOS:
            found = self._walk(plain, typos=True)
        if found:
            return found
        if self._guess and _WISH.search(plain) and not _SUPPOSED.search(plain):
            return self._gist(plain)
        return ()

    def _gist(self, plain: str) -> tuple[Term, ...]:
        """The terms of a text that asks for something Janroku alone tells (a rate, a rating, a
        recap), whatever stands between them; none where it names no such thing."""
        terms: list[Term] = []
        at = 0
        unread = ""
        plain, hands = _YAKUMAN.subn("役満", plain)
        while at < len(plain):
            for end in range(min(len(plain), at + _LONGEST_TERM), at, -1):
                word = plain[at:end]
                whole = not (_inside(plain, at) or _inside(plain, end))
                noise = word in _NOISE
                if noise:
                    at = end
                    break
                term = None
                if whole and (len(word) > 1 or word in SELF):
                    term = self.term(word)
                if term is None or term.kind == "again":
                    continue
                if term.kind != "season" or not word.isdecimal():
                    terms.append(term)
                    at = end
                    break
            else:
                unread += plain[at]
                at += 1
        unread = _SIGNS.sub("", unread)
        begged = _BEGGED.search(plain) is not None and len(unread) <= 8
        slack = begged or _GRAMMAR.fullmatch(unread) is not None
        told = any(term.kind == "command" and self._is_own(term, slack, begged) for term in terms)
        return tuple(terms) if told or hands else ()

    def _is_own(self, term: Term, slack: bool, begged: bool) -> bool:
        """Whether a command's word is one that members say of their games alone. `slack`: nearly
        all of the text is read, so also figures whose words say much else are. `begged`: and it
        says 見せて."""
        spec = self._catalogue[term.value]
        vague = spec.name == Ask.LAST_RECORD or dict(term.options).get("by") in _VAGUE
        return not (
            spec.bare
            or (vague and not slack)
            or (term.word in _COMMON and not begged)
            or term.word in normal(spec.everyday).split()
        )

    def term(self, word: str) -> Term | None:
        """The one term that a word is.

        A member's name comes first, then a part's and a command's word.
        """
        plain = normal(word)
        if player := self._names.get(plain) or self._names.get(key(plain)):
            return Term("member", player)
        if options := self._parts.get(plain):
            return Term("part", "", tuple(options.items()))
        if found := self._catalogue.words.get(plain):
            spec, said = found
            if not spec.admin:
                return Term("command", spec.name, tuple(said.items()), plain)
        if plain in SELF:
            return Term("self", "")
        player = self._spoken_name(plain) if self._guess else ""
        return Term("member", player, guessed=True) if player else scope_term(plain)

    def overheard(self, text: str) -> tuple[Term, ...]:
        """The same as `read`, cheaply, of what may be talk: with no known word a day or a misspelt
        word.
        """
        if self._may_hold(text):
            return self.read(text)
        plain = _SIGNS.sub("", normal(text))
        term = scope_term(normal(text)) or self._misspelt(stripped(plain))
        return (term,) if term else ()

    def _may_hold(self, text: str) -> bool:
        words = normal(text)
        if self._catalogue.any_word.search(words) or any(model in words for model in BY_WORD):
            return True
        if _ASKING.search(words) or _WISH.search(words):
            return True
        if any(pronoun in words for pronoun in SELF):
            return True
        plain = key(text)
        return any(name in plain for name in self._names) or (
            len(words) <= TYPOS and any(name in plain for name in self._spoken)
        )

    def _walk(self, plain: str, typos: bool) -> tuple[Term, ...]:
        who = _WHO.search(plain) is not None

        @cache
        def after(at: int) -> tuple[Term, ...] | None:
            if at == len(plain):
                return ()
            for end in range(len(plain), at, -1):
                if _inside(plain, end):
                    continue
                if plain[end - 1].isspace() or plain[at].isspace():
                    continue
                word = plain[at:end]
                before = plain[:at]
                later = plain[end:]
                if later:
                    alone = later[0].isspace()
                else:
                    alone = not before.strip() or before[-1].isspace()
                if word.isdecimal() and not alone:
                    continue  # 収支50 asks no season
                term = self.term(word) or (self._misspelt(word) if typos else None)
                if term is not None and (rest := after(end)) is not None:
                    return (term, *rest)
            for end in _noise_ends(plain, at, who):
                if (rest := after(end)) is not None:
                    return rest
            return None

        return after(0) or ()

    def _spoken_name(self, word: str) -> str:
        """The only member of whose name a word is a part or a reading, "" for none."""
        plain = key(word)
        if len(plain) > 1:
            player = self._spoken.get(plain) or self._spoken.get(loose(plain))
            if player:
                return player
        found = {
            self._spoken[sound]
            for sound in sounds(plain)
            if sound in self._spoken and (len(sound) > 2 or sound in self._names)
        }
        return found.pop() if len(found) == 1 else ""

    def _misspelt(self, word: str) -> Term | None:
        """The only member or command whose word is one typing error off."""
        plain = loose(word)
        if not 3 <= len(plain) <= TYPOS or not plain[0].isalnum():
            return None
        players = {
            player
            for name, player in self._names.items()
            if len(name) > 2 and one_off(plain, loose(name))
        }
        specs = _kana_words(tuple(self._catalogue.kana_words.items())).commands_near(word)
        if len(players) + len(specs) != 1:
            return None
        if players:
            return Term("member", players.pop(), guessed=True)
        return Term("command", specs.pop(), word=word, guessed=True)


def _inside(plain: str, end: int) -> bool:
    around = plain[end - 1 : end + 1]
    if len(around) != 2 or not around.isascii():
        return False
    return around.isdecimal() or around.isalpha()


def _noise_ends(plain: str, at: int, who: bool) -> Iterator[int]:
    """The ends of the signs and little words from here, the longest first; with `who` of a
    degree's, too.
    """
    if signs := _SIGNS.match(plain, at):
        yield signs.end()
    for end in range(min(len(plain), at + _LONGEST_NOISE), at, -1):
        word = plain[at:end]
        known = not _NOISE.isdisjoint(
            (
                word,
                word.replace(
                    "ー",
                    "",
                ),
            )
        ) or (who and word in _DEGREE)
        if known and not _inside(plain, end):
            yield end


@lru_cache(2048)
def scope_term(word: str) -> Term | None:
    """The term of a word that is no name and no command: seats, season, system, period or
    "again".
    """
    plain = normal(word)
    if plain in _AGAIN:
        return Term("again", "")
    if plain in SEATS:
        return Term("seats", SEATS[plain])
    if season := _SEASONS.get(plain):
        return Term("season", season)
    if plain in BY_WORD:
        return Term("model", BY_WORD[plain])
    if number := _SEASON.match(plain):
        return Term("season", str(int(number[1])))
    first = plain[:1]
    if first.isdecimal() or first in _DATED or _DATED_KANA.match(plain):
        if games := _GAMES.fullmatch(plain):
            return Term("games", str(int(games[1] or games[2])))
        return Term("period", word) if is_period(word) else None
    return None


@dataclass(frozen=True)
class KanaWords:
    """Commands' words in kana, prepared for a search: the commands by each way a word is compared,
    and the words by the length of their `loose` form."""

    by_form: Mapping[str, frozenset[str]]
    by_length: Mapping[int, tuple[KanaWord, ...]]

    def commands_near(self, word: str) -> set[str]:
        """The commands of the words that a word may be, with one typing error."""
        commands: set[str] = set()
        for form in thumbed(word):
            commands |= self.by_form.get(form, frozenset())
        if len(word) > 3:
            plain = loose(word)
            for length in (len(plain) - 1, len(plain), len(plain) + 1):
                for known in self.by_length.get(length, ()):
                    if one_off(plain, known.plain):
                        commands.add(known.command)
        return commands


@lru_cache(8)
def _kana_words(words: tuple[tuple[str, str], ...]) -> KanaWords:
    """The words with the names of their commands, prepared for a search."""
    by_form: dict[str, set[str]] = defaultdict(set)
    by_length: dict[int, list[KanaWord]] = defaultdict(list)
    for word, command in words:
        for form in thumbed(word):
            by_form[form].add(command)
        if len(word) > 3:
            plain = loose(word)
            by_length[len(plain)].append(KanaWord(plain, command))
    return KanaWords(
        {form: frozenset(commands) for form, commands in by_form.items()},
        {length: tuple(known) for length, known in by_length.items()},
    )


@lru_cache(64)
def _spoken(names: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """The parts of names (太郎 of まんがん太郎) and their readings -> the only member whose they
    are.
    """
    found: dict[str, set[str]] = defaultdict(set)
    for name, player in names:
        beginnings = {name[:length] for length in range(2, len(name))}
        pieces = {name, *beginnings}
        for run in _RUNS.findall(name):
            pieces |= {run, *run.split("の")}
        for piece in pieces:
            for form in (piece, _LONG.sub("", piece), *sounds(piece)):
                if len(form) > 1:
                    found[form].add(player)
    return {form: players.pop() for form, players in found.items() if len(players) == 1}


def one_off(word: str, other: str) -> bool:
    """Whether a word becomes another by one character changed, added, left out or swapped with the
    next.
    """
    if abs(len(word) - len(other)) > 1:
        return False
    pairs = zip(word, other, strict=False)
    at = next(
        (n for n, (a, b) in enumerate(pairs) if a != b),
        None,
    )
    if at is None:
        return True
    left = word[at:]
    right = other[at:]
    changed = left[1:] == right[1:]
    added = left == right[1:] or left[1:] == right
    swapped = left[:2] == right[1::-1] and left[2:] == right[2:]
    return changed or added or swapped


def asks(text: str) -> bool:
    """Whether a text says that something is wanted: 教えて, どうだった, はよ."""
    return _ASKING.search(normal(text)) is not None


def reported(text: str) -> bool:
    """Whether a text asks for what has been: どうだった, 見せて. 今週どう？ is planning."""
    return _REPORTED.search(text) is not None


def stripped(word: str) -> str:
    """A word without the little words at its end: 収支は？ -> 収支."""
    return _LITTLE.sub("", _backwards(word), count=1)[::-1]


def endings(word: str) -> Iterator[str]:
    """A word, then with the little words at its end taken off one by one: 収支は？, 収支は,
    収支.
    """
    yield word
    backwards = _backwards(word)
    at = 0
    while found := _LAST.match(backwards, at):
        at = found.end()
        yield backwards[at:][::-1]


def _backwards(word: str) -> str:
    return word.translate(str.maketrans("？！〜", "?!~")).strip()[::-1]


def of_kind(terms: Sequence[Term], kind: TermKind) -> list[str]:
    """The values of the terms of a kind, each once, in order."""
    return list(dict.fromkeys(term.value for term in terms if term.kind == kind))
