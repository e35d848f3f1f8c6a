"""Containers, sealing and sets (stored.md)."""

import struct

from notation import T32, T64, chacha_block, chacha_rounds, chacha_state, require, u32

class Name:
    """What a container is under: a family with its code, and a group (None: no curve)."""

    def __init__(self, name, code, group=None):
        self.name, self.code, self.group = name, code, group
        self.curve_name, self.curve_code = (group.name, group.code) if group else ("no curve", 0)
        self.names = ("curve", self.curve_name), ("family", name)

def write(kind, family, body, version=1):
    """The container of a body."""
    data = b"QRTE" + bytes([version, kind, family.curve_code, family.code]) + u32(len(body)) + body
    return data + T32("quorate stored form", *family.names, ("bytes", data))

def read(kind, family, data, newest=1):
    """The body of a container; checks in the order of the text."""
    require(data[:4] == b"QRTE"[:len(data)], "NotAContainer")
    require(len(data) >= 12, "Truncated")
    require(data[5] == kind, "WrongKind")
    require(1 <= data[4] <= newest, "OlderVersion" if data[4] < 1 else "NewerVersion")
    require((data[6], data[7]) == (family.curve_code, family.code), "WrongCurve" if data[6] != family.curve_code else "WrongFamily")
    length = 12 + int.from_bytes(data[8:12], "big") + 32
    require(len(data) == length, "Truncated" if len(data) < length else "TrailingBytes")
    require(data == write(kind, family, data[12:-32], data[4]), "Damaged")
    return data[12:-32]

# Sealing
def poly1305(key, data):
    """Poly1305 (RFC 8439, 2.5)."""
    r, s, total = int.from_bytes(key[:16], "little") & 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF, int.from_bytes(key[16:], "little"), 0
    for i in range(0, len(data), 16):
        total = (total + int.from_bytes(data[i:i + 16] + b"\1", "little")) * r % (2**130 - 5)
    return ((total + s) % 2**128).to_bytes(16, "little")

def xchacha20_poly1305(key, nonce, plaintext, associated):
    """ciphertext ‖ tag: HChaCha20 of the first 16 bytes of the nonce, then RFC 8439, 2.8, with the last 8."""
    words = chacha_rounds(chacha_state(key, nonce[:16]))
    subkey = struct.pack("<8I", *words[:4], *words[12:])
    blocks = [chacha_block(subkey, struct.pack("<II", i, 0) + nonce[16:]) for i in range(len(plaintext) // 64 + 2)]
    ciphertext = bytes(a ^ b for a, b in zip(plaintext, b"".join(blocks[1:])))
    padded = b"".join(x + bytes(-len(x) % 16) for x in (associated, ciphertext))
    return ciphertext + poly1305(blocks[0][:32], padded + struct.pack("<QQ", len(associated), len(ciphertext)))

def seal(kind, family, key, plaintext, purpose="", clear=b"", version=1):
    """A sealed container; `kind` has 128 added."""
    header = bytes([version, kind, family.curve_code, family.code])
    a = T32("quorate sealed form", ("magic", "QRTE"), ("header", header), *family.names, ("purpose", purpose), ("clear", clear))
    k_e, k_n = T32("seal: encryption", ("key", key)), T32("seal: nonce", ("key", key))
    nonce = T64("seal: synthetic nonce", ("key", k_n), ("associated", a), ("plaintext", plaintext))[:24]
    return write(kind, family, clear + nonce + xchacha20_poly1305(k_e, nonce, plaintext, a), version)

# Sets and counters
def write_set(indices):
    """A set of indices as ranges."""
    firsts, lasts = [i for i in sorted(indices) if i - 1 not in indices], [i for i in sorted(indices) if i + 1 not in indices]
    return u32(len(firsts)) + b"".join(u32(first) + u32(last) for first, last in zip(firsts, lasts))
