"""Python refreshes each key, and seals the new shares in place of the old ones."""

import os
import pathlib
import sys

from quorate import KeyShare, Progress, SealKey, Session, ShareState, Task

FOLDER = pathlib.Path(sys.argv[1])
KEY = SealKey((FOLDER / "seal.key").read_bytes())
ALL = [1, 2, 3]


def run(task):
    """The outcomes of a run of all parties in this process."""
    session_id = os.urandom(32)
    sessions = [Session.start(session_id, me, ALL, task(me)) for me in ALL]
    while True:
        frames = [(one.party_id(), frame) for one in sessions for frame in one.outgoing()]
        for sender, frame in frames:
            for to in sessions:
                if to.party_id() != sender and frame.recipient in (None, to.party_id()):
                    to.receive(sender, frame.bytes)
        progress = [one.advance() for one in sessions]
        if progress == [Progress.DONE] * len(sessions):
            return {one.party_id(): one.outcome() for one in sessions}


for scheme in ["frost-ed25519", "ecdsa-secp256k1"]:
    path = {me: FOLDER / f"{scheme}-{me}.share" for me in ALL}
    shares = {me: KeyShare.open(path[me].read_bytes(), KEY) for me in ALL}
    public = shares[1].public()
    assert public.verifying_key() == (FOLDER / f"{scheme}.key").read_bytes()
    new = run(lambda me: Task.RESHARE(public=public, share=shares[me], dealers=ALL, committee=ALL, threshold=2))
    sealed = {me: new[me].share.seal(KEY) for me in ALL}
    stored = run(lambda me: Task.ACKNOWLEDGE(sealed=sealed[me], key=KEY))
    for me in ALL:
        share = new[me].share.settled(stored[me].by)
        assert share.state() == ShareState.READY and share.public().epoch() == 1
        path[me].write_bytes(share.seal(KEY))
