//! The additive shares with which t or more signers work, from their shares of a polynomial.

use alloc::vec::Vec;
use core::fmt;

use quorate_curve::Secret;
use quorate_session::{Parties, PartyId};
use quorate_sharing::lagrange;

use crate::{EcdsaCurve, KeyShare, PublicKeyPackage, SignersError};

/// The public shares of a set of signers, weighted so that they add up to the key: `λ_j·X_j`.
#[derive(Clone, PartialEq, Eq)]
pub struct AdditiveInfo<C: EcdsaCurve> {
    signers: Parties,
    /// `λ_j`, in the order of the signers.
    weights: Vec<C::Scalar>,
    /// `λ_j·X_j`, in the order of the signers.
    points: Vec<C::Point>,
}

impl<C: EcdsaCurve> AdditiveInfo<C> {
    /// The signers, in ascending order.
    #[must_use]
    pub const fn signers(&self) -> &Parties {
        &self.signers
    }

    /// A signer's weighted public share.
    #[must_use]
    pub fn share_point(&self, signer: PartyId) -> Option<&C::Point> {
        self.points.get(self.signers.position(signer)?)
    }

    /// The weighted public shares, in the order of the signers.
    #[must_use]
    pub fn share_points(&self) -> &[C::Point] {
        &self.points
    }

    fn weight(&self, signer: PartyId) -> Option<&C::Scalar> {
        self.weights.get(self.signers.position(signer)?)
    }
}

impl<C: EcdsaCurve> fmt::Debug for AdditiveInfo<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AdditiveInfo").field("signers", &self.signers).finish_non_exhaustive()
    }
}

/// One signer's additive share of the key among a set of signers: `λ_i·x_i` modulo the order.
pub struct AdditiveShare<C: EcdsaCurve> {
    party: PartyId,
    info: AdditiveInfo<C>,
    secret: Secret<C::Scalar>,
}

impl<C: EcdsaCurve> AdditiveShare<C> {
    /// The signer whose share this is.
    #[must_use]
    pub const fn id(&self) -> PartyId {
        self.party
    }

    /// The public shares of all signers.
    #[must_use]
    pub const fn info(&self) -> &AdditiveInfo<C> {
        &self.info
    }

    pub(crate) fn into_parts(self) -> (AdditiveInfo<C>, Secret<C::Scalar>) {
        (self.info, self.secret)
    }

    /// λ_i·x_i, reduced modulo the order, so that it fits the range ±2^(ℓ−1) of the proofs once
    /// centred. **Secret**: those of all signers add up to the key.
    #[must_use]
    pub const fn secret(&self) -> &Secret<C::Scalar> {
        &self.secret
    }
}

impl<C: EcdsaCurve> fmt::Debug for AdditiveShare<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AdditiveShare").finish_non_exhaustive()
    }
}

/// The weighted public shares of a set of signers, as a run needs them.
pub(crate) enum Weighted<C: EcdsaCurve> {
    /// Computed, and checked.
    Checked(AdditiveInfo<C>),
    /// Checked by the run before it was sealed: each is computed when it is asked for.
    Known {
        /// The signers.
        signers: Parties,
        /// `λ_j` and `X_j`, in the order of the signers.
        shares: Vec<(C::Scalar, C::Point)>,
    },
}

impl<C: EcdsaCurve> Weighted<C> {
    pub(crate) const fn signers(&self) -> &Parties {
        match self {
            Self::Checked(info) => info.signers(),
            Self::Known { signers, .. } => signers,
        }
    }

    /// `λ_j·X_j`
    pub(crate) fn share_point(&self, signer: PartyId) -> Option<C::Point> {
        match self {
            Self::Checked(info) => info.share_point(signer).copied(),
            Self::Known { signers, shares } => {
                let (weight, share) = shares.get(signers.position(signer)?)?;
                Some(C::msm_vartime(&[*weight], &[*share]))
            }
        }
    }
}

impl<C: EcdsaCurve> From<AdditiveInfo<C>> for Weighted<C> {
    fn from(info: AdditiveInfo<C>) -> Self {
        Self::Checked(info)
    }
}

impl<C: EcdsaCurve> PublicKeyPackage<C> {
    /// The weighted public shares for these signers, checked to add up to the key.
    ///
    /// # Errors
    /// [`SignersError`] if they are too few or one of them holds no share.
    pub fn additive(&self, signers: &Parties) -> Result<AdditiveInfo<C>, SignersError> {
        if signers.len() < usize::from(self.threshold()) {
            let need = self.threshold();
            return Err(SignersError::TooFew { got: signers.len(), need });
        }
        let share = |id| self.share_point(id).copied().ok_or(SignersError::Unknown(id));
        let shares = signers.iter().map(share).collect::<Result<Vec<_>, _>>()?;
        let weights = lagrange::all_at_zero::<C>(signers.as_slice());
        let weights = weights.ok_or(SignersError::Inconsistent)?;
        let weighted = |(weight, share)| C::msm_vartime(&[weight], &[share]);
        let points: Vec<_> = weights.iter().copied().zip(shares).map(weighted).collect();
        let sum = points.iter().fold(C::identity(), |sum, point| sum + *point);
        if sum != *self.verifying_key().point() || points.iter().any(C::is_identity) {
            return Err(SignersError::Inconsistent);
        }
        Ok(AdditiveInfo { signers: signers.clone(), weights, points })
    }
}

impl<C: EcdsaCurve> KeyShare<C> {
    /// This party's additive share among these signers, checked against its public share.
    ///
    /// # Errors
    /// [`SignersError`] if the signers are too few, one of them holds no share, or this party is
    /// not one of them.
    pub fn additive(&self, signers: &Parties) -> Result<AdditiveShare<C>, SignersError> {
        let info = self.public().additive(signers)?;
        let weight = info.weight(self.id()).ok_or(SignersError::NotASigner)?;
        let secret = Secret::new(*weight * *self.secret().expose());
        if info.share_point(self.id()) != Some(&C::mul_base(secret.expose())) {
            return Err(SignersError::Inconsistent);
        }
        Ok(AdditiveShare { party: self.id(), info, secret })
    }

    /// The secret and the public shares of [`additive`](Self::additive), for a run in which `additive` checked them before it
    /// was sealed. The context of the seal names the key.
    pub(crate) fn additive_again(
        &self,
        signers: &Parties,
    ) -> Option<(Weighted<C>, Secret<C::Scalar>)> {
        let weights = lagrange::all_at_zero::<C>(signers.as_slice())?;
        let share = |(id, weight)| Some((weight, *self.public().share_point(id)?));
        let shares = signers.iter().zip(weights).map(share).collect::<Option<Vec<_>>>()?;
        let (weight, _) = shares.get(signers.position(self.id())?)?;
        let secret = Secret::new(*weight * *self.secret().expose());
        Some((Weighted::Known { signers: signers.clone(), shares }, secret))
    }
}
