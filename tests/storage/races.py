"""Run work in processes that start at one moment.

The work is in this module because each process loads the module of its work.
"""

import itertools
import multiprocessing
from collections.abc import Callable
from contextlib import closing, suppress
from typing import Any

from storage.database import Database
from storage.folder import FolderLogs
from storage.ports import Conflict, LogSource
from storage.postgres import PostgresLogs


def grow_folder(folder: str, number: int) -> bool:
    return _grow(FolderLogs(folder), number)


def grow_postgres(url: str, number: int) -> bool:
    with closing(Database(url)) as database:
        return _grow(PostgresLogs(database, "league"), number)


def _grow(logs: LogSource, number: int) -> bool:
    """Begin logvol2.txt, append ten lines to logvol1.txt until all are there; return whether it was
    begun.
    """
    won = False
    with suppress(Conflict):
        logs.write("logvol2.txt", b"%d" % number, None)
        won = True
    for turn in range(10):
        while True:
            file = logs.read("logvol1.txt")
            with suppress(Conflict):
                logs.write("logvol1.txt", file.data + b"%d.%d\n" % (number, turn), file.rev)
                break
    return won


def no_line_is_lost(logs: LogSource, work: Callable[[str, int], bool], place: str) -> None:
    """Have three processes grow a log by `work`, which is given the place and a number, and begin
    another.
    """
    logs.write("logvol1.txt", b"", None)
    won = race(work, [(place, number) for number in range(3)])
    assert won.count(True) == 1
    assert logs.read("logvol2.txt").data == b"%d" % won.index(True)
    lines = logs.read("logvol1.txt").data.split()
    pairs = itertools.product(range(3), range(10))
    assert sorted(lines) == sorted(b"%d.%d" % pair for pair in pairs)


def race(work: Callable[..., Any], arguments: list[tuple[Any, ...]]) -> list[Any]:
    """Run `work`, a module's function, for each of the arguments in its own process; the results in
    order.
    """
    context = multiprocessing.get_context("spawn")
    start = context.Barrier(len(arguments))
    answers = context.Queue()
    runs = [(start, answers, number, work, given) for number, given in enumerate(arguments)]
    processes = [context.Process(target=_run, args=run) for run in runs]
    for process in processes:
        process.start()
    results = dict(answers.get(timeout=60) for _ in processes)
    for process in processes:
        process.join(30)
        assert process.exitcode == 0
    answers.close()
    answers.join_thread()
    for process in processes:
        process.close()
    failed = [result for result in results.values() if isinstance(result, BaseException)]
    assert not failed, failed
    return [results[number] for number in range(len(arguments))]


def _run(
    start: Any,
    answers: Any,
    number: int,
    work: Callable[..., Any],
    given: tuple[Any, ...],
) -> None:
    try:
        start.wait(60)
        answers.put((number, work(*given)))
    except Exception as error:
        answers.put((number, RuntimeError(repr(error))))
