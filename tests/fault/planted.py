"""Plants defects one by one in a copy of the code, and checks that the test named beside each fails by it.

python -m tests.fault.planted [WORDS]      (default: all; else those whose description holds the words)

Each defect has three lines: `what is wrong | file | tests | pytest's -k`, the text that is right, and the one
in its place.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
DEFECTS = r"""
two take the lease of a dead process | storage/chats.py | tests/tenhou/test_throttle.py | of_two_processes
self._mine = self._database.put(LEASES, row, where=free) > 0
self._mine = self._database.put(LEASES, row) > 0
a lease that is another's by now is given back | storage/chats.py | tests/tenhou/test_throttle.py | who_stood_still
        mine = LEASES.c.name == self._name, LEASES.c.holder == self._holder\n
        mine = (LEASES.c.name == self._name,)\n
who stood still takes its lease for granted | storage/chats.py | tests/sync/test_room_loop.py | one_process_of_all
 self._mine and self._database.now() < now + self._life
 self._mine
a round that stood still asks a room again | bot/sync/room_loop.py | tests/sync/test_room_loop.py | stood_still_in_its_round
if secret is None or not memory.due(_jst(self._now())):
if secret is None:
a digest goes to all leagues | bot/notify/groups.py | tests/notify/test_after_sync.py | own_league_alone
return [chat for chat, league in self.access.groups().items() if league == folder]
return list(self.access.groups())
a push has a new retry key at each try | bot/notify/groups.py | tests/notify/test_after_sync.py | arrives_once
str(uuid.uuid5(uuid.NAMESPACE_OID, f"{what} {chat}"))
str(uuid.uuid4())
a push is not noted as sent | bot/notify/groups.py | tests/notify/test_after_sync.py | one_failing_step
        if sent:
        if not sent:
an event is put off though the store failed | bot/dispatch/dispatcher.py | tests/dispatch/test_answered_once.py | not_put_off
            if self.pending.put_off(mine, sent):
            if self.pending.put_off(mine, sent) or True:
LINE is tried again after the token's death | bot/line/client.py | tests/dispatch/test_answered_once.py | dead_token
            if time.time() + pause > until:
            if time.time() + pause > until + 600:
an answer is sent after the token's death | bot/dispatch/dispatcher.py | tests/dispatch/test_answered_once.py | dead_token
if not error.later or time.time() > until:
if not error.later or time.time() > until + 600:
a bad log is kept as the last good one | bot/league/in_force.py | tests/league/test_last_good.py | served_as_it_was_last
files.items() if LOG_NAME.match(n) and n not in refused}
files.items() if LOG_NAME.match(n)}
a restore lets members in before the files are there | bot/league/backup.py | tests/league/test_backup.py | dies_anywhere
        put_rows(self._database, self._rows(result, secret=True))
        put_rows(self._database, [*self._rows(result, secret=True), *self._rows(result, secret=False)])
a version is put back by removing the file first | bot/league/files.py | tests/league/test_versions.py | dies_anywhere
    return write_keeping(logs, name, data, rev, now=now, old=old)
    return keep(logs, name, old, "", now) or logs.remove(name) or logs.write(name, data, None)
the version kept is the new text | bot/league/files.py | tests/league/test_versions.py | each_write
old=data)
old=wanted)
an evening gets another name | bot/notify/groups.py | tests/notify/test_evening.py | began_before
return replace(evening, name=str(kept["name"]), said
return replace(evening, name=f"{evening.begin:%H%M}", said
a season long past gets a report | bot/notify/groups.py | tests/notify/test_after_sync.py | long_past
if snapshot.games[begun.number][0].day not in days:
if snapshot.games[begun.number][0].day in ():
a killed writer's version has another's bytes | bot/league/files.py | tests/league/test_versions.py | writer_that_died
    return data if hashlib.sha256(data).hexdigest() == version.sha256 else None
    return data
a quotation is of another chat | bot/dispatch/responder.py | tests/dispatch/test_quoting.py | known_at_once
if own == chat and message in ids:
if message in ids:
a member gets another's card | bot/dispatch/responder.py | tests/dispatch/test_quoting.py | somebody_elses
*asked, asker.player, asker.admin
*asked, asker.admin
who was turned away is answered later | bot/dispatch/dispatcher.py | tests/dispatch/test_long.py | long_ones
                self.pending.done(pending)\n                _log_tap(
                _log_tap(
a tap that the threads refuse is held | bot/dispatch/dispatcher.py | tests/test_lifecycle.py | leaves_its_taps
                self.pending.put_off(mine, mine.messages)
                pass
who left stays a member | bot/chat/access.py | tests/chat/test_access.py | who_left
            with _written():\n                self._kept.forget_group(user)\n
            with _written():\n                pass\n
an event is claimed by two | storage/events.py | tests/dispatch/test_pending.py | dead_ones_is_taken_up
EVENTS.c.owner == owner, not_
EVENTS.c.owner != "", not_
an answered event whose claim was lost is not marked | storage/events.py | tests/dispatch/test_pending.py | known
done=True) < len(events):
done=True) < 0:
a tap in the queue is lost at once | storage/events.py | tests/dispatch/test_pending.py | left_in_the_queue
EVENTS.c.taken < now - QUEUED)
EVENTS.c.taken <= now)
a member's name is of another league | storage/chats.py | tests/chat/test_access.py | read_at_once
given = select(IDENTITIES.c.player).where(*_identity(league_here, user)).
given = select(IDENTITIES.c.player).where(IDENTITIES.c.user == user).
a quoted answer is known for ever | storage/chats.py | tests/dispatch/test_quoting.py | known_at_once
QUOTES.c.sent > self._database.clock() - QUOTED)
QUOTES.c.sent > 0)
taps that workers have count as waiting | storage/events.py | tests/security/test_routes.py | no_worker_has_taken
waits = EVENTS.c.owner == QUEUE, EVENTS
waits = EVENTS.c.owner != "", EVENTS
"""


def main() -> None:
    lines, missed = DEFECTS.splitlines()[1:], 0
    chosen = [lines[n : n + 3] for n in range(0, len(lines), 3) if " ".join(sys.argv[1:]) in lines[n]]
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder, "copy")
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".*", "__pycache__"))
        for head, right, wrong in chosen:
            what, name, tests, words = head.split(" | ")
            path = copy / name
            text = path.read_text("utf-8")
            right, wrong = (part.replace("\\n", "\n") for part in (right, wrong))
            path.write_text(text.replace(right, wrong), "utf-8")
            command = [sys.executable, "-m", "pytest", "-qx", *tests.split(), "-k", words]
            status = subprocess.run(command, cwd=copy, stdout=subprocess.DEVNULL, check=False).returncode
            path.write_text(text, "utf-8")
            found = status == 1 and text.count(right) == 1  # else the code has changed: plant it anew
            missed += not found
            print(f"{'found' if found else 'NOT FOUND'}: {what}", flush=True)
    if missed:
        raise SystemExit(f"{missed} of {len(chosen)} defects are not found")


if __name__ == "__main__":
    main()
