"""Three processes make an Ed25519 key, and two of them sign with it."""

import multiprocessing
import os
from multiprocessing.connection import wait

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from quorate import (KeyShare, Progress, Received, Scheme, SealKey, Session, SigningPackage,
                     SigningSession, Task)


class Wire:
    """Named messages between parties. Pipes here; over a network, authenticated and encrypted."""

    def __init__(self, peers):
        self.peers, self.kept = peers, []

    def send(self, to, name, data):
        self.peers[to].send((name, data))

    def take(self, name):
        """The next message of that name: who sent it, and the bytes."""
        while True:
            for at, (sender, its_name, data) in enumerate(self.kept):
                if its_name == name:
                    del self.kept[at]
                    return sender, data
            ready = wait(self.peers.values())[0]
            sender = next(one for one, peer in self.peers.items() if peer is ready)
            self.kept.append((sender, *ready.recv()))

    def received(self, name):
        sender, data = self.take(name)
        return Received(sender=sender, bytes=data)


def drive(wire, name, session, store=lambda session: None):
    """Runs a session to its end, and gives its outcome."""
    while True:
        store(session)  # before anything is sent: session.seal(key)
        for message in session.outgoing():
            for to in wire.peers if message.recipient is None else [message.recipient]:
                wire.send(to, name, message.bytes)
        while (progress := session.advance()) not in (Progress.ROUND, Progress.DONE):
            if progress == Progress.WAITING:
                session.receive(*wire.take(name))
        if progress == Progress.DONE:
            return session.outcome()


def party(me, peers, result):
    wire = Wire(peers)
    task = Task.KEYGEN(scheme=Scheme.FROST_ED25519, threshold=2)
    made = drive(wire, "key", Session.start(b"\1" * 32, me, [1, 2, 3], task))

    # What is stored is sealed. The key of the seal is yours to keep, apart from what it seals.
    seal_key = SealKey(os.urandom(32))
    stored = made.share.seal(seal_key)
    share = KeyShare.open(stored, seal_key)

    if me == 3:  # Two of three are enough.
        return
    nonces = share.commit()
    message = b"pay 5 to Carol"
    if me == 1:  # The coordinator, who signs as well.
        commitments = [Received(sender=1, bytes=nonces.commitments()), wire.received("commitments")]
        session = SigningSession.start(share.public_key(), commitments, message)
        wire.send(2, "package", session.package().to_bytes())
        session.receive(1, share.sign(session.package(), nonces))
        session.receive(*wire.take("share"))
        result.send((share.public_key().verifying_key(), message, session.finish().bytes))
    else:
        wire.send(1, "commitments", nonces.commitments())
        package = SigningPackage.read(share.scheme(), wire.take("package")[1])
        assert package.message() == message  # Look before you sign.
        wire.send(1, "share", share.sign(package, nonces))


def spawn(target, parties=(1, 2, 3)):
    """A process for each party, and pipes between all of them; what each has sent as its result."""
    peers = {me: {} for me in parties}
    for one in parties:
        for other in parties:
            if one < other:
                peers[one][other], peers[other][one] = multiprocessing.Pipe()
    here, there = multiprocessing.Pipe()
    processes = [multiprocessing.Process(target=target, args=(me, peers[me], there)) for me in parties]
    for process in processes:
        process.start()
    for process in processes:
        process.join(120)
        assert process.exitcode == 0, process
    results = []
    while here.poll():
        results.append(here.recv())
    return results


def main():
    [(key, message, signature)] = spawn(party)
    Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
    print("the signature verifies")


if __name__ == "__main__":
    main()
