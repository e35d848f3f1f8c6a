"""The proofs of threshold ECDSA (ecdsa-proofs.md): what prover and verifier do for any relation, and Πmod. Relations: zk_relations.py."""

from notation import Reader, T, T64, be, centred, read_sint, require, sint, u64
from paillier import encrypt, gcd, is_unit, jacobi, power

SCALAR, INTEGER, BITS, WEIGHTS = 0, 1, 2, 3
CHALLENGE_LENGTH = {SCALAR: 32, INTEGER: 32, BITS: 16, WEIGHTS: 32}
REPETITIONS = 128

def context(run, prover, verifier, role, more=b""):
    """Contexts: the items that begin a proof of a figure. The verifier is 0 if it is broadcast; the instance is `ctx` ‖ role ‖ more."""
    return lambda figure: [("session", run.session_id), ("figure", figure), ("prover", prover), ("verifier", verifier),
                           ("instance", run.context + role.encode() + more)]

# Components. A response answers to `terms`, pairs of a multiplier and a witness: one, or M if the component is folded.

class Component:
    """`modulus` is that of responses, None for integers; `limit` bounds them, and `fault` is given beyond it."""

    def __init__(self, items, size, mask, limit, fault="InvalidProof", modulus=None, kind=None):
        self.items, self.size, self.mask, self.limit, self.fault, self.modulus = items, size, mask, limit, fault, modulus
        self.integer, self.unit = modulus is None, kind == "unit"

    def respond(self, mask, terms):
        if self.unit:
            for e, r in terms:
                mask = mask * power(r, e, self.modulus) % self.modulus
            return mask
        z = mask + sum(e * x for e, x in terms)
        require(not self.integer or abs(z) <= self.limit, "OutOfRange")
        return z if self.integer else z % self.modulus

    def write(self, z): return sint(z, self.size - 1) if self.integer else be(z, self.size)

    def read(self, data):
        z = read_sint(data) if self.integer else int.from_bytes(data, "big")
        require(abs(z) <= self.limit and not (self.unit and z == 0), self.fault)
        return z

def I(a, slack=512):
    """I(a, s): an integer of ±2^a with slack s."""
    bits = a + slack
    return Component([("integer", a), ("slack", slack)], 1 + -(-bits // 8), lambda stream: stream.half_range(bits), 1 << (bits - 1))

def U(N):
    """U(N): a unit."""
    return Component([("N", be(N, width(N)))], width(N), lambda stream: stream.unit(N), N - 1, modulus=N, kind="unit")

def S(group):
    """S: a scalar."""
    return Component([("scalar", 0)], 32, lambda stream: stream.scalar(group), group.q - 1, "Malformed", group.q)

def E(setup, order=None):
    """E(N̂): an exponent; the prover alone has the order p′q′."""
    mask = lambda stream: stream.bits(setup.level + 128) % order
    return Component([("setup", setup.enc())], setup.size, mask, setup.N - 1, modulus=order or 1)

# Maps. `evaluate(z, weights, carried)` is f at z without the images; `modulus` is None for points.

def width(n): return -(-n.bit_length() // 8)

def places(*numbers): return ("of", [u64(n) for n in numbers])

class Map:
    """`places` are the components of a map, `images` its images, unless the proof carries them."""
    carries = opens = False

    def __init__(self, modulus, images, components, items):
        self.modulus, self.images, self.places, self.items = modulus, images, components, items

class Paillier(Map):
    """`scaled` are (K, x, 1 for −x), `weighted` (K, multipliers)."""

    def __init__(self, N, images, y, rho, scaled=(), weighted=()):
        self.N, self.scaled, self.weighted = N, scaled, weighted
        n, c = ("N", be(N, width(N))), lambda label, C: (label, be(C, 2 * width(N)))
        items = [n, *(c("ciphertext", C) for C in images), places(y, rho)]
        for label, factors in (("scaled", scaled), ("weighted", [(K, *multipliers) for K, multipliers in weighted])):
            items += [item for K, *of in factors for item in (n, c(label, K), places(*of))]
        super().__init__(N * N, images, [y, rho], items)

    def evaluate(self, z, weights, carried):
        value, weight = encrypt(self.N, *(z[x] for x in self.places)), iter(weights)
        exponents = [(K, -z[x] if minus else z[x]) for K, x, minus in self.scaled]
        exponents += [(K, sum(next(weight) * z[x] for x in multipliers)) for K, multipliers in self.weighted]
        for K, e in exponents:
            value = value * power(K, e, self.modulus) % self.modulus
        return value

class Commitment(Map):
    """Carried by the proof, or with a given image (Opened)."""

    def __init__(self, setup, x, mu, opened=None):
        self.setup, self.mu, self.carries, self.opens = setup, mu, opened is None, opened is not None
        image = [("opened", be(opened, setup.size))] if self.opens else []
        super().__init__(setup.N, [opened], [x, mu], [("setup", setup.enc()), *image, places(x, mu)])

    def evaluate(self, z, weights, carried): return self.setup.commit(*(z[x] for x in self.places))

class Product(Map):
    """s^v = Q^x·t^μ for the commitment Q that map number `q` carries."""

    def __init__(self, setup, q, x, mu, v):
        self.t, self.q = setup.t, q
        super().__init__(setup.N, [power(setup.s, v, setup.N)], [x, mu], [
            ("setup", setup.enc()), places(q, x, mu, int(v < 0)), ("value", be(abs(v), width(abs(v))))])

    def evaluate(self, z, weights, carried):
        x, mu = (z[place] for place in self.places)
        return power(carried[self.q][0], x, self.modulus) * power(self.t, mu, self.modulus) % self.modulus

class Root(Map):
    """s = t^x."""

    def __init__(self, setup, x):
        self.t = setup.t
        super().__init__(setup.N, [setup.s], [x], [("setup", setup.enc()), places(x)])

    def evaluate(self, z, weights, carried): return power(self.t, z[self.places[0]], self.modulus)

class Points(Map):
    """P = Σ component·base; `terms` are (component, base)."""

    def __init__(self, images, *terms):
        components, self.bases = map(list, zip(*terms))
        super().__init__(None, images, components, [("points", [P.enc() for P in self.bases + images]), places(*components)])

    def evaluate(self, z, weights, carried): return self.bases[0].group.sum(z[x] * base for x, base in zip(self.places, self.bases))

# Relations and proofs

class Relation:
    """`level` is a number; `stages` is 0 without a fold; `folded` has a flag for each component; `bound` are points."""

    def __init__(self, figure, level, challenge, components, maps, group=None, stages=0, M=1, folded=None, bound=()):
        self.figure, self.level, self.challenge, self.components, self.maps = figure, level, challenge, components, maps
        self.group, self.stages, self.M, self.bound = group, stages, M, bound
        self.folded = folded or [stages == 1] * len(components)
        self.repetitions = REPETITIONS if challenge == BITS else 1
        self.bits = 128 + (M - 1).bit_length()

    def is_folded(self, m): return self.folded[m.places[0]]

    def opening(self, context, carried):
        """What is hashed before the first message; `carried` is {number of the map: its commitments}."""
        t = T("zk", *context(self.figure))
        if self.group:
            t.add(("curve", self.group.name))
        t.add(("level", self.level), ("challenge", self.challenge))
        if self.stages:
            t.add(("stages", self.stages), ("statements", self.M), ("folded", [bytes([f]) for f in self.folded]),
                  ("bound points", [P.enc() for P in self.bound]))
        t.add(("components", len(self.components)), *(item for c in self.components for item in c.items))
        t.add(("maps", len(self.maps)), *(item for m in self.maps for item in m.items))
        numbers = [be(x, self.maps[i].setup.size) for i, images in carried.items() for x in images]
        return t.add(("commitments of the prover", numbers))

    def challenge_of(self, opening, firsts):
        """The challenge as it is on the wire; `firsts` has for each repetition the values of the maps."""
        numbers, points = [], []
        for m, value in ((m, value) for first in firsts for m, value in zip(self.maps, first)):
            if m.modulus:
                numbers.append(be(value, width(m.modulus)))
            else:
                points.append(value.enc())
        d = opening.branch(("first numbers", numbers), ("first points", points)).t64()
        return self.group.enc(self.group.wide(d)) if self.challenge == SCALAR else d[:CHALLENGE_LENGTH[self.challenge]]

    def derive(self, seed, label, number):
        """Folds: a weight, or the challenge after the weights."""
        size = -(-self.bits // 8)
        h = T64("zk fold", ("seed", seed), (label, number))[:size]
        return int.from_bytes(h, "big") >> (8 * size - self.bits)

    def first_stage(self, opening):
        """The weights of a fold in two stages, which are hashed before the first message."""
        return self.weights(opening.branch(("stage", 1)).t64()[:32]) if self.stages == 2 else []

    def weights(self, seed): return [self.derive(seed, "weight", m) for m in range(self.M)]

    def multipliers(self, wire, weights):
        """For each repetition: the multiplier of what is not folded, and those of what is."""
        number = int.from_bytes(wire, "big")
        if self.challenge == BITS:
            return [(wire[r // 8] >> r % 8 & 1, []) for r in range(REPETITIONS)]
        if self.challenge != WEIGHTS:
            return [(centred(number, self.group.q) if self.challenge == SCALAR else number - 2**255, [])]
        c = self.derive(wire, "challenge", 0) if self.stages == 2 else 1
        return [(c, [c * e for e in weights or self.weights(wire)])]

    def draw_exponents(self, witness, stream):
        """Draws the μ of commitments that are not given. The witness has a list for each component, or a function of the lists before."""
        for mu, setup in sorted((m.mu, m.setup) for m in self.maps if m.carries and witness[m.mu] is None):
            witness[mu] = [stream.half_range(setup.level + 256) for _ in range(self.M if self.folded[mu] else 1)]
        return [x(witness) if callable(x) else x for x in witness]

    def prove(self, context, witness, stream):
        """A proof."""
        witness = self.draw_exponents(witness, stream)
        if self.challenge in (SCALAR, INTEGER):
            [c.mask(stream) for c in self.components if c.unit]
        masks = [[c.mask(stream) for c in self.components] for _ in range(self.repetitions)]
        carried = {i: [m.setup.commit(x, mu) for x, mu in zip(*(witness[place] for place in m.places))]
                   for i, m in enumerate(self.maps) if m.carries}
        opening = self.opening(context, carried)
        weights = self.first_stage(opening)
        firsts = [[m.evaluate(mask, weights, carried) for m in self.maps] for mask in masks]
        wire = self.challenge_of(opening, firsts)
        proof = wire + b"".join(be(x, self.maps[i].setup.size) for i, images in carried.items() for x in images)
        for mask, (e, es) in zip(masks, self.multipliers(wire, weights)):
            for c, folded, alpha, x in zip(self.components, self.folded, mask, witness):
                proof += c.write(c.respond(alpha, list(zip(es if folded else [e], x))))
        return proof

    def first_message(self, z, e, es, weights, carried):
        """The only one that fits: A = f(z)·X^(−e) for each map."""
        for i, m in enumerate(self.maps):
            value, images = m.evaluate(z, weights, carried), carried.get(i, m.images)
            for k, X in zip(es if self.is_folded(m) else [e], images):
                value = value - k * X if m.modulus is None else value * power(X, -k, m.modulus) % m.modulus
            yield value

    def length(self):
        commitments = sum(m.setup.size * (self.M if self.is_folded(m) else 1) for m in self.maps if m.carries)
        return CHALLENGE_LENGTH[self.challenge] + commitments + self.repetitions * sum(c.size for c in self.components)

    def verify(self, context, proof):
        """The checks, in their order; Refused with the fault that is blamed."""
        require(not any(P.is_neutral() for m in self.maps if not m.modulus for P in m.bases + m.images), "IdentityCommitment")
        require(len(proof) == self.length(), "Malformed")
        at = CHALLENGE_LENGTH[self.challenge]
        wire = proof[:at]
        require(self.challenge != SCALAR or int.from_bytes(wire, "big") < self.group.q, "Malformed")
        reader, carried = Reader(proof[at:]), {}
        for i, m in ((i, m) for i, m in enumerate(self.maps) if m.carries):
            carried[i] = [reader.number(m.setup.size) for _ in range(self.M if self.is_folded(m) else 1)]
            require(all(1 <= x < m.setup.N for x in carried[i]), "InvalidProof")
        responses = [[c.read(reader.take(c.size)) for c in self.components] for _ in range(self.repetitions)]
        units = [(x, self.maps[i].modulus) for i, images in carried.items() for x in images]
        units += [(m.images[0], m.modulus) for m in self.maps if m.opens]
        units += [(z, c.modulus) for row in responses for z, c in zip(row, self.components) if c.unit]
        require(all(gcd(x, n) == 1 for x, n in units), "InvalidProof")
        opening = self.opening(context, carried)
        weights = self.first_stage(opening)
        firsts = [self.first_message(z, *e, weights, carried) for z, e in zip(responses, self.multipliers(wire, weights))]
        require(self.challenge_of(opening, firsts) == wire, "InvalidProof")

# Πmod

def mod_start(context, N, level, w):
    """h, and the y_i."""
    size = level // 8
    h = T("zk", *context("mod"), ("level", level), ("N", be(N, size)), ("w", be(w, size)))
    ys = []
    for i in range(REPETITIONS):
        blocks = b"".join(h.branch(("index", i), ("block", b)).t64() for b in range(-(-(size + 16) // 64)))
        ys.append(int.from_bytes(blocks[:size + 16], "big") % N)
    return h, ys

def mod_prove(context, key, stream):
    """Πmod of the key's N."""
    N, p, q, size = key.N, key.p, key.q, key.level // 8
    w = stream.until(lambda: stream.below(N), lambda w: jacobi(w, N) == -1, 256)
    is_square = lambda c: jacobi(c, p) == 1 and jacobi(c, q) == 1
    order = (p - 1) * (q - 1) // 4
    root = pow((order + 1) // 2, 2, order)
    flags, xs, zs = bytearray(REPETITIONS // 4), b"", b""
    for i, y in enumerate(mod_start(context, N, key.level, w)[1]):
        a, b, c = next((a, b, c) for a in (0, 1) for b in (0, 1) if is_square(c := (-1) ** a * w**b * y % N))
        flags[i // 4] |= (a | b << 1) << 2 * (i % 4)
        xs += be(power(c, root, N), size)
        zs += be(key.randomizer(y), size)
    return be(w, size) + bytes(flags) + xs + zs

def mod_verify(context, N, level, proof):
    """The verifier's checks, in their order."""
    size = level // 8
    require(len(proof) == 257 * size + 32, "Malformed")
    number = lambda at: int.from_bytes(proof[at:at + size], "big")
    w, flags = number(0), proof[size:size + 32]
    xs, zs = ([number(size + 32 + (k + i) * size) for i in range(REPETITIONS)] for k in (0, REPETITIONS))
    require(1 <= w < N and jacobi(w, N) == -1, "InvalidProof")
    require(all(is_unit(x, N) for x in xs), "InvalidProof")
    h, ys = mod_start(context, N, level, w)
    require(all(gcd(y, N) == 1 for y in ys), "InvalidProof")
    for i, (x, y) in enumerate(zip(xs, ys)):
        bits = flags[i // 4] >> 2 * (i % 4)
        require((pow(x, 4, N) - (-1) ** (bits & 1) * w ** (bits >> 1 & 1) * y) % N == 0, "InvalidProof")
    require(all(is_unit(z, N) for z in zs), "InvalidProof")
    require(all(N % d for d in range(2, 1 << 16)), "InvalidModulus")
    require(power(2, N - 1, N) != 1, "InvalidModulus")
    weights = [h.branch(("proof", proof), ("weights", i)).t64()[:16] for i in range(REPETITIONS)]
    for k in range(0, 16, 2):
        left = right = 1
        for weight, y, z in zip(weights, ys, zs):
            e = int.from_bytes(weight[k:k + 2], "big")
            left, right = left * power(z, e, N) % N, right * power(y, e, N) % N
        require(power(left, N, N) == right, "InvalidProof")
