//! Derivation of child keys without hardening: BIP-32 over secp256k1, SLIP-10 over P-256.
//!
//! A child key is its parent plus a number that follows from the public key and the chain code, so
//! it takes no communication. The one difference between the two standards is a child index without
//! a valid key: BIP-32 has the caller take the next index, SLIP-10 hashes again. The chance is below
//! 2^-127 over secp256k1 and about 2^-32 over P-256.

use alloc::vec::Vec;
use core::str::FromStr;

use sha2::{Digest, Sha512};

use crate::{DeriveError, EcdsaCurve, VerifyingKey};

/// The first hardened index.
const HARDENED: u32 = 1 << 31;
/// The most levels of a path.
const DEPTH: usize = 255;
/// The most times that a child is derived again: 2^-32 each, so this is never reached.
const ATTEMPTS: u32 = 128;

/// A path from a key to a descendant: at most 255 indices below 2^31, none hardened.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct DerivationPath(Vec<u32>);

impl DerivationPath {
    /// The path of these indices; none for the key itself.
    ///
    /// # Errors
    /// [`DeriveError::Hardened`] for an index of 2^31 or above, [`DeriveError::TooDeep`] for more
    /// than 255.
    pub fn new(indices: impl IntoIterator<Item = u32>) -> Result<Self, DeriveError> {
        let mut path = Vec::new();
        for index in indices {
            if index >= HARDENED {
                return Err(DeriveError::Hardened);
            }
            if path.len() >= DEPTH {
                return Err(DeriveError::TooDeep);
            }
            path.push(index);
        }
        Ok(Self(path))
    }

    /// The indices, from the key downwards.
    #[must_use]
    pub fn indices(&self) -> &[u32] {
        &self.0
    }
}

/// Reads `m/44/0/7`, the `m` standing for the key that is derived from.
impl FromStr for DerivationPath {
    type Err = DeriveError;

    fn from_str(path: &str) -> Result<Self, DeriveError> {
        let mut levels = path.split('/');
        if levels.next() != Some("m") {
            return Err(DeriveError::BadPath);
        }
        let mut indices = Vec::new();
        for level in levels {
            if level.ends_with(['\'', 'h', 'H']) {
                return Err(DeriveError::Hardened);
            }
            // `parse` alone would take a sign.
            if !level.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(DeriveError::BadPath);
            }
            if indices.len() >= DEPTH {
                return Err(DeriveError::TooDeep);
            }
            indices.push(level.parse().map_err(|_| DeriveError::BadPath)?);
        }
        Self::new(indices)
    }
}

/// A descendant of a key.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Derived<C: EcdsaCurve> {
    /// The shift of the secret key. As public as the key and the chain code.
    pub tweak: C::Scalar,
    /// The descendant's public key.
    pub key: VerifyingKey<C>,
    /// The descendant's chain code.
    pub chain_code: [u8; 32],
}

impl<C: EcdsaCurve> Derived<C> {
    /// The descendant at `path` of a key with a chain code.
    ///
    /// # Errors
    /// [`DeriveError::NoSuchChild`] where the standard has no child.
    pub fn at(
        key: &VerifyingKey<C>,
        chain_code: &[u8; 32],
        path: &DerivationPath,
    ) -> Result<Self, DeriveError> {
        let start = Self { tweak: C::Scalar::default(), key: *key, chain_code: *chain_code };
        path.0.iter().try_fold(start, |parent, index| parent.child(*index, hmac_sha512))
    }

    /// One level down. The pseudorandom function is a parameter for tests, which could not reach
    /// what happens once in 2^127 times.
    fn child(
        &self,
        index: u32,
        prf: impl Fn(&[u8; 32], &[&[u8]]) -> [u8; 64],
    ) -> Result<Self, DeriveError> {
        let number = index.to_be_bytes();
        let mut output = prf(&self.chain_code, &[self.key.as_bytes(), &number]);
        for _ in 0..ATTEMPTS {
            let (left, right) = halves(&output);
            let tweak = C::decode_scalar(&left);
            let key = tweak.map(|tweak| *self.key.point() + C::mul_base(&tweak));
            if let (Some(tweak), Some(key)) = (tweak, key.and_then(VerifyingKey::new)) {
                return Ok(Self { tweak: self.tweak + tweak, key, chain_code: right });
            }
            if !C::DERIVES_AGAIN {
                break;
            }
            output = prf(&self.chain_code, &[&[1], &right, &number]);
        }
        Err(DeriveError::NoSuchChild(index))
    }
}

impl<C: EcdsaCurve> core::fmt::Debug for Derived<C> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Derived").field("key", &self.key).finish_non_exhaustive()
    }
}

fn halves(bytes: &[u8; 64]) -> ([u8; 32], [u8; 32]) {
    let mut halves = ([0; 32], [0; 32]);
    halves.0.iter_mut().chain(&mut halves.1).zip(bytes).for_each(|(to, from)| *to = *from);
    halves
}

/// HMAC (RFC 2104) with SHA-512, whose blocks have 128 bytes. All of it is public here.
fn hmac_sha512(key: &[u8; 32], data: &[&[u8]]) -> [u8; 64] {
    let pad = |with: u8| {
        let mut block = [with; 128];
        block.iter_mut().zip(key).for_each(|(byte, key)| *byte ^= *key);
        block
    };
    let mut inner = Sha512::new_with_prefix(pad(0x36));
    data.iter().for_each(|part| inner.update(part));
    let mut outer = Sha512::new_with_prefix(pad(0x5c));
    outer.update(inner.finalize());
    outer.finalize().into()
}

#[cfg(test)]
mod tests {
    use core::cell::Cell;

    use quorate_curve::{P256, Secp256k1};

    use super::{Derived, hmac_sha512};
    use crate::{DeriveError, EcdsaCurve, VerifyingKey};

    fn parent<C: EcdsaCurve>() -> Derived<C> {
        let key = VerifyingKey::new(C::mul_base(&C::Scalar::from(5))).unwrap();
        Derived { tweak: C::Scalar::default(), key, chain_code: [9; 32] }
    }

    /// The order itself, and the tweak that makes the child the identity: neither is a child.
    fn bad_halves<C: EcdsaCurve>() -> [[u8; 32]; 2] {
        let mut order = [0; 32];
        let bytes = C::ORDER.iter().rev().flat_map(|limb| limb.to_be_bytes());
        order.iter_mut().zip(bytes).for_each(|(to, from)| *to = from);
        [order, C::encode_scalar(&-C::Scalar::from(5))]
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
