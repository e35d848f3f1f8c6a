//! Presigning, frame by frame.

use quorate_cggmp::Presign;

use super::fixture::Suite;
use crate::sessions;

/// The first byte: frames that one of three parties gets, or what it has stored.
pub(crate) fn ecdsa_presign<C: Suite>(data: &[u8]) -> bool {
    let Some((what, rest)) = data.split_first() else { return false };
    match what % 4 {
        0..=2 => sessions::frames::<Presign<C>>(rest),
        _ => sessions::seals::<Presign<C>>(rest),
    }
}
