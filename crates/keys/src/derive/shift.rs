//! The addition of a public number to a key. Every share gets the same shift, since Lagrange coefficients add up
//! to one.

use alloc::vec::Vec;
use core::fmt;

use quorate_curve::{Curve, Secret};
use quorate_sharing::Commitment;
use zeroize::Zeroizing;

use super::DeriveError;
use crate::error::{DecodeError, Mismatch};
use crate::shared::check;
use crate::{Family, PackageId, Scalar, SecretShare, SharedKey};

/// A key that was shifted by a public number, `X' = ±(X + shift·G)`, and the shift of its shares.
///
/// The sign is the one that the new key's family wants ([`Family::accepts`]): Taproot's keys are even. Only
/// [`SharedKey::shift`] makes this value, so every share that [`SecretShare::shift`] makes with it belongs to the
/// same key.
pub struct Shifted<F: Family, T: Family<Curve = F::Curve> = F> {
    from: PackageId,
    /// Wiped, since the shift of a hardened child is a secret of the signers.
    shift: Zeroizing<Scalar<F>>,
    negated: bool,
    key: SharedKey<T>,
}

impl<F: Family, T: Family<Curve = F::Curve>> Shifted<F, T> {
    /// The shifted key.
    #[must_use]
    pub const fn key(&self) -> &SharedKey<T> {
        &self.key
    }

    /// The shifted key, for a party that has no share.
    #[must_use]
    pub fn into_key(self) -> SharedKey<T> {
        self.key
    }

    /// The number that was added, before the sign. For a hardened child it is a secret of the signers.
    #[must_use]
    pub fn number(&self) -> &Scalar<F> {
        &self.shift
    }

    /// The name of the key before.
    #[must_use]
    pub const fn from(&self) -> PackageId {
        self.from
    }
}

impl<F: Family> SharedKey<F> {
    /// The key `±(X + shift·G)` as a key of the family T, with the same committee and in the same epoch.
    ///
    /// T is F, or one of the families that F names in [`Family::SHIFTS_TO`]. Any other does not compile:
    ///
    /// ```compile_fail,E0080
    /// # use quorate_curve::Secp256k1;
    /// # use quorate_keys::session::wire::Reader;
    /// use quorate_keys::{Family, SharedKey};
    ///
    /// # macro_rules! family { ($name:ident, $code:literal) => {
    /// # #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    /// # struct $name;
    /// # impl Family for $name {
    /// #     type Curve = Secp256k1;
    /// #     type Extra = ();
    /// #     const NAME: &'static str = stringify!($name);
    /// #     const CODE: u8 = $code;
    /// #     fn put_extra(_: &(), _: &mut Vec<u8>) {}
    /// #     fn read_extra(_: &mut Reader<'_>) -> Option<()> { Some(()) }
    /// # }
    /// # } }
    /// # family!(Ecdsa, 200);
    /// # family!(Schnorr, 201);
    /// // Two families over secp256k1, neither of which names the other.
    /// fn moved(key: &SharedKey<Ecdsa>) -> Option<SharedKey<Schnorr>> {
    ///     Some(key.shift::<Schnorr>(&1.into(), ()).ok()?.into_key())
    /// }
    /// # fn main() { let _: fn(&SharedKey<Ecdsa>) -> _ = moved; }
    /// ```
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
        const {
            let named = is_among(T::NAME, F::SHIFTS_TO) || is_among(T::NAME, &[F::NAME]);
            assert!(named, "keys are shifted to their own family, or to one that it names");
        }
        let mut points = self.commitment().points().to_vec();
        let constant = points.first_mut().ok_or(DeriveError::Identity)?;
        let by = F::Curve::mul_base(shift);
        *constant = *constant + by;
        let negated = !T::accepts(&F::Curve::encode_point(constant));
        // The value of f + shift at every place is the value of f there plus the shift, so nothing is evaluated
        // again.
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
        Ok(Shifted { from: self.package_id(), shift: Zeroizing::new(*shift), negated, key })
    }
}

impl<T: Family> SharedKey<T> {
    /// Returns whether [`SharedKey::shift`] makes this key from `parent`. With a random polynomial, all its
    /// coefficients except the constant are the parent's, or their negatives.
    pub(crate) fn is_shift_of<F: Family<Curve = T::Curve>>(&self, parent: &SharedKey<F>) -> bool {
        let (ours, theirs) = (self.commitment().points(), parent.commitment().points());
        let higher = || ours.iter().zip(theirs).skip(1);
        (self.epoch(), self.committee()) == (parent.epoch(), parent.committee())
            && (higher().all(|(one, other)| one == other)
                || higher().all(|(one, other)| *one == -*other))
    }
}

impl<F: Family> SecretShare<F> {
    /// This party's share of the shifted key: `±(s_i + shift)`, checked against its verifying share. Its state
    /// ([`ShareState`](crate::ShareState)) is that of the parent's share. To [settle](SecretShare::settle) it,
    /// settle the parent's share and derive it again.
    ///
    /// Do not store it. A refresh does not change stored shares, and t stored shares of children are the parent's
    /// key for ever.
    ///
    /// Constant time in the share.
    ///
    /// # Errors
    /// The [`Mismatch`], which names the difference, if the shifted key was not made from the key of this share.
    pub fn shift<T: Family<Curve = F::Curve>>(
        &self,
        by: &Shifted<F, T>,
    ) -> Result<SecretShare<T>, Mismatch> {
        self.package_id().check_belongs_to(&by.from)?;
        let secret = Secret::make(|| {
            let sum = *self.secret().expose() + *by.shift;
            // The sign is public.
            if by.negated { -sum } else { sum }
        });
        // The data in a file may be wrong. The shifted key decides what the share has to be.
        SecretShare::new(self.id(), &by.key, secret, self.state())
            .map_err(|_| Mismatch::WrongPackage { epoch: self.epoch() })
    }
}

impl<F: Family, T: Family<Curve = F::Curve>> fmt::Debug for Shifted<F, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shifted").field("from", &self.from).field("key", &self.key).finish()
    }
}

/// Returns whether a name is one of these.
const fn is_among(name: &str, mut names: &[&str]) -> bool {
    while let Some((first, rest)) = names.split_first() {
        if is_same(name.as_bytes(), first.as_bytes()) {
            return true;
        }
        names = rest;
    }
    false
}

const fn is_same(mut one: &[u8], mut other: &[u8]) -> bool {
    loop {
        match (one.split_first(), other.split_first()) {
            (None, None) => return true,
            (Some((a, rest)), Some((b, others))) if *a == *b => (one, other) = (rest, others),
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_among;

    #[test]
    fn names_are_compared_whole() {
        assert!(is_among("one", &["two", "one"]) && is_among("", &[""]));
        for names in [&[][..], &["two"], &["on", "onee", "One", ""]] {
            assert!(!is_among("one", names), "{names:?}");
        }
    }
}
