//! Ways in which a signer could give a secret away: masks under a generator that repeats itself, and responses that
//! a corrupt signer keeps. `src/sign/mask/tests/secrecy.rs`, where the secret is at hand, tests by ⟨z, c·s⟩ whether
//! responses correlate with the secret.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::common::{copy, deal, deal_if_offered, params};
use quorate_mldsa::session::{Parties, Progress, Session, SpentInMemory, Step};
use quorate_mldsa::{Dealing, Level, MessageRepresentative, Profile, Sign, SignParams};
use quorate_testkit::Stuck;
use quorate_testkit::lockstep::{ECHO, HEADER, advance, id, parties, record, sid};

const BODY: usize = HEADER + ECHO;
/// Bytes of w of a slot.
const SLOT: usize = 4 * 736;

/// The opening of party 1 when all generators give nothing but zeros.
fn opening(
    dealt: &Dealing,
    signers: &Parties,
    (session, number): (u8, u64),
    mu: MessageRepresentative,
) -> Vec<u8> {
    let begin = |me| {
        let at = dealt.public.parties().position(me).unwrap();
        let share = Arc::new(copy(&dealt.shares[at]));
        let record = share.attempt(number, sid(session), signers, &mu).unwrap();
        let receipt = record.store(&mut SpentInMemory::new()).unwrap();
        let params = SignParams::new(share, mu, number, receipt);
        Session::<Sign>::start(sid(session), me, signers, params, &mut Stuck::at(0)).unwrap()
    };
    let Step { mut session, .. } = begin(id(1));
    for from in signers.iter().filter(|from| *from != id(1)) {
        session.receive(from, &begin(from).outgoing[0].bytes).unwrap();
    }
    let Progress::Round(step) = advance(session).unwrap() else { panic!("round 2") };
    step.outgoing[0].bytes[BODY..].to_vec()
}

/// A generator that gives the same bytes to every session, as after a fork or on a machine that was copied. Two
/// attempts that differ in anything have no mask in common. If they differ in nothing, they are one record, which
/// starts one session.
#[test]
fn a_generator_that_repeats_itself_repeats_no_mask() {
    let [mu, other] = [1, 2].map(|byte| MessageRepresentative::external([byte; 64]));
    let dealt = deal(Level::MlDsa44, 2, 3);
    // The same secrets.
    let strict = deal_if_offered(Profile::Strict, Level::MlDsa44, 2, 3).unwrap();
    let [with_two, with_three] = [2, 3].map(|with| parties([1, with]));
    let openings = [
        opening(&dealt, &with_two, (1, 0), mu),
        opening(&dealt, &with_three, (1, 0), mu),
        opening(&dealt, &with_two, (2, 0), mu),
        opening(&dealt, &with_two, (1, 0), other),
        opening(&strict, &with_two, (1, 0), mu),
        // The session id was used twice, but the number of the attempt was not.
        opening(&dealt, &with_two, (1, 1), mu),
    ];
    assert!(openings[0] == opening(&dealt, &with_two, (1, 0), mu));
    let openings = openings.concat();
    let slots: BTreeSet<&[u8]> = openings.chunks(SLOT).collect();
    // Three slots, and four of the strict profile.
    assert_eq!(slots.len(), 5 * 3 + 4);
}

/// Party 3 claims that it rejects every slot. It has the responses of party 1 and its own, which make a signature
/// that party 1 never sees. So a failed attempt may still have produced a signature.
#[test]
fn who_rejects_in_public_may_keep_a_signature() {
    let dealt = deal(Level::MlDsa44, 2, 3);
    let signers = parties([1, 3]);
    let mut kept = 0;
    for session in 0..8 {
        let mu = MessageRepresentative::external([session; 64]);
        let make = |me| params(&dealt, me, &signers, mu, sid(session), session.into());
        let (_, results) = record::<Sign>(&signers, sid(session), make, |place, bytes, _| {
            if place.0 == id(3) && place.1 == 3 {
                bytes.truncate(BODY);
                bytes.push(0);
            }
        });
        let honest = results[&id(1)].as_ref().unwrap();
        assert_eq!((honest.signature.as_ref(), honest.accepted.get(id(3))), (None, Some(&0)));
        if let Some(signature) = &results[&id(3)].as_ref().unwrap().signature {
            dealt.public.verifying_key().verify_representative(&mu, signature).unwrap();
            kept += 1;
        }
    }
    assert!(kept > 0);
}
