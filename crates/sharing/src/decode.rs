//! Many points at once.

use alloc::vec::Vec;

use chacha20::ChaCha20Rng;
use chacha20::rand_core::SeedableRng;
use quorate_curve::Curve;
use quorate_session::Transcript;

/// The points whose encodings are one after the other in `bytes`: those that [`Curve::decode_point`] gives, or `None`
/// if it refuses one. In variable time.
///
/// For hundreds of points of a curve with a cofactor this is several times less work than one by one. The test of the
/// subgroup takes its random bits from a hash of `bytes`, and errs with a chance of 2^-128.
#[must_use]
pub fn decode_points_vartime<C: Curve>(bytes: &[u8]) -> Option<Vec<C::Point>> {
    let mut transcript = Transcript::new("quorate-sharing points");
    transcript.append("curve", C::NAME.as_bytes());
    transcript.append("points", bytes);
    C::decode_points_vartime(bytes, &mut ChaCha20Rng::from_seed(transcript.finish32()))
}
