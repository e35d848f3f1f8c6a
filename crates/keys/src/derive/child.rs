//! The derivation of one level, and of all levels of a path.

use super::additive;
use super::hash::{halves, hmac_sha512};
use super::{Derivable, DerivationPath, DeriveError, Standard};

/// The largest number of times that a child is derived again. Each has a chance of 2^-32, so this is never
/// reached.
const ATTEMPTS: u32 = 128;

/// A descendant of a key.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Derived<C: Derivable> {
    /// The shift of the secret key. It is as public as the key and the chain code.
    pub tweak: C::Scalar,
    /// The descendant's public key, never the identity.
    pub key: C::Point,
    /// The descendant's chain code.
    pub chain_code: [u8; 32],
}

impl<C: Derivable> Derived<C> {
    /// The descendant at `path` of a key with a chain code.
    ///
    /// # Errors
    /// [`DeriveError::NoSuchChild`] if the curve's [`Standard`] has no child; [`DeriveError::Identity`] if the
    /// key itself is the identity.
    pub fn at(
        key: &C::Point,
        chain_code: &[u8; 32],
        path: &DerivationPath,
    ) -> Result<Self, DeriveError> {
        if C::is_identity(key) {
            return Err(DeriveError::Identity);
        }
        let start = Self { tweak: C::Scalar::default(), key: *key, chain_code: *chain_code };
        path.indices().iter().try_fold(start, |parent, index| parent.child(*index, hmac_sha512))
    }

    /// One level of the derivation. The pseudorandom function is a parameter for tests, which could not otherwise
    /// reach a case that happens once in 2^127 times.
    fn child(
        &self,
        index: u32,
        prf: impl Fn(&[u8; 32], &[&[u8]]) -> [u8; 64],
    ) -> Result<Self, DeriveError> {
        let (key, number) = (C::encode_point(&self.key), index.to_be_bytes());
        let missing = DeriveError::NoSuchChild(index);
        if C::STANDARD == Standard::Additive {
            let (tweak, chain_code) = additive::step::<C>(&self.chain_code, &key, index);
            return self.moved(&tweak, chain_code).ok_or(missing);
        }
        let mut output = prf(&self.chain_code, &[key.as_ref(), &number]);
        for _ in 0..ATTEMPTS {
            let (left, right) = halves(&output);
            let child = C::decode_scalar(&left).and_then(|tweak| self.moved(&tweak, right));
            if let Some(child) = child {
                return Ok(child);
            }
            if C::STANDARD == Standard::Bip32 {
                break;
            }
            output = prf(&self.chain_code, &[&[1], &right, &number]);
        }
        Err(missing)
    }

    /// The key `K + tweak·G`, unless it is the identity.
    fn moved(&self, tweak: &C::Scalar, chain_code: [u8; 32]) -> Option<Self> {
        let key = self.key + C::mul_base(tweak);
        let tweak = self.tweak + *tweak;
        (!C::is_identity(&key)).then_some(Self { tweak, key, chain_code })
    }
}

impl<C: Derivable> core::fmt::Debug for Derived<C> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Derived").field("key", &self.key).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use core::cell::Cell;

    use quorate_curve::{P256, Secp256k1};

    use super::{Derivable, DeriveError, Derived, hmac_sha512};

    fn parent<C: Derivable>() -> Derived<C> {
        let key = C::mul_base(&C::Scalar::from(5));
        Derived { tweak: C::Scalar::default(), key, chain_code: [9; 32] }
    }

    /// The order itself, and the tweak that makes the child the identity. Neither gives a child.
    fn bad_halves<C: Derivable<ScalarBytes = [u8; 32]>>() -> [[u8; 32]; 2] {
        let order = C::ORDER.iter().rev().flat_map(|limb| limb.to_be_bytes());
        [order.collect::<Vec<_>>().try_into().unwrap(), C::encode_scalar(&-C::Scalar::from(5))]
    }

    #[test]
    fn bip32_skips_an_invalid_child() {
        for left in bad_halves::<Secp256k1>() {
            let mut output = [7; 64];
            output[..32].copy_from_slice(&left);
            let child = parent::<Secp256k1>().child(3, |_, _| output);
            assert_eq!(child.unwrap_err(), DeriveError::NoSuchChild(3));
        }
    }

    #[test]
    fn slip10_derives_an_invalid_child_again_and_not_for_ever() {
        for left in bad_halves::<P256>() {
            let mut output = [7; 64];
            output[..32].copy_from_slice(&left);
            let calls = Cell::new(0);
            let prf = |key: &[u8; 32], data: &[&[u8]]| {
                calls.set(calls.get() + 1);
                if calls.get() == 1 {
                    return output;
                }
                assert_eq!(data, [&[1][..], &[7; 32], &3u32.to_be_bytes()]);
                hmac_sha512(key, data)
            };
            assert!(parent::<P256>().child(3, prf).is_ok());
            assert_eq!(calls.get(), 2);
            let child = parent::<P256>().child(3, |_, _| output);
            assert_eq!(child.unwrap_err(), DeriveError::NoSuchChild(3));
        }
    }
}
