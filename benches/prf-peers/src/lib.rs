//! Shared keys for the tests and the ratios.

use chacha20::ChaCha20Rng;
use chacha20::rand_core::SeedableRng;
use quorate_prf::frost::{Dealing, KeyShare, KeySuite, PublicKeyPackage};
use quorate_prf::session::Parties;

/// A seeded generator.
#[must_use]
pub fn rng(seed: u8) -> ChaCha20Rng {
    ChaCha20Rng::from_seed([seed; 32])
}

/// This key, dealt among parties 1 to n.
///
/// # Panics
/// If it is no key, or the numbers are no committee.
#[must_use]
pub fn dealt<K: KeySuite>(
    key: &[u8],
    threshold: u16,
    parties: u16,
) -> (PublicKeyPackage<K>, Vec<KeyShare<K>>) {
    let parties = Parties::numbered(parties).expect("two or more");
    let dealing = Dealing::<K>::import(key, threshold, &parties, &mut rng(1)).expect("a key");
    let public = dealing.public;
    let accept = |share: quorate_prf::frost::DealtShare<K>| {
        share.accept(threshold, &public).expect("a share of the key")
    };
    let shares = dealing.shares.into_iter().map(accept).collect();
    (public, shares)
}
