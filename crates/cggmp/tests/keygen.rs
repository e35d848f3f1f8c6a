//! Key generation over the simulated network: shapes, resume, equivocation, known answers.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    reason = "a test that fails stops"
)]

use std::collections::BTreeMap;

use quorate_cggmp::{
    EcdsaCurve, KeyShare, Keygen, KeygenParams, P256, Secp256k1, ShareState,
    single_point_of_failure,
};
use quorate_session::sim::{Delivery, Network, Report};
use quorate_session::{
    Abort, Fault, ParamError, Parties, PartyId, Record, Rejected, SessionId, Transcript,
};

use quorate_testkit::lockstep::id;

const SID: SessionId = SessionId::new([3; 32]);

fn run<C: EcdsaCurve>(network: Network<'_>, t: u16, parties: &Parties) -> Report<KeyShare<C>> {
    // The network borrows the parties for as long as itself; tests can leak them.
    let parties: &'static Parties = Box::leak(Box::new(parties.clone()));
    network.run::<Keygen<C>>(SID, parties, |_| KeygenParams::new(t)).unwrap()
}

fn shares<C: EcdsaCurve>(report: Report<KeyShare<C>>) -> Vec<KeyShare<C>> {
    report.results.into_values().map(|result| result.unwrap()).collect()
}

/// The parties agree, any t of them make the key, and fewer don't.
fn check<C: EcdsaCurve>(mut shares: Vec<KeyShare<C>>, t: u16) {
    let info = shares[0].public().clone();
    assert_eq!(info.threshold(), t);
    assert_eq!(info.epoch(), 0);
    assert!(shares.iter().all(|share| *share.public() == info));
    assert!(shares.iter().map(KeyShare::id).eq(info.parties().iter()));
    for share in &shares {
        let stored = Record::to_bytes(share);
        let again = <KeyShare<C> as Record>::from_bytes(&stored).unwrap();
        assert!(*again.public() == info && *again.to_bytes() == *share.to_bytes());
        assert!(<KeyShare<C> as Record>::from_bytes(&stored[..stored.len() - 1]).is_none());
    }
    shares.rotate_left(1);
    let quorum = usize::from(t);
    let secret = single_point_of_failure::export(&shares[..quorum]).unwrap();
    assert!(C::mul_base(secret.expose()) == *info.verifying_key().point());
    assert!(single_point_of_failure::export(&shares[..quorum - 1]).is_err());
}

#[test]
fn shapes() {
    for (t, n) in [(2, 2), (2, 3), (3, 3), (3, 5), (5, 9), (9, 9)] {
        let parties = Parties::numbered(n).unwrap();
        check(shares(run::<Secp256k1>(Network::new(1), t, &parties)), t);
        check(shares(run::<P256>(Network::new(1), t, &parties)), t);
    }
}

#[test]
fn twenty_of_thirty_with_any_identifiers() {
    let parties = Parties::new((1..=30).map(|k| id(k * 2000 + k))).unwrap();
    check(shares(run::<Secp256k1>(Network::new(1).reorder(20), 20, &parties)), 20);
}

#[test]
fn bad_parameters_are_refused() {
    for (t, n, error) in [
        (0, 3, ParamError::Threshold),
        (1, 3, ParamError::Threshold),
        (4, 3, ParamError::Threshold),
        (2, 129, ParamError::TooManyParties),
    ] {
        let parties = Parties::numbered(n).unwrap();
        let params = |_| KeygenParams::new(t);
        let report = Network::new(1).run::<Keygen<P256>>(SID, &parties, params);
        assert_eq!(report.unwrap_err(), error);
    }
}

#[test]
fn a_crash_after_every_frame_changes_nothing() {
    fn crash<C: EcdsaCurve>() {
        let parties = Parties::numbered(4).unwrap();
        let whole = shares(run::<C>(Network::new(5), 3, &parties));
        let report = run::<C>(Network::new(5).crash(100), 3, &parties);
        assert_eq!(report.stats.diverged, 0);
        // In four rounds, from three peers, one frame or two: every one of them.
        assert_eq!(report.stats.resumed, 4 * 3 * (1 + 2 + 1 + 1));
        for (a, b) in whole.iter().zip(shares(report)) {
            assert_eq!(*a.to_bytes(), *b.to_bytes());
        }
    }
    crash::<Secp256k1>();
    crash::<P256>();
}

#[test]
fn a_bad_network_changes_nothing() {
    let parties = Parties::numbered(4).unwrap();
    let network = Network::new(6).reorder(9).duplicate(30).lose(20).crash(20);
    check(shares(run::<P256>(network, 2, &parties)), 2);
}

#[test]
fn parties_with_other_parameters_do_not_meet() {
    let parties = Parties::numbered(3).unwrap();
    let params = |party: PartyId| KeygenParams::new(if party.get() == 2 { 3 } else { 2 });
    let report = Network::new(1).run::<Keygen<P256>>(SID, &parties, params).unwrap();
    assert!(report.results.into_values().all(|one| matches!(one, Err(Abort::Missing { .. }))));
    assert!(
        report
            .stats
            .rejected
            .iter()
            .all(|(_, _, why)| { *why == Rejected::OtherParameters { which: "threshold" } })
    );
}

/// Alters what party 2 broadcasts in a round, for one recipient alone.
fn equivocate<C: EcdsaCurve>(round: u8, byte: usize) -> Report<KeyShare<C>> {
    let parties = Parties::numbered(4).unwrap();
    let network = Network::new(1).tamper(move |mut delivery: Delivery| {
        let hit = delivery.from == id(2) && delivery.to == id(3) && delivery.broadcast;
        if hit && delivery.round.get() == round {
            let at = delivery.bytes.len() - 1 - byte;
            delivery.bytes[at] ^= 1;
        }
        vec![delivery]
    });
    run::<C>(network, 3, &parties)
}

/// Different broadcasts to different parties: no party gets a key, and no honest one is blamed.
#[test]
fn equivocation_gives_nobody_a_key() {
    fn every_round<C: EcdsaCurve>() {
        for (round, byte) in [(1, 0), (2, 3), (2, 40), (2, 150), (2, 200), (3, 0)] {
            for (party, result) in equivocate::<C>(round, byte).results {
                match result {
                    Ok(_) => panic!("{party} got a key in spite of round {round}"),
                    Err(abort) => assert!(abort.culprits().all(|culprit| culprit == id(2))),
                }
            }
        }
    }
    every_round::<Secp256k1>();
    every_round::<P256>();
}

/// The last message: the party that got the altered confirmation names its sender, and keeps its share.
#[test]
fn an_altered_confirmation_is_its_senders() {
    let Report { results, unconfirmed, .. } = equivocate::<Secp256k1>(4, 0);
    let key = *results[&id(1)].as_ref().unwrap().public().verifying_key();
    for (party, result) in results {
        match result {
            Ok(share) => assert!(party != id(3) && share.state() == ShareState::Ready),
            Err(Abort::Misbehaviour(blames)) => {
                assert_eq!((party, blames.len()), (id(3), 1));
                assert_eq!((blames[0].party, blames[0].fault), (id(2), Fault::InvalidConfirmation));
            }
            Err(other) => panic!("{other}"),
        }
    }
    assert!(unconfirmed.keys().eq([&id(3)]));
    let mut share = unconfirmed.into_values().next().unwrap();
    for state in [ShareState::Unconfirmed, ShareState::Ready] {
        let again = KeyShare::<Secp256k1>::from_bytes(&share.to_bytes(), share.public()).unwrap();
        assert_eq!((share.state(), again.state()), (state, state));
        assert!(*again.public().verifying_key() == key);
        share.confirm();
    }
}

/// A frame with a vector of t + 1 points, which would raise the threshold, is rejected.
#[test]
fn a_longer_vector_is_not_stored() {
    let parties = Parties::numbered(3).unwrap();
    let network = Network::new(1).tamper(|mut delivery: Delivery| {
        if delivery.from == id(2) && delivery.round.get() == 2 && delivery.broadcast {
            delivery.bytes.extend_from_slice(&[2; 33]);
        }
        vec![delivery]
    });
    let report = run::<Secp256k1>(network, 2, &parties);
    for party in [1, 3].map(id) {
        let Some(Err(Abort::Missing { parties, .. })) = report.results.get(&party) else {
            panic!("{party}: {:?}", report.results.get(&party));
        };
        assert_eq!(*parties, [id(2)]);
    }
    let oversized = |(from, to, why): &(PartyId, PartyId, Rejected)| {
        (*from, *to) == (id(2), id(1)) && matches!(why, Rejected::Oversized { .. })
    };
    assert!(report.stats.rejected.iter().any(oversized));
}

/// Evidence of a long run is megabytes of broadcasts: they are in memory once, however many parties are blamed.
#[test]
fn blames_of_one_round_share_the_broadcasts() {
    let parties = Parties::numbered(5).unwrap();
    let network = Network::new(1).tamper(|mut delivery: Delivery| {
        if [2, 4].map(id).contains(&delivery.from) && delivery.round.get() == 3 {
            *delivery.bytes.last_mut().unwrap() ^= 1;
        }
        vec![delivery]
    });
    let mut report = run::<Secp256k1>(network, 3, &parties);
    let Some(Err(Abort::Misbehaviour(blames))) = report.results.remove(&id(1)) else {
        panic!("no blame")
    };
    assert_eq!(blames.iter().map(|blame| blame.party).collect::<Vec<_>>(), [2, 4].map(id));
    let shown = blames.iter().flat_map(|blame| &blame.evidence.as_ref().unwrap().frames);
    let mut places = BTreeMap::<_, Vec<_>>::new();
    for (from, frame) in shown {
        places.entry((from, frame.to_vec())).or_default().push(frame.as_ptr());
    }
    // The broadcasts of rounds 1 and 2 are in the evidence of both.
    let twice: Vec<_> = places.values().filter(|places| places.len() == 2).collect();
    assert_eq!(twice.len(), 10);
    assert!(twice.iter().all(|places| places[0] == places[1]));
}

/// Another session id, and the same seeds, give other messages and another key.
#[test]
fn sessions_are_apart() {
    let parties = Parties::numbered(2).unwrap();
    let key = |sid| {
        let params = |_| KeygenParams::<P256>::new(2);
        let report = Network::new(1).run::<Keygen<P256>>(SessionId::new(sid), &parties, params);
        *shares(report.unwrap())[0].verifying_key()
    };
    assert!(key([1; 32]) == key([1; 32]));
    assert!(key([1; 32]) != key([2; 32]));
}

/// Every frame and every stored share of a run with fixed seeds. A change is a change of the wire
/// or the storage format.
fn transcript_of<C: EcdsaCurve>() -> String {
    let parties = Parties::numbered(3).unwrap();
    let mut transcript = Transcript::new("known answer");
    let network = Network::new(42).tamper(|delivery| {
        transcript.append_u64("from", delivery.from.get().into());
        transcript.append_u64("to", delivery.to.get().into());
        transcript.append("frame", &delivery.bytes);
        vec![delivery]
    });
    let report = network.run::<Keygen<C>>(SID, &parties, |_| KeygenParams::new(2)).unwrap();
    let shares = shares(report);
    transcript.append_list("shares", shares.iter().map(|share| share.to_bytes().to_vec()));
    transcript.append("info", &shares[0].public().to_bytes());
    transcript.finish32().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn known_answers() {
    assert_eq!(
        transcript_of::<Secp256k1>(),
        "0e12929e115f44080b43e223374ca3bccac78da3a357ebfb3f558eaf30528e18"
    );
    assert_eq!(
        transcript_of::<P256>(),
        "feaa069a0a43454256dddcce7fa3946694a7076a20fdaaaf8b4412921b3cd23d"
    );
}

/// Bytes of a run on the wire: see the crate's wire documentation.
#[test]
fn messages_have_the_documented_sizes() {
    let parties = Parties::numbered(5).unwrap();
    let report = run::<Secp256k1>(Network::new(1), 3, &parties);
    let sizes: Vec<_> = report
        .stats
        .rounds
        .iter()
        .map(|one| (one.broadcast_bytes / 5, one.direct_bytes / 20))
        .collect();
    let frame = 39 + 32;
    let reveal = 3 * 32 + 4 * 33;
    let proof = 33 + 32;
    assert_eq!(
        sizes,
        [(frame + 32, 0), (frame + reveal, frame + 32), (frame + proof, 0), (frame + 32, 0)]
    );
}
