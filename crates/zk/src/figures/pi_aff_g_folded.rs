//! Πaff-g of both products of many presignatures, folded in two stages.
//!
//! For all m: `D_m = γ_m·K_m ⊕ enc_j(y_m; ρ_m)`, `D̂_m = x·K_m ⊕ enc_j(ŷ_m; ρ̂_m)`, `F_m = enc_i(y_m)`, `F̂_m = enc_i(ŷ_m)`,
//! `X = xG`, and `γ_m` is the number that `S'_m` commits to. `γ_m` and `x` are in `±2^ℓ`, `y_m` and `ŷ_m` in `±2^ℓ'`.
//!
//! `T_m = s^y_m t^ν_m`, `T̂_m` and `S_x = s^x t^μ` are fixed in the proof before the weights; `docs/spec/arguments-ecdsa.md`
//! explains the purpose of each. The weights `e_m`, `ê_m` fold the ciphertexts and `T` into one statement about
//! `Y = Σ(e_m y_m + ê_m ŷ_m)`. The multipliers stay unchanged, each with its response.

use alloc::vec::Vec;

use quorate_bignum::{Natural, SecretInteger};
use quorate_curve::Curve;
use quorate_paillier::level::ELL;
use quorate_paillier::{Ciphertext, EncryptionKey, Level, Pedersen, Randomizer};

use super::pi_dec::sum_bits;
use crate::Hiding;
use crate::sigma::{self, IntegerVar, MAX_FOLD, Relation, SEED_BYTES, Stages, weight_bits};

// The conditions of `docs/spec/arguments-ecdsa.md`, *Folded proofs*, for the longest fold; a shorter one has shorter weights.
const _: () = {
    let (lambda, statements) = (weight_bits(MAX_FOLD), MAX_FOLD.ilog2());
    assert!(lambda == 139 && 1 << statements == MAX_FOLD);
    // Differences of weights are invertible modulo the order of a curve.
    assert!(lambda < ELL - 1);
    let mut rest: &[Level] = &Level::ALL;
    while let [level, others @ ..] = rest {
        let (ell_prime, epsilon) = (level.ell_prime(), level.epsilon());
        // And modulo N: Πfac leaves no prime below 2^(bits/2 - ℓ - ε - 1).
        assert!(lambda < level.prime_bits() - ELL - epsilon - 1);
        // Hiding: a folded witness is λ + log M longer in one stage, and the challenge adds λ in two.
        assert!(epsilon >= 2 * lambda - 1 + statements + 128);
        // y hides x·k: |x| < 2^(ℓ-1), and a dishonest k is below 2^(ℓ+ε).
        assert!(ell_prime >= 2 * ELL + epsilon + 128);
        // A peer's y is below 2^(ℓ'+ε+1), and x·k + y below 2^(ℓ'+ε+2): no residue, if one end is honest,
        let addend = ell_prime + epsilon + 2;
        assert!(addend < level.modulus_bits() - 2);
        // and with both ends corrupt: |x k| ≤ 2^(2ℓ+2ε).
        assert!(2 * ELL + 2 * epsilon < addend);
        // Πdec adds up those of 2^16 parties: ±2^a are the numbers up to 2^(a-1).
        assert!(addend + 16 < sum_bits(*level));
        rest = others;
    }
};

/// Both products of each presignature, with one X.
#[derive(Clone, Copy, Debug)]
pub struct Statement<'a, C: Curve> {
    /// The verifier's setup.
    pub setup: &'a Pedersen,
    /// The verifier's key, `N_j`, which `K_m`, `D_m` and `D̂_m` are under.
    pub theirs: &'a EncryptionKey,
    /// The prover's key, `N_i`, which `F_m` and `F̂_m` are under.
    pub ours: &'a EncryptionKey,
    /// The second multiplier in the exponent, `X`.
    pub x: C::Point,
    /// The presignatures: at most [`MAX_BATCH`](crate::sigma::MAX_BATCH), and one at least.
    pub items: &'a [Item<'a, C>],
}

/// The products of one presignature.
#[derive(Clone, Copy, Debug)]
pub struct Item<'a, C: Curve> {
    /// The ciphertext multiplied, `K_m`.
    pub k: &'a Ciphertext,
    /// The products with their masks: `D_m` for `γ_m`, `D̂_m` for `x`.
    pub d: [&'a Ciphertext; 2],
    /// The masks, under the prover's key: `F_m`, `F̂_m`.
    pub f: [&'a Ciphertext; 2],
    /// The commitment to `γ_m` under the verifier's setup, `S'_m`, of a proof that was verified.
    pub s: &'a Natural,
    /// `Γ_m`, which is hashed. That it is `γ_m G` is for another proof to show.
    pub gamma: C::Point,
}

/// The witness.
#[derive(Clone, Copy)]
pub struct Witness<'a> {
    /// The second multiplier: the scalar's [centred](crate::centred) representative, `x`.
    pub x: &'a SecretInteger,
    /// For each presignature.
    pub items: &'a [ItemWitness<'a>],
}

/// The witness of one presignature.
#[derive(Clone, Copy)]
pub struct ItemWitness<'a> {
    /// The first multiplier: the scalar's [centred](crate::centred) representative, `γ_m`.
    pub gamma: &'a SecretInteger,
    /// The opening of `S'_m`, `μ'_m`.
    pub mu: &'a Hiding,
    /// Of `D_m` and `F_m`, then of `D̂_m` and `F̂_m`.
    pub masks: [Mask<'a>; 2],
}

/// The mask of a product.
#[derive(Clone, Copy)]
pub struct Mask<'a> {
    /// The mask, `y_m`: in the protocol `-β`.
    pub y: &'a SecretInteger,
    /// The randomizer of `D_m`.
    pub rho: &'a Randomizer,
    /// The randomizer of `F_m`.
    pub rho_y: &'a Randomizer,
}

/// Bytes of a proof whose keys and setup are of this level: seed, `T_m` and `T̂_m` of each presignature, `S_x`, z of x, of Y,
/// w, w_y, z of each `γ_m`, z of ν*, of μ_x, and z' of each `γ_m`.
#[must_use]
pub const fn proof_bytes(level: Level, presignatures: usize) -> usize {
    let (value, hiding) = (level.modulus_bytes(), level.response_bytes(level.modulus_bits() + ELL));
    let (multiplier, mask) = (level.response_bytes(ELL), level.response_bytes(level.ell_prime()));
    let each = 2 * value + multiplier + hiding;
    SEED_BYTES + presignatures * each + 3 * value + multiplier + mask + 2 * hiding
}

impl<'a, C: Curve> sigma::Statement<'a, C> for Statement<'a, C> {
    type Witness = Witness<'a>;

    fn relation(&self, witness: Option<Witness<'a>>) -> Relation<'a, C> {
        let &Self { setup, theirs, ours, x: point, items } = self;
        let fold = (Stages::Two, 2 * items.len());
        let mut b = Relation::<C>::fold("aff-g, folded", theirs.level(), fold);
        let opened = witness.map_or(&[][..], |w| w.items);
        let masks = opened.iter().flat_map(|one| one.masks);

        let x = b.integer("zx", ELL, witness.map(|w| w.x));
        let (y, rho, rho_y) = b.folded(|b| {
            let y = b.integer("zy", theirs.level().ell_prime(), masks.clone().map(|mask| mask.y));
            let rho = b.unit("w", theirs, masks.clone().map(|mask| mask.rho));
            (y, rho, b.unit("w_y", ours, masks.map(|mask| mask.rho_y)))
        });
        let mut gamma =
            |m| b.integer("z", ELL, opened.get(m).map(|one: &ItemWitness<'a>| one.gamma));
        let gammas: Vec<IntegerVar> = (0..items.len()).map(&mut gamma).collect();

        let multiplied = items.iter().zip(&gammas).map(|(item, gamma)| (item.k, [*gamma, x]));
        b.paillier(items.iter().flat_map(|item| item.d), y, rho).weighted(multiplied);
        b.paillier(items.iter().flat_map(|item| item.f), y, rho_y);
        b.commitment(setup, y, "zν");
        b.point([point], [(C::generator(), x.into())]);
        b.commitment(setup, x, "zμ");
        for (m, (item, gamma)) in items.iter().zip(&gammas).enumerate() {
            b.opened((setup, item.s), *gamma, "z'", opened.get(m).map(|one| one.mu));
        }
        b.binds(items.iter().map(|item| item.gamma));
        b.finish()
    }
}
