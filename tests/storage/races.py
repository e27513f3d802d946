"""Runs a piece of work in several processes that start at the same moment."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from typing import Any


def race(work: Callable[..., Any], arguments: list[tuple[Any, ...]]) -> list[Any]:
    """Run `work` once for each tuple of arguments, each in its own process, all at once; return the results
    in order.

    `work` has to be a function of a module. The race fails if any process fails.
    """
    context = multiprocessing.get_context("spawn")
    start = context.Barrier(len(arguments))
    answers = context.Queue()
    processes = [
        context.Process(target=_run, args=(start, answers, number, work, given))
        for number, given in enumerate(arguments)
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


def _run(start: Any, answers: Any, number: int, work: Callable[..., Any], given: tuple[Any, ...]) -> None:
    try:
        start.wait(60)
        answers.put((number, work(*given)))
    except Exception as error:
        answers.put((number, RuntimeError(repr(error))))
