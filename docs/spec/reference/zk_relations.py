"""The relations of the figures (ecdsa-proofs.md, Relations of the figures). Components are at their places, witnesses in their order."""

from zk import BITS, INTEGER, SCALAR, WEIGHTS, Commitment, E, I, Paillier, Points, Product, Relation, Root, S, U

def exponent(setup):
    """The component of a μ."""
    return I(setup.level + 256)

def elog(group, L, M, X, Y, H):
    """Πelog: L = λG, M = yG + λX, Y = yH; witness λ, y. Folded if L, M and Y are lists."""
    fold = isinstance(L, list)
    L, M, Y = (P if fold else [P] for P in (L, M, Y))
    maps = [Points(L, (0, group.G)), Points(M, (1, group.G), (0, X)), Points(Y, (1, H))]
    figure, challenge = ("elog, folded", WEIGHTS) if fold else ("elog", SCALAR)
    return Relation(figure, 3072, challenge, [S(group), S(group)], maps, group, stages=int(fold), M=len(L))

def enc_elg(group, N, setup, A, C, B, X):
    """Πenc-elg, folded: C = enc_i(x; ρ), B = bG, X = bA + xG, lists; witness x, ρ, b, μ."""
    components = [I(256), U(N), S(group), exponent(setup)]
    maps = [Paillier(N, C, 0, 1), Points(X, (2, A), (0, group.G)), Points(B, (2, group.G)), Commitment(setup, 0, 3)]
    return Relation("enc-elg, folded", N.bit_length(), WEIGHTS, components, maps, group, stages=1, M=len(C))

def aff_g(group, N, N_j, setup, K, D, F, X, opened, Gamma):
    """Πaff-g, folded, of N to the verifier's N_j; D and F are in the order of the weights. Witness in the order of the table."""
    k = len(K)
    components = [I(256), I(1280), U(N_j), U(N), *[I(256)] * k, *[exponent(setup)] * (2 + k)]
    folded = [False, True, True, True, *[False] * k, True, *[False] * (1 + k)]
    maps = [Paillier(N_j, D, 1, 2, weighted=[(K[m], (4 + m, 0)) for m in range(k)]), Paillier(N, F, 1, 3),
            Commitment(setup, 1, 4 + k), Points([X], (0, group.G)), Commitment(setup, 0, 5 + k),
            *(Commitment(setup, 4 + m, 6 + k + m, opened[m]) for m in range(k))]
    return Relation("aff-g, folded", N_j.bit_length(), WEIGHTS, components, maps, group, stages=2, M=2 * k, folded=folded, bound=Gamma)

def aff_g_star(group, N, N_j, K, D, F, X):
    """Πaff-g*: D = x ⊙ K ⊞ enc_j(y; ρ), F = enc_i(y; ρ_y), X = xG; witness x, y, ρ, ρ_y."""
    maps = [Paillier(N_j, [D], 1, 2, scaled=[(K, 0, 0)]), Points([X], (0, group.G)), Paillier(N, [F], 1, 3)]
    return Relation("aff-g*", N_j.bit_length(), BITS, [I(256), I(1280), U(N_j), U(N)], maps, group)

def dec(group, N, K, D, X, S_, H):
    """Πdec: D ⊞ x ⊙ K = enc_i(y; ρ), X = xG, S = yH; witness x, y, ρ."""
    maps = [Paillier(N, [D], 1, 2, scaled=[(K, 0, 1)]), Points([X], (0, group.G)), Points([S_], (1, H))]
    return Relation("dec", N.bit_length(), BITS, [I(256), I(1816, 160), U(N)], maps, group)

def fac(N, setup):
    """Πfac: N = p·q with two long factors; witness p, q, μ and ν (drawn), −ν·p."""
    b = N.bit_length()
    components = [I(b // 2 + 256), I(b // 2 + 256), exponent(setup), exponent(setup), I(2 * b + 256)]
    maps = [Commitment(setup, 0, 2), Commitment(setup, 1, 3), Product(setup, 1, 0, 4, N)]
    return Relation("fac", b, INTEGER, components, maps)

def fac_witness(key): return [[key.p], [key.q], None, None, lambda w: [-w[3][0] * w[0][0]]]

def prm(setup, order=None):
    """Πprm: s = t^λ; witness λ, and the prover has the order of the squares."""
    return Relation("prm", setup.level, BITS, [E(setup, order)], [Root(setup, 0)])
