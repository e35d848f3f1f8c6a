//! The re-randomisation of a presignature for the one message and key that it is spent on.
//!
//! With a tweak e, zero for the key itself, and the child key X' = X + eG:
//!
//! - ρ = H(presignature, e, X', message), a number modulo q;
//! - Γ' = ρΓ, r' = x(Γ');
//! - k̃'_i = k̃_i/ρ, χ̃'_i = (χ̃_i + e·k̃_i)/ρ, so σ_i = ((m + r'e)·k̃_i + r'·χ̃_i)/ρ;
//! - k̃'_jΓ' = Δ̃_j, χ̃'_jΓ' = S̃_j + eΔ̃_j, so `σ_jΓ' = (m + r'e)Δ̃_j + r'S̃_j`.
//!
//! The argument is in `docs/spec/arguments-ecdsa.md` (*Re-randomised presignatures*).

use quorate_curve::Secret;
use quorate_session::Transcript;
use zeroize::Zeroizing;

use crate::hd::sealed::Tweaked;
use crate::signature::RecoveryId;
use crate::{EcdsaCurve, Presignature, PresignatureInfo, RawDigest, Signature, VerifyingKey};

/// The nonce of one signature, with the message and the key that it is for.
pub(crate) struct Rerandomized<C: EcdsaCurve> {
    digest: RawDigest,
    /// e. A secret of the signers, if the child is hardened.
    tweak: Secret<C::Scalar>,
    key: VerifyingKey<C>,
    /// Γ'
    nonce: C::Point,
    /// r'
    r: C::Scalar,
    recovery: RecoveryId,
    /// ρ
    rho: C::Scalar,
}

impl<C: EcdsaCurve> Rerandomized<C> {
    /// `None` if ρ or r' is zero, a chance of 2^-255.
    pub(crate) fn new(
        info: &PresignatureInfo<C>,
        child: &impl Tweaked<C>,
        digest: RawDigest,
    ) -> Option<Self> {
        let tweak = Secret::make(|| *child.tweak());
        Self::of(info, tweak, *child.child(), digest)
    }

    /// For the key that the presignature was made for.
    pub(crate) fn untweaked(info: &PresignatureInfo<C>, digest: RawDigest) -> Option<Self> {
        Self::of(info, Secret::new(C::Scalar::default()), *info.verifying_key(), digest)
    }

    fn of(
        info: &PresignatureInfo<C>,
        tweak: Secret<C::Scalar>,
        key: VerifyingKey<C>,
        digest: RawDigest,
    ) -> Option<Self> {
        let rho = randomizer(info, tweak.expose(), &key, &digest);
        Self::with(&rho, info.nonce(), tweak, key, digest)
    }

    /// Variable time: ρ and Γ are public, and ρ is a hash.
    fn with(
        rho: &C::Scalar,
        nonce: &C::Point,
        tweak: Secret<C::Scalar>,
        key: VerifyingKey<C>,
        digest: RawDigest,
    ) -> Option<Self> {
        let nonce = C::msm_vartime(&[*rho], &[*nonce]);
        // ρ ≠ 0, since Γ' ≠ O; r' ≠ 0.
        let (r, recovery) = C::r_vartime(&nonce)?;
        Some(Self { digest, tweak, key, nonce, r, recovery, rho: *rho })
    }

    pub(crate) const fn digest(&self) -> &RawDigest {
        &self.digest
    }

    /// X'
    pub(crate) const fn key(&self) -> &VerifyingKey<C> {
        &self.key
    }

    /// A digest of everything that the share of a signature depends on.
    pub(super) fn record(&self, info: &PresignatureInfo<C>) -> [u8; 32] {
        let mut transcript = Transcript::new("quorate-cggmp claim");
        append(&mut transcript, info, self.tweak.expose(), &self.key, &self.digest);
        transcript.finish32()
    }

    /// m + r'e, by which k̃_i is multiplied.
    fn factor(&self) -> C::Scalar {
        self.digest.scalar::<C>() + self.r * *self.tweak.expose()
    }

    /// Figure 10 with k̃' and χ̃': σ_i = k̃'_i·m + r'·χ̃'_i.
    pub(super) fn sigma(&self, presignature: &Presignature<C>) -> C::Scalar {
        let (k, chi) = (presignature.k().expose(), presignature.chi().expose());
        C::invert(&self.rho) * (*k * self.factor() + *chi * self.r)
    }

    /// Figure 10: `σ_jΓ' = mΔ̃_j + r'(S̃_j + eΔ̃_j)`, given `Δ̃_j` and `S̃_j`.
    pub(super) fn holds(&self, [k, chi]: &[C::Point; 2], sigma: &C::Scalar) -> bool {
        // The factor tells a secret tweak.
        let secret = C::mul(k, &self.factor());
        C::msm_vartime(&[*sigma, -self.r], &[self.nonce, *chi]) == secret
    }

    /// The signature with this s, if it verifies: if the point of which a verifier takes r is Γ'. No coordinate has to be computed. With −s
    /// it would be −Γ', and the recovery id a wrong one: no honest shares have that sum.
    pub(super) fn signature(&self, s: &C::Scalar) -> Option<Signature<C>> {
        let signature = Signature::normalised(self.r, *s, Some(self.recovery))?;
        let inverse = C::invert(s);
        let scalars = [inverse * self.digest.scalar::<C>(), inverse * self.r];
        let nonce = C::msm_vartime(&scalars, &[C::generator(), *self.key.point()]);
        (nonce == self.nonce).then_some(signature)
    }
}

/// ρ
fn randomizer<C: EcdsaCurve>(
    info: &PresignatureInfo<C>,
    tweak: &C::Scalar,
    key: &VerifyingKey<C>,
    digest: &RawDigest,
) -> C::Scalar {
    let mut transcript = Transcript::new("quorate-cggmp re-randomisation");
    append(&mut transcript, info, tweak, key, digest);
    C::scalar_from_wide(&transcript.finish())
}

/// The presignature, and the tweak, key and message on which it is spent. The digest of the presignature covers the
/// signers, X, epoch and shares of the key, Γ, and all `Δ̃_j` and `S̃_j`.
fn append<C: EcdsaCurve>(
    transcript: &mut Transcript,
    info: &PresignatureInfo<C>,
    tweak: &C::Scalar,
    key: &VerifyingKey<C>,
    digest: &RawDigest,
) {
    transcript.append("curve", C::NAME.as_bytes());
    transcript.append("name", &info.id().name());
    transcript.append("presignature", info.digest());
    // A secret, if the child is hardened.
    transcript.append("tweak", Zeroizing::new(C::encode_scalar(tweak)).as_ref());
    transcript.append("key", key.as_bytes());
    transcript.append("message", digest.as_bytes());
}

#[cfg(test)]
mod tests {
    use quorate_curve::{Curve as _, P256, Secp256k1, Secret};

    use super::Rerandomized;
    use crate::{EcdsaCurve, RawDigest, VerifyingKey};

    fn with<C: EcdsaCurve>(rho: u64, nonce: &C::Point) -> Option<Rerandomized<C>> {
        let (rho, tweak) = (C::Scalar::from(rho), Secret::new(C::Scalar::from(5)));
        let key = VerifyingKey::new(C::generator())?;
        Rerandomized::with(&rho, nonce, tweak, key, RawDigest::of_message::<C>(b"message"))
    }

    #[test]
    fn neither_rho_nor_r_is_zero() {
        assert!(with::<Secp256k1>(0, &Secp256k1::generator()).is_none());
        assert!(with::<Secp256k1>(1, &Secp256k1::generator()).is_some());
        assert!(with::<P256>(0, &P256::generator()).is_none());
        // P-256 has points with x = 0.
        let mut bytes = [0; 33];
        bytes[0] = 2;
        let zero = P256::decode_point(&bytes).unwrap();
        assert!(with::<P256>(1, &zero).is_none());
        assert!(with::<P256>(2, &zero).is_some());
    }
}
