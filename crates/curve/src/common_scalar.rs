//! One scalar times sixteen points of the 25519 groups.

use crate::edwards::Edwards;
#[cfg(target_arch = "x86_64")]
use crate::lanes::Lanes;

/// The scalar, whose encoding is `bytes`, times each point, in constant time.
pub(crate) fn times(points: &[Edwards; 16], bytes: &[u8; 32]) -> [Edwards; 16] {
    #[cfg(target_arch = "x86_64")]
    if let Some(lanes) = Lanes::detect(points.len()) {
        return lanes.times(points, bytes);
    }
    points.map(|point| point.times(bytes))
}
