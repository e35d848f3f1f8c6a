"""Replays the known answers, compares every byte, and counts what it leaves out: `known_answers.py frost|ecdsa [directory of the text]`."""

import re, sys, time
from pathlib import Path

import frost, life_answers, stored
from curves import ED25519, SECP256K1
from frost_keygen import deal, dealt_share, key_generation
from notation import ChaCha, T32, T64
from session import run_all

class Answers:
    """The values of a chapter, by heading and name."""

    def __init__(self, path):
        self.values, self.checked, self.given = {}, set(), set()
        for section in path.read_text(encoding="utf-8").split("\n## ")[1:]:
            for name, value in re.findall(r"^(\S[^\n]*?) =((?:\s+[0-9a-f]+$)+)", section, re.M):
                self.values[section.split("\n", 1)[0], name] = "".join(value.split())

    def check(self, heading, name, value):
        assert self.values[heading, name] == value.hex(), f"{heading}: {name}: {value.hex()}"
        self.checked.add((heading, name))

    def take(self, heading, name):
        """A value that the replay starts from. Nothing is compared."""
        self.given.add((heading, name))
        return self.values[heading, name]

    def checker(self, heading, prefix=""):
        """A function that compares (name, value), or {name: value}, as far as the heading has them; `report` shows what is left out."""
        def compare(names, *value):
            for name, found in ({names: value[0]} if value else names).items():
                if (heading, prefix + name) in self.values:
                    self.check(heading, prefix + name, found)
        return compare

    def report(self, without=()):
        """What was compared. A value that was left out is a failure, unless its name or heading is in `without`."""
        others = set(self.values) - self.checked - self.given
        known = {key for key in others if key in without or key[0] in without}
        left = sorted(others - known)
        print(f"{len(self.checked)} values are the same, {len(self.given)} were given, {len(known)} are not implemented or in other values")
        print(f"{len(left)} are missing", *left, sep="\n")
        sys.exit(1 if left else 0)

def rng(b): return ChaCha(bytes([b]) * 32)

def basics(check):
    stream, items = rng(1), (("bytes", b"\1\2"), ("number", 3), ("list", [b"\4", b""]))
    stream.bytes(114)
    check({'T32("example"; bytes = 01 02, number = 3, list = (04, empty))': T32("example", *items),
           'T64("body"; bytes = empty)': T64("body", ("bytes", b"")), "ChaCha(32 times 01), first 64 bytes": rng(1).bytes(64),
           "the 4 bytes after a draw of 114 bytes": stream.bytes(4),
           "first scalar of secp256k1 from it, encoded": SECP256K1.enc(rng(1).scalar(SECP256K1)),
           "first scalar of Ed25519 from it, encoded": ED25519.enc(rng(1).scalar(ED25519)),
           "simulated network of seed 1: its generator's key": T32("sim", ("seed", 1))})

def generation(check, suite):
    """The key generation, by rounds."""
    seeds = {1: 6, 300: 7}
    sessions = {i: key_generation(suite, b"\5" * 32, [1, 300], 2, i, rng(b)) for i, b in seeds.items()}
    check({"frame": sessions[1].outgoing()[0][1]})
    for i, s in sessions.items():
        check({"context": s.context, "prefix": s.prefix, f"fresh, party {i}": rng(seeds[i]).bytes(32), f"seed, party {i}": s.seed,
               f"key of the stream `polynomial`, party {i}": s.stream_key("polynomial")})
    for number in (1, 2, 3):
        frames = {i: s.outgoing()[0][1] for i, s in sessions.items()}
        for i, s in sessions.items():
            check({f"frame, round {number}, party {i}": frames[i]})
            s.receive(301 - i, frames[301 - i])
            s.step()
            if number == 1:
                check({f"received after round 1, party {i}": s.received, "echo of round 1": s.echo})
        if number == 1:
            check({"sealed session": sessions[1].seal(b"\x08" * 32)})
    for i, s in sessions.items():
        public, share = s.end[1]
        check({f"share, party {i}": share.container(), "public key package": public.container(),
               "public key package of the generation": public.container()})

def signing(check, suite):
    """A dealer, two signers, both ways of aggregation, and a wrong share."""
    public, shares = deal(suite, 2, [1, 7, 65535], rng(1))
    pair, batch = frost.Nonces(suite, shares[1], rng(2)), frost.Batch(suite, shares[65535])
    batch.make(2, rng(3))
    check({"dealt share, party 1": dealt_share(public, shares[1]), "share, party 1": shares[1].container(),
           "public key package": public.container(), "key id": public.key_id(), "digest of the package": public.digest(),
           "commitments, party 1": pair.commitments(), "nonce id, party 1": pair.nonce_id(),
           "published nonces, party 65535": batch.published(),
           "batch, sealed": stored.seal(135, suite, b"\4" * 32, batch.content())})
    asked = batch.pairs[0]
    package = frost.Package(suite, public.package_id(), {1: (pair.D, pair.E), 65535: (asked.D, asked.E)}, b"pinned")
    other = batch.claim(public, shares[65535], package)
    z = {i: frost.sign(public, shares[i], nonces, package) for i, nonces in ((1, pair), (65535, other))}
    signature, _ = frost.aggregate(public, package, z)
    check({"signing package": package.container(), "digest of the signing package": package.digest(),
           "signature share, party 1": frost.signature_share(package, 1, z[1]), "signature": signature})
    exchange = {i: frost.share_exchange(b"\1" * 32, public, package, z[i], i, rng(1)) for i in z}
    run_all(exchange)
    assert all(s.end == ("done", signature, None) for s in exchange.values())
    assert frost.aggregate(public, package, {**z, 1: z[1] + 1}) == (None, [1])

def roast(check, suite):
    """The first answer of a signer."""
    public, shares = deal(suite, 2, [1, 7, 65535], rng(1))
    signers = {i: frost.RoastSigner(b"\6" * 32, b"pinned", public, shares[i], rng(b)) for i, b in ((1, 9), (65535, 10))}
    pairs, one = {i: (s.batch.pairs[0].D, s.batch.pairs[0].E) for i, s in signers.items()}, signers[1]
    package = frost.Package(suite, public.package_id(), pairs, b"pinned")
    request = stored.write(10, suite, b"\6" * 32 + b"\0\1" + package.body())
    check({"first message, party 1": one.sent, "request": request,
           "answer, party 1": one.answer(request, rng(11), lambda name, digest: True),
           "signer, sealed": stored.seal(139, suite, b"\4" * 32, one.content())})

def replay_frost(directory):
    answers, start = Answers(directory / "known-answers.md"), time.time()
    basics(answers.checker("Transcripts and the generator"))
    for heading, replay in (("Key generation", generation), ("Signing", signing), ("ROAST", roast)):
        replay(answers.checker(heading + " over secp256k1"), frost.SUITES[5])
    for code, name in ((1, "Ed25519"), (2, "Ristretto255"), (3, "Ed448"), (4, "P-256"), (6, "Taproot")):
        for replay in generation, signing:
            replay(answers.checker("Other suites", name + ", "), frost.SUITES[code])
    over = answers.checker(life_answers.HEADING)
    life_answers.life(over, frost.SUITES[5], rng)
    life_answers.signatures(over, frost.SUITES[5], rng)
    for code, name in ((1, "Ed25519"), (2, "Ristretto255"), (3, "Ed448"), (4, "P-256"), (6, "Taproot")):
        life_answers.other(answers.checker("Refresh and repair of other suites"), frost.SUITES[code], rng, name)
    print(f"{time.time() - start:.1f} seconds")
    # The digests of the deals are hashed into frames that were compared.
    digests = [(life_answers.HEADING, f"{run}, digest of the deals") for run in ("refresh", "repair")]
    answers.report(["Child keys, backup and health", *digests])

def replay_ecdsa(directory):
    import ecdsa_answers
    answers = Answers(directory / "known-answers-ecdsa.md")
    ecdsa_answers.replay(answers, directory / "known-answers-ecdsa.md")
    answers.report()

if __name__ == "__main__":
    part = {"frost": replay_frost, "ecdsa": replay_ecdsa}[sys.argv[1]]
    part(Path(sys.argv[2]) if len(sys.argv) > 2 else Path(__file__).parent.parent)
