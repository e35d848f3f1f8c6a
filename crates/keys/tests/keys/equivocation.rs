//! A party sends one message to some and another to others, in every round. No honest party is named, no two
//! honest parties end with different results, and old shares stay as they were.

use std::collections::BTreeMap;

use quorate_curve::{Curve, Ed25519, Secp256k1};
use quorate_keys::session::sim::{Delivery, Network};
use quorate_keys::session::{Abort, Check, Fault};
use quorate_keys::{Acknowledge, AcknowledgeParams, Reshare};

use crate::forge::{complaint, d_of};
use crate::group::{Key, Of, id, parties, sid};
use crate::play::Ended;
use crate::repair::{HELPERS, TARGET, deal, given, other_deal, repair};
use crate::reshare::{Case, confirmation, opening, y, zero};

/// Returns whether this party found that broadcasts differ, without naming anybody.
fn echo<O>(ended: &Ended<O>, party: u16) -> bool {
    let Err(stopped) = &ended.results[&party] else { return false };
    matches!(&stopped.abort, Abort::Unattributed { check: Check::EchoMismatch, .. })
}

/// The party convicted of equivocation by the copies of two parties.
fn convicted<O>(ended: &Ended<O>, [one, other]: [u16; 2]) -> Vec<u16> {
    let evidence = |party: u16| match &ended.results[&party] {
        Err(stopped) => match &stopped.abort {
            Abort::Unattributed { evidence: Some(evidence), .. } => Some(evidence.clone()),
            _ => None,
        },
        Ok(_) => None,
    };
    let (Some(one), Some(other)) = (evidence(one), evidence(other)) else { return vec![] };
    one.equivocators(&other).into_iter().map(|(party, _)| party.get()).collect()
}

/// Two opening keys.
fn opening_keys<C: Curve>() {
    for told in [&[2][..], &[1, 2], &[1, 3]] {
        let case = Case::<C>::new();
        let ended = case.play(&[4], |round, _, to, _| match round {
            1 => Some(opening::<C>(if told.contains(&to) { 40 } else { 4 })),
            _ => Some(vec![]),
        });
        assert!([1, 2, 3].iter().all(|party| echo(&ended, *party)));
        let other = if told.contains(&1) { 1 } else { 2 };
        let rest = if told.contains(&3) { 2 } else { 3 };
        assert_eq!(convicted(&ended, [other, rest]), [4]);
        assert!(ended.results.values().all(|one| one.as_ref().unwrap_err().unconfirmed.is_none()));
    }
}

/// Two deals, each good by itself.
fn deals<C: Curve>() {
    for told in [&[2][..], &[2, 3], &[4]] {
        let case = Case::<C>::new();
        let ended = case.play(&[1], |round, _, to, said| match round {
            1 => Some(vec![]),
            2 => {
                let mut forged = case.forged(1, said, &zero::<C>);
                forged.coefficients[1] = C::Scalar::from(if told.contains(&to) { 8 } else { 9 });
                Some(forged.body())
            }
            _ => Some(confirmation(said)),
        });
        assert!([2, 3, 4].iter().all(|party| echo(&ended, *party)));
        let other = *told.last().unwrap();
        assert_eq!(convicted(&ended, [other, if other == 4 { 2 } else { 4 }]), [1]);
    }
}

/// The last message differs for some parties. They name its sender, and all others have one result, equal to
/// theirs.
fn confirmations<C: Curve>() {
    type Last<'a> = Box<dyn Fn(&crate::play::Said) -> Option<Vec<u8>> + 'a>;
    let none = C::Scalar::default();
    let lasts: Vec<(Option<Fault>, Last<'_>)> = vec![
        (Some(Fault::InvalidConfirmation), Box::new(|_| Some(vec![0; 33]))),
        (Some(Fault::WrongLength), Box::new(|_| Some(vec![0; 32]))),
        (Some(Fault::WrongLength), Box::new(|_| Some(vec![]))),
        (Some(Fault::Malformed), Box::new(|_| Some(vec![2; 33]))),
        (
            Some(Fault::FalseComplaint),
            Box::new(|said| {
                let d = d_of::<C>(said.by(2, 3), 2);
                let lie = complaint::<C>(&said.context, [3, 4], d, &y::<C>(4), &none);
                Some([vec![1], lie].concat())
            }),
        ),
        // Withheld.
        (None, Box::new(|_| None)),
    ];
    for (fault, last) in &lasts {
        for told in [&[2][..], &[1, 3], &[1, 2, 3]] {
            let case = Case::<C>::new();
            let ended = case.play(&[4], |round, _, to, said| match round {
                1 => Some(opening::<C>(4)),
                2 => Some(vec![]),
                _ if told.contains(&to) => last(said),
                _ => Some(confirmation(said)),
            });
            let mut packages = BTreeMap::new();
            for (party, result) in &ended.results {
                let kept = match result {
                    Ok(kept) => {
                        assert!(!told.contains(party));
                        kept
                    }
                    Err(stopped) => {
                        assert!(told.contains(party));
                        let expected: Vec<_> = fault.iter().map(|fault| (4, *fault)).collect();
                        assert_eq!(ended.blames(*party), expected);
                        stopped.unconfirmed.as_ref().unwrap()
                    }
                };
                packages.insert(kept.public.package_id(), ());
            }
            assert_eq!(packages.len(), 1);
        }
    }
}

/// Equivocation in a repair, to each party alone, in rounds 1 and 2.
fn in_a_repair<C: Curve>() {
    for told in [1, 2, TARGET] {
        let ended = repair::<C>(&[4], |round, _, to, _| match round {
            1 => Some(opening::<C>(if told == to { 40 } else { 4 })),
            _ => Some(vec![]),
        });
        assert!([1, 2, TARGET].iter().all(|party| echo(&ended, *party)), "{told}");
    }
    assert_eq!(HELPERS, [1, 2, 4]);
}

/// A helper deals one mask to the target and another to the other helpers, and is silent after that. What an honest helper seals for
/// the target then looks wrong to it. The target gives up, and names nobody: the echo shows that they saw another mask, and two
/// copies convict the dealer. A helper that did seal a wrong value is not named beside that.
fn in_a_repair_that_is_given_up<C: Curve>() {
    for (corrupt, told) in [(&[2][..], &[TARGET][..]), (&[2], &[1, TARGET]), (&[1, 2], &[TARGET])] {
        let ended = repair::<C>(corrupt, |round, from, to, said| match (round, from) {
            (1, _) => Some(opening::<C>(from)),
            (2, 2) if told.contains(&to) => Some(other_deal::<C>(2, said)),
            (2, _) => Some(deal::<C>(from, said)),
            (3, 1) => Some(given::<C>(said, 1, 1)),
            _ => None,
        });
        assert_eq!(ended.results.len(), 4 - corrupt.len());
        assert!(ended.results.keys().all(|party| echo(&ended, *party)), "{told:?}");
        assert_eq!(convicted(&ended, [4, TARGET]), [2]);
    }
}

/// The other message comes late, when the round is over. A party that receives it names its sender, and no party
/// loses a result.
fn late<C: Curve>() {
    for round in 1..=3 {
        let key = Key::<C>::dealt(&[1, 2, 3], 2, 6);
        let plan = key.plan(&[1, 3], &[2, 3, 4], 2);
        let mut held = None;
        let network = Network::new(1).tamper(move |delivery: Delivery| {
            let this =
                delivery.from == id(3) && delivery.to == id(2) && delivery.round.get() == round;
            if this {
                let mut other = delivery.clone();
                *other.bytes.last_mut().unwrap() ^= 1;
                held = Some(other);
                return vec![delivery];
            }
            // The held frame comes with the next message to 2, from any sender.
            match held.take() {
                Some(other) if delivery.to == id(2) => vec![other, delivery],
                other => {
                    held = other;
                    vec![delivery]
                }
            }
        });
        let report = key.run(network, &plan);
        match &report.results[&id(2)] {
            Err(Abort::Misbehaviour(blames)) => {
                assert!(blames.iter().all(|blame| blame.party == id(3)));
                assert_eq!(blames[0].fault, Fault::Equivocation);
            }
            // No frame came to 2 after its last round.
            Ok(_) => assert_eq!(round, 3),
            other => panic!("{other:?}"),
        }
        for party in [1, 4] {
            let named =
                report.results[&id(party)].as_ref().err().map_or(0, |why| why.culprits().count());
            assert_eq!(named, 0);
        }
    }
}

every_curve! { opening_keys deals confirmations in_a_repair in_a_repair_that_is_given_up late }

/// An extra message beside an acknowledgement, to one party or to all.
#[test]
fn an_extra_message_beside_an_acknowledgement_is_noticed() {
    let key = Key::<Secp256k1>::dealt(&[1, 2, 3], 2, 6).reshared(&[1, 2], &[1, 2, 3], 2, 1);
    let all = parties(&[1, 2, 3]);
    let network = Network::new(1).tamper(|mut delivery: Delivery| {
        if delivery.from == id(3) && delivery.to == id(2) {
            delivery.bytes.push(1);
        }
        vec![delivery]
    });
    let report = network.run::<Acknowledge<Of<Secp256k1>>>(sid(5), &all, |me| {
        let share = key.shares[&me.get()].to_bytes();
        AcknowledgeParams::from_stored(&share, &key.public.to_bytes()).unwrap()
    });
    let results = report.unwrap().results;
    assert!(results[&id(1)].is_ok() && results[&id(3)].is_ok());
    let culprits: Vec<_> = results[&id(2)].as_ref().unwrap_err().culprits().collect();
    assert_eq!(culprits, [id(3)]);
}

/// A message of one party in the name of another. The transport knows the sender, and a deal or a complaint of
/// one party is refused from another (`reshare::another_dealers_deal_is_refused`,
/// `reshare::a_false_complaint_names_its_author`).
#[test]
fn frames_in_anothers_name_are_not_taken() {
    let key = Key::<Ed25519>::dealt(&[1, 2, 3], 2, 6);
    let plan = key.plan(&[1, 3], &[2, 3, 4], 2);
    for (liar, name) in [(1, 3), (3, 1), (4, 2), (2, 4)] {
        let network = Network::new(1).tamper(move |delivery: Delivery| {
            let mut stolen = delivery.clone();
            if delivery.from == id(name) && delivery.to != id(liar) {
                stolen.from = id(liar);
                return vec![stolen, delivery];
            }
            vec![delivery]
        });
        let all = plan.parties();
        let report =
            network.run::<Reshare<Of<Ed25519>>>(sid(1), &all, |me| key.part(&plan, me)).unwrap();
        assert!(report.results.values().all(Result::is_ok));
        assert!(!report.stats.rejected.is_empty());
    }
}
