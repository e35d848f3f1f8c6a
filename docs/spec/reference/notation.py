"""Bytes, transcripts and generators (notation.md; primitives.md, Draws; session.md, Transcripts; determinism.md)."""

import struct
from hashlib import sha512
from math import gcd

class Refused(Exception):
    """A refusal, by the name that the text gives to the error or fault."""

def require(condition, name):
    """One row of a table of checks."""
    if not condition:
        raise Refused(name)

# notation.md, Bytes and numbers, Ranges
def be(n, k): return n.to_bytes(k, "big")

u16, u32, u64 = (struct.Struct(size).pack for size in (">H", ">I", ">Q"))

def sint(z, k):
    """int(z; k): a sign byte and the magnitude."""
    return bytes([z < 0]) + be(abs(z), k)

def read_sint(data):
    """The integer of which `data` is the encoding; there is one zero."""
    z = int.from_bytes(data[1:], "big")
    require(data[0] == 0 or (data[0] == 1 and z), "Malformed")
    return -z if data[0] else z

def centred(x, n):
    """The centred representative of x modulo the odd n."""
    x %= n
    return x - n if x > n // 2 else x

class Reader:
    """Reads the fields of a string to its end; `short` and `long` name what fails."""

    def __init__(self, data, short="Truncated", long="TrailingBytes"):
        self.data, self.short, self.long = data, short, long

    def take(self, k):
        require(len(self.data) >= k, self.short)
        head, self.data = self.data[:k], self.data[k:]
        return head

    def number(self, k): return int.from_bytes(self.take(k), "big")
    def point(self, group): return group.point(self.take(group.P))
    def scalar(self, group): return group.scalar(self.take(group.S))

    def end(self):
        require(not self.data, self.long)

# session.md, Transcripts
def counted(x):
    """u64(length of x) ‖ x."""
    x = x.encode("ascii") if isinstance(x, str) else bytes(x)
    return u64(len(x)) + x

class T:
    """T(domain; items). An item is (label, value): an int is a number, a list a list, str and bytes are bytes."""

    def __init__(self, domain, *items):
        self.hash = sha512(counted("quorate v1") + counted(domain))
        self.add(*items)

    def add(self, *items):
        """Continues the transcript."""
        for label, value in items:
            if isinstance(value, int):
                self.hash.update(b"\2" + counted(label) + u64(value))
            elif isinstance(value, (list, tuple)):
                elements = b"".join(b"\4" + counted(x) for x in value)
                self.hash.update(b"\3" + counted(label) + elements + b"\5" + u64(len(value)))
            else:
                self.hash.update(b"\1" + counted(label) + counted(value))
        return self

    def branch(self, *items):
        """A copy with more items; this transcript stays as it is."""
        copy = object.__new__(T)
        copy.hash = self.hash.copy()
        return copy.add(*items)

    def t64(self): return self.hash.digest()
    def t32(self): return self.t64()[:32]

def T64(domain, *items): return T(domain, *items).t64()
def T32(domain, *items): return T(domain, *items).t32()

# determinism.md, The generator; primitives.md, Draws from a generator
def chacha_rounds(state):
    """The 20 rounds of ChaCha, without the addition of the first state."""
    x = list(state)
    for _ in range(10):
        for a, b, c, d in ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
                           (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)):
            for p, q, r, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                x[p] = (x[p] + x[q]) & 0xFFFFFFFF
                v = x[r] ^ x[p]
                x[r] = (v << turn | v >> (32 - turn)) & 0xFFFFFFFF
    return x

def chacha_state(key, last_words): return struct.unpack("<16I", b"expand 32-byte k" + key + last_words)

def chacha_block(key, last_words):
    """A block of key stream; `last_words` are the 16 bytes of words 12 to 15."""
    state = chacha_state(key, last_words)
    return struct.pack("<16I", *((a + b) & 0xFFFFFFFF for a, b in zip(state, chacha_rounds(state))))

class ChaCha:
    """ChaCha(seed), and the draws from it."""

    def __init__(self, seed, nonce=0):
        self.key, self.nonce, self.counter, self.buffer = seed, nonce, 0, b""

    def bytes(self, k):
        """The next k bytes; the rest of the last word is skipped."""
        whole = -(-k // 4) * 4
        while len(self.buffer) < whole:
            self.buffer += chacha_block(self.key, struct.pack("<QQ", self.counter, self.nonce))
            self.counter += 1
        out, self.buffer = self.buffer[:k], self.buffer[whole:]
        return out

    def scalar(self, group): return group.wide(self.bytes(group.wide_length))
    def nonzero(self, group): return self.until(lambda: self.scalar(group), bool, 4)

    def bits(self, b):
        """A number below 2^b, from words of 8 bytes, the lowest first."""
        words = [int.from_bytes(self.bytes(8), "little") for _ in range(-(-b // 64))]
        words[-1] >>= -b % 64
        return sum(word << 64 * i for i, word in enumerate(words))

    def below(self, n): return self.until(lambda: self.bits(n.bit_length()), lambda x: x < n, 256)
    def half_range(self, a): return self.bits(a) - (1 << (a - 1))

    def unit(self, n):
        """A unit modulo n: the first of two numbers of which both are units."""
        return self.until(lambda: (self.below(n), self.below(n)), lambda uv: gcd(uv[0] * uv[1], n) == 1, 256)[0]

    def below_secret(self, n, b):
        """A number in [1, n), where b is the length stated for n."""
        return self.until(lambda: int.from_bytes(self.bytes(-(-b // 8) + 16), "big") % n, bool, 4)

    @staticmethod
    def until(draw, good, attempts):
        """The first good draw; after so many attempts the generator is broken."""
        for _ in range(attempts):
            value = draw()
            if good(value):
                return value
        raise Refused("Randomness")
