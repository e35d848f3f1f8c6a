"""Groups and encodings (primitives.md, Groups). Affine coordinates and double-and-add: slow, and not constant in time."""

from functools import lru_cache

from notation import require

def inverse(x, m): return pow(x, -1, m)

def square_root(v, p):
    """A square root of v modulo p, or None."""
    root = pow(v, (p + 1) // 4, p) if p % 4 == 3 else pow(v, (p + 3) // 8, p)
    if (root * root - v) % p and p % 8 == 5:
        root = root * pow(2, (p - 1) // 4, p) % p
    return None if (root * root - v) % p else root

def even(x, p):
    """x or −x, whichever is even in [0, p)."""
    return -x % p if x % p % 2 else x % p

class Point:
    """An element of a group: P + Q, P - Q, -P, k * P and P == Q are those of the group, P.enc() is enc(P)."""

    def __init__(self, group, x, y):
        self.group, self.x, self.y = group, x, y

    def __add__(self, other): return self.group.add(self, other)
    def __neg__(self): return self.group.negative(self)
    def __sub__(self, other): return self + -other
    def __rmul__(self, k): return self.times(k % self.group.q)
    def __eq__(self, other): return self.group.equal(self, other)
    def is_neutral(self): return self == self.group.O
    def enc(self): return self.group.encode(self)

    def times(self, k):
        """k·P for k ≥ 0, not reduced modulo q."""
        result, power = self.group.O, self
        while k:
            if k & 1:
                result = result + power
            k >>= 1
            power = power + power if k else power
        return result

class Group:
    """What all groups have. `order` is the byte order of scalars, P and S the lengths of points and scalars."""

    def __init__(self, name, code, p, q, P, S, order, wide_length, x, y):
        self.name, self.code, self.p, self.q, self.P, self.S = name, code, p, q, P, S
        self.order, self.wide_length, self.G = order, wide_length, Point(self, x, y)

    def enc(self, x): return (x % self.q).to_bytes(self.S, self.order)
    def wide(self, data): return int.from_bytes(data, self.order) % self.q
    def equal(self, a, b): return (a.x, a.y) == (b.x, b.y)
    def sum(self, points): return sum(points, self.O)

    def scalar(self, data):
        """Decodes a scalar: exactly 0 … q − 1."""
        x = int.from_bytes(data, self.order)
        require(len(data) == self.S and x < self.q, "InvalidScalar")
        return x

    @lru_cache(maxsize=4096)
    def point(self, data):
        """Decodes a point: canonical, of prime order, not neutral."""
        require(len(data) == self.P, "InvalidPoint")
        point = self.decode(data)
        require(point is not None and not point.is_neutral(), "InvalidPoint")
        return point

class Weierstrass(Group):
    """y² = x³ + ax + b of prime order (SEC 1, SEC 2). The neutral element has x = None."""

    def __init__(self, name, code, p, a, b, q, x, y):
        super().__init__(name, code, p, q, 33, 32, "big", 64, x, y)
        self.a, self.b, self.O = a, b, Point(self, None, 0)

    def add(self, P, Q):
        p = self.p
        if P.x is None or Q.x is None:
            return Q if P.x is None else P
        if P.x == Q.x and (P.y + Q.y) % p == 0:
            return self.O
        up, down = (3 * P.x * P.x + self.a, 2 * P.y) if P.x == Q.x else (Q.y - P.y, Q.x - P.x)
        slope = up * inverse(down, p)
        x = (slope * slope - P.x - Q.x) % p
        return Point(self, x, (slope * (P.x - x) - P.y) % p)

    def negative(self, P): return P if P.x is None else Point(self, P.x, -P.y % self.p)
    def encode(self, P): return bytes(33) if P.x is None else bytes([2 + P.y % 2]) + P.x.to_bytes(32, "big")

    def decode(self, data):
        x = int.from_bytes(data[1:], "big")
        y = square_root((x * x * x + self.a * x + self.b) % self.p, self.p)
        if data[0] not in (2, 3) or x >= self.p or y is None:
            return None
        return Point(self, x, y if y % 2 == data[0] % 2 else self.p - y)

class Edwards(Group):
    """ax² + y² = 1 + dx²y² (RFC 8032, 5.1 and 5.2)."""

    def __init__(self, name, code, p, a, d, q, length, wide_length, x, y):
        super().__init__(name, code, p, q, length, length, "little", wide_length, x, y)
        self.a, self.d, self.O = a, d, Point(self, 0, 1)

    def add(self, P, Q):
        p, xx, yy = self.p, P.x * Q.x, P.y * Q.y
        t = self.d * xx * yy % p
        i = inverse(1 - t * t, p)
        x, y = (P.x * Q.y + P.y * Q.x) * (1 - t) * i, (yy - self.a * xx) * (1 + t) * i
        return Point(self, x % p, y % p)

    def negative(self, P): return Point(self, -P.x % self.p, P.y)
    def encode(self, P): return (P.y | (P.x % 2) << (8 * self.P - 1)).to_bytes(self.P, "little")

    def decode(self, data):
        sign, y = data[-1] >> 7, int.from_bytes(data, "little") % (1 << (8 * self.P - 1))
        x = square_root((1 - y * y) * inverse(self.a - self.d * y * y, self.p) % self.p, self.p)
        if y >= self.p or x is None or (x == 0 and sign):
            return None
        point = Point(self, x if x % 2 == sign else self.p - x, y)
        return point if point.times(self.q) == self.O else None

class Ristretto(Edwards):
    """ristretto255 over the curve of Ed25519, with Z = 1 (RFC 9496, 4.2 and 4.3)."""

    def equal(self, a, b): return (a.x * b.y - a.y * b.x) % self.p == 0 or (a.y * b.y - a.x * b.x) % self.p == 0

    def inverse_root(self, v):
        """SQRT_RATIO_M1(1, v): whether v is a square, and the even root of 1/v or of i/v."""
        p, i = self.p, pow(2, (self.p - 1) // 4, self.p)
        r = pow(v, 3, p) * pow(v, 7 * (p - 5) // 8, p) % p
        check = v * r * r % p
        return check in (1, p - 1), even(r * i if check in (p - 1, -i % p) else r, p)

    def encode(self, P):
        p, i, x, y = self.p, pow(2, (self.p - 1) // 4, self.p), P.x, P.y
        u1, u2 = (1 + y) * (1 - y), x * y
        _, root = self.inverse_root(u1 * u2 * u2 % p)
        den1, den2 = root * u1, root * u2
        z_inv = den1 * den2 * x * y % p
        if x * y * z_inv % p % 2:
            x, y, den2 = y * i, x * i, den1 * self.inverse_root(self.a - self.d)[1]
        y = -y if x * z_inv % p % 2 else y
        return even(den2 * (1 - y), p).to_bytes(32, "little")

    def decode(self, data):
        p, s = self.p, int.from_bytes(data, "little")
        u1, u2 = 1 - s * s, 1 + s * s
        v = -self.d * u1 * u1 - u2 * u2
        square, root = self.inverse_root(v * u2 * u2 % p)
        x, y = even(2 * s * root * u2, p), u1 * root * root * u2 * v % p
        return Point(self, x, y) if s < p and s % 2 == 0 and square and x * y % p % 2 == 0 and y else None

P25519, Q25519 = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
EDWARDS25519 = (P25519, -1, -121665 * inverse(121666, P25519) % P25519, Q25519, 32, 64,
                0x216936D3CD6E53FEC0A4E231FDD6DC5C692CC7609525A7B2C9562D608F25D51A,
                0x6666666666666666666666666666666666666666666666666666666666666658)
ED25519 = Edwards("Ed25519", 1, *EDWARDS25519)
RISTRETTO255 = Ristretto("ristretto255", 2, *EDWARDS25519)
ED448 = Edwards(
    "Ed448", 3, 2**448 - 2**224 - 1, 1, -39081,
    2**446 - 13818066809895115352007386748515426880336692474882178609894547503885, 57, 114,
    0x4F1970C66BED0DED221D15A622BF36DA9E146570470F1767EA6DE324A3D3A46412AE1AF72AB66511433B80E18B00938E2626A82BC70CC05E,
    0x693F46716EB6BC248876203756C9C7624BEA73736CA3984087789C1E05A0C2D73AD3FF1CE67C39C4FDBD132C4ED7C8AD9808795BF230FA14)
P256 = Weierstrass(
    "P-256", 4, 2**256 - 2**224 + 2**192 + 2**96 - 1, -3,
    0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B, 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551,
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296, 0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5)
SECP256K1 = Weierstrass(
    "secp256k1", 5, 2**256 - 2**32 - 977, 0, 7, 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141,
    0x79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798, 0x483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8)
