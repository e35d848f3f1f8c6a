//! The result of t shares.

use alloc::vec::Vec;
use core::fmt;

use quorate_curve::Curve;
use quorate_frost::{Point, PublicKeyPackage, Scalar};
use quorate_session::PartyId;
use quorate_sharing::lagrange;
use zeroize::Zeroizing;

use super::share::EvaluationShare;
use super::verify::distinct;
use crate::error::AggregateError;
use crate::hash::hkdf;
use crate::kinds::{Kdf, KeyKind, Vrf};
use crate::oprf::EvaluatedElement;
use crate::query::{Blinded, Query};
use crate::suite::PrfSuite;
use crate::vrf::{VrfOutput, VrfSuite, output};
use crate::wire::{Encoded, point_len};

/// The result of an evaluation: x·H for each point H of the query.
///
/// The result is the same whichever t parties evaluated, in whatever epoch.
pub struct Evaluation<K: KeyKind> {
    /// Empty for a kind of keys whose results are secret.
    pub(crate) results: Vec<Encoded<K>>,
    /// The encodings of secret results. Empty for the other kinds.
    secret: Zeroizing<Vec<u8>>,
}

impl<K: KeyKind> Query<K> {
    /// Puts t or more shares together, in any order. The shares are verified first.
    ///
    /// # Errors
    /// [`AggregateError::Cheaters`] names exactly the parties whose shares are wrong. The other variants blame nobody.
    pub fn aggregate<'a>(
        &self,
        public: &PublicKeyPackage<K>,
        shares: impl IntoIterator<Item = &'a EvaluationShare<K>>,
    ) -> Result<Evaluation<K>, AggregateError> {
        let shares: Vec<_> = shares.into_iter().collect();
        let (got, need) = (distinct(&shares)?.len(), usize::from(public.threshold()));
        self.verify_shares(public, &shares)?;
        if got < need {
            return Err(AggregateError::TooFewShares { got, need });
        }
        self.combined(&shares)
    }

    /// The result of shares that were verified: distinct parties, and one point for each of the query.
    pub(crate) fn combined(
        &self,
        shares: &[&EvaluationShare<K>],
    ) -> Result<Evaluation<K>, AggregateError> {
        let ids: Vec<PartyId> = shares.iter().map(|share| share.id).collect();
        let first = ids.first().copied();
        let lambda = lagrange::all_at_zero::<K::Curve>(&ids);
        let lambda = lambda.ok_or_else(|| first.map_or(EMPTY, AggregateError::DuplicateParty))?;
        let result = |at: usize| {
            let each = shares.iter().filter_map(|share| share.points.get(at));
            sum::<K>(&lambda, each.map(|one| one.point))
        };
        let results = (0..self.bases.len()).map(result);
        if !K::SECRET {
            let results = Encoded::each(&results.collect::<Vec<_>>());
            return Ok(Evaluation { results, secret: Zeroizing::default() });
        }
        let room = self.bases.len().saturating_mul(point_len::<K>());
        let mut secret = Zeroizing::new(Vec::with_capacity(room));
        for point in results {
            secret.extend_from_slice(K::Curve::encode_point(&point).as_ref());
        }
        Ok(Evaluation { results: Vec::new(), secret })
    }
}

const EMPTY: AggregateError = AggregateError::TooFewShares { got: 0, need: 2 };

/// Σ λ_i·F_i. Where the result is secret, the points are too: it is computed in constant time, and no list has them.
fn sum<K: KeyKind>(lambda: &[Scalar<K>], points: impl Iterator<Item = Point<K>>) -> Point<K> {
    if !K::SECRET {
        return K::Curve::msm_vartime(lambda, &points.collect::<Vec<_>>());
    }
    let terms = lambda.iter().zip(points).map(|(lambda, point)| K::Curve::mul(&point, lambda));
    terms.fold(K::Curve::identity(), |sum, term| sum + term)
}

impl<M: Blinded> Evaluation<M> {
    /// The evaluated elements, in the order of the blinded ones, for the client.
    #[must_use]
    pub fn elements(&self) -> Vec<EvaluatedElement<M>> {
        self.results.iter().map(|result| EvaluatedElement(*result)).collect()
    }
}

impl<V: VrfSuite> Evaluation<Vrf<V>> {
    /// The output β, without a proof for outsiders. `None` never happens: a query has one point.
    #[must_use]
    pub fn output(&self) -> Option<VrfOutput<V>> {
        self.results.first().map(|gamma| output::<V>(&gamma.point))
    }
}

impl<S: PrfSuite> Evaluation<Kdf<S>> {
    /// The longest output: 255 digests.
    pub const MOST_BYTES: usize =
        255 * size_of::<<S::Digest as crate::hash::SuiteDigest>::Output>();

    /// `length` secret bytes under a label: HKDF (RFC 5869) over the result. Bytes of different labels are independent.
    ///
    /// `None` if `length` is above [`MOST_BYTES`](Self::MOST_BYTES).
    #[must_use]
    pub fn bytes(&self, label: &[u8], length: usize) -> Option<Zeroizing<Vec<u8>>> {
        let salt: [&[u8]; 2] = [b"quorate-prf KDF v1-", S::IDENTIFIER.as_bytes()];
        hkdf::<S::Digest>(&salt.concat(), &self.secret, &[label], length)
    }
}

/// Prints nothing of the result, which may be secret.
impl<K: KeyKind> fmt::Debug for Evaluation<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Evaluation").field("kind", &K::CONTEXT).finish_non_exhaustive()
    }
}
