"""Sessions (session.md): context, frames, checks of a received frame, echo, blame, ends; streams (determinism.md).

A protocol is a generator function. It yields the Send of each round and is given the Received of that round; it returns its result, or
raises Blame, Unattributed or Unfinished. These three may carry a result, which then is unconfirmed."""

import stored
from notation import ChaCha, Refused, T, T32, T64, require, u16, u32

class Ended(Exception):
    """A protocol ends without a confirmed result."""

    def __init__(self, reason, result=None):
        self.reason, self.result = reason, result

def Blame(faults, result=None): return Ended(("Misbehaviour", dict(sorted(faults.items()))), result)
def Unattributed(name, result=None): return Ended(("Unattributed", name), result)
def Unfinished(result=None): return Ended(("Missing", []), result)

class Send:
    """The messages of a party in a round, as bodies; `direct` is {recipient: body}."""

    def __init__(self, broadcast=None, direct=None, checkpoint=b""):
        self.broadcast, self.direct, self.checkpoint = broadcast, direct or {}, checkpoint

class Received:
    """The bodies of a round by sender; the own broadcast is among `broadcast`. `senders` are the peers that sent everything."""

    def __init__(self, broadcast, direct, senders, complete):
        self.broadcast, self.direct, self.senders, self.complete = broadcast, direct, senders, complete

    def judge(self, check):
        """Makes a check that concerns one sender for all senders: {sender: its value} and {culprit: fault}."""
        values, faults = {}, {}
        for sender in self.senders:
            try:
                values[sender] = check(sender)
            except Refused as fault:
                faults[sender] = str(fault)
        return values, faults

    def settle(self, faults, result=None):
        """Blames the culprits; if there are none, what follows needs the messages of all."""
        if faults:
            raise Blame(faults, result)
        self.whole(result)

    def whole(self, result=None):
        if not self.complete:
            raise Unfinished(result)

    def demand(self, check, result=None):
        """`judge` and `settle`: the values of a check that holds for all parties."""
        values, faults = self.judge(check)
        self.settle(faults, result)
        return values

class Protocol:
    """Name, code, and for each round the limits (broadcast, direct)."""

    def __init__(self, name, code, *limits):
        self.name, self.code, self.limits = name, code, limits

class Session:
    """A run of one party. `bound` are the items after `parties`, `generator` gives `fresh`, `steps(session)` is the protocol."""

    def __init__(self, protocol, session_id, parties, bound, me, generator, hedge, steps):
        require(len(parties) >= 2, "TooFewParties")
        require(len(set(parties)) == len(parties) and 0 not in parties, "ZeroParty" if 0 in parties else "DuplicateParty")
        self.protocol, self.session_id, self.me = protocol, session_id, me
        self.parties, self.peers = sorted(parties), [p for p in sorted(parties) if p != me]
        items = self.items = [("session id", session_id), ("parties", list(map(u16, self.parties))), *bound]
        self.context = T32("session", ("protocol", protocol.name), ("code", protocol.code), ("version", 1), *items)
        self.prefix = b"".join(T64("item of a binding", item)[:4] for item in items).ljust(32, b"\0")
        self.seed = T32("seed", ("context", self.context), ("party", me), ("fresh", generator.bytes(32)), ("hedge", list(hedge)))
        self.round, self.completed, self.received, self.echo = 1, 0, bytes(32), b""
        self.frames, self.conflicts, self.log, self.rejected, self.end = {}, {}, [], {}, None
        self.steps = steps(self)
        self.sent = [next(self.steps)]

    def R(self, domain, *items):
        """R(domain; items) (notation.md, Hashes)."""
        return T(domain, ("context", self.context), *items)

    def stream_key(self, purpose, peer=0):
        """The key of stream(c, purpose, peer) (determinism.md, Streams)."""
        return T32("randomness", ("context", self.context), ("seed", self.seed), ("rounds completed", self.completed),
                   ("received", self.received), ("purpose", purpose), ("peer", peer))

    def stream(self, purpose, peer=0): return ChaCha(self.stream_key(purpose, peer))

    # Frames
    def start(self, number):
        """Where the body of a frame of this round begins."""
        return 71 if number == 1 or self.protocol.limits[number - 2][0] else 39

    def outgoing(self):
        """(recipient, frame) of the current round: the broadcast, then direct messages."""
        send, extra = self.sent[-1], self.prefix if self.round == 1 else self.echo
        bodies = [(0, send.broadcast)] if send.broadcast is not None else []
        head = lambda j: bytes([1, self.protocol.code, self.round]) + u16(self.me) + u16(j) + self.context
        return [(j, (head(j) + extra)[:self.start(self.round)] + body) for j, body in bodies + sorted(send.direct.items())]

    # Receiving a frame
    def receive(self, sender, frame):
        """The fate of a frame. A rejected one changes nothing but the count."""
        try:
            place = self.check(sender, frame)
        except Refused as reason:
            if sender in self.peers:
                self.rejected[sender] = (self.rejected.get(sender, (0,))[0] + 1, str(reason))
            return f"rejected {reason}"
        if place not in self.frames:
            self.frames[place], fate = frame, "accepted" if place[0] == self.round else "early"
        elif self.frames[place] == frame or place in self.conflicts:
            return "duplicate" if self.frames[place] == frame else "conflicting"
        else:
            self.conflicts[place], fate = frame, "conflicting"
        self.log.append(b"\1" + u16(sender) + u32(len(frame)) + frame)
        return fate

    def check(self, sender, frame):
        """The checks of a received frame, in their order; the place of a frame that passes."""
        require(sender in self.peers, "UnknownSender")
        require(len(frame) >= 39 and frame[3:5] != b"\0\0", "BadFrame")
        require(frame[0] == 1, "OtherVersion")
        require(frame[1] == self.protocol.code, "OtherProtocol")
        number, recipient = frame[2], int.from_bytes(frame[5:7], "big")
        if frame[7:39] != self.context:
            same = [frame[39 + 4 * k:43 + 4 * k] == self.prefix[4 * k:4 * k + 4] for k in range(len(self.items))]
            other = number == 1 and not all(same) and same[0]
            raise Refused(f"OtherParameters {self.items[same.index(False)][0]}" if other else "OtherSession")
        require(frame[3:5] == u16(sender), "OtherSender")
        require(recipient in (0, self.me), "OtherRecipient")
        known = 1 <= number <= len(self.protocol.limits)
        start = self.start(number) if known else 39
        require(len(frame) >= start, "BadFrame")
        require(number != 1 or frame[39:71] == self.prefix, "BadFrame")
        limit = known and number <= self.round + 1 and self.protocol.limits[number - 1][recipient != 0]
        require(limit, "BadFrame")
        require(len(frame) - start <= limit, "Oversized")
        return number, sender, recipient != 0

    # Completing a round
    def places(self):
        """The places of the peers in the current round, by sender, the broadcast first."""
        limits = self.protocol.limits[self.round - 1]
        return [(self.round, j, direct) for j in self.peers for direct in (False, True) if limits[direct]]

    def missing(self): return sorted({place[1] for place in self.places() if place not in self.frames})

    def confusion(self):
        """Steps 1 and 3 on the frames that are there: equivocation, then other echoes, or None."""
        culprits = {sender for number, sender, _ in self.conflicts if number <= self.round}
        echoes = {}
        if not culprits and self.round > 1 and self.start(self.round) == 71:
            echoes = {place: self.frames[place][39:71] for place in self.places() if place in self.frames}
            culprits = {j for j in self.peers if len({echo for place, echo in echoes.items() if place[1] == j}) > 1}
        if culprits:
            return Blame({j: "Equivocation" for j in culprits})
        return Unattributed("EchoMismatch") if set(echoes.values()) - {self.echo} else None

    def step(self):
        """Completes the current round if its messages are there, or ends the run; whether anything happened."""
        if self.end or (self.missing() and not any(place[0] <= self.round for place in self.conflicts)):
            return False
        reason = self.confusion()
        if not reason:
            self.enter_state()
        self.resume(not reason, reason)
        return True

    def bodies(self, direct):
        """The bodies of the current round by sender; of broadcasts the own one too."""
        start, own = self.start(self.round), {self.me: self.sent[-1].broadcast} if self.sent[-1].broadcast is not None else {}
        bodies = {place[1]: self.frames[place][start:] for place in self.places() if place[2] == direct and place in self.frames}
        return bodies if direct else {**own, **bodies}

    def enter_state(self):
        """Step 4: `received` of the round, and the echo that the next round carries."""
        frames, start = [self.frames[place] for place in self.places()], self.start(self.round)
        headers, bodies = [frame[:start] for frame in frames], [T64("body", ("bytes", frame[start:])) for frame in frames]
        self.received = T32("received", ("before", self.received), ("headers", headers), ("bodies", bodies))
        if self.protocol.limits[self.round - 1][0]:
            digests = [T64("body", ("bytes", body)) for _, body in sorted(self.bodies(False).items())]
            self.echo = T32("echo", ("context", self.context), ("round", self.round), ("broadcasts", digests))
        self.completed, self.log = self.round, self.log + [b"\0"]

    def resume(self, complete, reason=None):
        """Steps 5 and 6. If the round is not complete, the protocol makes only the checks of single senders; a reason stands."""
        missing = self.missing()
        senders = [j for j in self.peers if j not in missing]
        try:
            self.sent.append(self.steps.send(Received(self.bodies(False), self.bodies(True), senders, complete)))
            self.round += 1
        except StopIteration as done:
            self.end = ("done", done.value, None)
        except Refused as defect:
            self.end = ("stopped", None, ("Unattributed", str(defect)))
        except Ended as ended:
            kind, why = "stopped" if ended.result is None else "unconfirmed", (reason or ended).reason
            if why[0] == "Misbehaviour" and self.me in why[1]:
                why = "Unattributed", "Internal"
            self.end = (kind, ended.result, ("Missing", missing) if why[0] == "Missing" else why)

    def give_up(self):
        """Giving up: what has arrived is judged first."""
        if not self.confusion() and not self.missing():
            self.step()
            kind, result, why = self.end or ("stopped", None, ("Missing", []))
            self.end = ("unconfirmed", result, ("Missing", [])) if kind == "done" else (kind, result, why)
        elif not self.end:
            self.resume(False, self.confusion())

    def seal(self, key):
        """The sealed session (stored.md, Sessions)."""
        content = self.seed + self.session_id + u16(len(self.parties)) + b"".join(map(u16, self.parties)) + bytes([len(self.sent)])
        for send in self.sent:
            content += b"\0" if send.broadcast is None else b"\1" + u32(len(send.broadcast)) + send.broadcast
            content += u16(len(send.direct)) + b"".join(u16(j) + u32(len(m)) + m for j, m in sorted(send.direct.items()))
            content += u32(len(send.checkpoint)) + send.checkpoint
        clear = self.context + u16(self.me) + u32(len(self.log))
        return stored.seal(226, stored.Name("quorate-session", self.protocol.code), key, content + b"".join(self.log), clear=clear)

def run_all(sessions, look=lambda running: None, alter=lambda place, frame, sent: frame):
    """Plays all parties against each other, by ascending sender, until nothing moves: {(round, sender, recipient): frame}. `look` sees the
    sessions before each round, and `alter` changes a frame on its way."""
    frames, moved = {}, True
    while moved:
        running = [s for _, s in sorted(sessions.items()) if not s.end]
        look(running)
        sent = {(s.round, s.me, to): frame for s in running for to, frame in s.outgoing()}
        for (number, i, to), frame in sent.items():
            frames[number, i, to] = alter((number, i, to), frame, sent)
            for s in running:
                if s.me != i and to in (0, s.me):
                    s.receive(i, frames[number, i, to])
        moved = any([s.step() for s in running])
    return frames
