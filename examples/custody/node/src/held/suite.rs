//! Suites of FROST whose keys are held.

use quorate::frost::ed448::Ed448Shake256;
use quorate::frost::ed25519::Ed25519Sha512;
use quorate::frost::generic::RootSuite;
use quorate::frost::secp256k1_tr::TaprootInternal;

/// A suite of keys that the node holds. Their descendants sign, the one at `m` too.
pub(crate) trait Suite: RootSuite {
    /// The number of bytes in front of a point that verifiers do not take.
    const SKIP: usize = 0;
}

impl Suite for Ed25519Sha512 {}

impl Suite for Ed448Shake256 {}

/// An account of BIP-86, of which an output can have scripts.
impl Suite for TaprootInternal {
    // BIP-340 has the x-coordinate alone.
    const SKIP: usize = 1;
}
