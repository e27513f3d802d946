"""Measure the memory of two web processes, idle and at its peak while members ask for all that is
slow.

    python -m tests.tools.bench.memory [CHECKOUT [ROUNDS]]      the same load on another checkout's
    code

The load: each question of QUESTIONS by three members at once, one after the other, in rounds, on
the demo league's 1,150 games. Memory is the processes' own and their share of what they have
together (PSS), read five times a second. What grows with every round leaks.
"""

import sys
import tempfile
import threading
from contextlib import ExitStack
from pathlib import Path

from bot.demo_chat import DEMO_GROUP, DEMO_USERS
from tests.fakes.line import fake_line
from tests.fakes.process import ROOT, service
from tests.fakes.servers import free_port
from tests.tools.bench.loadkit import demo

QUESTIONS = """
rating sum ranking player?player=みどり一色 matchup poster summary recap forecast needs if skill compare paifu
gallery rating?season=all summary?season=all export
"""
PATIENCE = 120.0  # seconds


def measure(root: Path, rounds: int) -> tuple[float, list[float]]:
    """Memory in MiB, idle and at its peak up to the end of each round."""
    port = free_port()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        line, env = stack.enter_context(fake_line(f"http://127.0.0.1:{port}/callback"))
        web = stack.enter_context(service(port, env | demo(folder), root=root))
        done = threading.Event()
        idle = web.memory()
        peak = idle
        peaks: list[float] = []

        def watch() -> None:
            nonlocal peak
            while not done.wait(0.2):
                peak = max(peak, web.memory())

        watcher = threading.Thread(target=watch)
        watcher.start()
        try:
            for _ in range(rounds):
                for question in QUESTIONS.split():
                    sent = [
                        line.tap(DEMO_GROUP, user.id, f"request_{question}")
                        for user in DEMO_USERS[:3]
                    ]
                    for each in sent:
                        line.answers(each, PATIENCE)
                peaks.append(peak)
        finally:
            done.set()
            watcher.join()
        return idle, peaks


if __name__ == "__main__":
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    idle, peaks = measure(root, rounds)
    print(f"idle {idle:.0f} MiB, peak {', '.join(f'{peak:.0f}' for peak in peaks)} MiB")
