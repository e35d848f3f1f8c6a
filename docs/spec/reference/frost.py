"""FROST (RFC 9591): suites, nonces, signing, aggregation and blame, share exchange, the signer of ROAST (frost.md)."""

from hashlib import sha256, sha512, shake_256

import stored
from curves import ED448, ED25519, P256, RISTRETTO255, SECP256K1
from keys import UNCONFIRMED, Family, encs, is_odd, lagrange, moved
from notation import Reader, Refused, T32, require, u16, u32, u64
from session import Protocol, Send, Session, Unattributed

class Suite(Family):
    """A suite (Suites). Its context string is its name."""

    def __init__(self, name, code, group, digest, even=False):
        super().__init__(name, code, group, even)
        self.cs, self.digest, self.taproot = name.encode(), digest, even

    def H(self, tag, m):
        """H(tag; m): the hash to a scalar."""
        if self.code <= 3:
            return self.group.wide(self.digest(self.cs + tag + m))
        return int.from_bytes(expand_message(m, self.cs + tag), "big") % self.group.q

    def H2(self, m):
        """The challenge."""
        if self.code in (1, 3):
            return self.group.wide(self.digest((b"SigEd448\0\0" if self.code == 3 else b"") + m))
        if self.taproot:
            t = self.digest(b"BIP0340/challenge")
            return int.from_bytes(self.digest(t + t + m), "big") % self.group.q
        return self.H(b"chal", m)

    def short(self, P):
        """A point in a challenge or signature: x alone with Taproot."""
        return P.enc()[1:] if self.taproot else P.enc()

def expand_message(m, dst):
    """expand_message_xmd of RFC 9380, 5.3.1, with SHA-256, for 48 bytes."""
    dst = dst + bytes([len(dst)])
    b0 = sha256(bytes(64) + m + u16(48) + b"\0" + dst).digest()
    b1 = sha256(b0 + b"\1" + dst).digest()
    return (b1 + sha256(bytes(x ^ y for x, y in zip(b0, b1)) + b"\2" + dst).digest())[:48]

SHA512, SHA256, SHAKE256 = (lambda m: sha512(m).digest()), (lambda m: sha256(m).digest()), (lambda m: shake_256(m).digest(114))
SUITES = {suite.code: suite for suite in (
    Suite("FROST-ED25519-SHA512-v1", 1, ED25519, SHA512), Suite("FROST-RISTRETTO255-SHA512-v1", 2, RISTRETTO255, SHA512),
    Suite("FROST-ED448-SHAKE256-v1", 3, ED448, SHAKE256), Suite("FROST-P256-SHA256-v1", 4, P256, SHA256),
    Suite("FROST-secp256k1-SHA256-v1", 5, SECP256K1, SHA256), Suite("FROST-secp256k1-SHA256-TR-v1", 6, SECP256K1, SHA256, even=True),
    Suite("FROST-secp256k1-SHA256-TR-internal-v1", 7, SECP256K1, SHA256, even=True))}

# Round one: nonces
class Nonces:
    """A pair of nonces (d, e) of a share, and its commitments (D, E)."""

    def __init__(self, suite, share, generator):
        self.suite, self.party, self.package_id, secret = suite, share.party, share.package_id, suite.group.enc(share.secret)
        self.d, self.e = (suite.H(b"nonce", generator.bytes(32) + secret) for _ in "de")
        self.D, self.E = self.d * suite.group.G, self.e * suite.group.G

    def nonce_id(self):
        """The nonce id (Names)."""
        return T32("quorate-frost nonces", ("suite", self.suite.cs), ("party", self.party),
                   ("hiding", self.D.enc()), ("binding", self.E.enc()))

    def commitments(self):
        """Kind 4."""
        return stored.write(4, self.suite, u16(self.party) + self.package_id + encs((self.D, self.E)))

class Batch:
    """A batch of nonces: pairs by slot. `counters` are made, claimed, dropped, refused."""

    def __init__(self, suite, share):
        self.suite, self.share, self.pairs, self.generation, self.next_slot, self.counters = suite, share, {}, 0, 0, [0, 0, 0, 0]

    def make(self, count, generator):
        """Makes pairs for the next slots."""
        for slot in range(self.next_slot, self.next_slot + count):
            self.pairs[slot] = Nonces(self.suite, self.share, generator)
        self.next_slot, self.generation, self.counters[0] = self.next_slot + count, self.generation + 1, self.counters[0] + count

    def take(self, slot):
        """Takes the pair of a slot, once."""
        self.generation, self.counters[1] = self.generation + 1, self.counters[1] + 1
        return self.pairs.pop(slot)

    def claim(self, public, share, package):
        """Steps 1 to 3 of round two, without the record: the pair for which a package asks, if the share signs it."""
        asked = [slot for slot, pair in self.pairs.items() if package.signers.get(pair.party) == (pair.D, pair.E)]
        try:
            require(asked, "NoNonces")
            check(public, share, self.pairs[asked[0]], package)
        except Refused:
            self.counters[3] += 1
            raise
        return self.take(asked[0])

    def written(self, extra, pair):  # what kinds 8 and 135 have in common
        head = u16(self.share.party) + self.share.package_id + u64(self.generation) + extra + stored.write_set(self.pairs)
        return head + b"".join(pair(p) for _, p in sorted(self.pairs.items()))

    def published(self):
        """Kind 8."""
        return stored.write(8, self.suite, self.written(b"", lambda p: encs((p.D, p.E))))

    def content(self):
        """The body of kind 135 (Stored nonces)."""
        enc, counters = self.suite.group.enc, u32(self.next_slot) + b"".join(map(u64, self.counters))
        return self.written(counters, lambda p: encs((p.D, p.E)) + enc(p.d) + enc(p.e))

# The signing package, and what it fixes
class Package:
    """Kind 5; `signers` is {party: (D, E)}. `seed` is that of a randomised key."""

    def __init__(self, suite, package_id, signers, message, seed=None):
        self.suite, self.package_id, self.message, self.seed = suite, package_id, message, seed
        self.signers = dict(sorted(signers.items()))

    def body(self):
        signers = b"".join(u16(i) + encs(pair) for i, pair in self.signers.items())
        return self.package_id + u16(len(self.signers)) + signers + u32(len(self.message)) + self.message

    def container(self): return stored.write(5, self.suite, self.body())

    def digest(self):
        """The digest of a signing package (Names)."""
        seed = [] if self.seed is None else [self.seed]
        return T32("quorate-frost signing package", ("suite", self.suite.cs), ("package", self.body()), ("seed", seed))

    def list(self): return b"".join(self.suite.group.enc(i) + encs(pair) for i, pair in self.signers.items())

def read_package(suite, body, seed=None):
    """A signing package from its body."""
    body, signers = Reader(body), []
    package_id = body.take(68)
    for _ in range(body.number(2)):
        signers.append((body.number(2), (body.point(suite.group), body.point(suite.group))))
    parties, message = [i for i, _ in signers], body.take(body.number(4))
    body.end()
    require(parties, "NoSigners")
    require(all(a < b for a, b in zip([0] + parties, parties)), "BadOrder")
    return Package(suite, package_id, dict(signers), message, seed)

class Fixed:
    """What a package fixes under the key Y: rho, R, σ and c; `weight` are the λ_i."""

    def __init__(self, package, Y):
        suite, group = package.suite, package.suite.group
        prefix = Y.enc() + suite.digest(suite.cs + b"msg" + package.message) + suite.digest(suite.cs + b"com" + package.list())
        self.rho = {i: suite.H(b"rho", prefix + group.enc(i)) for i in package.signers}
        self.nonce = {i: D + self.rho[i] * E for i, (D, E) in package.signers.items()}
        R = group.sum(self.nonce.values())
        require(not R.is_neutral(), "IdentityCommitment")
        self.sign = -1 if suite.taproot and is_odd(R) else 1
        self.R = R if self.sign == 1 else -R
        self.c = suite.H2(suite.short(self.R) + suite.short(Y) + package.message)
        self.weight = {i: lagrange(i, package.signers, group.q) for i in package.signers}

    def holds(self, public, i, z):
        """z·G = σ·(D_i + rho_i·E_i) + c·λ_i·Y_i."""
        return z * self.R.group.G == self.sign * self.nonce[i] + (self.c * self.weight[i]) * public.verifying[i]

def randomised(public, share, package):
    """Public side and share (or None) that sign a package: with a seed they are shifted."""
    require(public.family.code != 7, "InternalKey")
    if package.seed is not None:
        require(len(package.seed) == public.family.group.S, "Tweak")
        public, share = moved(public, share, public.family.H(b"randomizer", package.seed + package.list()))
        require(not public.key.is_neutral(), "Tweak")
    return public, share

def check_signers(public, package):
    require(len(package.signers) >= public.t, "TooFewSigners")
    require(set(package.signers) <= set(public.parties), "UnknownParty")

def key_of(public, share, package):
    """What signs a package, and what the package fixes under that key."""
    public, share = randomised(public, share, package)
    check_signers(public, package)
    return public, share, Fixed(package, public.key)

# Round two, aggregation and blame
def check(public, share, nonces, package):
    """The checks of round two but the last two."""
    randomised(public, share, package)
    require(share.state != UNCONFIRMED, "Unconfirmed")
    require(nonces.package_id == package.package_id == share.package_id, "Mismatch")
    require(share.party in package.signers, "NotASigner")
    require(package.signers[share.party] == (nonces.D, nonces.E), "CommitmentMismatch")
    check_signers(public, package)

def sign(public, share, nonces, package):
    """z_i of round two. The record (nonce id, digest) has been stored before."""
    i = share.party
    check(public, share, nonces, package)
    public, share, fixed = key_of(public, share, package)
    z = fixed.sign * (nonces.d + fixed.rho[i] * nonces.e) + fixed.weight[i] * share.secret * fixed.c
    return z % public.family.group.q

def signature_share(package, i, z):
    """Kind 6."""
    return stored.write(6, package.suite, u16(i) + package.package_id + package.digest() + package.suite.group.enc(z))

def verify(suite, Y, message, signature):
    """Strict verification: z·G = R + c·Y, without the cofactor."""
    group, length = suite.group, suite.group.P - suite.taproot
    R, z = group.point(b"\2" * suite.taproot + signature[:length]), group.scalar(signature[length:])
    return z * group.G == R + suite.H2(suite.short(R) + suite.short(Y) + message) * Y

def aggregate(public, package, shares):
    """(signature, None), or (None, the parties whose shares are wrong), from {party: z}."""
    public, _, fixed = key_of(public, None, package)
    require(set(shares) == set(package.signers), "MissingShares")
    signature = package.suite.short(fixed.R) + package.suite.group.enc(sum(shares.values()))
    if verify(package.suite, public.key, package.message, signature):
        return signature, None
    return None, [i for i, z in shares.items() if not fixed.holds(public, i, z)]

# Share exchange
def bound_names(family, package_id):
    """The four bound items of a package id."""
    key, epoch, package = package_id[:32], int.from_bytes(package_id[32:36], "big"), package_id[36:]
    return [("family", family.name), ("key", key), ("epoch", epoch), ("package", package)]

def share_exchange(session_id, public, package, z, me, generator):
    """The session of the share exchange, among the signers of a package; its result is the signature."""
    suite, S = package.suite, package.suite.group.S
    require(package.seed is None and package.package_id == public.package_id(), "Inconsistent")
    require(set(package.signers) <= set(public.parties), "NotAParty")
    require(len(package.signers) >= public.t, "Threshold")
    def steps(session):
        got = yield Send(suite.group.enc(z))
        def decode(j):
            require(len(got.broadcast[j]) == S, "WrongLength")
            return suite.group.scalar(got.broadcast[j])
        shares, faults = got.judge(decode)
        if got.complete and not faults:
            signature, wrong = aggregate(public, package, {**shares, me: z})
            if signature:
                return signature
        else:
            key, _, fixed = key_of(public, None, package)
            wrong = [i for i, share in shares.items() if not fixed.holds(key, i, share)]
        faults.update({i: "InvalidSignatureShare" for i in wrong if i != me})
        got.settle(faults)
        raise Unattributed("Internal")
    bound = [("suite", suite.cs), *bound_names(suite, package.package_id), ("signing package", package.digest())]
    protocol = Protocol("quorate-frost share exchange", 2, (S, 0))
    return Session(protocol, session_id, list(package.signers), bound, me, generator, [], steps)

# ROAST
class RoastSigner:
    """The signer of a run; `claim(nonce id, digest)` stores the record and says whether the nonces may be released."""

    def __init__(self, run, message, public, share, generator):
        self.run, self.text = run, T32("quorate-frost ROAST", ("text", message))
        self.public, self.share, self.suite, self.batch = public, share, public.family, Batch(public.family, share)
        self.most, self.last, self.request = len(public.parties) - public.t + 1, 0, bytes(32)
        self.sent = self.next_message(u16(0), generator)

    def next_message(self, answer, generator):
        """Kind 9, with a new pair."""
        self.batch.make(1, generator)
        pair = self.batch.pairs[self.batch.next_slot - 1]
        return stored.write(9, self.suite, u16(self.share.party) + self.share.package_id + self.run + encs((pair.D, pair.E)) + answer)

    def answer(self, data, generator, claim):
        """The answer to a request of kind 10, step by step."""
        body = Reader(stored.read(10, self.suite, data))
        run, number, package = body.take(32), body.number(2), read_package(self.suite, body.data)
        digest = T32("quorate-frost ROAST", ("request", data))
        if self.last and digest == self.request:
            return self.sent
        require(run == self.run, "OtherRun")
        require(T32("quorate-frost ROAST", ("text", package.message)) == self.text, "OtherMessage")
        require(number > self.last, "NotNext")
        require(number <= self.most, "TooManySessions")
        require(self.batch.pairs, "NoNonces")
        slot, = self.batch.pairs
        z = sign(self.public, self.share, self.batch.pairs[slot], package)
        require(claim(self.batch.take(slot).nonce_id(), package.digest()), "Record")
        self.last, self.request = number, digest
        self.sent = self.next_message(u16(number) + package.digest() + self.suite.group.enc(z), generator)
        return self.sent

    def content(self):
        """The content of kind 139."""
        state = u16(self.most) + u16(self.last) + self.request + u32(len(self.sent)) + self.sent
        return self.run + self.text + state + self.batch.content()
