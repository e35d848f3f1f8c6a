//! The result of presigning.

use alloc::vec::Vec;
use core::fmt;

use quorate_curve::Secret;
use quorate_keys::{Mismatch, PackageId};
use quorate_session::{Parties, PartyId, PerParty, Transcript};

use super::id::{MAX_PRESIGNATURES, PresignatureId};
use super::view::View;
use crate::{Ecdsa, EcdsaCurve, PublicKeyPackage, VerifyingKey};

/// The public side of a presignature, equal at all of its signers: enough to verify their shares
/// of a signature, and to aggregate them.
///
/// The point Γ in it is known before message and key are chosen, so it is not the nonce point of any signature: that is
/// Γ times a hash of what is signed (see [`sign`](crate::sign)).
#[derive(Clone, PartialEq, Eq)]
pub struct PresignatureInfo<C: EcdsaCurve> {
    id: PresignatureId,
    digest: [u8; 32],
    parts: Parts<C>,
}

/// The parts of a [`PresignatureInfo`] from which the others are computed.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Parts<C: EcdsaCurve> {
    pub(super) signers: Parties,
    pub(super) key: VerifyingKey<C>,
    /// The key in the epoch of the shares that it was made with.
    pub(super) package: PackageId,
    /// The context of the run that made it.
    pub(super) context: [u8; 32],
    /// The index among the presignatures of the run.
    pub(super) index: u32,
    /// Γ, which every nonce point is a multiple of.
    pub(super) nonce: C::Point,
    /// `Δ̃_j = Δ_j/δ` and `S̃_j = S_j/δ`.
    pub(super) points: PerParty<[C::Point; 2]>,
}

impl<C: EcdsaCurve> PresignatureInfo<C> {
    /// Takes the parts if they belong together: `ΣΔ̃_j = G` and `ΣS̃_j = X`, which is what
    /// `δG = ΣΔ_j` and `δX = ΣS_j` of Figure 8 are after division by δ; no point the identity.
    pub(super) fn new(parts: Parts<C>) -> Option<Self> {
        let Parts { signers, key, package, context, index, nonce, points } = &parts;
        let (k, chi): (Vec<_>, Vec<_>) = points.values().map(|[k, chi]| (*k, *chi)).unzip();
        let sum = |points: &[C::Point]| {
            let complete = points.len() == signers.len() && !points.iter().any(C::is_identity);
            complete.then(|| points.iter().fold(C::identity(), |sum, point| sum + *point))
        };
        let of_key = package.names_key::<Ecdsa<C>>(key.as_bytes());
        if !of_key
            || *index >= u32::from(MAX_PRESIGNATURES)
            || C::is_identity(nonce)
            || sum(&k)? != C::generator()
            || sum(&chi)? != *key.point()
        {
            return None;
        }
        let id = PresignatureId::new(*context, *index);
        let mut transcript = Transcript::new("quorate-cggmp presignature");
        transcript.append("family", C::FAMILY.as_bytes());
        transcript.append("name", &id.name());
        transcript.append_list("signers", signers.iter().map(|party| party.get().to_be_bytes()));
        transcript.append("key", key.as_bytes());
        transcript.append_u64("epoch", package.epoch().into());
        transcript.append("package", &package.digest());
        transcript.append("nonce", &C::encode_point(nonce));
        transcript.append_list("k", C::encode_points(&k));
        transcript.append_list("chi", C::encode_points(&chi));
        Some(Self { id, digest: transcript.finish32(), parts })
    }

    /// Figure 8, output: `Δ̃_j = Δ_j/δ` and `S̃_j = S_j/δ`, from the sums in view of one presignature.
    pub(crate) fn from_view(view: &View<C>, index: usize) -> Option<Self> {
        let inverse = C::invert(&view.delta(index));
        let scaled = |point| C::msm_vartime(&[inverse], &[point]);
        let points =
            view.sums(index).map(|(party, sums)| (party, [sums.big_delta, sums.s].map(scaled)));
        Self::new(Parts {
            signers: view.signers().clone(),
            key: *view.key.verifying_key(),
            package: view.key.package_id(),
            context: view.binding.context,
            index: index.try_into().ok()?,
            nonce: view.gamma(index),
            points: points.collect(),
        })
    }

    /// The name, equal at all signers.
    #[must_use]
    pub const fn id(&self) -> PresignatureId {
        self.id
    }

    /// A digest of everything here: two presignatures of one [name](Self::id) are the same if their
    /// digests are.
    ///
    /// The digests differ if signers of the run ended it with different points. That takes a corrupt
    /// signer and a session that was restored from an old state.
    #[must_use]
    pub const fn digest(&self) -> &[u8; 32] {
        &self.digest
    }

    /// The signers. All of them have to take part.
    #[must_use]
    pub const fn signers(&self) -> &Parties {
        &self.parts.signers
    }

    /// The key that it was made for, which it serves with all descendants.
    #[must_use]
    pub const fn verifying_key(&self) -> &VerifyingKey<C> {
        &self.parts.key
    }

    /// The name of the key, in the epoch of the shares that it was made with.
    #[must_use]
    pub const fn package_id(&self) -> PackageId {
        self.parts.package
    }

    /// Checks that it was made with shares of this key, in this epoch.
    ///
    /// # Errors
    /// The [`Mismatch`], by name.
    pub fn check_belongs_to(&self, key: &PublicKeyPackage<C>) -> Result<(), Mismatch> {
        self.package_id().check_belongs_to(&key.package_id())
    }

    /// Γ
    pub(crate) const fn nonce(&self) -> &C::Point {
        &self.parts.nonce
    }

    pub(super) const fn parts(&self) -> &Parts<C> {
        &self.parts
    }

    /// `Δ̃_j, S̃_j` of a signer.
    pub(crate) fn signer_points(&self, signer: PartyId) -> Option<&[C::Point; 2]> {
        self.parts.points.get(signer)
    }
}

/// The digest of the results of a run, from those of its presignatures by ascending index.
pub(super) fn results_digest<'d>(
    run: &[u8; 32],
    digests: impl IntoIterator<Item = &'d [u8; 32]>,
) -> [u8; 32] {
    let mut transcript = Transcript::new("quorate-cggmp presigning results");
    transcript.append("context", run);
    transcript.append_list("presignatures", digests);
    transcript.finish32()
}

impl<C: EcdsaCurve> fmt::Debug for PresignatureInfo<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PresignatureInfo")
            .field("id", &self.id)
            .field("key", &self.parts.key)
            .field("signers", &self.parts.signers)
            .finish_non_exhaustive()
    }
}

/// One signer's part of a presignature. A signature takes this, the message, and the path from the key to
/// the descendant that signs.
///
/// **It signs once.** Two signatures with one presignature give the key away, so it is consumed
/// by [`claim`](Self::claim), and neither `Clone` nor printable. Where it is stored
/// ([`Presignatures`](crate::Presignatures)), a copy can be restored; the record of its
/// [`Claim`](crate::Claim) keeps it from being spent twice.
///
/// A presignature cannot be cloned:
///
/// ```compile_fail,E0599
/// # fn twice(one: quorate_cggmp::Presignature<quorate_cggmp::Secp256k1>) {
/// let copy = one.clone();
/// # }
/// ```
///
/// and none is left after a claim:
///
/// ```compile_fail,E0382
/// # use quorate_cggmp::{DerivationPath, KeyShare, MessageDigest, Presignature, Secp256k1 as C};
/// # fn twice(one: Presignature<C>, key: &KeyShare<C>, path: &DerivationPath) {
/// let first = one.claim(key, path, MessageDigest::sha256(b"first"));
/// let second = one.claim(key, path, MessageDigest::sha256(b"second"));
/// # }
/// ```
///
/// A digest made elsewhere is not taken for a message, and bytes are not hashed silently:
///
/// ```compile_fail,E0308
/// # use quorate_cggmp::{DerivationPath, KeyShare, Presignature, RawDigest, Secp256k1 as C};
/// # fn raw(one: Presignature<C>, key: &KeyShare<C>, path: &DerivationPath, digest: RawDigest) {
/// let claim = one.claim(key, path, digest);
/// # }
/// ```
///
/// ```compile_fail,E0308
/// # use quorate_cggmp::{DerivationPath, KeyShare, Presignature, Secp256k1 as C};
/// # fn bytes(one: Presignature<C>, key: &KeyShare<C>, path: &DerivationPath) {
/// let claim = one.claim(key, path, b"message");
/// # }
/// ```
///
/// The public side of a key does not spend it, since anyone may have kept that of an earlier epoch:
///
/// ```compile_fail,E0308
/// # use quorate_cggmp::{DerivationPath, MessageDigest, PublicKeyPackage, Presignature, Secp256k1 as C};
/// # fn public(one: Presignature<C>, key: &PublicKeyPackage<C>, path: &DerivationPath, digest: MessageDigest) {
/// let claim = one.claim(key, path, digest);
/// # }
/// ```
///
/// The caller cannot pass a tweak: the signer derives it from its own key and a path.
///
/// ```compile_fail,E0308
/// # use quorate_cggmp::{Derived, KeyShare, MessageDigest, Presignature, Secp256k1 as C};
/// # fn tweaked(one: Presignature<C>, key: &KeyShare<C>, child: &Derived<C>, digest: MessageDigest) {
/// let claim = one.claim(key, child, digest);
/// # }
/// ```
pub struct Presignature<C: EcdsaCurve> {
    party: PartyId,
    info: PresignatureInfo<C>,
    /// The digest of all results of its run.
    results: [u8; 32],
    /// `k̃_i = k_i/δ`
    k: Secret<C::Scalar>,
    /// `χ̃_i = χ_i/δ`
    chi: Secret<C::Scalar>,
}

impl<C: EcdsaCurve> Presignature<C> {
    /// Takes the secrets if they are those of the public points.
    pub(super) fn checked(
        party: PartyId,
        info: PresignatureInfo<C>,
        results: [u8; 32],
        k: Secret<C::Scalar>,
        chi: Secret<C::Scalar>,
    ) -> Option<Self> {
        Self::known(party, info, results, k, chi).check()
    }

    /// Takes the secrets for those of the public points.
    pub(super) const fn known(
        party: PartyId,
        info: PresignatureInfo<C>,
        results: [u8; 32],
        k: Secret<C::Scalar>,
        chi: Secret<C::Scalar>,
    ) -> Self {
        Self { party, info, results, k, chi }
    }

    /// Returns it if the secrets are those of the public points.
    pub(super) fn check(self) -> Option<Self> {
        let [k_point, chi_point] = self.info.signer_points(self.party)?;
        let point = |secret: &Secret<C::Scalar>| C::mul(self.info.nonce(), secret.expose());
        let right = point(&self.k) == *k_point && point(&self.chi) == *chi_point;
        right.then_some(self)
    }

    /// The name, equal at all signers.
    #[must_use]
    pub const fn id(&self) -> PresignatureId {
        self.info.id()
    }

    /// The signer whose part this is.
    #[must_use]
    pub const fn party_id(&self) -> PartyId {
        self.party
    }

    /// The public side of it.
    #[must_use]
    pub const fn info(&self) -> &PresignatureInfo<C> {
        &self.info
    }

    /// A digest of all results of the run that made it. Signers whose lists differ in it hold nothing of the run in
    /// common: one of them has restored a session, and ended it differently.
    #[must_use]
    pub const fn results(&self) -> &[u8; 32] {
        &self.results
    }

    pub(crate) const fn k(&self) -> &Secret<C::Scalar> {
        &self.k
    }

    pub(crate) const fn chi(&self) -> &Secret<C::Scalar> {
        &self.chi
    }
}

impl<C: EcdsaCurve> fmt::Debug for Presignature<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Presignature").finish_non_exhaustive()
    }
}
