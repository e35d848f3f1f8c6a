//! Altered bytes. Nothing panics, altered data is never certified, and only a party that can be at fault is named.

use quorate_testkit::Lcg;

use super::*;
use crate::chilldkg::Malformed;

/// An alteration of bytes: bits, a cut, more bytes, or a piece elsewhere.
fn altered(bytes: &[u8], random: &mut Lcg) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let pick = |random: &mut Lcg, below: usize| {
        let below = u64::try_from(below.max(1)).unwrap();
        usize::try_from(random.number().checked_rem(below).unwrap()).unwrap()
    };
    match pick(random, 8) {
        0 => bytes.truncate(pick(random, bytes.len())),
        1 => bytes.extend([0xff; 33].iter().take(pick(random, 33) + 1)),
        2 => {
            let (from, length) = (pick(random, bytes.len()), pick(random, 70));
            bytes.iter_mut().skip(from).take(length).for_each(|byte| *byte = 0);
        }
        3 => {
            let (from, length) = (pick(random, bytes.len()), pick(random, 70));
            bytes.iter_mut().skip(from).take(length).for_each(|byte| *byte = 0xff);
        }
        4 => {
            let turn = pick(random, bytes.len());
            bytes.rotate_left(turn);
        }
        _ => {
            for _ in 0..=pick(random, 3) {
                let (at, bit) = (pick(random, bytes.len()), pick(random, 8));
                bytes[at] ^= 1 << bit;
            }
        }
    }
    bytes
}

/// A participant that receives altered sums either refuses, or signs something that nobody else signs.
fn hears(sums: &[u8], altered: &[u8], coordinate: impl Fn() -> Coordinator, honest: &[[u8; 64]]) {
    let host = &hosts(1, 1)[0];
    let participant = Started::new(2, 3, 60).participants.remove(0);
    match participant.step2(host, altered, &mut rng(9)) {
        Ok((state, signature)) => {
            // One's own proof is known: it alone may be anything, and is in no transcript.
            let proof = 33 * 3 + 33..33 * 3 + 33 + 64;
            let outside = |at: usize| !proof.contains(&at);
            let same = sums.len() == altered.len()
                && (0..sums.len()).filter(|at| outside(*at)).all(|at| sums[at] == altered[at]);
            let mut signatures = honest.to_vec();
            signatures[0] = signature;
            let certified = coordinate().finalize(&signatures);
            assert_eq!(certified.is_ok(), same);
            assert_eq!(state.finalize(&honest.concat()).is_ok(), same);
        }
        Err(Step2Error::WrongShare(investigation)) => {
            let started = Started::new(2, 3, 60);
            let messages = Coordinator::investigate(&started.params, &started.first).unwrap();
            let why = investigation.judge(&messages[0]);
            // The investigation is honest. The coordinator lied before, or altered the nonce.
            assert!(why.suspect().is_some());
        }
        Err(Step2Error::Because(why)) => match why.suspect() {
            Some(Suspect::Coordinator) => {}
            Some(Suspect::ParticipantOrCoordinator(of)) => assert_ne!(of, party(1)),
            other => panic!("{why}: {other:?}"),
        },
    }
}

#[test]
fn altered_sums() {
    let started = Started::new(2, 3, 60);
    let (_, sums) = started.coordinate();
    let done = started.step2(|_| sums.clone()).into_iter().map(Result::unwrap);
    let honest: Vec<_> = done.map(|(_, signature)| signature).collect();
    let coordinate = || Started::new(2, 3, 60).coordinate().0;
    for at in 0..sums.len() {
        let mut altered = sums.clone();
        altered[at] ^= 1;
        hears(&sums, &altered, coordinate, &honest);
    }
    let mut random = Lcg(1);
    for _ in 0..400 {
        hears(&sums, &altered(&sums, &mut random), coordinate, &honest);
    }
}

#[test]
fn altered_contributions() {
    let mut random = Lcg(2);
    let lengths = [33 * 2 + 64 + 33 + 32 * 3; 3];
    for round in 0..500 {
        let mut started = Started::new(2, 3, 61);
        assert_eq!([0, 1, 2].map(|at| started.first[at].len()), lengths);
        let before = started.first[1].clone();
        started.first[1] = altered(&before, &mut random);
        if started.first[1] == before {
            continue;
        }
        let made = Coordinator::start(&started.params, &started.first);
        let (_, sums) = match made {
            Ok(made) => made,
            Err(why) => {
                assert_eq!(why.suspect(), Some(Suspect::Participant(party(2))), "round {round}");
                continue;
            }
        };
        let (params, first) = (started.params.clone(), started.first.clone());
        let honest = [0, 2];
        let results = started.step2(|_| sums.clone());
        let messages = Coordinator::investigate(&params, &first).unwrap();
        for (at, result) in results.into_iter().enumerate().filter(|(at, _)| honest.contains(at)) {
            let why = match result {
                Ok(_) => continue,
                Err(Step2Error::Because(why)) => why,
                Err(Step2Error::WrongShare(investigation)) => investigation.judge(&messages[at]),
            };
            let suspect = Some(Suspect::ParticipantOrCoordinator(party(2)));
            assert_eq!(why.suspect(), suspect, "round {round}: {why}");
        }
    }
}

#[test]
fn altered_certificates_and_signatures() {
    let mut random = Lcg(3);
    let run = || {
        let started = Started::new(2, 3, 62);
        let (coordinator, sums) = started.coordinate();
        let done = started.step2(|_| sums.clone()).into_iter().map(Result::unwrap);
        let (states, signatures): (Vec<_>, Vec<_>) = done.unzip();
        (coordinator, states, signatures)
    };
    let (_, mut states, signatures) = run();
    let certificate = signatures.concat();
    for _ in 0..60 {
        let altered = altered(&certificate, &mut random);
        if altered == certificate {
            continue;
        }
        if states.is_empty() {
            states = run().1;
        }
        let why = states.remove(0).finalize(&altered).unwrap_err();
        assert_eq!(why.suspect(), Some(Suspect::Coordinator));
        let (coordinator, ..) = run();
        let altered = altered_signature(&signatures[1], &mut random);
        let sent = [signatures[0].to_vec(), altered, signatures[2].to_vec()];
        let why = coordinator.finalize(&sent).unwrap_err();
        assert_eq!(why.suspect(), Some(Suspect::Participant(party(2))));
    }
}

/// Another signature than this one.
fn altered_signature(signature: &[u8], random: &mut Lcg) -> Vec<u8> {
    loop {
        let altered = altered(signature, random);
        if altered != signature {
            return altered;
        }
    }
}

#[test]
fn altered_investigations() {
    let mut random = Lcg(4);
    for _ in 0..300 {
        let started = Started::new(2, 3, 63);
        let (_, mut sums) = started.coordinate();
        let last = sums.len() - 65;
        sums[last] ^= 1;
        let messages = Coordinator::investigate(&started.params, &started.first).unwrap();
        let Err(Step2Error::WrongShare(investigation)) = started.step2(|_| sums.clone()).remove(0)
        else {
            panic!("the share is altered")
        };
        let why = investigation.judge(&altered(&messages[0], &mut random));
        assert!(why.suspect().is_some() && why != Error::NothingWrong, "{why}");
    }
}

#[test]
fn other_lengths_are_told() {
    let started = Started::new(2, 3, 64);
    let (_, sums) = started.coordinate();
    let length = 162 * 3 + 33;
    assert_eq!(sums.len(), length);
    for got in [0, 1, length - 1, length + 1] {
        let mut message = sums.clone();
        message.resize(got, 0);
        let participant = Started::new(2, 3, 64).participants.remove(0);
        let why = reason(participant.step2(&started.hosts[0], &message, &mut rng(9)));
        let wrong = Malformed::Length { got, expected: length };
        assert_eq!(why, Error::BadCoordinatorMessage(wrong));
    }
    let nobody: [Vec<u8>; 0] = [];
    let why = Coordinator::start(&started.params, &nobody).unwrap_err();
    assert_eq!(why, Error::WrongCount { got: 0, expected: 3 });
    let why = Coordinator::investigate(&started.params, &started.first[1..]).unwrap_err();
    assert_eq!(why, Error::WrongCount { got: 2, expected: 3 });
}
