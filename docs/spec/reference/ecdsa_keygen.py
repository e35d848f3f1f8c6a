"""Key generation and auxiliary information of threshold ECDSA (ecdsa-keygen.md).

The checks of a round are methods of a class that holds public values alone, since a run and the verification of evidence make the same ones.
Each takes the sender j and what it sent; `me` is the receiver.
"""

from functools import reduce

import stored
import zk
import zk_relations as relations
from frost_keygen import result_checkpoint
from keys import READY, UNCONFIRMED, PublicSide, add_commitments, commit, encs, point_at, polynomial, value_at
from notation import Reader, Refused, T32, be, require, u16, u32
from paillier import LEVEL_CODE, Setup, right_modulus, share_factor
from session import Protocol, Send, Session, Unattributed

def exact(body, length, fault="WrongLength"):
    require(len(body) == length, fault)
    return body

def point(group, data):
    """A point, of which the neutral element is a fault of its own."""
    require(data != bytes(33), "IdentityCommitment")
    return group.point(data)

def ascending(values, parties): return [values[j] for j in parties]

def xor(strings): return reduce(lambda x, y: bytes(a ^ b for a, b in zip(x, y)), strings)

def confirmations(got, digest, result):
    """The last round: each broadcast is the digest."""
    def confirmation(j):
        require(exact(got.broadcast[j], 32) == digest, "InvalidConfirmation")
    got.demand(confirmation, result)

# Key generation

class Keygen:
    """The public values of a run of key generation."""

    def __init__(self, family, t):
        self.family, self.group, self.t = family, family.group, t
        self.reveals, self.A, self.F = {}, {}, {}
        self.protocol = Protocol("quorate-cggmp keygen", 16, (32, 0), (96 + 33 * (t + 1), 32), (65, 0), (32, 0))

    def bound(self): return [("curve", self.group.name), ("threshold", self.t)]

    def commitment(self, i, reveal):
        points = [reveal[k:k + 33] for k in range(96, len(reveal), 33)]
        return self.run.R("quorate-cggmp keygen commitment", ("party", i), ("rid", reveal[:32]), ("F", points[1:]), ("A", points[0]),
                          ("chain code", reveal[32:64]), ("u", reveal[64:96])).t32()

    def reveal(self, j, V, body):
        exact(body, 96 + 33 * (self.t + 1))
        points = [body[k:k + 33] for k in range(96, len(body), 33)]
        require(bytes(33) not in points, "IdentityCommitment")
        points = [self.group.point(P) for P in points]
        require(V in (None, self.commitment(j, body)), "InvalidDecommitment")
        self.reveals[j], self.A[j], self.F[j] = body, points[0], points[1:]

    def share(self, body): return self.group.scalar(exact(body, 32))

    def right_share(self, j, me, body):
        require(self.share(body) * self.group.G == point_at(self.F[j], me), "InvalidShare")

    def joint(self):
        """F, rid and chain code, as the public side of the key."""
        total = add_commitments(ascending(self.F, self.run.parties))
        rid, chain_code = (xor([self.reveals[j][k:k + 32] for j in self.run.parties]) for k in (0, 32))
        self.public = PublicSide(self.family, 0, self.run.parties, total, chain_code + rid)
        if any(P.is_neutral() for P in total + list(self.public.verifying.values())):
            raise Unattributed("ResultMismatch")

    def challenge(self, i, late):
        return self.group.wide(self.run.R(
            "quorate-cggmp keygen proof of knowledge", ("party", i), ("rid", self.public.kept[32:]), ("curve", self.group.name),
            ("X", self.public.verifying[i].enc()), ("A", self.A[i].enc()), ("A'", late.enc())).t64())

    def proof(self, j, body):
        late, z = self.group.point(exact(body, 65)[:33]), self.group.scalar(body[33:])
        e = self.challenge(j, late)
        require(z * self.group.G == self.A[j] + late + e * self.public.verifying[j], "InvalidProof")

    def digest(self, proofs):
        return self.run.R("quorate-cggmp keygen confirm", ("reveals", ascending(self.reveals, self.run.parties)),
                          ("proofs", ascending(proofs, self.run.parties)), ("key", self.public.container())).t32()

def keygen(family, session_id, parties, t, me, generator):
    """The session of key generation; its result is (public side, share)."""
    require(len(parties) <= 128, "TooManyParties")
    require(2 <= t <= len(parties), "Threshold")
    view, group = Keygen(family, t), family.group
    def steps(run):
        view.run = run
        f = polynomial(run.stream("polynomial"), group, t)
        alpha = run.stream("proof of knowledge").nonzero(group)
        reveal = b"".join(run.stream(purpose).bytes(32) for purpose in ("rid", "chain code", "blinding"))
        reveal += (alpha * group.G).enc() + encs(commit(f, group))
        got = yield Send(view.commitment(me, reveal), {}, reveal)
        V = got.demand(lambda j: exact(got.broadcast[j], 32))
        got = yield Send(reveal, {j: group.enc(value_at(f, j, group.q)) for j in run.peers})
        def form(j):
            view.reveal(j, V[j], got.broadcast[j])
            return view.share(got.direct[j])
        shares, faults = got.judge(form)
        x = (value_at(f, me, group.q) + sum(shares.values())) % group.q
        if faults or sum(shares.values()) * group.G != group.sum(point_at(view.F[j], me) for j in shares):
            _, wrong = got.judge(lambda j: j in shares and view.right_share(j, me, got.direct[j]))
            got.settle({**faults, **wrong})
        got.whole()
        view.reveal(me, None, reveal)
        view.joint()
        if x == 0 or x * group.G != view.public.verifying[me]:
            raise Unattributed("ResultMismatch")
        late = run.stream("late proof of knowledge").nonzero(group)
        e = view.challenge(me, late * group.G)
        result = view.public, view.public.share(me, x, UNCONFIRMED)
        got = yield Send((late * group.G).enc() + group.enc(alpha + late + e * x), {}, result_checkpoint(*result))
        got.demand(lambda j: view.proof(j, got.broadcast[j]))
        digest = view.digest(got.broadcast)
        got = yield Send(digest)
        confirmations(got, digest, result)
        return view.public, view.public.share(me, x, READY)
    return Session(view.protocol, session_id, parties, view.bound(), me, generator, [], steps)

# Auxiliary information

class AuxInfo:
    """Its public side (kind 40), and `mine` = (party, Paillier key, setup key) for a party's own (kind 35)."""

    def __init__(self, level, parties, N, setups, rid, mine=None, confirmed=False):
        self.level, self.parties, self.N, self.setups, self.rid, self.mine, self.confirmed = level, parties, N, setups, rid, mine, confirmed

    def digest(self):
        return T32("quorate-cggmp aux-info", ("level", self.level), ("parties", [u16(j) for j in self.parties]),
                   ("keys", [be(self.N[j], self.level // 8) for j in self.parties]),
                   ("setups", [self.setups[j].enc() for j in self.parties]), ("rid", self.rid))

    def body(self):
        numbers = b"".join(be(self.N[j], self.level // 8) + self.setups[j].enc() for j in self.parties)
        return u16(len(self.parties)) + b"".join(u16(j) for j in self.parties) + self.rid + numbers

    def container(self):
        party, key, setup = self.mine
        secrets = b"".join(u32(len(s)) + s for s in (key.secret(), setup.secret()))
        family = stored.Name(f"moduli of {self.level} bits", 128 + LEVEL_CODE[self.level])
        return stored.write(35, family, bytes([1, self.confirmed]) + u16(party) + self.body() + secrets)

class Aux:
    """The public values of a run of auxiliary information."""

    def __init__(self, level):
        self.level, self.size = level, level // 8
        self.reveals, self.N, self.setup = {}, {}, {}
        limits = (32, 0), (80 + 132 * self.size, 0), (257 * self.size + 32, 7 * self.size + 517), (32, 0)
        self.protocol = Protocol("quorate-cggmp aux-info", 17, *limits)

    def bound(self): return [("level", self.level)]
    def commitment(self, i, reveal): return self.run.R("quorate-cggmp aux-info commitment", ("party", i), ("reveal", reveal)).t32()

    def reveal(self, j, V, body):
        require(V in (None, self.commitment(j, body)), "InvalidDecommitment")
        reader = Reader(body, "Malformed", "Malformed")
        reader.take(64)
        N = reader.number(self.size)
        require(right_modulus(N, self.level), "InvalidModulus")
        setup = Setup(*(reader.number(self.size) for _ in range(3)))
        try:
            setup.check(self.level)
        except Refused:
            raise Refused("InvalidModulus") from None
        proof = reader.take(16 + 128 * self.size)
        reader.end()
        self.reveals[j], self.N[j], self.setup[j] = body, N, setup
        return proof

    def prm(self, j, proof):
        relations.prm(self.setup[j]).verify(zk.context(self.run, j, 0, "aux-info prm"), proof)

    def factors(self, j, me):
        """P_j's two moduli and those of the checking party share no factor, pair by pair."""
        moduli = [self.N[i] for i in (j, me)] + [self.setup[i].N for i in (j, me)]
        require(not any(share_factor(a, b) for k, a in enumerate(moduli) for b in moduli[:k]), "InvalidModulus")

    def rid(self): return xor([self.reveals[j][:32] for j in self.run.parties])

    def mod(self, j, body):
        zk.mod_verify(zk.context(self.run, j, 0, "aux-info mod", self.rid()), self.N[j], self.level, body)

    def fac(self, j, me, body):
        relations.fac(self.N[j], self.setup[me]).verify(zk.context(self.run, j, me, "aux-info fac", self.rid()), body)

    def digest(self, mods):
        return self.run.R("quorate-cggmp aux-info confirm", ("reveals", ascending(self.reveals, self.run.parties)),
                          ("mod", ascending(mods, self.run.parties))).t32()

def aux_info(session_id, parties, level, key, setup_key, me, generator):
    """The session of auxiliary information; its result is an AuxInfo."""
    require(len(parties) <= 128, "TooManyParties")
    view = Aux(level)
    def steps(run):
        view.run = run
        setup = setup_key.public
        prm = relations.prm(setup, setup_key.order).prove(
            zk.context(run, me, 0, "aux-info prm"), [[setup_key.secret_exponent]], run.stream("prm"))
        reveal = run.stream("rid").bytes(32) + run.stream("blinding").bytes(32) + be(key.N, view.size) + setup.enc() + prm
        got = yield Send(view.commitment(me, reveal), {}, prm)
        V = got.demand(lambda j: exact(got.broadcast[j], 32))
        got = yield Send(reveal)
        view.reveals[me], view.N[me], view.setup[me] = reveal, key.N, setup
        decoded, faults = got.judge(lambda j: view.reveal(j, V[j], got.broadcast[j]))
        for check in (lambda j: view.prm(j, decoded[j])), (lambda j: view.factors(j, me)):
            faults = {**got.judge(lambda j: j in decoded and check(j))[1], **faults}
        got.settle(faults)
        if any(share_factor(a, b) for j in run.peers for i in run.peers if i != j
               for a in (view.N[j], view.setup[j].N) for b in (view.N[i], view.setup[i].N)):
            raise Unattributed("ResultMismatch")
        rid = view.rid()
        mod = zk.mod_prove(zk.context(run, me, 0, "aux-info mod", rid), key, run.stream("mod"))
        got = yield Send(mod, {j: relations.fac(key.N, view.setup[j]).prove(
            zk.context(run, me, j, "aux-info fac", rid), relations.fac_witness(key), run.stream("fac", j)) for j in run.peers})
        def proofs(j):
            view.mod(j, got.broadcast[j])
            view.fac(j, me, got.direct[j])
        got.demand(proofs)
        digest = view.digest(got.broadcast)
        result = AuxInfo(level, run.parties, view.N, view.setup, rid, (me, key, setup_key))
        got = yield Send(digest)
        confirmations(got, digest, result)
        result.confirmed = True
        return result
    return Session(view.protocol, session_id, parties, view.bound(), me, generator, [key.secret()], steps)
