//! Frozen forms: shares, packages and the messages of every round, with fixed seeds. They say that a session that was
//! sealed opens on another host and with another release, and that `docs/wire.md` holds.
#![allow(missing_docs, clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod common;

use common::{deal, params};
use quorate_mldsa::session::{Protocol, Transcript};
use quorate_mldsa::{Level, Sign};
use quorate_testkit::hex;
use quorate_testkit::lockstep::{id, parties, record, sid};

fn digest(bytes: &[u8]) -> String {
    let mut transcript = Transcript::new("known");
    transcript.append("bytes", bytes);
    hex(&transcript.finish()[..8])
}

#[test]
fn forms_are_those_that_were_published() {
    let mut found = Vec::new();
    for level in Level::ALL {
        let dealt = deal(level, 2, 3);
        found.push(digest(&dealt.shares[0].to_bytes()));
        found.push(digest(&dealt.public.to_bytes()));
        let signers = parties([1, 3]);
        let mu = dealt.public.verifying_key().represent(b"message", b"context").unwrap();
        let make = |me| params(&dealt, me, &signers, mu, sid(1), 0);
        let (frames, _) = record::<Sign>(&signers, sid(1), make, |_, _, _| {});
        for round in 1..=Sign::ROUNDS {
            found.push(digest(&frames[&(id(1), round, true, id(3))]));
        }
    }
    assert_eq!(found, FROZEN);
}

/// For each level: a share, the package, and the frames of rounds 1 to 3.
const FROZEN: [&str; 15] = [
    "b0239348bdcf7bc0",
    "9033f0f6cb19341a",
    "037d64e65129aa98",
    "2a1dcfd3297df8bc",
    "ba2c70598b0f6522",
    "49b3425969837055",
    "b8512b9ec2605005",
    "bc8a978af0c55f31",
    "092dd736143f196c",
    "dbd8010a66d214e0",
    "448c61561f26400b",
    "19f1a8bba4187091",
    "254befea66d8dade",
    "adcd99ec484550f0",
    "08008abbdfb5cd3f",
];
