"""Evidence and its verification by a third party (ecdsa-evidence.md, from Evidence on)."""

import stored
from ecdsa_keygen import Aux, Keygen, exact
from ecdsa_presign import SIGN
from notation import Reader, Refused, T, T32, T64, require, u16, u32
from session import Unattributed

FAMILY = stored.Name("quorate-cggmp", 0)

def collect(session, culprit):
    """The container of kind 41 for a blame that ended a session."""
    r, me, equivocates = session.round, session.me, session.end[2][1][culprit] == "Equivocation"
    own = sorted(p for p in session.frames if p[1] == culprit and p[0] <= r)
    frames = [(culprit, session.frames[p]) for p in own]
    if equivocates:
        two = [p for p in own if p in session.conflicts][:1]
        frames = [(culprit, f) for p in two for f in (session.frames[p], session.conflicts[p])] or [
            (culprit, session.frames[p]) for p in own if p[0] == r]
    for number in range(1, 1 if equivocates else r):
        seen = {p[1]: f for p, f in session.frames.items() if p[0] == number and not p[2]}
        like = next(iter(seen.values()))
        seen[me] = like[:3] + u16(me) + like[5:71] + session.sent[number - 1].broadcast
        frames += [(i, seen[i]) for i in session.parties if i != culprit]
    body = u16(culprit) + session.context + b"".join(u16(i) + u32(len(f)) + f for i, f in frames)
    return stored.write(41, FAMILY, body)

class Outsider:
    """What the checks of a round ask of a run, from public parameters alone; `broadcast` and `direct` are by round and party."""

    def __init__(self, view, session_id, parties):
        self.session_id, self.parties, self.protocol = session_id, sorted(parties), view.protocol
        items = [("session id", session_id), ("parties", [u16(p) for p in self.parties])] + view.bound()
        self.context = T32("session", ("protocol", view.protocol.name), ("code", view.protocol.code), ("version", 1), *items)
        self.broadcast, self.direct = {}, {}
        view.run = self

    def R(self, domain, *items): return T(domain, ("context", self.context), *items)

    def take(self, culprit, frames):
        """Step 5."""
        for sender, frame in frames:
            number, recipient = frame[2], int.from_bytes(frame[5:7], "big")
            known = frame[:2] == bytes([1, self.protocol.code]) and frame[7:39] == self.context and 1 <= number <= len(self.protocol.limits)
            limit = known and frame[3:5] == u16(sender) and sender in self.parties and self.protocol.limits[number - 1][recipient != 0]
            if limit and 71 <= len(frame) <= 71 + limit and recipient == 0:
                self.broadcast.setdefault((number, sender), frame)
            elif limit and 71 <= len(frame) <= 71 + limit and sender == culprit and recipient in self.parties and recipient != culprit:
                self.direct.setdefault((number, recipient), frame)

    def echo(self, number):
        digests = [T64("body", ("bytes", self.said(number, i))) for i in self.parties]
        return T32("echo", ("context", self.context), ("round", number), ("broadcasts", digests))

    @staticmethod
    def body(place, frames):
        """The body of a frame that a check needs."""
        require(place in frames, "Incomplete")
        return frames[place][71:]

    def said(self, number, i): return self.body((number, i), self.broadcast)
    def told(self, number, receiver): return self.body((number, receiver), self.direct)

def equivocation(frames, culprit, context, code):
    """Steps 3 and 4, for the frames of the culprit."""
    frames = [f for f in frames if len(f) >= 39 and f[7:39] == context and f[3:5] == u16(culprit)]
    if any(f[:7] == g[:7] and f != g for f in frames for g in frames):
        return True
    frames = [f for f in frames if f[:2] == bytes([1, code]) and f[2] > 1 and len(f) >= 71]
    return any(f[2] == g[2] and f[39:71] != g[39:71] for f in frames for g in frames)

def verify(view, session_id, parties, data):
    """The fault that evidence shows, or InOrder, Incomplete, OtherRun, TooLarge; `view` has the public parameters of the run."""
    reader, frames = Reader(stored.read(41, FAMILY, data)), []
    culprit, context = reader.number(2), reader.take(32)
    while reader.data:
        require(len(frames) < 1290, "TooLong")
        frames.append((reader.number(2), reader.take(reader.number(4))))
    run = Outsider(view, session_id, parties)
    if len(frames) > (len(parties) + 1) * 2 * len(run.protocol.limits):
        return "TooLarge"
    if context != run.context or culprit not in parties:
        return "OtherRun"
    if equivocation([f for i, f in frames if i == culprit], culprit, context, run.protocol.code):
        return "Equivocation"
    run.take(culprit, [(i, f) for i, f in frames if len(f) >= 39])
    r = max([n for n, i in run.broadcast if i == culprit] + [n for n, _ in run.direct], default=0)
    try:
        require(r, "Incomplete")
        for number in range(1, r):
            next_frames = [f for (n, i), f in run.broadcast.items() if (n, i) == (number + 1, culprit)]
            next_frames += [f for (n, _), f in run.direct.items() if n == number + 1]
            require(next_frames and all(f[39:71] == run.echo(number) for f in next_frames), "Incomplete")
        checks = {Keygen: keygen, Aux: aux_info}.get(type(view), presigning)
        checks(view, run, r, culprit, min((i for n, i in run.direct if n == r), default=None))
    except Refused as fault:
        return str(fault)
    return "InOrder"

def before(read, *arguments):
    """What is read of earlier rounds has to be in order."""
    try:
        return read(*arguments)
    except (Refused, Unattributed):
        raise Refused("Incomplete") from None

def confirmation(run, j, digest):
    require(exact(run.said(4, j), 32) == digest, "InvalidConfirmation")

def keygen(view, run, r, j, receiver):
    if r == 1:
        return exact(run.said(1, j), 32)
    if r == 2:
        view.reveal(j, run.said(1, j), run.said(2, j))
        return view.right_share(j, receiver, run.told(2, receiver))
    for i in run.parties:
        before(view.reveal, i, None, run.said(2, i))
    before(view.joint)
    if r == 3:
        return view.proof(j, run.said(3, j))
    for i in run.parties:
        before(exact, run.said(3, i), 65)
    confirmation(run, j, view.digest({i: run.said(3, i) for i in run.parties}))

def aux_info(view, run, r, j, receiver):
    if r == 1:
        return exact(run.said(1, j), 32)
    if r == 2:
        return view.prm(j, view.reveal(j, run.said(1, j), run.said(2, j)))
    view.reveals = {i: run.said(2, i) for i in run.parties}
    if r == 4:
        return confirmation(run, j, view.digest({i: run.said(3, i) for i in run.parties}))
    for i in run.parties:
        before(view.reveal, i, None, run.said(2, i))
    view.mod(j, run.said(3, j))
    view.fac(j, receiver, run.told(3, receiver))

def presigning(view, run, r, j, receiver):
    for i in run.parties if r > 1 else []:
        before(view.opening, i, run.said(1, i))
    for i in run.parties if r > 2 else []:
        before(view.gammas, i, run.said(2, i))
    if r > 2:
        view.nonces()
    if r == 1:
        view.opening(j, run.said(1, j))
        view.round_1(j, receiver, run.told(1, receiver))
    elif r == 2:
        view.gammas(j, run.said(2, j))
        products, proof = view.products(j, receiver, run.told(2, receiver))
        view.announced(j, receiver, products)
        first = before(exact, run.told(1, receiver), view.protocol.limits[0][1])
        view.round_2(j, receiver, products, proof, view.openings_of(first))
    elif r == 3:
        view.round_3(j, view.sums(j, run.said(3, j)))
    if r <= 3:
        return
    for i in run.parties:
        before(view.sums, i, run.said(3, i))
    wrong = view.wrong()
    if wrong:
        view.begin_alert(*wrong)
        if r == 4:
            return view.round_4(j, run.said(4, j))
        before(view.alert_message, j, run.said(4, j))
        return view.round_5(j, run.said(5, j))
    require(r == 4, "Incomplete")
    if view.code != SIGN:
        return exact(run.said(4, j), 0)
    _, _, request = (before(made) for made in (view.joint_nonces, view.nonzero, view.request))
    require(request.right(j, view.signature_share(run.said(4, j))), "InvalidSignatureShare")
