"""Presigning, signing in one session, and the red alert (ecdsa-presign.md, ecdsa-evidence.md)."""

from functools import reduce

import zk
import zk_relations as relations
from ecdsa_keygen import exact, point
from ecdsa_sign import Presignature, Request
from frost import bound_names
from keys import UNCONFIRMED, encs, lagrange
from notation import Reader, Refused, T32, be, centred, require, u16, u32, u64
from paillier import encrypt, is_unit, power
from session import Protocol, Send, Session, Unattributed

ONE, SIGN, MANY = 18, 19, 20
NAMES = {ONE: "quorate-cggmp presign", SIGN: "quorate-cggmp sign", MANY: "quorate-cggmp presign many"}
FACTORS = ("gamma", "share")

def ciphertexts(data, N_of):
    """The ciphertexts that `data` consists of; N_of has the modulus of each."""
    size = len(data) // len(N_of)
    numbers = [int.from_bytes(data[k * size:][:size], "big") for k in range(len(N_of))]
    require(all(is_unit(C, N * N, N) for C, N in zip(numbers, N_of)), "Malformed")
    return numbers

class Presign:
    """The public values of a run, and the checks of its rounds. Values of a presignature are in lists, by its index."""

    def __init__(self, public, aux, signers, code=ONE, k=1, h=None):
        self.public, self.aux, self.signers, self.code, self.k, self.h = public, aux, sorted(signers), code, k, h
        self.group, self.N, self.setup, self.size = public.family.group, aux.N, aux.setups, aux.level // 8
        self.weight = {j: lagrange(j, self.signers, self.group.q) for j in self.signers}
        self.X = {j: self.weight[j] * public.verifying[j] for j in self.signers}
        self.K, self.G, self.Y, self.A, self.B, self.Gammas, self.Gamma_proof, self.digests = ({} for _ in range(8))
        self.delta, self.S, self.Delta, self.shown = {}, {}, {}, {}
        n, size = len(self.signers), self.size
        enc, aff = 258 + 2 * size + 2 * k * size, 548 + 5 * size + k * (3 * size + 194)
        self.alert_length = (8 * size + 64) * (n - 1) + 16 + 128 * (345 + size)
        self.star_length = 16 + 128 * (322 + 2 * size)
        self.protocol = Protocol(
            NAMES[code], code, (4 * k * size + 33 + 132 * k, enc), (33 * k + 96 + 32 * k * (n - 1), 8 * k * size + aff), (194 * k, 0),
            (self.alert_length, 0), ((n - 1) * self.star_length, 0))

    def bound(self):
        last = {ONE: [], SIGN: [("digest", self.h)], MANY: [("presignatures", u16(self.k))]}[self.code]
        return bound_names(self.public.family, self.public.package_id()) + [("aux-info", self.aux.digest())] + last

    def context(self, prover, verifier, role, more=b""): return zk.context(self.run, prover, verifier, role, more)
    def bytes_of(self, *C): return b"".join(be(x, 2 * self.size) for x in C)
    def peers(self, j): return [i for i in self.signers if i != j]

    # Round 1
    def opening(self, j, body):
        """Reads a broadcast of round 1."""
        reader = Reader(body, "Malformed", "Malformed")
        C = ciphertexts(reader.take(4 * self.k * self.size), [self.N[j]] * (2 * self.k))
        P = [point(self.group, reader.take(33)) for _ in range(1 + 4 * self.k)]
        reader.end()
        self.K[j], self.G[j], self.Y[j] = C[::2], C[1::2], P[0]
        self.A[j], self.B[j] = list(zip(P[1::4], P[2::4])), list(zip(P[3::4], P[4::4]))

    def enc_elg(self, j, me):
        """Πenc-elg of j for `me`: of k and γ in turn, for each presignature."""
        pairs = [pair for both in zip(self.A[j], self.B[j]) for pair in both]
        C = [C for both in zip(self.K[j], self.G[j]) for C in both]
        return relations.enc_elg(self.group, self.N[j], self.setup[me], self.Y[j], C, [B for B, _ in pairs], [X for _, X in pairs])

    def openings_of(self, proof):
        """S′_m: the commitments with odd numbers of a Πenc-elg."""
        return [int.from_bytes(proof[32 + (2 * m + 1) * self.size:][:self.size], "big") for m in range(self.k)]

    def round_1(self, j, me, proof):
        self.enc_elg(j, me).verify(self.context(j, me, "presign enc-elg"), proof)

    # Round 2
    def gammas(self, j, body):
        """Reads a broadcast of round 2."""
        reader = Reader(body, "Malformed", "Malformed")
        points = Reader(reader.take(33 * self.k))
        self.Gammas[j] = [point(self.group, points.take(33)) for _ in range(self.k)]
        self.Gamma_proof[j] = reader.take(96)
        self.digests[j] = {i: [reader.take(32) for _ in range(self.k)] for i in self.peers(j)}
        reader.end()

    def elog_gamma(self, j):
        L, M = zip(*self.B[j])
        return relations.elog(self.group, list(L), list(M), self.Y[j], self.Gammas[j], self.group.G)

    def one(self, m, factor, i, j, D, F):
        """Digests of products: of one product that i sends to j."""
        items = [("index", m), ("factor", factor), ("from", i), ("to", j), ("D", self.bytes_of(D)), ("F", self.bytes_of(F))]
        return self.run.R("quorate-cggmp presign product", *items).t32()

    def both(self, one): return self.run.R("quorate-cggmp presign products", *((factor, one[factor]) for factor in FACTORS)).t32()

    def products(self, j, me, body):
        """Reads a direct message of round 2: {factor: (D, F)} for each presignature, and Πaff-g."""
        C = ciphertexts(exact(body[:8 * self.k * self.size], 8 * self.k * self.size, "Malformed"), [self.N[me], self.N[j]] * 2 * self.k)
        exact(body, self.protocol.limits[1][1], "Malformed")
        return [dict(gamma=C[m:m + 2], share=C[m + 2:m + 4]) for m in range(0, 4 * self.k, 4)], body[8 * self.k * self.size:]

    def announced(self, j, me, products):
        for m, product in enumerate(products):
            digest = self.both({factor: self.one(m, factor, j, me, *product[factor]) for factor in FACTORS})
            require(digest == self.digests[j][me][m], "InvalidDecommitment")

    def aff_g(self, j, me, products, opened):
        D, F = ([product[factor][k] for product in products for factor in FACTORS] for k in (0, 1))
        return relations.aff_g(self.group, self.N[j], self.N[me], self.setup[me], self.K[me], D, F, self.X[j], opened, self.Gammas[j])

    def round_2(self, j, me, products, proof, opened):
        self.elog_gamma(j).verify(self.context(j, 0, "presign elog gamma"), self.Gamma_proof[j])
        self.aff_g(j, me, products, opened).verify(self.context(j, me, "presign aff-g"), proof)

    def nonces(self):
        self.Gamma = [self.group.sum(self.Gammas[j][m] for j in self.signers) for m in range(self.k)]

    def joint_nonces(self):
        """Γ of each presignature."""
        self.nonces()
        if any(P.is_neutral() for P in self.Gamma):
            raise Unattributed("ResultMismatch")

    # Round 3
    def elog_delta(self, j, m):
        L, M = self.A[j][m]
        return relations.elog(self.group, L, M, self.Y[j], self.Delta[j][m], self.Gamma[m])

    def sums(self, j, body):
        """Reads a broadcast of round 3; gives the proofs."""
        reader, group, values = Reader(exact(body, 194 * self.k, "Malformed")), self.group, []
        for _ in range(self.k):
            values.append((group.scalar(reader.take(32)), *(point(group, reader.take(33)) for _ in range(2)), reader.take(96)))
        self.delta[j], self.S[j], self.Delta[j], proofs = map(list, zip(*values))
        return proofs

    def round_3(self, j, proofs):
        for m, proof in enumerate(proofs):
            self.elog_delta(j, m).verify(self.context(j, 0, "presign elog delta", u64(m)), proof)

    def wrong(self):
        """After round 3: the first wrong presignature and its factor, or None."""
        for m in range(self.k):
            delta, total = sum(self.delta[j][m] for j in self.signers), lambda P: self.group.sum(P[j][m] for j in self.signers)
            if delta * self.group.G != total(self.Delta):
                return m, "gamma"
            if delta * self.public.key != total(self.S):
                return m, "share"
        return None

    def nonzero(self):
        """If no sum is wrong: δ is not zero."""
        if any(sum(self.delta[j][m] for j in self.signers) % self.group.q == 0 for m in range(self.k)):
            raise Unattributed("ResultMismatch")

    def presignature(self, m):
        """The public side of a presignature."""
        inverse = pow(sum(self.delta[j][m] for j in self.signers), -1, self.group.q)
        k, chi = ({j: inverse * P[j][m] for j in self.signers} for P in (self.Delta, self.S))
        return Presignature(self.public, self.signers, self.run.context, m, self.Gamma[m], k, chi)

    # Red alert
    def begin_alert(self, m, factor):
        self.m, self.factor = m, factor
        self.images = {j: self.Gammas[j][m] for j in self.signers} if factor == "gamma" else self.X

    def alert_context(self, j, role, receiver=0): return self.context(j, 0, role + " ", u64(self.m) + self.factor.encode() + u16(receiver))

    def alert_message(self, j, body):
        """Reads a broadcast of round 4 in an alert; gives Πdec. `shown` is {(from, to): (D, F)} as the sender j shows them."""
        reader, shown, m = Reader(body, "Malformed", "Malformed"), {}, self.m
        other = next(f for f in FACTORS if f != self.factor)
        for i in self.peers(j):
            C = ciphertexts(reader.take(8 * self.size), [self.N[i], self.N[j], self.N[j], self.N[i]])
            pairs, ones = {(j, i): C[:2], (i, j): C[2:]}, {(j, i): reader.take(32), (i, j): reader.take(32)}
            for a, b in pairs:
                digest = self.both({self.factor: self.one(m, self.factor, a, b, *pairs[a, b]), other: ones[a, b]})
                require(digest == self.digests[a][b][m], "InvalidDecommitment")
            shown.update(pairs)
        self.shown[j], proof = shown, reader.take(16 + 128 * (345 + self.size))
        reader.end()
        return proof

    def dec(self, j):
        """Πdec of what j has shown."""
        N2, m, shown = self.N[j] ** 2, self.m, self.shown[j]
        D = reduce(lambda D, i: D * shown[i, j][0] * power(shown[j, i][1], -1, N2) % N2, self.peers(j), 1)
        S, H = (self.delta[j][m] * self.group.G, self.group.G) if self.factor == "gamma" else (self.S[j][m], self.Gamma[m])
        return D, relations.dec(self.group, self.N[j], self.K[j][m], D, self.images[j], S, H)

    def round_4(self, j, body):
        proof = self.alert_message(j, body)
        self.dec(j)[1].verify(self.alert_context(j, "red alert dec"), proof)

    def aff_g_star(self, j, i):
        """Πaff-g* of the product that j says it sent to i."""
        return relations.aff_g_star(self.group, self.N[j], self.N[i], self.K[i][self.m], *self.shown[j][j, i], self.images[j])

    def round_5(self, j, body):
        exact(body, (len(self.signers) - 1) * self.star_length, "Malformed")
        for k, i in enumerate(self.peers(j)):
            proof = body[k * self.star_length:(k + 1) * self.star_length]
            self.aff_g_star(j, i).verify(self.alert_context(j, "red alert aff-g*", i), proof)

    # Signing in one session
    def request(self):
        try:
            return Request(self.presignature(0), 0, self.public.key, self.h)
        except Refused:
            raise Unattributed("ResultMismatch") from None

    def signature_share(self, body): return self.group.scalar(exact(body, 32))

class Signer:
    """The secrets of a party in a run, and what it sends."""

    def __init__(self, view, run, share, key):
        self.v, self.run, self.me, self.key = view, run, run.me, key
        self.x, self.group, self.k = view.weight[self.me] * share.secret, view.group, view.k

    def centred(self, x): return centred(x, self.group.q)

    def opening(self):
        """Round 1."""
        v, N, group = self.v, self.key.N, self.group
        values = lambda name, draw: [draw(stream) for stream in [self.run.stream(name)] for _ in range(self.k)]
        self.nonce, self.gamma, self.a, self.b = (values(name, lambda s: s.nonzero(group)) for name in ("k", "gamma", "a", "b"))
        self.rho, nu = (values(name, lambda s: s.unit(N)) for name in ("rho", "nu"))
        Y, cts, points = self.run.stream("Y").nonzero(group) * group.G, b"", b""
        for k, gamma, a, b, rho, n in zip(self.nonce, self.gamma, self.a, self.b, self.rho, nu):
            cts += v.bytes_of(encrypt(N, self.centred(k), rho), encrypt(N, self.centred(gamma), n))
            points += encs((a * group.G, a * Y + k * group.G, b * group.G, b * Y + gamma * group.G))
        body = cts + Y.enc() + points
        v.opening(self.me, body)
        interleaved = lambda one, two: [x for both in zip(one, two) for x in both]
        x = [self.centred(x) for x in interleaved(self.nonce, self.gamma)]
        proofs, self.mu, self.S = {}, {}, {}
        for j in self.run.peers:
            streams = [self.run.stream(name, j) for name in ("mu k", "mu gamma")]
            mu = [[stream.half_range(v.setup[j].level + 256) for _ in range(self.k)] for stream in streams]
            witness = [x, interleaved(self.rho, nu), interleaved(self.a, self.b), interleaved(*mu)]
            context, stream = v.context(self.me, j, "presign enc-elg"), self.run.stream("presign enc-elg", j)
            proofs[j] = v.enc_elg(self.me, j).prove(context, witness, stream)
            self.mu[j], self.S[j] = mu[1], v.openings_of(proofs[j])
        return Send(body, proofs)

    def products(self):
        """Round 2. `sent` has (y, ρ, ρ_y, D, F) of each product."""
        v, group, me = self.v, self.group, self.me
        v.Gammas[me], self.sent, direct = [g * group.G for g in self.gamma], {}, {}
        proof = v.elog_gamma(me).prove(
            v.context(me, 0, "presign elog gamma"), [self.b, self.gamma], self.run.stream("presign elog gamma"))
        v.digests[me] = {}
        for j in self.run.peers:
            streams = [self.run.stream(factor, j) for factor in FACTORS]
            made = self.sent[j] = [{f: self.product(j, m, f, stream) for f, stream in zip(FACTORS, streams)} for m in range(self.k)]
            products = [{f: p[f][3:] for f in FACTORS} for p in made]
            v.digests[me][j] = [v.both({f: v.one(m, f, me, j, *p[f]) for f in FACTORS}) for m, p in enumerate(products)]
            y, rho, rho_y = ([p[f][part] for p in made for f in FACTORS] for part in range(3))
            factors, openings = [[self.centred(g)] for g in self.gamma], [[mu] for mu in self.mu[j]]
            witness = [[self.centred(self.x)], y, rho, rho_y, *factors, None, None, *openings]
            aff = v.aff_g(me, j, products, self.S[j]).prove(v.context(me, j, "presign aff-g"), witness, self.run.stream("presign aff-g", j))
            direct[j] = v.bytes_of(*(C for p in products for f in FACTORS for C in p[f])) + aff
        return Send(encs(v.Gammas[me]) + proof + b"".join(d for j in self.run.peers for d in v.digests[me][j]), direct)

    def factor(self, m, f): return self.centred(self.gamma[m] if f == "gamma" else self.x)

    def product(self, j, m, f, stream):
        N, N_j = self.key.N, self.v.N[j]
        y, rho, rho_y = stream.half_range(1280), stream.unit(N_j), stream.unit(N)
        D = power(self.v.K[j][m], self.factor(m, f), N_j**2) * encrypt(N_j, y, rho) % N_j**2
        return y, rho, rho_y, D, encrypt(N, y, rho_y)

    def sums(self, received):
        """Round 3. `received` is {peer: its products}; `total` has d and c of each presignature."""
        v, group, me, self.received = self.v, self.group, self.me, received
        v.joint_nonces()
        body, checkpoint, stream, self.total = b"", b"", self.run.stream("presign elog delta"), []
        bound = v.aux.level + len(v.signers) - 1
        for m in range(self.k):
            total = {f: self.factor(m, f) * self.centred(self.nonce[m]) + sum(
                self.key.decrypt(received[j][m][f][0]) - self.sent[j][m][f][0] for j in self.run.peers) for f in FACTORS}
            self.total.append(total)
            v.Delta.setdefault(me, []).append(self.nonce[m] * v.Gamma[m])
            proof = v.elog_delta(me, m).prove(v.context(me, 0, "presign elog delta", u64(m)), [[self.a[m]], [self.nonce[m]]], stream)
            checkpoint += b"".join(bytes([x < 0]) + u32(bound) + be(abs(x), -(-bound // 8)) for x in total.values())
            body += group.enc(total["gamma"]) + (total["share"] * v.Gamma[m]).enc() + v.Delta[me][m].enc() + proof
        return Send(body, {}, checkpoint)

    def alert(self):
        """Round 4 of an alert."""
        v, me, m, f, N = self.v, self.me, self.v.m, self.v.factor, self.key.N
        other, body, shown = next(g for g in FACTORS if g != f), b"", {}
        for j in self.run.peers:
            sent, received = {g: p[3:] for g, p in self.sent[j][m].items()}, self.received[j][m]
            shown.update({(me, j): sent[f], (j, me): received[f]})
            body += v.bytes_of(*sent[f], *received[f]) + v.one(m, other, me, j, *sent[other]) + v.one(m, other, j, me, *received[other])
        v.shown[me], x = shown, self.factor(m, f)
        D, relation = v.dec(me)
        rho = power(self.rho[m], x, N) * self.key.randomizer(D) % N
        witness = [[x], [self.total[m][f]], [rho]]
        return Send(body + relation.prove(v.alert_context(me, "red alert dec"), witness, self.run.stream("red alert dec")))

    def stars(self):
        """Round 5 of an alert."""
        v, me, body = self.v, self.me, b""
        for j in self.run.peers:
            witness = [[self.factor(v.m, v.factor)], *([x] for x in self.sent[j][v.m][v.factor][:3])]
            body += v.aff_g_star(me, j).prove(
                v.alert_context(me, "red alert aff-g*", j), witness, self.run.stream("red alert aff-g*", j))
        return Send(body)

    def presignatures(self):
        """The party's own presignatures."""
        v, parts = self.v, []
        for m in range(self.k):
            inverse = pow(sum(v.delta[j][m] for j in v.signers), -1, self.group.q)
            parts.append(v.presignature(m).part(self.me, self.nonce[m] * inverse, self.total[m]["share"] * inverse))
        digests = ("presignatures", [p.digest for p in parts])
        for p in parts:
            p.results = T32("quorate-cggmp presigning results", ("context", self.run.context), digests)
        return tuple(parts)

def presigning(session_id, public, share, aux, signers, generator, code=ONE, k=1, h=None, most=128):
    """The session of protocol `code`; its result is a tuple of presignatures, or a signature of the digest h."""
    require(code != MANY or k <= most, "TooMany")
    require(1 <= k <= 1024 and share.package_id == public.package_id() and share.party == aux.mine[0] in signers, "Inconsistent")
    require(share.state != UNCONFIRMED and aux.confirmed and set(signers) <= set(public.parties) & set(aux.parties), "Inconsistent")
    view, me = Presign(public, aux, signers, code, k, h), share.party
    X = view.X.values()
    require(len(X) >= public.t and view.group.sum(X) == public.key and not any(P.is_neutral() for P in X), "Inconsistent")
    def steps(run):
        view.run, own = run, Signer(view, run, share, aux.mine[1])
        got = yield own.opening()
        def opening(j):
            view.opening(j, got.broadcast[j])
            view.round_1(j, me, got.direct[j])
        got.demand(opening)
        opened = {j: view.openings_of(got.direct[j]) for j in run.peers}
        got = yield own.products()
        def products(j):
            view.gammas(j, got.broadcast[j])
            products, proof = view.products(j, me, got.direct[j])
            view.announced(j, me, products)
            view.round_2(j, me, products, proof, opened[j])
            return products
        received = got.demand(products)
        got = yield own.sums(received)
        got.demand(lambda j: view.round_3(j, view.sums(j, got.broadcast[j])))
        view.sums(me, got.broadcast[me])
        wrong = view.wrong()
        if wrong:
            view.begin_alert(*wrong)
            got = yield own.alert()
            got.demand(lambda j: view.round_4(j, got.broadcast[j]))
            got = yield own.stars()
            got.demand(lambda j: view.round_5(j, got.broadcast[j]))
            raise Unattributed("ResultMismatch")
        view.nonzero()
        results = own.presignatures()
        checkpoint = b"".join(p.body() for p in results)
        if code == SIGN:
            return (yield from signing(run, view, results[0], checkpoint))
        got = yield Send(b"", {}, checkpoint)
        got.demand(lambda j: exact(got.broadcast[j], 0), results)
        return results
    return Session(view.protocol, session_id, signers, view.bound(), me, generator, [share.container()], steps)

def signing(run, view, presignature, checkpoint):
    """Round 4 of signing."""
    request = view.request()
    sigma = {run.me: request.share(presignature)}
    got = yield Send(view.group.enc(sigma[run.me]), {}, checkpoint)
    shares, faults = got.judge(lambda j: view.signature_share(got.broadcast[j]))
    signature = None if faults or not got.complete else request.signature({**shares, **sigma}.values())
    if signature:
        return signature
    faults.update({j: "InvalidSignatureShare" for j, s in shares.items() if not request.right(j, s)})
    got.settle(faults)
    raise Unattributed("ResultMismatch")
