"""Three processes, each with one runner on SQLite, make keys for Ed25519, Taproot and ECDSA; two of them sign."""

import multiprocessing
import os
import tempfile
import time
from multiprocessing.connection import wait

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from quorate import (Continuity, Job, KeyShare, Received, Runner, Scheme, SealKey, SigningPackage, SigningSession, Task,
                     Tasks)
from quorate.sqlite import SqliteRows


SCHEMES = ["FROST_ED25519", "FROST_TAPROOT", "ECDSA_SECP256K1"]


def now():
    return int(time.time() * 1000)


class OurTasks(Tasks):
    """What the bodies of jobs mean: here, each is the scheme of a key."""

    def task(self, job):
        return Task.KEYGEN(scheme=Scheme[job.body.decode()], threshold=2)


class Node:
    """One party: its runner, and pipes to its peers. Over a network, they are authenticated and encrypted."""

    def __init__(self, me, peers, runner):
        self.me, self.peers, self.runner = me, peers, runner
        self.inbox, self.packets, self.ended, self.due = [], [], {}, 0

    def send(self, to, name, data):
        try:
            self.peers[to].send((name, data))
        except (KeyError, OSError):
            pass  # Its process is gone. The runner sends its packets again.

    def work(self):
        """Lets the runner work, and sends what it gives."""
        turn = self.runner.turn(self.packets, now())
        self.packets, self.due = [], turn.next_due
        for packet in turn.packets:
            self.send(packet.recipient, "packet", packet.bytes)
        for run in turn.ended:
            self.ended[run.session_id] = run.end

    def listen(self):
        """Waits until something comes or is due."""
        for ready in wait(self.peers.values(), None if self.due is None else max(0, self.due - now()) / 1000):
            sender = next(party for party, peer in self.peers.items() if peer is ready)
            try:
                name, data = ready.recv()
            except EOFError:
                del self.peers[sender]
                continue
            if name == "packet":
                self.packets.append(Received(sender=sender, bytes=data))
            else:
                self.inbox.append((sender, name, data))

    def run(self, *jobs):
        """Orders jobs, and gives the outcomes of their runs. Call it again after a restart: the runs resume."""
        for job in jobs:
            started = self.runner.start(job, now())
            if started.is_ENDED():
                self.ended[job.session_id] = started.end
        self.work()
        while not all(job.session_id in self.ended for job in jobs):
            self.listen()
            self.work()
        ends = [self.ended.pop(job.session_id) for job in jobs]
        for end in ends:
            if end.outcome is None:
                raise end.error
        return [end.outcome for end in ends]

    def take(self, name):
        """The next message of that name which is no packet of the runner: who sent it, and the bytes."""
        while True:
            for at, (sender, its_name, data) in enumerate(self.inbox):
                if its_name == name:
                    del self.inbox[at]
                    return sender, data
            self.listen()
            self.work()

    def received(self, name):
        sender, data = self.take(name)
        return Received(sender=sender, bytes=data)

    def finish(self):
        """Works until every peer has ended its runs as well: a party that exits sooner leaves them waiting for its packets."""
        for peer in list(self.peers):
            self.send(peer, "finished", b"")
        for _ in list(self.peers):
            self.take("finished")


def party(me, peers, result, folder, session_ids):
    # The key of the seal is yours to keep, apart from what it seals, and across restarts.
    seal_key = SealKey(os.urandom(32))
    # The folder was made just now. After a restart, say how it is known that the rows are the latest.
    rows, known = SqliteRows(os.path.join(folder, f"runner-{me}.db")), Continuity.NEW_STORE
    runner = Runner.open(me, seal_key, rows, OurTasks(), known)
    node = Node(me, peers, runner)
    order = lambda scheme: Job(session_id=session_ids[scheme], parties=[1, 2, 3], body=scheme.encode(),
                               deadline=now() + 60_000)
    jobs = [order(scheme) for scheme in SCHEMES]
    made = node.run(*jobs)
    node.finish()

    # The shares go where they are backed up, sealed; then the runner may forget them.
    stored = [key.share.seal(seal_key) for key in made]
    for job in jobs:
        runner.forget_record(job)
    share = KeyShare.open(stored[0], seal_key)

    if me == 3:  # Two of three are enough.
        return
    message = b"pay 5 to Carol"
    with share.commit() as nonces:
        if me == 1:  # The coordinator, who signs as well.
            commitments = [Received(sender=1, bytes=nonces.commitments()), node.received("commitments")]
            session = SigningSession.start(share.public(), commitments, message)
            node.send(2, "package", session.package().to_bytes())
            session.receive(1, share.sign(session.package(), nonces))
            session.receive(*node.take("share"))
            signature = session.aggregate()
            share.public().verify(message, signature)
            result.send((share.public().verifying_key(), message, signature.bytes))
        else:
            node.send(1, "commitments", nonces.commitments())
            package = SigningPackage.from_bytes(share.scheme(), node.take("package")[1])
            assert package.message() == message  # Look before you sign.
            node.send(1, "share", share.sign(package, nonces))


def spawn(target, *arguments, parties=(1, 2, 3)):
    """A process for each party, and pipes between all of them; what each has sent as its result."""
    peers = {me: {} for me in parties}
    for one in parties:
        for other in parties:
            if one < other:
                peers[one][other], peers[other][one] = multiprocessing.Pipe()
    here, there = multiprocessing.Pipe()
    begin = lambda me: multiprocessing.Process(target=target, args=(me, peers[me], there, *arguments))
    processes = [begin(me) for me in parties]
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
    # All parties agree on the names of runs before they begin. None is ever used twice.
    session_ids = {scheme: os.urandom(32) for scheme in SCHEMES}
    with tempfile.TemporaryDirectory() as folder:
        [(key, message, signature)] = spawn(party, folder, session_ids)
    Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
    print("the signature verifies")


if __name__ == "__main__":
    main()
