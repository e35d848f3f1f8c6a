use std::collections::BTreeSet;
use std::sync::Arc;

use quorate_bignum::Engine;
use quorate_cggmp::{EcdsaCurve, MessageDigest, P256, Presign, Secp256k1, Sign, SignParams};
use quorate_session::sim::{Delivery, Network};
use quorate_session::{ParamError, Session};

use crate::support::*;

/// Any t or more of the parties presign, all with the same name for it, and every two runs differ.
fn shapes<C: Verifier>() {
    let mut names = BTreeSet::new();
    for (threshold, signers) in
        [(2, &[2, 7][..]), (2, &[7, 40]), (2, &[2, 7, 40]), (3, &[2, 7, 40])]
    {
        let group = Group::<C>::new(threshold);
        let made = group.presign(20, signers);
        assert_eq!(made.len(), signers.len());
        let info = made[0].info().clone();
        assert!(names.insert(info.id()));
        assert!(made.iter().all(|one| *one.info() == info && one.id() == info.id()));
        assert!(made.iter().map(|one| one.party_id().get()).eq(signers.iter().copied()));
        let key = group.keys[0].public();
        assert!(
            info.check_belongs_to(key) == Ok(()) && info.verifying_key() == key.verifying_key()
        );
        assert_eq!(*info.signers(), parties(signers));
        let signature_shares = signature_shares(&group, made, b"message");
        let signature = info
            .aggregate(&group.itself(), MessageDigest::sha256(b"message"), signature_shares)
            .unwrap();
        C::verify(key.verifying_key().as_bytes(), b"message", &signature);
    }
}

#[test]
fn shapes_secp256k1() {
    shapes::<Secp256k1>();
}

#[test]
fn shapes_p256() {
    shapes::<P256>();
}

#[test]
fn parameters_that_do_not_fit_are_refused() {
    let group = Group::<Secp256k1>::new(3);
    let start = |numbers: &[u16], me, params| {
        let all = parties(numbers);
        let rng = &mut seeded(1);
        Session::<Presign<Secp256k1>>::start(sid(1), id(me), &all, params, rng).map(|_| ())
    };
    assert!(start(&NUMBERS, 2, group.params(id(2))).is_ok());
    let refused = |result: Result<(), ParamError>| {
        assert!(matches!(result, Err(ParamError::Inconsistent(_))), "{result:?}");
    };
    // Too few, a stranger, another's share, another's aux-info.
    refused(start(&[2, 7], 2, group.params(id(2))));
    refused(start(&[2, 7, 41], 2, group.params(id(2))));
    refused(start(&NUMBERS, 7, group.params(id(2))));
    let mixed =
        quorate_cggmp::PresignParams::new(Arc::clone(&group.keys[0]), Arc::clone(&group.aux[1]));
    refused(start(&NUMBERS, 2, mixed));
}

/// Every engine makes the same bytes.
#[test]
fn all_engines_make_the_same_bytes() {
    let group = Group::<Secp256k1>::new(2);
    let mut transcripts = Vec::new();
    for engine in Engine::available() {
        let mut frames = Vec::new();
        let network = Network::new(3).tamper(|delivery: Delivery| {
            frames.push(delivery.bytes.clone());
            vec![delivery]
        });
        let params = |party| {
            SignParams::new(
                group.params(party).with_engine(engine),
                digest::<Secp256k1>(b"message"),
            )
        };
        all(group.run::<Sign<Secp256k1>>(network, &[2, 40], 21, params));
        transcripts.push(frames);
    }
    // Elsewhere there is one engine, the portable one.
    assert!(transcripts.len() > 1 || cfg!(not(target_arch = "x86_64")));
    assert!(transcripts.iter().all(|frames| *frames == transcripts[0]));
}

#[test]
fn a_crash_after_every_frame_changes_nothing() {
    fn crash<C: EcdsaCurve>() {
        let group = Group::<C>::new(3);
        let run = |network| {
            let report = group.run::<Presign<C>>(network, &NUMBERS, 22, |id| group.params(id));
            let resumed = report.stats.resumed;
            (all(report), resumed)
        };
        let (whole, _) = run(Network::new(5));
        let (again, resumed) = run(Network::new(5).crash(100));
        // From two peers in four rounds, one frame or two.
        assert_eq!(resumed, 3 * 2 * (2 + 2 + 1 + 1));
        for (a, b) in whole.values().zip(again.values()) {
            assert_eq!(*a.to_bytes(), *b.to_bytes());
        }
    }
    crash::<Secp256k1>();
}

/// Working ahead, once, again, or never, before a crash and after it, gives the same frames and the same results.
#[test]
fn a_bad_network_changes_nothing() {
    let group = Group::<P256>::new(2);
    let network = Network::new(6).reorder(9).duplicate(30).lose(20).crash(20);
    let params = |party| group.params(party);
    let made: Vec<_> =
        all(group.run::<Presign<P256>>(network, &[2, 7], 23, params)).into_values().collect();
    assert_eq!(made[0].id(), made[1].id());
}

/// One party gets other messages than the third: no honest party is blamed,
/// and no party gets a presignature where the difference can matter.
#[test]
fn an_equivocation_blames_no_honest_party() {
    let group = Group::<Secp256k1>::new(3);
    for (round, byte) in [(1, 0), (1, 400), (2, 3), (2, 200), (3, 0)] {
        let network = Network::new(1).tamper(move |mut delivery: Delivery| {
            let hit = delivery.from == id(2) && delivery.to == id(40) && delivery.broadcast;
            if hit && delivery.round.get() == round {
                let at = delivery.bytes.len() - 1 - byte;
                delivery.bytes[at] ^= 1;
            }
            vec![delivery]
        });
        let report =
            group.run::<Presign<Secp256k1>>(network, &NUMBERS, 24, |party| group.params(party));
        for (party, result) in report.results {
            match result {
                Ok(_) => assert!(round == 3 && party != id(40)),
                Err(abort) => {
                    assert!(abort.culprits().all(|culprit| culprit == id(2)), "{party}: {abort}");
                }
            }
        }
    }
}
