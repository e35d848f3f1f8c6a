//! The standards that derive the children of a key on a curve.

use quorate_curve::{Curve, Ed448, Ed25519, P256, Ristretto255, Secp256k1};

/// The method by which the children of a key are derived.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standard {
    /// BIP-32: the caller skips an index without a valid key.
    Bip32,
    /// SLIP-10: an index without a valid key is hashed again.
    Slip10,
    /// Quorate additive derivation, version 1: see the [module](super#the-additive-derivation).
    Additive,
}

/// A curve on which keys have children. A point is hashed in the curve's own encoding
/// ([`Curve::encode_point`]), which is SEC 1's compressed form where BIP-32 and SLIP-10 want it.
pub trait Derivable: Curve {
    /// The standard. [`Bip32`](Standard::Bip32) and [`Slip10`](Standard::Slip10) need an order of 256 bits.
    const STANDARD: Standard;
}

impl Derivable for Secp256k1 {
    const STANDARD: Standard = Standard::Bip32;
}

impl Derivable for P256 {
    const STANDARD: Standard = Standard::Slip10;
}

impl Derivable for Ed25519 {
    const STANDARD: Standard = Standard::Additive;
}

impl Derivable for Ristretto255 {
    const STANDARD: Standard = Standard::Additive;
}

impl Derivable for Ed448 {
    const STANDARD: Standard = Standard::Additive;
}
