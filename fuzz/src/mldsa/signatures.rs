//! Signatures and verifying keys of FIPS 204: three implementations find the same.

use std::sync::OnceLock;

use fips204::traits::{KeyGen, SerDes, Signer, Verifier};
use quorate_mldsa::{Level, Signature, VerifyingKey};

use crate::fixture::MESSAGE;
use crate::input::Input;

pub(crate) const CONTEXT: &[u8] = b"context";

/// A key, and a signature of the fixture's message under its context.
pub(crate) struct Made {
    pub(crate) key: Vec<u8>,
    pub(crate) signature: Vec<u8>,
}

macro_rules! make {
    ($module:ident) => {{
        let (public, secret) = fips204::$module::KG::keygen_from_seed(&[48; 32]);
        let signature = secret.try_sign_with_seed(&[49; 32], MESSAGE, CONTEXT).expect("short");
        Made { key: public.into_bytes().to_vec(), signature: signature.to_vec() }
    }};
}

/// Asks the crates `fips204` and `ml-dsa` whether they accept a signature.
macro_rules! others {
    ($bytes:expr, $message:expr, $context:expr, $module:ident, $params:ident) => {{
        let Made { key, signature } = $bytes;
        let encoded = key.as_slice().try_into().expect("the length of a key");
        let bytes = key.clone().try_into().expect("the length of a key");
        let first = fips204::$module::PublicKey::try_from_bytes(bytes).expect("any bytes");
        let second = ml_dsa::VerifyingKey::<ml_dsa::$params>::decode(&encoded);
        let read = ml_dsa::Signature::<ml_dsa::$params>::try_from(signature.as_slice());
        let bytes: [u8; fips204::$module::SIG_LEN] =
            signature.clone().try_into().expect("the length of a signature");
        [
            first.verify($message, &bytes, $context),
            read.is_ok_and(|read| second.verify_with_context($message, $context, &read)),
        ]
    }};
}

pub(crate) fn made(level: Level) -> &'static Made {
    static MADE: OnceLock<[Made; 3]> = OnceLock::new();
    let all = MADE.get_or_init(|| [make!(ml_dsa_44), make!(ml_dsa_65), make!(ml_dsa_87)]);
    &all[level as usize]
}

/// Level; how key and signature are made, and whether message and context are others; then what that takes.
pub(crate) fn check(data: &[u8]) -> bool {
    let mut input = Input::new(data);
    let level = Level::ALL[input.below(3)];
    let how = input.byte();
    let Made { key, signature } = made(level);
    let (mut key, mut signature) = (key.clone(), signature.clone());
    let (message, context) = match how >> 4 & 3 {
        0 | 3 => (MESSAGE.to_vec(), CONTEXT.to_vec()),
        1 => (vec![input.byte(); input.below(4)], CONTEXT.to_vec()),
        // Contexts of 254 to 257 bytes are of interest as well.
        _ => (MESSAGE.to_vec(), vec![input.byte(); usize::from(input.pair() % 260)]),
    };
    match how % 8 {
        0 => signature = input.bytes(usize::MAX).to_vec(),
        1 => key = input.bytes(usize::MAX).to_vec(),
        2 => alter(&mut key, &mut input),
        // From somewhere on it is the rest: the hint has the end, z stands before it.
        3 | 4 => {
            let from_end = usize::from(input.pair()) % signature.len();
            let at = signature.len() - from_end;
            let rest = input.bytes(from_end);
            signature[at..at + rest.len()].copy_from_slice(rest);
        }
        _ => alter(&mut signature, &mut input),
    }
    let same = key == made(level).key
        && signature == made(level).signature
        && (&message[..], &context[..]) == (MESSAGE, CONTEXT);
    verdicts(level, Made { key, signature }, (&message, &context), same)
}

/// Up to eight bytes, a pair from the start of it or of its last 256 bytes, and what they are changed by.
fn alter(bytes: &mut [u8], input: &mut Input<'_>) {
    for _ in 0..8 {
        let Some(place) = input.next() else { break };
        let at = usize::from(input.pair());
        let end = bytes.len();
        let at = if place & 1 == 1 { end - 1 - at % 256 } else { at % end };
        bytes[at] ^= input.byte();
    }
}

/// Checks that every verifier accepts the signature that was made, and no other one.
fn verdicts(level: Level, bytes: Made, (message, context): (&[u8], &[u8]), same: bool) -> bool {
    let Ok(key) = VerifyingKey::from_bytes(level, &bytes.key) else {
        assert_ne!(bytes.key.len(), level.verifying_key_len(), "every key of this length is one");
        return false;
    };
    assert_eq!(key.to_bytes(), bytes.key, "one form");
    let read = Signature::from_bytes(level, &bytes.signature);
    if bytes.signature.len() != level.signature_len() {
        assert!(read.is_err());
        return false;
    }
    let decoded = read.is_ok();
    let found = read.is_ok_and(|read| {
        assert_eq!(read.to_bytes(), bytes.signature, "one form");
        key.verify(message, context, &read).is_ok()
    });
    let others = match level {
        Level::MlDsa44 => others!(&bytes, message, context, ml_dsa_44, MlDsa44),
        Level::MlDsa65 => others!(&bytes, message, context, ml_dsa_65, MlDsa65),
        Level::MlDsa87 => others!(&bytes, message, context, ml_dsa_87, MlDsa87),
    };
    assert_eq!(others, [found; 2], "others find otherwise");
    assert_eq!(found, same, "a forgery");
    decoded
}
