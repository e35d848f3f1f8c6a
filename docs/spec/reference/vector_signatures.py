"""What parties do outside of sessions in the vectors: nonces, and signatures (../vectors.md, A call)."""

from hashlib import sha256

import frost, stored
from ecdsa_sign import Request, aggregate, share_of
from keys import read_public
from notation import ChaCha, Refused
from vector_file import read_presignature, read_share, unhex

def der(signature):
    """r ‖ s in DER: a sequence of two integers."""
    numbers = [int.from_bytes(signature[at:at + 32], "big") for at in (0, 32)]
    parts = [x.to_bytes(x.bit_length() // 8 + 1, "big") for x in numbers]
    body = b"".join(b"\2" + bytes([len(part)]) + part for part in parts)
    return b"\x30" + bytes([len(body)]) + body

def verify_ecdsa(group, key, message, signature):
    r, s = group.scalar(signature[:32]), group.scalar(signature[32:64])
    w = pow(s, -1, group.q)
    return (group.wide(sha256(message).digest()) * w * group.G + r * w * key).x % group.q == r

# FROST
def nonces(file, c):
    """A batch of each signer."""
    for p in c["players"]:
        batch = file.batches[p["party"]] = frost.Batch(file.family, read_share(file.family, p["share"]))
        batch.make(p["pairs"], ChaCha(unhex(p["call_seed"])))
        sealed = stored.seal(135, file.family, unhex(p["seal_key"]), batch.content())
        file.compare(p, {"commitments": [pair.commitments() for pair in batch.pairs.values()], "published_nonces": batch.published(),
                         "nonce_ids": [pair.nonce_id() for pair in batch.pairs.values()], "batch": sealed})

def frost_signing(file, c):
    """Shares from the batches, and the signature; or whom a wrong share names."""
    suite, public = file.family, read_public(file.family, unhex(c["public"]))
    package = frost.read_package(suite, stored.read(5, suite, unhex(c["signing_package"])))
    if "error" in c:
        _, wrong = frost.aggregate(public, package, {p["party"]: file.sigma(p) for p in c["players"]})
        return named(file, c, wrong)
    z = {}
    for p in c["players"]:
        i, batch = p["party"], file.batches[p["party"]]
        pair = batch.claim(public, batch.share, package)
        z[i] = frost.sign(public, batch.share, pair, package)
        file.compare(p, {"spent_name": pair.nonce_id(), "spent_digest": package.digest(),
                         "signature_share": frost.signature_share(package, i, z[i])})
    signature, _ = frost.aggregate(public, package, z)
    file.compare(c, {"signing_package": package.container(), "signing_package_digest": package.digest(), "signature": signature})
    for check in c["checks"]:
        valid = frost.verify(suite, public.key, unhex(check["message"]), signature)
        file.compare(check, {"key": public.key.enc(), "valid": valid})

def named(file, c, wrong):
    """Compares the parties that putting shares together names."""
    file.compare(c, {"error": "Cheaters", "culprits": wrong})
    for p in c["players"]:
        file.compare(p, {"valid": p["party"] not in wrong})

# ECDSA
def ecdsa_signing(file, c):
    """Shares from presignatures, and the signature; or whom a wrong share names."""
    public, e, h = read_public(file.family, unhex(c["public"])), int(c.get("tweak", "0"), 16), sha256(unhex(c["message"])).digest()
    key, known = public.key + e * file.family.group.G, read_presignature(public, c["presignature_public"])
    file.compare(c, {"presignature_public": stored.write(38, file.family, known.public_body()), "digest": h})
    shares = [(p["party"], unhex(p["signature_share"])) for p in c["players"]]
    if "error" in c:
        wrong = [p["party"] for p in c["players"] if not p["valid"]]
        found = refusal(Request(known, e, key, h), shares)
        assert found == f"Cheaters {dict.fromkeys(wrong, 'Equation')}", found
        return named(file, c, wrong)
    for p in c["players"]:
        request = Request(file.presignatures[p["party"], p["presignature"]], e, key, h)
        name, digest = request.record()
        share = share_of(request, file.signer(p["party"])[1], lambda *record: True)
        file.compare(p, {"spent_name": name, "spent_digest": digest, "signature_share": share})
    signature = aggregate(Request(known, e, key, h), shares)
    file.compare(c, {"signature": signature[:64], "recoverable": signature, "der": der(signature)})
    for check in c["checks"]:
        valid = verify_ecdsa(file.family.group, key, unhex(check["message"]), signature)
        file.compare(check, {"key": key.enc(), "valid": valid})

def refusal(request, shares):
    """Why shares give no signature."""
    try:
        aggregate(request, shares)
    except Refused as error:
        return str(error)
    return "none"
