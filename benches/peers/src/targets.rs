//! How many times faster than frost-* 3.0 each step has to be.

use quorate_benches::{Operation, Size, Suite};

const SMALL: [Size; 2] = [Size { t: 2, n: 3 }, Size { t: 7, n: 10 }];
const MIDDLE: Size = Size { t: 67, n: 100 };
const LARGE: Size = Size { t: 667, n: 1000 };

/// One row: a step at a size, and the ratio for each family of curves.
struct Row {
    step: Operation,
    size: Size,
    edwards: f64,
    secp256k1: f64,
    p256: f64,
    ed448: f64,
}

const fn row(step: Operation, size: Size, ratios: [f64; 4]) -> Row {
    let [edwards, secp256k1, p256, ed448] = ratios;
    Row { step, size, edwards, secp256k1, p256, ed448 }
}

/// Steps whose time does not depend on the size are held to their target at 67-of-100.
const ROWS: [Row; 14] = [
    row(Operation::Round1, MIDDLE, [2.0, 2.2, 4.0, 4.0]),
    row(Operation::Round2, MIDDLE, [2.5, 1.8, 4.0, 2.0]),
    row(Operation::Round2, LARGE, [3.0, 2.5, 6.0, 2.0]),
    row(Operation::Aggregate, MIDDLE, [2.5, 1.8, 4.0, 2.0]),
    row(Operation::Aggregate, LARGE, [3.0, 2.5, 6.0, 2.0]),
    row(Operation::DealerKeygen, LARGE, [6.0, 3.8, 6.0, 6.0]),
    row(Operation::DkgPart3, MIDDLE, [35.0, 40.0, 60.0, 60.0]),
    row(Operation::Refresh, MIDDLE, [20.0; 4]),
    row(Operation::AggregateOneBad, LARGE, [7.0, 4.0, 8.0, 5.0]),
    row(Operation::AggregateHalfBad, LARGE, [5.0, 3.0, 6.0, 4.0]),
    row(Operation::Verify, MIDDLE, [3.0, 2.5, 4.0, 4.0]),
    row(Operation::BatchVerify64, MIDDLE, [2.8, 1.7, 3.0, 2.0]),
    row(Operation::EncodePackage, MIDDLE, [10.0, 20.0, 20.0, 10.0]),
    row(Operation::DecodePackage, MIDDLE, [1.3, 2.0, 2.0, 3.0]),
];

/// The ratio peer/ours that an attempt of threshold ML-DSA must reach beside every peer.
#[must_use]
pub const fn mldsa_target() -> f64 {
    1.5
}

/// The sizes that a check visits.
#[must_use]
pub fn sizes() -> Vec<Size> {
    SMALL.into_iter().chain([MIDDLE, LARGE]).collect()
}

/// The ratio peer/ours that a step must reach, if one is set: the table's at 67-of-100 and 667-of-1000, and
/// at 2-of-3 and 7-of-10 nothing may be slower than the peer.
#[must_use]
pub fn target(suite: Suite, step: Operation, size: Size) -> Option<f64> {
    // Whole sessions, with what they decode, echo and confirm, beside the peer's bare parts.
    let session = matches!(step, Operation::Refresh | Operation::Reshare | Operation::Repair);
    if SMALL.contains(&size) && !session {
        return Some(1.0);
    }
    let row = ROWS.iter().find(|row| row.step == step && row.size == size)?;
    Some(match (suite.name(), step) {
        ("ristretto255", Operation::DecodePackage) => 2.0,
        ("ed25519" | "ristretto255", _) => row.edwards,
        ("secp256k1" | "secp256k1-tr", _) => row.secp256k1,
        ("p256", _) => row.p256,
        ("ed448", _) => row.ed448,
        _ => return None,
    })
}
