"""Replays the known answers of the life of a key: refresh, repair, a complaint, acknowledgement, share exchange."""

from hashlib import sha256

import frost, reshare
from frost_keygen import deal, key_generation
from session import run_all

SEAL = b"\x08" * 32
HEADING = "Refresh, repair, complaint, acknowledgement, share exchange over secp256k1"

def unchecked(*_): pass

def play(sessions, check=unchecked, name="", **more):
    """Runs sessions in lockstep; compares frames with a body and gives all of them, and the sealed sessions of each round."""
    sealed = {}
    frames = run_all(sessions, lambda running: sealed.update({(s.round, s.me): s.seal(SEAL) for s in running}), **more)
    for (number, i, _), frame in frames.items():
        if len(frame) > 71:
            check(f"{name}, frame, round {number}, party {i}", frame)
    return frames, sealed

def sha(data): return sha256(data).digest()
def joined(frames): return b"".join(frames[place] for place in sorted(frames))

def generated(suite, rng, check=unchecked):
    """The key of *Key generation*: public side and shares."""
    sessions = {i: key_generation(suite, b"\5" * 32, [1, 300], 2, i, rng(b)) for i, b in ((1, 6), (300, 7))}
    _, sealed = play(sessions)
    check("SHA-256 of the key generation, party 1, sealed in round 3", sha(sealed[3, 1]))
    return sessions[1].end[1][0], {i: s.end[1][1] for i, s in sessions.items()}

def refreshed(suite, rng, check=unchecked):
    """Its refresh: frames, sealed sessions, the ends."""
    public, shares = generated(suite, rng, check)
    sessions = {i: reshare.resharing(b"\x09" * 32, public, shares[i], [1, 300], 2, [1, 300], i, rng(b)) for i, b in ((1, 12), (300, 13))}
    return *play(sessions, check, "refresh"), {i: s.end[1] for i, s in sessions.items()}

def repairs(suite, rng):
    """The repair of party 7's share of the key of *Signing*, and that share."""
    public, shares = deal(suite, 2, [1, 7, 65535], rng(1))
    start = lambda i, b: reshare.repair(b"\x0a" * 32, public, shares[i], [1, 65535], 7, i, rng(b))
    return {i: start(i, b) for i, b in ((1, 14), (7, 15), (65535, 16))}, shares[7]

def life(check, suite, rng):
    """All of the section over secp256k1 but the signatures."""
    _, sealed, ends = refreshed(suite, rng, check)
    new, shares = ends[1][0], {i: end[1] for i, end in ends.items()}
    check({"SHA-256 of the refresh, party 1, sealed in round 3": sha(sealed[3, 1]), "refresh, public key package": new.container(),
           **{f"refresh, share, party {i}": share.container() for i, share in shares.items()}})
    settled = {i: reshare.acknowledgement(b"\x0b" * 32, new, shares[i], [1, 300], i, rng(0)) for i in shares}
    check({f"acknowledgement, frame, party {i}": s.outgoing()[0][1] for i, s in settled.items()})
    play(settled)
    check("acknowledgement, settled share, party 1", settled[1].end[1].container())
    sessions, share = repairs(suite, rng)
    _, sealed = play(sessions, check, "repair")
    assert sessions[7].end[1].container() == share.container()
    check("SHA-256 of the repair, party 7, sealed in round 4", sha(sealed[4, 7]))
    def alter(place, frame, sent):
        """Party 65535 seals another value, and then echoes that frame as the others have it."""
        if place == (3, 65535, 0):
            return frame[:-1] + bytes([frame[-1] ^ 1])
        return frame[:39] + sent[4, 1, 0][39:71] + frame[71:] if place == (4, 65535, 0) else frame
    sessions, _ = repairs(suite, rng)
    frames, _ = play(sessions, alter=alter)
    check("complaint, frame, round 4, party 7", frames[4, 7, 0])
    assert all(sessions[i].end[0] == "stopped" for i in (1, 7))

def signatures(check, suite, rng):
    """The share exchange, and a randomised signature with the same nonces."""
    public, shares = deal(suite, 2, [1, 7, 65535], rng(1))
    pair, batch = frost.Nonces(suite, shares[1], rng(2)), frost.Batch(suite, shares[65535])
    batch.make(2, rng(3))
    pairs = {1: pair, 65535: batch.take(0)}
    def signed(seed):
        package = frost.Package(suite, public.package_id(), {i: (p.D, p.E) for i, p in pairs.items()}, b"pinned", seed)
        return package, {i: frost.sign(public, shares[i], p, package) for i, p in pairs.items()}
    package, z = signed(None)
    sessions = {i: frost.share_exchange(b"\x0c" * 32, public, package, z[i], i, rng(0)) for i in z}
    play(sessions, check, "share exchange")
    check("share exchange, signature", sessions[1].end[1])
    package, z = signed(b"\x0e" * 32)
    check({"randomised, public key": frost.key_of(public, None, package)[0].key.enc(), "randomised, digest of the signing package": package.digest(),
           "randomised, signature share, party 1": frost.signature_share(package, 1, z[1]),
           "randomised, signature": frost.aggregate(public, package, z)[0]})

def other(check, suite, rng, name):
    """Refresh and repair of another suite."""
    frames, _, ends = refreshed(suite, rng)
    sessions, _ = repairs(suite, rng)
    repaired, _ = play(sessions)
    check({f"SHA-256 of the frames, {name}, refresh": sha(joined(frames)),
           f"SHA-256 of the refreshed share, {name}, party 1": sha(ends[1][1].container()),
           f"SHA-256 of the frames, {name}, repair": sha(joined(repaired))})
