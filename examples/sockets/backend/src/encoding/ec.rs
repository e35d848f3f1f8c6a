//! Points and scalars of elliptic curves.

use custody_core::Scheme;
use p256::elliptic_curve::sec1::ToSec1Point as _;

use crate::failure::Failure;

/// The most bytes of a scalar: those of P-521.
const SCALAR: usize = 66;

/// The uncompressed encoding (SEC 1) of the public key of an ECDSA scheme.
///
/// # Errors
/// [`Failure::Broken`] if it is no point of the curve, or the scheme is not ECDSA.
pub fn uncompressed(scheme: Scheme, public_key: &[u8]) -> Result<Vec<u8>, Failure> {
    let point = match scheme {
        Scheme::EcdsaSecp256k1 => k256::PublicKey::from_sec1_bytes(public_key)
            .map(|key| key.to_sec1_point(false).as_bytes().to_vec()),
        Scheme::EcdsaP256 => p256::PublicKey::from_sec1_bytes(public_key)
            .map(|key| key.to_sec1_point(false).as_bytes().to_vec()),
        _ => return Err(Failure::Broken(format!("the keys of {scheme} are no points of ECDSA"))),
    };
    point.map_err(|_| Failure::Broken(format!("the public key is no point of {scheme}")))
}

/// The numbers r and s of r ‖ s.
///
/// # Errors
/// [`Failure::Broken`] unless they have the same length, of 1 to 66 bytes each.
pub fn halves(fixed: &[u8]) -> Result<(&[u8], &[u8]), Failure> {
    let half = fixed.len() >> 1;
    match fixed.split_at_checked(half) {
        Some((r, s)) if r.len() == s.len() && (1..=SCALAR).contains(&half) => Ok((r, s)),
        _ => Err(Failure::Broken("a signature of ECDSA has another length".to_owned())),
    }
}
