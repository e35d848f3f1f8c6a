//! Games with corrupt parties that work together, each with two sessions, over many runs of key generation and of
//! signing. No honest party is named, and the evidence against a named party convinces others. Honest parties hold
//! one key, or signatures of one message.

use core::ops::Range;
use std::collections::BTreeMap;

use crate::common::{deal, params, sign_with};
use crate::game::{End, nobody_honest_is_named, play};
use quorate_mldsa::session::frame::Header;
use quorate_mldsa::session::{Abort, Evidence, PartyId};
use quorate_mldsa::{
    Attempted, Dkg, DkgParams, KeyShare, Level, MessageRepresentative, Sign, SigningRun,
};
use quorate_testkit::Lcg;
use quorate_testkit::lockstep::{ECHO, HEADER, context, id, parties, sid};

/// Returns whether one honest party has a key that all have confirmed.
fn one_key(ends: &BTreeMap<PartyId, End<KeyShare>>, threshold: usize) -> bool {
    let confirmed: Vec<&KeyShare> = ends.values().filter_map(|end| end.done.as_ref()).collect();
    let Some(first) = confirmed.first() else { return false };
    for (party, end) in ends {
        // Every honest party has a share of the same key, if not a confirmed one, then one that is not confirmed.
        let share = end.done.as_ref().or(end.unconfirmed.as_ref());
        let share = share.unwrap_or_else(|| panic!("party {party} has no share"));
        assert_eq!(share.public(), first.public());
        assert_eq!(share.is_confirmed(), end.done.is_some());
        let again = KeyShare::from_bytes(share.public().level(), &share.to_bytes()).unwrap();
        assert_eq!(again.id(), *party);
    }
    if confirmed.len() >= threshold {
        let mu = MessageRepresentative::external([3; 64]);
        let signature = sign_with(&confirmed[..threshold], mu);
        first.public().verifying_key().verify_representative(&mu, &signature).unwrap();
    }
    true
}

#[test]
fn key_generation_ends_with_one_key_or_none() {
    key_generation(0..60);
}

#[test]
#[ignore = "minutes: many games of key generation and of signing"]
fn corrupt_parties_win_none_of_many_games() {
    key_generation(60..2000);
    signing(60..2000);
}

fn key_generation(seeds: Range<u64>) {
    let games: [(u16, u16, &[u16]); 5] =
        [(2, 3, &[1]), (3, 3, &[1, 2]), (3, 4, &[1, 2]), (3, 4, &[2, 4]), (2, 4, &[3])];
    for (threshold, count, corrupt) in games {
        let (all, corrupt) = (parties(1..=count), corrupt.iter().map(|one| id(*one)));
        let corrupt: Vec<PartyId> = corrupt.collect();
        let params = DkgParams::new(Level::MlDsa44, threshold);
        let mut keys = 0;
        for seed in seeds.clone() {
            let ends = play::<Dkg>(&all, &corrupt, |_| params, &mut Lcg(seed));
            nobody_honest_is_named(&ends, &corrupt);
            keys += usize::from(one_key(&ends, threshold.into()));
        }
        assert!(keys > 0 && keys < seeds.clone().count());
    }
}

/// The frames of all parties, each once, in the order of somebody who wants to frame a party: one frame for each
/// place, preferring those that this party has received.
fn together(ends: &BTreeMap<PartyId, End<Attempted>>, of: PartyId) -> Evidence {
    let own = ends.get(&of).into_iter();
    let rest = ends.iter().filter(|(party, _)| **party != of).map(|(_, end)| end);
    let mut frames = BTreeMap::new();
    for (from, frame) in own.chain(rest).flat_map(|end| &end.frames) {
        let round = Header::parse(frame).unwrap().round;
        frames.entry((round.get(), *from)).or_insert_with(|| frame.clone());
    }
    let context = context(frames.values().next().unwrap());
    let frames = frames.into_iter().map(|((_, from), frame)| (from, frame));
    Evidence::new(context, frames)
}

#[test]
fn signing_names_who_cheats_and_signs_one_message() {
    signing(0..60);
}

fn signing(seeds: Range<u64>) {
    let games: [(u16, u16, &[u16], &[u16]); 4] = [
        (2, 3, &[1, 3], &[3]),
        (3, 3, &[1, 2, 3], &[2]),
        (3, 4, &[1, 2, 4], &[1, 4]),
        (4, 4, &[1, 2, 3, 4], &[1, 3]),
    ];
    for (threshold, count, signers, corrupt) in games {
        let dealt = deal(Level::MlDsa44, threshold, count);
        let signers = parties(signers);
        let corrupt: Vec<PartyId> = corrupt.iter().map(|one| id(*one)).collect();
        let (mut signed, mut named) = (0, 0);
        for seed in seeds.clone() {
            // Each game has other challenges, and so other luck.
            let mu = MessageRepresentative::external([seed.to_le_bytes()[0]; 64]);
            let (signers, public) = (signers.clone(), dealt.public.clone());
            let run = SigningRun { sid: sid(1), signers: signers.clone(), public, mu };
            let make = |me| params(&dealt, me, &signers, mu, sid(1), 0);
            let ends = play::<Sign>(&signers, &corrupt, make, &mut Lcg(seed));
            nobody_honest_is_named(&ends, &corrupt);
            answers_once(&ends);
            for (party, end) in &ends {
                let found = end.done.iter().chain(&end.unconfirmed);
                if let Some(signature) = found.filter_map(|one| one.signature.as_ref()).next() {
                    dealt.public.verifying_key().verify_representative(&mu, signature).unwrap();
                    signed += 1;
                }
                if let Some(Abort::Misbehaviour(blames)) = &end.abort {
                    for blame in blames {
                        let shown = run.verify(blame.party, blame.evidence.as_ref().unwrap());
                        assert_eq!(shown, Ok(blame.fault));
                        named += 1;
                    }
                }
                // The frames of the run do not convict an honest party.
                let evidence = together(&ends, *party);
                assert!(run.verify(*party, &evidence).is_err(), "{party}");
                for other in ends.keys() {
                    assert!(run.verify(*other, &evidence).is_err(), "{other}");
                }
            }
        }
        assert!(signed > 0 && named > 0);
    }
}

/// Checks that all honest parties that have answered did so for the same masks: their last frames attest to one set
/// of openings.
fn answers_once(ends: &BTreeMap<PartyId, End<Attempted>>) {
    let mut seen = Vec::new();
    for (party, end) in ends {
        let own: Vec<_> = end.frames.iter().filter(|(from, _)| from == party).collect();
        let last: Vec<_> = own.iter().filter(|(_, frame)| frame[2] == 3).collect();
        assert!(last.len() <= 1);
        seen.extend(last.iter().map(|(_, frame)| frame[HEADER..HEADER + ECHO].to_vec()));
    }
    seen.dedup();
    assert!(seen.len() <= 1);
}
