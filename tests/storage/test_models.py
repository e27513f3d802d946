from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings, strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from storage.ports import Conflict, NotFound
from storage.state import open_state
from tests.backend import Backend
from tests.clock import Clock
from tests.storage.places import PLACES, Place

names = st.sampled_from(["logvol1.txt", "logvol2.txt", "league.toml", "雀 録.txt"])
datas = st.sampled_from([b"", b"1", b"12", b"\xff\x00"])
keys = st.sampled_from(["", "a", "a%", "a_", "ab", "A", "雀"])
values = st.sampled_from(["", "1", "2"])
ttls = st.sampled_from([None, 5.0, 50.0])


class LogsComparedWithDict(RuleBasedStateMachine):
    """A LogSource and a dict. The test sets `place` in a subclass."""

    place: Place

    def __init__(self) -> None:
        super().__init__()
        self.restart()
        for name in self.logs.revisions():
            self.place.delete(name)
        self.files: dict[str, bytes] = {}
        self.stale: dict[str, str] = {}

    @rule(name=names, data=datas)
    def overwrite(self, name: str, data: bytes) -> None:
        self._written(name, data, self.logs.overwrite(name, data))

    @rule(name=names, data=datas)
    def write_new(self, name: str, data: bytes) -> None:
        if name in self.files:
            with pytest.raises(Conflict):
                self.logs.write(name, data, None)
        else:
            self._written(name, data, self.logs.write(name, data, None))

    @rule(name=names, data=datas)
    def write_on(self, name: str, data: bytes) -> None:
        if name not in self.files:
            with pytest.raises(NotFound):
                self.logs.read(name)
            return
        rev = self.logs.read(name).rev
        self._written(name, data, self.logs.write(name, data, rev))

    @rule(name=names, data=datas)
    def write_stale(self, name: str, data: bytes) -> None:
        old = self.stale.get(name)
        if old is not None and old != self.logs.read(name).rev:
            with pytest.raises(Conflict):
                self.logs.write(name, data, old)

    @rule()
    def restart(self) -> None:
        self.logs = self.place.open()

    @invariant()
    def everything_agrees(self) -> None:
        stored = {name: self.logs.read(name) for name in self.logs.revisions()}
        assert {name: file.data for name, file in stored.items()} == self.files
        revisions = {name: file.rev for name, file in stored.items()}
        assert revisions == self.logs.revisions()

    def _written(self, name: str, data: bytes, rev: str) -> None:
        if name in self.files and name not in self.stale:
            self.stale[name] = rev
        self.files[name] = data


slow = [HealthCheck.too_slow]
quick = settings(max_examples=15, stateful_step_count=12, deadline=None, suppress_health_check=slow)


@pytest.mark.parametrize("kind", ["file:", "dropbox:/"])
def test_logs_compared_with_a_dict(
    request: pytest.FixtureRequest, tmp_path: Path, kind: str
) -> None:
    machine = type("Machine", (LogsComparedWithDict,), {"place": PLACES[kind](request, tmp_path)})
    run_state_machine_as_test(machine, settings=quick)


class ValuesComparedWithDict(RuleBasedStateMachine):
    """Values and a dict. The test sets `url` in a subclass."""

    url: str

    def __init__(self) -> None:
        super().__init__()
        self.clock = Clock()
        self.state = open_state(self.url, clock=self.clock)
        self.dict: dict[str, tuple[str, float]] = {}
        for key in self.state.values.items(""):
            self.state.values.delete(key)

    def teardown(self) -> None:
        self.clock.now = 1e11
        self.state.sweep()
        self.state.close()

    @rule(key=keys, value=values, ttl=ttls)
    def put(self, key: str, value: str, ttl: float | None) -> None:
        self.state.values.put(key, value, ttl)
        self._set(key, value, ttl)

    @rule(key=keys, value=values, ttl=ttls)
    def add(self, key: str, value: str, ttl: float | None) -> None:
        free = self._get(key) is None
        assert self.state.values.add(key, value, ttl) == free
        if free:
            self._set(key, value, ttl)

    @rule(key=keys, old=values, value=values, ttl=ttls)
    def replace(
        self,
        key: str,
        old: str,
        value: str,
        ttl: float | None,
    ) -> None:
        fits = self._get(key) == old
        assert self.state.values.replace(key, old, value, ttl) == fits
        if fits:
            self._set(key, value, ttl)

    @rule(key=keys)
    def delete(self, key: str) -> None:
        self.state.values.delete(key)
        self.dict.pop(key, None)

    @rule(seconds=st.sampled_from([1.0, 5.0, 49.0]))
    def wait(self, seconds: float) -> None:
        self.clock.now += seconds

    @rule()
    def sweep(self) -> None:
        dead = [key for key in self.dict if self._get(key) is None]
        assert self.state.sweep() == len(dead)
        for key in dead:
            del self.dict[key]

    @invariant()
    def everything_agrees(self) -> None:
        living: dict[str, str] = {}
        for key in self.dict:
            value = self._get(key)
            if value is not None:
                living[key] = value
        for prefix in ("", "a", "a%", "雀"):
            expected = {key: value for key, value in living.items() if key.startswith(prefix)}
            assert self.state.values.items(prefix) == expected
        for key in ("a", "A"):
            assert self.state.values.get(key) == living.get(key)

    def _get(self, key: str) -> str | None:
        value, expires = self.dict.get(key, (None, 0.0))
        return value if self.clock.now < expires else None

    def _set(self, key: str, value: str, ttl: float | None) -> None:
        self.dict[key] = (value, float("inf") if ttl is None else self.clock.now + ttl)


def test_state_compared_with_a_dict(backend: Backend, tmp_path: Path) -> None:
    machine = type("StateMachine", (ValuesComparedWithDict,), {"url": backend.database(tmp_path)})
    run_state_machine_as_test(machine, settings=settings(quick, stateful_step_count=20))
