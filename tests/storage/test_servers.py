import socket
import threading
import time

import pytest

from tests.fakes import servers


def test_a_redis_answers() -> None:
    try:
        with servers.redis() as url:
            port = int(url.rpartition(":")[2].partition("/")[0])
            with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
                connection.sendall(b"PING\r\n")
                assert connection.recv(100) == b"+PONG\r\n"
    except servers.Missing as missing:
        pytest.skip(f"{missing} is not installed")


def test_a_slow_relay_delays_each_request_once() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def echo() -> None:
            connection, _ = listener.accept()
            with connection:
                while data := connection.recv(100):
                    connection.sendall(data)

        server = threading.Thread(target=echo)
        server.start()
        with (
            servers.slow(listener.getsockname()[1], 0.05) as port,
            socket.create_connection(("127.0.0.1", port), timeout=10) as connection,
        ):
            began = time.monotonic()
            for word in (b"one", b"two"):
                connection.sendall(word)
                assert connection.recv(100) == word
            assert 0.1 <= time.monotonic() - began < 5
        server.join(10)


def test_a_missing_program_is_named() -> None:
    with pytest.raises(servers.Missing, match="no-such-program"):
        servers.program("no-such-program")
