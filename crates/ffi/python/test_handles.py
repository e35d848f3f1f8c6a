"""What Python itself can do to a handle: copy it, pickle it, close it, print it, compare it."""

import copy
import dataclasses
import multiprocessing
import pickle
import threading
import typing
import unittest

import quorate
from quorate import (AuxSearch, Handle, KeyShare, Level, MlDsaLevel, Outgoing, Progress, QuorateError, Received, Scheme,
                     SealKey, Session, Signature, SigningSession, Task)

KEYGEN = Task.KEYGEN(scheme=Scheme.FROST_ED25519, threshold=2)
SECRET = b"\7" * 32


def run(task, number):
    """The sessions of three parties after a run in one process."""
    sessions = {me: Session.start(bytes([number]) * 32, me, [1, 2, 3], task) for me in (1, 2, 3)}
    while True:
        for me, session in sessions.items():
            for message in session.outgoing():
                for to in set(sessions) - {me} if message.recipient is None else {message.recipient}:
                    sessions[to].receive(me, message.bytes)
        if {session.advance() for session in sessions.values()} == {Progress.DONE}:
            return sessions


def keys(number, task=KEYGEN):
    return {me: session.outcome().share for me, session in run(task, number).items()}


def signature_session(shares, message):
    nonces = {me: shares[me].commit() for me in (1, 2)}
    sent = [Received(sender=me, bytes=one.commitments()) for me, one in nonces.items()]
    return nonces, SigningSession.start(shares[1].public(), sent, message)


class Holder:
    def __init__(self, share):
        self.share = share


@dataclasses.dataclass
class Wallet:
    name: str
    share: KeyShare


SHARES = keys(1)
WAYS = {
    "copy.copy": copy.copy,
    "copy.deepcopy": copy.deepcopy,
    "copy.deepcopy in a list": lambda share: copy.deepcopy([share]),
    "copy.deepcopy in an object": lambda share: copy.deepcopy(Holder(share)),
    "dataclasses.asdict": lambda share: dataclasses.asdict(Wallet("mine", share)),
    "dataclasses.astuple": lambda share: dataclasses.astuple(Wallet("mine", share)),
    **{f"pickle {number}": (lambda number: lambda share: pickle.dumps(share, number))(number)
       for number in range(pickle.HIGHEST_PROTOCOL + 1)},
    "an argument of a spawned process": lambda share: multiprocessing.get_context("spawn").Process(
        target=print, args=(share,)).start(),
    "a queue": lambda share: multiprocessing.reduction.ForkingPickler.dumps(share),
}


def object_classes():
    """All classes whose objects hold a reference to something in Rust."""
    found = [one for one in vars(quorate).values() if isinstance(one, type) and hasattr(one, "_uniffi_clone_handle")]
    assert len(found) >= 17, found
    return found


class Copies(unittest.TestCase):
    def test_a_handle_is_copied_in_no_way(self):
        for way, attempt in WAYS.items():
            with self.subTest(way), self.assertRaises(TypeError):
                attempt(SHARES[1])

    def test_every_class_of_objects_refuses_every_way(self):
        for one in object_classes():
            # Without a handle: it is the class that refuses.
            empty = one.__new__(one)
            for way, attempt in WAYS.items():
                if "spawned" not in way:
                    with self.subTest(f"{one.__name__}: {way}"), self.assertRaises(TypeError):
                        attempt(empty)
            with self.assertRaises(TypeError):
                empty.__setstate__({"_handle": 1})

    def test_objects_of_many_classes_survive_attempts_to_copy_them(self):
        nonces, signing = signature_session(SHARES, b"copies")
        stock = SHARES[1].precompute(1)
        post_quantum = keys(2, Task.ML_DSA_KEYGEN(level=MlDsaLevel.ML_DSA44, threshold=2))[1]
        for one in [SealKey(SECRET), SHARES[1], SHARES[1].public(), nonces[1], stock, signing, signing.package(),
                    Session.start(b"\3" * 32, 1, [1, 2], KEYGEN), AuxSearch.start(Level.BITS112), post_quantum,
                    post_quantum.public()]:
            for way in (copy.copy, copy.deepcopy, pickle.dumps):
                with self.assertRaises(TypeError):
                    way(one)
        share = SHARES[1].sign(signing.package(), nonces[1])
        signing.receive(1, share)

    def test_an_outcome_shares_its_object_and_is_not_copied_deeply(self):
        outcome = run(KEYGEN, 4)[1].outcome()
        shallow = copy.copy(outcome)
        self.assertIs(shallow.share, outcome.share)
        with self.assertRaises(TypeError):
            copy.deepcopy(outcome)
        with self.assertRaises((TypeError, pickle.PicklingError)):
            pickle.dumps(outcome)


class Closing(unittest.TestCase):
    def test_with_closes_and_a_closed_object_says_so(self):
        with SealKey(SECRET) as key:
            sealed = SHARES[1].seal(key)
        for use in (lambda: SHARES[1].seal(key), lambda: KeyShare.open(sealed, key)):
            with self.assertRaisesRegex(ValueError, "SealKey was closed"):
                use()
        self.assertEqual(repr(key), "<SealKey, closed>")
        key.close()
        self.assertEqual(KeyShare.open(sealed, SealKey(SECRET)).id(), 1)

    def test_an_object_closed_by_one_thread_while_others_use_it_does_no_harm(self):
        for _ in range(50):
            share, ended = KeyShare.open(SHARES[1].seal(SealKey(SECRET)), SealKey(SECRET)), []

            def use():
                try:
                    while True:
                        share.id()
                except ValueError:
                    ended.append(True)

            threads = [threading.Thread(target=use) for _ in range(3)]
            for thread in threads:
                thread.start()
            share.close()
            for thread in threads:
                thread.join()
            self.assertEqual(ended, [True] * 3)

    def test_an_object_that_was_never_made_says_so(self):
        with self.assertRaises(ValueError):
            KeyShare.__new__(KeyShare).id()


class Printing(unittest.TestCase):
    def test_objects_print_what_they_are_and_no_secret(self):
        nonces, signing = signature_session(SHARES, b"print")
        key = SHARES[1].public().key_id()[:8].hex() + "…"
        for one, printed in {
            SealKey(SECRET): "SealKey(32 bytes)",
            SHARES[1]: f"KeyShare(FrostEd25519, party 1, Ready, key {key})",
            SHARES[1].public(): f"PublicKeyPackage(FrostEd25519, 2 of 3, epoch 0, key {key})",
            nonces[1]: "Nonces(1 pair)",
            signing: "SigningSession(waiting for [1, 2])",
            Session.start(b"\5" * 32, 1, [1, 2], KEYGEN): "Session(party 1, round 1)",
        }.items():
            self.assertEqual(repr(one), printed)
            self.assertEqual(str(one), printed)

    def test_messages_print_their_length_alone(self):
        message = Outgoing(recipient=2, bytes=b"secret share")
        for printed in (repr(message), str(message), f"{[message]}"):
            self.assertIn("Outgoing(recipient=2, bytes=<12 bytes>)", printed)
        self.assertEqual(repr(KEYGEN), "Task.KEYGEN(scheme=Scheme.FROST_ED25519, threshold=2)")

    def test_an_error_reads_as_a_sentence_and_survives_a_pickle(self):
        with self.assertRaises(QuorateError) as caught:
            SealKey(b"short")
        self.assertEqual(str(caught.exception), "arguments: the key has 5 bytes, expected 32")
        blaming = QuorateError.Failed(kind=quorate.ErrorKind.MISBEHAVIOUR, culprits=[2], check="a wrong share")
        self.assertEqual(str(blaming), "misbehaviour: a wrong share (culprits: [2])")
        again = pickle.loads(pickle.dumps(blaming))
        self.assertEqual((again.kind, again.culprits, again.check), (blaming.kind, [2], "a wrong share"))
        self.assertEqual(str(quorate.TableError.Failed(reason="out of disk")), "out of disk")


class Values(unittest.TestCase):
    def test_public_keys_are_equal_by_value_and_hash(self):
        one, two = SHARES[1].public(), SHARES[2].public()
        other = keys(6)[1].public()
        self.assertEqual(one, two)
        self.assertEqual(hash(one), hash(two))
        self.assertNotEqual(one, other)
        self.assertNotEqual(one, "a key")
        self.assertEqual({one: "ours"}[two], "ours")
        shares = keys(7, Task.ML_DSA_KEYGEN(level=MlDsaLevel.ML_DSA44, threshold=2))
        self.assertEqual(len({share.public() for share in shares.values()}), 1)

    def test_records_compare_with_anything(self):
        self.assertEqual(Received(sender=1, bytes=b"a"), Received(sender=1, bytes=b"a"))
        self.assertNotEqual(Received(sender=1, bytes=b"a"), 5)

    def test_bytes_may_be_any_object_with_a_buffer(self):
        nonces, signing = signature_session(SHARES, bytearray(b"buffers"))
        for me in (1, 2):
            share = SHARES[me].sign(signing.package(), nonces[me])
            signing.receive(me, memoryview(share))
        signature = signing.aggregate()
        public = SHARES[1].public()
        for message in (b"buffers", bytearray(b"buffers"), memoryview(b"_buffers_")[1:-1]):
            for form in (signature, signature.bytes, bytes(signature), bytearray(signature.bytes)):
                public.verify(message, form)
        with self.assertRaises(QuorateError):
            public.verify(b"other", signature)
        for wrong in (5, "text", None, [1, 2]):
            with self.assertRaises(TypeError):
                public.verify(wrong, signature)

    def test_a_buffer_of_larger_items_is_taken_as_its_bytes(self):
        import array
        numbers = array.array("I", [1, 2, 3])
        public, (nonces, signing) = SHARES[1].public(), signature_session(SHARES, numbers)
        for me in (1, 2):
            signing.receive(me, SHARES[me].sign(signing.package(), nonces[me]))
        public.verify(numbers.tobytes(), signing.aggregate())

    def test_the_secret_of_a_seal_key_can_be_overwritten(self):
        secret = bytearray(SECRET)
        key = SealKey(secret)
        secret[:] = bytes(32)
        self.assertEqual(KeyShare.open(SHARES[1].seal(SealKey(SECRET)), key).id(), 1)
        self.assertEqual(KeyShare.open(SHARES[1].seal(key), SealKey(memoryview(SECRET))).id(), 1)

    def test_a_scheme_has_one_number_everywhere(self):
        self.assertEqual([scheme.value for scheme in Scheme], [1, 2, 3, 4, 5, 6, 36, 37])
        for scheme in Scheme:
            public = keys(8, Task.KEYGEN(scheme=scheme, threshold=2))[1].public()
            # The family in the head of a container.
            self.assertEqual(public.to_bytes()[7], scheme.value)
        self.assertEqual([level.value for level in MlDsaLevel], [44, 65, 87])


class Package(unittest.TestCase):
    def test_the_package_has_a_version_types_and_a_page(self):
        from importlib import metadata, resources
        self.assertEqual(quorate.__version__, metadata.version("quorate"))
        self.assertTrue(resources.files("quorate").joinpath("py.typed").is_file())
        page = metadata.metadata("quorate")
        text = page.get_payload() or page["Description"]
        for word in ("Runner", "quorate.sqlite", "ML-DSA", "cannot be copied or pickled"):
            self.assertIn(word, text)

    def test_hints_name_what_is_taken(self):
        hints = typing.get_type_hints(quorate.PublicKeyPackage.verify, vars(quorate._quorate.quorate))
        self.assertIn(bytearray, typing.get_args(hints["message"]))
        self.assertIn(Signature, typing.get_args(hints["signature"]))
        self.assertTrue(all(issubclass(one, Handle) for one in object_classes()))


if __name__ == "__main__":
    unittest.main()
