"""The order of what begins and ends a membership, by LINE's times.

LINE delivers an event again when it was not answered in time, perhaps much later and after newer
ones (https://developers.line.biz/en/docs/messaging-api/receiving-messages/#webhook-redelivery).

What is guaranteed for all processes: an event that ends something is obeyed once, and not where
something has begun since. A beginning only ever becomes later, in whatever order two processes
record theirs, because the database changes it as one step. Shown by
tests/answers/test_membership_order.py.
"""

from storage.values import Values

REMEMBERED = 7 * 86400.0  # seconds; LINE redelivers for a shorter time


class MembershipOrder:
    """Remembers in the state store when chats and members began, and which events were obeyed.

    Every method raises StorageError. Times are LINE's, in epoch seconds.
    """

    def __init__(self, values: Values) -> None:
        self._values = values

    def is_obeyed(self, event: str) -> bool:
        """Whether the event of that id was obeyed before. One without an id never was."""
        return bool(event) and self._values.get(f"obeyed:{event}") is not None

    def obeyed(self, event: str) -> None:
        if event:
            self._values.put(f"obeyed:{event}", "", REMEMBERED)

    def chat_began(self, chat: str, at: float) -> None:
        """The bot joined the chat, or 登録 was sent there."""
        self._begin(f"began:{chat}", at)

    def member_began(self, chat: str, user: str, at: float) -> None:
        """The user joined the group."""
        self._begin(f"began:{chat}:{user}", at)

    def user_began(self, user: str, at: float) -> None:
        """The user added the bot as a friend."""
        self._begin(f"began:{user}", at)

    def user_named(self, user: str, at: float) -> None:
        """The user gave a name with 自分, in whatever chat."""
        self._begin(f"named:{user}", at)

    def forget_name(self, user: str) -> None:
        """Forget when the user gave a name."""
        self._values.delete(f"named:{user}")

    def chat_ends(self, chat: str, at: float) -> bool:
        """Whether the chat has not begun again since the bot left it."""
        return not self._began_after(at, f"began:{chat}")

    def member_ends(self, chat: str, user: str, at: float) -> bool:
        """Whether the member has not begun again since leaving the group."""
        return not self._began_after(at, f"began:{chat}:{user}", f"named:{user}")

    def user_ends(self, user: str, at: float) -> bool:
        """Whether the user has not begun again since blocking the bot."""
        return not self._began_after(at, f"began:{user}", f"named:{user}")

    def _begin(self, key: str, at: float) -> None:
        def latest(former: str | None) -> str:
            return str(max(at, float(former or 0.0)))

        self._values.change(key, latest, REMEMBERED)

    def _began_after(self, at: float, *keys: str) -> bool:
        times = [self._values.get(key) for key in keys]
        return any(time is not None and float(time) > at for time in times)
