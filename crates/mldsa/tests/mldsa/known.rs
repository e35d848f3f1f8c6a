//! Frozen forms: shares, packages and the messages of every round, with fixed seeds. They show that a sealed
//! session opens on another host and with another release, and that `docs/wire.md` is right.

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
    "d717afd8610bc473",
    "33eed4962ae19e1e",
    "6a35b9501a79895e",
    "99af07d28f14072e",
    "be192def9728086b",
    "0edcc482fadecd7d",
    "14219ea8f9f1db5a",
    "df0bbc67ac5b4784",
    "e71a66a7a5801822",
    "16ba5d3d20d577d2",
    "bed787ba79206fea",
    "e1c9a0e573b333ea",
    "d5376209a42c109b",
    "40cd21a2cd9e2ff4",
    "de8b3335895a254f",
    "af3d3d4635346cba",
    "3faafcef04905eba",
    "3aa0310d2d91f8fa",
    "f87b3d6be2746fcb",
    "3e55c552e2147b64",
    "52fbaabfae4b5eff",
    "4957f5607eaa4b5f",
    "a0ce28bb792bec58",
    "d13df51a47a0bfa0",
    "28e4af8209e4783a",
    "48983cd129493526",
    "3947f051a6e64761",
    "3ae7077bbe062003",
    "e33dfb44b5fd4e1b",
    "cdc03d80a828de82",
    "eab66ae139f99f8d",
    "8752369cd5ce76fb",
    "fc83bd0a81ca0ccf",
    "72b5a435a275919b",
];
