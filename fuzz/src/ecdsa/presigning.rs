//! Presigning, frame by frame.

use quorate_cggmp::{Presign, PresignMany};

use super::fixture::Suite;
use crate::sessions;

/// The first byte: frames that one of three parties gets, in a run for one presignature or for two, or what it has stored.
pub(crate) fn ecdsa_presign<C: Suite>(data: &[u8]) -> bool {
    let Some((what, rest)) = data.split_first() else { return false };
    match what % 4 {
        0 | 1 => sessions::frames::<Presign<C>>(rest),
        2 => sessions::frames::<PresignMany<C>>(rest),
        _ => sessions::seals::<Presign<C>>(rest),
    }
}
