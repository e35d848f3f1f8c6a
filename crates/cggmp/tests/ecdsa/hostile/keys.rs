//! Key generation and auxiliary information.

use quorate_bignum::Natural;
use quorate_cggmp::{AuxInfoGen, AuxInfoRun, Keygen, KeygenParams, KeygenRun, Secp256k1};
use quorate_session::{PartyId, Transcript};
use quorate_testkit::fixtures;

use super::*;
use crate::support::*;

fn keygen_messages() -> Vec<Message> {
    let bytes = |name: &str| field(name, 32, Class::Bytes);
    let message = |round, broadcast, fields| Message { round, broadcast, fields };
    let reveal = ["rid", "chain code", "u"].map(bytes).into_iter();
    let reveal = reveal.chain(["A", "F_0", "F_1"].map(point)).collect();
    vec![
        message(1, true, vec![bytes("V")]),
        message(2, true, reveal),
        message(2, false, vec![scalar("share", "")]),
        message(3, true, vec![point("A' of Πsch"), scalar("z of Πsch", "")]),
        message(4, true, vec![bytes("confirmation")]),
    ]
}

#[test]
fn key_generation() {
    let params = |_| KeygenParams::<Secp256k1>::new(2);
    let [frames, other] = [SESSION, 61].map(|session| recorded::<Keygen<_>>(session, params));
    let mut cases = cases::<Secp256k1>(&keygen_messages(), (&frames, &other), None);
    for case in cases.iter_mut().filter(|case| case.what == "V") {
        mend_echo(&mut case.frames);
        case.round = 2;
    }
    let run = KeygenRun::<Secp256k1>::new(sid(SESSION), duo(), 2);
    let found = outcomes::<Keygen<Secp256k1>>(cases, || KeygenParams::new(2), Some(&run));
    document("Key generation", found, no_change);
}

/// The fields of a reveal. Of the 128 responses of Πprm two.
fn reveal() -> Message {
    let [p, q] = fixtures::pedersen_primes(FAST, 1).map(|prime| prime.declassify());
    let n = p.mul(&q);
    let number = |name: &str| field(name, MODULUS, Class::Number);
    let base = |name: &str| field(name, MODULUS, unit(&n, &p));
    let mut fields = vec![field("rid", 32, Class::Bytes), field("u", 32, Class::Bytes)];
    fields.extend([number("N"), number("N̂"), base("s"), base("t")]);
    fields.push(field("e of Πprm", 16, Class::Bytes));
    fields.extend(some("z", " of Πprm", Class::Exponent(bytes(&n))));
    Message { round: 2, broadcast: true, fields }
}

/// The first and the last of 128 numbers, and what is between them.
fn some(name: &str, of: &str, class: Class) -> Vec<Field> {
    let one = |at: &str| field(format!("{name}[{at}]{of}"), MODULUS, class);
    vec![one("0"), field("", MODULUS * 126, Class::Bytes), one("127")]
}

fn third_round() -> Vec<Message> {
    let unit = culprits_modulus();
    let mut fields =
        vec![field("w of Πmod", MODULUS, unit), field("flags of Πmod", 32, Class::Bytes)];
    fields.extend(some("x", " of Πmod", unit));
    fields.extend(some("z", " of Πmod", unit));
    let of = " of Πfac";
    let direct = vec![
        field(format!("e{of}"), 32, Class::Bytes),
        field(format!("P{of}"), MODULUS, victims_setup()),
        field(format!("Q{of}"), MODULUS, victims_setup()),
        integer("z1", of, PRIME_BITS + ELL),
        integer("z2", of, PRIME_BITS + ELL),
        integer("w1", of, MODULUS_BITS + ELL),
        integer("w2", of, MODULUS_BITS + ELL),
        integer("v", of, 2 * MODULUS_BITS + ELL),
    ];
    vec![
        Message { round: 3, broadcast: true, fields },
        Message { round: 3, broadcast: false, fields: direct },
    ]
}

/// A commitment to the reveal that is sent now.
fn mend_reveal(frames: &mut Frames) {
    let revealed = &frames[&(id(CULPRIT), 2, true, id(VICTIM))];
    let mut transcript = Transcript::new("quorate-cggmp aux-info commitment");
    transcript.append("context", &context(revealed));
    transcript.append_u64("party", CULPRIT.into());
    transcript.append("reveal", &revealed[HEADER + ECHO..]);
    let digest = transcript.finish32();
    for to in duo().iter().filter(|to| *to != id(CULPRIT)) {
        let frame = frames.get_mut(&(id(CULPRIT), 1, true, to)).unwrap();
        frame[HEADER + ECHO..].copy_from_slice(&digest);
    }
    mend_echo(frames);
}

/// The echo of round 1 that goes with the commitments that are sent now.
fn mend_echo(frames: &mut Frames) {
    let revealed = &frames[&(id(CULPRIT), 2, true, id(VICTIM))];
    let context = context(revealed);
    let bodies = [VICTIM, CULPRIT].map(|from| {
        let to = if from == VICTIM { CULPRIT } else { VICTIM };
        frames[&(id(from), 1, true, id(to))][HEADER + ECHO..].to_vec()
    });
    let bodies: Vec<&[u8]> = bodies.iter().map(Vec::as_slice).collect();
    let echo = echo(&context, Round(1), &bodies);
    for (place, frame) in frames.iter_mut() {
        if place.0 == id(CULPRIT) && place.1 == 2 {
            frame[HEADER..HEADER + ECHO].copy_from_slice(&echo);
        }
    }
}

fn aux_of(party: PartyId) -> quorate_cggmp::AuxInfoParams {
    // Tables would take longer than they save.
    let place = usize::from(party == id(CULPRIT));
    aux_params(FAST, place).with_table_bytes(0)
}

fn aux_run() -> AuxInfoRun {
    AuxInfoRun { sid: sid(SESSION), parties: duo(), level: FAST }
}

/// Another run, of the culprit with other primes: all of its numbers are others.
fn aux_frames() -> [Frames; 2] {
    let one = recorded::<AuxInfoGen>(SESSION, aux_of);
    let other = recorded::<AuxInfoGen>(61, |party| {
        let place = if party == id(CULPRIT) { 2 } else { 0 };
        aux_params(FAST, place).with_table_bytes(0)
    });
    [one, other]
}

#[test]
fn aux_info() {
    let [frames, other] = aux_frames();
    let mut messages =
        vec![Message { round: 1, broadcast: true, fields: vec![field("V", 32, Class::Bytes)] }];
    messages.extend(third_round());
    messages.push(Message {
        round: 4,
        broadcast: true,
        fields: vec![field("confirmation", 32, Class::Bytes)],
    });
    let mut cases = cases::<Secp256k1>(&messages, (&frames, &other), None);
    cases.retain(|case| !case.what.is_empty());
    for case in cases.iter_mut().filter(|case| case.what == "V") {
        mend_echo(&mut case.frames);
        case.round = 2;
    }
    let found = outcomes::<AuxInfoGen>(cases, || aux_of(id(VICTIM)), Some(&aux_run()));
    document("Auxiliary information", found, no_change);
}

#[test]
fn aux_info_consistently() {
    let [frames, other] = aux_frames();
    let mut cases = cases::<Secp256k1>(&[reveal()], (&frames, &other), Some(mend_reveal));
    // Values of its own choice: random strings, and a modulus that is proved in the next round.
    let chosen = |case: &Case| {
        ["rid", "u"].contains(&&*case.what)
            || (&*case.what, case.how) == ("N", "of another session")
    };
    cases.retain(|case| !case.what.is_empty() && !chosen(case));
    let found = outcomes::<AuxInfoGen>(cases, || aux_of(id(VICTIM)), Some(&aux_run()));
    document("Auxiliary information, with a commitment to match", found, no_change);
}

/// Moduli of a wrong form, committed to.
#[test]
fn moduli() {
    let [frames, _] = aux_frames();
    let message = reveal();
    let victim = secrets(FAST, 0);
    let own = [
        victim.encryption_key().modulus().value().clone(),
        victim.pedersen().modulus().value().clone(),
    ];
    let small = |value: u64| Natural::from(value);
    let mut cases = Vec::new();
    for index in [2, 3] {
        let (now, start) = part(&frames, &message, index);
        let now = Natural::from_be_bytes(now);
        let half = now.shr(1);
        let square = half.shr(1023).mul(&small(1));
        let values: Vec<(&'static str, Natural)> = vec![
            ("one", small(1)),
            ("even", now.add(&small(1))),
            ("a bit short", half.add(&small(if half.is_odd() { 0 } else { 1 }))),
            ("the victim's N", own[0].clone()),
            ("the victim's N̂", own[1].clone()),
            ("tiny", square),
        ];
        for (how, value) in values {
            let mut frames = frames.clone();
            let frame = frames.get_mut(&message.place()).unwrap();
            frame[start..start + MODULUS].copy_from_slice(&value.to_be_bytes(MODULUS).unwrap());
            mend_reveal(&mut frames);
            cases.push(Case { round: 2, what: message.fields[index].name.into(), how, frames });
        }
        // The other modulus of the culprit itself.
        let mut frames = frames.clone();
        let theirs = part(&frames, &message, 5 - index).0.to_vec();
        let frame = frames.get_mut(&message.place()).unwrap();
        frame[start..start + MODULUS].copy_from_slice(&theirs);
        mend_reveal(&mut frames);
        let what = message.fields[index].name.into();
        cases.push(Case { round: 2, what, how: "its other modulus", frames });
    }
    let found = outcomes::<AuxInfoGen>(cases, || aux_of(id(VICTIM)), None::<&AuxInfoRun>);
    document("Moduli, with a commitment to match", found, no_change);
}
