"""Answer a bot's calls to LINE's Messaging API, without HTTP: JSON in, JSON out, `Refusal` when LINE would
refuse.

The API: https://developers.line.biz/en/reference/messaging-api/
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any

from bot.console import checks, ids
from bot.console.platform import Group, Platform, SentMessages
from bot.console.shapes import ShapeProblem

Json = dict[str, Any]

CHANNEL_ID = "1600000000"
MONTHLY_PUSHES = 200
RETRY_KEYS_KEPT = 1000
NOT_FOUND = "Not found"


class Refusal(Exception):
    """LINE refuses a call, with an HTTP status and an error body."""

    def __init__(
        self, status: int, message: str, problems: Sequence[ShapeProblem] = (), chat: str | None = None
    ) -> None:
        super().__init__(message)
        self.status = status
        self.chat = chat
        self.body: Json = {"message": message}
        if problems:
            self.body["details"] = [problem.as_json() for problem in problems]


def refuse_if(problems: Sequence[ShapeProblem], chat: str | None = None) -> None:
    """Raise Refusal (400) if there are problems. `chat` is where the messages would have gone."""
    if problems:
        raise Refusal(400, f"The request body has {len(problems)} error(s)", problems, chat)


class Tokens:
    """The calls about access tokens, which need no token themselves: whose token it is, and a new one for a
    secret."""

    def __init__(self, platform: Platform) -> None:
        self.platform = platform

    def verify(self, form: Mapping[str, str]) -> Json:
        if form.get("access_token") != self.platform.access_token:
            raise Refusal(400, "invalid_request")
        return {"client_id": CHANNEL_ID, "expires_in": 2591659, "scope": "profile"}

    def stateless(self, form: Mapping[str, str]) -> Json:
        wanted = ("client_credentials", CHANNEL_ID, self.platform.channel_secret)
        if (form.get("grant_type"), form.get("client_id"), form.get("client_secret")) != wanted:
            raise Refusal(400, "invalid_client")
        return {"token_type": "Bearer", "access_token": "stateless", "expires_in": 900}


class Messages:
    """The calls that send messages, and those that ask about users, groups and the bot."""

    def __init__(self, platform: Platform) -> None:
        self.platform = platform
        self._accepted: OrderedDict[str, Json] = OrderedDict()

    def reply(self, body: Any) -> Json:
        token = body.get("replyToken") if isinstance(body, dict) else None
        with self.platform.condition:
            chat = self.platform.tokens.chat_of(token) if isinstance(token, str) else None
            refuse_if(checks.reply_problems(body), chat)
            self._check_quotes(body["messages"], chat)
            replied_to = self.platform.tokens.use(body["replyToken"])
            if replied_to is None:
                raise Refusal(400, "Invalid reply token", chat=chat)
            return self._deliver(replied_to, body["messages"], token)

    def push(self, body: Any, retry_key: str | None = None) -> Json:
        to = body.get("to") if isinstance(body, dict) else None
        with self.platform.condition:
            refuse_if(checks.push_problems(body), to if isinstance(to, str) else None)
            if retry_key in self._accepted:
                raise Refusal(409, "The retry key is already accepted", chat=to)
            self._check_quotes(body["messages"], to)
            self._pay(self._receivers(body["to"]))
            sent = self._deliver(body["to"], body["messages"], None)
            if retry_key:
                self._accepted[retry_key] = sent
                while len(self._accepted) > RETRY_KEYS_KEPT:
                    self._accepted.popitem(last=False)
            return sent

    def multicast(self, body: Any) -> Json:
        refuse_if(checks.multicast_problems(body))
        with self.platform.condition:
            known = [user for user in body["to"] if self.platform.is_user(user)]
            self._pay(len(known))
            for user in known:
                self._deliver(user, body["messages"], None)
        return {}

    def validate(self, body: Any) -> Json:
        refuse_if(checks.validate_problems(body))
        return {}

    def loading(self, body: Any) -> Json:
        refuse_if(checks.loading_problems(body))
        if not self.platform.is_user(body["chatId"]):
            raise Refusal(400, "The value for the 'chatId' parameter is invalid")
        self.platform.feed.add("loading", body["chatId"], seconds=body.get("loadingSeconds", 20))
        return {}

    def quota(self) -> Json:
        return {"type": "limited", "value": MONTHLY_PUSHES}

    def consumption(self) -> Json:
        return {"totalUsage": self.platform.pushed}

    def bot_info(self) -> Json:
        bot = self.platform.bot
        names = {"userId": bot.id, "basicId": "@janroku", "displayName": bot.name}
        return names | {"chatMode": "bot", "markAsReadMode": "auto"}

    def profile(self, user: str) -> Json:
        known = self.platform.directory.users.get(user)
        if known is None:
            raise Refusal(404, NOT_FOUND)
        return {"userId": known.id, "displayName": known.name, "language": "ja"}

    def group(self, group: str) -> Group:
        known = self.platform.directory.groups.get(group)
        if known is None or not known.bot_inside:
            raise Refusal(404, NOT_FOUND)
        return known

    def group_summary(self, group: str) -> Json:
        known = self.group(group)
        return {"groupId": known.id, "groupName": known.name}

    def group_count(self, group: str) -> Json:
        return {"count": len(self.group(group).members)}

    def group_member(self, group: str, user: str) -> Json:
        if user not in self.group(group).members:
            raise Refusal(404, NOT_FOUND)
        profile = self.profile(user)
        profile.pop("language")
        return profile

    def group_member_ids(self, group: str) -> Json:
        return {"memberIds": list(self.group(group).members)}

    def leave_group(self, group: str) -> Json:
        self.group(group).bot_inside = False
        return {}

    def content(self, message_id: str) -> tuple[bytes, str]:
        kept = self.platform.contents.get(message_id)
        if kept is None:
            raise Refusal(404, NOT_FOUND)
        return kept.data, kept.mimetype

    def _receivers(self, to: str) -> int:
        """Return how many people a push reaches: it costs one message of the quota for each."""
        if to in self.platform.directory.groups:
            return len(self.group(to).members)
        if not self.platform.is_user(to):
            raise Refusal(400, "The property, 'to', in the request body is invalid", chat=to)
        return 1

    def _pay(self, people: int) -> None:
        if self.platform.pushed + people > MONTHLY_PUSHES:
            raise Refusal(429, "You have reached your monthly limit.")
        self.platform.pushed += people

    def _check_quotes(self, messages: list[Json], chat: str | None) -> None:
        for index, message in enumerate(messages):
            token = message.get("quoteToken")
            if token and (chat is None or self.platform.quotes.get(token) != chat):
                problem = ShapeProblem(f"messages[{index}].quoteToken", "Invalid quote token")
                raise Refusal(400, "The request body has 1 error(s)", [problem], chat)

    def _deliver(self, chat: str, messages: list[Json], token: str | None) -> Json:
        sent = [{"id": ids.message_id(), "quoteToken": ids.quote_token()} for _ in messages]
        self.platform.sent.append(SentMessages(chat, messages, token, [entry["id"] for entry in sent]))
        for entry, message in zip(sent, messages, strict=True):
            self.platform.quotes.add(entry["quoteToken"], entry["id"], chat)
            shown = message | {"id": entry["id"]}
            self.platform.feed.add("message", chat, sender=None, at=self.platform.clock(), message=shown)
        return {"sentMessages": sent}
