//! Sealed sessions that are opened are rebuilt from what they sent. They are the same runs as those that were
//! sealed, and no proof is made or verified for them. (Every run of these tests with corrupt parties is opened as
//! well: `play.rs`.)

use quorate_curve::{Curve, Secp256k1};
use quorate_keys::session::{PartyId, Progress, Protocol, Session};
use quorate_keys::{Repair, Repaired, Reshare, Reshared};
use quorate_testkit::counting::{Counting, Multiplications, counted};
use quorate_testkit::lockstep::{record, seal_key, start};
use quorate_testkit::opened::Opened;
use quorate_testkit::schedules::Schedules;

use crate::group::{Key, Of, id, sid};

every_curve! { a_resharing a_repair any_schedule }

/// The parties of an old committee and of a new one. One dealer leaves, and one member is new.
const OLD: [u16; 3] = [1, 2, 5];
const NEW: [u16; 3] = [2, 5, 9];

fn every_slot<P: Protocol>(opened: &Opened<'_, P>, number: u8) {
    let params = opened.params;
    let (frames, _) = record::<P>(opened.parties, sid(number), params, |_, _, _| {});
    for me in opened.parties.iter() {
        assert!(opened.at_every_slot(number, me, &frames) > usize::from(P::ROUNDS));
    }
}

fn reshared<C: Curve>(Reshared { public, share }: Reshared<Of<C>>) -> Vec<u8> {
    let share = share.map(|share| share.to_bytes().to_vec());
    [public.to_bytes(), share.unwrap_or_default()].concat()
}

fn repaired<C: Curve>(result: Repaired<Of<C>>) -> Vec<u8> {
    match result {
        Repaired::Share(share) => share.to_bytes().to_vec(),
        Repaired::Helped => Vec::new(),
    }
}

fn a_resharing<C: Curve>() {
    let key = Key::<C>::dealt(&OLD, 2, 1);
    for (dealers, to) in [(&OLD[..], &NEW[..]), (&OLD[..], &OLD[..]), (&OLD[..2], &NEW[..])] {
        let plan = key.plan(dealers, to, 2);
        let (parties, params) = (plan.parties(), |me: PartyId| key.part(&plan, me));
        let opened =
            Opened::<Reshare<Of<C>>> { parties: &parties, params: &params, stored: &reshared::<C> };
        every_slot(&opened, 1);
    }
}

fn a_repair<C: Curve>() {
    let key = Key::<C>::dealt(&OLD, 2, 1);
    let (parties, params) =
        (key.repair_plan(&[1, 2], 5).parties(), |me: PartyId| key.repair_part(&[1, 2], 5, me));
    let opened =
        Opened::<Repair<Of<C>>> { parties: &parties, params: &params, stored: &repaired::<C> };
    every_slot(&opened, 2);
}

/// A corrupt dealer, member, helper or target, with frames in any order.
fn any_schedule<C: Curve>() {
    let key = Key::<C>::dealt(&OLD, 2, 1);
    let plan = key.plan(&OLD, &NEW, 2);
    let (parties, params) = (plan.parties(), |me: PartyId| key.part(&plan, me));
    let stored = &reshared::<C>;
    for corrupt in parties.iter() {
        let ends =
            Schedules::<Reshare<Of<C>>> { parties: &parties, corrupt, params: &params, stored };
        let ends = ends.all(8);
        assert!(ends.stopped > 0 && ends.done + ends.given_up > 0, "{ends:?}");
    }
    let (parties, params) =
        (key.repair_plan(&[1, 2], 5).parties(), |me: PartyId| key.repair_part(&[1, 2], 5, me));
    let stored = &repaired::<C>;
    for corrupt in parties.iter() {
        let ends =
            Schedules::<Repair<Of<C>>> { parties: &parties, corrupt, params: &params, stored };
        let ends = ends.all(8);
        assert!(ends.stopped > 0 && ends.done + ends.given_up > 0, "{ends:?}");
    }
}

/// The multiplications of an opening and of an audit, in each round of one party.
fn costs<P: Protocol>(
    me: PartyId,
    parties: &quorate_keys::session::Parties,
    params: impl Fn(PartyId) -> P::Params,
) -> Vec<[Multiplications; 2]> {
    let (frames, _) = record::<P>(parties, sid(3), &params, |_, _, _| {});
    let mut session = start::<P>(sid(3), me, parties, params(me)).session;
    let mut costs = Vec::new();
    loop {
        let sealed = session.seal(&seal_key());
        let (opened, open) = counted(|| Session::<P>::open(&sealed, params(me), &seal_key()));
        let (_, audit) = counted(|| Session::<P>::audit(&sealed, params(me), &seal_key()));
        costs.push([open, audit]);
        session = opened.unwrap().session;
        let round = session.round().get();
        for (place, frame) in frames.iter().filter(|(place, _)| (place.3, place.1) == (me, round)) {
            session.receive(place.0, frame).unwrap();
        }
        match session.advance().unwrap() {
            Progress::Round(step) => session = step.session,
            Progress::Done { .. } => return costs,
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn opening_neither_proves_nor_verifies() {
    type C = Counting<Secp256k1>;
    let key = Key::<C>::dealt(&OLD, 2, 1);
    let plan = key.plan(&OLD, &NEW, 2);
    let reshare = costs::<Reshare<Of<C>>>(id(2), &plan.parties(), |me| key.part(&plan, me));
    let parties = key.repair_plan(&[1, 2], 5).parties();
    let part = |me| key.repair_part(&[1, 2], 5, me);
    let [helper, target] = [1, 5].map(|me| costs::<Repair<Of<C>>>(id(me), &parties, part));
    for (costs, last) in [(reshare, 1), (helper, 1), (target, 2)] {
        let rounds = costs.len();
        for (round, [open, audit]) in (1..).zip(costs) {
            // Multiplications of the generator: the opening key, the noted share, or both.
            let fixed = if round == rounds { last } else { 1 };
            assert_eq!(
                open,
                Multiplications { fixed, ..Multiplications::default() },
                "round {round}"
            );
            assert!(audit.random > 0 || round <= 2, "round {round}: {audit:?}");
        }
    }
}
