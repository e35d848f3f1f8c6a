"""Presignatures, re-randomisation, shares and signatures (ecdsa-presign.md, from A presignature on)."""

import stored
from keys import UNCONFIRMED
from notation import Reader, Refused, T32, T64, require, u16, u32
from session import Unattributed

class Presignature:
    """The public side; `k` and `chi` are {signer: Δ̃} and {signer: S̃}."""

    def __init__(self, public, signers, context, index, Gamma, k, chi):
        self.family, self.group, self.key, self.package_id = public.family, public.family.group, public.key, public.package_id()
        self.signers, self.run, self.index, self.Gamma, self.k, self.chi = signers, context, index, Gamma, k, chi
        self.name = context + u32(index)
        self.short_name = T32("quorate-cggmp presignature name", ("context", context), ("index", index))
        self.digest = T32(
            "quorate-cggmp presignature", ("family", self.family.name), ("name", self.short_name), ("signers", [u16(j) for j in signers]),
            ("key", self.key.enc()), ("epoch", public.epoch), ("package", self.package_id[36:]), ("nonce", Gamma.enc()),
            ("k", [k[j].enc() for j in signers]), ("chi", [chi[j].enc() for j in signers]))

    def public_body(self):
        """The body of kind 38."""
        head = u16(len(self.signers)) + b"".join(map(u16, self.signers)) + self.key.enc() + self.package_id + self.name + self.Gamma.enc()
        return head + b"".join(self.k[j].enc() + self.chi[j].enc() for j in self.signers)

    def part(self, party, secret_k, secret_chi):
        """Makes it the signer's own, with the checks of its parts."""
        q, G, Gamma = self.group.q, self.group.G, self.Gamma
        sums = self.group.sum(self.k.values()) == G and self.group.sum(self.chi.values()) == self.key
        if not (sums and secret_k * Gamma == self.k[party] and secret_chi * Gamma == self.chi[party]):
            raise Unattributed("ResultMismatch")
        self.party, self.secret_k, self.secret_chi = party, secret_k % q, secret_chi % q
        return self

    def body(self):
        """The body of kind 36; `results` is the digest of the results of the run."""
        return u16(self.party) + self.public_body() + self.results + self.group.enc(self.secret_k) + self.group.enc(self.secret_chi)

    def container(self): return stored.write(36, self.family, self.body())

class Request:
    """A presignature, the tweak e, the key X′ and the digest h: what a share is for (Re-randomisation)."""

    def __init__(self, presignature, e, key, h):
        self.presignature, self.group, self.e, self.key, self.h = presignature, presignature.group, e % presignature.group.q, key, h
        self.items = [("curve", self.group.name), ("name", presignature.short_name), ("presignature", presignature.digest),
                      ("tweak", self.group.enc(e)), ("key", key.enc()), ("message", h)]
        self.rho = self.group.wide(T64("quorate-cggmp re-randomisation", *self.items))
        self.Gamma = self.rho * presignature.Gamma
        require(not self.Gamma.is_neutral(), "NoNonce")
        self.r, self.number = self.Gamma.x % self.group.q, self.group.wide(h)
        require(self.r, "NoNonce")

    def record(self):
        """What may be signed once: a name and a digest."""
        return self.presignature.short_name, T32("quorate-cggmp claim", *self.items)

    def share(self, own):
        """σ_i."""
        q = self.group.q
        return ((self.number + self.r * self.e) * own.secret_k + self.r * own.secret_chi) * pow(self.rho, -1, q) % q

    def right(self, j, sigma):
        """The equation of a share."""
        p = self.presignature
        return sigma * self.Gamma == (self.number + self.r * self.e) * p.k[j] + self.r * p.chi[j]

    def signature(self, shares):
        """r ‖ s ‖ recovery id, or None if the sum of the shares is no signature."""
        q, s = self.group.q, sum(shares) % self.group.q
        if s == 0:
            return None
        inverse = pow(s, -1, q)
        if self.number * inverse * self.group.G + self.r * inverse * self.key != self.Gamma:
            return None
        recovery = (self.Gamma.y & 1) ^ (2 * s > q) | (self.Gamma.x >= q) << 1
        return self.group.enc(self.r) + self.group.enc(min(s, q - s)) + bytes([recovery])

def share_of(request, share, claim):
    """A share (kind 37). `claim(name, digest)` stores the record and says whether it is there with this digest."""
    p = request.presignature
    require(p.party == share.party, "OtherParty")
    require(share.state != UNCONFIRMED, "Unconfirmed")
    require(p.package_id == share.package_id, "Mismatch")
    require(request.number, "ZeroDigest")
    require(claim(*request.record()), "Spent")
    body = u16(p.party) + p.name + p.digest + request.key.enc() + request.h + p.group.enc(request.share(p))
    return stored.write(37, p.family, body)

def read_share(request, sender, data):
    """The checks of a share that needs no others."""
    p = request.presignature
    require(sender in p.signers, "Unexpected")
    try:
        body = stored.read(37, p.family, data)
    except Refused as error:
        raise Refused("Malformed" if str(error) in ("Truncated", "TrailingBytes", "Damaged") else "OtherFormat") from None
    reader = Reader(body, "Malformed", "Malformed")
    require(reader.number(2) == sender, "Malformed")
    named, sigma = [reader.take(k) for k in (36, 32, 33, 32)], reader.number(32)
    reader.end()
    require(int.from_bytes(named[0][32:], "big") < 1024 and sigma < p.group.q, "Malformed")
    for value, expected, error in zip(named, (p.name, p.digest, request.key.enc(), request.h),
                                      ("OtherPresignature", "OtherPoints", "OtherKey", "OtherMessage")):
        require(value == expected, error)
    return sigma

def aggregate(request, messages):
    """Putting shares together: `messages` are (sender, container); a signature, or Refused with the result and whom it names."""
    p, kept, faults, mismatches = request.presignature, [], {}, {}
    for sender, data in messages:
        try:
            share = sender, read_share(request, sender, data)
            kept += [share] if share not in kept and sum(i == sender for i, _ in kept) < 2 else []
        except Refused as error:
            require(str(error) != "Unexpected", "Unexpected")
            (faults if str(error) == "Malformed" else mismatches).setdefault(sender, str(error))
    complete = len(kept) == len(p.signers)
    signature = request.signature(sigma for _, sigma in kept) if complete and not faults else None
    if signature:
        return signature
    require(request.key == p.key + request.e * p.group.G, "NotAChild")
    faults = {**{j: "Equation" for j, sigma in kept if not request.right(j, sigma)}, **faults}
    require(not faults, f"Cheaters {dict(sorted(faults.items()))}")
    require(not mismatches, f"Mismatch {dict(sorted(mismatches.items()))}")
    require(complete, "Missing")
    raise Refused("Inconsistent")
