//! The package of all contributions, and the values that follow from it.

use alloc::vec::Vec;
use core::fmt;

use quorate_curve::Curve;
use quorate_frost::{DecodeError, Point, PublicKeyPackage, Scalar};
use quorate_session::wire::bounded;
use quorate_session::{PartyId, Transcript};
use quorate_sharing::lagrange;

use super::{Contribution, Provable};
use crate::error::AggregateError;
use crate::evaluation::Evaluation;
use crate::query::Query;
use crate::wire::{Encoded, PROOF_PACKAGE, label, points};

/// The contributions of t or more parties to one joint proof, ascending by party, with the values that follow from them.
///
/// The shares of the evaluation have been verified, so the statement that the parties prove is true. A party that gets the
/// package from somebody else verifies them again.
pub struct ProofPackage<K: Provable> {
    pub(super) query: Query<K>,
    pub(super) contributions: Vec<Contribution<K>>,
    pub(super) digest: [u8; 32],
    pub(super) evaluation: Evaluation<K>,
    /// The verifying shares, in the order of the contributions, as is everything below.
    pub(super) keys: Vec<Point<K>>,
    /// ρ_i
    pub(super) factors: Vec<Scalar<K>>,
    /// ±c·λ_i, with the sign that c has in a response.
    pub(super) shifts: Vec<Scalar<K>>,
    pub(super) context: Context<K>,
}

/// The statement, and the commitments and the challenge of its proof.
pub(super) struct Context<K: Provable> {
    /// The weights of the query's points in M, and of the results in Z.
    pub(super) weights: Vec<Scalar<K>>,
    pub(super) m: Point<K>,
    pub(super) z: Point<K>,
    pub(super) u: Point<K>,
    pub(super) v: Point<K>,
    pub(super) c: Scalar<K>,
}

impl<K: Provable> ProofPackage<K> {
    /// Puts contributions together, in any order, and verifies their shares of the evaluation.
    ///
    /// # Errors
    /// [`AggregateError::Cheaters`] names exactly the parties whose shares are wrong. The other variants blame nobody.
    pub fn new(
        public: &PublicKeyPackage<K>,
        query: &Query<K>,
        contributions: impl IntoIterator<Item = Contribution<K>>,
    ) -> Result<Self, AggregateError> {
        let mut contributions: Vec<_> = contributions.into_iter().collect();
        contributions.sort_unstable_by_key(Contribution::id);
        let shares: Vec<_> = contributions.iter().map(|one| &one.share).collect();
        let evaluation = query.aggregate(public, shares.iter().copied())?;
        // A contribution has a pair of commitments for each point of its share, and its share one for each of the query.
        let ids: Vec<PartyId> = contributions.iter().map(Contribution::id).collect();
        let key = |id: &PartyId| {
            let point = public.shared().share_point(*id).copied();
            point.ok_or(AggregateError::UnknownParty(*id))
        };
        let keys = ids.iter().map(key).collect::<Result<Vec<_>, _>>()?;
        let digest = digest(query, &contributions);
        let factors: Vec<_> = ids.iter().map(|id| factor::<K>(&digest, *id)).collect();
        let context = context(query, &contributions, &evaluation.results, &factors);
        let context = context.ok_or(AggregateError::IdentityCommitment)?;
        let need = usize::from(public.threshold());
        let too_few = AggregateError::TooFewShares { got: ids.len(), need };
        let lambda = lagrange::all_at_zero::<K::Curve>(&ids).ok_or(too_few)?;
        let c = if K::PLUS { context.c } else { -context.c };
        let shifts = lambda.into_iter().map(|lambda| c * lambda).collect();
        let query = query.clone();
        Ok(Self { query, contributions, digest, evaluation, keys, factors, shifts, context })
    }

    /// The query that is proved.
    #[must_use]
    pub const fn query(&self) -> &Query<K> {
        &self.query
    }

    /// The result of the evaluation.
    #[must_use]
    pub const fn evaluation(&self) -> &Evaluation<K> {
        &self.evaluation
    }

    /// A digest of the query and of all contributions. Parties with equal digests make one proof.
    #[must_use]
    pub const fn digest(&self) -> [u8; 32] {
        self.digest
    }

    /// The contributors, ascending.
    pub fn parties(&self) -> impl ExactSizeIterator<Item = PartyId> + Clone + '_ {
        self.contributions.iter().map(Contribution::id)
    }

    /// A contributor's place.
    pub(super) fn position(&self, id: PartyId) -> Option<usize> {
        self.contributions.binary_search_by_key(&id, Contribution::id).ok()
    }

    /// The package in its sent form, for a coordinator that collects the contributions.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let each = Contribution::<K>::body_len(self.query.elements());
        let mut bytes = Vec::new();
        let length = each.saturating_mul(self.contributions.len()).saturating_add(2);
        label::<K>(PROOF_PACKAGE).encode_into(&mut bytes, length, |bytes| {
            // Distinct numbers of two bytes.
            let count: u16 = bounded(self.contributions.len());
            bytes.extend_from_slice(&count.to_be_bytes());
            self.contributions.iter().for_each(|one| one.put(bytes));
        });
        bytes
    }

    /// Reads the package of a query, and verifies it as [`Self::new`] does.
    ///
    /// # Errors
    /// A [`PackageReadError`].
    pub fn from_bytes(
        public: &PublicKeyPackage<K>,
        query: &Query<K>,
        bytes: &[u8],
    ) -> Result<Self, PackageReadError> {
        let read = label::<K>(PROOF_PACKAGE).read::<_, DecodeError>(bytes, |reader| {
            let count = usize::from(reader.u16()?);
            reader.expect(count, Contribution::<K>::body_len(query.elements()))?;
            let read = (0..count).map(|_| Contribution::read(reader));
            let read = read.collect::<Result<Vec<_>, DecodeError>>()?;
            if read.is_sorted_by(|one, next| one.id() < next.id()) {
                Ok(read)
            } else {
                Err(DecodeError::BadOrder)
            }
        });
        let contributions = read.map_err(PackageReadError::Malformed)?;
        Self::new(public, query, contributions).map_err(PackageReadError::Refused)
    }
}

/// The reason why a package that was sent is not usable.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PackageReadError {
    /// The form is not canonical.
    Malformed(DecodeError),
    /// The contributions do not fit the query. The sender of the package may have altered them, so the parties that this
    /// names are to blame only if the sender is trusted.
    Refused(AggregateError),
}

impl fmt::Display for PackageReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(why) => why.fmt(f),
            Self::Refused(why) => why.fmt(f),
        }
    }
}

impl core::error::Error for PackageReadError {}

pub(super) fn digest<K: Provable>(query: &Query<K>, contributions: &[Contribution<K>]) -> [u8; 32] {
    let mut transcript = Transcript::new("quorate-prf proof package");
    transcript.append("kind", K::CONTEXT.as_bytes());
    transcript.append("key", query.key.as_bytes().as_ref());
    // The query's digest covers the public key package and the points.
    transcript.append("query", &query.digest);
    transcript.append_list("contributions", contributions.iter().map(Contribution::digest));
    transcript.finish32()
}

/// ρ_i, a hash of the whole package and the party.
pub(super) fn factor<K: Provable>(package: &[u8; 32], id: PartyId) -> Scalar<K> {
    let mut transcript = Transcript::new("quorate-prf binding factor");
    transcript.append("kind", K::CONTEXT.as_bytes());
    transcript.append("package", package);
    transcript.append_u64("party", id.get().into());
    K::Curve::scalar_from_wide(&transcript.finish())
}

/// The statement, the commitments and the challenge; `None` if a commitment is the identity. Variable time: all is public.
fn context<K: Provable>(
    query: &Query<K>,
    contributions: &[Contribution<K>],
    results: &[Encoded<K>],
    factors: &[Scalar<K>],
) -> Option<Context<K>> {
    let bytes = |list: &[Encoded<K>]| list.iter().map(|one| one.bytes).collect::<Vec<_>>();
    let weights = K::weights(query.key.as_bytes(), &bytes(&query.bases), &bytes(results));
    let m = K::Curve::msm_vartime(&weights, &points(&query.bases));
    let z = K::Curve::msm_vartime(&weights, &points(results));
    let (mut of_u, mut of_v) = ((Vec::new(), Vec::new()), (Vec::new(), Vec::new()));
    for (one, rho) in contributions.iter().zip(factors) {
        of_u.0.extend([Scalar::<K>::from(1), *rho]);
        of_u.1.extend(one.commits.map(|commit| commit.point));
        for (pair, weight) in one.multiples.iter().zip(&weights) {
            of_v.0.extend([*weight, *weight * *rho]);
            of_v.1.extend(pair.map(|multiple| multiple.point));
        }
    }
    let u = K::Curve::msm_vartime(&of_u.0, &of_u.1);
    let v = K::Curve::msm_vartime(&of_v.0, &of_v.1);
    if [u, v, m].iter().any(K::Curve::is_identity) {
        return None;
    }
    let encoded = K::Curve::encode_points(&[m, z, u, v]);
    let c = K::challenge(query.key.as_bytes(), encoded.first_chunk::<4>()?);
    Some(Context { weights, m, z, u, v, c })
}

impl<K: Provable> fmt::Debug for ProofPackage<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProofPackage")
            .field("query", &self.query)
            .field("parties", &self.parties().collect::<Vec<_>>())
            .finish_non_exhaustive()
    }
}
