//! Refresh, repair and acknowledgement. The tests of `quorate-keys` have the cheats that make their own messages consistent
//! again.

use std::sync::Arc;

use quorate_cggmp::curves::Curve;
use quorate_cggmp::{
    Acknowledge, AcknowledgeParams, KeyShare, Repair, RepairParams, RepairPlan, Reshare, Secp256k1,
};

use quorate_session::{Round, Session};

use super::*;
use crate::support::*;

type C = Secp256k1;

fn message(round: u8, fields: Vec<Field>) -> Message {
    Message { round, broadcast: true, fields }
}

/// A deal of two points with one sealed share.
fn deal(commitment: [&str; 2], sealed: &str) -> Vec<Field> {
    let mut fields: Vec<Field> = commitment.into_iter().chain(["D", "R"]).map(point).collect();
    fields.extend([scalar("z", ""), scalar(sealed, "")]);
    fields
}

/// Another opening key is as good as any.
fn only_undecodable_keys(cases: &mut Vec<Case>) {
    let decodes = |case: &Case| {
        let frame = &case.frames[&(id(CULPRIT), 1, true, id(VICTIM))];
        frame.len() == HEADER + ECHO + 33 && C::decode_point(&frame[HEADER + ECHO..]).is_some()
    };
    cases.retain(|case| case.what != "Y" || !decodes(case));
}

/// A v that decodes is opened in the next round, in which the helpers echo the broadcasts that they got.
fn opened_in_round_4(context: &[u8; 32], case: &mut Case) {
    let at = |party: u16, round| (id(party), round, true, id(VICTIM));
    let given = |party| &case.frames[&at(party, 3)][HEADER + ECHO..];
    if case.what != "sealed v" || C::decode_scalar(&given(CULPRIT)[1..]).is_none() {
        return;
    }
    // The victim gives nothing.
    let echo = echo(context, Round(3), [&[], given(CULPRIT), given(40)]);
    for helper in [CULPRIT, 40] {
        let frame = case.frames.get_mut(&at(helper, 4)).unwrap();
        frame[HEADER..HEADER + ECHO].copy_from_slice(&echo);
    }
    (case.round, case.what) = (4, "sealed v of round 3".into());
}

#[test]
fn refresh() {
    let keys = keys::<C>(&[VICTIM, CULPRIT], 2);
    let plan = plan(&keys, &[VICTIM, CULPRIT], &[VICTIM, CULPRIT], 2);
    let params = |me| reshare_params(&keys, &plan, me);
    let [frames, other] = [SESSION, 61].map(|session| recorded::<Reshare<C>>(session, params));
    let messages = [
        message(1, vec![point("Y")]),
        message(2, deal(["F_0", "F_1"], "sealed f(j)")),
        message(3, vec![field("kind", 1, Class::Bytes), field("confirmation", 32, Class::Bytes)]),
    ];
    let mut cases = cases::<C>(&messages, (&frames, &other), None);
    only_undecodable_keys(&mut cases);
    let shown = |what: &str, blame: &Blame| {
        let evidence = blame.evidence.as_ref().unwrap();
        let fault = plan.convicts(sid(SESSION), evidence, blame.party);
        assert_eq!(fault, Some(blame.fault), "{what}");
    };
    let found = outcomes_among::<Reshare<C>>(&duo(), cases, || params(id(VICTIM)), shown);
    document("Refresh of an ECDSA key", found, no_change);
}

/// The victim has lost its share, the culprit is one of two helpers.
#[test]
fn repair() {
    let all = parties(NUMBERS);
    let keys: Vec<Arc<KeyShare<C>>> = keys(&NUMBERS, 2);
    let helpers = parties([CULPRIT, 40]);
    let plan = RepairPlan::<C>::new(keys[0].public().shared(), helpers, id(VICTIM)).unwrap();
    let params = |me: PartyId| match keys.iter().find(|key| key.id() == me) {
        Some(key) if me != id(VICTIM) => RepairParams::helper(&plan, key.secret_share()).unwrap(),
        _ => RepairParams::target(&plan),
    };
    let [frames, other] =
        [SESSION, 61].map(|session| recorded_among::<Repair<C>>(&all, session, params));
    let messages = [
        message(1, vec![point("Y")]),
        message(2, deal(["Δ_0", "Δ_1"], "sealed δ(i)")),
        message(3, vec![field("kind", 1, Class::Bytes), scalar("sealed v", "")]),
    ];
    let mut cases = cases::<C>(&messages, (&frames, &other), None);
    only_undecodable_keys(&mut cases);
    let context = Session::<Repair<C>>::context_of(sid(SESSION), &all, &params(id(VICTIM)));
    cases.iter_mut().for_each(|case| opened_in_round_4(&context, case));
    let shown = |what: &str, blame: &Blame| {
        let evidence = blame.evidence.as_ref().unwrap();
        let fault = plan.convicts(sid(SESSION), evidence, blame.party);
        assert_eq!(fault, Some(blame.fault), "{what}");
    };
    let found = outcomes_among::<Repair<C>>(&all, cases, || params(id(VICTIM)), shown);
    document("Repair of a share of an ECDSA key", found, no_change);
}

#[test]
fn acknowledgement() {
    let keys = keys::<C>(&[VICTIM, CULPRIT], 2);
    let params = |me: PartyId| {
        let key = keys.iter().find(|key| key.id() == me).unwrap();
        AcknowledgeParams::<C>::from_stored(&key.to_bytes(), &key.public().to_bytes()).unwrap()
    };
    let mut frames = recorded::<Acknowledge<C>>(SESSION, params);
    frames.get_mut(&(id(CULPRIT), 1, true, id(VICTIM))).unwrap().push(0);
    let cases = vec![Case { round: 1, what: "broadcast".into(), how: "a byte more", frames }];
    let found = outcomes_among::<Acknowledge<C>>(&duo(), cases, || params(id(VICTIM)), |_, _| ());
    document("Acknowledgement of a share of an ECDSA key", found, no_change);
}
