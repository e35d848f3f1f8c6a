//! The addition of a public number to a key. Every share gets the same shift, since Lagrange coefficients add up
//! to one.

use quorate_curve::{Curve, Secret};
use quorate_keys::derive::Shifted;

use crate::error::TweakError;
use crate::family::Frost;
use crate::key::{KeyShare, PublicKeyPackage};
use crate::signature::VerifyingKey;
use crate::suite::{InternalSuite, KeySuite, Point, Scalar};

impl<S: InternalSuite> PublicKeyPackage<S> {
    /// The package of the output key `Q = P + H_TapTweak(P ‖ merkle_root)·G` of the internal key P (BIP-341),
    /// with an even y-coordinate. Without a root, it is that of an output key that no script can spend.
    ///
    /// Every party tweaks its share and the coordinator its package, all by the same root.
    ///
    /// # Errors
    /// [`TweakError::Degenerate`]: for a hash that never happens.
    pub fn tweak(
        &self,
        merkle_root: Option<[u8; 32]>,
    ) -> Result<PublicKeyPackage<S::Output>, TweakError> {
        Ok(PublicKeyPackage::from_shared(self.tweaked(merkle_root)?.into_key()))
    }

    fn tweaked(
        &self,
        merkle_root: Option<[u8; 32]>,
    ) -> Result<Shifted<Frost<S>, Frost<S::Output>>, TweakError> {
        let tweak = S::tweak(&self.key.bytes, merkle_root.as_ref());
        let shifted = self.shared().shift(&tweak.ok_or(TweakError::Degenerate)?, ());
        shifted.map_err(|_| TweakError::Degenerate)
    }
}

impl<S: InternalSuite> KeyShare<S> {
    /// This party's share of the output key; see [`PublicKeyPackage::tweak`]. `public` is the package of the
    /// internal key, from which the name of the output key's package is computed.
    ///
    /// # Errors
    /// [`TweakError::Mismatch`] if the share is not part of this package. [`TweakError::Degenerate`] never occurs
    /// for a hash.
    pub fn tweak(
        &self,
        public: &PublicKeyPackage<S>,
        merkle_root: Option<[u8; 32]>,
    ) -> Result<KeyShare<S::Output>, TweakError> {
        self.moved(&public.tweaked(merkle_root)?)
    }
}

impl<S: KeySuite> KeyShare<S> {
    /// The key `Y + shift·G`, normalised as the suite wants it, and this party's share of it.
    pub(crate) fn shift_parts(
        &self,
        shift: &Scalar<S>,
    ) -> Result<(VerifyingKey<S>, Secret<Scalar<S>>), TweakError> {
        let (key, negated) = shift_key::<S>(&self.key, &S::Curve::mul_base(shift))?;
        let secret = Secret::make(|| {
            let sum = *self.secret().expose() + *shift;
            if negated { -sum } else { sum }
        });
        Ok((key, secret))
    }
}

/// `key + by` as a key of the suite, and whether its sign was changed for that.
pub(crate) fn shift_key<S: KeySuite>(
    key: &VerifyingKey<S>,
    by: &Point<S>,
) -> Result<(VerifyingKey<S>, bool), TweakError> {
    let shifted = key.point + *by;
    if S::Curve::is_identity(&shifted) {
        return Err(TweakError::Degenerate);
    }
    Ok(VerifyingKey::from_point(shifted))
}
