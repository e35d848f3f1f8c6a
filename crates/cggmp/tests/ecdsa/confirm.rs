//! The ends of runs: confirmations, sums that only one party gets, and rounds that are given
//! up with the frames that have arrived.

use std::sync::Arc;

use quorate_cggmp::evidence::PublicRun;
use quorate_cggmp::{
    AuxInfo, AuxInfoGen, AuxInfoRun, EcdsaCurve, Evidence, KeyShare, Keygen, KeygenParams,
    KeygenRun, Presign, PresignParams, Secp256k1, ShareState, Sign, SignParams,
};
use quorate_session::sim::{Delivery, Network};
use quorate_session::{
    Abort, Check, Fault, ParamError, Parties, PartyId, Progress, Protocol, Session,
};

use crate::support::*;

const CULPRIT: u16 = 7;
const VICTIM: u16 = 40;

/// The one blame of an abort, which evidence shows to a third party as well.
fn shown(abort: &Abort, public: &impl PublicRun) -> (PartyId, Fault) {
    let Abort::Misbehaviour(blames) = abort else { panic!("{abort}") };
    let [blame] = blames.as_slice() else { panic!("{abort}") };
    let evidence = Evidence::from_blame(blame).unwrap();
    let evidence = Evidence::from_bytes(&evidence.to_bytes()).unwrap();
    assert_eq!(evidence.verify(public), Ok(blame.fault), "{abort}");
    (blame.party, blame.fault)
}

/// Flips the last bit of the culprit's broadcast to the victim in a round.
fn flips(round: u8) -> impl FnMut(Delivery) -> Vec<Delivery> {
    move |mut delivery| {
        let between = (delivery.from, delivery.to) == (id(CULPRIT), id(VICTIM));
        if between && delivery.broadcast && delivery.round.get() == round {
            *delivery.bytes.last_mut().unwrap() ^= 1;
        }
        vec![delivery]
    }
}

fn keygen_run() -> KeygenRun<Secp256k1> {
    KeygenRun::new(sid(SESSION), parties(NUMBERS), 2)
}

fn aux_run() -> AuxInfoRun {
    AuxInfoRun { sid: sid(SESSION), parties: parties(NUMBERS), level: FAST }
}

fn aux_of(party: PartyId) -> quorate_cggmp::AuxInfoParams {
    let place = NUMBERS.iter().position(|number| id(*number) == party).unwrap();
    aux_params(FAST, place).with_table_bytes(0)
}

/// A wrong confirmation is blamed on its sender with evidence, and destroys nothing.
fn wrong_confirmation<P: Protocol>(
    params: impl FnMut(PartyId) -> P::Params,
    public: &impl PublicRun,
) -> P::Output {
    let all = parties(NUMBERS);
    let network = Network::new(1).tamper(flips(4));
    let mut report = network.run::<P>(sid(SESSION), &all, params).unwrap();
    for (party, result) in &report.results {
        match result {
            Ok(_) => assert!(*party != id(VICTIM)),
            Err(abort) => {
                assert_eq!(*party, id(VICTIM));
                assert_eq!(shown(abort, public), (id(CULPRIT), Fault::InvalidConfirmation));
            }
        }
    }
    assert_eq!(report.unconfirmed.len(), 1);
    report.unconfirmed.remove(&id(VICTIM)).unwrap()
}

/// The reason why presigning does not start.
fn refused(key: &Arc<KeyShare<Secp256k1>>, aux: &Arc<AuxInfo>) -> Option<ParamError> {
    let params = PresignParams::new(Arc::clone(key), Arc::clone(aux));
    let all = parties(NUMBERS);
    let rng = &mut seeded(1);
    Session::<Presign<Secp256k1>>::start(sid(9), id(VICTIM), &all, params, rng).err()
}

#[test]
fn a_wrong_confirmation_names_its_sender_and_costs_no_share() {
    let params = |_| KeygenParams::new(2);
    let mut key = wrong_confirmation::<Keygen<Secp256k1>>(params, &keygen_run());
    let mut aux = wrong_confirmation::<AuxInfoGen>(aux_of, &aux_run());
    assert!(key.state() == ShareState::Unconfirmed && !aux.is_confirmed());
    let bytes = aux.to_bytes();
    assert!(!AuxInfo::from_bytes(FAST, &bytes).unwrap().is_confirmed());
    // A derived share is as unconfirmed as the one from which it is derived.
    let child = key.derive(&"m/0/1".parse().unwrap()).unwrap();
    assert_eq!(child.state(), ShareState::Unconfirmed);
    let usable = |key: KeyShare<_>, aux: AuxInfo| {
        let (key, aux) = (Arc::new(key), Arc::new(aux));
        let refused = refused(&key, &aux).map(|why| why.to_string());
        (Arc::into_inner(key).unwrap(), Arc::into_inner(aux).unwrap(), refused)
    };
    let (key_back, aux_back, why) = usable(key, aux);
    assert!(why.unwrap().contains("the key is not confirmed"));
    (key, aux) = (key_back, aux_back);
    key.confirm();
    let (key_back, aux_back, why) = usable(key, aux);
    assert!(why.unwrap().contains("the aux-info is not confirmed"));
    (key, aux) = (key_back, aux_back);
    aux.confirm();
    let (_, aux, why) = usable(key, aux);
    assert_eq!(why, None);
    assert!(AuxInfo::from_bytes(FAST, &aux.to_bytes()).unwrap().is_confirmed());
}

/// An echo that differs in the last round loses nothing either.
#[test]
fn an_echo_that_differs_costs_no_share() {
    let all = parties(NUMBERS);
    let network = Network::new(1).tamper(|mut delivery: Delivery| {
        let between = (delivery.from, delivery.to) == (id(CULPRIT), id(VICTIM));
        if between && delivery.round.get() == 4 {
            delivery.bytes[HEADER] ^= 1;
        }
        vec![delivery]
    });
    let params = |_| KeygenParams::<Secp256k1>::new(2);
    let report = network.run::<Keygen<_>>(sid(SESSION), &all, params).unwrap();
    let abort = report.results[&id(VICTIM)].as_ref().err().unwrap().clone();
    assert_eq!(Outcome::from(abort), Outcome::Unattributed(Check::EchoMismatch));
    assert!(report.unconfirmed.keys().eq([&id(VICTIM)]));
}

/// Sends δ + 1 to one party alone.
fn sums_for_one<C: EcdsaCurve>((from, round, broadcast, to): Place, frame: &mut [u8]) {
    if (from, round, broadcast, to) == (id(CULPRIT), 3, true, id(VICTIM)) {
        let body = &mut frame[HEADER + ECHO..];
        let delta = C::decode_scalar(&body[..32]).unwrap() + C::Scalar::from(1);
        body[..32].copy_from_slice(&C::encode_scalar(&delta));
    }
}

/// Sums that only one party gets end the run for all, and the evidence of two honest parties convicts the
/// liar.
#[test]
fn sums_for_one_party_convict_their_sender() {
    let group = Group::<Secp256k1>::new(3);
    let all = parties(NUMBERS);
    let (_, results) = record::<Presign<Secp256k1>>(
        &all,
        sid(SESSION),
        |party| group.params(party),
        |place, frame, _| sums_for_one::<Secp256k1>(place, frame),
    );
    let evidence = |number| match &results[&id(number)] {
        Err(Abort::Unattributed {
            check: Check::EchoMismatch, evidence: Some(evidence), ..
        }) => evidence,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("party {number} has a presignature"),
    };
    let convicted = evidence(2).equivocators(evidence(VICTIM));
    let [(liar, frames)] = convicted.as_slice() else { panic!("{convicted:?}") };
    assert_eq!(*liar, id(CULPRIT));
    let verdict = Evidence::new(*liar, frames.clone())
        .unwrap()
        .verify(&group.public(&all, SigningGoal::Presignature));
    assert_eq!(verdict, Ok(Fault::Equivocation));
}

/// A party is named if it raises an alert although its echo shows that it saw the same good sums.
#[test]
fn an_alert_without_a_cause() {
    let group = Group::<Secp256k1>::new(3);
    let all = parties(NUMBERS);
    let (_, results) = record::<Presign<Secp256k1>>(
        &all,
        sid(SESSION),
        |party| group.params(party),
        |(from, round, _, _), frame, _| {
            if (from, round) == (id(CULPRIT), 4) {
                assert_eq!(frame.len(), HEADER + ECHO);
                frame.extend_from_slice(&[1; 2000]);
            }
        },
    );
    for (party, result) in results {
        match result {
            Ok(_) => assert_eq!(party, id(CULPRIT)),
            Err(abort) => {
                let public = group.public(&all, SigningGoal::Presignature);
                // As for every message of the wrong length.
                assert_eq!(shown(&abort, &public), (id(CULPRIT), Fault::WrongLength));
            }
        }
    }
}

/// Plays the party of number 2 up to a round in which one may be silent, and gives up.
fn given_up<P: Protocol>(
    frames: &Frames,
    (all, round): (&Parties, u8),
    silent: Option<PartyId>,
    params: P::Params,
) -> Halted<P::Output> {
    let me = id(2);
    let mut step = start::<P>(sid(SESSION), me, all, params);
    loop {
        let mut session = step.session;
        let now = session.round().get();
        for (place, frame) in frames.iter().filter(|(place, _)| place.3 == me && place.1 == now) {
            if now < round || Some(place.0) != silent {
                session.receive(place.0, frame).unwrap();
            }
        }
        if now == round {
            assert!(session.waiting_for().eq(silent));
            return give_up(session);
        }
        match advance(session) {
            Ok(Progress::Round(next)) => step = next,
            other => panic!("round {now}: {other:?}"),
        }
    }
}

/// In every round: if the culprit's message is there and wrong, the culprit is named. If it is in
/// order, the silent party is missing, and nobody is blamed.
pub fn each_round<P: Protocol>(
    rounds: u8,
    params: impl Fn(PartyId) -> P::Params,
    public: &impl PublicRun,
) {
    let all = parties(NUMBERS);
    let (frames, _) = record::<P>(&all, sid(SESSION), &params, |_, _, _| {});
    for round in 1..=rounds {
        let stopped = given_up::<P>(&frames, (&all, round), Some(id(VICTIM)), params(id(2)));
        let Abort::Missing { parties, .. } = stopped.abort else { panic!("{}", stopped.abort) };
        assert_eq!(parties, [id(VICTIM)]);
        let mut frames = frames.clone();
        for (place, frame) in &mut frames {
            if (place.0, place.1, place.3) == (id(CULPRIT), round, id(2)) {
                match frame.len() {
                    length if length > HEADER + ECHO => frame.truncate(length - 1),
                    _ => frame.push(0),
                }
            }
        }
        let stopped = given_up::<P>(&frames, (&all, round), Some(id(VICTIM)), params(id(2)));
        let (party, _) = shown(&stopped.abort, public);
        assert_eq!(party, id(CULPRIT), "round {round}");
    }
}

#[test]
fn a_round_that_is_given_up_is_judged() {
    let group = Group::<Secp256k1>::new(3);
    let all = parties(NUMBERS);
    each_round::<Keygen<Secp256k1>>(4, |_| KeygenParams::new(2), &keygen_run());
    each_round::<AuxInfoGen>(4, aux_of, &aux_run());
    let public = group.public(&all, SigningGoal::Presignature);
    each_round::<Presign<Secp256k1>>(4, |party| group.params(party), &public);
    let signed = digest::<Secp256k1>(b"message");
    let params = |party| SignParams::new(group.params(party), signed);
    each_round::<Sign<Secp256k1>>(4, params, &group.public(&all, SigningGoal::Signature(signed)));
}

/// A party whose two frames of a round carry different echoes is named.
#[test]
fn two_echoes_in_one_round_convict_their_sender() {
    let all = parties(NUMBERS);
    let params = |_| KeygenParams::<Secp256k1>::new(2);
    let (_, results) = record::<Keygen<_>>(&all, sid(SESSION), params, |place, frame, _| {
        if place == (id(CULPRIT), 2, false, id(VICTIM)) {
            frame[HEADER] ^= 1;
        }
    });
    let abort = results[&id(VICTIM)].as_ref().err().unwrap();
    assert_eq!(shown(abort, &keygen_run()), (id(CULPRIT), Fault::Equivocation));
}

/// A caller whose timer fires when everything is there gets the result, confirmed as it is.
#[test]
fn giving_up_when_all_is_there_finishes_the_round() {
    let all = parties(NUMBERS);
    let params = |_| KeygenParams::<Secp256k1>::new(2);
    let (frames, _) = record::<Keygen<_>>(&all, sid(SESSION), params, |_, _, _| {});
    let stopped = given_up::<Keygen<Secp256k1>>(&frames, (&all, 4), None, params(id(2)));
    assert_eq!(stopped.unconfirmed.unwrap().state(), ShareState::Ready);
    assert_eq!(stopped.abort.to_string(), "gave up in round 4, with every message there");
}

/// A party that gives up gets the result that only lacks the last confirmation.
#[test]
fn a_missing_confirmation_costs_no_share() {
    let all = parties(NUMBERS);
    let params = |_| KeygenParams::<Secp256k1>::new(2);
    let (frames, results) = record::<Keygen<_>>(&all, sid(SESSION), params, |_, _, _| {});
    let stopped =
        given_up::<Keygen<Secp256k1>>(&frames, (&all, 4), Some(id(VICTIM)), params(id(2)));
    assert!(matches!(stopped.abort, Abort::Missing { .. }));
    let share = stopped.unconfirmed.unwrap();
    assert_eq!(share.state(), ShareState::Unconfirmed);
    let theirs = results[&id(VICTIM)].as_ref().unwrap();
    assert!(share.verifying_key() == theirs.verifying_key());
    assert_eq!(theirs.state(), ShareState::Ready);
}
