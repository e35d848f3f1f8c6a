//! Frozen forms: shares, packages and the messages of every round, with fixed seeds. They say that a session that was
//! sealed opens on another host and with another release, and that `docs/wire.md` holds.
#![allow(missing_docs, clippy::unwrap_used, clippy::indexing_slicing, reason = "tests")]

mod common;

use common::{deal, params};
use quorate_mldsa::session::{Protocol, Transcript};
use quorate_mldsa::{Dkg, DkgParams, Level, Sign};
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
        let all = parties([1, 2, 3]);
        let (made, _) = record::<Dkg>(&all, sid(1), |_| DkgParams::new(level, 2), |_, _, _| {});
        let direct = (id(1), 1, false, id(3));
        let broadcasts = (1..=Dkg::ROUNDS).map(|round| (id(1), round, true, id(3)));
        let frames_made: Vec<u8> =
            broadcasts.chain([direct]).flat_map(|place| made[&place].clone()).collect();
        found.push(digest(&frames_made));
        for round in 1..=Sign::ROUNDS {
            found.push(digest(&frames[&(id(1), round, true, id(3))]));
        }
    }
    assert_eq!(found, FROZEN);
}

/// For each level: a share, the package, the frames of a key generation, and those of rounds 1 to 3 of an attempt.
const FROZEN: [&str; 18] = [
    "d0addf0f863c5b0c",
    "9033f0f6cb19341a",
    "a46390d286d48147",
    "037d64e65129aa98",
    "2a1dcfd3297df8bc",
    "ba2c70598b0f6522",
    "e8f63e0d0005775c",
    "b8512b9ec2605005",
    "4d25169945898f2f",
    "bc8a978af0c55f31",
    "092dd736143f196c",
    "dbd8010a66d214e0",
    "33b0126473112226",
    "19f1a8bba4187091",
    "706a98dd36866228",
    "254befea66d8dade",
    "adcd99ec484550f0",
    "08008abbdfb5cd3f",
];
