//! What presigning yields.

use alloc::vec::Vec;
use core::fmt;

use quorate_curve::Secret;
use quorate_session::{Parties, PartyId, Run, Transcript};
use quorate_zk::scalar;

use super::PresignatureId;
use super::round3::{AwaitingSums, Round3Broadcast};
use crate::{EcdsaCurve, KeyInfo, VerifyingKey};

/// What is public of a presignature, the same at all of its signers: enough to verify their shares
/// of a signature, and to put them together.
///
/// Whoever sees it knows the nonce point before the message is chosen; that is why messages are
/// hashed here ([`MessageDigest`](crate::MessageDigest)) and the key is fixed.
#[derive(Clone, PartialEq, Eq)]
pub struct PresignatureInfo<C: EcdsaCurve> {
    id: PresignatureId,
    digest: [u8; 32],
    signers: Parties,
    key: VerifyingKey<C>,
    epoch: u32,
    /// A digest of the key's info: its shares and its chain code.
    key_info: [u8; 32],
    /// The context of the run that made it.
    context: [u8; 32],
    /// Γ, the nonce point, and r.
    nonce: C::Point,
    r: C::Scalar,
    /// `Δ̃_j = Δ_j/δ`, in the order of the signers.
    k_points: Vec<C::Point>,
    /// `S̃_j = S_j/δ`, in the order of the signers.
    chi_points: Vec<C::Point>,
}

/// The parts of a [`PresignatureInfo`] that are not worked out from others.
pub(super) struct Parts<C: EcdsaCurve> {
    pub(super) signers: Parties,
    pub(super) key: VerifyingKey<C>,
    pub(super) epoch: u32,
    pub(super) key_info: [u8; 32],
    pub(super) context: [u8; 32],
    pub(super) nonce: C::Point,
    pub(super) k_points: Vec<C::Point>,
    pub(super) chi_points: Vec<C::Point>,
}

impl<C: EcdsaCurve> PresignatureInfo<C> {
    /// Takes the parts if they belong together: `ΣΔ̃_j = G` and `ΣS̃_j = X`, which is what
    /// `δG = ΣΔ_j` and `δX = ΣS_j` of Figure 8 are after division by δ; no point the identity, r
    /// not zero.
    pub(super) fn new(parts: Parts<C>) -> Option<Self> {
        let Parts { signers, key, epoch, key_info, context, nonce, k_points, chi_points } = parts;
        let (r, _) = C::r_vartime(&nonce)?;
        let sum = |points: &[C::Point]| {
            let complete = points.len() == signers.len() && !points.iter().any(C::is_identity);
            complete.then(|| points.iter().fold(C::identity(), |sum, point| sum + *point))
        };
        if sum(&k_points)? != C::generator() || sum(&chi_points)? != *key.point() {
            return None;
        }
        let id = PresignatureId::new(&context, 0);
        let mut transcript = Transcript::new("quorate-cggmp presignature");
        transcript.append("curve", C::NAME.as_bytes());
        transcript.append("name", &id.0);
        transcript.append_list("signers", signers.iter().map(|party| party.get().to_be_bytes()));
        transcript.append("key", key.as_bytes());
        transcript.append_u64("epoch", epoch.into());
        transcript.append("key info", &key_info);
        transcript.append("nonce", &C::encode_point(&nonce));
        transcript.append_list("k", C::encode_points(&k_points));
        transcript.append_list("chi", C::encode_points(&chi_points));
        let digest = transcript.finish32();
        Some(Self {
            id,
            digest,
            signers,
            key,
            epoch,
            key_info,
            context,
            nonce,
            r,
            k_points,
            chi_points,
        })
    }

    /// Figure 8, output: from what everybody broadcast, and the inverse of δ.
    pub(crate) fn of_sums(
        context: [u8; 32],
        signers: &Parties,
        key: &KeyInfo<C>,
        nonce: C::Point,
        sums: &[(PartyId, Round3Broadcast<C>)],
        inverse: &C::Scalar,
    ) -> Option<Self> {
        let scaled = |part: fn(&Round3Broadcast<C>) -> C::Point| {
            sums.iter().map(|(_, one)| C::msm_vartime(&[*inverse], &[part(one)])).collect()
        };
        Self::new(Parts {
            signers: signers.clone(),
            key: *key.verifying_key(),
            epoch: key.epoch(),
            key_info: key.digest(),
            context,
            nonce,
            k_points: scaled(|one| one.big_delta),
            chi_points: scaled(|one| one.s),
        })
    }

    /// The name, the same at all signers.
    #[must_use]
    pub const fn id(&self) -> PresignatureId {
        self.id
    }

    /// A digest of everything here: two presignatures of one [name](Self::id) are the same if their
    /// digests are.
    ///
    /// They differ if signers of the run ended it with different points, which takes a corrupt
    /// signer and a session that was restored from an old state.
    #[must_use]
    pub const fn digest(&self) -> &[u8; 32] {
        &self.digest
    }

    /// The signers. All of them have to take part.
    #[must_use]
    pub const fn signers(&self) -> &Parties {
        &self.signers
    }

    /// The key that a signature will verify under.
    #[must_use]
    pub const fn verifying_key(&self) -> &VerifyingKey<C> {
        &self.key
    }

    /// The epoch of the shares that it was made with.
    #[must_use]
    pub const fn epoch(&self) -> u32 {
        self.epoch
    }

    /// Whether it was made with the shares of this key.
    #[must_use]
    pub fn is_of(&self, key: &KeyInfo<C>) -> bool {
        self.key == *key.verifying_key()
            && self.epoch == key.epoch()
            && self.key_info == key.digest()
    }

    /// Γ
    pub(crate) const fn nonce(&self) -> &C::Point {
        &self.nonce
    }

    pub(crate) const fn r(&self) -> &C::Scalar {
        &self.r
    }

    pub(super) const fn key_info(&self) -> &[u8; 32] {
        &self.key_info
    }

    pub(super) const fn context(&self) -> &[u8; 32] {
        &self.context
    }

    /// `Δ̃_j, S̃_j` of every signer.
    pub(crate) fn points(&self) -> impl Iterator<Item = (PartyId, [&C::Point; 2])> {
        let pairs = self.k_points.iter().zip(&self.chi_points);
        self.signers.iter().zip(pairs.map(|(k, chi)| [k, chi]))
    }
}

impl<C: EcdsaCurve> fmt::Debug for PresignatureInfo<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PresignatureInfo")
            .field("id", &self.id)
            .field("key", &self.key)
            .field("signers", &self.signers)
            .finish_non_exhaustive()
    }
}

/// One signer's part of a presignature: all that a signature takes but the message.
///
/// **It signs once.** Two messages signed with one presignature give the key away, so it is consumed
/// by [`claim`](Self::claim), and neither `Clone` nor printable. Where it is stored
/// ([`Presignatures`](crate::Presignatures)), a copy can be restored; the record of its
/// [`Claim`](crate::Claim) is what keeps it from being spent twice.
///
/// There are no two of it:
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
/// # use quorate_cggmp::{KeyShare, Presignature, Secp256k1 as C};
/// # fn twice(one: Presignature<C>, key: &KeyShare<C>) {
/// let first = one.claim(key, b"first");
/// let second = one.claim(key, b"second");
/// # }
/// ```
///
/// A digest made elsewhere is not taken:
///
/// ```compile_fail,E0277
/// # use quorate_cggmp::{KeyShare, Presignature, RawDigest, Secp256k1 as C};
/// # fn raw(one: Presignature<C>, key: &KeyShare<C>, digest: RawDigest) {
/// let claim = one.claim(key, digest);
/// # }
/// ```
///
/// The public side of a key does not spend it: somebody may have kept that of an epoch that is over.
///
/// ```compile_fail,E0308
/// # use quorate_cggmp::{KeyInfo, Presignature, Secp256k1 as C};
/// # fn public(one: Presignature<C>, key: &KeyInfo<C>) {
/// let claim = one.claim(key, b"message");
/// # }
/// ```
pub struct Presignature<C: EcdsaCurve> {
    party: PartyId,
    info: PresignatureInfo<C>,
    /// `k̃_i = k_i/δ`
    k: Secret<C::Scalar>,
    /// `χ̃_i = χ_i/δ`
    chi: Secret<C::Scalar>,
}

impl<C: EcdsaCurve> Presignature<C> {
    /// Figure 8, output: Γ, k̃ = k_i/δ, χ̃ = χ_i/δ, `Δ̃_j = Δ_j/δ`, `S̃_j = S_j/δ`.
    pub(super) fn new(
        three: &AwaitingSums<C>,
        delta: &C::Scalar,
        sums: &[(PartyId, Round3Broadcast<C>)],
        run: &Run,
    ) -> Option<Self> {
        let env = &three.two.env;
        let inverse = C::invert(delta);
        let (key, nonce) = (env.key.info(), three.gamma);
        let info =
            PresignatureInfo::of_sums(run.context(), run.parties(), key, nonce, sums, &inverse)?;
        let chi = Secret::new(scalar::<C>(&three.chi));
        let k = Secret::new(inverse * *three.two.secrets.k.scalar.expose());
        Self::checked(run.me(), info, k, Secret::new(inverse * *chi.expose()))
    }

    /// Takes the secrets if they are those of the public points.
    pub(super) fn checked(
        party: PartyId,
        info: PresignatureInfo<C>,
        k: Secret<C::Scalar>,
        chi: Secret<C::Scalar>,
    ) -> Option<Self> {
        let [k_point, chi_point] = info.points().find(|(id, _)| *id == party)?.1;
        let of = |secret: &Secret<C::Scalar>| C::mul(&info.nonce, secret.expose());
        (of(&k) == *k_point && of(&chi) == *chi_point).then_some(())?;
        Some(Self { party, info, k, chi })
    }

    /// The name, the same at all signers.
    #[must_use]
    pub const fn id(&self) -> PresignatureId {
        self.info.id()
    }

    /// The signer whose part this is.
    #[must_use]
    pub const fn party(&self) -> PartyId {
        self.party
    }

    /// What is public of it.
    #[must_use]
    pub const fn info(&self) -> &PresignatureInfo<C> {
        &self.info
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
