"""Keys of every family: sharing (primitives.md), public sides, shares and shifts (key-life.md)."""

from hashlib import sha256

import stored
from curves import P256, SECP256K1
from notation import Reader, T32, require, u16, u32

READY, PENDING, UNCONFIRMED = 0, 1, 2

class Family(stored.Name):
    """A family of keys: `even` if it has only even keys, `kept` the bytes kept beside the key, `most` the parties at most."""

    def __init__(self, name, code, group, even=False, kept=0, most=65535):
        super().__init__(name, code, group)
        self.even, self.kept, self.most = even, kept, most

ECDSA_P256 = Family("quorate-cggmp ECDSA P-256 v1", 36, P256, kept=64, most=128)
ECDSA_SECP256K1 = Family("quorate-cggmp ECDSA secp256k1 v1", 37, SECP256K1, kept=64, most=128)

# primitives.md, Sharing
def polynomial(generator, group, t, constant=None):
    """t coefficients: the constant, not zero, unless it is given; the others any scalars, not all zero."""
    first = generator.nonzero(group) if constant is None else constant
    rest = [generator.scalar(group) for _ in range(t - 1)]
    require(any(rest) or t == 1, "Randomness")
    return [first] + rest

def value_at(f, x, q): return sum(a * pow(x, k, q) for k, a in enumerate(f)) % q
def commit(f, group): return [a * group.G for a in f]

def point_at(commitment, x):
    """Σ x^k·F_k."""
    total = commitment[-1]
    for point in reversed(commitment[:-1]):
        total = x * total + point
    return total

def add_commitments(commitments): return [points[0].group.sum(points) for points in zip(*commitments)]

def lagrange(i, parties, q, at=0):
    """The Lagrange coefficient of i among the parties, at zero or at another place."""
    up = down = 1
    for j in parties:
        if j != i:
            up, down = up * (j - at) % q, down * (j - i) % q
    return up * pow(down, -1, q) % q

def encs(points): return b"".join(p.enc() for p in points)
def u16s(parties): return list(map(u16, parties))

# key-life.md, Public side, share, names
def check_committee(family, t, parties):
    require(2 <= t <= len(parties) <= family.most and t * len(parties) <= 2**24, "Committee")

def is_odd(point): return point.enc()[0] == 3

class PublicSide:
    """Kind 66."""

    def __init__(self, family, epoch, parties, commitment, kept=b""):
        self.family, self.epoch, self.parties, self.commitment, self.kept = family, epoch, list(parties), commitment, kept
        self.t, self.key = len(commitment), commitment[0]
        self.verifying = {i: point_at(commitment, i) for i in self.parties}

    def has_neutral(self): return any(p.is_neutral() for p in [*self.commitment, *self.verifying.values()])

    def body(self):
        committee = u16(self.t) + u16(len(self.parties)) + b"".join(u16s(self.parties))
        return u32(self.epoch) + committee + encs(self.commitment) + self.kept

    def container(self): return stored.write(66, self.family, self.body())
    def key_id(self): return T32("quorate-keys key id", ("family", self.family.name), ("key", self.key.enc()))
    def digest(self): return T32("quorate-keys package", ("family", self.family.name), ("content", self.body()))
    def package_id(self): return self.key_id() + u32(self.epoch) + self.digest()

    def share(self, party, secret, state):
        """The share of a party in this public side."""
        return Share(self.family, party, self.package_id(), state, self.verifying[party], secret)

def read_public(family, data):
    """A public side from its container."""
    body = Reader(stored.read(66, family, data))
    epoch, t = body.number(4), body.number(2)
    parties = [body.number(2) for _ in range(body.number(2))]
    require(all(a < b for a, b in zip([0] + parties, parties)), "BadOrder")
    check_committee(family, t, parties)
    public = PublicSide(family, epoch, parties, [body.point(family.group) for _ in range(t)], body.take(family.kept))
    body.end()
    require(not public.has_neutral() and not (family.even and is_odd(public.key)), "Inconsistent")
    return public

class Share:
    """Kind 65."""

    def __init__(self, family, party, package_id, state, verifying, secret):
        self.family, self.party, self.package_id, self.state = family, party, package_id, state
        self.verifying, self.secret = verifying, secret

    def container(self):
        secret = self.family.group.enc(self.secret)
        body = u16(self.party) + self.package_id + bytes([self.state]) + self.verifying.enc() + secret
        return stored.write(65, self.family, body)

# key-life.md, Shifted keys
def shift(public, share, h):
    """Public side and share (or None) shifted by h within their family; no neutral verifying share is taken."""
    shifted, share = moved(public, share, h)
    require(not shifted.has_neutral(), "Identity")
    return shifted, share

def moved(public, share, h):
    """The same without a look at the verifying shares."""
    family, commitment = public.family, [public.key + h * public.family.group.G, *public.commitment[1:]]
    secret = share and share.secret + h
    if family.even and is_odd(commitment[0]):
        commitment, secret = [-p for p in commitment], share and -secret
    shifted = PublicSide(family, public.epoch, public.parties, commitment, public.kept)
    return shifted, share and shifted.share(share.party, secret % family.group.q, share.state)

def taproot_tweak(key):
    """h of BIP-341 for an output without script."""
    u = sha256(b"TapTweak").digest()
    return int.from_bytes(sha256(u + u + key.enc()[1:]).digest(), "big")
