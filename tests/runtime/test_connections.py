"""Connections are shut down when their time is up."""

import socket
import threading
from collections.abc import Iterator

import pytest

from bot.runtime.connections import ConnectionLimits
from tests.clock import Clock


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def limits(clock: Clock) -> ConnectionLimits:
    return ConnectionLimits(clock)


@pytest.fixture
def ends() -> Iterator[tuple[socket.socket, socket.socket]]:
    """The service's end of a connection, and the client's."""
    service, client = socket.socketpair()
    with service, client:
        yield service, client


def is_open(connection: socket.socket) -> bool:
    connection.setblocking(False)
    try:
        return connection.recv(1) != b""
    except BlockingIOError:
        return True


def test_a_connection_is_shut_down_when_its_time_is_up(
    limits: ConnectionLimits, clock: Clock, ends: tuple[socket.socket, socket.socket]
) -> None:
    service, client = ends
    with limits.limit(service, 5.0):
        clock.now += 4.9
        limits.shut_down_late()
        assert is_open(client)
        clock.now += 0.2
        limits.shut_down_late()
        assert not is_open(client)


def test_a_renewed_connection_has_its_whole_time(
    limits: ConnectionLimits, clock: Clock, ends: tuple[socket.socket, socket.socket]
) -> None:
    service, client = ends
    with limits.limit(service, 5.0):
        clock.now += 4.9
        limits.renew(service, 60.0)
        clock.now += 59.0
        limits.shut_down_late()
        assert is_open(client)
        clock.now += 2.0
        limits.shut_down_late()
        assert not is_open(client)


def test_a_connection_is_left_alone_after_its_request(
    limits: ConnectionLimits, clock: Clock, ends: tuple[socket.socket, socket.socket]
) -> None:
    service, client = ends
    with limits.limit(service, 5.0):
        pass
    limits.renew(service, 1.0)
    clock.now += 100.0
    limits.shut_down_late()
    assert is_open(client)


def test_a_thread_that_writes_an_unread_answer_goes_on(
    ends: tuple[socket.socket, socket.socket],
) -> None:
    service, _client = ends
    limits = ConnectionLimits()
    errors: list[OSError] = []

    def answer() -> None:
        with limits.limit(service, 0.1):
            try:
                service.sendall(b"x" * 50_000_000)
            except OSError as error:
                errors.append(error)

    writer = threading.Thread(target=answer)
    writer.start()
    writer.join(20)
    assert len(errors) == 1
