"""Count and measure for Prometheus. Nothing is counted before `configure` is called.

Several processes count together in the files of PROMETHEUS_MULTIPROC_DIR (bot/gunicorn.py sets it).
"""

import os
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NamedTuple

COUNTERS = {
    "taps": ("Taps by outcome", ("outcome",)),
    "cache": ("Questions to a cache by whether it knew", ("cache", "known")),
    "rooms": ("Requests of rooms' own results by outcome", ("outcome",)),
    "records": ("Records that rooms have named by outcome", ("outcome",)),
    "outside_errors": ("Failures of services outside", ("service",)),
    "slow_connections": ("Connections shut down because their client was slow", ()),
}
_BUCKETS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0)
_metrics: dict[str, Any] = {}


def configure() -> None:
    """Begin to count. A second call changes nothing."""
    if _metrics:
        return
    from prometheus_client import Counter, Gauge, Histogram

    for name, (words, labels) in COUNTERS.items():
        _metrics[name] = Counter(f"janroku_{name}", words, labels)
    _metrics["step"] = Histogram(
        "janroku_step_seconds", "Seconds by step of a tap", ("step",), buckets=_BUCKETS
    )
    _metrics["waiting"] = Gauge(
        "janroku_waiting", "Taps waiting or under way", ("place",), multiprocess_mode="livesum"
    )


def count(name: str, number: int = 1, **labels: str) -> None:
    """Add to a counter of COUNTERS."""
    if _metrics:
        counter = _metrics[name]
        if labels:
            counter = counter.labels(**labels)
        counter.inc(number)


def waiting(place: str, number: int) -> None:
    """Set how many taps wait or are under way at a place. The places are the pools of threads
    `take` (webhooks), `health` (health checks), `tap`, `long` (slow answers), `aside` (refusals),
    `ahead` (pictures), `rooms` (their own results) and `notices` (to admins), and `queue` (taps no
    worker has)."""
    if _metrics:
        _metrics["waiting"].labels(place=place).set(number)


def step(name: str) -> AbstractContextManager[Any]:
    """Measure the seconds that one step of a tap takes."""
    if not _metrics:
        return nullcontext()
    timer: AbstractContextManager[Any] = _metrics["step"].labels(step=name).time()
    return timer


class MetricsPage(NamedTuple):
    """What Prometheus reads."""

    data: bytes
    content_type: str


def page() -> MetricsPage:
    """The figures of all processes together."""
    from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
    from prometheus_client.multiprocess import MultiProcessCollector

    registry = REGISTRY
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return MetricsPage(generate_latest(registry), CONTENT_TYPE_LATEST)


def forget(process: int) -> None:
    """Drop the gauges of a process of ours, by its id, that has ended."""
    if _metrics and "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        from prometheus_client.multiprocess import mark_process_dead

        mark_process_dead(process)  # type: ignore[no-untyped-call]
