//! Parties that do not agree: every frame that is not taken is counted, and shown.

use quorate::frost::ed25519::{Dkg, DkgParams};
use quorate::{Parties, PartyId};
use quorate_wallet::rounds::{Message, run};

/// Party 3 was started with another threshold.
#[test]
fn another_threshold_is_named() {
    let parties = Parties::numbered(3).unwrap();
    let params = [2, 2, 3].map(DkgParams::new);
    let failure = run::<Dkg>(&parties, params, |_: &mut Message| {}).err().unwrap().to_string();
    assert!(failure.contains("started with another threshold"), "{failure}");
    assert!(failure.contains("1 frame rejected from party 3: "), "{failure}");
}

/// A frame that is spoilt on its way.
#[test]
fn rejections_are_counted() {
    let parties = Parties::numbered(2).unwrap();
    let mut sent = 0;
    let network = |frame: &mut Message| {
        // The first message of party 2: its version is wrong.
        if frame.from == PartyId::new(2).unwrap() && sent == 0 {
            sent += 1;
            frame.bytes[0] ^= 0x40;
        }
    };
    let params = [2, 2].map(DkgParams::new);
    let failure = run::<Dkg>(&parties, params, network).err().unwrap().to_string();
    let says = "1 frame rejected from party 2: a frame of wire version 65, expected 1";
    assert!(failure.contains(says), "{failure}");
}
