"""What a database keeps of events and processes, as tests look at it."""

from typing import Any

from sqlalchemy import Select, not_, select

from storage.events import living
from storage.schema import EVENTS
from storage.state import State


def marked(state: State) -> list[str]:
    """The events that are marked as done, in the order of time and id."""
    return _ids(state, select(EVENTS.c.id).where(EVENTS.c.done))


def unanswered(state: State) -> list[str]:
    """The events that are not marked as done, in the order of time and id."""
    return _ids(
        state,
        select(EVENTS.c.id).where(not_(EVENTS.c.done)),
    )


def alive(state: State) -> int:
    """How many processes show that they live."""
    return len(state.database.rows(living(state.database)))


def _ids(state: State, query: Select[Any]) -> list[str]:
    return [row.id for row in state.database.rows(query.order_by(EVENTS.c.taken, EVENTS.c.id))]
