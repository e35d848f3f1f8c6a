//! The secrets of a signer: those behind its first message, and the masks of its products.

use alloc::vec::Vec;

use quorate_bignum::{Natural, SecretInteger};
use quorate_curve::{Secret, random_nonzero_scalar};
use quorate_paillier::{EncryptionKey, Error, Pedersen, Randomizer};
use quorate_session::{PartyId, Run};
use quorate_zk::{Hiding, centred, pi_aff_g_folded};
use rand_core::CryptoRng;

use super::factor::{ByFactor, Factor, Pair};
use crate::EcdsaCurve;
use crate::proofs::Look;

/// A scalar with its centred representative, which Paillier encrypts.
pub(crate) struct Hidden<C: EcdsaCurve> {
    pub(crate) scalar: Secret<C::Scalar>,
    pub(crate) integer: SecretInteger,
}

impl<C: EcdsaCurve> Hidden<C> {
    pub(crate) fn new(scalar: C::Scalar) -> Self {
        Self::of(Secret::new(scalar))
    }

    fn of(scalar: Secret<C::Scalar>) -> Self {
        Self { integer: centred::<C>(scalar.expose()), scalar }
    }
}

/// A signer's secrets of a run.
pub(crate) struct SignerSecrets<C: EcdsaCurve> {
    /// `λ_i·x_i`
    pub(crate) x: Hidden<C>,
    /// For each presignature.
    pub(crate) each: Vec<Nonces<C>>,
}

/// A signer's secrets of one presignature.
pub(crate) struct Nonces<C: EcdsaCurve> {
    /// `k_i`
    pub(crate) k: Hidden<C>,
    /// `γ_i`
    pub(crate) gamma: Hidden<C>,
    /// `a_i`
    pub(crate) a: Secret<C::Scalar>,
    /// `b_i`
    pub(crate) b: Secret<C::Scalar>,
    /// The randomizer of `K_i`: `ρ_i`.
    pub(crate) rho: Randomizer,
    /// The randomizer of `G_i`: `ν_i`.
    pub(crate) nu: Randomizer,
}

impl<C: EcdsaCurve> SignerSecrets<C> {
    /// Draws all but x. None is zero, so that no point is the identity.
    pub(crate) fn draw(
        run: &Run,
        x: Secret<C::Scalar>,
        (key, look): (&EncryptionKey, Look),
        count: usize,
    ) -> Result<Self, Error> {
        let [mut k, mut gamma, mut a, mut b] = ["k", "gamma", "a", "b"].map(|one| run.rng(one));
        let (mut rho, mut nu) = (run.rng("rho"), run.rng("nu"));
        let mut draw = || {
            Ok(Nonces {
                k: Hidden::new(draw_scalar::<C>(&mut k)?),
                gamma: Hidden::new(draw_scalar::<C>(&mut gamma)?),
                a: Secret::new(draw_scalar::<C>(&mut a)?),
                b: Secret::new(draw_scalar::<C>(&mut b)?),
                rho: draw_randomizer(&mut rho, key, look)?,
                nu: draw_randomizer(&mut nu, key, look)?,
            })
        };
        let each = (0..count).map(|_| draw()).collect::<Result<_, Error>>()?;
        Ok(Self { x: Hidden::of(x), each })
    }

    /// γ of a presignature, or x, to be multiplied with the k of the others.
    pub(crate) const fn factor<'s>(
        &'s self,
        factor: Factor,
        nonces: &'s Nonces<C>,
    ) -> &'s SecretInteger {
        match factor {
            Factor::Gamma => &nonces.gamma.integer,
            Factor::Share => &self.x.integer,
        }
    }
}

/// A randomizer under a key.
fn draw_randomizer(
    rng: &mut impl CryptoRng,
    key: &EncryptionKey,
    look: Look,
) -> Result<Randomizer, Error> {
    match look {
        Look::First => Randomizer::random(rng, key),
        Look::Again => Randomizer::same(rng, key),
    }
}

/// A scalar other than zero.
pub(super) fn draw_scalar<C: EcdsaCurve>(rng: &mut impl CryptoRng) -> Result<C::Scalar, Error> {
    let drawn = random_nonzero_scalar::<C>(rng);
    drawn.map_err(|_| quorate_bignum::Error::Randomness.into())
}

/// The openings of the commitments to a signer's numbers under a peer's setup: a `μ` for each.
pub(crate) fn draw_hidings(
    run: &Run,
    purpose: &'static str,
    (to, setup): (PartyId, &Pedersen),
    count: usize,
) -> Vec<Hiding> {
    let mut rng = run.rng_for(purpose, to);
    (0..count).map(|_| Hiding::draw(&mut rng, setup)).collect()
}

/// A signer's commitments to its γ under a peer's setup, for Πaff-g of round 2: wiped when that is made.
pub(crate) struct Committed {
    /// `S'` of each presignature.
    pub(crate) values: Vec<Natural>,
    /// `μ'` of each.
    pub(crate) hidings: Vec<Hiding>,
}

/// The mask of a product, before it is made.
pub(crate) struct Mask {
    /// `−β`, uniform in `±2^ℓ'`.
    pub(crate) y: SecretInteger,
    /// The randomizer of `D`.
    pub(crate) rho: Randomizer,
    /// The randomizer of `F`.
    pub(crate) rho_y: Randomizer,
}

impl Mask {
    /// Draws the masks of the products with party `to`, when that party's k are known: two runs from one seed
    /// in which they differ have different masks.
    pub(crate) fn draw(
        run: &Run,
        to: PartyId,
        ([theirs, ours], look): ([&EncryptionKey; 2], Look),
        count: usize,
    ) -> Result<Vec<ByFactor<Self>>, Error> {
        let mut streams = ByFactor::new(|factor| run.rng_for(factor.name(), to));
        let mut draw = |factor| {
            let rng = streams.get_mut(factor);
            let y = SecretInteger::random_half_range(rng, theirs.level().ell_prime());
            let rho = draw_randomizer(rng, theirs, look)?;
            Ok(Self { y, rho, rho_y: draw_randomizer(rng, ours, look)? })
        };
        (0..count).map(|_| ByFactor::try_new(&mut draw)).collect()
    }

    /// The part of Πaff-g's witness that is about this mask.
    pub(crate) const fn witness(&self) -> pi_aff_g_folded::Mask<'_> {
        pi_aff_g_folded::Mask { y: &self.y, rho: &self.rho, rho_y: &self.rho_y }
    }
}

/// A product sent, with its mask.
pub(crate) struct Sent {
    pub(crate) mask: Mask,
    pub(crate) pair: Pair,
}
