//! The bytes that a party sends for each presignature, by the number of a run and of its signers.

use quorate_paillier::Level;
use quorate_session::Round;

use crate::presign::messages::Sizes;

/// Bytes of all messages of a party in rounds 1 to 3, without frames; a broadcast counts once. Every message is as long as
/// its limit: `many::limits_are_exact` in the tests of the crate.
fn sent(count: usize, parties: usize) -> usize {
    let sizes = Sizes { level: Level::Bits128, count };
    let round = |round| {
        let limits = sizes.limits(parties, Round(round));
        limits.broadcast + (parties - 1) * limits.direct
    };
    (1..=3).map(round).sum()
}

/// `1895 + 32(n-1) + 129/k + (n-1)(5186 + 3494/k)` for each of k presignatures.
#[test]
fn bytes_of_a_presignature() {
    for (parties, table) in [
        (3, [19_448, 13_221, 12_553]),
        (5, [36_872, 24_530, 23_208]),
        (9, [71_720, 47_149, 44_517]),
    ] {
        for (count, rounded) in [1, 8, 32].into_iter().zip(table) {
            let (sent, peers) = (sent(count, parties), parties - 1);
            let each = 1895 + 32 * peers + 5186 * peers;
            assert_eq!(sent, count * each + 129 + 3494 * peers, "{count} of {parties}");
            assert!((count * rounded).abs_diff(sent) * 2 <= count, "{count} of {parties}");
        }
    }
}
