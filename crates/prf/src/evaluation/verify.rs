//! The check of shares, one by one and many by one sum.

use alloc::vec::Vec;

use chacha20::ChaCha20Rng;
use chacha20::rand_core::SeedableRng;
use quorate_curve::Curve;
use quorate_frost::{Point, PublicKeyPackage, Scalar};
use quorate_session::{PartyId, Transcript};

use super::prove::challenge;
use super::share::EvaluationShare;
use crate::error::AggregateError;
use crate::kinds::KeyKind;
use crate::query::Query;
use crate::wire::points;

/// The equations of a share: s·G = k·G + e·X_i and s·M = k·M + e·Z_i.
struct Equations<K: KeyKind> {
    key: Point<K>,
    e: Scalar<K>,
    /// The weights of the query's points in M.
    weights: Vec<Scalar<K>>,
}

impl<K: KeyKind> Query<K> {
    /// Verifies one share: that the party multiplied each point by its share of the key. Variable time in public scalars.
    ///
    /// # Errors
    /// [`AggregateError::Cheaters`] if not. The other variants blame nobody: the share is for something else.
    pub fn verify_share(
        &self,
        public: &PublicKeyPackage<K>,
        share: &EvaluationShare<K>,
    ) -> Result<(), AggregateError> {
        self.check_public(public)?;
        self.blameless(share)?;
        if self.is_right(public, share)? {
            Ok(())
        } else {
            Err(AggregateError::Cheaters(alloc::vec![share.id]))
        }
    }

    /// Verifies many shares by one sum of products, and one by one only if that fails.
    pub(crate) fn verify_shares(
        &self,
        public: &PublicKeyPackage<K>,
        shares: &[&EvaluationShare<K>],
    ) -> Result<(), AggregateError> {
        self.check_public(public)?;
        shares.iter().try_for_each(|share| self.blameless(share))?;
        if shares.len() > 1 && self.all_hold(public, shares)? {
            return Ok(());
        }
        let mut cheaters = Vec::new();
        for share in shares {
            if !self.is_right(public, share)? {
                cheaters.push(share.id);
            }
        }
        if cheaters.is_empty() { Ok(()) } else { Err(AggregateError::Cheaters(cheaters)) }
    }

    /// Checks that a public key package is the one of the query.
    pub(crate) fn check_public(&self, public: &PublicKeyPackage<K>) -> Result<(), AggregateError> {
        let of = self.of.check_belongs_to(&public.package_id());
        of.map_err(|why| AggregateError::Mismatch { party: None, why })
    }

    /// Checks that a share was made for this query. Its own claim decides only whether it is checked, and never who is to
    /// blame.
    fn blameless(&self, share: &EvaluationShare<K>) -> Result<(), AggregateError> {
        let party = Some(share.id);
        let of = share.of.check_belongs_to(&self.of);
        of.map_err(|why| AggregateError::Mismatch { party, why })?;
        if share.query == self.digest { Ok(()) } else { Err(AggregateError::OtherQuery(share.id)) }
    }

    fn equations(
        &self,
        public: &PublicKeyPackage<K>,
        share: &EvaluationShare<K>,
    ) -> Result<Equations<K>, AggregateError> {
        let unknown = || AggregateError::UnknownParty(share.id);
        let key = *public.shared().share_point(share.id).ok_or_else(unknown)?;
        let bytes = public.verifying_share(share.id).ok_or_else(unknown)?;
        let statement = self.statement(share.id, bytes, &share.points);
        let weights = self.weights(&statement);
        Ok(Equations { key, e: challenge::<K>(statement, &share.proof.commits), weights })
    }

    fn is_right(
        &self,
        public: &PublicKeyPackage<K>,
        share: &EvaluationShare<K>,
    ) -> Result<bool, AggregateError> {
        let Equations { key, e, weights } = self.equations(public, share)?;
        if share.points.len() != self.bases.len() {
            return Ok(false);
        }
        let [first, second] = share.proof.commits;
        if !K::Curve::verify_vartime(&key, &first.point, &share.proof.s, &e) {
            return Ok(false);
        }
        // s·M − e·Z_i = k·M, each sum point by point.
        let mut scalars: Vec<_> = weights.iter().map(|weight| share.proof.s * *weight).collect();
        scalars.extend(weights.iter().map(|weight| -(e * *weight)));
        let terms = [points(&self.bases), points(&share.points)].concat();
        Ok(K::Curve::msm_vartime(&scalars, &terms) == second.point)
    }

    /// Returns whether the sum of the equations of all shares holds, each with random coefficients. A wrong share passes
    /// with a chance of 2^-128. The coefficients are hashed from all the shares, which were fixed before.
    fn all_hold(
        &self,
        public: &PublicKeyPackage<K>,
        shares: &[&EvaluationShare<K>],
    ) -> Result<bool, AggregateError> {
        let all: Result<Vec<_>, _> =
            shares.iter().map(|share| self.equations(public, share)).collect();
        let all = all?;
        if shares.iter().any(|share| share.points.len() != self.bases.len()) {
            return Ok(false);
        }
        let mut rng = ChaCha20Rng::from_seed(seed::<K>(shares, &all));
        let elements = self.bases.len();
        let terms =
            shares.len().saturating_mul(elements.saturating_add(3)).saturating_add(elements);
        let mut sum = Sum::<K>::with_capacity(terms.saturating_add(1));
        let mut of_generator = Scalar::<K>::default();
        let mut of_bases = alloc::vec![Scalar::<K>::default(); elements];
        for (share, equations) in shares.iter().zip(&all) {
            let mut coefficient = || K::Curve::batch_coefficient_vartime(&mut rng, terms);
            let (alpha, beta) = (coefficient(), coefficient());
            let (e, s) = (equations.e, share.proof.s);
            let [first, second] = share.proof.commits;
            of_generator = of_generator + alpha * s;
            sum.add(-alpha, first.point);
            sum.add(-(alpha * e), equations.key);
            sum.add(-beta, second.point);
            let weighed = of_bases.iter_mut().zip(&equations.weights).zip(&share.points);
            for ((of_base, weight), multiple) in weighed {
                let beta = beta * *weight;
                *of_base = *of_base + beta * s;
                sum.add(-(beta * e), multiple.point);
            }
        }
        sum.add(of_generator, K::Curve::generator());
        self.bases.iter().zip(of_bases).for_each(|(base, scalar)| sum.add(scalar, base.point));
        Ok(K::Curve::is_identity(&K::Curve::msm_vartime(&sum.scalars, &sum.points)))
    }
}

/// The terms of a sum.
struct Sum<K: KeyKind> {
    scalars: Vec<Scalar<K>>,
    points: Vec<Point<K>>,
}

impl<K: KeyKind> Sum<K> {
    fn with_capacity(terms: usize) -> Self {
        Self { scalars: Vec::with_capacity(terms), points: Vec::with_capacity(terms) }
    }

    fn add(&mut self, scalar: Scalar<K>, point: Point<K>) {
        self.scalars.push(scalar);
        self.points.push(point);
    }
}

/// The seed of the coefficients. A challenge hashes everything of its share but s.
fn seed<K: KeyKind>(shares: &[&EvaluationShare<K>], all: &[Equations<K>]) -> [u8; 32] {
    let mut transcript = Transcript::new("quorate-prf evaluation batch");
    transcript.append_list("e", all.iter().map(|one| K::Curve::encode_scalar(&one.e)));
    let responses = shares.iter().map(|share| K::Curve::encode_scalar(&share.proof.s));
    transcript.append_list("s", responses);
    transcript.finish32()
}

/// The parties of shares, ascending, and none twice.
pub(crate) fn distinct<K: KeyKind>(
    shares: &[&EvaluationShare<K>],
) -> Result<Vec<PartyId>, AggregateError> {
    let mut ids: Vec<_> = shares.iter().map(|share| share.id).collect();
    ids.sort_unstable();
    let twice = ids.iter().zip(ids.iter().skip(1)).find(|(one, next)| one == next);
    twice.map_or(Ok(()), |(party, _)| Err(AggregateError::DuplicateParty(*party)))?;
    Ok(ids)
}
