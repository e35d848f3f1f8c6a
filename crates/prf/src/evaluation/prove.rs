//! The work of a party: its multiples, and the proof that they are its own.

use alloc::vec::Vec;

use quorate_curve::{Curve, Secret};
use quorate_declassify::{declassify, declassify_slice};
use quorate_frost::{KeyShare, PointBytes, Scalar};
use quorate_keys::ShareState;
use quorate_session::{PartyId, Transcript};
use rand_core::CryptoRng;

use super::share::{EvaluationShare, SameLogarithm};
use crate::error::EvaluateError;
use crate::kinds::KeyKind;
use crate::nonce::hedged;
use crate::query::Query;
use crate::wire::{Encoded, points};

impl<K: KeyKind> Query<K> {
    /// This party's share of the evaluation. Constant time in the key share.
    ///
    /// The nonce of the proof hashes 32 bytes of `rng` with the key share and everything that the proof is about, so that a
    /// broken generator does not repeat it. A query can be evaluated any number of times.
    ///
    /// # Errors
    /// [`EvaluateError::Unconfirmed`] for a share that is not confirmed, [`EvaluateError::Mismatch`] for one of another key
    /// or epoch.
    pub fn evaluate(
        &self,
        share: &KeyShare<K>,
        rng: &mut impl CryptoRng,
    ) -> Result<EvaluationShare<K>, EvaluateError> {
        self.check(share)?;
        Ok(self.multiplied(share, share.secret_share().secret(), rng))
    }

    /// The multiples by a secret, and the proof, in the name of a share's owner.
    fn multiplied(
        &self,
        share: &KeyShare<K>,
        secret: &Secret<Scalar<K>>,
        rng: &mut impl CryptoRng,
    ) -> EvaluationShare<K> {
        let mut multiples = Vec::with_capacity(self.bases.len());
        multiples.extend(self.bases.iter().map(|base| K::Curve::mul(&base.point, secret.expose())));
        // Sent to the party that aggregates.
        declassify_slice(&mut multiples);
        let multiples = Encoded::each(&multiples);
        let statement = self.statement(share.id(), share.verifying_share(), &multiples);
        let m = self.base(&statement);
        let nonce = hedged::<K>(statement.clone(), "k", secret, rng);
        let mut commits = [K::Curve::mul_base(nonce.expose()), K::Curve::mul(&m, nonce.expose())];
        declassify_slice(&mut commits);
        let commits = commits.map(Encoded::new);
        let e = challenge::<K>(statement, &commits);
        let s = declassify(*nonce.expose() + e * *secret.expose());
        EvaluationShare {
            id: share.id(),
            of: self.of,
            query: self.digest,
            points: multiples,
            proof: SameLogarithm { commits, s },
        }
    }

    /// Checks that a share may evaluate this query.
    pub(crate) fn check(&self, share: &KeyShare<K>) -> Result<(), EvaluateError> {
        if share.state() == ShareState::Unconfirmed {
            return Err(EvaluateError::Unconfirmed);
        }
        self.of.check_belongs_to(&share.package_id()).map_err(EvaluateError::Mismatch)
    }

    /// The statement of a party's proof. The query's digest covers the key, the epoch and the points.
    pub(super) fn statement(
        &self,
        id: PartyId,
        verifying_share: &PointBytes<K>,
        multiples: &[Encoded<K>],
    ) -> Transcript {
        let mut transcript = Transcript::new("quorate-prf evaluation share");
        transcript.append("kind", K::CONTEXT.as_bytes());
        transcript.append("query", &self.digest);
        transcript.append_u64("party", id.get().into());
        transcript.append("X", verifying_share.as_ref());
        transcript.append_list("F", multiples.iter().map(|point| point.bytes));
        transcript
    }

    /// M, the sum of the query's points with the weights of a statement.
    fn base(&self, statement: &Transcript) -> <K::Curve as Curve>::Point {
        match self.bases.as_slice() {
            [one] => one.point,
            _ => K::Curve::msm_vartime(&self.weights(statement), &points(&self.bases)),
        }
    }

    /// The weights of the points in M and of the multiples in Z: hashes of the statement, so that wrong multiples do not
    /// cancel each other. A single point has the weight one.
    pub(super) fn weights(&self, statement: &Transcript) -> Vec<Scalar<K>> {
        if self.bases.len() == 1 {
            return alloc::vec![Scalar::<K>::from(1)];
        }
        let weight = |at| {
            let mut transcript = statement.clone();
            transcript.append_u64("weight", at);
            K::Curve::scalar_from_wide(&transcript.finish())
        };
        (0u64..).zip(&self.bases).map(|(at, _)| weight(at)).collect()
    }
}

/// e, the hash of a statement and the commitments.
pub(super) fn challenge<K: KeyKind>(
    mut statement: Transcript,
    commits: &[Encoded<K>; 2],
) -> Scalar<K> {
    statement.append_list("commitments", commits.iter().map(|commit| commit.bytes));
    K::Curve::scalar_from_wide(&statement.finish())
}

#[cfg(feature = "single-point-of-failure")]
impl<K: KeyKind> Query<K> {
    /// The share of a party that multiplies by another number than its share, and proves what it can. For tests of the
    /// verdict.
    #[doc(hidden)]
    pub fn evaluate_wrongly(
        &self,
        share: &KeyShare<K>,
        wrong: &Secret<Scalar<K>>,
        rng: &mut impl CryptoRng,
    ) -> EvaluationShare<K> {
        self.multiplied(share, wrong, rng)
    }
}
