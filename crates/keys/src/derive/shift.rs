//! Adding a public number to a key: every share gets the same shift, since Lagrange coefficients add up to one.

use alloc::vec::Vec;
use core::fmt;

use quorate_curve::{Curve, Secret};
use quorate_sharing::Commitment;

use super::DeriveError;
use crate::error::{DecodeError, Mismatch};
use crate::shared::check;
use crate::{Family, PackageId, Scalar, SecretShare, SharedKey};

/// A key that was shifted by a public number, `X' = ±(X + shift·G)`, and what moves its shares.
///
/// The sign is the one that the new key's family wants ([`Family::accepts`]): Taproot's keys are even. It is made by
/// [`SharedKey::shift`] alone, so whatever [`SecretShare::shift`] makes of it belongs to the same key.
pub struct Shifted<F: Family, T: Family<Curve = F::Curve> = F> {
    from: PackageId,
    shift: Scalar<F>,
    negated: bool,
    key: SharedKey<T>,
}

impl<F: Family, T: Family<Curve = F::Curve>> Shifted<F, T> {
    /// The shifted key.
    #[must_use]
    pub const fn key(&self) -> &SharedKey<T> {
        &self.key
    }

    /// The shifted key, for who has no share.
    #[must_use]
    pub fn into_key(self) -> SharedKey<T> {
        self.key
    }

    /// The name of the key before.
    #[must_use]
    pub const fn from(&self) -> PackageId {
        self.from
    }
}

impl<F: Family> SharedKey<F> {
    /// The key `±(X + shift·G)` as the family T has it, with the same committee and in the same epoch.
    ///
    /// # Errors
    /// [`DeriveError::Identity`] if the new key, or a party's share of it, is the identity;
    /// [`DeriveError::Committee`] if T has no such committee; [`DeriveError::OtherKey`] if T accepts neither sign of
    /// the new key.
    pub fn shift<T: Family<Curve = F::Curve>>(
        &self,
        shift: &Scalar<F>,
        extra: T::Extra,
    ) -> Result<Shifted<F, T>, DeriveError> {
        let mut points = self.commitment().points().to_vec();
        let constant = points.first_mut().ok_or(DeriveError::Identity)?;
        let by = F::Curve::mul_base(shift);
        *constant = *constant + by;
        let negated = !T::accepts(&F::Curve::encode_point(constant));
        // f + shift at every place is the value there plus the shift: nothing is evaluated anew.
        let mut shares: Vec<_> = self.share_points().iter().map(|share| *share + by).collect();
        if negated {
            points.iter_mut().chain(&mut shares).for_each(|point| *point = -*point);
        }
        let commitment = Commitment::from_points(points);
        if !commitment.bytes().first().is_some_and(T::accepts) {
            return Err(DeriveError::OtherKey);
        }
        let bytes = F::Curve::encode_points(&shares);
        let key = check::<T>(self.committee(), &commitment).and_then(|()| {
            let committee = self.committee().clone();
            SharedKey::assemble(committee, self.epoch(), commitment, (shares, bytes), extra)
        });
        let key = key.map_err(|why| match why {
            DecodeError::Committee(why) => DeriveError::Committee(why),
            _ => DeriveError::Identity,
        })?;
        Ok(Shifted { from: self.package_id(), shift: *shift, negated, key })
    }
}

impl<F: Family> SecretShare<F> {
    /// This party's share of the shifted key: `±(s_i + shift)`, checked against its verifying share. It is as far to
    /// be relied on as this one ([`ShareState`](crate::ShareState)); what [settles](SecretShare::settle) is this one,
    /// of which it is derived again.
    ///
    /// Constant time in the share.
    ///
    /// # Errors
    /// The [`Mismatch`], by name, if the shifted key was not made of the one that this is a share of.
    pub fn shift<T: Family<Curve = F::Curve>>(
        &self,
        by: &Shifted<F, T>,
    ) -> Result<SecretShare<T>, Mismatch> {
        by.from.expect(&self.package_id())?;
        let secret = Secret::make(|| {
            let sum = *self.secret().expose() + by.shift;
            // The sign is public.
            if by.negated { -sum } else { sum }
        });
        // What a file says of itself may be wrong; the shifted key says what the share has to be.
        SecretShare::new(self.party(), &by.key, secret, self.state())
            .map_err(|_| Mismatch::WrongPackage { epoch: self.epoch() })
    }
}

impl<F: Family, T: Family<Curve = F::Curve>> fmt::Debug for Shifted<F, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shifted").field("from", &self.from).field("key", &self.key).finish()
    }
}
