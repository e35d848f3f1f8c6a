//! VS-08, VS-09, VS-15: the refresh of a key's shares, with a party that cheats.

use quorate::frost::generic::curve::Curve;
use quorate::frost::generic::{DkgOutput, Refresh, RefreshParams, Scalar};
use quorate::session::sim::{Delivery, Network, Report};
use quorate::session::{Check, ParamError};
use quorate::{Fault, Session, SessionId};

use super::cheat::scalar_bytes;
use super::dkg::{BODY, CONTEXT, ECHO, Frames, Verdict, echo, frame, verdicts};
use super::harness::Hostile;
use super::harness::{Key, Ledger, MUTATOR, PARTIES, id, parties, rng};
use quorate_testkit::encodings::{encoded, point_len, scalar_len};
use quorate_testkit::mutation::{Case, Class, Field, Kind, cases};

type Outcome<S> = Report<DkgOutput<S>>;

fn run<S: Hostile>(key: &Key<S>, hook: impl FnMut(Delivery) -> Frames) -> Outcome<S> {
    let all = parties(PARTIES);
    let params = |me: quorate::PartyId| RefreshParams::new(key.share(me.get()), &key.public);
    let network = Network::new(1).tamper(hook);
    network.run::<Refresh<S>>(SessionId::new([1; 32]), &all, params).unwrap()
}

/// The frames of an honest refresh, after which all sign with new shares.
fn honest<S: Hostile>(key: &Key<S>) -> Frames {
    let mut frames = Vec::new();
    let report = run(key, |one| {
        frames.push(one.clone());
        vec![one]
    });
    super::dkg::assert_unharmed(&report);
    let output = report.results[&id(1)].as_ref().unwrap();
    assert_eq!(output.public.key_id(), key.public.key_id());
    assert_eq!((output.share.epoch(), output.share.threshold()), (1, 2));
    frames
}

/// Runs with other frames of one round from the mutator to `victims`; for `echoed` it sticks to
/// what it said.
fn tampered<S: Hostile>(
    key: &Key<S>,
    frames: &Frames,
    round: u8,
    victims: &[u16],
    bytes: &[u8],
    echoed: bool,
) -> [Verdict; 2] {
    let bodies = PARTIES.map(|party| match party {
        MUTATOR => bytes.get(BODY[0]..).unwrap_or_default().to_vec(),
        _ => frame(frames, 1, party, MUTATOR).bytes[BODY[0]..].to_vec(),
    });
    verdicts(&run(key, |mut one| {
        let mine = one.from == id(MUTATOR) && victims.contains(&one.to.get());
        if mine && one.round.get() == round {
            one.bytes = bytes.to_vec();
        } else if mine && echoed && one.round.get() == 2 {
            let digest = echo(&one.bytes[CONTEXT], &bodies);
            one.bytes[ECHO].copy_from_slice(&digest);
        }
        vec![one]
    }))
}

/// Every mutation of every field of the three rounds.
pub fn fields<S: Hostile>(ledger: &mut Ledger) {
    let (key, other) = (Key::<S>::new(1), Key::<S>::new(2));
    let (frames, foreign) = (honest(&key), honest(&other));
    let altered = |message, round: u8, class, length| -> (&'static str, Vec<u8>, Vec<Case>) {
        let start = BODY[usize::from(round) - 1];
        let field = Field { name: message, class, at: start..start + length };
        let [sent, other] =
            [&frames, &foreign].map(|frames| frame(frames, round, MUTATOR, 1).bytes.clone());
        let peers = &frame(&frames, round, 5, 1).bytes;
        let cases = cases::<S::Curve>(&[field], &sent, peers, &other);
        (message, sent, cases)
    };
    let (message, _, cases) = altered("refresh round 1", 1, Class::Point, point_len::<S::Curve>());
    let first = |bytes: &[u8], echoed| tampered(&key, &frames, 1, &[1, 5], bytes, echoed);
    for case in cases {
        ledger.case(message, case.mutation, || match case.kind {
            Kind::Longer => assert_eq!(first(&case.bytes, false), [Verdict::Missing; 2]),
            Kind::Invalid => {
                assert_eq!(first(&case.bytes, false), [Verdict::Blamed(Fault::InvalidPoint); 2]);
            }
            _ => {
                let split = Verdict::Unattributed(Check::EchoMismatch);
                assert_eq!(first(&case.bytes, false), [split; 2]);
                assert_eq!(first(&case.bytes, true), [Verdict::Blamed(Fault::InvalidShare); 2]);
            }
        });
    }
    points::<S>(ledger, &key, &frames);

    let (message, sent, cases) =
        altered("refresh round 2", 2, Class::Scalar, scalar_len::<S::Curve>());
    let second = |bytes: &[u8]| tampered(&key, &frames, 2, &[1], bytes, false);
    let blamed = |fault| [Verdict::Blamed(fault), Verdict::Missing];
    for case in cases {
        let fault = match case.kind {
            Kind::Invalid => Fault::InvalidScalar,
            _ => Fault::InvalidShare,
        };
        ledger.case(message, case.mutation, || assert_eq!(second(&case.bytes), blamed(fault)));
    }
    for end in [BODY[1], sent.len() - 1] {
        ledger.case(message, "length", || {
            assert_eq!(second(&sent[..end]), blamed(Fault::WrongLength));
        });
    }

    let (message, _, cases) = altered("refresh confirm", 3, Class::Bytes, 32);
    for case in cases {
        let expected = match case.kind {
            Kind::Longer => Verdict::Missing,
            Kind::Shorter => Verdict::Blamed(Fault::WrongLength),
            _ => Verdict::Blamed(Fault::InvalidConfirmation),
        };
        ledger.case(message, case.mutation, || {
            let found = tampered(&key, &frames, 3, &[1, 5], &case.bytes, false);
            assert_eq!(found, [expected; 2]);
        });
    }
}

/// t − 1 points: none, and one too many, which would be a constant or a higher degree.
fn points<S: Hostile>(ledger: &mut Ledger, key: &Key<S>, frames: &Frames) {
    let (message, sent) = ("refresh round 1", &frame(frames, 1, MUTATOR, 1).bytes);
    let first = |bytes: &[u8]| tampered(key, frames, 1, &[1, 5], bytes, false);
    ledger.case(message, "empty", || {
        let short = [Verdict::Blamed(Fault::WrongLength); 2];
        assert_eq!(first(&sent[..BODY[0]]), short);
    });
    ledger.case(message, "one more", || {
        let constant = [&sent[..], &encoded::<S::Curve>(&S::Curve::generator())].concat();
        assert_eq!(first(&constant), [Verdict::Missing; 2]);
    });
}

/// Half of the parties never hear the last confirmation: all still sign with what they had.
fn forget_and_forgive<S: Hostile>() {
    let key = Key::<S>::new(1);
    let report = run(&key, |one| match one.from == id(MUTATOR) && one.round.get() == 3 {
        true if one.to == id(5) => vec![],
        _ => vec![one],
    });
    assert_eq!(verdicts(&report), [Verdict::Done, Verdict::Missing]);
    let signed = key.sign(&PARTIES, b"m", 2);
    key.public.aggregate(&signed.package, &signed.shares).unwrap();
    // A dealer that adds a constant to every share moves the key, and is named.
    let report = run(&key, |mut one| {
        if one.from == id(MUTATOR) && one.round.get() == 2 {
            let share = one.bytes.split_off(BODY[1]);
            let moved = S::Curve::decode_scalar(&share).unwrap() + 1.into();
            one.bytes.extend(scalar_bytes::<S>(&moved));
        }
        vec![one]
    });
    assert_eq!(verdicts(&report), [Verdict::Blamed(Fault::InvalidShare); 2]);
    let signed = key.sign(&PARTIES, b"m", 3);
    key.public.aggregate(&signed.package, &signed.shares).unwrap();
}

#[test]
fn vs_08_refresh_that_aborts_changes_nothing() {
    quorate_testkit::for_every_suite!(forget_and_forgive);
}

fn other_key_or_parties<S: Hostile>() {
    let (key, other) = (Key::<S>::new(1), Key::<S>::new(2));
    let start = |me: u16, numbers: &[u16], params| {
        let all = parties(numbers.iter().copied());
        Session::<Refresh<S>>::start(SessionId::new([1; 32]), id(me), &all, params, &mut rng(1))
            .map(drop)
    };
    let own = || RefreshParams::new(key.share(1), &key.public);
    assert_eq!(start(1, &PARTIES, own()), Ok(()));
    let foreign = RefreshParams::new(other.share(1), &key.public);
    for (me, numbers, params) in [
        (1, &[1, 2][..], own()),
        (1, &[1, 2, 5, 6], own()),
        (1, &[1, 2, 4], own()),
        (2, &PARTIES, own()),
        (1, &PARTIES, foreign),
    ] {
        let refused = start(me, numbers, params);
        assert!(matches!(refused, Err(ParamError::Inconsistent(_))), "{refused:?}");
    }
    // A party that refreshes another key is not heard.
    let all = parties(PARTIES);
    let report = Network::new(1)
        .run::<Refresh<S>>(SessionId::new([1; 32]), &all, |me| {
            let key = if me == id(MUTATOR) { &other } else { &key };
            RefreshParams::new(key.share(me.get()), &key.public)
        })
        .unwrap();
    assert_eq!(verdicts(&report), [Verdict::Missing; 2]);
}

#[test]
fn vs_09_refresh_of_another_key_or_by_other_parties() {
    quorate_testkit::for_every_suite!(other_key_or_parties);
}

/// As in a key generation: party 2 waits for what the others deal to it, and deals so that its new
/// verifying share is neutral.
fn neutral_verifying_share<S: Hostile>() {
    let key = Key::<S>::new(1);
    let mut received = super::reference::secret(key.share(MUTATOR));
    run(&key, |one| {
        if one.to == id(MUTATOR) && one.round.get() == 2 {
            received = received + S::Curve::decode_scalar(&one.bytes[BODY[1]..]).unwrap();
        }
        vec![one]
    });
    let slope = -received * S::Curve::invert(&u64::from(MUTATOR).into());
    for (slope, expected) in [
        (slope, Verdict::Unattributed(Check::ResultMismatch)),
        // It cannot confirm what it did not compute: only that nobody else objected is shown.
        (slope + 1.into(), Verdict::Missing),
    ] {
        let report = dealt(&key, slope);
        assert_eq!(verdicts(&report), [expected; 2]);
    }
    let signed = key.sign(&[1, 5], b"m", 3);
    key.public.aggregate(&signed.package, &signed.shares).unwrap();
}

/// Party 2 deals this slope, and says nothing after that.
fn dealt<S: Hostile>(key: &Key<S>, slope: Scalar<S>) -> Outcome<S> {
    let frames = honest(key);
    let commitment = encoded::<S::Curve>(&S::Curve::mul_base(&slope));
    let bodies = PARTIES.map(|party| match party {
        MUTATOR => commitment.clone(),
        _ => frame(&frames, 1, party, MUTATOR).bytes[BODY[0]..].to_vec(),
    });
    run(key, |mut one| {
        if one.from != id(MUTATOR) {
            return vec![one];
        }
        match one.round.get() {
            1 => {
                one.bytes.truncate(BODY[0]);
                one.bytes.extend(&commitment);
            }
            2 => {
                let digest = echo(&one.bytes[CONTEXT], &bodies);
                one.bytes[ECHO].copy_from_slice(&digest);
                one.bytes.truncate(BODY[1]);
                let share = slope * u64::from(one.to.get()).into();
                one.bytes.extend(scalar_bytes::<S>(&share));
            }
            _ => return vec![],
        }
        vec![one]
    })
}

#[test]
fn vs_15_neutral_verifying_share_of_a_refresh() {
    quorate_testkit::for_every_suite!(neutral_verifying_share);
}
