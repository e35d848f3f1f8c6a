//! The algebra of the rounds, on values that have been decoded, to be read beside the paper.
//!
//! The module is public only with the feature `testing`. Callers use [`Dkg`](super::Dkg), which adds sessions,
//! echo, blame and the round of confirmation.

use alloc::vec::Vec;
use core::fmt;

use quorate_curve::{Curve, RandomnessError, Secret, random_nonzero_scalar};
use quorate_keys::{Committee, SecretShare, ShareState};
#[cfg(feature = "testing")]
use quorate_session::Parties;
use quorate_session::wire::Reader;
use quorate_session::{Fault, PartyId};
use quorate_sharing::{Commitment, Polynomial};
use rand_core::CryptoRng;

#[cfg(feature = "testing")]
use super::shares::wrong_dealers;
use super::types::DkgOutput;
#[cfg(feature = "testing")]
use super::types::DkgParams;
use crate::batch::{Item, all_hold};
use crate::bisect::bad_items;
use crate::error::DecodeError;
use crate::family::Frost;
#[cfg(feature = "testing")]
use crate::key::committee;
use crate::key::{KeyShare, PublicKeyPackage};
use crate::signature::{Signature, VerifyingKey};
use crate::suite::{KeySuite, Scalar, hash_to_scalar, identifier_bytes, point_len, scalar_len};
use crate::wire::{read_point, read_scalar};

/// A party's message of round 1: a commitment to its polynomial, and a Schnorr proof (R, z) that
/// it knows the constant.
#[derive(Clone, PartialEq, Eq)]
pub struct Announcement<S: KeySuite> {
    commitment: Commitment<S::Curve>,
    proof: Signature<S>,
}

impl<S: KeySuite> Announcement<S> {
    /// `φ_0 ‖ … ‖ φ_{t−1} ‖ R ‖ z`.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let points = self.commitment.len() + 1;
        let length = points.saturating_mul(point_len::<S>()).saturating_add(scalar_len::<S>());
        let mut bytes = Vec::with_capacity(length);
        self.commitment.encode_into(&mut bytes);
        bytes.extend_from_slice(self.proof.bytes.as_ref());
        bytes.extend_from_slice(S::Curve::encode_scalar(&self.proof.z).as_ref());
        bytes
    }

    /// Reads an announcement with exactly `threshold` coefficients, strictly.
    ///
    /// # Errors
    /// The [`Fault`] for which its sender is to blame.
    pub fn from_bytes(bytes: &[u8], threshold: usize) -> Result<Self, Fault> {
        let points = threshold.saturating_add(1).saturating_mul(point_len::<S>());
        if bytes.len() != points + scalar_len::<S>() {
            return Err(Fault::WrongLength);
        }
        let mut reader = Reader::new(bytes);
        let coefficients = threshold.saturating_mul(point_len::<S>());
        let coefficients = reader.bytes(coefficients)?;
        let commitment =
            Commitment::decode(coefficients, threshold).map_err(|_| Fault::InvalidPoint)?;
        let (r, bytes) = read_point::<S>(&mut reader).map_err(fault)?;
        let z = read_scalar::<S>(&mut reader).map_err(fault)?;
        Ok(Self { commitment, proof: Signature { r, bytes, z } })
    }

    /// Checks the proof of possession of party `id`, alone.
    ///
    /// # Errors
    /// [`Fault::InvalidProofOfPossession`].
    pub fn verify(&self, context: &[u8; 32], id: PartyId) -> Result<(), Fault> {
        match self.item(context, id) {
            Some(item) if all_hold(core::slice::from_ref(&item)) => Ok(()),
            _ => Err(Fault::InvalidProofOfPossession),
        }
    }

    /// The commitment to the polynomial.
    pub(super) fn commitment(&self) -> &Commitment<S::Curve> {
        &self.commitment
    }

    /// The proof as a signature by the constant.
    fn item(&self, context: &[u8; 32], id: PartyId) -> Option<Item<S>> {
        let key = VerifyingKey {
            point: *self.commitment.constant(),
            bytes: *self.commitment.bytes().first()?,
        };
        let challenge = challenge::<S>(context, id, &key, &self.proof.bytes);
        Some(Item { key, signature: self.proof, challenge })
    }
}

impl<S: KeySuite> fmt::Debug for Announcement<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Announcement").finish_non_exhaustive()
    }
}

fn fault(error: DecodeError) -> Fault {
    match error {
        DecodeError::BadPoint => Fault::InvalidPoint,
        DecodeError::BadScalar => Fault::InvalidScalar,
        _ => Fault::Malformed,
    }
}

/// c_i = H(i, Φ, φ_i0, R_i), Φ being the context of the session.
fn challenge<S: KeySuite>(
    context: &[u8; 32],
    id: PartyId,
    key: &VerifyingKey<S>,
    r: &crate::suite::PointBytes<S>,
) -> Scalar<S> {
    let id = identifier_bytes::<S>(id);
    hash_to_scalar::<S>("dkg", [context.as_slice(), id.as_ref(), key.bytes.as_ref(), r.as_ref()])
}

/// Making round 1: a polynomial, its commitment, and the proof of possession.
///
/// # Errors
/// [`RandomnessError`] if the generator gives zeros only.
pub fn part1<S: KeySuite>(
    me: PartyId,
    threshold: u16,
    context: &[u8; 32],
    rng: &mut impl CryptoRng,
) -> Result<(Polynomial<S::Curve>, Announcement<S>), RandomnessError> {
    let polynomial = Polynomial::<S::Curve>::random(threshold, rng)?;
    let commitment = polynomial.commit();
    let key = VerifyingKey {
        point: *commitment.constant(),
        bytes: S::Curve::encode_point(commitment.constant()),
    };
    let k = Secret::new(random_nonzero_scalar::<S::Curve>(rng)?);
    let r = S::Curve::mul_base(k.expose());
    let bytes = S::Curve::encode_point(&r);
    let c = challenge::<S>(context, me, &key, &bytes);
    let z = *k.expose() + *polynomial.constant() * c;
    Ok((polynomial, Announcement { commitment, proof: Signature { r, bytes, z } }))
}

/// Makes round 2: verifies the proofs of all others in one equation, and evaluates the party's own polynomial for
/// them.
///
/// # Errors
/// The parties whose proofs are wrong.
pub fn part2<S: KeySuite>(
    polynomial: &Polynomial<S::Curve>,
    context: &[u8; 32],
    announcements: &[(PartyId, Announcement<S>)],
    others: &[PartyId],
) -> Result<Secret<Vec<Scalar<S>>>, Vec<PartyId>> {
    let items: Vec<_> =
        announcements.iter().filter_map(|(id, one)| one.item(context, *id)).collect();
    if !all_hold(&items) {
        let liars = bad_items(items.len(), |part| items.get(part).is_some_and(all_hold));
        let name = |at: usize| announcements.get(at).map(|(id, _)| *id);
        return Err(liars.into_iter().filter_map(name).collect());
    }
    Ok(polynomial.evaluate_many(others))
}

/// Finishes: checks the shares received, adds up the party's own share, and computes every party's verifying
/// share from the commitments.
///
/// `own` is the value of the party's own polynomial at its own place. `announcements` are those of all parties,
/// including its own.
///
/// # Errors
/// The parties whose shares do not lie on the polynomials to which they committed. The list is empty if the
/// group's key or a party's share is zero. Nobody can be blamed for that, since all proofs and shares were right.
#[cfg(feature = "testing")]
pub fn part3<S: KeySuite>(
    me: PartyId,
    parties: &Parties,
    params: DkgParams<S>,
    own: &Secret<Scalar<S>>,
    announcements: &[(PartyId, Announcement<S>)],
    shares: &[(PartyId, Secret<Scalar<S>>)],
) -> Result<DkgOutput<S>, Vec<PartyId>> {
    let commitments = announcements.iter().map(|(_, one)| &one.commitment);
    let commitment = Commitment::sum(commitments).ok_or_else(Vec::new)?;
    let committee = committee(params.threshold, parties).map_err(|_| Vec::new())?;
    let Some(output) = finish::<S>(me, committee, commitment, added::<S>(own, shares)) else {
        return Err(wrong_dealers::<S>(me, shares, |dealer| {
            let announced = announcements.iter().find(|(id, _)| *id == dealer);
            announced.map(|(_, one)| &one.commitment)
        }));
    };
    output.ok_or_else(Vec::new)
}

/// The sum of the shares that a party holds.
pub(super) fn added<S: KeySuite>(
    own: &Secret<Scalar<S>>,
    shares: &[(PartyId, Secret<Scalar<S>>)],
) -> Secret<Scalar<S>> {
    let received = shares.iter().map(|(_, share)| *share.expose());
    Secret::make(|| received.fold(*own.expose(), |sum, share| sum + share))
}

/// The output, from the sum of all commitments and that of the shares; `None` if they do not fit, and no output if the
/// key or a share is zero.
pub(super) fn finish<S: KeySuite>(
    me: PartyId,
    committee: Committee,
    commitment: Commitment<S::Curve>,
    sum: Secret<Scalar<S>>,
) -> Option<Option<DkgOutput<S>>> {
    let fits = commitment.verify_share_vartime(me, sum.expose());
    fits.then(|| made(me, committee, commitment, sum))
}

/// The key of a commitment and this party's share of it, unconfirmed: with even y where the suite
/// wants that, then with the suite's default tweak, if it has one. `None` if the key or a share of it
/// is zero, or the tweak is out of range.
fn made<S: KeySuite>(
    me: PartyId,
    committee: Committee,
    commitment: Commitment<S::Curve>,
    sum: Secret<Scalar<S>>,
) -> Option<DkgOutput<S>> {
    let (public, negated) = PublicKeyPackage::from_commitment(committee, 0, commitment).ok()?;
    let secret = if negated { Secret::make(|| -*sum.expose()) } else { sum };
    let share = SecretShare::new(me, public.shared(), secret, ShareState::Unconfirmed).ok()?;
    let Some(tweak) = S::default_tweak(&public.key.bytes).ok()? else {
        return Some(DkgOutput { share: KeyShare::from_shared(share, public.shared()), public });
    };
    let shifted = public.shared().shift::<Frost<S>>(&tweak, ()).ok()?;
    let share = KeyShare::from_shared(share.shift(&shifted).ok()?, shifted.key());
    Some(DkgOutput { share, public: PublicKeyPackage::from_shared(shifted.into_key()) })
}
