"""The generated Python, end to end. Every signature is verified by `cryptography`."""

import multiprocessing
import os
import pathlib
import tempfile
import threading
import unittest

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, mldsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

import example
from example import Node, now, spawn
from quorate import (AuxInfo, AuxSearch, Continuity, ErrorKind, Job, KeyShare, Level, MessageHash, MlDsaKeyShare, MlDsaLevel,
                     NonceStock, Presignature, Progress, QuorateError, FrameFate, Received, Runner, Scheme, SealKey,
                     Session, ShareState, SigningSession, SpentTable, TableError, Task, Tasks)
from quorate.sqlite import SqliteRows, SqliteSpentTable

HERE = pathlib.Path(__file__).parent
KEY = SealKey(b"\7" * 32)
KEYGEN = Task.KEYGEN(scheme=Scheme.FROST_ED25519, threshold=2)


class TaskOf(Tasks):
    """Tasks that a test sets, by the body of a job."""

    def __init__(self):
        self.tasks = {}

    def task(self, job):
        return self.tasks[job.body]()


class Party(Node):
    """A party with a runner in a folder."""

    def __init__(self, me, peers, folder, rows=SqliteRows):
        self.tasks = TaskOf()
        self.folder = folder
        rows = rows(os.path.join(folder, f"runner-{me}.db"))
        # A test knows that nobody has copied its folder.
        continuity = Continuity.OPERATOR
        super().__init__(me, peers, Runner.open(me, KEY, rows, self.tasks, continuity))

    def made(self, number, parties, task):
        """What a run makes; `task` gives its task, each time it is asked for."""
        body = bytes([number])
        self.tasks.tasks[body] = task
        job = Job(session_id=session_id(number), parties=parties, body=body, deadline=now() + 100_000)
        [outcome] = self.run(job)
        return outcome

    def table(self):
        """The table of spent names, in a database of its own that no backup restores."""
        return SqliteSpentTable(os.path.join(self.folder, f"spent-{self.me}.db"))


def session_id(number):
    return bytes([number]) * 32


def ecdsa_party(me, peers, result, folder):
    """A key over secp256k1, auxiliary information, two presignatures, and a signature with each."""
    party = Party(me, peers, folder)
    keygen = Task.KEYGEN(scheme=Scheme.ECDSA_SECP256K1, threshold=2)
    share = party.made(1, [1, 2, 3], lambda: keygen).share
    search = AuxSearch.open((HERE / "fixtures" / f"search-{me}.bin").read_bytes(), KEY)
    while not (secrets := search.step(8)):
        pass
    aux = party.made(2, [1, 2, 3], lambda: Task.MAKE_AUX_INFO(secrets=secrets)).aux
    aux = AuxInfo.open(aux.seal(KEY), KEY)
    if me == 2:
        return
    task = Task.PRESIGN_MANY(share=share, aux=aux, count=2)
    presignatures = party.made(3, [1, 3], lambda: task).presignatures
    for number, (presignature, at) in enumerate(zip(presignatures, ["m", "m/0/7"])):
        sign_with(party, number, presignature, at, (me, share, party.table()), result)


def sign_with(party, number, presignature, at, holder, result):
    (me, share, table), message = holder, b"message %d" % number
    sealed = presignature.seal(KEY)
    mine = presignature.sign(share, at, message, MessageHash.SHA256, table)
    # Once, whichever copy it is.
    assert kind(lambda: presignature.sign(share, at, message, MessageHash.SHA256, table)) == ErrorKind.CONSUMED
    copy = Presignature.open(share.scheme(), sealed, KEY)
    assert kind(lambda: copy.sign(share, at, b"another", MessageHash.SHA256, table)) == ErrorKind.SPENT
    if me == 3:
        party.send(1, f"share {number}", mine)
        return
    shares = [Received(sender=1, bytes=mine), party.received(f"share {number}")]
    public = share.public()
    signature = presignature.info().aggregate(public, at, message, MessageHash.SHA256, shares)
    result.send((public.child(at).pem(), message, signature.der))


def mldsa_party(me, peers, result, folder):
    """A key of ML-DSA-65, and a signature by as many attempts as it takes, each counted before it begins."""
    party, message, context = Party(me, peers, folder), b"firmware 7", b"releases"
    keygen = Task.ML_DSA_KEYGEN(level=MlDsaLevel.ML_DSA65, threshold=2)
    share = party.made(5, [1, 2, 3], lambda: keygen).share
    share = MlDsaKeyShare.open(share.seal(KEY), KEY)
    if me == 2:
        return
    table, number, signature = party.table(), 0, None
    begin = lambda number, sid: share.attempt(number, sid, [1, 3], message, context, table)
    while signature is None:
        sid = session_id(100 + number)
        ended = party.made(100 + number, [1, 3], lambda: Task.ML_DSA_SIGN(attempt=begin(number, sid)))
        # The number is used up, whatever becomes of the session.
        assert kind(lambda: begin(number, session_id(99))) == ErrorKind.SPENT
        # A record that was there before starts nothing.
        again = Task.ML_DSA_SIGN(attempt=begin(number, sid))
        assert kind(lambda: Session.start(sid, me, [1, 3], again)) == ErrorKind.SPENT
        assert [one.party for one in ended.accepted] == [1, 3]
        number, signature = number + 1, ended.signature
    share.public().verify(message, context, signature)
    result.send((share.public().pem(), share.public().verifying_key(), signature.bytes))


class DyingRows(SqliteRows):
    """Rows whose process stops dead behind one of its transactions, unless it has done so before."""

    def write(self, generation, changes):
        written = super().write(generation, changes)
        if written and generation == 24:
            os._exit(9)
        return written


SCHEMES = [Scheme.FROST_ED25519, Scheme.FROST_TAPROOT, Scheme.ECDSA_SECP256K1]


def crashing_party(me, peers, result, folder):
    """Three keys at once on one store. Party 2 stops dead when it has stored something, and sends nothing of it."""
    party, jobs = Party(me, peers, folder, DyingRows if me == 2 else SqliteRows), []
    for scheme in SCHEMES:
        body = scheme.name.encode()
        party.tasks.tasks[body] = lambda scheme=scheme: Task.KEYGEN(scheme=scheme, threshold=2)
        jobs.append(Job(session_id=session_id(scheme.value), parties=[1, 2, 3], body=body, deadline=now() + 100_000))
    shares = [made.share for made in party.run(*jobs)]
    assert [share.scheme() for share in shares] == SCHEMES
    # What party 2 had stored and not sent is sent a second later, whether or not its own runs have ended by then.
    party.finish()
    # Another runner on the same rows has the same ends, and needs no task for them.
    party.runner.close()
    again = Party(me, peers, folder)
    assert [made.share.public() for made in again.run(*jobs)] == [share.public() for share in shares]
    result.send((me, [share.seal(KEY) for share in shares]))


def kind(call):
    try:
        call()
    except QuorateError as error:
        return error.kind
    raise AssertionError("it succeeded")


def sign(shares, message):
    """A signature with FROST, in one process."""
    nonces = {party: share.commit() for party, share in shares.items()}
    sent = [Received(sender=party, bytes=one.commitments()) for party, one in nonces.items()]
    session = SigningSession.start(next(iter(shares.values())).public(), sent, message)
    for party, share in shares.items():
        session.receive(party, share.sign(session.package(), nonces[party]))
    return session.aggregate().bytes


class ThreeProcesses(unittest.TestCase):
    def spawn(self, target):
        with tempfile.TemporaryDirectory() as folder:
            return spawn(target, folder)

    def test_the_example(self):
        example.main()

    def test_ecdsa_from_the_key_to_signatures_of_a_key_and_its_child(self):
        results = self.spawn(ecdsa_party)
        self.assertEqual(len(results), 2)
        self.assertNotEqual(results[0][0], results[1][0])
        for pem, message, der in results:
            key = serialization.load_pem_public_key(pem.encode())
            self.assertEqual(key.curve.name, "secp256k1")
            key.verify(der, message, ec.ECDSA(hashes.SHA256()))

    def test_ml_dsa_from_the_key_to_a_signature(self):
        results = self.spawn(mldsa_party)
        self.assertEqual(len(results), 2)
        self.assertEqual(results[0], results[1])
        pem, raw, signature = results[0]
        key = serialization.load_pem_public_key(pem.encode())
        self.assertIsInstance(key, mldsa.MLDSA65PublicKey)
        self.assertEqual(key.public_bytes_raw(), raw)
        key.verify(signature, b"firmware 7", b"releases")
        for message, context in [(b"firmware 8", b"releases"), (b"firmware 7", None)]:
            with self.assertRaises(InvalidSignature):
                key.verify(signature, message, context)

    def test_a_party_that_stops_dead_resumes_its_runs_of_every_scheme(self):
        peers = {1: {}, 2: {}, 3: {}}
        for one, other in [(1, 2), (1, 3), (2, 3)]:
            peers[one][other], peers[other][one] = multiprocessing.Pipe()
        here, there = multiprocessing.Pipe()
        with tempfile.TemporaryDirectory() as folder:
            begin = lambda me: multiprocessing.Process(target=crashing_party, args=(me, peers[me], there, folder))
            processes = {me: begin(me) for me in peers}
            for process in processes.values():
                process.start()
            processes[2].join(60)
            self.assertEqual(processes[2].exitcode, 9)
            processes[2] = begin(2)
            processes[2].start()
            for process in processes.values():
                process.join(60)
                self.assertEqual(process.exitcode, 0)
        shares = {}
        while here.poll():
            party, sealed = here.recv()
            shares[party] = [KeyShare.open(one, KEY) for one in sealed]
        self.assertEqual(sorted(shares), [1, 2, 3])
        for ed25519_or_taproot in (0, 1):
            signers = {party: shares[party][ed25519_or_taproot] for party in (2, 3)}
            signers[2].public().verify(b"after the crash", sign(signers, b"after the crash"))
        signature = sign({party: shares[party][0] for party in (2, 3)}, b"after the crash")
        key = Ed25519PublicKey.from_public_bytes(shares[1][0].public().verifying_key())
        key.verify(signature, b"after the crash")


class Misuse(unittest.TestCase):
    def start(self, number):
        return {me: Session.start(session_id(number), me, [1, 2, 3], KEYGEN) for me in (1, 2, 3)}

    def keys(self, number):
        sessions, shares = self.start(number), {}
        while not shares:
            for me, session in sessions.items():
                for message in session.outgoing():
                    for to in set(sessions) - {me} if message.recipient is None else {message.recipient}:
                        sessions[to].receive(me, message.bytes)
            for me, session in sessions.items():
                if session.advance() == Progress.DONE:
                    shares[me] = session.outcome().share
        return shares

    def fails(self, kind, call):
        with self.assertRaises(QuorateError) as caught:
            call()
        self.assertEqual(caught.exception.kind, kind)
        return caught.exception

    def test_a_culprit_is_named(self):
        sessions = self.start(10)
        [sent] = sessions[2].outgoing()
        altered = bytearray(sent.bytes)
        altered[-1] ^= 1
        sessions[1].receive(2, bytes(altered))
        self.assertEqual(sessions[1].receive(2, sent.bytes), FrameFate.CONFLICTING)
        error = self.fails(ErrorKind.MISBEHAVIOUR, sessions[1].advance)
        self.assertEqual(error.culprits, [2])
        self.assertIn("two different messages", error.check)
        [blame] = sessions[1].blames()
        self.assertEqual((blame.party, blame.round, len(blame.frames)), (2, 1, 2))
        self.fails(ErrorKind.MISBEHAVIOUR, sessions[1].outcome)

    def test_a_share_that_lacks_confirmation_is_progress_and_no_error(self):
        sessions = self.start(15)
        for _ in range(2):
            sent = {me: session.outgoing() for me, session in sessions.items()}
            for me, messages in sent.items():
                for message in messages:
                    for to in set(sessions) - {me} if message.recipient is None else {message.recipient}:
                        sessions[to].receive(me, message.bytes)
            for session in sessions.values():
                self.assertEqual(session.advance(), Progress.ROUND)
        [two], [three] = sessions[2].outgoing(), sessions[3].outgoing()
        altered = bytearray(two.bytes)
        altered[-1] ^= 1
        sessions[1].receive(2, bytes(altered))
        sessions[1].receive(3, three.bytes)
        self.assertEqual(sessions[1].advance(), Progress.UNCONFIRMED)
        self.assertEqual(sessions[1].reason().culprits, [2])
        share = sessions[1].outcome().share
        self.assertEqual(share.state(), ShareState.UNCONFIRMED)

    def test_nonces_sign_once_from_two_threads(self):
        shares = self.keys(11)
        nonces = {me: shares[me].commit() for me in (1, 2)}
        sent = [Received(sender=me, bytes=one.commitments()) for me, one in nonces.items()]
        package = SigningSession.start(shares[1].public(), sent, b"once").package()
        ended = []

        def once():
            try:
                ended.append(shares[1].sign(package, nonces[1]))
            except QuorateError as error:
                ended.append(error.kind)

        threads = [threading.Thread(target=once) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(ended.count(ErrorKind.CONSUMED), 1)
        self.assertEqual(len([one for one in ended if isinstance(one, bytes)]), 1)

    def test_a_table_that_fails_releases_nothing(self):
        class Failing(SpentTable):
            def __init__(self, error):
                self.error = error

            def record(self, id, digest):
                raise self.error

        shares = self.keys(12)
        stock = shares[1].precompute(2)
        for error in [TableError.Failed(reason="out of disk"), RuntimeError("nobody declared this")]:
            sent = [Received(sender=1, bytes=stock.commitments()[0]),
                    Received(sender=2, bytes=shares[2].commit().commitments())]
            package = SigningSession.start(shares[1].public(), sent, b"table").package()
            self.fails(ErrorKind.TABLE, lambda: stock.sign(shares[1], package, Failing(error)))

    def test_what_is_sealed_opens_under_its_key_alone(self):
        share = self.keys(13)[1]
        sealed, other = share.seal(KEY), SealKey(b"\10" * 32)
        self.fails(ErrorKind.SEAL, lambda: KeyShare.open(sealed, other))
        self.fails(ErrorKind.SEAL, lambda: KeyShare.open(sealed[:-1], KEY))
        stock = share.precompute(1).seal(KEY)
        self.fails(ErrorKind.SEAL, lambda: NonceStock.open(Scheme.FROST_P256, stock, KEY,
                                                        Continuity.STAYED_UP))
        self.fails(ErrorKind.ARGUMENTS, lambda: SealKey(b"short"))

    def test_an_ended_session_and_an_early_question(self):
        sessions = self.start(14)
        self.fails(ErrorKind.NOT_YET, sessions[1].outcome)
        sessions[1].give_up()
        self.fails(ErrorKind.MISSING, sessions[1].outcome)
        self.fails(ErrorKind.CONSUMED, sessions[1].advance)


if __name__ == "__main__":
    unittest.main()
