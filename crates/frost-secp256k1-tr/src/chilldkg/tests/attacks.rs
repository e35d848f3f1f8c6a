//! Attacks that were found after the draft's own list: coalitions, copies, forks, restarts, and the parties that
//! they frame.

use quorate_curve::Secret;
use quorate_frost::keys::derive::tap_tweak;
use quorate_testkit::Lcg;

use super::*;
use crate::chilldkg::messages::{Contribution, Sums};
use crate::chilldkg::params::id_of;
use crate::chilldkg::schnorr::{POSSESSION, sign};
use crate::chilldkg::{pads, recover, recover_public};
use crate::taproot::x_only;

type Point = <Secp256k1 as Curve>::Point;

fn g(scalar: &Scalar) -> Point {
    Secp256k1::mul_base(scalar)
}

fn number(number: u64) -> Scalar {
    Scalar::from(number)
}

fn random_scalar(random: &mut Lcg) -> Scalar {
    Secp256k1::scalar_from_wide(&random.bytes(64))
}

impl Started {
    /// The contributions, as the coordinator reads them.
    fn read(&self) -> Vec<Contribution> {
        let read = |bytes: &Vec<u8>| Contribution::read(bytes, &self.params).unwrap();
        self.first.iter().map(read).collect()
    }

    /// A contribution with this constant and these points behind it, whose shares are those given.
    fn made(&self, me: u16, constant: &Scalar, others: &[Point], shares: &[Scalar]) -> Vec<u8> {
        let host = &self.hosts[usize::from(me) - 1];
        let (nonce, public) = (Secret::new(number(5)), Secp256k1::encode_point(&g(&number(5))));
        let pads = pads::sent(host, (&nonce, &public), &self.params, party(me));
        let secret = Secret::new(*constant);
        let encrypt = |(share, pad): (&Scalar, &Scalar)| *share + *pad;
        let contribution = Contribution {
            commitment: [&[g(constant)][..], others].concat(),
            proof: sign(&POSSESSION, &secret, &[&id_of(party(me))], &[0; 32]).unwrap(),
            nonce: public,
            shares: shares.iter().zip(pads.expose()).map(encrypt).collect(),
        };
        contribution.to_bytes()
    }
}

#[test]
fn a_neutral_share_that_another_arranged_accuses_nobody() {
    // Party 3 chooses commitments that make party 2's public share infinity, and send party 1 a share that fits. It knows
    // no share for party 2 that does.
    let mut started = Started::new(3, 3, 1);
    let [first, second] = [0, 1].map(|at| started.read().swap_remove(at).commitment);
    let [constant, to_first] = [number(11), number(12)];
    let key = first[0] + second[0] + g(&constant);
    let tweak = tap_tweak(x_only(&Secp256k1::encode_point(&key)), None).unwrap();
    let at_two = |c: &[Point]| c[0] + c[1] + c[1] + c[2] + c[2] + c[2] + c[2];
    let target = -(g(&tweak) + at_two(&first) + at_two(&second));
    let half = Secp256k1::invert(&number(2));
    let rest = target + g(&constant) - g(&(to_first + to_first));
    let highest = Secp256k1::msm_vartime(&[half], &[rest]);
    let middle = g(&to_first) - g(&constant) - highest;
    let shares = [to_first, number(1), number(1)];
    started.first[2] = started.made(3, &constant, &[middle, highest], &shares);
    let (_, sums) = started.coordinate();
    let (params, sent) = (started.params.clone(), started.first.clone());
    let mut results = started.step2(|_| sums.clone());
    let Err(Step2Error::WrongShare(investigation)) = results.swap_remove(1) else {
        panic!("party 2 has no share that fits")
    };
    let messages = Coordinator::investigate(&params, &sent).unwrap();
    assert_eq!(investigation.judge(&messages[1]), Error::WrongShare { of: party(3) });
    // Party 1 sees that party 2's share is neutral. Party 2 is honest.
    let why = reason(results.swap_remove(0));
    assert_eq!(why, Error::NeutralShare { of: party(2) });
    assert_eq!(why.suspect(), None);
}

#[test]
fn a_polynomial_that_the_coordinator_moves_for_all_is_a_key_like_any_other() {
    // It adds δ·x to the shares of all and δ to the sum of the commitments. Nobody can see it, and it learns
    // nothing.
    let started = Started::new(2, 3, 2);
    let honest = Sums::read(&started.coordinate().1, &started.params).unwrap();
    let mut sums = Sums::read(&started.coordinate().1, &started.params).unwrap();
    sums.others[0] = sums.others[0] + g(&number(9));
    for (share, at) in sums.shares.iter_mut().zip(1..) {
        *share = *share + number(9 * at);
    }
    assert!(sums.constants == honest.constants);
    let moved = sums.to_bytes();
    let hosts = hosts(3, 1);
    let done = started.step2(|_| moved.clone()).into_iter().map(Result::unwrap);
    let (states, signatures): (Vec<_>, Vec<_>) = done.unzip();
    let certificate = signatures.concat();
    let outputs: Vec<_> =
        states.into_iter().map(|state| state.finalize(&certificate).unwrap()).collect();
    let key = Run::new(2, 3, 2).public;
    assert_eq!(outputs[0].public.threshold_key(), key.threshold_key(), "the constant is proved");
    assert_ne!(outputs[0].public.public_shares(), key.public_shares());
    for (host, output) in hosts.iter().zip(&outputs) {
        assert_eq!(output.public, outputs[0].public);
        let again = recover(host, output.public.recovery_data()).unwrap();
        assert_eq!(again.share.to_bytes(), output.share.to_bytes());
    }
}

#[test]
fn a_forked_participant_signs_two_transcripts_with_two_nonces() {
    // A machine is copied between the steps: both copies have one state and one generator, and hear other sums.
    let step2 = |moved: u64| {
        let started = Started::new(2, 3, 3);
        let mut sums = Sums::read(&started.coordinate().1, &started.params).unwrap();
        sums.shares[2] = sums.shares[2] + number(moved);
        let bytes = sums.to_bytes();
        started.step2(|_| bytes.clone()).swap_remove(0).unwrap().1
    };
    let (one, two) = (step2(0), step2(1));
    assert_eq!(one, step2(0));
    assert_ne!(one[..32], two[..32], "one nonce under two texts is the host key");
}

#[test]
fn a_negated_host_key_does_not_sign_for_its_owner() {
    // BIP-340 knows keys by their x-coordinates: the negative of party 1's key takes part as party 3.
    let hosts = hosts(2, 1);
    let mut negative = *hosts[0].public();
    negative[0] ^= 1;
    let keys = [*hosts[0].public(), *hosts[1].public(), negative];
    let params = Params::new(keys.to_vec(), 2).unwrap();
    let start = |at: usize| Participant::start(&hosts[at], &params, &mut rng(4)).unwrap();
    let [(one, first), (two, second)] = [start(0), start(1)];
    // Party 3 is played by an attacker that knows no secret of that key. Its shares are honest.
    let started = Started {
        hosts: super::hosts(3, 1),
        params,
        participants: [one, two].into(),
        first: [first, second].into(),
    };
    let polynomial = [number(21), number(22)];
    let shares = [1, 2, 3].map(|at| polynomial[0] + polynomial[1] * number(at));
    let third = started.made(3, &polynomial[0], &[g(&polynomial[1])], &shares);
    let first = [started.first.clone(), [third].into()].concat();
    let started = Started { first, ..started };
    let (coordinator, sums) = started.coordinate();
    let done = started.step2(|_| sums.clone()).into_iter().map(Result::unwrap);
    let signatures: Vec<_> = done.map(|(_, signature)| signature).collect();
    let forged = [signatures[0], signatures[1], signatures[0]];
    let why = coordinator.finalize(&forged).unwrap_err();
    assert_eq!(why, Error::WrongSignature { from: party(3) });
}

#[test]
fn a_coordinator_that_starts_again_from_its_log_says_the_same() {
    let started = Started::new(2, 3, 5);
    let (_, before) = started.coordinate();
    let (coordinator, after) = started.coordinate();
    assert_eq!(before, after);
    let done = started.step2(|_| before.clone()).into_iter().map(Result::unwrap);
    let signatures: Vec<_> = done.map(|(_, signature)| signature).collect();
    let (certificate, public) = coordinator.finalize(&signatures).unwrap();
    let again = Started::new(2, 3, 5).coordinate().0.finalize(&signatures).unwrap();
    assert_eq!(again, (certificate, public));
}

#[test]
fn a_participant_that_starts_again_after_the_sums_were_sent_stops_the_run_and_blames_no_participant()
 {
    // Party 2 has lost its first state, and receives the sums of its earlier messages.
    let started = Started::new(2, 3, 6);
    let (coordinator, sums) = started.coordinate();
    let (again, _) = Participant::start(&started.hosts[1], &started.params, &mut rng(60)).unwrap();
    let why = again.step2(&started.hosts[1], &sums, &mut rng(9)).map_err(|why| match why {
        Step2Error::Because(why) => why,
        Step2Error::WrongShare(_) => panic!("its nonce is another one"),
    });
    assert_eq!(why.unwrap_err().suspect(), Some(Suspect::Coordinator));
    // With a signature for the sums of another run, the certificate is refused.
    let others = Started::new(2, 3, 6);
    let other = Participant::start(&others.hosts[1], &others.params, &mut rng(60)).unwrap();
    let mut first = others.first.clone();
    first[1] = other.1;
    let (_, mixed) = Coordinator::start(&others.params, &first).unwrap();
    let second = other.0.step2(&others.hosts[1], &mixed, &mut rng(9)).unwrap().1;
    let done = started.step2(|_| sums.clone()).into_iter().map(Result::unwrap);
    let mut signatures: Vec<_> = done.map(|(_, signature)| signature).collect();
    signatures[1] = second;
    let why = coordinator.finalize(&signatures).unwrap_err();
    assert_eq!(why, Error::WrongSignature { from: party(2) });
}

#[test]
fn ciphertexts_of_another_participant_are_of_no_use_to_a_third() {
    // Party 3 repeats party 1's nonce, ciphertexts and higher commitments, behind a constant of its own.
    let mut started = Started::new(2, 3, 7);
    let mut copied = started.read().swap_remove(0);
    let constant = Secret::new(number(31));
    copied.commitment[0] = g(constant.expose());
    copied.proof = sign(&POSSESSION, &constant, &[&id_of(party(3))], &[0; 32]).unwrap();
    started.first[2] = copied.to_bytes();
    let (_, sums) = started.coordinate();
    let (params, first) = (started.params.clone(), started.first.clone());
    let messages = Coordinator::investigate(&params, &first).unwrap();
    for (at, failed) in started.step2(|_| sums.clone()).into_iter().enumerate().take(2) {
        let Err(Step2Error::WrongShare(investigation)) = failed else { panic!("it fits") };
        let why = investigation.judge(&messages[at]);
        assert_eq!(why, Error::WrongShare { of: party(3) });
    }
}

#[test]
fn participants_with_other_parameters_accuse_each_other_and_their_digests_differ() {
    // Somebody gave party 3 another host key for party 1. All are honest.
    let mut started = Started::new(2, 3, 11);
    let mut keys = started.params.host_keys().to_vec();
    keys[0] = *hosts(1, 77)[0].public();
    let others = Params::new(keys, 2).unwrap();
    let (misled, sent) = Participant::start(&started.hosts[2], &others, &mut rng(12)).unwrap();
    started.participants[2] = misled;
    started.first[2] = sent;
    let (_, sums) = started.coordinate();
    let (params, first) = (started.params.clone(), started.first.clone());
    let messages = Coordinator::investigate(&params, &first).unwrap();
    let accused = [3, 3, 1].map(party);
    for (at, failed) in started.step2(|_| sums.clone()).into_iter().enumerate() {
        let Err(Step2Error::WrongShare(investigation)) = failed else { panic!("it fits") };
        assert_eq!(investigation.judge(&messages[at]), Error::WrongShare { of: accused[at] });
    }
    assert_ne!(params.digest(), others.digest());
}

/// A contribution of a cheat, of pieces of its own and of others.
fn cheating(started: &Started, all: &[Contribution], me: u16, random: &mut Lcg) -> Vec<u8> {
    let t = started.params.coefficients();
    let coefficients: Vec<_> = (0..t).map(|_| random_scalar(random)).collect();
    let mut others: Vec<_> = coefficients[1..].iter().map(g).collect();
    let at = |x: u64| coefficients.iter().rev().fold(number(0), |sum, one| sum * number(x) + *one);
    let mut shares: Vec<_> = (1..=4).map(at).collect();
    let mut constant = coefficients[0];
    for _ in 0..random.below(3) {
        let (victim, place) = (random.below(2), random.below(t - 1));
        let theirs = all[victim].commitment[place + 1];
        match random.below(6) {
            0 => others[place] = -theirs,
            1 => others[place] = others[place] + theirs,
            2 => others[place] = Secp256k1::identity(),
            3 => shares[random.below(4)] = random_scalar(random),
            4 => constant = number(1),
            _ => others[place] = g(&random_scalar(random)),
        }
    }
    let mut sent = started.made(me, &constant, &others, &shares);
    let mut read = Contribution::read(&sent, &started.params).unwrap();
    let victim = &all[random.below(2)];
    match random.below(10) {
        0 => read.nonce = victim.nonce,
        1 => read.proof = victim.proof,
        2 => read.shares.clone_from(&victim.shares),
        3 => read.commitment.clone_from(&victim.commitment),
        4 => read.nonce[0] = 4,
        5 => read.commitment[0] = -victim.commitment[0],
        _ => {}
    }
    sent.clear();
    sent.extend_from_slice(&read.to_bytes());
    sent
}

#[test]
fn no_coalition_has_an_honest_participant_or_the_coordinator_suspected() {
    // Parties 3 and 4 cheat together and hear the others first.
    let mut random = Lcg(8);
    let (mut named, mut finished) = (0, 0);
    for round in 0..60 {
        let threshold = if random.below(2) == 0 { 2 } else { 3 };
        let mut started = Started::new(threshold, 4, 80);
        let all = started.read();
        for me in [3, 4] {
            if random.below(2) == 0 {
                continue;
            }
            started.first[usize::from(me) - 1] = cheating(&started, &all, me, &mut random);
        }
        let (_, sums) = started.coordinate();
        let (params, first) = (started.params.clone(), started.first.clone());
        let messages = Coordinator::investigate(&params, &first).unwrap();
        let mut signed = 0;
        for (at, result) in started.step2(|_| sums.clone()).into_iter().enumerate().take(2) {
            let why = match result {
                Ok(_) => {
                    signed += 1;
                    continue;
                }
                Err(Step2Error::Because(why)) => why,
                Err(Step2Error::WrongShare(investigation)) => investigation.judge(&messages[at]),
            };
            match why.suspect() {
                Some(Suspect::ParticipantOrCoordinator(of)) => {
                    assert!(of == party(3) || of == party(4), "round {round}: {why}");
                    named += 1;
                }
                Some(other) => panic!("round {round}: {why}, {other:?}"),
                None => assert!(matches!(why, Error::NeutralKey | Error::NeutralShare { .. })),
            }
        }
        finished += usize::from(signed == 2);
    }
    assert!(named > 40 && finished > 5, "{named} named, {finished} finished");
}

/// The sums that a lying coordinator sends to one participant.
fn lied(honest: &[u8], params: &Params, random: &mut Lcg) -> Vec<u8> {
    let mut sums = Sums::read(honest, params).unwrap();
    let (by, at, other) = (random_scalar(random), random.below(3), random.below(3));
    match random.below(7) {
        0 => sums.shares[at] = sums.shares[at] + by,
        1 => sums.others[0] = sums.others[0] + g(&by),
        2 => sums.nonces.swap(at, other),
        3 => sums.constants.swap(at, other),
        4 => sums.proofs.swap(at, other),
        5 => {
            sums.shares[at] = sums.shares[at] + by * number(u64::try_from(at + 1).unwrap());
            sums.others[0] = sums.others[0] + g(&by);
        }
        _ => {}
    }
    sums.to_bytes()
}

#[test]
fn whoever_finishes_has_one_key_whatever_the_coordinator_says_to_whom() {
    let mut random = Lcg(9);
    let (mut finished, mut stopped) = (0, 0);
    for _ in 0..60 {
        let started = Started::new(2, 3, 90);
        let (_, honest) = started.coordinate();
        let (params, hosts) = (started.params.clone(), hosts(3, 1));
        let lies = [0, 1, 2].map(|_| lied(&honest, &params, &mut random));
        let one = lies[0].clone();
        let agreed = random.below(3) == 0;
        let results = started.step2(|at| if agreed { one.clone() } else { lies[at].clone() });
        let signatures: Vec<_> =
            results.iter().map(|result| result.as_ref().map_or([0; 64], |(_, one)| *one)).collect();
        let certificate = signatures.concat();
        let states = results.into_iter().flatten().map(|(state, _)| state);
        let outputs: Vec<_> =
            states.filter_map(|state| state.finalize(&certificate).ok()).collect();
        // Either all have signed one transcript, or nobody finishes.
        assert!(outputs.is_empty() || outputs.len() == 3);
        for output in &outputs {
            assert_eq!(output.public, outputs[0].public);
            let data = output.public.recovery_data();
            assert_eq!(recover_public(data).unwrap(), output.public);
            let host = &hosts[usize::from(output.share.id().get()) - 1];
            assert_eq!(recover(host, data).unwrap().share.to_bytes(), output.share.to_bytes());
        }
        if outputs.is_empty() { stopped += 1 } else { finished += 1 }
    }
    assert!(finished > 3 && stopped > 20, "{finished} finished, {stopped} stopped");
}
