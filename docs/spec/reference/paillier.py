"""Paillier encryption, ring-Pedersen setups and primes (primitives.md, from Levels on). A level is the length of N in bits."""

from math import gcd, isqrt

from notation import ChaCha, be, centred, require

try:
    import gmpy2
except ImportError:
    gmpy2 = None

LEVEL_CODE = {3072: 1, 2048: 2}

def power(x, e, n):
    """x^e mod n; a negative e is a power of the inverse."""
    return int(gmpy2.powmod(x, e, n)) if gmpy2 else pow(x, e, n)

def jacobi(a, n):
    """The Jacobi symbol of a over the odd n."""
    a, sign = a % n, 1
    while a:
        while a % 2 == 0:
            a //= 2
            sign = -sign if n % 8 in (3, 5) else sign
        a, n = n, a
        sign = -sign if a % 4 == 3 and n % 4 == 3 else sign
        a %= n
    return sign if n == 1 else 0

# Numbers modulo N, N̂ and N²

def is_unit(x, n, factor_of=None):
    """Units: in [1, n) and prime to n; for ciphertexts the divisor is taken with N."""
    return 1 <= x < n and gcd(x, factor_of or n) == 1

def share_factor(a, b): return gcd(a, b) != 1

def right_modulus(N, level):
    """What is checked of another party's N, and of N̂."""
    return N % 2 == 1 and N.bit_length() == level

# Paillier encryption

def encrypt(N, x, r):
    """enc_N(x; r)."""
    return (1 + x * N) * power(r, N, N * N) % (N * N)

class PaillierKey:
    """The key of a party's own primes, which it checks."""

    def __init__(self, p, q, level):
        check_primes(p, q, level)
        self.p, self.q, self.N, self.level, self.order = p, q, p * q, level, (p - 1) * (q - 1)

    def decrypt(self, C):
        """The centred representative of the plaintext."""
        return centred((power(C, self.order, self.N * self.N) - 1) // self.N * pow(self.order, -1, self.N), self.N)

    def randomizer(self, C):
        """r of C = enc_N(x; r)."""
        return power(C, pow(self.N, -1, self.order), self.N)

    def secret(self):
        """The secret key as in kind 35 (ecdsa-keygen.md, Stored forms), which hedges the seed too."""
        half = self.level // 16
        return bytes([1, LEVEL_CODE[self.level]]) + be(self.N, 2 * half) + be(self.p, half) + be(self.q, half)

def check_primes(p, q, level, safe=False):
    for prime in (p, q):
        require(prime.bit_length() == level // 2, "PrimeSize")
        require(prime % 4 == 3, "NotBlum")
    require(abs(p - q) >= 1 << (level // 2 - 96), "ClosePrimes")
    require((p * q).bit_length() == level, "Modulus")
    for prime in (p, q):
        require((not safe or is_prime(prime // 2)) and is_prime(prime), "NotSafe" if safe else "NotPrime")

# Ring-Pedersen setups

class Setup:
    """(N̂, s, t)."""

    def __init__(self, N, s, t):
        self.N, self.s, self.t, self.level = N, s, t, N.bit_length()
        self.size = -(-self.level // 8)

    def enc(self): return b"".join(be(x, self.size) for x in (self.N, self.s, self.t))
    def commit(self, x, mu): return power(self.s, x, self.N) * power(self.t, mu, self.N) % self.N

    def check(self, level):
        """What anyone but the owner checks."""
        require(right_modulus(self.N, level), "Modulus")
        require(all(1 <= x < self.N for x in (self.s, self.t)), "OutOfRange")
        require(is_unit(self.s, self.N) and is_unit(self.t, self.N), "NotUnit")
        require(self.s != self.t and not {self.s, self.t} & {1, self.N - 1}, "TrivialBase")
        return self

class SetupKey:
    """The owner's side of a setup; s and t come from `stream`."""

    def __init__(self, p, q, level, stream):
        check_primes(p, q, level, safe=True)
        self.p, self.q, N, self.order = p, q, p * q, (p // 2) * (q // 2)
        t = pow(stream.unit(N), 2, N)
        self.secret_exponent = stream.below_secret(self.order, N.bit_length())
        self.public = Setup(N, power(t, self.secret_exponent, N), t).check(level)

    def secret(self):
        """The secret setup as in kind 35."""
        size = self.public.size
        primes = be(self.p, size // 2) + be(self.q, size // 2)
        return bytes([1, LEVEL_CODE[self.public.level]]) + self.public.enc() + primes + be(self.secret_exponent, size)

# Search for primes

SMALL = [n for n in range(2, 1000) if all(n % d for d in range(2, isqrt(n) + 1))]

def odd_part(n):
    """n as d·2^s with an odd d."""
    s = (n & -n).bit_length() - 1
    return n >> s, s

def strong_base_2(n):
    d, s = odd_part(n - 1)
    x = power(2, d, n)
    return x == 1 or any(power(x, 1 << r, n) == n - 1 for r in range(s))

def strong_lucas(n):
    """BW80: with Selfridge's parameters P = 1, Q = (1 − D)/4."""
    if isqrt(n) ** 2 == n:
        return False
    D = 5
    while jacobi(D, n) != -1:
        if 1 < gcd(D, n) < n:
            return False
        D = -D - 2 if D > 0 else -D + 2
    Q, (d, s) = (1 - D) // 4, odd_part(n + 1)
    U, V, Qk, half = 1, 1, Q, (n + 1) // 2
    for bit in bin(d)[3:]:
        U, V, Qk = U * V % n, (V * V - 2 * Qk) % n, Qk * Qk % n
        if bit == "1":
            U, V, Qk = (U + V) * half % n, (D * U + V) * half % n, Qk * Q % n
    passed = U == 0 or V == 0
    for _ in range(s - 1):
        V, Qk = (V * V - 2 * Qk) % n, Qk * Qk % n
        passed = passed or V == 0
    return passed

def is_prime(n):
    """BW80; division by small primes changes no answer."""
    if n < 1000 or any(n % p == 0 for p in SMALL):
        return n in SMALL
    return strong_base_2(n) and strong_lucas(n)

def search(seed, safe, b):
    """The primes that the search of a seed gives, one after the other."""
    M, K = (12, b * b // 4) if safe else (4, 2 * b)
    window = 0
    while True:
        x = ChaCha(seed, 2 * window).bits(b) | 3 << (b - 2)
        first = x // M + 1
        for k in range(first, first + (1 << (K - 1).bit_length())):
            p = M * k - 1
            if p.bit_length() > b:
                break
            if is_prime(p // 2) and (p // 2 - 1) % 2**33 and is_prime(p) if safe else is_prime(p):
                yield p
                break
        window += 1

def make_secrets(generator, level):
    """The secrets of a party for auxiliary information, of new primes."""
    seeds = [generator.bytes(32) for _ in range(3)]
    require(any(seeds[0]), "Randomness")
    blum, safe = search(seeds[1], False, level // 2), search(seeds[2], True, level // 2)
    key, setup = PaillierKey(next(blum), next(blum), level), SetupKey(next(safe), next(safe), level, ChaCha(seeds[0]))
    require(not share_factor(key.N, setup.public.N), "Inconsistent")
    return key, setup
