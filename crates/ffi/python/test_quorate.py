"""The generated Python, end to end. Every signature is verified by `cryptography`."""

import multiprocessing
import os
import pathlib
import sqlite3
import tempfile
import threading
import unittest

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, mldsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

import example
from example import Wire, drive, spawn
from quorate import (AuxInfo, AuxSearch, ErrorKind, KeyShare, Level, MessageHash, MlDsaKeyShare, MlDsaLevel, NonceStock, Outcome,
                     Presignature, Progress, QuorateError, Receipt, Received, Scheme, SealKey, Session,
                     SigningSession, SpentTable, TableError, Task)

HERE = pathlib.Path(__file__).parent
KEY = SealKey(b"\7" * 32)
KEYGEN = Task.KEYGEN(scheme=Scheme.FROST_ED25519, threshold=2)


class Table(SpentTable):
    """The table of spent names, in a database of its own that no backup brings back."""

    def __init__(self, path):
        self.path = path
        with sqlite3.connect(path) as database:
            database.execute("CREATE TABLE IF NOT EXISTS spent (id BLOB PRIMARY KEY, digest BLOB NOT NULL)")

    def record(self, id, digest):
        with sqlite3.connect(self.path) as database:
            database.execute("INSERT INTO spent VALUES (?, ?) ON CONFLICT DO NOTHING", (id, digest))
            database.commit()
            return database.execute("SELECT digest FROM spent WHERE id = ?", (id,)).fetchone()[0]


def session_id(number):
    return bytes([number]) * 32


def ecdsa_party(me, peers, result):
    """A key over secp256k1, auxiliary information, two presignatures, and a signature with each."""
    wire = Wire(peers)
    start = lambda number, parties, task: Session.start(session_id(number), me, parties, task)
    keygen = Task.KEYGEN(scheme=Scheme.ECDSA_SECP256K1, threshold=2)
    share = drive(wire, "key", start(1, [1, 2, 3], keygen)).share
    search = AuxSearch.open((HERE / "fixtures" / f"search-{me}.bin").read_bytes(), KEY)
    while not (secrets := search.step(8)):
        pass
    aux = drive(wire, "aux", start(2, [1, 2, 3], Task.MAKE_AUX_INFO(secrets=secrets))).aux
    aux = AuxInfo.open(aux.seal(KEY), KEY)
    if me == 2:
        return
    del wire.peers[2]
    task = Task.PRESIGN_MANY(share=share, aux=aux, count=2)
    presignatures = drive(wire, "presign", start(3, [1, 3], task)).presignatures
    with tempfile.TemporaryDirectory() as folder:
        table = Table(os.path.join(folder, "spent.db"))
        for number, (presignature, at) in enumerate(zip(presignatures, ["m", "m/0/7"])):
            sign_with(wire, number, presignature, at, (me, share, table), result)


def sign_with(wire, number, presignature, at, holder, result):
    (me, share, table), message = holder, b"message %d" % number
    sealed = presignature.seal(KEY)
    mine = presignature.sign(share, at, message, MessageHash.SHA256, table)
    # Once, whichever copy it is.
    assert kind(lambda: presignature.sign(share, at, message, MessageHash.SHA256, table)) == ErrorKind.CONSUMED
    copy = Presignature.open(share.scheme(), sealed, KEY)
    assert kind(lambda: copy.sign(share, at, b"another", MessageHash.SHA256, table)) == ErrorKind.SPENT
    if me == 3:
        wire.send(1, f"share {number}", mine)
        return
    shares = [Received(sender=1, bytes=mine), wire.received(f"share {number}")]
    public = share.public_key()
    signature = presignature.info().combine(public, at, message, MessageHash.SHA256, shares)
    result.send((public.child(at).pem(), message, signature.der))


def mldsa_party(me, peers, result):
    """A key of ML-DSA-65, and a signature by as many attempts as it takes, each counted before it begins."""
    wire, message, context = Wire(peers), b"firmware 7", b"releases"
    keygen = Task.ML_DSA_KEYGEN(level=MlDsaLevel.ML_DSA65, threshold=2)
    share = drive(wire, "key", Session.start(session_id(5), me, [1, 2, 3], keygen)).share
    share = MlDsaKeyShare.open(share.seal(KEY), KEY)
    if me == 2:
        return
    del wire.peers[2]
    with tempfile.TemporaryDirectory() as folder:
        table, number, signature = Table(os.path.join(folder, "spent.db")), 0, None
        begin = lambda number, sid: share.attempt(number, sid, [1, 3], message, context, table)
        while signature is None:
            sid = session_id(100 + number)
            attempt = begin(number, sid)
            # The number is used up, whatever becomes of the session.
            assert kind(lambda: begin(number, session_id(99))) == ErrorKind.SPENT
            session = Session.start(sid, me, [1, 3], Task.ML_DSA_SIGN(attempt=attempt))
            assert kind(lambda: Session.start(sid, me, [1, 3], Task.ML_DSA_SIGN(attempt=attempt))) == ErrorKind.CONSUMED
            ended = drive(wire, f"attempt {number}", session)
            assert [one.party for one in ended.accepted] == [1, 3]
            number, signature = number + 1, ended.signature
    share.public_key().verify(message, context, signature.bytes)
    result.send((share.public_key().pem(), share.public_key().verifying_key(), signature.bytes))


def crashing_party(me, peers, result, folder):
    """A key. Party 2 stops dead when it has stored its second round and sent nothing of it."""
    wire, path = Wire(peers), os.path.join(folder, "session")
    again = os.path.exists(path)

    def store(session):
        if me != 2:
            return
        with open(path, "wb") as file:
            file.write(session.seal(KEY).bytes)
        if session.round() == 2 and not again:
            os._exit(9)

    if again and me == 2:
        session = Session.open(pathlib.Path(path).read_bytes(), KEY, KEYGEN)
        assert session.round() == 2
    else:
        session = Session.start(session_id(4), me, [1, 2, 3], KEYGEN)
    share = drive(wire, "key", session, store).share
    tombstone = session.tombstone()
    assert kind(lambda: Session.open(tombstone.bytes, KEY, KEYGEN)) == ErrorKind.SEAL
    result.send((me, share.seal(KEY)))


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
    session = SigningSession.start(next(iter(shares.values())).public_key(), sent, message)
    for party, share in shares.items():
        session.receive(party, share.sign(session.package(), nonces[party]))
    return session.finish().bytes


class ThreeProcesses(unittest.TestCase):
    def test_the_example(self):
        example.main()

    def test_ecdsa_from_the_key_to_signatures_of_a_key_and_its_child(self):
        results = spawn(ecdsa_party)
        self.assertEqual(len(results), 2)
        self.assertNotEqual(results[0][0], results[1][0])
        for pem, message, der in results:
            key = serialization.load_pem_public_key(pem.encode())
            self.assertEqual(key.curve.name, "secp256k1")
            key.verify(der, message, ec.ECDSA(hashes.SHA256()))

    def test_ml_dsa_from_the_key_to_a_signature(self):
        results = spawn(mldsa_party)
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

    def test_a_party_that_stops_dead_goes_on_from_its_seal(self):
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
            shares[party] = KeyShare.open(sealed, KEY)
        self.assertEqual(sorted(shares), [1, 2, 3])
        signature = sign({2: shares[2], 3: shares[3]}, b"after the crash")
        key = Ed25519PublicKey.from_public_bytes(shares[1].public_key().verifying_key())
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
        self.assertEqual(sessions[1].receive(2, sent.bytes), Receipt.CONFLICTING)
        error = self.fails(ErrorKind.MISBEHAVIOUR, sessions[1].advance)
        self.assertEqual(error.culprits, [2])
        self.assertIn("two different messages", error.check)
        [blame] = sessions[1].blames()
        self.assertEqual((blame.party, blame.round, len(blame.frames)), (2, 1, 2))
        self.fails(ErrorKind.MISBEHAVIOUR, sessions[1].outcome)

    def test_nonces_sign_once_from_two_threads(self):
        shares = self.keys(11)
        nonces = {me: shares[me].commit() for me in (1, 2)}
        sent = [Received(sender=me, bytes=one.commitments()) for me, one in nonces.items()]
        package = SigningSession.start(shares[1].public_key(), sent, b"once").package()
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
            package = SigningSession.start(shares[1].public_key(), sent, b"table").package()
            self.fails(ErrorKind.TABLE, lambda: stock.sign(shares[1], package, Failing(error)))

    def test_what_is_sealed_opens_under_its_key_alone(self):
        share = self.keys(13)[1]
        sealed, other = share.seal(KEY), SealKey(b"\10" * 32)
        self.fails(ErrorKind.SEAL, lambda: KeyShare.open(sealed, other))
        self.fails(ErrorKind.SEAL, lambda: KeyShare.open(sealed[:-1], KEY))
        stock = share.precompute(1).seal(KEY)
        self.fails(ErrorKind.SEAL, lambda: NonceStock.open(Scheme.FROST_P256, stock, KEY))
        self.fails(ErrorKind.ARGUMENTS, lambda: SealKey(b"short"))

    def test_an_ended_session_and_an_early_question(self):
        sessions = self.start(14)
        self.fails(ErrorKind.NOT_YET, sessions[1].outcome)
        sessions[1].give_up()
        self.fails(ErrorKind.MISSING, sessions[1].outcome)
        self.fails(ErrorKind.CONSUMED, sessions[1].advance)

    def test_no_object_prints_or_pickles_a_secret(self):
        share = self.keys(15)[1]
        for secret in (KEY, share, share.commit()):
            self.assertRegex(repr(secret), r"^<quorate\.\S+ object at 0x[0-9a-f]+>$")


if __name__ == "__main__":
    unittest.main()
