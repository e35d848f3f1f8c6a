"""One party of threshold ECDSA over stdin and stdout: `ecdsa_party.py 36|37 PARTY [SEED]`; the lines are those of party.py, and these."""

import os
import sys

import ecdsa_evidence
from ecdsa_keygen import AuxInfo, aux_info, keygen
from ecdsa_presign import MANY, ONE, SIGN, presigning
from ecdsa_sign import Presignature, Request, aggregate, share_of
from keys import ECDSA_P256, ECDSA_SECP256K1
from notation import ChaCha
from paillier import PaillierKey, SetupKey, make_secrets
from party import Party, numbers, say

class EcdsaParty(Party):
    """A party with its secrets, auxiliary information and presignatures. Strings are in hexadecimal."""

    def __init__(self, code, me, seed=None):
        self.suite, self.me = {36: ECDSA_P256, 37: ECDSA_SECP256K1}[int(code)], int(me)
        self.public = self.share = self.session = self.aux = None
        self.claims, self.presignatures = {}, ()
        self.do_seed(seed or os.urandom(32).hex())

    def show(self):
        super().show()
        result = self.session.end and self.session.end[1]
        self.aux = result if isinstance(result, AuxInfo) else self.aux
        if isinstance(result, tuple) and isinstance(result[0], Presignature):
            self.presignatures = result

    def do_primes(self, level, p, q, safe_p, safe_q, seed):
        """Secrets of given primes; `seed` draws s and t."""
        p, q, safe_p, safe_q = (int(x, 16) for x in (p, q, safe_p, safe_q))
        self.secrets = PaillierKey(p, q, int(level)), SetupKey(safe_p, safe_q, int(level), ChaCha(bytes.fromhex(seed)))

    def do_search(self, level):
        self.secrets = make_secrets(self.generator, int(level))

    def do_keygen(self, sid, parties, t):
        self.start(keygen(self.suite, bytes.fromhex(sid), numbers(parties), int(t), self.me, self.generator))

    def do_aux(self, sid, parties, level):
        self.start(aux_info(bytes.fromhex(sid), numbers(parties), int(level), *self.secrets, self.me, self.generator))

    def presign(self, sid, signers, *more):
        self.start(presigning(bytes.fromhex(sid), self.public, self.share, self.aux, numbers(signers), self.generator, *more))

    def do_presign(self, sid, signers):
        self.presign(sid, signers, ONE)

    def do_presign_many(self, sid, signers, k):
        self.presign(sid, signers, MANY, int(k))

    def do_sign(self, sid, signers, digest):
        self.presign(sid, signers, SIGN, 1, bytes.fromhex(digest))

    def request(self, index, digest): return Request(self.presignatures[int(index)], 0, self.public.key, bytes.fromhex(digest))

    def do_share(self, index, digest):
        claim = lambda name, record: self.claims.setdefault(name, record) == record
        say("out", 0, share_of(self.request(index, digest), self.share, claim).hex())

    def do_aggregate(self, index, digest, *shares):
        """Each share is SENDER:CONTAINER."""
        pairs = [share.split(":") for share in shares]
        say("done", aggregate(self.request(index, digest), [(int(i), bytes.fromhex(share)) for i, share in pairs]).hex())

    def do_evidence(self, culprit):
        say("evidence", ecdsa_evidence.collect(self.session, int(culprit)).hex())

if __name__ == "__main__":
    EcdsaParty(*sys.argv[1:]).run()
