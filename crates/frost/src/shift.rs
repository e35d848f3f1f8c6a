//! Adding a public number to a key: every share gets the same shift, since Lagrange coefficients
//! add up to one.

use alloc::vec::Vec;

use quorate_curve::{Curve, Secret};

use crate::error::{Mismatch, TweakError};
use crate::keys::{KeyShare, PublicKeyPackage, negate_if};
use crate::signature::VerifyingKey;
use crate::suite::{InternalSuite, KeySuite, Point, Scalar};

impl<S: InternalSuite> PublicKeyPackage<S> {
    /// The package of the output key `Q = P + H_TapTweak(P ‖ merkle_root)·G` of the internal key P
    /// (BIP-341), with an even y-coordinate. Without a root, of an output key that no script can
    /// spend.
    ///
    /// Every party tweaks its share and the coordinator its package, all by the same root.
    ///
    /// # Errors
    /// [`TweakError::Degenerate`]: for a hash that never happens.
    pub fn tweak(
        &self,
        merkle_root: Option<[u8; 32]>,
    ) -> Result<PublicKeyPackage<S::Output>, TweakError> {
        self.shifted(&self.tweak_scalar(merkle_root)?)
    }

    fn tweak_scalar(&self, merkle_root: Option<[u8; 32]>) -> Result<Scalar<S>, TweakError> {
        S::tweak(&self.key.bytes, merkle_root.as_ref()).ok_or(TweakError::Degenerate)
    }
}

impl<S: InternalSuite> KeyShare<S> {
    /// This party's share of the output key; see [`PublicKeyPackage::tweak`]. `public` is the
    /// internal key's package, of which the name of the output key's is made.
    ///
    /// # Errors
    /// [`TweakError::Mismatch`] if the share is not part of this package;
    /// [`TweakError::Degenerate`] never, for a hash.
    pub fn tweak(
        &self,
        public: &PublicKeyPackage<S>,
        merkle_root: Option<[u8; 32]>,
    ) -> Result<KeyShare<S::Output>, TweakError> {
        public.id.expect(&self.package).map_err(TweakError::Mismatch)?;
        let shift = public.tweak_scalar(merkle_root)?;
        let (_, secret) = self.shift_parts::<S::Output>(&shift)?;
        let output = public.shifted(&shift)?;
        // What a file says of itself may be wrong; the package says what the share has to be.
        KeyShare::checked(self.id, &output, *secret.expose())
            .map(|share| KeyShare { state: self.state, ..share })
            .ok_or(TweakError::Mismatch(Mismatch::WrongKey))
    }
}

impl<S: KeySuite> KeyShare<S> {
    /// The key `Y + shift·G`, normalised as the suite `T` wants it, and this party's share of it.
    pub(crate) fn shift_parts<T: KeySuite<Curve = S::Curve>>(
        &self,
        shift: &Scalar<S>,
    ) -> Result<(VerifyingKey<T>, Secret<Scalar<S>>), TweakError> {
        let (key, negated) = shift_key::<S, T>(&self.key, &S::Curve::mul_base(shift))?;
        let secret = *self.secret.expose() + *shift;
        Ok((key, Secret::new(if negated { -secret } else { secret })))
    }
}

impl<S: KeySuite> PublicKeyPackage<S> {
    /// The package of the key `Y + shift·G`.
    pub(crate) fn shifted<T: KeySuite<Curve = S::Curve>>(
        &self,
        shift: &Scalar<S>,
    ) -> Result<PublicKeyPackage<T>, TweakError> {
        let by = S::Curve::mul_base(shift);
        let (key, negated) = shift_key::<S, T>(&self.key, &by)?;
        let shares: Vec<_> = self.shares.iter().map(|share| *share + by).collect();
        let shares = negate_if::<S>(negated, shares);
        PublicKeyPackage::assemble(self.threshold, self.epoch(), self.parties.clone(), key, shares)
            .ok_or(TweakError::Degenerate)
    }
}

/// `key + by` as a key of the suite `T`, and whether its sign was changed for that.
pub(crate) fn shift_key<S: KeySuite, T: KeySuite<Curve = S::Curve>>(
    key: &VerifyingKey<S>,
    by: &Point<S>,
) -> Result<(VerifyingKey<T>, bool), TweakError> {
    let shifted = key.point + *by;
    if S::Curve::is_identity(&shifted) {
        return Err(TweakError::Degenerate);
    }
    Ok(VerifyingKey::of_point(shifted))
}
