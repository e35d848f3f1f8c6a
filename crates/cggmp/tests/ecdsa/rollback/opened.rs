//! A sealed presigning that is opened is rebuilt from the messages that it sent. It is the run that was sealed, and equal
//! to the run in which everything is done again.

use quorate_cggmp::{
    AuxInfoGen, AuxInfoParams, KeyShare, Keygen, KeygenParams, Presign, PresignMany,
    PresignManyParams, Presignature, Secp256k1,
};
use quorate_session::{PartyId, Protocol, Session};

use quorate_testkit::opened::Opened;
use quorate_testkit::schedules::Schedules;

use super::{Played, VICTIM, go_on, seal_key, shift};
use crate::support::*;

type C = Secp256k1;

/// Opens every seal of a run both ways, and plays each to its end; gives the frames of the run.
fn opened_everywhere<P: Protocol>(
    params: impl Fn(PartyId) -> P::Params,
    stored: impl Fn(P::Output) -> Vec<u8>,
) -> Frames {
    let all = parties(NUMBERS);
    let (frames, _) = record::<P>(&all, sid(SESSION), &params, |_, _, _| {});
    let start = start::<P>(sid(SESSION), id(VICTIM), &all, params(id(VICTIM)));
    let Played { result, seals, said } = go_on(start, &frames, |_, _, _, _| {});
    let result = stored(result.unwrap().unwrap());
    for (round, sealed) in seals.iter().enumerate() {
        let opened = Session::<P>::open(sealed, params(id(VICTIM)), &seal_key()).unwrap();
        let audited = Session::<P>::audit(sealed, params(id(VICTIM)), &seal_key()).unwrap();
        assert_eq!(opened.outgoing, audited.outgoing);
        for step in [opened, audited] {
            assert_eq!(step.session.seal(&seal_key()), *sealed);
            let again = go_on(step, &frames, |_, _, _, _| {});
            assert!(again.said == said[round..] && again.seals == seals[round..]);
            assert!(stored(again.output()) == result, "opened in round {}", round + 1);
        }
    }
    frames
}

#[test]
fn an_opened_presigning_is_the_one_that_was_sealed() {
    let group = Group::<C>::new(3);
    opened_everywhere::<Presign<C>>(|party| group.params(party), |one| one.to_bytes().to_vec());
}

#[test]
fn an_opened_presigning_of_several_is_the_one_that_was_sealed() {
    let group = Group::<C>::new(3);
    let stored = |one: &Presignature<C>| one.to_bytes().to_vec();
    opened_everywhere::<PresignMany<C>>(
        |party| PresignManyParams::new(group.params(party), 3),
        |made| made.iter().flat_map(stored).collect(),
    );
}

#[test]
fn opened_auxiliary_information_is_the_one_that_was_sealed() {
    let params = |party: PartyId| {
        let place = NUMBERS.iter().position(|number| id(*number) == party).unwrap();
        AuxInfoParams::new(secrets(FAST, place))
    };
    opened_everywhere::<AuxInfoGen>(params, |info| info.public().to_bytes());
}

/// At every slot, and with other frames than those of the run.
#[test]
fn key_generation_goes_on_alike_however_it_was_opened() {
    let all = parties(NUMBERS);
    let params = |_: PartyId| KeygenParams::<C>::new(2);
    let stored = |share: KeyShare<C>| [&*share.to_bytes(), &*share.public().to_bytes()].concat();
    let opened = Opened::<Keygen<C>> { parties: &all, params: &params, stored: &stored };
    let (frames, _) = record::<Keygen<C>>(&all, sid(SESSION), params, |_, _, _| {});
    for me in all.iter() {
        // Five frames from each peer, and the ends of four rounds.
        assert_eq!(opened.at_every_slot(SESSION, me, &frames), (NUMBERS.len() - 1) * 5 + 4);
    }
}

/// Frames in any order, while each party in turn sends anything.
fn any_schedule<P: Protocol>(
    runs: u64,
    params: impl Fn(PartyId) -> P::Params,
    stored: impl Fn(P::Output) -> Vec<u8>,
) {
    let all = parties(NUMBERS);
    for corrupt in all.iter() {
        let schedules = Schedules::<P> { parties: &all, corrupt, params: &params, stored: &stored };
        let ends = schedules.all(runs);
        assert!(ends.done + ends.stopped + ends.given_up == 2 * usize::try_from(runs).unwrap());
        assert!(ends.stopped > 0, "{ends:?}");
    }
}

#[test]
fn key_generation_goes_on_alike_by_any_schedule() {
    let stored = |share: KeyShare<C>| [&*share.to_bytes(), &*share.public().to_bytes()].concat();
    any_schedule::<Keygen<C>>(20, |_| KeygenParams::<C>::new(2), stored);
}

#[test]
#[ignore = "long: .ci/run long"]
fn presigning_goes_on_alike_by_any_schedule() {
    let group = Group::<C>::new(3);
    let stored = |one: &Presignature<C>| one.to_bytes().to_vec();
    any_schedule::<Presign<C>>(3, |me| group.params(me), |one| stored(&one));
    let params = |me| PresignManyParams::new(group.params(me), 2);
    any_schedule::<PresignMany<C>>(3, params, |made| made.iter().flat_map(stored).collect());
}

/// At every slot, and with other frames than those of the run.
#[test]
fn presigning_goes_on_alike_however_it_was_opened() {
    let all = parties(&NUMBERS[..2]);
    let group = Group::<C>::of(&NUMBERS[..2], 2);
    let params = |party: PartyId| group.params(party);
    let stored = |one: Presignature<C>| one.to_bytes().to_vec();
    let opened = Opened::<Presign<C>> { parties: &all, params: &params, stored: &stored };
    let (frames, _) = record::<Presign<C>>(&all, sid(SESSION), params, |_, _, _| {});
    assert_eq!(opened.at_every_slot(SESSION, id(VICTIM), &frames), 2 + 2 + 1 + 1 + 4);
}

/// A peer moves its sum in round 3: the red alert needs the masks and the sums, in an opened session too.
#[test]
fn an_opened_presigning_answers_a_red_alert() {
    let group = Group::<C>::new(3);
    let all = parties(NUMBERS);
    let params = |party| group.params(party);
    let (frames, _) = record::<Presign<C>>(&all, sid(SESSION), params, |_, _, _| {});
    let alarmed = |round: u8, from: PartyId, _: bool, body: &mut Vec<u8>| {
        if (round, from) == (3, id(7)) {
            shift(body, super::S, 1);
        }
    };
    let start = start::<Presign<C>>(sid(SESSION), id(VICTIM), &all, params(id(VICTIM)));
    let alert = go_on(start, &frames, alarmed);
    assert!(alert.said.len() == 4 && !alert.said[3].is_empty());
    for (round, sealed) in alert.seals.iter().enumerate() {
        let step = Session::open(sealed, params(id(VICTIM)), &seal_key()).unwrap();
        assert_eq!(step.session.seal(&seal_key()), *sealed);
        let again = go_on::<Presign<C>>(step, &frames, alarmed);
        assert!(again.said == alert.said[round..] && again.seals == alert.seals[round..]);
    }
}
