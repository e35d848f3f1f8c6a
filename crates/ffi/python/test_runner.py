"""The runner on SQLite: losses, junk, crashes, silence, and runs whose confirmation fails."""

import os
import sqlite3
import tempfile
import threading
import unittest

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from quorate import (Change, Continuity, ErrorKind, Job, QuorateError, Received, Row, Rows, RowsError, Runner, Scheme, SealKey,
                     Session, ShareState, SigningSession, SpentTable, TableEntry, TableError, Task, Tasks)
from quorate.sqlite import SqliteRows, SqliteSpentTable

KEY = SealKey(b"\7" * 32)
PARTIES = [1, 2, 3]


class Bodies(Tasks):
    """Tasks by the bodies of jobs."""

    def __init__(self, **tasks):
        self.tasks = tasks

    def task(self, job):
        return self.tasks.get(job.body.decode())


KEYGEN = Task.KEYGEN(scheme=Scheme.FROST_ED25519, threshold=2)


class Network:
    """Three runners in one process, by a clock of its own."""

    def __init__(self, folder, tasks=None, lose=lambda sender, packet, now: False):
        self.folder, self.lose, self.now = folder, lose, 1_000
        self.tasks = tasks or {me: Bodies(key=KEYGEN, other=Task.KEYGEN(scheme=Scheme.FROST_P256, threshold=2)) for me in PARTIES}
        self.runners = {me: self.open(me) for me in PARTIES}
        self.mail, self.ended, self.refused = {me: [] for me in PARTIES}, {me: {} for me in PARTIES}, []

    def open(self, me, continuity=Continuity.OPERATOR):
        return Runner.open(me, KEY, SqliteRows(os.path.join(self.folder, f"{me}.db")), self.tasks[me], continuity)

    def restart(self, me, continuity=Continuity.OPERATOR):
        self.runners[me].close()
        self.runners[me] = self.open(me, continuity)

    def start(self, job, parties=PARTIES):
        return [self.runners[me].start(job, self.now) for me in parties]

    def round(self, parties=PARTIES):
        for me in parties:
            received, self.mail[me] = self.mail[me], []
            turn = self.runners[me].turn(received, self.now)
            self.refused += turn.refused
            self.ended[me].update({run.session_id: run.end for run in turn.ended})
            for packet in turn.packets:
                if not self.lose(me, packet, self.now):
                    self.mail[packet.recipient].append(Received(sender=me, bytes=packet.bytes))
        self.now += 100

    def run(self, job, rounds=100, parties=PARTIES):
        for _ in range(rounds):
            self.round(parties)
            if all(job.session_id in self.ended[me] for me in parties):
                return {me: self.ended[me][job.session_id] for me in parties}
        raise AssertionError(f"only {[len(self.ended[me]) for me in PARTIES]} have ended")


def job(number, body=b"key", deadline=60_000):
    return Job(session_id=bytes([number]) * 32, parties=PARTIES, body=body, deadline=deadline)


def sign(shares, message):
    nonces = {me: share.commit() for me, share in shares.items()}
    sent = [Received(sender=me, bytes=one.commitments()) for me, one in nonces.items()]
    session = SigningSession.start(next(iter(shares.values())).public(), sent, message)
    for me, share in shares.items():
        session.receive(me, share.sign(session.package(), nonces[me]))
    return session.aggregate()


class OnSqlite(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def network(self, **arguments):
        return Network(self.folder.name, **arguments)

    def verifies(self, ends):
        shares = {me: end.outcome.share for me, end in ends.items() if me != 2}
        signature = sign(shares, b"message")
        key = Ed25519PublicKey.from_public_bytes(shares[1].public().verifying_key())
        key.verify(signature.bytes, b"message")
        with self.assertRaises(InvalidSignature):
            key.verify(signature.bytes, b"other")

    def test_a_key_is_made_in_spite_of_lost_packets_and_junk(self):
        lost = []

        def lose(sender, packet, now):
            # Later nothing is lost: a packet that is lost again and again comes too late for the rounds of the test.
            lost.append((sender, packet.recipient, now))
            return len(lost) % 3 == 0 and now < 5_000

        network = self.network(lose=lose)
        network.start(job(1))
        for junk in (b"", b"\0", b"junk of another kind", bytes([1, 1, 0]) + b"x" * 100):
            network.mail[1].append(Received(sender=2, bytes=junk))
        self.verifies(network.run(job(1)))
        self.assertEqual({one.sender for one in network.refused[:4]}, {2})
        self.assertGreaterEqual(len(network.refused), 4)

    def test_every_party_may_stop_between_any_two_turns(self):
        network = self.network()
        network.start(job(2))
        for number in range(60):
            if all(network.ended.values()):
                break
            network.round()
            network.restart(PARTIES[number % 3])
        self.verifies({me: network.ended[me][job(2).session_id] for me in PARTIES})
        # The end is told again, whatever process asks.
        started = network.start(job(2))
        self.assertTrue(all(one.is_ENDED() for one in started))
        self.verifies({me: one.end for me, one in zip(PARTIES, started)})
        self.assertTrue(network.runners[1].forget_record(job(2)))
        forgotten = network.runners[1].outcome(job(2))
        self.assertIsNone(forgotten.outcome)
        self.assertEqual(forgotten.error.kind, ErrorKind.CONSUMED)

    def test_a_peer_that_is_silent_ends_the_run_at_its_deadline(self):
        network = self.network()
        network.start(job(3, deadline=3_000), [1, 2])
        ends = network.run(job(3), parties=[1, 2])
        for end in ends.values():
            self.assertIsNone(end.outcome)
            self.assertEqual((end.error.kind, end.error.culprits), (ErrorKind.MISSING, []))
        self.assertGreaterEqual(network.now, 3_000)

    def test_a_share_that_lacks_confirmations_is_kept(self):
        # Party 3 sends no third round: a broadcast of 71 bytes behind the head, and the runner's byte.
        lose = lambda sender, packet, now: sender == 3 and packet.bytes[1:4] == bytes([1, 1, 3])
        network = self.network(lose=lose)
        network.start(job(4, deadline=5_000))
        end = network.run(job(4))[1]
        self.assertEqual(end.error.kind, ErrorKind.MISSING)
        self.assertEqual(end.outcome.share.state(), ShareState.UNCONFIRMED)
        stored = network.runners[1].outcome(job(4))
        self.assertEqual(stored.outcome.share.state(), ShareState.UNCONFIRMED)
        self.assertEqual(str(stored.error), str(end.error))

    def test_who_alters_a_message_is_named_with_the_frames(self):
        network = self.network()
        network.start(job(5))
        network.round([2])
        altered = [one for one in network.mail[1] if one.sender == 2]
        for one in altered:
            one.bytes = one.bytes[:-1] + bytes([one.bytes[-1] ^ 1])
        end = network.run(job(5))[1]
        self.assertEqual((end.error.kind, end.error.culprits), (ErrorKind.MISBEHAVIOUR, [2]))
        self.assertEqual(network.runners[1].outcome(job(5)).blames[0].frames, end.blames[0].frames)
        self.assertGreater(len(end.blames[0].frames), 0)

    def test_a_job_starts_once_and_jobs_of_several_schemes_share_a_file(self):
        network = self.network()
        first, second = job(6), job(7, b"other")
        network.start(first)
        network.start(second)
        self.assertTrue(all(one.is_RUNNING() for one in network.start(first)))
        network.run(first)
        ends = network.run(second)
        self.assertEqual(ends[1].outcome.share.scheme(), Scheme.FROST_P256)
        with self.assertRaises(QuorateError) as caught:
            network.runners[1].start(job(6, b"other"), network.now)
        self.assertEqual(caught.exception.kind, ErrorKind.ARGUMENTS)
        with self.assertRaises(QuorateError) as caught:
            network.runners[1].start(job(8, deadline=5), network.now)
        self.assertEqual(caught.exception.kind, ErrorKind.ARGUMENTS)

    def test_a_run_whose_task_is_not_at_hand_waits_and_says_why(self):
        tasks = {me: Bodies(key=KEYGEN) for me in PARTIES}
        network = self.network(tasks=tasks)
        with self.assertRaises(QuorateError) as caught:
            network.runners[1].start(job(9, b"unknown"), network.now)
        self.assertIn("no task", str(caught.exception))
        network.start(job(9))
        network.round()
        tasks[1].tasks.clear()
        network.restart(1)
        for _ in range(10):
            network.round()
        [problem] = network.runners[1].problems()
        self.assertEqual(problem.session_id, job(9).session_id)
        tasks[1].tasks["key"] = KEYGEN
        network.restart(1)
        self.verifies(network.run(job(9)))
        self.assertEqual(network.runners[1].problems(), [])

    def test_a_runner_that_is_called_from_its_own_tasks_refuses(self):
        class Calling(Tasks):
            def task(self, job):
                return self.runner.outcome(job) and None

        tasks = Calling()
        runner = Runner.open(1, KEY, SqliteRows(os.path.join(self.folder.name, "calling.db")), tasks, Continuity.NEW_STORE)
        tasks.runner = runner
        with self.assertRaisesRegex(QuorateError, "its own tasks"):
            runner.start(job(10), 1_000)

    def test_rows_that_fail_lose_nothing(self):
        class Failing(SqliteRows):
            failures = 0

            def write(self, generation, changes):
                Failing.failures = max(0, Failing.failures - 1)
                if Failing.failures % 2:
                    raise RowsError.Failed(reason="out of disk")
                return super().write(generation, changes)

        network = self.network()
        rows = Failing(os.path.join(self.folder.name, "1.db"))
        network.runners[1].close()
        network.runners[1] = Runner.open(1, KEY, rows, network.tasks[1], Continuity.OPERATOR)
        # The time between two attempts doubles with each.
        patient = job(11, deadline=1_000_000)
        network.start(patient)
        Failing.failures, broken = 12, 0
        for _ in range(400):
            try:
                network.round()
            except QuorateError as error:
                self.assertEqual(error.kind, ErrorKind.STORE)
                self.assertIn("out of disk", error.check)
                broken += 1
            network.now += 400
            if all(network.ended.values()):
                break
        self.assertGreater(broken, 3)
        self.verifies({me: network.ended[me][patient.session_id] for me in PARTIES})

    def test_rows_that_may_be_old_end_their_runs(self):
        network = self.network()
        network.start(job(13))
        with self.assertRaises(QuorateError) as caught:
            network.restart(1, Continuity.NEW_STORE)
        self.assertEqual(caught.exception.kind, ErrorKind.ARGUMENTS)
        network.runners[1] = network.open(1, Continuity.UNKNOWN)
        network.round([1])
        end = network.ended[1][job(13).session_id]
        self.assertEqual((end.outcome, end.error.kind), (None, ErrorKind.DISCONTINUED))
        # What there was is not lost, and is never to be sent.
        self.assertEqual(Session.open(end.unopened, KEY, KEYGEN).party_id(), 1)

    def test_two_processes_may_work_on_one_file(self):
        network = self.network()
        network.start(job(12))
        second = network.open(1)
        for _ in range(40):
            if all(network.ended.values()):
                break
            network.round()
            turn = second.turn([], network.now)
            network.ended[1].update({run.session_id: run.end for run in turn.ended})
            for packet in turn.packets:
                network.mail[packet.recipient].append(Received(sender=1, bytes=packet.bytes))
        self.verifies({me: network.ended[me][job(12).session_id] for me in PARTIES})


class TheFiles(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = os.path.join(self.folder.name, "rows.db")

    def test_rows_are_sorted_durable_and_written_by_one_of_two(self):
        rows = SqliteRows(self.path)
        self.assertEqual(rows.generation(), 0)
        keys = [b"", b"\0", b"a", b"a\0", b"a\xff", b"b", b"\xff" * 40]
        self.assertTrue(rows.write(0, [Change(key=key, value=key * 2) for key in reversed(keys)]))
        self.assertEqual([row.key for row in rows.scan(b"", b"\xff" * 41, 100)], keys)
        self.assertEqual(rows.scan(b"a", b"b", 2), [Row(key=b"a", value=b"aa"), Row(key=b"a\0", value=b"a\0a\0")])
        other = SqliteRows(self.path)
        self.assertTrue(other.write(1, [Change(key=b"a", value=None), Change(key=b"b", value=b"x" * 3_000_000)]))
        self.assertFalse(rows.write(1, [Change(key=b"c", value=b"")]))
        rows.close()
        self.assertEqual([len(row.value) for row in SqliteRows(self.path).scan(b"a", b"d", 9)], [4, 4, 3_000_000])

    def test_a_write_that_fails_in_the_middle_changes_nothing(self):
        rows = SqliteRows(self.path)
        with self.assertRaises((RowsError, sqlite3.Error)):
            rows.write(0, [Change(key=b"a", value=b"1"), Change(key=b"b", value=object())])
        self.assertEqual((rows.generation(), rows.scan(b"", b"z", 9)), (0, []))
        rows.close()
        with self.assertRaises(RowsError):
            rows.generation()

    def test_a_name_is_spent_once_by_however_many_threads(self):
        table, given = SqliteSpentTable(self.path), []
        spend = lambda number: given.append(table.record(b"i" * 32, bytes([number]) * 32))
        threads = [threading.Thread(target=spend, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(given), 8)
        # One is told that it is the first, and all others the digest of that one.
        [before] = {one.digest for one in given if one.is_BEFORE()}
        self.assertEqual(sum(one.is_NEW() for one in given), 1)
        self.assertEqual(SqliteSpentTable(self.path).record(b"i" * 32, b"\xff" * 32), TableEntry.BEFORE(before))
        table.close()
        with self.assertRaises(TableError):
            table.record(b"j" * 32, b"\0" * 32)


if __name__ == "__main__":
    unittest.main()
