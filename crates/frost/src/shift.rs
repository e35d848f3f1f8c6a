//! Adding a public number to a key: every share gets the same shift, since Lagrange coefficients
//! add up to one.

use quorate_curve::{Curve, Secret};

use crate::error::TweakError;
use crate::keys::{KeyShare, PublicKeyPackage, negate_if};
use crate::signature::VerifyingKey;
use crate::suite::{Ciphersuite, Point, Scalar};

impl<S: Ciphersuite> KeyShare<S> {
    /// The share of the key `Y + shift·G`, for a shift that everybody derives alike (a Taproot
    /// tweak, a randomiser). In a suite with even keys the result is normalised again.
    ///
    /// # Errors
    /// [`TweakError`] if the shifted key is the identity.
    pub fn shifted(self, shift: &Scalar<S>) -> Result<Self, TweakError> {
        let (key, secret) = self.shift_parts(shift)?;
        let secret = *secret.expose();
        Ok(Self::assemble(self.id, self.threshold, self.epoch, self.parties, key, secret))
    }

    /// The shifted key and this party's share of it.
    pub(crate) fn shift_parts(
        &self,
        shift: &Scalar<S>,
    ) -> Result<(VerifyingKey<S>, Secret<Scalar<S>>), TweakError> {
        let (key, negated) = shift_key::<S>(&self.key.point, &S::Curve::mul_base(shift))?;
        let secret = *self.secret.expose() + *shift;
        Ok((key, Secret::new(if negated { -secret } else { secret })))
    }
}

impl<S: Ciphersuite> PublicKeyPackage<S> {
    /// The package of the key `Y + shift·G`; see [`KeyShare::shifted`].
    ///
    /// # Errors
    /// [`TweakError`] if the shifted key is the identity.
    pub fn shifted(self, shift: &Scalar<S>) -> Result<Self, TweakError> {
        let by = S::Curve::mul_base(shift);
        let (key, negated) = shift_key::<S>(&self.key.point, &by)?;
        let shares = self.shares.into_iter().map(|share| share + by).collect();
        let shares = negate_if::<S>(negated, shares);
        Ok(Self::assemble(self.threshold, self.epoch, self.parties, key, shares))
    }
}

fn shift_key<S: Ciphersuite>(
    key: &Point<S>,
    by: &Point<S>,
) -> Result<(VerifyingKey<S>, bool), TweakError> {
    let shifted = *key + *by;
    if S::Curve::is_identity(&shifted) {
        return Err(TweakError);
    }
    Ok(VerifyingKey::of_point(shifted))
}
