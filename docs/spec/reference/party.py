"""One party over stdin and stdout: `party.py SUITE PARTY [SEED]`. README.md, A party over pipes, has the protocol of lines."""

import os, sys

import frost, keys, reshare, stored
from frost_keygen import key_generation
from notation import ChaCha, Refused, require

def say(*words):
    print(*words, flush=True)

def numbers(word): return [int(x) for x in word.split(",")]
def shown(part): return "-" if part is None else part.hex() if isinstance(part, bytes) else part.container().hex()
def name(reason): return f"{reason[0]} {reason[1]}".replace(" ", "_")

class Party:
    """A party and its key. A line `word arguments` calls the method do_word."""

    def __init__(self, suite, me, seed=None):
        self.suite, self.me, self.public, self.share, self.session = frost.SUITES[int(suite)], int(me), None, None, None
        self.do_seed(seed or os.urandom(32).hex())

    def run(self):
        for line in sys.stdin:
            word, *arguments = line.split() or [""]
            command = getattr(self, "do_" + word.replace("-", "_"), None)
            try:
                require(command, "UnknownCommand")
                command(*arguments)
            except Refused as reason:
                say("refused", reason)

    def start(self, session):
        """Begins a session; its frames go out."""
        self.session = session
        self.show()

    def show(self):
        """The frames of the round that has begun, or the end."""
        if self.session.end is None:
            for to, frame in self.session.outgoing():
                say("out", to, frame.hex())
            return
        end, result, reason = self.session.end
        parts = list(result) if isinstance(result, tuple) else [result]
        for part in parts:
            self.public = part if isinstance(part, keys.PublicSide) else self.public
            self.share = part if isinstance(part, keys.Share) else self.share
        say(end, *([name(reason)] if reason else []), *map(shown, parts))

    def who(self): return self.me, self.generator

    def do_seed(self, seed):
        self.generator = ChaCha(bytes.fromhex(seed))

    def do_key(self, public, secret="-"):
        self.public = keys.read_public(self.suite, bytes.fromhex(public))
        s = None if secret == "-" else self.suite.group.scalar(bytes.fromhex(secret))
        self.share = s and self.public.share(self.me, s, keys.READY)
        require(s is None or s * self.suite.group.G == self.share.verifying, "Inconsistent")

    def do_in(self, sender, frame):
        require(self.session, "NoSession")
        fate = self.session.receive(int(sender), bytes.fromhex(frame))
        if fate.startswith("rejected"):
            say(fate)
        while self.session.step():
            self.show()

    def do_give_up(self):
        require(self.session and not self.session.end, "NoSession")
        self.session.give_up()
        self.show()

    def do_dkg(self, sid, parties, t):
        self.start(key_generation(self.suite, bytes.fromhex(sid), numbers(parties), int(t), *self.who()))

    def do_reshare(self, sid, dealers, t, committee):
        dealers, committee = numbers(dealers), numbers(committee)
        self.start(reshare.resharing(bytes.fromhex(sid), self.public, self.share, dealers, int(t), committee, *self.who()))

    def do_repair(self, sid, helpers, target):
        self.start(reshare.repair(bytes.fromhex(sid), self.public, self.share, numbers(helpers), int(target), *self.who()))

    def do_acknowledge(self, sid, parties):
        self.start(reshare.acknowledgement(bytes.fromhex(sid), self.public, self.share, numbers(parties), *self.who()))

    def do_exchange(self, sid):
        self.start(frost.share_exchange(bytes.fromhex(sid), self.public, self.package, self.z, *self.who()))

    def do_commit(self):
        self.nonces = frost.Nonces(self.suite, self.share, self.generator)
        say("out", 0, self.nonces.commitments().hex())

    def do_sign(self, package, seed=None):
        body, nonces = stored.read(5, self.suite, bytes.fromhex(package)), getattr(self, "nonces", None)
        self.package = frost.read_package(self.suite, body, seed and bytes.fromhex(seed))
        require(nonces, "NoNonces")
        self.z, self.nonces = frost.sign(self.public, self.share, nonces, self.package), None
        say("out", 0, frost.signature_share(self.package, self.me, self.z).hex())

if __name__ == "__main__":
    Party(*sys.argv[1:]).run()
