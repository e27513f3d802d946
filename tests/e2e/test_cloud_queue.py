"""A handful of the deployed service's scenarios again where Postgres keeps the state and a worker on Redis answers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.e2e.conftest import Cloud, deployed
from tests.e2e.fleet import until
from tests.e2e.test_cloud import (
    test_a_redelivered_tap_is_answered_once,
    test_a_second_tap_reads_and_stores_nothing,
    test_a_stranger_gets_one_sentence_and_no_data,
    test_a_tap_becomes_a_picture_in_the_bucket,
    test_an_altered_address_is_refused,
)
from tests.e2e.test_faults import (
    test_line_refuses_and_the_answer_is_sent_again,
    test_the_bucket_is_gone_and_the_figures_come_as_a_table,
)

pytestmark = pytest.mark.xdist_group("cloud-queue")
__all__ = [
    "test_a_redelivered_tap_is_answered_once",
    "test_a_second_tap_reads_and_stores_nothing",
    "test_a_stranger_gets_one_sentence_and_no_data",
    "test_a_tap_becomes_a_picture_in_the_bucket",
    "test_an_altered_address_is_refused",
    "test_line_refuses_and_the_answer_is_sent_again",
    "test_the_bucket_is_gone_and_the_figures_come_as_a_table",
]


@pytest.fixture(scope="module")
def cloud(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cloud]:
    with deployed(tmp_path_factory.mktemp("state"), "celery") as made:
        yield made


@pytest.fixture(autouse=True)
def _by_the_worker(cloud: Cloud) -> Iterator[None]:
    """It was the worker that answered, and nothing had to be caught by Python itself."""
    assert cloud.worker is not None
    worker = cloud.worker

    def answers() -> int:
        return sum('"postback answered"' in line for line in worker.log)

    before = answers()
    yield
    until(lambda: answers() > before)
    assert "Traceback" not in "".join(cloud.web.log + worker.log)
