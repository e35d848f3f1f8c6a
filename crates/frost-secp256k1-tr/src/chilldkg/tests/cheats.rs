//! Each way to cheat, and the party that is named. The forgers have all that the draft gives them, and each other's
//! secrets.

use quorate_curve::Secret;
use quorate_frost::keys::derive::tap_tweak;
use quorate_sharing::{Commitment, Polynomial};

use super::*;
use crate::chilldkg::Malformed;
use crate::chilldkg::messages::{Contribution, SharesForOne, Sums};
use crate::chilldkg::params::id_of;
use crate::chilldkg::schnorr::{POSSESSION, sign};
use crate::chilldkg::{Investigation, pads};
use crate::taproot::x_only;

fn g(number: u64) -> <Secp256k1 as Curve>::Point {
    Secp256k1::mul_base(&Scalar::from(number))
}

/// The investigation of a failed step 2.
fn investigation(failed: Result<(Finalizing, [u8; 64]), Step2Error>) -> Investigation {
    match failed {
        Err(Step2Error::WrongShare(investigation)) => *investigation,
        Err(Step2Error::Because(why)) => panic!("{why}"),
        Ok(_) => panic!("nothing is wrong"),
    }
}

impl Started {
    /// Alters the message of a participant.
    fn alter(&mut self, number: usize, change: impl FnOnce(&mut Contribution)) {
        let mut sent = Contribution::read(&self.first[number - 1], &self.params).unwrap();
        change(&mut sent);
        self.first[number - 1] = sent.to_bytes();
    }

    /// An altered message of the coordinator.
    fn altered(&self, change: impl FnOnce(&mut Sums)) -> Vec<u8> {
        let mut sums = Sums::read(&self.coordinate().1, &self.params).unwrap();
        change(&mut sums);
        sums.to_bytes()
    }
}

#[test]
fn a_wrong_share_names_its_sender_after_an_investigation() {
    let mut started = Started::new(2, 4, 20);
    // Party 3 sends a wrong share to party 2 only.
    started.alter(3, |sent| sent.shares[1] = sent.shares[1] + Scalar::from(1));
    let (_, sums) = started.coordinate();
    let (params, first) = (started.params.clone(), started.first.clone());
    let mut results = started.step2(|_| sums.clone());
    assert!([0, 2, 3].iter().all(|at| results[*at].is_ok()));
    let messages = Coordinator::investigate(&params, &first).unwrap();
    let why = investigation(results.swap_remove(1)).judge(&messages[1]);
    assert_eq!(why, Error::WrongShare { of: party(3) });
    assert_eq!(why.suspect(), Some(Suspect::ParticipantOrCoordinator(party(3))));
}

#[test]
fn two_wrong_shares_that_cancel_are_no_wrong_share() {
    let mut started = Started::new(2, 4, 21);
    started.alter(1, |sent| sent.shares[1] = sent.shares[1] + Scalar::from(7));
    started.alter(3, |sent| sent.shares[1] = sent.shares[1] - Scalar::from(7));
    let (coordinator, sums) = started.coordinate();
    let done = started.step2(|_| sums.clone()).into_iter().map(Result::unwrap);
    let signatures: Vec<_> = done.map(|(_, signature)| signature).collect();
    let (_, public) = coordinator.finalize(&signatures).unwrap();
    assert_eq!(public.package().parties().len(), 4);
}

#[test]
fn a_wrong_proof_names_its_sender() {
    type Change = fn(&mut Contribution);
    let changes: [(Change, Error); 5] = [
        (|sent| sent.proof[0] ^= 1, Error::WrongProof { of: party(2) }),
        (|sent| sent.proof[63] ^= 1, Error::WrongProof { of: party(2) }),
        (|sent| sent.proof[32..].fill(0xff), Error::WrongProof { of: party(2) }),
        (|sent| sent.commitment[0] = g(5), Error::WrongProof { of: party(2) }),
        (|sent| sent.commitment[0] = Secp256k1::identity(), Error::NoCommitment { of: party(2) }),
    ];
    for (change, expected) in changes {
        let mut started = Started::new(2, 3, 22);
        started.alter(2, change);
        let (_, sums) = started.coordinate();
        let mut results = started.step2(|_| sums.clone());
        for at in [2, 0] {
            let why = reason(results.remove(at));
            assert_eq!(why, expected);
            assert_eq!(why.suspect(), Some(Suspect::ParticipantOrCoordinator(party(2))));
        }
    }
}

#[test]
fn a_proof_is_of_one_participant() {
    // Party 3 repeats the message of party 1, and would cancel or double its secret.
    let mut started = Started::new(2, 3, 23);
    let first = Contribution::read(&started.first[0], &started.params).unwrap();
    started.alter(3, |sent| {
        sent.commitment.clone_from(&first.commitment);
        sent.proof = first.proof;
    });
    let (_, sums) = started.coordinate();
    let why = reason(started.step2(|_| sums.clone()).remove(0));
    assert_eq!(why, Error::WrongProof { of: party(3) });
}

#[test]
fn a_rogue_key_is_refused() {
    // Party 3 hears the others first, and takes x·G − their constants for its own. The key would then be x.
    let mut started = Started::new(2, 3, 24);
    let read = |at: usize| Contribution::read(&started.first[at], &started.params).unwrap();
    let others = read(0).commitment[0] + read(1).commitment[0];
    let x = Secret::new(Scalar::from(77));
    let proof = sign(&POSSESSION, &x, &[&id_of(party(3))], &[0; 32]).unwrap();
    started.alter(3, |sent| {
        sent.commitment[0] = g(77) - others;
        sent.proof = proof;
    });
    let (_, sums) = started.coordinate();
    let why = reason(started.step2(|_| sums.clone()).remove(0));
    assert_eq!(why, Error::WrongProof { of: party(3) });
}

#[test]
fn constants_that_cancel_are_refused_before_the_key_is_made() {
    // The coordinator adds them up without a word; the participants want a proof.
    let mut started = Started::new(2, 3, 25);
    let read = |at: usize| Contribution::read(&started.first[at], &started.params).unwrap();
    let others = read(0).commitment[0] + read(1).commitment[0];
    started.alter(3, |sent| sent.commitment[0] = -others);
    let (coordinator, sums) = started.coordinate();
    let mut results = started.step2(|_| sums.clone());
    assert_eq!(reason(results.remove(0)), Error::WrongProof { of: party(3) });
    // Signatures of no party.
    let why = coordinator.finalize(&[[0; 64]; 3]).unwrap_err();
    assert_eq!(why, Error::WrongSignature { from: party(1) });
}

#[test]
fn a_bad_nonce_names_its_sender() {
    for nonce in [[0; 33], [4; 33], [0xff; 33], {
        let mut off_the_curve = [0; 33];
        off_the_curve[0] = 2;
        off_the_curve[32] = 5;
        off_the_curve
    }] {
        let mut started = Started::new(2, 3, 26);
        started.alter(2, |sent| sent.nonce = nonce);
        let (_, sums) = started.coordinate();
        let mut results = started.step2(|_| sums.clone());
        let why = reason(results.remove(2));
        assert_eq!(why, Error::BadNonce { of: party(2) });
        assert_eq!(why.suspect(), Some(Suspect::ParticipantOrCoordinator(party(2))));
        // Its own honest part sees that the message that came back is not the one that it sent.
        assert_eq!(reason(results.remove(1)), Error::NotMine);
    }
}

#[test]
fn another_nonce_spoils_the_shares_and_names_its_sender() {
    let mut started = Started::new(2, 3, 27);
    let nonce = Secp256k1::encode_point(&g(5));
    started.alter(2, |sent| sent.nonce = nonce);
    let (_, sums) = started.coordinate();
    let (params, first) = (started.params.clone(), started.first.clone());
    let mut results = started.step2(|_| sums.clone());
    let messages = Coordinator::investigate(&params, &first).unwrap();
    let why = investigation(results.remove(0)).judge(&messages[0]);
    assert_eq!(why, Error::WrongShare { of: party(2) });
}

#[test]
fn a_participant_that_signs_wrongly_is_named() {
    for change in [0, 31, 32, 63] {
        let started = Started::new(2, 3, 28);
        let (coordinator, sums) = started.coordinate();
        let done = started.step2(|_| sums.clone()).into_iter().map(Result::unwrap);
        let mut signatures: Vec<_> = done.map(|(_, signature)| signature).collect();
        signatures[1][change] ^= 1;
        let why = coordinator.finalize(&signatures).unwrap_err();
        assert_eq!(why, Error::WrongSignature { from: party(2) });
        assert_eq!(why.suspect(), Some(Suspect::Participant(party(2))));
    }
    // Another party's right signature is not valid as one's own.
    let started = Started::new(2, 3, 28);
    let (coordinator, sums) = started.coordinate();
    let done = started.step2(|_| sums.clone()).into_iter().map(Result::unwrap);
    let mut signatures: Vec<_> = done.map(|(_, signature)| signature).collect();
    signatures.swap(1, 2);
    assert_eq!(
        coordinator.finalize(&signatures).unwrap_err(),
        Error::WrongSignature { from: party(2) }
    );
}

#[test]
fn a_coordinator_that_tells_two_stories_gets_no_certificate() {
    // Party 2 hears another encrypted share for party 3, which it cannot check: it signs another transcript.
    let started = Started::new(2, 3, 29);
    let (coordinator, honest) = started.coordinate();
    let other = started.altered(|sums| sums.shares[2] = sums.shares[2] + Scalar::from(1));
    let done = started.step2(|at| if at == 1 { other.clone() } else { honest.clone() });
    let (states, signatures): (Vec<_>, Vec<_>) = done.into_iter().map(Result::unwrap).unzip();
    let why = coordinator.finalize(&signatures).unwrap_err();
    assert_eq!(why, Error::WrongSignature { from: party(2) });
    // A party that continues with the signatures that it has is named by everybody.
    for state in states {
        let why = state.finalize(&signatures.concat()).unwrap_err();
        assert_eq!(why, Error::WrongCertificate);
        assert_eq!(why.suspect(), Some(Suspect::Coordinator));
    }
}

#[test]
fn a_coordinator_that_moves_the_polynomial_is_caught_by_the_others() {
    // Encryption is malleable: party 1's share and the sum of the commitments move together, and party 1 signs.
    let started = Started::new(2, 3, 30);
    let moved = started.altered(|sums| {
        sums.shares[0] = sums.shares[0] + Scalar::from(3);
        sums.others[0] = sums.others[0] + g(3);
    });
    let (params, first) = (started.params.clone(), started.first.clone());
    let mut results = started.step2(|_| moved.clone());
    let messages = Coordinator::investigate(&params, &first).unwrap();
    for at in [2, 1] {
        let why = investigation(results.remove(at)).judge(&messages[at]);
        assert_eq!(why, Error::PublicSharesDoNotAddUp);
        assert_eq!(why.suspect(), Some(Suspect::Coordinator));
    }
    assert!(results.remove(0).is_ok());
}

#[test]
fn a_coordinator_that_alters_what_one_sent_is_named() {
    type Change = fn(&mut Sums);
    let changes: [Change; 3] = [
        |sums| sums.nonces[0] = Secp256k1::encode_point(&g(9)),
        |sums| sums.constants[0] = g(9),
        |sums| sums.constants[0] = -sums.constants[0],
    ];
    for change in changes {
        let started = Started::new(2, 3, 31);
        let sums = started.altered(change);
        let why = reason(started.step2(|_| sums.clone()).remove(0));
        assert_eq!(why, Error::NotMine);
        assert_eq!(why.suspect(), Some(Suspect::Coordinator));
    }
    // One's own proof is not checked, because it is known.
    let started = Started::new(2, 3, 31);
    let sums = started.altered(|sums| sums.proofs[0] = [0; 64]);
    assert!(started.step2(|_| sums.clone()).remove(0).is_ok());
}

#[test]
fn lies_of_the_coordinator_in_an_investigation() {
    type Change = fn(&mut SharesForOne);
    let changes: [(Change, Error); 5] = [
        (|of| of.public_shares[1] = g(1), Error::PublicSharesDoNotAddUp),
        (|of| of.shares[1] = Scalar::from(1), Error::SharesDoNotAddUp),
        (
            |of| {
                of.shares[0] = of.shares[0] + Scalar::from(1);
                of.shares[1] = of.shares[1] - Scalar::from(1);
            },
            Error::OwnShareAltered,
        ),
        (
            |of| {
                of.public_shares[0] = of.public_shares[0] + g(1);
                of.public_shares[1] = of.public_shares[1] - g(1);
            },
            Error::OwnShareAltered,
        ),
        // The coordinator can make any party look guilty. The draft points this out, and the suspect reflects it.
        (
            |of| {
                of.shares[1] = of.shares[1] - Scalar::from(1);
                of.shares[2] = of.shares[2] + Scalar::from(1);
            },
            Error::WrongShare { of: party_of_two() },
        ),
    ];
    for (change, expected) in changes {
        // The coordinator has moved the sum of party 1's shares by 1.
        let started = Started::new(2, 3, 32);
        let sums = started.altered(|sums| sums.shares[0] = sums.shares[0] + Scalar::from(1));
        let (params, first) = (started.params.clone(), started.first.clone());
        let failed = started.step2(|_| sums.clone()).remove(0);
        let messages = Coordinator::investigate(&params, &first).unwrap();
        let mut message = SharesForOne::read(&messages[0], 3).unwrap();
        // With the same amount on the share of party 3, the sum is right.
        message.shares[2] = message.shares[2] + Scalar::from(1);
        change(&mut message);
        assert_eq!(investigation(failed).judge(&message.to_bytes()), expected);
    }
}

/// Party 2, in a list of function pointers.
const fn party_of_two() -> PartyId {
    match PartyId::new(2) {
        Some(party) => party,
        None => panic!(),
    }
}

#[test]
fn an_honest_investigation_of_a_lie_names_the_coordinator() {
    let started = Started::new(2, 3, 33);
    let sums = started.altered(|sums| sums.shares[0] = sums.shares[0] + Scalar::from(1));
    let (params, first) = (started.params.clone(), started.first.clone());
    let failed = started.step2(|_| sums.clone()).remove(0);
    let messages = Coordinator::investigate(&params, &first).unwrap();
    assert_eq!(investigation(failed).judge(&messages[0]), Error::SharesDoNotAddUp);
    let short = Malformed::Length { got: 194, expected: 195 };
    let started = Started::new(2, 3, 33);
    let failed = started.step2(|_| sums.clone()).remove(0);
    let why = investigation(failed).judge(&messages[0][..194]);
    assert_eq!(why, Error::BadCoordinatorMessage(short));
}

/// The contribution of a participant that hears the others first and makes its final share zero: f(j) = −tweak − Σ
/// f_i(j).
fn neutral(started: &Started, number: u16) -> Contribution {
    let (me, place) = (party(number), usize::from(number) - 1);
    let host = &started.hosts[place];
    let read = |bytes: &Vec<u8>| Contribution::read(bytes, &started.params).unwrap();
    let all: Vec<_> = started.first.iter().map(read).collect();
    let nonces: Vec<_> = all.iter().map(|sent| sent.nonce).collect();
    let own = pads::received(host, &nonces, &started.params, me).unwrap();
    let others = (0..all.len()).filter(|at| *at != place);
    let mut sum = Scalar::default();
    let (a, mut key) = (Scalar::from(11), g(11));
    for at in others {
        sum = sum + all[at].shares[place] - own.expose()[at];
        key = key + all[at].commitment[0];
    }
    let tweak = tap_tweak(x_only(&Secp256k1::encode_point(&key)), None).unwrap();
    let b = Secp256k1::invert(&Scalar::from(u64::from(number))) * -(tweak + sum + a);
    let polynomial = Polynomial::<Secp256k1>::from_coefficients([a, b].to_vec());
    let (nonce, public) = (Secret::new(Scalar::from(5)), Secp256k1::encode_point(&g(5)));
    let pads = pads::sent(host, (&nonce, &public), &started.params, me);
    let shares = polynomial.evaluate_many(started.params.parties().as_slice());
    let encrypt = |(share, pad): (&Scalar, &Scalar)| *share + *pad;
    Contribution {
        commitment: polynomial.commit().points().to_vec(),
        proof: sign(&POSSESSION, &Secret::new(a), &[&id_of(me)], &[0; 32]).unwrap(),
        nonce: public,
        shares: shares.expose().iter().zip(pads.expose()).map(encrypt).collect(),
    }
}

#[test]
fn a_share_that_comes_out_neutral_names_its_owner_before_anybody_signs() {
    let mut started = Started::new(2, 3, 34);
    started.first[2] = neutral(&started, 3).to_bytes();
    let (_, sums) = started.coordinate();
    let mut results = started.step2(|_| sums.clone());
    for at in [1, 0] {
        assert_eq!(reason(results.remove(at)), Error::NeutralShare { of: party(3) });
    }
}

#[test]
fn a_polynomial_of_a_lower_degree_is_no_key_here() {
    // All t participants together arrange that the sum has no term of the highest degree.
    let mut started = Started::new(2, 2, 35);
    let read = |at: usize| Contribution::read(&started.first[at], &started.params).unwrap();
    let other = read(0).commitment[1];
    started.alter(2, |sent| sent.commitment[1] = -other);
    let sums = Sums::read(&started.coordinate().1, &started.params).unwrap();
    assert!(Secp256k1::is_identity(&sums.others[0]));
    let total = Commitment::<Secp256k1>::from_points([g(3), sums.others[0]].to_vec());
    let outcome = crate::chilldkg::outcome::Outcome::of(&total, &started.params).unwrap();
    assert_eq!(outcome.check(&started.params), Err(Error::NeutralKey));
    assert_eq!(outcome.keys(&started.params, None).unwrap_err(), Error::NeutralKey);
    let nothing = Commitment::<Secp256k1>::from_points([g(3) - g(3), g(1)].to_vec());
    let none = crate::chilldkg::outcome::Outcome::of(&nothing, &started.params);
    assert_eq!(none.err(), Some(Error::NeutralKey));
}

#[test]
fn runs_do_not_mix() {
    // The same participants, twice: a message of one run is refused in the other.
    let (one, two) = (Started::new(2, 3, 36), Started::new(2, 3, 37));
    let (coordinator, own) = one.coordinate();
    let (_, others) = two.coordinate();
    assert_eq!(reason(one.step2(|_| others.clone()).remove(0)), Error::NotMine);
    let done = two.step2(|_| others.clone()).into_iter().map(Result::unwrap);
    let signatures: Vec<_> = done.map(|(_, signature)| signature).collect();
    let why = coordinator.finalize(&signatures).unwrap_err();
    assert_eq!(why, Error::WrongSignature { from: party(1) });
    // A participant's part of another run, repeated with the same others, is a contribution like any other.
    let mut again = Started::new(2, 3, 36);
    again.first[2].clone_from(&Started::new(2, 3, 37).first[2]);
    let (_, mixed) = again.coordinate();
    assert_ne!(mixed, own);
    let mut results = again.step2(|_| mixed.clone());
    assert_eq!(reason(results.remove(2)), Error::NotMine);
    assert!(results.iter().all(Result::is_ok), "it is a contribution like any other");
}

#[test]
fn the_same_randomness_for_other_parameters_is_another_contribution() {
    let all = hosts(4, 1);
    let sent = |hosts: &[HostKey], threshold| {
        let params = params(hosts, threshold);
        let bytes = Participant::start(&hosts[0], &params, &mut rng(3)).unwrap().1;
        Contribution::read(&bytes, &params).unwrap()
    };
    let (one, more, fewer) = (sent(&all, 2), sent(&all, 3), sent(&all[..3], 2));
    for other in [more, fewer] {
        assert_ne!(one.nonce, other.nonce);
        assert_ne!(one.commitment[0], other.commitment[0]);
        let places = one.shares.iter().zip(&other.shares);
        assert!(places.into_iter().all(|(one, other)| one != other));
    }
}

#[test]
fn host_keys_that_do_not_belong() {
    let started = Started::new(2, 3, 38);
    let (_, sums) = started.coordinate();
    let strangers = hosts(3, 100);
    let none = Participant::start(&strangers[0], &started.params, &mut rng(1)).unwrap_err();
    assert_eq!(none, Error::NotAParticipant);
    let Started { hosts, participants, .. } = started;
    let mut participants = participants.into_iter();
    for other in [&hosts[1], &strangers[0]] {
        let participant = Started::new(2, 3, 38).participants.remove(0);
        assert_eq!(reason(participant.step2(other, &sums, &mut rng(9))), Error::OtherHostKey);
    }
    assert!(participants.next().unwrap().step2(&hosts[0], &sums, &mut rng(9)).is_ok());
    for bad in [&[0; 32][..], &[0xff; 32], &[1; 31], &[1; 33], &[]] {
        assert_eq!(HostKey::from_bytes(bad).unwrap_err(), Error::BadHostKey);
    }
    assert_eq!(HostKey::generate(&mut Fixed([0; 32])).unwrap_err(), Error::BadHostKey);
}
