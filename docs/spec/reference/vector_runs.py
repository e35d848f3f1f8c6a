"""Runs of the vectors: all parties from `fresh`, or honest parties against one that cheats (../vectors.md, A session)."""

from hashlib import sha256

import ecdsa_evidence, frost, reshare, stored
from ecdsa_keygen import Aux, Keygen, aux_info, keygen
from ecdsa_presign import Presign, presigning
from frost_keygen import key_generation
from keys import read_public
from notation import ChaCha, Reader, u16
from vector_file import moduli, read_share, unhex
from vector_signatures import der

class Player:
    """A player of a ceremony. A method starts its session, and says what a third party looks at its evidence with, or None."""

    def __init__(self, file, c, p):
        self.file, self.c, self.p, self.family = file, c, p, file.family
        self.sid, self.parties, self.me = unhex(c["session_id"]), c["parties"], p["party"]
        self.bound = {item["label"]: value for item in c["bound"] for name, value in item.items() if name != "label"}
        self.generator = ChaCha(b"")
        self.generator.buffer = unhex(p["fresh"])

    def key_generation(self):
        return key_generation(self.family, self.sid, self.parties, self.bound["threshold"], self.me, self.generator), None

    def share_exchange(self):
        package = frost.read_package(self.family, stored.read(5, self.family, unhex(self.c["common"]["signing_package"])))
        return frost.share_exchange(self.sid, self.public(), package, self.file.sigma(self.p), self.me, self.generator), None

    def keygen(self):
        t = self.bound["threshold"]
        return keygen(self.family, self.sid, self.parties, t, self.me, self.generator), lambda: Keygen(self.family, t)

    def aux_info(self):
        level, secrets = self.file.level, [self.p[name] for name in ("p", "q", "safe_p", "safe_q", "setup_seed")]
        return aux_info(self.sid, self.parties, level, *self.file.secrets(*secrets), self.me, self.generator), lambda: Aux(level)

    def presigning(self):
        public, share, aux = self.file.signer(self.me)
        what = self.c["code"], int(self.bound.get("presignatures", "1"), 16), unhex(self.bound.get("digest", ""))
        session = presigning(self.sid, public, share, aux, self.parties, self.generator, *what)
        return session, lambda: Presign(public, aux, self.parties, *what)

    def resharing(self):
        dealers, to = [int(x, 16) for x in self.bound["dealers"]], Reader(unhex(self.bound["new committee"]))
        t, committee = to.number(2), [to.number(2) for _ in range(to.number(2))]
        return reshare.resharing(self.sid, self.public(), self.share(), dealers, t, committee, self.me, self.generator), None

    def repair(self):
        target = self.bound["target"]
        helpers = [i for i in self.parties if i != target]
        return reshare.repair(self.sid, self.public(), self.share(), helpers, target, self.me, self.generator), None

    def public(self): return read_public(self.family, unhex(self.c["common"]["public"]))
    def share(self): return self.p["share"] and read_share(self.family, self.p["share"])

STARTS = {1: Player.key_generation, 2: Player.share_exchange, 16: Player.keygen, 17: Player.aux_info, 18: Player.presigning,
          19: Player.presigning, 20: Player.presigning, 32: Player.resharing, 33: Player.repair}

def start(file, c, p): return STARTS[c["code"]](Player(file, c, p))

def frames_of(file, c):
    """The frames of a ceremony by place: round, sender, recipient. Those of a cheat are beside those of the honest run."""
    if c["kind"] == "session":
        return {(r["round"], f["from"], f["to"]): [f] for r in c["rounds"] for f in r["frames"]}
    honest, altered = file.honest.ceremonies[c["beside"]], {}
    base = frames_of(file.honest, honest)
    if not all("bytes" in f for held in base.values() for f in held):
        session(file.honest, honest)  # this fills them in
    for f in c["frames"]:
        place = f["round"], f["from"], f["to"]
        if "splices" in f:
            f["bytes"] = spliced(base[place][0]["bytes"], f["splices"])
        altered.setdefault(place, []).append(f)
    return {**base, **altered}

def spliced(digits, splices):
    """The frame that differs by these splices. Two digits are a byte."""
    for s in reversed(splices):
        digits = digits[:2 * s["at"]] + s["insert"] + digits[2 * (s["at"] + s["remove"]):]
    return digits

def play(file, sessions, frames, after=None):
    """Plays the sessions to their ends; the frames of parties without one are the given ones. `after` looks at each after a round."""
    running = list(sessions.values())
    while running:
        number = max(s.round for s in running)
        sent = {(i, to): [(f.get("only_to"), unhex(f["bytes"])) for f in held if "bytes" in f]
                for (r, i, to), held in frames.items() if r == number and i not in sessions}
        for s in running:
            for to, frame in s.outgoing():
                f = frames[number, s.me, to][0]
                file.compare(f, {"bytes": frame} if "bytes" in f else hashed(frame))
                f["bytes"], sent[s.me, to] = frame.hex(), [(None, frame)]
        for s in running:
            deliver(s, sent)
        moved = any([s.step() for s in running])
        for s in running if after else []:
            after(s, number)
        running = [s for s in running if not s.end] if moved else []
    for s in sessions.values():
        if not s.end:
            s.give_up()

def hashed(data): return {"length": len(data), "sha256": sha256(data).digest()}

def deliver(s, sent):
    """Hands a party the frames of the others. What it alone received stands for what all others received at that place."""
    for (i, to), held in sorted(sent.items()):
        if i != s.me and to in (0, s.me):
            alone = [frame for only, frame in held if only == s.me]
            for frame in alone or [frame for only, frame in held if only is None]:
                s.receive(i, frame)

def session(file, c):
    """All parties from `fresh`."""
    sessions = {p["party"]: start(file, c, p)[0] for p in c["players"]}
    for p in c["players"]:
        s = sessions[p["party"]]
        file.compare(c, {"context": s.context, "prefix": s.prefix})
        file.compare(p, {"seed": s.seed})
    def after(s, number):
        entry = c["rounds"][number - 1]
        file.compare(next(r for r in entry["received"] if r["party"] == s.me), {"digest": s.received})
        if entry["echo"] is not None:
            file.compare(entry, {"echo": s.echo})
    play(file, sessions, frames_of(file, c), after)
    sent = sum((send.broadcast is not None) + len(send.direct) for s in sessions.values() for send in s.sent)
    assert sent == sum(len(r["frames"]) for r in c["rounds"]) and len(sessions) == len(c["results"])
    for r in c["results"]:
        s = sessions[r["party"]]
        tombstone = stored.write(226, stored.Name("quorate-session", c["code"]), s.context + u16(s.me) + b"\xff" * 4)
        file.compare(r, {"end": s.end[0], "tombstone": tombstone})
        public, own = shown(file, c["code"], s.end[1])
        file.compare(c, {"public_result": public})
        file.compare(r["result"], own)
        assert set(own) == set(r["result"])

def shown(file, code, result):
    """The public part of a result, and a party's own."""
    if code in (1, 16, 32):
        public, share = result
        return public.container(), {"share": share and share.container()}
    if code == 17:
        public = stored.write(40, moduli(file.level), result.body())
        return public, {"auxiliary_information": result.container(), "digest": result.digest()}
    if code == 33:
        return None, {"share": result.container()} if result else {}
    if code == 2:
        return None, {"signature": result}
    if code == 19:
        return None, {"signature": result[:64], "recoverable": result, "der": der(result)}
    file.presignatures.update({(p.party, p.name.hex()): p for p in result})
    made = [{"presignature": p.container(), "name": p.short_name, "digest": p.digest} for p in result]
    return None, made[0] if code == 18 else {"presignatures": made}

# Parties that cheat
def cheat(file, c):
    """The honest parties against the frames of the culprit, their ends, and the verdict on their evidence."""
    honest, frames = file.honest.ceremonies[c["beside"]], frames_of(file, c)
    culprits = [f for (_, i, _), held in frames.items() if i in c["culprits"] for f in held]
    if not all("absent" in f or "bytes" in f for f in culprits):
        file.skipped += 1
        return
    started = {p["party"]: start(file.honest, honest, p) for p in honest["players"] if p["party"] not in c["culprits"]}
    play(file, {i: s for i, (s, _) in started.items()}, frames)
    assert {r["party"] for r in c["results"]} == set(started)
    for r in c["results"]:
        file.compare(r, end_of(started[r["party"]][0]))
    if "equivocators" in c:
        file.compare(c, {"equivocators": equivocators(c["evidence"], frames)})
    elif 16 <= honest["code"] < 32:
        for e in c["evidence"]:
            file.compare(e, evidence(*started[e["by"]], e))

def end_of(s):
    """The end of a session without a result that counts."""
    kind, _, (reason, what) = s.end
    if reason == "Misbehaviour":
        return {"end": kind, "reason": reason, "blames": [{"party": i, "round": s.round, "fault": fault} for i, fault in what.items()]}
    return {"end": kind, "reason": reason, "round": s.round, "check" if reason == "Unattributed" else "parties": what}

def evidence(s, view, e):
    """The evidence of a party as it is stored, and the verdict of a third party."""
    data = ecdsa_evidence.collect(s, e["against"])
    verdict = ecdsa_evidence.verify(view(), s.session_id, s.parties, data)
    form = {"stored": data} if "stored" in e else {"stored_length": len(data), "stored_sha256": sha256(data).digest()}
    return {"verdict": None if verdict == "InOrder" else verdict, **form}

def equivocators(given, frames):
    """The senders of two frames for one place in the evidence of all."""
    said = {}
    for e in given:
        for number, i, to, copy in e["frames"]:
            said.setdefault((number, i, to), set()).add(frames[number, i, to][copy]["bytes"])
    return sorted({i for (_, i, _), held in said.items() if len(held) > 1})
