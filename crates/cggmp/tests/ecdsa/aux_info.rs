use std::sync::Arc;

use quorate_cggmp::{
    AuxInfo, AuxInfoGen, AuxInfoParams, AuxSecrets, DecodeError, Ecdsa, P256, Secp256k1,
};
use quorate_keys::Family as _;
use quorate_paillier::{Error, Level, Primes};
use quorate_session::container::{ContainerError, Kind, Label, NO_CURVE};
use quorate_session::sim::{Delivery, Network};
use quorate_session::{Abort, Check, Fault, Progress, Protocol as _, Record, Round, Session};
use quorate_testkit::fixtures;

use crate::support::*;

/// The parties have the same public values, and each has its own secrets.
#[test]
fn all_parties_get_the_same_public_values() {
    let made = aux(&NUMBERS);
    for (one, number) in made.iter().zip(NUMBERS) {
        assert_eq!(one.id(), id(number));
        assert_eq!(one.level(), FAST);
        assert_eq!(one.digest(), made[0].digest());
        assert_eq!(*one.parties(), parties(NUMBERS));
        for (other, place) in NUMBERS.iter().zip(0..) {
            let secrets = secrets(FAST, place);
            assert_eq!(one.public().encryption_key(id(*other)), Some(secrets.encryption_key()));
            assert_eq!(one.public().pedersen(id(*other)), Some(secrets.pedersen()));
        }
        assert!(one.public().encryption_key(id(1)).is_none());
    }
}

/// Digests; two strings, four numbers and Πprm; Πmod and Πfac. The lengths of the proofs are those in `docs/spec/arguments-ecdsa.md`.
#[test]
fn lengths_of_the_messages() {
    let params = aux_params(Level::Bits112, 0);
    let lengths = [1, 2, 3, 4].map(|round| {
        let limits = AuxInfoGen::limits(&params, 3, Round(round));
        (limits.broadcast, limits.direct)
    });
    let reveal = 2 * 32 + 4 * 256 + 32_784;
    assert_eq!(lengths, [(32, 0), (reveal, 0), (65_824, 2309), (32, 0)]);
}

#[test]
fn stored_and_opened() {
    let one = &aux(&NUMBERS)[1];
    let bytes = one.to_bytes();
    // Room for everything at once: a buffer that grew would leave secrets behind.
    assert!(bytes.capacity() - bytes.len() < 16);
    let again = AuxInfo::from_bytes(FAST, &bytes).unwrap();
    assert_eq!(again.digest(), one.digest());
    assert_eq!(again.id(), one.id());
    assert_eq!(*again.to_bytes(), *bytes);
    assert_eq!(*Record::to_bytes(&**one), *bytes);
    let again = <AuxInfo as Record>::from_bytes(&bytes).unwrap();
    assert_eq!((again.level(), again.digest()), (FAST, one.digest()));
    assert!(<AuxInfo as Record>::from_bytes(&bytes[1..]).is_none());
    let open = |bytes: &[u8]| AuxInfo::from_bytes(FAST, bytes).map(|_| ());
    assert_eq!(
        AuxInfo::from_bytes(Level::Bits128, &bytes).map(|_| ()),
        Err(DecodeError::Container(ContainerError::WrongFamily {
            expected: "moduli of 3072 bits",
            got: 0xff,
        }))
    );
    for cut in [0, 2, 3, 34, bytes.len() / 2, bytes.len() - 1] {
        assert!(open(&bytes[..cut]).is_err(), "{cut}");
    }
    for at in (0..bytes.len() - 32).step_by(bytes.len() / 23) {
        let mut altered = bytes.to_vec();
        altered[at] ^= 1;
        assert!(open(&altered).is_err(), "{at}");
        // With a digest that fits, as anyone who can write the bytes can make: the parts are checked.
        // Only a string of random bytes has no check of its own.
        if let Ok(opened) = AuxInfo::from_bytes(FAST, &resealed(&altered)) {
            assert_ne!(opened.digest(), one.digest(), "{at}");
        }
    }
    let longer = resealed(&[&bytes[..bytes.len() - 32], &[0; 33]].concat());
    assert_eq!(open(&longer), Err(DecodeError::TrailingBytes));
}

/// The bytes with the length and the digest that belong to header and body.
pub fn resealed(bytes: &[u8]) -> Vec<u8> {
    let kind = Kind { code: bytes[5], name: "", version: 1 };
    let none = |family| Label { kind, curve: NO_CURVE, family, family_code: bytes[7] };
    let label = match bytes[7] {
        36 => Ecdsa::<P256>::label(kind),
        0x81 => none("moduli of 3072 bits"),
        0x82 => none("moduli of 2048 bits"),
        0xff => none("moduli of another length"),
        0 => none("quorate-cggmp"),
        _ => Ecdsa::<Secp256k1>::label(kind),
    };
    label.altered(bytes, |_| {})
}

#[test]
fn secrets_that_do_not_fit_are_refused() {
    let mut rng = quorate_testkit::rng(1);
    let mut make = |alter: fn(&mut Primes)| {
        let mut primes = fixtures::primes(FAST, 0);
        alter(&mut primes);
        AuxSecrets::from_primes(FAST, &primes, &mut rng).map(|_| ())
    };
    assert!(make(|_| ()).is_ok());
    // One modulus for both, a factor in common, twice the same prime, primes of another level.
    assert!(make(|all| [all.p, all.q] = fixtures::pedersen_primes(FAST, 0)).is_err());
    assert!(make(|all| [_, all.q] = fixtures::pedersen_primes(FAST, 0)).is_err());
    assert!(make(|all| [all.q, _] = fixtures::paillier_primes(FAST, 0)).is_err());
    assert!(make(|all| [all.p, all.q] = fixtures::paillier_primes(Level::Bits128, 0)).is_err());
    // Primes that are not safe, for the setup: both, or one.
    let unsafe_primes = make(|all| [all.safe_p, all.safe_q] = fixtures::paillier_primes(FAST, 1));
    assert_eq!(unsafe_primes, Err(Error::NotSafe));
    let unsafe_prime = make(|all| [all.safe_p, _] = fixtures::paillier_primes(FAST, 1));
    assert_eq!(unsafe_prime, Err(Error::NotSafe));
}

/// Two parties have one modulus: the third cannot know which of them has copied it from an earlier
/// run of the other. Each of the two blames the other.
#[test]
fn a_modulus_that_is_there_twice() {
    let all: &'static _ = Box::leak(Box::new(parties(NUMBERS)));
    let params = |party: quorate_session::PartyId| {
        let place = all.position(party).unwrap().min(1);
        AuxInfoParams::new(secrets(FAST, place))
    };
    let report = Network::new(1).run::<AuxInfoGen>(sid(1), all, params).unwrap();
    for (party, result) in report.results {
        match (party.get(), result.unwrap_err()) {
            (2, abort) => {
                assert!(matches!(abort, Abort::Unattributed { check: Check::ResultMismatch, .. }));
            }
            (own, abort) => {
                assert!(abort.culprits().eq([id(47 - own)]), "{abort}");
                let Abort::Misbehaviour(blames) = abort else { panic!() };
                assert_eq!(blames[0].fault, Fault::InvalidModulus);
            }
        }
    }
}

/// Two parties have one modulus, and a fourth party is silent. The parties that share it name each other; for the third nobody is at
/// fault, so the silent one is missing.
#[test]
fn a_modulus_that_is_there_twice_in_a_run_that_is_given_up() {
    let all: &'static _ = Box::leak(Box::new(parties([2, 7, 40, 55])));
    let network = Network::new(1).tamper(|delivery: Delivery| {
        let silent = delivery.from == id(55) && delivery.round.get() == 2;
        if silent { vec![] } else { vec![delivery] }
    });
    let params = |party: quorate_session::PartyId| {
        let place = [0, 1, 1, 2][all.position(party).unwrap()];
        AuxInfoParams::new(secrets(FAST, place))
    };
    let results = network.run::<AuxInfoGen>(sid(1), all, params).unwrap().results;
    let why = |party| results[&id(party)].as_ref().map(|_| ()).unwrap_err();
    assert!(matches!(why(2), Abort::Missing { parties, .. } if *parties == [id(55)]));
    for own in [7, 40] {
        assert!(why(own).culprits().eq([id(47 - own)]), "{}", why(own));
    }
}

/// As before, but every reveal is there when the third party gives up: the round is finished first, and its reason stands.
#[test]
fn a_modulus_that_is_there_twice_in_a_complete_round_that_is_given_up() {
    let (all, me) = (parties(NUMBERS), id(2));
    let params = |party| {
        let place = all.position(party).unwrap().min(1);
        AuxInfoParams::new(secrets(FAST, place))
    };
    let (frames, _) = record::<AuxInfoGen>(&all, sid(1), params, |_, _, _| {});
    let received = |mut session: Session<AuxInfoGen>, round| {
        for (place, frame) in frames.iter().filter(|(place, _)| (place.3, place.1) == (me, round)) {
            session.receive(place.0, frame).unwrap();
        }
        session
    };
    let begun = start::<AuxInfoGen>(sid(1), me, &all, params(me)).session;
    let Ok(Progress::Round(step)) = advance(received(begun, 1)) else { panic!("round 2") };
    let abort = give_up(received(step.session, 2)).abort;
    assert!(matches!(abort, Abort::Unattributed { check: Check::ResultMismatch, .. }), "{abort}");
}

#[test]
fn a_crash_after_every_frame_changes_nothing() {
    let numbers = [3, 9];
    let whole = run_aux(Network::new(5), FAST, &numbers);
    let again = run_aux(Network::new(5).crash(100), FAST, &numbers);
    for (a, b) in whole.iter().zip(again) {
        assert_eq!(*a.to_bytes(), *b.to_bytes());
    }
}

#[test]
fn rid_is_common_and_fresh() {
    let [one, other] = [5, 6].map(|seed| run_aux(Network::new(seed), Level::Toy, &[3, 9]));
    assert_eq!(one[0].public().rid(), one[1].public().rid());
    assert_ne!(one[0].public().rid(), other[0].public().rid());
    assert_ne!(one[0].digest(), other[0].digest());
}

/// One party gets other messages than the third: no party gets a result, and no honest one is blamed.
#[test]
fn equivocation_gives_nobody_a_result() {
    let all: &'static _ = Box::leak(Box::new(parties(NUMBERS)));
    for (round, byte) in [(1, 0), (2, 3), (3, 5)] {
        let network = Network::new(1).tamper(move |mut delivery: Delivery| {
            let hit = delivery.from == id(2) && delivery.to == id(40) && delivery.broadcast;
            if hit && delivery.round.get() == round {
                let at = delivery.bytes.len() - 1 - byte;
                delivery.bytes[at] ^= 1;
            }
            vec![delivery]
        });
        let params = |party| aux_params(FAST, all.position(party).unwrap());
        let report = network.run::<AuxInfoGen>(sid(1), all, params).unwrap();
        for (party, result) in report.results {
            let abort = result.map(|_| ()).unwrap_err();
            assert!(abort.culprits().all(|culprit| culprit == id(2)), "{party}: {abort}");
        }
    }
}

#[test]
fn nothing_secret_is_printed() {
    let one = &aux(&NUMBERS)[0];
    assert_eq!(format!("{one:?}"), "AuxInfo { level: Toy, parties: 3, .. }");
    assert_eq!(format!("{:?}", secrets(FAST, 0)), "AuxSecrets");
    let params = AuxInfoParams::new(Arc::clone(&secrets(FAST, 0)));
    assert_eq!(format!("{params:?}"), "AuxInfoParams { level: Toy, .. }");
}
