"""How the kanji of names are read, those of mahjong and of common names: 白發中 is はくはつちゅう."""

import re
from functools import lru_cache
from itertools import product
from math import prod

MOST = 64  # readings of one word that are made
_LONGEST = 10  # characters of a word that is read
_TABLE = """
一いち,いつ,かず,ひと,いー 二に,じ,ふた,りゃん 三さん,み,みつ,さぶ 四し,よん,よ,すー 五ご,う,うー
六ろく,む,りゅう 七しち,なな,ちー 八はち,や,ぱー 九きゅう,く,ここの,ちゅう 十じゅう,とお,しー 百ひゃく,もも
千せん,ち 万まん,よろず,わん 東とう,とん,ひがし,あずま 南なん,みなみ,なみ 西さい,しゃー,にし,せい
北ほく,ぺー,きた 白はく,しろ,しら,ぱい 発はつ,はっ,ほつ 中ちゅう,ちゅん,なか 風ふう,ぷう,かぜ,ふん,かざ
両りょう,りゃん 面めん,おもて,つら 待まち,まつ,たい 色しょく,いろ,しき 海かい,はい,うみ,み 底てい,そこ
丸まる,がん 河か,ほう,かわ 嶺れい,りん,みね 槓かん 国こく,くに 士し,さむらい 無む,な 双そう,ふた
緑みどり,りょく,りゅう,ろく 老ろう,らお,ろー 頭とう,あたま,かしら 清せい,ちん,きよ 混こん,ほん 対たい,とい
刻こく,こー 暗あん,くら 平へい,ぴん,たいら,ひら 和わ,ほう,かず 満まん,みつ 貫かん,つら 跳はね,ちょう 倍ばい
役やく 牌はい,ぱい 雀じゃん,すずめ 荘そう,しょう 燕つばめ,えん 返かえし,がえし,へん 断たん 立りつ,たつ,りー
直ちょく,なお,ち 宝ほう,たから,どら 裏うら 赤あか,せき 青あお,せい 黒くろ,こく 金きん,かね,かな 銀ぎん
黄き,こう 紫むらさき,し 桃もも,とう 桜さくら,おう 梅うめ,ばい 松まつ,しょう 竹たけ,ちく 菊きく 花はな,か
華はな,か 蘭らん 蓮れん,はす 葵あおい 楓かえで 椿つばき 菫すみれ 杏あん,あんず 柚ゆず,ゆ 李り,すもも
草くさ,そう 葉は,よう 木き,もく,ぎ 林はやし,りん 森もり,しん 山やま,さん 川かわ,せん,がわ 谷たに,や
田た,でん,だ 野の,や 原はら,げん,ばら 沢さわ,ざわ,たく 石いし,せき 岩いわ,がん 島しま,とう,じま 崎さき,ざき
浜はま 池いけ,ち 水みず,すい 火ひ,か 土つち,ど 天てん,あま 空そら,くう 星ほし,せい 月つき,げつ,がつ
日ひ,にち,か 陽よう,はる,ひ 光ひかり,こう,みつ 雪ゆき,せつ 雨あめ,う 雲くも,うん 雷かみなり,らい 虹にじ
夢ゆめ,む 愛あい 恋こい,れん 心こころ,しん 春はる,しゅん 夏なつ,か 秋あき,しゅう 冬ふゆ,とう 朝あさ,ちょう
夜よる,や,よ 夕ゆう 朱しゅ,あか 猫ねこ 犬いぬ,けん 虎とら,こ 竜りゅう,たつ,ろん 鳥とり,ちょう 魚さかな,うお
馬うま,ば 牛うし 熊くま 狐きつね 狸たぬき 亀かめ 鶴つる,かく 鷹たか 鷲わし 鳳おおとり,ほう 凰おう
神かみ,しん,こう 仏ほとけ,ぶつ 王おう 姫ひめ 帝てい,みかど 将しょう,まさ 軍ぐん 鬼おに,き 魔ま 侍さむらい,じ
忍しのぶ,にん 師し 匠しょう,たくみ 男おとこ,お,だん 女おんな,め,じょ 子こ,し,す 太た,たい,ふと 郎ろう 助すけ
介すけ,かい 吉きち,よし 次じ,つぎ 大おお,だい,ひろ 小こ,お,しょう 高たか,こう 長なが,ちょう 新しん,あら,にい
古ふる,こ 上うえ,かみ,じょう 下した,しも 左ひだり,さ 右みぎ,う 前まえ,ぜん 後あと,ご 本もと,ほん 村むら,そん
町まち,ちょう 藤ふじ,とう,どう 佐さ 斎さい 伊い 渡わた,と 辺べ,なべ 近ちか,こん 遠とお,えん 井い 口くち,ぐち
内うち,ない 橋はし,ばし,きょう 坂さか,ざか 岡おか 福ふく 安やす,あん 永なが,えい 久ひさ,く 美み,び
恵え,めぐみ,けい 香か,かおり,こう 里さと,り 奈な 菜な 真ま,しん,まこと 優ゆう,まさる 勇ゆう,いさむ
健けん,たけし 翔しょう 拓たく 明あき,めい,あきら 正まさ,しょう,ただし 誠まこと,せい 浩ひろ,ひろし,こう
宏ひろ,ひろし,こう 博ひろ,ひろし,はく 隆たかし,りゅう,たか 剛つよし,ごう 学まなぶ,がく 修おさむ,しゅう
進すすむ,しん 聡さとし,そう 智さとし,とも,ち 哲てつ,さとし 徹とおる,てつ 純じゅん 淳じゅん,あつし 潤じゅん
涼りょう 良りょう,よし 亮りょう 翼つばさ 蒼あお,そう 樹いつき,き,じゅ 悠ゆう,はるか 遥はるか 結ゆい,ゆう
陸りく 湊みなと 蛇へび,じゃ 強つよし,きょう 弱じゃく 打うち,だ 勝かつ,しょう,まさる 負まけ 運うん
力ちから,りき 点てん 棒ぼう 組くみ 手て,しゅ 目め 耳みみ 鼻はな 足あし
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
    """A word (as `normal` writes it) without what a thumb gets wrong: small kana, voicing, long vowels."""
    return word.translate(_LOOSE)


@lru_cache(4096)
def thumbed(word: str) -> frozenset[str]:
    """The ways a word is compared: as `loose` kana, also with れーてぃ as れーち."""
    return frozenset({loose(word), loose(_FOREIGN.sub(lambda found: _AS_SAID[found[0]], word))})


@lru_cache(4096)
def sounds(word: str) -> frozenset[str]:
    """The ways a word (as `normal` writes it) may sound, as `loose` kana; none where a kanji is not known."""
    if len(word) > _LONGEST:
        return frozenset()
    ways = [_READINGS.get(sign, (sign,) if "ぁ" <= sign <= "ー" else ()) for sign in word]
    if not 0 < prod(map(len, ways)) <= MOST:
        return frozenset()
    return frozenset(loose("".join(each)) for each in product(*ways))
