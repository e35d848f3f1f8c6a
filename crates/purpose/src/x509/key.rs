//! The key that a certificate is about.

use alloc::borrow::Cow;

use super::der;
use crate::error::Malformed;
use crate::wire::{Reader, wide};

const LENGTH: Malformed = Malformed("the key has not the length of its algorithm");

/// A `SubjectPublicKeyInfo`.
#[derive(Debug)]
pub(super) struct Key<'a> {
    pub(super) der: &'a [u8],
    pub(super) algorithm: Cow<'static, str>,
    /// The content of the bit string.
    pub(super) bytes: &'a [u8],
    /// The length of an RSA modulus in bits.
    pub(super) rsa_bits: Option<u64>,
}

pub(super) fn read<'a>(reader: &mut Reader<'a>) -> Result<Key<'a>, Malformed> {
    let der = der::raw(reader, der::SEQUENCE)?;
    let mut inside = Reader::new(der::whole(der, der::SEQUENCE)?);
    let mut algorithm = der::inside(&mut inside, der::SEQUENCE)?;
    let bytes = der::bytes(&mut inside)?;
    inside.end()?;
    let identifier = der::value(&mut algorithm, der::OID)?;
    let parameters = algorithm.rest();
    let plain = |name: &'static str, length: usize| {
        if bytes.len() == length && parameters.is_empty() {
            Ok((Cow::Borrowed(name), None))
        } else {
            Err(LENGTH)
        }
    };
    let (algorithm, rsa_bits) = match identifier {
        [0x2a, 0x86, 0x48, 0xce, 0x3d, 2, 1] => (Cow::Borrowed(curve(parameters, bytes)?), None),
        [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 1] => {
            der::whole(parameters, der::NULL)?;
            (Cow::Borrowed("rsa"), Some(rsa_bits(bytes)?))
        }
        [0x2b, 0x65, 0x6e] => plain("x25519", 32)?,
        [0x2b, 0x65, 0x70] => plain("ed25519", 32)?,
        [0x2b, 0x65, 0x71] => plain("ed448", 57)?,
        [0x60, 0x86, 0x48, 1, 0x65, 3, 4, 3, 17] => plain("ml-dsa-44", 1312)?,
        [0x60, 0x86, 0x48, 1, 0x65, 3, 4, 3, 18] => plain("ml-dsa-65", 1952)?,
        [0x60, 0x86, 0x48, 1, 0x65, 3, 4, 3, 19] => plain("ml-dsa-87", 2592)?,
        other => (der::dotted(other)?.into(), None),
    };
    Ok(Key { der, algorithm, bytes, rsa_bits })
}

/// The name of a curve (RFC 5480) on which the point can lie by its length.
fn curve(parameters: &[u8], point: &[u8]) -> Result<&'static str, Malformed> {
    let (name, field) = match der::whole(parameters, der::OID)? {
        [0x2a, 0x86, 0x48, 0xce, 0x3d, 3, 1, 7] => ("ecdsa-p256", 32_usize),
        [0x2b, 0x81, 4, 0, 34] => ("ecdsa-p384", 48),
        [0x2b, 0x81, 4, 0, 35] => ("ecdsa-p521", 66),
        [0x2b, 0x81, 4, 0, 10] => ("ecdsa-secp256k1", 32),
        _ => return Err(Malformed("the curve of the key is unknown")),
    };
    let length = match point.first() {
        Some(4) => field.saturating_mul(2),
        Some(2 | 3) => field,
        _ => return Err(LENGTH),
    };
    if point.len() == length + 1 { Ok(name) } else { Err(LENGTH) }
}

fn rsa_bits(key: &[u8]) -> Result<u64, Malformed> {
    der::check(key)?;
    let mut inside = Reader::new(der::whole(key, der::SEQUENCE)?);
    let (modulus, _) = (der::positive(&mut inside)?, der::positive(&mut inside)?);
    inside.end()?;
    let zeros = modulus.first().map_or(0, |first| first.leading_zeros());
    let bits = wide(modulus.len()) * 8;
    Ok(bits.saturating_sub(zeros.into()))
}
