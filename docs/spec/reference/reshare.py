"""Public dealing, resharing and refresh, repair, acknowledgement (key-life.md)."""

from frost import bound_names
from frost_keygen import result_checkpoint
from keys import (PENDING, READY, UNCONFIRMED, PublicSide, add_commitments, check_committee, commit, encs, lagrange, point_at,
                  polynomial, u16s, value_at)
from notation import Refused, require, u16
from session import Blame, Protocol, Send, Session, Unattributed

class Sealed:
    """Values c[i, j] of dealers i, sealed to recipients j under D[i], Y[j] and the item L. holds(i, j, x): x is the right value."""

    def __init__(self, session, group, L, D, Y, holds):
        self.session, self.group, self.L, self.D, self.Y, self.holds, self.c = session, group, L, D, Y, holds, {}

    def transcript(self, domain, *items): return self.session.R(domain, ("curve", self.group.name), *items)
    def names(self, i, j, K): return ("from", i), ("to", j), ("D", self.D[i].enc()), ("Y", self.Y[j].enc()), ("K", K.enc())

    def pad(self, i, j, K):
        """pad = uniform(T("quorate-keys pad"; …))."""
        t = self.transcript("quorate-keys pad", self.L, *self.names(i, j, K))
        return self.group.wide(t.branch(("block", 0)).t64() + t.branch(("block", 1)).t64())

    def open(self, i, j, K): return (self.c[i, j] - self.pad(i, j, K)) % self.group.q

    def challenge(self, i, j, K, A, B):
        """e of a complaint."""
        t = self.transcript("quorate-keys complaint", *self.names(i, j, K), ("A", A.enc()), ("B", B.enc()))
        return self.group.wide(t.t64())

    def complain(self, accused, me, y):
        """The complaints of a recipient, one after the other."""
        data = b""
        for i in sorted(accused):
            a, K = self.session.stream("complaint", i).nonzero(self.group), y * self.D[i]
            e = self.challenge(i, me, K, a * self.group.G, a * self.D[i])
            data += u16(i) + K.enc() + self.group.enc(e) + self.group.enc(a + e * y)
        return data

    def judge(self, j, data):
        """The accused whose values are shown to be wrong, and the fault of the accuser j or None."""
        group, P, S, shown = self.group, self.group.P, self.group.S, []
        size = 2 + P + 2 * S
        try:
            require(data and len(data) % size == 0, "WrongLength")
            complaints = [(int.from_bytes(data[k:k + 2], "big"), data[k + 2:k + size]) for k in range(0, len(data), size)]
            accused = [i for i, _ in complaints]
            require(0 not in accused and accused == sorted(set(accused)), "Malformed")
            for i, proof in complaints:
                K, e, z = group.point(proof[:P]), group.scalar(proof[P:-S]), group.scalar(proof[-S:])
                require((i, j) in self.c, "Malformed")
                A, B = z * group.G - e * self.Y[j], z * self.D[i] - e * K
                require(e == self.challenge(i, j, K, A, B), "InvalidProof")
                require(not self.holds(i, j, self.open(i, j, K)), "FalseComplaint")
                shown.append(i)
        except Refused as fault:
            return shown, str(fault)
        return shown, None

class Deals(Sealed):
    """The deals of a run to the recipients; commitments and bodies by dealer."""

    def __init__(self, session, group, recipients, Y):
        holds = lambda i, j, x: x * group.G == point_at(self.commitment[i], j)
        super().__init__(session, group, ("share", b""), {}, Y, holds)
        self.recipients, self.commitment, self.body = recipients, {}, {}

    def proof(self, i, commitment, D, sealed, R):
        """e of a deal."""
        t = self.transcript("quorate-keys deal", ("dealer", i), ("commitment", [p.enc() for p in commitment]), ("D", D.enc()),
                            ("sealed", list(map(self.group.enc, sealed))), ("R", R.enc()))
        return self.group.wide(t.t64())

    def make(self, i, f):
        """The own deal of the polynomial f."""
        group, stream = self.group, self.session.stream("deal")
        self.d, r = stream.nonzero(group), stream.nonzero(group)
        self.D[i], R, points = self.d * group.G, r * group.G, commit(f, group)
        sealed = [value_at(f, j, group.q) + self.pad(i, j, self.d * self.Y[j]) for j in self.recipients if j != i]
        z = r + self.proof(i, points, self.D[i], sealed, R) * self.d
        return encs([*points, self.D[i], R]) + b"".join(map(group.enc, [z, *sealed]))

    def read(self, i, t, data):
        """Checks a deal and keeps it."""
        group, P, S, others = self.group, self.group.P, self.group.S, [j for j in self.recipients if j != i]
        require(len(data) == (t + 2) * P + (len(others) + 1) * S, "WrongLength")
        *commitment, D, R = [group.point(data[k * P:k * P + P]) for k in range(t + 2)]
        z, *sealed = [group.scalar(data[k:k + S]) for k in range((t + 2) * P, len(data), S)]
        require(z * group.G == R + self.proof(i, commitment, D, sealed, R) * D, "InvalidProofOfPossession")
        self.body[i], self.commitment[i], self.D[i] = data, commitment, D
        self.c.update({(i, j): c for j, c in zip(others, sealed)})

    def exchange(self, t, dealers, f, me, equation):
        """Round 2: everybody's deal, of which `equation(i)` has to hold; f is the own polynomial or None. F = Σ F_i."""
        got = yield Send(self.make(me, f) if f else b"")
        def deal(i):
            require(i in dealers or not got.broadcast[i], "WrongLength")
            if i in dealers:
                self.read(i, t, got.broadcast[i])
                require(equation(i), "InvalidSum")
        got.demand(deal)
        if f:
            self.read(me, t, got.broadcast[me])
        return add_commitments([self.commitment[i] for i in dealers])

    def opened(self, me, y, f, F):
        """The sum of what is dealt to a recipient, its own included; if it is wrong, the dealers whose values are wrong."""
        values = {i: self.open(i, me, y * self.D[i]) for i in self.commitment if i != me}
        total = (sum(values.values()) + (value_at(f, me, self.group.q) if f else 0)) % self.group.q
        right = total * self.group.G == point_at(F, me)
        return total, [] if right else [i for i, x in values.items() if not self.holds(i, me, x)]

    def digest(self):
        """The digest of the deals of a run."""
        dealers, items = sorted(self.body), [("holders of keys", u16s(self.Y)), ("keys", [Y.enc() for Y in self.Y.values()])]
        items += [("recipients", u16s(self.recipients)), ("dealers", u16s(dealers)), ("deals", [self.body[i] for i in dealers])]
        return self.session.R("quorate-keys deals", *items).t32()

def opening_keys(session, group, holders, me):
    """Round 1 of both protocols: the own y (None if no holder), and {holder: Y}."""
    y = session.stream("opening key").nonzero(group) if me in holders else None
    got = yield Send((y * group.G).enc() if y else b"")
    def key(j):
        require(len(got.broadcast[j]) == (group.P if j in holders else 0), "WrongLength")
        return group.point(got.broadcast[j]) if j in holders else None
    keys = {**got.demand(key), me: y and y * group.G}
    return y, {j: keys[j] for j in sorted(holders)}

def answer(body, length):
    """0 and `length` bytes, which are the value; or 1 and complaints, where it is None."""
    require(body and (body[0] or len(body) == 1 + length), "WrongLength")
    require(body[0] <= 1, "Malformed")
    return None if body[0] else body[1:]

def verdict(got, sealed, check, unshown):
    """All culprits: of messages, accusers that lied, dealers of wrong values, shown or not."""
    faults, wrong = got.judge(check)[1], list(unshown)
    for j in got.senders:
        if j not in faults and got.broadcast[j][:1] == b"\1":
            shown, fault = sealed.judge(j, got.broadcast[j][1:])
            wrong, faults = wrong + shown, {**faults, **({j: fault} if fault else {})}
    return {**faults, **{i: "InvalidShare" for i in wrong}}

def check_holders(public, dealers):
    """Refused before the start of a resharing or repair."""
    require(set(dealers) <= set(public.parties), "NotAHolder")
    require(len(dealers) >= public.t, "TooFew")

def check_own(public, share, dealers, me):
    """The own share of a dealer or helper."""
    require(me not in dealers or share.package_id == public.package_id(), "Mismatch")
    require(me not in dealers or share.state != UNCONFIRMED, "Unconfirmed")

def resharing(session_id, public, share, dealers, t, committee, me, generator):
    """The session of a resharing; its result is (new public side, share or None). A refresh has the old committee."""
    family, group, dealers, committee = public.family, public.family.group, sorted(dealers), sorted(committee)
    check_committee(family, t, committee)
    check_holders(public, dealers)
    require(public.epoch < 2**32 - 1, "LastEpoch")
    require(me in dealers or me in committee, "OtherPart")
    check_own(public, share, dealers, me)
    P, S, new_committee = group.P, group.S, u16(t) + u16(len(committee)) + b"".join(u16s(committee))
    limits = (P, 0), ((t + 2) * P + (len(committee) + 1) * S, 0), (max(33, 1 + len(dealers) * (2 + P + 2 * S)), 0)
    def steps(session):
        y, keys = yield from opening_keys(session, group, committee, me)
        deals, weight, f = Deals(session, group, committee, keys), {i: lagrange(i, dealers, group.q) for i in dealers}, None
        if me in dealers:                                                                                       # End of round 1
            f = polynomial(session.stream("polynomial"), group, t, weight[me] * share.secret % group.q)
        F = yield from deals.exchange(t, dealers, f, me, lambda i: deals.commitment[i][0] == weight[i] * public.verifying[i])
        new = PublicSide(family, public.epoch + 1, committee, F, public.kept)                                   # End of round 2
        package = [new.container()] if not new.has_neutral() and new.key == public.key else []
        digest = session.R("quorate-keys reshare confirm", ("deals", deals.digest()), ("package", package)).t32()
        secret, accused = deals.opened(me, y, f, F) if y else (None, [])
        result = (new, new.share(me, secret, UNCONFIRMED) if y else None) if package and not accused else None
        body = b"\1" + deals.complain(accused, me, y) if accused else b"\0" + digest
        got = yield Send(body, {}, result_checkpoint(*result) if result else b"")
        def confirmation(j):                                                                                    # End of round 3
            require(answer(got.broadcast[j], 32) in (None, digest), "InvalidConfirmation")
            require(got.broadcast[j][0] or j not in committee or not new.verifying[j].is_neutral(), "IdentityCommitment")
        got.settle(verdict(got, deals, confirmation, accused), result)
        if not package:
            raise Unattributed("ResultMismatch")
        return new, new.share(me, secret, PENDING) if y else None
    hedge, parties = [group.enc(share.secret)] if me in dealers else [], sorted({*dealers, *committee})
    bound = [*bound_names(family, public.package_id()), ("dealers", u16s(dealers)), ("new committee", new_committee)]
    return Session(Protocol("quorate-keys reshare", 32, *limits), session_id, parties, bound, me, generator, hedge, steps)

def repair(session_id, public, share, helpers, target, me, generator):
    """The session of a repair; its result is the target's share for the target, and nothing for a helper."""
    group, t, q, helpers = public.family.group, public.t, public.family.group.q, sorted(helpers)
    check_holders(public, helpers)
    require(target in public.parties, "NotAHolder")
    require(target not in helpers and (me in helpers or me == target), "OtherPart")
    check_own(public, share, helpers, me)
    P, S, is_target, accusing = group.P, group.S, me == target, 1 + len(helpers) * (2 + group.P + 2 * group.S)
    limits = (P, 0), ((t + 2) * P + (len(helpers) + 1) * S, 0), (max(1 + S, accusing), 0), (accusing, 0)
    def steps(session):
        y, keys = yield from opening_keys(session, group, session.parties, me)
        deals, delta, result = Deals(session, group, helpers, keys), None, None
        if not is_target:                                                                                       # End of round 1
            stream = session.stream("mask")
            mask = [0] + [stream.scalar(group) for _ in range(t - 1)] + [0]
            delta = [(mask[k] - target * mask[k + 1]) % q for k in range(t)]                                    # (x − r)·q(x)
        F = yield from deals.exchange(t, helpers, delta, me, lambda i: point_at(deals.commitment[i], target).is_neutral())
        right = lambda i, j, x: x * group.G == public.verifying[i] + point_at(F, i)                             # End of round 2
        masked, accused, body = Sealed(session, group, ("masked", deals.digest()), deals.D, keys, right), [], b""
        if not is_target:
            value, accused = deals.opened(me, y, delta, F)
            v = masked.c[me, target] = (value + share.secret + masked.pad(me, target, deals.d * keys[target])) % q
            body = b"\1" + deals.complain(accused, me, y) if accused else b"\0" + group.enc(v)
        got = yield Send(body)
        def value(i):                                                                                           # End of round 3
            require(i != target or not got.broadcast[i], "WrongLength")
            data = answer(got.broadcast[i], S) if i != target else None
            if data is not None:
                masked.c[i, target] = group.scalar(data)
        faults = verdict(got, deals, value, accused)
        opened = {i: masked.open(i, target, y * masked.D[i]) for i, _ in masked.c} if is_target else {}
        wrong = [i for i, v in opened.items() if not right(i, target, v)]
        if faults or (wrong and not got.complete):
            raise Blame({**faults, **{i: "InvalidShare" for i in wrong}})
        got.whole()
        if is_target and not wrong:
            secret = sum(lagrange(i, helpers, q, target) * v for i, v in opened.items()) % q
            result = public.share(target, secret, PENDING if public.epoch else READY)
        body = (b"\1" + masked.complain(wrong, me, y) if wrong else b"\0") if is_target else b""
        got = yield Send(body, {}, result.container() if result else b"")
        def last(j):                                                                                            # End of round 4
            require(j == target or not got.broadcast[j], "WrongLength")
            return answer(got.broadcast[j], 0) if j == target else None
        got.settle(verdict(got, masked, last, wrong), result)
        return result
    hedge, bound = [] if is_target else [group.enc(share.secret)], [*bound_names(public.family, public.package_id()), ("target", target)]
    return Session(Protocol("quorate-keys repair", 33, *limits), session_id, [*helpers, target], bound, me, generator, hedge, steps)

def acknowledgement(session_id, public, share, parties, me, generator):
    """The session of an acknowledgement, of the committee and listeners; its result is the settled share (None of a listener)."""
    require(share is None or share.package_id == public.package_id(), "Inconsistent")
    require(share is None or share.state != UNCONFIRMED or public.epoch == 0, "Inconsistent")
    require(share or me not in public.parties, "OtherPart")
    require(set(public.parties) <= set(parties), "NotAParty")
    def steps(session):
        got = yield Send(b"")
        got.demand(lambda j: require(not got.broadcast[j], "WrongLength"))
        return share and public.share(me, share.secret, READY)
    protocol, bound = Protocol("quorate-keys acknowledge", 34, (1, 0)), bound_names(public.family, public.package_id())
    return Session(protocol, session_id, parties, bound, me, generator, [], steps)
