"""A file of ../vectors (../vectors.md): what it says, and the stored forms in it that nothing else here reads."""

import json
from functools import lru_cache
from pathlib import Path

import frost, stored
from ecdsa_keygen import AuxInfo
from ecdsa_sign import Presignature
from keys import ECDSA_P256, ECDSA_SECP256K1, Share, read_public
from notation import ChaCha, Reader
from paillier import LEVEL_CODE, PaillierKey, Setup, SetupKey

FOLDER = Path(__file__).parent.parent / "vectors"
FAMILIES = {suite.name: suite for suite in frost.SUITES.values()}
FAMILIES.update({family.group.name: family for family in (ECDSA_SECP256K1, ECDSA_P256)})

unhex = bytes.fromhex

def hexed(value):
    """A value as it is in JSON."""
    if isinstance(value, (list, tuple)):
        return [hexed(x) for x in value]
    if isinstance(value, dict):
        return {name: hexed(x) for name, x in value.items()}
    return value.hex() if isinstance(value, bytes) else value

def moduli(level):
    """What auxiliary information is stored under."""
    return stored.Name(f"moduli of {level} bits", 128 + LEVEL_CODE[level])

def read_share(family, data):
    """Kind 65."""
    body = Reader(stored.read(65, family, unhex(data)))
    party, package_id, state = body.number(2), body.take(68), body.number(1)
    return Share(family, party, package_id, state, body.point(family.group), body.scalar(family.group))

def read_aux(level, data):
    """Kind 35."""
    body, size, N, setup = Reader(stored.read(35, moduli(level), unhex(data))), level // 8, {}, {}
    _, confirmed, me, n = (body.number(k) for k in (1, 1, 2, 2))
    parties, rid = [body.number(2) for _ in range(n)], body.take(32)
    for j in parties:
        N[j] = body.number(size)
        setup[j] = Setup(*(body.number(size) for _ in range(3)))
    secret = Reader(body.take(body.number(4))[2 + size:])
    key = PaillierKey(secret.number(size // 2), secret.number(size // 2), level)
    return AuxInfo(level, parties, N, setup, rid, (me, key, None), confirmed == 1)

def read_presignature(public, data):
    """Kind 38."""
    body, group, k, chi = Reader(stored.read(38, public.family, unhex(data))), public.family.group, {}, {}
    signers = [body.number(2) for _ in range(body.number(2))]
    body.take(101)  # the key and the package id
    context, index, Gamma = body.take(32), body.number(4), body.point(group)
    for j in signers:
        k[j], chi[j] = body.point(group), body.point(group)
    return Presignature(public, signers, context, index, Gamma, k, chi)

class File:
    """A file, and what its ceremonies leave for later ones: batches of nonces by party, and presignatures by party and name."""

    def __init__(self, name):
        self.name, self.where = name, None
        self.data = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
        self.family = FAMILIES.get(self.data.get("suite") or self.data.get("curve"))
        self.level = self.data.get("level")
        self.ceremonies = {c["ceremony"]: c for c in self.data["ceremonies"]}
        self.honest = File(self.data["beside_file"]) if "beside_file" in self.data else self
        self.batches, self.presignatures = {}, {}
        self.same, self.skipped = 0, 0

    def compare(self, expected, found):
        """Compares values by their names."""
        for name, value in found.items():
            assert hexed(value) == expected[name], f"{self.name}: {self.where}: {name}: {str(hexed(value))[:150]}"
            self.same += 1

    @lru_cache(maxsize=None)
    def signer(self, party):
        """Public side, share and auxiliary information of a signer of ECDSA, from the files that have them."""
        key = File(self.data["key_file"]).ceremonies["key generation"]
        aux = File(self.data["auxiliary_information_file"]).ceremonies["auxiliary information"]
        own, info = (next(r["result"] for r in c["results"] if r["party"] == party) for c in (key, aux))
        public = read_public(self.family, unhex(key["public_result"]))
        return public, read_share(self.family, own["share"]), read_aux(self.level, info["auxiliary_information"])

    @lru_cache(maxsize=None)
    def secrets(self, p, q, safe_p, safe_q, setup_seed):
        """The keys of a player of auxiliary information."""
        setup = SetupKey(int(safe_p, 16), int(safe_q, 16), self.level, ChaCha(unhex(setup_seed)))
        return PaillierKey(int(p, 16), int(q, 16), self.level), setup

    def sigma(self, player):
        """The scalar in a signature share of FROST."""
        group = self.family.group
        return group.scalar(unhex(player["signature_share"])[-32 - group.S:-32])
