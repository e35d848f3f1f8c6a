//! Attributes of objects.

use cryptoki_sys::*;
use sockets_pkcs11_wire::{KeyInfo, Scheme};

use crate::mechanism::Mechanism;
use crate::object::{Half, Object};
use crate::rv::{Result, Rv};

/// The curves as OBJECT IDENTIFIERs.
const P256: &[u8] = &[0x06, 8, 0x2a, 0x86, 0x48, 0xce, 0x3d, 3, 1, 7];
const SECP256K1: &[u8] = &[0x06, 5, 0x2b, 0x81, 4, 0, 0x0a];
const ED25519: &[u8] = &[0x06, 3, 0x2b, 0x65, 0x70];
/// Other names of Ed25519 that programs have: a PrintableString, and an identifier from before RFC 8410.
const EDWARDS25519: &[u8] = b"\x13\x0cedwards25519";
const OLD_ED25519: &[u8] = &[0x06, 9, 0x2b, 6, 1, 4, 1, 0xda, 0x47, 0x0f, 1];

/// `SubjectPublicKeyInfo` (RFC 5280) in front of a public key.
const P256_INFO: &[u8] = &[
    0x30, 0x59, 0x30, 0x13, 0x06, 7, 0x2a, 0x86, 0x48, 0xce, 0x3d, 2, 1, 0x06, 8, 0x2a, 0x86, 0x48,
    0xce, 0x3d, 3, 1, 7, 0x03, 0x42, 0,
];
const SECP256K1_INFO: &[u8] = &[
    0x30, 0x56, 0x30, 0x10, 0x06, 7, 0x2a, 0x86, 0x48, 0xce, 0x3d, 2, 1, 0x06, 5, 0x2b, 0x81, 4, 0,
    0x0a, 0x03, 0x42, 0,
];
const ED25519_INFO: &[u8] = &[0x30, 0x2a, 0x30, 5, 0x06, 3, 0x2b, 0x65, 0x70, 0x03, 0x21, 0];
const ML_DSA_65_INFO: &[u8] = &[
    0x30, 0x82, 0x07, 0xb2, 0x30, 0x0b, 0x06, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 3, 0x12, 0x03,
    0x82, 0x07, 0xa1, 0,
];

/// `CKA_EC_PARAMS` of a scheme that has a curve.
const fn curve(scheme: Scheme) -> Option<&'static [u8]> {
    match scheme {
        Scheme::EcdsaP256 => Some(P256),
        Scheme::EcdsaSecp256k1 => Some(SECP256K1),
        Scheme::Ed25519 => Some(ED25519),
        Scheme::MlDsa65 => None,
    }
}

/// The scheme of the curve that `CKA_EC_PARAMS` names.
pub(crate) fn scheme_of(params: &[u8]) -> Option<Scheme> {
    match params {
        EDWARDS25519 | OLD_ED25519 => Some(Scheme::Ed25519),
        _ => Scheme::ALL.into_iter().find(|scheme| curve(*scheme) == Some(params)),
    }
}

/// `CKA_PUBLIC_KEY_INFO` of a key.
fn info(key: &KeyInfo) -> Vec<u8> {
    let prefix = match key.scheme {
        Scheme::EcdsaP256 => P256_INFO,
        Scheme::EcdsaSecp256k1 => SECP256K1_INFO,
        Scheme::Ed25519 => ED25519_INFO,
        Scheme::MlDsa65 => ML_DSA_65_INFO,
    };
    [prefix, &key.public_key].concat()
}

/// `CKA_EC_POINT`: the point in an OCTET STRING. A point has fewer bytes than need a longer length.
fn point(key: &KeyInfo) -> Vec<u8> {
    let length = u8::try_from(key.public_key.len()).unwrap_or_default();
    [&[0x04, length], key.public_key.as_slice()].concat()
}

fn number(number: CK_ULONG) -> Vec<u8> {
    number.to_ne_bytes().to_vec()
}

fn boolean(is: bool) -> Vec<u8> {
    vec![if is { CK_TRUE } else { CK_FALSE }]
}

/// The type of a scheme's keys, and the mechanism that makes them.
const fn kinds(scheme: Scheme) -> (CK_KEY_TYPE, CK_MECHANISM_TYPE) {
    match scheme {
        Scheme::Ed25519 => (CKK_EC_EDWARDS, CKM_EC_EDWARDS_KEY_PAIR_GEN),
        Scheme::MlDsa65 => (CKK_ML_DSA, CKM_ML_DSA_KEY_PAIR_GEN),
        Scheme::EcdsaP256 | Scheme::EcdsaSecp256k1 => (CKK_EC, CKM_EC_KEY_PAIR_GEN),
    }
}

/// The mechanisms of a key.
fn mechanisms(key: &KeyInfo) -> Vec<u8> {
    let offered = |mechanism: &Mechanism| {
        mechanism.fits(key.scheme) && (*mechanism != Mechanism::Ecdsa || key.signs_digests)
    };
    let all = Mechanism::ALL.into_iter().filter(offered);
    all.flat_map(|mechanism| mechanism.code().to_ne_bytes()).collect()
}

/// The value of an attribute. A private key is private where consumers have to log in.
///
/// # Errors
/// `CKR_ATTRIBUTE_SENSITIVE` for the private value, which the module does not have. `CKR_ATTRIBUTE_TYPE_INVALID` for an
/// attribute that the object does not have.
pub(crate) fn value(
    object: Object<'_>,
    attribute: CK_ATTRIBUTE_TYPE,
    needs_login: bool,
) -> Result<Vec<u8>> {
    let Object { half, key } = object;
    Ok(match attribute {
        CKA_CLASS => number(class(half)),
        CKA_TOKEN | CKA_LOCAL => boolean(true),
        CKA_PRIVATE => boolean(half == Half::Private && needs_login),
        CKA_MODIFIABLE | CKA_COPYABLE | CKA_DESTROYABLE | CKA_DERIVE => boolean(false),
        CKA_LABEL => key.name.as_bytes().to_vec(),
        CKA_UNIQUE_ID => unique(half, key),
        CKA_KEY_TYPE => number(kinds(key.scheme).0),
        CKA_ID => key.id.to_vec(),
        CKA_START_DATE | CKA_END_DATE | CKA_SUBJECT => vec![],
        CKA_KEY_GEN_MECHANISM => number(kinds(key.scheme).1),
        CKA_ALLOWED_MECHANISMS => mechanisms(key),
        CKA_EC_PARAMS => curve(key.scheme).ok_or(Rv(CKR_ATTRIBUTE_TYPE_INVALID))?.to_vec(),
        CKA_PARAMETER_SET if key.scheme == Scheme::MlDsa65 => number(CKP_ML_DSA_65),
        CKA_PUBLIC_KEY_INFO => info(key),
        _ => return half_value(half, key, attribute),
    })
}

/// The value of an attribute that one half of a key has.
fn half_value(half: Half, key: &KeyInfo, attribute: CK_ATTRIBUTE_TYPE) -> Result<Vec<u8>> {
    Ok(match (half, attribute) {
        (Half::Public, CKA_EC_POINT) if curve(key.scheme).is_some() => point(key),
        (Half::Public, CKA_VALUE) if key.scheme == Scheme::MlDsa65 => key.public_key.clone(),
        (Half::Public, CKA_VERIFY) | (Half::Private, CKA_SIGN) => boolean(true),
        (Half::Public, CKA_ENCRYPT | CKA_VERIFY_RECOVER | CKA_WRAP | CKA_TRUSTED)
        | (Half::Private, CKA_DECRYPT | CKA_SIGN_RECOVER | CKA_UNWRAP | CKA_EXTRACTABLE)
        | (Half::Private, CKA_WRAP_WITH_TRUSTED | CKA_ALWAYS_AUTHENTICATE) => boolean(false),
        (Half::Private, CKA_SENSITIVE | CKA_ALWAYS_SENSITIVE | CKA_NEVER_EXTRACTABLE) => {
            boolean(true)
        }
        (Half::Private, CKA_VALUE | CKA_SEED) => return Err(Rv(CKR_ATTRIBUTE_SENSITIVE)),
        _ => return Err(Rv(CKR_ATTRIBUTE_TYPE_INVALID)),
    })
}

const fn class(half: Half) -> CK_OBJECT_CLASS {
    match half {
        Half::Public => CKO_PUBLIC_KEY,
        Half::Private => CKO_PRIVATE_KEY,
    }
}

/// The unique id of an object: its half, and the id of the key.
fn unique(half: Half, key: &KeyInfo) -> Vec<u8> {
    let prefix = if half == Half::Public { "public-" } else { "private-" };
    let digits = key.id.iter().map(|byte| format!("{byte:02x}"));
    core::iter::once(prefix.to_owned()).chain(digits).collect::<String>().into_bytes()
}
