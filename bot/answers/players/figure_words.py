"""What members type for a figure in one line: 俺何位？, 首位との差, 天敵, 優勝者."""

from itertools import product

from bot.answers.common.typed import REACHING

# The option `by`: these, or the key of a statistic.
PLACE = "place"
GAP = "gap"
LEADER = "leader"
BOTTOM = "bottom"
WINNER = "winner"
PREY = "prey"
NEMESIS = "nemesis"
BALANCE = "total"


def _each(*parts: str) -> str:
    """Each word of a part with each of the next: いくら勝った いくら負けた なんぼ勝った …"""
    return " ".join(map("".join, product(*map(str.split, parts))))


def _who(heads: str, verbs: str) -> str:
    """誰が1位, 1位は誰 and their like; 一番勝った人, 誰が一番勝った and theirs."""
    superlatives = "一番 いちばん 1番"
    return " ".join(
        (
            _each(heads, "誰 は誰 って誰"),
            _each("誰 誰が", heads),
            _each("今 今の", heads, "誰 は誰"),
            _each(superlatives, verbs, "人 やつ のは誰 の誰 のって誰"),
            _each("誰が", superlatives, verbs),
            _each(verbs, "の誰"),
        )
    )


_TYPED = {
    PLACE: "何位 なんい 何番 なん位 何番目 なんばんめ",
    GAP: " ".join(
        (
            "差 点差",
            *REACHING,
            _each("1位 首位 トップ", "と2位の差"),
            _each(
                "首位 トップ 1位 2位 3位 上 上の人 一個上 ひとつ上",
                "との差 の差 差 と と何点差 との点差 まで まで何点 まであと何点 に何点差",
            ),
        )
    ),
    LEADER: "首位 暫定1位 暫定首位 誰が勝ってる 誰勝ってる "
    + _who("1位 トップ 首位 一番", "勝った 勝ってる 稼いだ 稼いでる 浮いてる プラスの"),
    BOTTOM: "最下位 ビリ ドベ ラス王 誰が負けてる 誰負けてる "
    + _who("ビリ びり 最下位 ドベ ラス ワースト", "負けた 負けてる 沈んでる へこんでる マイナスの"),
    NEMESIS: (
        "天敵 てんてき 苦手 苦手な相手 苦手な人 苦手なやつ 苦手な奴 にがて 一番負けてる相手 "
        "苦手にしてる相手 一番カモられてる相手 一番やられてる相手"
    ),
    PREY: (
        "得意 得意な相手 得意な人 得意なやつ 得意な奴 とくい カモ お得意様 一番勝ってる相手 "
        "一番カモってる いちばんカモってる カモってる相手 一番カモにしてる相手"
    ),
    WINNER: (
        "優勝者 優勝した人 優勝したのは誰 優勝したの誰 誰が優勝した 誰が優勝 優勝は誰 優勝誰 チャンピオン "
        "前回の優勝者 王者"
    ),
    "total": "プラマイ プラス マイナス 何点取った まだマイナス まだプラス マイナス何点 プラス何点 "
    + _each("勝って 負けて", "る ん ます ますか ")
    + " "
    + _each(
        "いくら いくつ なんぼ 何点 どれだけ どんだけ どれくらい",
        "勝った 負けた 勝ってる 負けてる 勝ってん 負けてん 勝っとる 負けとる 勝ちました 負けました 稼いだ "
        "浮いた 浮いてる 沈んだ 沈んでる 儲かった",
    ),
    "mean": "平順 何着",
    "first": "トップの回数 トップ何回 何回トップ トップ回数 トップ数 何勝 何回勝った",
    "last": "ラスの回数 ラス何回 何回ラス ラス回数",
    "games": "何戦 何半荘 何試合 何局",
}


def shortcuts() -> dict[str, dict[str, str]]:
    """The options of every word that asks for a figure."""
    options: dict[str, dict[str, str]] = {}
    for by, words in _TYPED.items():
        options |= {word: {"by": by} for word in words.split()}
    return options
