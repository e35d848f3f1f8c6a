//! Key generations.

use quorate_cggmp::Keygen;

use super::fixture::Suite;
use crate::{dkg, sessions};

/// The first byte: sequences of operations on three parties, frames that one of them gets, or
/// what one of them has stored. All three are what FROST's key generation goes through.
pub(crate) fn ecdsa_session<C: Suite>(data: &[u8]) -> bool {
    let Some((what, rest)) = data.split_first() else { return false };
    match what % 4 {
        0 | 1 => dkg::operations::<Keygen<C>>(rest),
        2 => sessions::frames::<Keygen<C>>(rest),
        _ => sessions::seals::<Keygen<C>>(rest),
    }
}
