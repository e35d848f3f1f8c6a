"""Replays known-answers-ecdsa.md (called by known_answers.py)."""

import re
from hashlib import sha256

import ecdsa_evidence, stored
from ecdsa_keygen import aux_info, keygen
from ecdsa_presign import MANY, ONE, SIGN, Presign, presigning
from ecdsa_sign import Request, aggregate, share_of
from keys import ECDSA_P256, ECDSA_SECP256K1, lagrange
from notation import ChaCha, Refused, T, T32, T64, u16, u32, u64
from paillier import PaillierKey, SetupKey

PARTIES, GROUP = [2, 7, 40], ECDSA_SECP256K1.group

def network(seed, parties, deliveries):
    """The simulated network of determinism.md: the generator that each party starts with."""
    N, generators = ChaCha(T32("sim", ("seed", seed))), {}
    N.bytes(32)
    for i in parties:
        generators[i] = ChaCha(N.bytes(32))
        for _ in range(deliveries * (len(parties) - 1)):
            N.bytes(4)
    return generators

def play(sessions, alter=None):
    """Parties send in the order in which they complete a round, and deliveries arrive in the order in which they were sent. `alter`
    changes the frames of a party on their way, and then not all runs end well."""
    queue, frames, answer = [], [], T("known answer")
    def send(i):
        for to, frame in sessions[i].outgoing():
            frames.append((str(sessions[i].round), str(i), str(to or "all"), str(len(frame)), sha256(frame).hexdigest()))
            for j in sessions[i].peers if to == 0 else [to]:
                arrives = alter(i, frame) if alter else frame
                answer.add(("from", i), ("to", j), ("frame", arrives))
                queue.append((i, j, arrives))
    for i in sorted(sessions):
        send(i)
    while queue:
        i, j, frame = queue.pop(0)
        sessions[j].receive(i, frame)
        if sessions[j].step() and not sessions[j].end:
            send(j)
    assert alter or all(s.end and s.end[0] == "done" for s in sessions.values()), [s.end for s in sessions.values()]
    return {i: s.end[1] for i, s in sessions.items()}, frames, answer

class Replay:
    """`answers` has the named values of the chapter, `rows` those of its tables of frames, `runs` the answers of whole runs."""

    def __init__(self, answers, text):
        self.answers, self.rows, self.runs, self.same = answers, {}, {}, 0
        for section in text.split("\n## ")[1:]:
            rows = re.findall(r"^\| (\d+) \| (\d+) \| (all|\d+) \| (\d+) \| `(\w+)` \|", section, re.M)
            self.rows[section.split("\n", 1)[0]] = rows
            self.runs.update(re.findall(r"^\| (\S[^|]*) \| `(\w+)` \|$", section, re.M))

    def frames(self, heading, frames):
        assert sorted(frames) == sorted(self.rows[heading]), f"{heading}: {set(frames) - set(self.rows[heading])}"
        self.same += len(frames)

    def whole(self, name, answer, results):
        value = answer.add(("results", results)).t32().hex()
        assert value == self.runs[name], f"{name}: {value}"
        self.same += 1

    def secrets(self):
        check, self.keys, self.setups = self.answers.checker("Secrets"), {}, {}
        for b, i in enumerate(PARTIES):
            primes = [self.answers.take("Secrets", f"party {i}, {name}") for name in ("p", "q", "p̂", "q̂")]
            p, q, p_hat, q_hat = (int(prime, 16) for prime in primes)
            self.keys[i] = PaillierKey(p, q, 2048)
            self.setups[i] = SetupKey(p_hat, q_hat, 2048, ChaCha(bytes([b]) * 32))
            check(f"party {i}, SHA-256 of be(N̂) ‖ be(s) ‖ be(t)", sha256(self.setups[i].public.enc()).digest())

    def keygen(self, family, parties=PARTIES):
        rng = network(1, parties, 1)
        return {i: keygen(family, b"\2" * 32, parties, 2, i, rng[i]) for i in parties}

    def aux(self, sid, seed, parties=PARTIES):
        rng = network(seed, parties, 1)
        return {i: aux_info(bytes([sid]) * 32, parties, 2048, self.keys[i], self.setups[i], i, rng[i]) for i in parties}

    def presign(self, keys, aux, code=ONE, k=1):
        h, rng = sha256(b"message").digest() if code == SIGN else None, network(42, list(keys), 2)
        return {i: presigning(bytes([70]) * 32, *keys[i], aux[i], list(keys), rng[i], code, k, h) for i in keys}

    def run(self):
        self.secrets()
        keys, aux = self.key_generation(), self.auxiliary_information()
        others, _, answer = play(self.keygen(ECDSA_P256))
        self.whole("keygen, P-256", answer, [others[i][1].container() for i in PARTIES])
        self.presigning("presign, secp256k1", keys, aux, "Presigning")
        self.signing("sign, secp256k1", keys, aux, "Signing in one session")
        self.presigning("presign, P-256", others, aux)
        self.signing("sign, P-256", others, aux)
        for curve, made in (("secp256k1", keys), ("P-256", others)):
            self.presigning(f"presign by 2 and 40, {curve}", {i: made[i] for i in (2, 40)}, aux)
        self.alert(keys, aux)
        two = self.keygen(ECDSA_SECP256K1, [2, 7]), self.aux(1, 1, [2, 7])
        results, frames, answer = play(self.presign(*(play(sessions)[0] for sessions in two), MANY, 3))
        self.frames("Answers of whole runs", frames)
        self.whole("presign many, secp256k1", answer, [b"".join(p.container() for p in results[i]) for i in (2, 7)])

    def start(self, heading, sessions):
        """The values that a run begins with; gives the comparison of further ones."""
        check = self.answers.checker(heading)
        check("context", sessions[2].context)
        check("prefix", sessions[2].prefix)
        for i, session in sessions.items():
            check(f"seed, party {i}", session.seed)
        return check

    def key_generation(self):
        sessions = self.keygen(ECDSA_SECP256K1)
        check, stream = self.start("Key generation", sessions), sessions[2].stream("polynomial")
        check("f of party 2, a_0", GROUP.enc(stream.nonzero(GROUP)))
        check("f of party 2, a_1", GROUP.enc(stream.scalar(GROUP)))
        results, frames, answer = play(sessions)
        self.frames("Key generation", frames)
        self.whole("keygen, secp256k1", answer, [results[i][1].container() for i in PARTIES])
        public, share = results[2]
        for name, value in (("rid", public.kept[32:]), ("chain code", public.kept[:32]), ("X", public.key.enc()),
                            ("F_1", public.commitment[1].enc()), ("key id", public.key_id()), ("digest of the package", public.digest()),
                            ("confirmation", sessions[2].sent[3].broadcast), ("share of party 2, container", share.container())):
            check(name, value)
        for i in PARTIES:
            check(f"x of party {i}", GROUP.enc(results[i][1].secret))
        return results

    def auxiliary_information(self):
        sessions = self.aux(1, 1)
        check = self.start("Auxiliary information", sessions)
        results, frames, _ = play(sessions)
        self.frames("Auxiliary information", frames)
        check("rid", results[2].rid)
        check("digest of the public side", results[2].digest())
        check("SHA-256 of the container of party 2", sha256(results[2].container()).digest())
        others, _, answer = play(self.aux(70, 42))
        self.whole("aux-info, 2048", answer, [others[i].container() for i in PARTIES])
        return results

    def presigning(self, name, keys, aux, heading=None):
        sessions = self.presign(keys, aux)
        results, frames, answer = play(sessions)
        containers = [results[i][0].container() for i in sorted(results)]
        self.whole(name, answer, containers)
        if not heading:
            return
        self.frames(heading, frames)
        check, p, opening = self.start(heading, sessions), results[2][0], sessions[2].sent[0].broadcast
        fresh = self.presign(keys, aux)[2]
        for name, purpose in (("k", "k"), ("γ", "gamma")):
            check(f"{name} of party 2", GROUP.enc(fresh.stream(purpose).nonzero(GROUP)))
        for name, value in (("SHA-256 of K of party 2", sha256(opening[:512]).digest()), ("Y of party 2", opening[1024:1057]),
                            ("λ·x of party 2", GROUP.enc(lagrange(2, PARTIES, GROUP.q) * keys[2][1].secret)),
                            ("Γ", p.Gamma.enc()), ("short name", p.short_name), ("digest", p.digest),
                            ("k̃ of party 2", GROUP.enc(p.secret_k)), ("χ̃ of party 2", GROUP.enc(p.secret_chi))):
            check(name, value)
        for i, container in zip(PARTIES, containers):
            check(f"SHA-256 of the container of party {i}", sha256(container).digest())
        self.forms(keys[2][1], p)
        self.together(keys, {i: results[i][0] for i in PARTIES})

    def forms(self, share, p):
        """What party 2 stores and sends of its presignature p."""
        heading, signers = "Stored and sent forms", u16(len(PARTIES)) + b"".join(map(u16, PARTIES))
        check, e = self.answers.checker(heading), int(self.answers.values[heading, "e"], 16)
        request = Request(p, e, p.key + e * GROUP.G, sha256(b"message").digest())
        inventory = u16(2) + b"".join(map(u64, (1, 0, 0, 0))) + u32(0) + p.body()
        for name, value in (("e", GROUP.enc(e)), ("X′", request.key.enc())):
            check(name, value)
        for kind, form in ((37, share_of(request, share, lambda *_: True)), (38, stored.write(38, p.family, p.public_body())),
                           (42, stored.write(42, p.family, u16(2) + signers + p.run + p.results + stored.write_set([0]))),
                           (167, stored.seal(167, p.family, bytes([9]) * 32, inventory, version=2))):
            check(f"SHA-256 of kind {kind}", sha256(form).digest())

    @staticmethod
    def together(keys, parts):
        """The shares of all signers, with others of party 7 beside them or in their place."""

        def sent(i, message=b"message"):
            request = Request(parts[i], 0, parts[i].key, sha256(message).digest())
            return i, share_of(request, keys[i][1], lambda *_: True)

        def result(*messages):
            try:
                return aggregate(Request(parts[2], 0, parts[2].key, sha256(b"message").digest()), messages)
            except Refused as error:
                return str(error)

        one, two, three = map(sent, PARTIES)
        other = sent(7, b"another")
        body = stored.read(37, parts[7].family, two[1])
        wrong = [(7, stored.write(37, parts[7].family, body[:-32] + GROUP.enc(sigma))) for sigma in range(1, 4)]
        signature = result(one, two, three)
        assert len(signature) == 65
        assert result(other, three, two, one, other, two) == signature
        assert result(one, three, other) == result(one, two, other) == "Mismatch {7: 'OtherMessage'}"
        assert result(one, two) == "Missing"
        assert result(one, two, three, *wrong) == result(one, *wrong, other) == "Cheaters {7: 'Equation'}"
        assert result(one, (7, two[1][:-1]), three, *wrong) == "Cheaters {7: 'Malformed'}"
        assert result(one, (3, two[1])) == "Unexpected"

    def alert(self, keys, aux):
        """Party 7's δ is changed on its way; it confirms, with the echo of what the others have."""
        sessions, sums = self.presign(keys, aux), {}
        def alter(i, frame):
            if frame[2] == 3:
                frame = frame[:102] + bytes([frame[102] ^ (i == 7)]) + frame[103:]
                sums[i] = T64("body", ("bytes", frame[71:]))
            echo = T32("echo", ("context", frame[7:39]), ("round", 3), ("broadcasts", [sums[j] for j in sorted(sums)]))
            return frame[:39] + echo + frame[71:] if frame[2] == 4 and i == 7 else frame
        _, frames, answer = play(sessions, alter)
        self.frames("A red alert", [row for row in frames if row[0] == "4" and row[1] != "7"])
        shown = [ecdsa_evidence.collect(sessions[i], 7) for i in (2, 40)]
        self.whole("red alert, secp256k1", answer, shown)
        self.answers.checker("A red alert")("SHA-256 of the evidence of party 2", sha256(shown[0]).digest())
        assert ecdsa_evidence.verify(Presign(keys[2][0], aux[2], PARTIES), bytes([70]) * 32, PARTIES, shown[0]) == "Malformed"

    def signing(self, name, keys, aux, heading=None):
        sessions = self.presign(keys, aux, SIGN)
        results, frames, answer = play(sessions)
        self.whole(name, answer, [results[i] for i in PARTIES])
        if heading:
            self.start(heading, sessions)("r ‖ s ‖ recovery id", results[2])
            self.frames(heading, frames)

def replay(answers, path):
    replayed = Replay(answers, path.read_text(encoding="utf-8"))
    replayed.run()
    print(f"{replayed.same} frames and answers are the same")
