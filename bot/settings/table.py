"""The table of Janroku's own variables: every one is described here, and nowhere else.

A field of Settings is a row. `make variables` writes `.env.example`, app.json and the tables of
docs/reference.md and docs/reference.ja.md from it. The variables of a store are in its module in
`bot/settings/stores/`.
"""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from bot.demo_chat import DEMO_ACCESS_TOKEN, DEMO_CHANNEL_SECRET
from bot.runtime.json_log import FORMS
from bot.runtime.translation import message as _
from bot.settings.kinds import (
    ANYBODY,
    Credential,
    DeployedCommit,
    EncryptionKeys,
    HttpAddress,
    LineApiAddress,
    LineIds,
    LongToken,
    ManagementId,
    OneOf,
    PortNumber,
    ProxyAddresses,
    PublicAddress,
    RedisAddress,
    StoreAddress,
    Switch,
    WholeNumber,
)
from bot.settings.store_kind import forms
from bot.settings.stores import (
    BACKUP_KINDS,
    IMAGE_KINDS,
    LOG_KINDS,
    STATE_KINDS,
    store_variables,
)
from bot.settings.variable import (
    Heroku,
    PlainText,
    SetupQuestion,
    Topic,
    Variable,
    Wording,
    read_from,
    variables_of,
)
from storage.addresses import LOOPBACK

TENHOU = "https://tenhou.net"
_SECRET = re.compile("SECRET|TOKEN|PASSWORD")
_LOGS = forms(LOG_KINDS)
_IMAGES = forms(IMAGE_KINDS)
_BACKUPS = forms(BACKUP_KINDS)
NO_DEFAULT = Wording("none", "なし")

COMMIT = Variable(
    "HEROKU_BUILD_COMMIT",
    DeployedCommit(),
    Topic.WATCHING,
    Wording(
        "the deployed commit, shown by `flask version` and `/healthz`; Heroku sets it "
        "(`heroku labs:enable runtime-dyno-build-metadata`)",
        "公開したコミット。`flask version` と `/healthz` に出る。Herokuが設定する"
        "（`heroku labs:enable runtime-dyno-build-metadata`）",
    ),
    default=Wording("from git", "gitから"),
)


@dataclass(frozen=True)
class Settings:
    """The checked environment. `repr` leaves the secrets out."""

    demo: bool
    """LOGS_URL is not set: the logs are the demo league's."""
    dyno: bool
    """This is one of Heroku's dynos, which lose their disk at every restart."""
    store_variables: Mapping[str, str] = field(repr=False)
    """The variables of the stores, by name."""

    channel_secret: str = read_from(
        Variable(
            "LINE_CHANNEL_SECRET",
            Credential("LINE_CHANNEL_ACCESS_TOKEN", DEMO_CHANNEL_SECRET),
            Topic.LINE,
            Wording(
                "the channel's secret (LINE Developers console > the Messaging API channel > "
                "Basic settings)",
                "チャネルシークレット（LINE Developersコンソール > Messaging APIチャネル > チャネル基本設定）",
            ),
            default=Wording("the console's own", "コンソール用のもの"),
            secret=True,
            question=SetupQuestion(_("Channel secret (Basic settings tab)")),
            heroku=Heroku(required=True),
        )
    )
    channel_access_token: str = read_from(
        Variable(
            "LINE_CHANNEL_ACCESS_TOKEN",
            Credential("LINE_CHANNEL_SECRET", DEMO_ACCESS_TOKEN),
            Topic.LINE,
            Wording(
                "the channel's long-lived access token (there, Messaging API > Channel access token > "
                "Issue)",
                "チャネルアクセストークン（長期）（同じところのMessaging API設定で発行する）",
            ),
            default=Wording("the console's own", "コンソール用のもの"),
            secret=True,
            question=SetupQuestion(_("Channel access token (long-lived)")),
            heroku=Heroku(required=True),
        )
    )
    line_api_url: str = read_from(
        Variable(
            "LINE_API_URL",
            LineApiAddress(),
            Topic.LINE,
            Wording("base address of LINE's API", "LINEのAPIのアドレス"),
            default=Wording(
                "the console when no channel is set, else LINE's",
                "チャネルがなければコンソール、あればLINE",
            ),
        )
    )
    public_url: str = read_from(
        Variable(
            "PUBLIC_URL",
            PublicAddress(),
            Topic.LINE,
            Wording(
                "https address of the service, for embedded pictures and for what is pushed unasked "
                "(on Heroku `heroku info` shows it as Web URL)",
                "ボットのhttpsのアドレス。自分で配る画像と、自分から送るものに使う"
                "（Herokuでは `heroku info` のWeb URL）",
            ),
            default=Wording("from the request", "リクエストから"),
            question=SetupQuestion(_("Address of the service (https://…)")),
            heroku=Heroku(),
        )
    )
    logs_url: str = read_from(
        Variable(
            "LOGS_URL",
            StoreAddress(LOG_KINDS, "file:{home}/demo"),
            Topic.STORES,
            Wording(f"where the season logs are: {_LOGS.en}", f"記録の場所：{_LOGS.ja}"),
            default=Wording("the demo league", "デモのリーグ"),
            heroku=Heroku(value="postgres:"),
        )
    )
    images_url: str = read_from(
        Variable(
            "IMAGES_URL",
            StoreAddress(IMAGE_KINDS, "file:{home}/images"),
            Topic.STORES,
            Wording(f"where pictures are: {_IMAGES.en}", f"画像の場所：{_IMAGES.ja}"),
            default=Wording("a folder", "フォルダー"),
            heroku=Heroku(value="postgres:"),
        )
    )
    database_url: str = read_from(
        Variable(
            "DATABASE_URL",
            StoreAddress(STATE_KINDS, "sqlite:///{home}/janroku.sqlite3", in_database=True),
            Topic.STORES,
            Wording(
                "small facts that outlive a restart: `sqlite:///FILE` or `postgres://…`",
                "再起動しても残る情報の場所：`sqlite:///FILE` または `postgres://…`",
            ),
            default=Wording("SQLite", "SQLite"),
            secret=True,
            question=SetupQuestion(_("Address of the database")),
        )
    )
    redis_url: str = read_from(
        Variable(
            "REDIS_URL",
            RedisAddress(),
            Topic.STORES,
            Wording(
                "when set, taps run on workers (`redis://HOST:PORT`; Heroku's add-on sets it)",
                "設定すると、タップをワーカーで処理する（`redis://HOST:PORT`。Herokuではアドオンが設定する）",
            ),
            default=Wording("threads in the web process", "Webプロセスのスレッド"),
            secret=True,
            heroku=Heroku(),
        )
    )
    backup_url: str = read_from(
        Variable(
            "BACKUP_URL",
            StoreAddress(BACKUP_KINDS),
            Topic.STORES,
            Wording(
                f"where a backup is kept each day, and the newest seven of them: {_BACKUPS.en} "
                "(`flask restore` reads one)",
                f"バックアップを毎日1つ、新しい7つまで置く場所：{_BACKUPS.ja}（戻すのは `flask restore`）",
            ),
            heroku=Heroku(),
        )
    )
    league_chats: frozenset[str] = read_from(
        Variable(
            "LEAGUE_CHATS",
            LineIds(),
            Topic.ACCESS,
            Wording(
                "ids of chats and users that may use the bot, comma separated",
                "使ってよいトークとユーザーのID（カンマ区切り）",
            ),
            default=Wording(
                "none: the admin enrols them by 「登録」", "なし（管理者が「登録」で登録する）"
            ),
            heroku=Heroku(),
        )
    )
    admin_user_ids: frozenset[str] = read_from(
        Variable(
            "ADMIN_USER_IDS",
            LineIds(only_users=True),
            Topic.ACCESS,
            Wording(
                "the admins' LINE user ids, comma separated (LINE Developers console > the channel > "
                "Basic settings > Your user ID; 「ID」, sent to the bot, tells yours)",
                "管理者のLINEのユーザーID（カンマ区切り。LINE Developersコンソールのチャネル基本設定にある。"
                "ボットに「ID」と送っても、自分のIDがわかる）",
            ),
            question=SetupQuestion(
                _("Your user ID (Basic settings tab; several: comma separated)")
            ),
            heroku=Heroku(required=True),
        )
    )
    secret_key: str = read_from(
        Variable(
            "JANROKU_SECRET_KEY",
            EncryptionKeys(),
            Topic.ACCESS,
            Wording(
                "a key made by `flask league key`, for secrets of single leagues of a host in the database: "
                "tokens of their own accounts at a store, ids of their own rooms (`flask league room`)",
                "`flask league key` が作る鍵。データベースに置くリーグごとの秘密（保存先の自前のアカウントの"
                "トークン、`flask league room` の部屋のID）を暗号化する",
            ),
            secret=True,
            heroku=Heroku(),
        )
    )
    page_days: int = read_from(
        Variable(
            "PAGE_DAYS",
            WholeNumber(30, 1, 365),
            Topic.FEATURES,
            Wording(
                "days a link to the league's page (「ページ」) opens it",
                "「ページ」のリンクの有効日数",
            ),
        )
    )
    start_games: bool = read_from(
        Variable(
            "START_GAMES",
            Switch(is_on=False),
            Topic.FEATURES,
            Wording(
                "`on`: 「始める」 below a full 募集 starts a game in the league's own room",
                "`on`：人がそろった「募集」に、大会ロビーの対局を始めるボタン「始める」を出す",
            ),
        )
    )
    tenhou_room_id: str = read_from(
        Variable(
            "TENHOU_ROOM_ID",
            ManagementId(),
            Topic.TENHOU,
            Wording(
                "the id of the league's own room (`C` and 12 or 16 digits): its results and records come "
                "as games end (how to find it: [docs/runbook.md](runbook.md#results-minutes-after-the-game)); "
                "secret as a token",
                "リーグの大会ロビーのID（`C` と12桁か16桁の数字）。対局が終わるたびに結果と牌譜が入る"
                "（見つけ方：[docs/runbook.ja.md](runbook.ja.md#対局の数分後に結果を出す)）。トークンと同じく秘密",
            ),
            secret=True,
            heroku=Heroku(),
        )
    )
    tenhou_url: str = read_from(
        Variable(
            "TENHOU_URL",
            HttpAddress(TENHOU),
            Topic.TENHOU,
            Wording("Tenhou's address", "天鳳のアドレス"),
        )
    )
    admin_notices: bool = read_from(
        Variable(
            "ADMIN_NOTICES",
            Switch(is_on=True),
            Topic.WATCHING,
            Wording(
                "`off`: the bot pushes nothing to its admins ([docs/watching.md](watching.md))",
                "`off` にすると、管理者へのお知らせを送らない（[docs/watching.md](watching.md)、英語）",
            ),
        )
    )
    heartbeat_url: str = read_from(
        Variable(
            "HEARTBEAT_URL",
            HttpAddress(),
            Topic.WATCHING,
            Wording(
                "the address of a watcher outside (a check of healthchecks.io, for instance), called after "
                "each good sync, with `/fail` after another ([docs/watching.md](watching.md))",
                "外の見張り（healthchecks.ioなど）のアドレス。取り込みが成功するたびに呼び、失敗のときは末尾に "
                "`/fail` を付ける（[docs/watching.md](watching.md)）",
            ),
            secret=True,
            heroku=Heroku(),
        )
    )
    metrics_token: str = read_from(
        Variable(
            "METRICS_TOKEN",
            LongToken(),
            Topic.WATCHING,
            Wording(
                "when set, `/metrics` answers to this bearer token (16 characters at least)",
                "設定すると、このトークン（16文字以上）を持つ人に `/metrics` が答える",
            ),
            secret=True,
            heroku=Heroku(),
        )
    )
    log_format: str = read_from(
        Variable(
            "LOG_FORMAT",
            OneOf(("", *FORMS)),
            Topic.WATCHING,
            Wording(
                "form of the log: `json` (one object a line) or `text` (for people) "
                "([docs/watching.md](watching.md))",
                "ログの形式。`json`（1行に1つ）または `text`（人が読む）（[docs/watching.md](watching.md)、英語）",
            ),
            default=Wording(
                "`text` at a terminal, else `json`", "端末では `text`、それ以外は `json`"
            ),
        )
    )
    commit: str = read_from(COMMIT)
    port: int = read_from(
        Variable(
            "PORT",
            PortNumber(),
            Topic.PROCESSES,
            Wording("port of the web processes", "Webプロセスのポート"),
        )
    )
    web_concurrency: int = read_from(
        Variable(
            "WEB_CONCURRENCY",
            WholeNumber(2, 1, 256),
            Topic.PROCESSES,
            Wording(
                "number of the web processes; 2 fit a 512 MB dyno",
                "Webプロセスの数。512 MBのdynoには2つ入る",
            ),
            heroku=Heroku(value="2"),
        )
    )
    worker_concurrency: int = read_from(
        Variable(
            "WORKER_CONCURRENCY",
            WholeNumber(1, 1, 256),
            Topic.PROCESSES,
            Wording(
                "processes of a worker, of sixteen threads each",
                "ワーカーのプロセス数（1つに16スレッド）",
            ),
        )
    )
    cache_mb: int = read_from(
        Variable(
            "CACHE_MB",
            WholeNumber(96, 8, 65536),
            Topic.PROCESSES,
            Wording(
                "megabytes a process may hold of leagues' games",
                "1プロセスが対局を覚えておくメガバイト数",
            ),
        )
    )
    forwarded_allow_ips: str = read_from(
        Variable(
            "FORWARDED_ALLOW_IPS",
            ProxyAddresses(),
            Topic.PROCESSES,
            Wording(
                "addresses or networks of the proxies that may say that a request came by https "
                "(`X-Forwarded-Proto`), comma separated, or `*`; as gunicorn takes them. `fly.toml` and "
                "`compose.yaml` set it; on Heroku it is `*`",
                "httpsで届いたこと（`X-Forwarded-Proto`）を伝えてよいプロキシのアドレスかネットワーク（カンマ区切り、"
                "または `*`）。gunicornと同じ書き方。`fly.toml` と `compose.yaml` は設定ずみ。Herokuでは `*`",
            ),
        )
    )

    @property
    def secrets(self) -> tuple[str, ...]:
        """Every value that must not be shown; also passwords in addresses, as written and
        percent-decoded. Stores read some from the environment themselves.
        """
        parts: list[str] = []
        for name, variable in variables_of(self):
            if variable.secret:
                parts += variable.kind.secret_parts(getattr(self, name))
        for variable in store_variables():
            if variable.secret:
                parts += variable.kind.secret_parts(self.store_variables.get(variable.name, ""))
        parts += [value for name, value in os.environ.items() if _SECRET.search(name)]
        return tuple(filter(None, parts))

    @property
    def proxied(self) -> bool:
        """Whether a proxy of any address is trusted: nobody reaches the service but through it."""
        return self.forwarded_allow_ips == ANYBODY

    @property
    def console(self) -> bool:
        parts = urlsplit(self.line_api_url)
        return parts.hostname in LOOPBACK and parts.path.startswith("/console")


_UNREAD = (
    Variable(
        DeployedCommit.older_name,
        PlainText(),
        Topic.WATCHING,
        Wording("older name of `HEROKU_BUILD_COMMIT`", "`HEROKU_BUILD_COMMIT` の古い名前"),
        in_env_file=False,
    ),
    Variable(
        "JANROKU_DEBUG",
        PlainText(),
        Topic.WATCHING,
        Wording(
            "when set, commands show an error's traceback",
            "設定すると、コマンドがエラーの経過を出す",
        ),
    ),
    Variable(
        "JANROKU_ENV_FILE",
        PlainText(),
        Topic.PROCESSES,
        Wording(
            "the file with these variables, which `flask setup` writes; the environment's own win",
            "これらの変数を書いたファイル。`flask setup` が書く。環境変数が優先",
        ),
        default=Wording("`.env` beside app.py", "app.py の隣の `.env`"),
        in_env_file=False,
    ),
)
"""Variables that are read elsewhere, before the settings."""


def table() -> Iterator[Variable[Any]]:
    """Yield every variable, those of the stores too, by topic."""
    variables = [variable for _name, variable in variables_of(Settings)]
    variables += [*store_variables(), *_UNREAD]
    for topic in Topic:
        yield from (variable for variable in variables if variable.topic == topic)
