//! Taproot's output keys of descendants (BIP-86, BIP-341).

use quorate_curve::{Curve, Secp256k1};
use quorate_session::wire::joined;
use sha2::{Digest, Sha256};

use super::{DeriveError, Derived};

type Scalar = <Secp256k1 as Curve>::Scalar;

/// The Taproot output of a descendant: `Q = P + H_TapTweak(P ‖ merkle_root)·G` for the internal key P, which is the
/// descendant with an even y-coordinate.
///
/// Without a root it is the output of BIP-86, which only the key path spends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct TaprootKey {
    internal: [u8; 32],
    output: [u8; 32],
    shift: Scalar,
}

impl TaprootKey {
    /// The output of a descendant, which was derived along the whole path at once.
    ///
    /// # Errors
    /// [`DeriveError::Identity`]. For a hash this never happens.
    pub fn new(
        derived: &Derived<Secp256k1>,
        merkle_root: Option<&[u8; 32]>,
    ) -> Result<Self, DeriveError> {
        let (internal, odd) = x_only(&derived.key);
        let tweak = tap_tweak(&internal, merkle_root).ok_or(DeriveError::Identity)?;
        // P = ±K, so Q = ±K + h·G = ±(K ± h·G): one shift of K, up to the sign.
        let of_key = if odd { -tweak } else { tweak };
        let output = derived.key + Secp256k1::mul_base(&of_key);
        if Secp256k1::is_identity(&output) {
            return Err(DeriveError::Identity);
        }
        let (output, _) = x_only(&output);
        Ok(Self { internal, output, shift: derived.tweak + of_key })
    }

    /// The x-coordinate of the internal key.
    #[must_use]
    pub const fn internal(&self) -> &[u8; 32] {
        &self.internal
    }

    /// The x-coordinate of the output key, under which the signature verifies (BIP-340).
    #[must_use]
    pub const fn output(&self) -> &[u8; 32] {
        &self.output
    }

    /// The shift s with which the output key is `X + s·G` or its negative, where X is the key that was derived
    /// from.
    #[must_use]
    pub const fn shift(&self) -> &Scalar {
        &self.shift
    }

    /// The output script, from which the address is made: `OP_1`, and the output key (BIP-341).
    #[must_use]
    pub fn script_pubkey(&self) -> [u8; 34] {
        joined(&[&[0x51, 0x20], &self.output])
    }
}

impl core::fmt::Debug for TaprootKey {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("TaprootKey")
            .field("internal", &self.internal)
            .field("output", &self.output)
            .finish_non_exhaustive()
    }
}

/// `H_TapTweak(x ‖ merkle_root)` as a number, if it is below the order (BIP-341).
#[must_use]
pub fn tap_tweak(x: &[u8; 32], merkle_root: Option<&[u8; 32]>) -> Option<Scalar> {
    let tag = Sha256::digest("TapTweak");
    let mut hash = Sha256::new().chain_update(tag).chain_update(tag).chain_update(x);
    merkle_root.iter().for_each(|root| hash.update(root));
    Secp256k1::decode_scalar(&hash.finalize())
}

/// The x-coordinate of a point, and whether its y-coordinate is odd.
fn x_only(point: &<Secp256k1 as Curve>::Point) -> ([u8; 32], bool) {
    let [tag, x @ ..] = Secp256k1::encode_point(point);
    (x, tag == 3)
}
