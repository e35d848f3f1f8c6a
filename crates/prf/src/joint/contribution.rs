//! Round one: a share of the evaluation, and commitments to two nonces in every base.

use alloc::vec::Vec;
use core::fmt;

use quorate_curve::{Curve, Secret};
use quorate_declassify::declassify_slice;
use quorate_frost::{DecodeError, KeyShare, Scalar};
use quorate_session::wire::Reader;
use quorate_session::{PartyId, Transcript};
use rand_core::CryptoRng;

use super::Provable;
use crate::error::EvaluateError;
use crate::evaluation::EvaluationShare;
use crate::nonce::hedged;
use crate::query::Query;
use crate::wire::{CONTRIBUTION, Encoded, from_sender, label, point_len};

/// A party's secret nonces (d, e) for one joint proof.
///
/// They are spent by value: by [`ProofPackage::prove`](super::ProofPackage::prove), or by dropping them. They cannot be
/// copied, stored or printed.
pub struct ProofNonces<K: Provable> {
    pub(super) hiding: Secret<Scalar<K>>,
    pub(super) binding: Secret<Scalar<K>>,
    /// The contribution that they belong to.
    pub(super) digest: [u8; 32],
}

impl<K: Provable> fmt::Debug for ProofNonces<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProofNonces").finish_non_exhaustive()
    }
}

/// A party's message of round one.
#[derive(Clone, PartialEq, Eq)]
pub struct Contribution<K: Provable> {
    pub(super) share: EvaluationShare<K>,
    /// D = d·G and E = e·G.
    pub(super) commits: [Encoded<K>; 2],
    /// d·H and e·H for each point H of the query, d first.
    pub(super) multiples: Vec<[Encoded<K>; 2]>,
}

impl<K: Provable> Query<K> {
    /// Round one of a joint proof: this party's share of the evaluation, and commitments to fresh nonces.
    ///
    /// The nonces hash 32 bytes of `rng` each, with the key share and the query.
    ///
    /// # Errors
    /// [`EvaluateError`].
    pub fn contribute(
        &self,
        key: &KeyShare<K>,
        rng: &mut impl CryptoRng,
    ) -> Result<(ProofNonces<K>, Contribution<K>), EvaluateError> {
        let share = self.evaluate(key, rng)?;
        let secret = key.secret_share().secret();
        let purpose = || {
            let mut transcript = Transcript::new("quorate-prf joint proof");
            transcript.append("kind", K::CONTEXT.as_bytes());
            transcript.append("query", &self.digest);
            transcript.append_u64("party", key.id().get().into());
            transcript
        };
        let hiding = hedged::<K>(purpose(), "d", secret, rng);
        let binding = hedged::<K>(purpose(), "e", secret, rng);
        let mut points = Vec::with_capacity(self.bases.len().saturating_add(1).saturating_mul(2));
        let nonces = [&hiding, &binding];
        points.extend(nonces.map(|nonce| K::Curve::mul_base(nonce.expose())));
        for base in &self.bases {
            points.extend(nonces.map(|nonce| K::Curve::mul(&base.point, nonce.expose())));
        }
        // Sent to the others.
        declassify_slice(&mut points);
        let encoded = Encoded::each(&points);
        let mut pairs = encoded.as_chunks::<2>().0.iter().copied();
        let generator = Encoded::new(K::Curve::generator());
        let commits = pairs.next().unwrap_or([generator; 2]);
        let contribution = Contribution { share, commits, multiples: pairs.collect() };
        let digest = contribution.digest();
        Ok((ProofNonces { hiding, binding, digest }, contribution))
    }
}

impl<K: Provable> Contribution<K> {
    /// The party.
    #[must_use]
    pub const fn id(&self) -> PartyId {
        self.share.id()
    }

    /// The party's share of the evaluation.
    #[must_use]
    pub const fn evaluation_share(&self) -> &EvaluationShare<K> {
        &self.share
    }

    /// A digest of everything in it.
    pub(super) fn digest(&self) -> [u8; 32] {
        let mut body = Vec::with_capacity(Self::body_len(self.multiples.len()));
        self.put(&mut body);
        let mut transcript = Transcript::new("quorate-prf contribution");
        transcript.append("kind", K::CONTEXT.as_bytes());
        transcript.append("body", &body);
        transcript.finish32()
    }

    /// The share of the evaluation ‖ D ‖ E ‖ for each point d·H ‖ e·H
    pub(super) fn body_len(elements: usize) -> usize {
        let points = elements.saturating_add(1).saturating_mul(2).saturating_mul(point_len::<K>());
        points.saturating_add(EvaluationShare::<K>::body_len(elements))
    }

    pub(super) fn put(&self, bytes: &mut Vec<u8>) {
        self.share.put(bytes);
        self.commits.iter().chain(self.multiples.as_flattened()).for_each(|point| point.put(bytes));
    }

    /// The contribution in its sent form.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let length = Self::body_len(self.multiples.len());
        label::<K>(CONTRIBUTION).encode_into(&mut bytes, length, |bytes| self.put(bytes));
        bytes
    }

    /// Reads a contribution that `sender` sent, strictly: no commitment is the identity. The **authenticated** transport
    /// names the sender.
    ///
    /// # Errors
    /// A [`DecodeError`] if the form is not canonical, or if it is in another party's name. Either is the sender's fault,
    /// unless it is another kind of object, or one of another suite or release.
    pub fn from_bytes(sender: PartyId, bytes: &[u8]) -> Result<Self, DecodeError> {
        let read = label::<K>(CONTRIBUTION).read::<_, DecodeError>(bytes, Self::read)?;
        from_sender(sender, read.share.id, read)
    }

    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let share = EvaluationShare::read(reader)?;
        let pair = |reader: &mut Reader<'_>| Ok([Encoded::read(reader)?, Encoded::read(reader)?]);
        let commits = pair(reader)?;
        let count = share.points.len();
        reader.expect(count, point_len::<K>().saturating_mul(2))?;
        let multiples = (0..count).map(|_| pair(reader)).collect::<Result<_, DecodeError>>()?;
        Ok(Self { share, commits, multiples })
    }
}

impl<K: Provable> fmt::Debug for Contribution<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Contribution").field("share", &self.share).finish_non_exhaustive()
    }
}
