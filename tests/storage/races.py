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
    """Append ten lines to logvol1.txt, each again until it is there.

    Also try to make logvol2.txt; return whether that succeeded.
    """
    has_won = False
    with suppress(Conflict):
        logs.write("logvol2.txt", b"%d" % number, None)
        has_won = True
    for turn in range(10):
        while True:
            file = logs.read("logvol1.txt")
            with suppress(Conflict):
                logs.write("logvol1.txt", file.data + b"%d.%d\n" % (number, turn), file.rev)
                break
    return has_won


def check_that_no_line_is_lost(
    logs: LogSource, work: Callable[[str, int], bool], place: str
) -> None:
    """Check that no line is lost of three processes that append to a log and try to make another.

    `work` is called with the place and a number.
    """
    logs.write("logvol1.txt", b"", None)
    winners = race(work, [(place, number) for number in range(3)])
    assert winners.count(True) == 1
    assert logs.read("logvol2.txt").data == b"%d" % winners.index(True)
    lines = logs.read("logvol1.txt").data.split()
    pairs = itertools.product(range(3), range(10))
    assert sorted(lines) == sorted(b"%d.%d" % pair for pair in pairs)


def race(
    work: Callable[..., Any],
    arguments: list[tuple[Any, ...]],
) -> list[Any]:
    """Run `work`, a module's function, in a process for each of the arguments.

    Return the results in the order of the arguments.
    """
    context = multiprocessing.get_context("spawn")
    start = context.Barrier(len(arguments))
    answers = context.Queue()
    processes = [
        context.Process(target=_run, args=(start, answers, number, work, work_arguments))
        for number, work_arguments in enumerate(arguments)
    ]
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
    arguments: tuple[Any, ...],
) -> None:
    try:
        start.wait(60)
        answers.put((number, work(*arguments)))
    except Exception as error:
        answers.put((number, RuntimeError(repr(error))))
