//! The secrets of a signer: those behind its first broadcast, and the masks of its products.

use quorate_bignum::{SecretInteger, SecretProduct};
use quorate_curve::{Secret, random_nonzero_scalar};
use quorate_paillier::{Ciphertext, DecryptionKey, EncryptionKey, Error, Plaintext, Randomizer};
use quorate_session::{PartyId, Run};
use quorate_zk::{centred, pi_aff_g};

use super::factor::{Factor, Pair};
use crate::{AdditiveShare, EcdsaCurve};

/// A scalar with its centred representative, which is what goes into Paillier.
pub(crate) struct Hidden<C: EcdsaCurve> {
    pub(crate) scalar: Secret<C::Scalar>,
    pub(crate) integer: SecretInteger,
}

impl<C: EcdsaCurve> Hidden<C> {
    pub(crate) fn new(scalar: C::Scalar) -> Self {
        Self { integer: centred::<C>(&scalar), scalar: Secret::new(scalar) }
    }
}

/// A signer's secrets of one presignature.
pub(crate) struct SignerSecrets<C: EcdsaCurve> {
    /// `λ_i·x_i`
    pub(crate) x: Hidden<C>,
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
        share: &AdditiveShare<C>,
        key: &EncryptionKey,
    ) -> Result<Self, Error> {
        let scalar = |purpose| draw_scalar::<C>(run, purpose);
        Ok(Self {
            x: Hidden::new(*share.secret().expose()),
            k: Hidden::new(scalar("k")?),
            gamma: Hidden::new(scalar("gamma")?),
            a: Secret::new(scalar("a")?),
            b: Secret::new(scalar("b")?),
            rho: Randomizer::random(&mut run.rng("rho"), key)?,
            nu: Randomizer::random(&mut run.rng("nu"), key)?,
        })
    }

    /// γ or x, to be multiplied with the k of the others.
    pub(crate) const fn factor(&self, factor: Factor) -> &SecretInteger {
        match factor {
            Factor::Gamma => &self.gamma.integer,
            Factor::Share => &self.x.integer,
        }
    }
}

/// A scalar other than zero, of its own stream.
pub(super) fn draw_scalar<C: EcdsaCurve>(
    run: &Run,
    purpose: &'static str,
) -> Result<C::Scalar, Error> {
    let drawn = random_nonzero_scalar::<C>(&mut run.rng(purpose));
    drawn.map_err(|_| quorate_bignum::Error::Randomness.into())
}

/// The mask of a product, before it is made.
pub(crate) struct Mask {
    /// `−β`, uniform in `±2^ℓ'`.
    pub(crate) y: SecretInteger,
    /// The randomizer of `D`.
    pub(crate) rho: Randomizer,
    /// The randomizer of `F`.
    pub(crate) rho_y: Randomizer,
    plain: [Plaintext; 2],
}

impl Mask {
    /// Draws a mask for a product with party `to`, when that party's k is known: two runs from one seed
    /// in which it differs have different masks.
    pub(crate) fn draw(
        run: &Run,
        factor: Factor,
        to: PartyId,
        [theirs, ours]: [&EncryptionKey; 2],
    ) -> Result<Self, Error> {
        let mut rng = run.rng_for(factor.name(), to);
        let y = SecretInteger::random_half_range(&mut rng, theirs.level().ell_prime());
        let rho = Randomizer::random(&mut rng, theirs)?;
        let rho_y = Randomizer::random(&mut rng, ours)?;
        let plain = [theirs.plaintext(&y), ours.plaintext(&y)];
        Ok(Self { y, rho, rho_y, plain })
    }

    /// The witness of Πaff-g for a product with `x`.
    pub(crate) const fn witness<'a>(&'a self, x: &'a SecretInteger) -> pi_aff_g::Witness<'a> {
        pi_aff_g::Witness { x, y: &self.y, rho: &self.rho, rho_y: &self.rho_y }
    }

    /// `D = x·K ⊕ enc_j(−β; ρ)` and `F = enc_i(−β; ρ_y)`, to be evaluated.
    pub(crate) fn products<'a>(
        &'a self,
        x: &'a SecretInteger,
        k: &'a Ciphertext,
        own: &'a DecryptionKey,
    ) -> Result<[SecretProduct<'a>; 2], Error> {
        let [for_d, for_f] = &self.plain;
        let d = k.key().affine(x, k, for_d, &self.rho)?;
        Ok([d, own.encryption(for_f, &self.rho_y)?])
    }
}

/// A product sent, with its mask.
pub(crate) struct Sent {
    pub(crate) mask: Mask,
    pub(crate) pair: Pair,
}
