//! The proof of all shares, and the search for wrong ones.

use alloc::vec::Vec;

use quorate_curve::Curve;
use quorate_frost::Scalar;

use super::{ProofPackage, ProofShare, Provable};
use crate::error::AggregateError;

impl<K: Provable> ProofPackage<K> {
    /// Adds the shares up to the proof, and verifies it. Single shares are checked only if that fails.
    ///
    /// # Errors
    /// [`AggregateError::Cheaters`] names exactly the parties whose shares or commitments are wrong. The other variants
    /// blame nobody: shares are missing, or belong to something else.
    pub fn aggregate(&self, shares: &[ProofShare<K>]) -> Result<K::Proof, AggregateError> {
        let mut slots: Vec<Option<Scalar<K>>> = Vec::new();
        slots.resize(self.contributions.len(), None);
        for share in shares {
            self.blameless(share)?;
            let slot = self.position(share.id).and_then(|at| slots.get_mut(at));
            match slot {
                None => return Err(AggregateError::UnknownParty(share.id)),
                Some(Some(_)) => return Err(AggregateError::DuplicateParty(share.id)),
                Some(slot) => *slot = Some(share.s),
            }
        }
        let missing = self.parties().zip(&slots).filter(|(_, slot)| slot.is_none());
        let missing: Vec<_> = missing.map(|(id, _)| id).collect();
        if !missing.is_empty() {
            return Err(AggregateError::MissingShares(missing));
        }
        self.sum(&slots.into_iter().flatten().collect::<Vec<_>>())
    }

    /// Verifies the share of one party.
    ///
    /// # Errors
    /// [`AggregateError::Cheaters`] if it is wrong. The other variants blame nobody.
    pub fn verify_share(&self, share: &ProofShare<K>) -> Result<(), AggregateError> {
        self.blameless(share)?;
        let at = self.position(share.id).ok_or(AggregateError::UnknownParty(share.id))?;
        match self.is_right(at, &share.s) {
            Some(true) => Ok(()),
            _ => Err(AggregateError::Cheaters(alloc::vec![share.id])),
        }
    }

    /// Checks that a share was made for this package.
    fn blameless(&self, share: &ProofShare<K>) -> Result<(), AggregateError> {
        let of = share.of.check_belongs_to(&self.query.of);
        of.map_err(|why| AggregateError::Mismatch { party: Some(share.id), why })?;
        if share.package == self.digest {
            Ok(())
        } else {
            Err(AggregateError::OtherPackage(share.id))
        }
    }

    /// The proof of shares that are in the order of the contributions.
    pub(super) fn sum(&self, shares: &[Scalar<K>]) -> Result<K::Proof, AggregateError> {
        let s = shares.iter().fold(Scalar::<K>::default(), |sum, share| sum + *share);
        let context = &self.context;
        let c = if K::PLUS { -context.c } else { context.c };
        // U = s·G ∓ c·X, V = s·M ∓ c·Z
        let generator = K::Curve::generator();
        let u = K::Curve::msm_vartime(&[s, c], &[generator, *self.query.key.point()]);
        let v = K::Curve::msm_vartime(&[s, c], &[context.m, context.z]);
        if u == context.u && v == context.v {
            let results: Vec<_> =
                self.evaluation.results.iter().map(|one| (one.point, one.bytes)).collect();
            return K::proof(&results, context.c, s).ok_or(AggregateError::IdentityCommitment);
        }
        let wrong = |(at, share): (usize, &Scalar<K>)| self.is_right(at, share) != Some(true);
        let cheaters = self.parties().zip(shares.iter().enumerate());
        let cheaters = cheaters.filter(|(_, share)| wrong(*share)).map(|(id, _)| id).collect();
        Err(AggregateError::Cheaters(cheaters))
    }

    /// Returns whether one share is right in both bases: s_i·G = D_i + ρ_i·E_i ± c·λ_i·X_i, and the same for M, the
    /// commitments in the query's points and Z_i. `None` for a place without a contribution.
    ///
    /// The second equation fails too if the commitments in the two bases have different logarithms: ρ_i hashes them.
    pub(super) fn is_right(&self, at: usize, s: &Scalar<K>) -> Option<bool> {
        let (one, rho) = (self.contributions.get(at)?, *self.factors.get(at)?);
        let (shift, key) = (*self.shifts.get(at)?, *self.keys.get(at)?);
        let [d, e] = one.commits.map(|commit| commit.point);
        let generator = K::Curve::generator();
        if K::Curve::msm_vartime(&[*s, -rho, -shift], &[generator, e, key]) != d {
            return Some(false);
        }
        let (mut scalars, mut points) = (alloc::vec![*s], alloc::vec![self.context.m]);
        let each = one.multiples.iter().zip(&one.share.points).zip(&self.context.weights);
        for (([d, e], multiple), weight) in each {
            scalars.extend([-*weight, -(*weight * rho), -(*weight * shift)]);
            points.extend([d.point, e.point, multiple.point]);
        }
        Some(K::Curve::is_identity(&K::Curve::msm_vartime(&scalars, &points)))
    }
}
