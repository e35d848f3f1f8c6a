//! Presigning whose last round goes wrong for one party: the presignatures that it keeps, and those that it does not.

use std::collections::BTreeMap;

use quorate_cggmp::{MessageDigest, Presign, PresignMany, Presignature, Presignatures, Secp256k1};
use quorate_session::sim::{Delivery, Network};
use quorate_session::{Abort, Check, Fault, PartyId};

use crate::many::group;
use crate::support::*;

type C = Secp256k1;

const VICTIM: u16 = 2;
const CULPRIT: u16 = 7;
const COUNT: u16 = 2;
/// The round that echoes the sums.
const LAST: u8 = 4;

/// The presignatures of each party that has some, and the abort of each whose run was aborted.
struct End {
    made: BTreeMap<PartyId, Vec<Presignature<C>>>,
    aborts: BTreeMap<PartyId, Abort>,
}

/// A run in which the frames of a round from the culprit to these parties are altered.
fn disturbed(
    group: &Group<C>,
    (round, to): (u8, &[u16]),
    alter: impl Fn(Delivery) -> Vec<Delivery>,
) -> End {
    let network = Network::new(3).tamper(|delivery: Delivery| {
        let hit = delivery.from == id(CULPRIT) && to.contains(&delivery.to.get());
        if hit && delivery.round.get() == round { alter(delivery) } else { vec![delivery] }
    });
    let params = |party| group.params_many(party, COUNT);
    let report = group.run::<PresignMany<C>>(network, &NUMBERS, 31, params);
    let mut end = End { made: report.unconfirmed, aborts: BTreeMap::new() };
    for (party, result) in report.results {
        match result {
            Ok(made) => drop(end.made.insert(party, made)),
            Err(abort) => drop(end.aborts.insert(party, abort)),
        }
    }
    end
}

/// The presignatures that all hold by their lists.
fn held_by_all(held: &BTreeMap<PartyId, Presignatures<C>>) -> u64 {
    let signers = parties(NUMBERS);
    let counts = held.iter().map(|(party, own)| {
        let others = held.iter().filter(|(other, _)| *other != party);
        let lists = others.map(|(other, theirs)| (*other, theirs.list(&signers)));
        own.intersect(&signers, lists).unwrap().len()
    });
    let counts: Vec<_> = counts.collect();
    assert!(counts.iter().all(|count| *count == counts[0]));
    counts[0]
}

/// Checks that all hold all presignatures, and that each signs.
fn all_sign(group: &Group<C>, end: End) {
    assert_eq!(end.made.len(), NUMBERS.len());
    let mut held = BTreeMap::new();
    for (party, made) in end.made {
        let mut own = Presignatures::new(party);
        made.into_iter().for_each(|one| own.insert(one).unwrap());
        held.insert(party, own);
    }
    assert_eq!(held_by_all(&held), u64::from(COUNT));
    let ids: Vec<_> = held[&id(VICTIM)].ids().collect();
    for name in ids {
        let info = held[&id(VICTIM)].info(&name).unwrap().clone();
        let message = &name.index().to_be_bytes();
        let shares = held.iter_mut().map(|(party, own)| {
            let claim = own
                .claim(&name, group.key_of(*party), &no_path(), MessageDigest::sha256(message))
                .unwrap();
            (*party, release(claim).to_bytes())
        });
        let signature = info
            .aggregate(&group.itself(), MessageDigest::sha256(message), shares.collect::<Vec<_>>())
            .unwrap();
        group.keys[0].verifying_key().verify(message, &signature).unwrap();
    }
}

#[test]
fn a_peer_silent_to_one_party_in_the_last_round_costs_it_no_presignature() {
    let group = group::<C>();
    let end = disturbed(&group, (LAST, &[VICTIM]), |_| Vec::new());
    let Abort::Missing { parties, .. } = &end.aborts[&id(VICTIM)] else { panic!("not missing") };
    assert_eq!((parties.as_slice(), end.aborts.len()), ([id(CULPRIT)].as_slice(), 1));
    all_sign(&group, end);
}

#[test]
fn an_alert_without_a_cause_names_its_sender_and_costs_no_presignature() {
    let group = group::<C>();
    let end = disturbed(&group, (LAST, &[VICTIM]), |mut delivery| {
        delivery.bytes.extend_from_slice(&[1; 2000]);
        vec![delivery]
    });
    let Abort::Misbehaviour(blames) = &end.aborts[&id(VICTIM)] else { panic!("no blame") };
    assert_eq!((blames[0].party, blames[0].fault), (id(CULPRIT), Fault::WrongLength));
    assert!(blames[0].evidence.is_some());
    all_sign(&group, end);
}

#[test]
fn an_echo_that_differs_in_the_last_round_costs_no_presignature() {
    let group = group::<C>();
    let end = disturbed(&group, (LAST, &[VICTIM]), |mut delivery| {
        delivery.bytes[HEADER] ^= 1;
        vec![delivery]
    });
    let outcome = Outcome::from(end.aborts[&id(VICTIM)].clone());
    assert_eq!(outcome, Outcome::Unattributed(Check::EchoMismatch));
    all_sign(&group, end);
}

/// A single presignature is kept in the same way.
#[test]
fn a_run_for_one_keeps_it_unconfirmed() {
    let group = group::<C>();
    let network = Network::new(3).tamper(|delivery: Delivery| {
        let hit = (delivery.from, delivery.to) == (id(CULPRIT), id(VICTIM));
        if hit && delivery.round.get() == LAST { Vec::new() } else { vec![delivery] }
    });
    let params = |party| group.params(party);
    let report = group.run::<Presign<C>>(network, &NUMBERS, 32, params);
    assert!(report.unconfirmed.keys().eq([&id(VICTIM)]));
    let others = report.results.into_values().filter_map(Result::ok);
    let kept = report.unconfirmed.into_values().chain(others).collect::<Vec<_>>();
    let info = kept[0].info().clone();
    let shares = signature_shares(&group, kept, b"message");
    let signature =
        info.aggregate(&group.itself(), MessageDigest::sha256(b"message"), shares).unwrap();
    group.keys[0].verifying_key().verify(b"message", &signature).unwrap();
}

/// The sums of round 3 decide on a presignature: without those of all signers the checks of Figure 8 are not made.
#[test]
fn a_peer_silent_with_its_sums_leaves_nothing() {
    let end = disturbed(&group::<C>(), (3, &[VICTIM, 40]), |_| Vec::new());
    // The silent one has the sums of all.
    assert!(end.made.keys().eq([&id(CULPRIT)]));
    assert_eq!(end.aborts.len(), 3);
}

/// A party that got wrong sums is in the alert and has nothing. The others have made all checks and keep their
/// presignatures; the intersection of the lists leaves out those that not all hold.
#[test]
fn wrong_sums_for_one_party_leave_it_nothing_and_the_lists_are_empty() {
    let group = group::<C>();
    let end = disturbed(&group, (3, &[VICTIM]), |mut delivery| {
        // δ of the first.
        delivery.bytes[HEADER + ECHO + 31] ^= 1;
        vec![delivery]
    });
    assert_eq!(end.aborts.len(), 3);
    assert!(end.made.keys().eq([&id(CULPRIT), &id(40)]));
    let mut held: BTreeMap<_, _> =
        NUMBERS.map(|number| (id(number), Presignatures::new(id(number)))).into();
    for (party, made) in end.made {
        let own = held.get_mut(&party).unwrap();
        made.into_iter().for_each(|one| own.insert(one).unwrap());
    }
    assert_eq!(held_by_all(&held), 0);
}
