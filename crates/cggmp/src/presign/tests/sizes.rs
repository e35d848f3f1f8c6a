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

/// A red alert, by the lengths of Πdec and Πaff-g* in `docs/spec/arguments-ecdsa.md`: two products, of four ciphertexts, and two digests
/// for each peer, and Πdec; then a Πaff-g* for each peer.
#[test]
fn bytes_of_a_red_alert() {
    for (level, ciphertext, dec, aff_g_star) in
        [(Level::Bits112, 512, 76_944, 106_768), (Level::Bits128, 768, 93_328, 139_536)]
    {
        let sizes = Sizes { level, count: 7 };
        for peers in [1, 2, 8] {
            let limits = [4, 5].map(|round| sizes.limits(peers + 1, Round(round)));
            let expected = [peers * (4 * ciphertext + 64) + dec, peers * aff_g_star];
            assert_eq!(limits.map(|limits| limits.broadcast), expected);
            assert_eq!(limits.map(|limits| limits.direct), [0, 0]);
        }
    }
}
