//! *Tweak Context*: child keys and Taproot outputs.

use core::fmt;

use quorate_curve::{Curve, Secp256k1};

use super::error::Error;
use super::{Point, Scalar, Sign, x_only};

/// A tweak of a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tweak {
    /// The scalar t, big-endian.
    pub scalar: [u8; 32],
    /// `true` if the key is first taken with an even y-coordinate.
    pub is_x_only: bool,
}

impl Tweak {
    /// A tweak of the plain key, as BIP-32's.
    #[must_use]
    pub const fn plain(scalar: [u8; 32]) -> Self {
        Self { scalar, is_x_only: false }
    }

    /// A tweak of the x-only key, as BIP-341's.
    #[must_use]
    pub const fn x_only(scalar: [u8; 32]) -> Self {
        Self { scalar, is_x_only: true }
    }
}

/// A key with the tweaks that were applied: the BIP's *Tweak Context*.
#[derive(Clone)]
pub struct TweakedKey {
    pub(super) point: Point,
    bytes: [u8; 33],
    /// gacc
    accumulated: Sign,
    /// tacc
    tweak: Scalar,
}

impl TweakedKey {
    /// *TweakCtxInit*
    ///
    /// # Errors
    /// [`Error::BadKey`] if it is no compressed point.
    pub fn new(key: &[u8; 33]) -> Result<Self, Error> {
        Secp256k1::decode_point(key).map(Self::of).ok_or(Error::BadKey)
    }

    pub(super) fn of(point: Point) -> Self {
        let (bytes, tweak) = (Secp256k1::encode_point(&point), Scalar::default());
        Self { point, bytes, accumulated: Sign::Plus, tweak }
    }

    /// *ApplyTweak*
    ///
    /// # Errors
    /// [`Error::BadTweak`], [`Error::Infinity`].
    pub fn apply(&self, tweak: &Tweak) -> Result<Self, Error> {
        let sign = if tweak.is_x_only { self.sign() } else { Sign::Plus };
        let t = Secp256k1::decode_scalar(&tweak.scalar).ok_or(Error::BadTweak)?;
        let point = sign.point(self.point) + Secp256k1::mul_base(&t);
        if Secp256k1::is_identity(&point) {
            return Err(Error::Infinity);
        }
        let bytes = Secp256k1::encode_point(&point);
        let tweak = t + sign.scalar(self.tweak);
        Ok(Self { point, bytes, accumulated: self.accumulated.times(sign), tweak })
    }

    /// Applies every tweak, in this order.
    pub(super) fn apply_all(self, tweaks: &[Tweak]) -> Result<Self, Error> {
        tweaks.iter().try_fold(self, |key, tweak| key.apply(tweak))
    }

    /// *GetPlainPubkey*: the compressed key.
    #[must_use]
    pub const fn plain(&self) -> &[u8; 33] {
        &self.bytes
    }

    /// *GetXonlyPubkey*: the key as BIP-340 has it, 32 bytes.
    #[must_use]
    pub const fn x_only(&self) -> &[u8] {
        x_only(&self.bytes)
    }

    /// g: the sign of the key's y-coordinate.
    pub(super) const fn sign(&self) -> Sign {
        Sign::of_y(&self.bytes)
    }

    /// g·gacc: the sign that all shares of the key sign with.
    pub(super) const fn sign_of_shares(&self) -> Sign {
        self.sign().times(self.accumulated)
    }

    /// g·tacc
    pub(super) fn shift(&self) -> Scalar {
        self.sign().scalar(self.tweak)
    }
}

impl fmt::Debug for TweakedKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TweakedKey(")?;
        self.bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
        f.write_str(")")
    }
}
