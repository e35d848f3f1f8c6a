//! Frozen forms: shares, packages and the messages of every round, with fixed seeds. They show that a sealed
//! session opens on another host and with another release, and that `docs/spec/mldsa.md` is right.

use crate::common::{deal_if_offered, params};
use quorate_mldsa::session::{Protocol, Transcript};
use quorate_mldsa::{Dkg, DkgParams, Level, Profile, Sign};
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
    let tables = Profile::ALL.into_iter().flat_map(|p| Level::ALL.map(|level| (p, level)));
    for (profile, level) in tables {
        let dealt = deal_if_offered(profile, level, 2, 3).unwrap();
        found.push(digest(&dealt.shares[0].to_bytes()));
        found.push(digest(&dealt.public.to_bytes()));
        let signers = parties([1, 3]);
        let mu = dealt.public.verifying_key().represent(b"message", b"context").unwrap();
        let make = |me| params(&dealt, me, &signers, mu, sid(1), 0);
        let (frames, _) = record::<Sign>(&signers, sid(1), make, |_, _, _| {});
        let all = parties([1, 2, 3]);
        let make = |_| DkgParams::with_profile(profile, level, 2);
        let (made, _) = record::<Dkg>(&all, sid(1), make, |_, _, _| {});
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

/// For each profile and level: a share, the package, the frames of a key generation, and those of rounds 1 to 3 of an attempt.
const FROZEN: [&str; 36] = [
    "99353bf34ac86ca0",
    "a4e5c3c358752b8d",
    "a8dc98a13348cffb",
    "f5e92296fcac836d",
    "0d3d07b10c6a4814",
    "d94db83ca918b5c9",
    "be192def9728086b",
    "0edcc482fadecd7d",
    "b0f12574d11bb50f",
    "73af6a5f39be4f3b",
    "5d9508fc579eafc2",
    "6e682e0d0e71a783",
    "bed787ba79206fea",
    "e1c9a0e573b333ea",
    "a2c809a6548ae434",
    "c634ca79820d56e8",
    "1f15d97c0986e81f",
    "d85a54f131d11d35",
    "3faafcef04905eba",
    "3aa0310d2d91f8fa",
    "e4d58b66cee98e3c",
    "fc833799f06a1b6b",
    "910a907461be4504",
    "b2ac1b573d855be0",
    "a0ce28bb792bec58",
    "d13df51a47a0bfa0",
    "43849fb626ebe41b",
    "8ef2cbbfe88d70e7",
    "862366874452a749",
    "ef2dafcd2fb57cf8",
    "e33dfb44b5fd4e1b",
    "cdc03d80a828de82",
    "6128c0f89522729e",
    "4cccb5969847e2d9",
    "49fb3c0529f03abb",
    "441b634d72cd05cb",
];
