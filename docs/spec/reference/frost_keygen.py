"""FROST keys: trusted dealer and key generation (frost-keygen.md)."""

import stored
from keys import (READY, UNCONFIRMED, PublicSide, add_commitments, check_committee, commit, encs, is_odd, point_at, polynomial,
                  shift, taproot_tweak, value_at)
from notation import Refused, require, u16, u32
from session import Protocol, Send, Session, Unattributed

def deal(family, t, parties, generator, key=None):
    """Trusted dealer, or import of a key: the public side and {party: share}."""
    check_committee(family, t, parties)
    x, q = generator.nonzero(family.group) if key is None else key, family.group.q
    require(x, "BadKey")
    f = polynomial(generator, family.group, t, -x % q if family.even and is_odd(x * family.group.G) else x)
    public = PublicSide(family, 0, parties, commit(f, family.group))
    require(not public.has_neutral(), "ZeroShare")
    return public, {i: public.share(i, value_at(f, i, q), READY) for i in parties}

def dealt_share(public, share):
    """Kind 3."""
    parties = u16(len(public.parties)) + b"".join(map(u16, public.parties))
    body = u16(share.party) + parties + u16(public.t) + encs(public.commitment) + public.family.group.enc(share.secret)
    return stored.write(3, public.family, body)

def result_checkpoint(public, share):
    """A result in a checkpoint (State, and what opening needs)."""
    head = public.body() + encs(public.verifying.values())
    return u32(len(head)) + head + (share.container() if share else b"")

def key_generation(suite, session_id, parties, t, me, generator):
    """The session of key generation without a dealer; its result is (public side, share)."""
    check_committee(suite, t, parties)
    group, P, S = suite.group, suite.group.P, suite.group.S
    def challenge(context, i, phi, R): return suite.H(b"dkg", context + group.enc(i) + phi.enc() + R.enc())
    def steps(session):
        stream = session.stream("polynomial")                       # Round 1
        f, k = polynomial(stream, group, t), stream.nonzero(group)
        phi, R = commit(f, group), k * group.G
        z = k + challenge(session.context, me, phi[0], R) * f[0]
        got = yield Send(encs(phi) + R.enc() + group.enc(z))
        def announcement(j):                                        # End of round 1
            body = got.broadcast[j]
            require(len(body) == (t + 1) * P + S, "WrongLength")
            *phi, R = [group.point(body[k * P:k * P + P]) for k in range(t + 1)]
            z, c = group.scalar(body[-S:]), challenge(session.context, j, phi[0], R)
            require(z * group.G == R + c * phi[0], "InvalidProofOfPossession")
            return phi
        commitments = got.demand(announcement)
        bodies, total = [got.broadcast[j] for j in session.parties], add_commitments([*commitments.values(), phi])
        got = yield Send(None, {j: group.enc(value_at(f, j, group.q)) for j in session.peers}, encs(total))
        def decode(j):                                              # End of round 2
            require(len(got.direct[j]) == S, "WrongLength")
            return group.scalar(got.direct[j])
        def alone(j):
            require(decode(j) * group.G == point_at(commitments[j], me), "InvalidShare")
        shares, faults = got.judge(decode)
        secret = (value_at(f, me, group.q) + sum(shares.values())) % group.q
        if faults or not got.complete or secret * group.G != point_at(total, me):
            got.demand(alone)
        public, share = finish(suite, session.parties, total, me, secret)
        digest = session.R("quorate-frost dkg confirm", ("announcements", bodies), ("package", public.container())).t32()
        got = yield Send(digest, {}, result_checkpoint(public, share))
        def confirmation(j):                                        # Round 3
            require(len(got.broadcast[j]) == 32, "WrongLength")
            require(got.broadcast[j] == digest, "InvalidConfirmation")
        got.demand(confirmation, (public, share))
        return public, public.share(me, share.secret, READY)
    protocol = Protocol("quorate-frost dkg", 1, ((t + 1) * P + S, 0), (0, S), (32, 0))
    return Session(protocol, session_id, parties, [("suite", suite.cs), ("threshold", t)], me, generator, [], steps)

def finish(suite, parties, total, me, secret):
    """End of round 2: the result, still unconfirmed."""
    if suite.even and is_odd(total[0]):
        total, secret = [-p for p in total], -secret % suite.group.q
    public = PublicSide(suite, 0, parties, total)
    if public.has_neutral():
        raise Unattributed("ResultMismatch")
    share = public.share(me, secret, UNCONFIRMED)
    if suite.code != 6:
        return public, share
    h = taproot_tweak(public.key)
    try:
        require(h < suite.group.q, "OutOfRange")
        return shift(public, share, h)
    except Refused:
        raise Unattributed("ResultMismatch")
