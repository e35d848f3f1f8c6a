//! Attacks on sharing and key generation, VS-01 to VS-07 and VS-15.

use quorate::frost::generic::curve::Curve;
use quorate::frost::generic::{PublicKeyPackage, Scalar};
use quorate::session::{Check, ParamError, Rejected};
use quorate::{Fault, Parties, PartyId};

use super::cheat::{
    self, Announce, Dealer, commitment, evaluate, polynomial, prove, run, scalar_bytes,
};
use super::dkg::{BODY, Verdict, keygen, verdicts};
use super::harness::Hostile;
use super::harness::{MUTATOR, PARTIES, id, parties};
use quorate_testkit::encodings::{encoded, identity, point_len};

const BLAMED: fn(Fault) -> [Verdict; 2] = |fault| [Verdict::Blamed(fault); 2];

/// Party 2 deals this polynomial and proves that it knows its constant.
fn deals<S: Hostile>(coefficients: &[Scalar<S>]) -> super::dkg::KeyReport<S> {
    run::<S>(
        2,
        &parties(PARTIES),
        1,
        &Dealer {
            announcement: &|context, _| {
                let proof = prove::<S>(context, id(MUTATOR), &coefficients[0]);
                [commitment::<S>(coefficients), proof].concat()
            },
            share: &|to| scalar_bytes::<S>(&evaluate::<S>(coefficients, to)),
        },
    )
}

/// A dealer that sends this in round 1, whatever it is, and deals shares that do not fit.
fn says<S: Hostile>(announcement: Announce<'_>) -> super::dkg::KeyReport<S> {
    let share = |_| scalar_bytes::<S>(&1.into());
    run::<S>(2, &parties(PARTIES), 1, &Dealer { announcement, share: &share })
}

fn cheating_dealer_that_does_all_right<S: Hostile>() {
    let report = deals::<S>(&polynomial::<S>(2, 1));
    assert_eq!(verdicts(&report), [Verdict::Done; 2]);
}

#[test]
fn control_the_cheating_prover_can_also_be_honest() {
    quorate_testkit::for_every_suite!(cheating_dealer_that_does_all_right);
}

fn index_zero_or_twice<S: Hostile>() {
    let _: fn(u16) -> Option<PartyId> = PartyId::new;
    assert_eq!(PartyId::try_from(0), Err(ParamError::ZeroParty));
    let twice = Parties::new([id(1), id(2), id(1)]);
    assert_eq!(twice, Err(ParamError::DuplicateParty(id(1))));
    // Numbers have sixteen bits and every order is greater: no two places are the same modulo it.
    assert!(S::Curve::ORDER.iter().skip(1).any(|limb| *limb != 0));
    let key = super::harness::Key::<S>::among(2, &parties([1, 2, 65535]), 1);
    let signed = key.sign(&[1, 65535], b"m", 2);
    key.public.aggregate(&signed.package, &signed.shares).unwrap();
}

#[test]
fn vs_01_index_zero_or_duplicate() {
    quorate_testkit::for_every_suite!(index_zero_or_twice);
}

fn wrong_degree<S: Hostile>() {
    // t − 1 coefficients; none at all.
    assert_eq!(verdicts(&deals::<S>(&polynomial::<S>(1, 1))), BLAMED(Fault::WrongLength));
    let nothing = says::<S>(&|context, _| prove::<S>(context, id(MUTATOR), &1.into()));
    assert_eq!(verdicts(&nothing), BLAMED(Fault::WrongLength));
    // Degree t, whose shares all lie on it: refused before it is read, as is anything longer.
    for many in [3, 4, 300] {
        let report = deals::<S>(&polynomial::<S>(many, 1));
        assert_eq!(verdicts(&report), [Verdict::Missing; 2]);
        let refused = &report.stats.rejected;
        let of = |victim| {
            move |(from, to, why): &(PartyId, PartyId, Rejected)| {
                let oversized = matches!(why, Rejected::Oversized { .. });
                oversized && (*from, *to) == (id(MUTATOR), id(victim))
            }
        };
        assert_eq!(refused.len(), 2);
        assert!(refused.iter().any(of(1)) && refused.iter().any(of(5)));
    }
    // The right length, but the last coefficient or the one too many is zero.
    let one = polynomial::<S>(1, 1);
    let zero = |front: usize| {
        let front = polynomial::<S>(front, 1);
        says::<S>(&move |context, _| {
            let proof = prove::<S>(context, id(MUTATOR), &one[0]);
            [commitment::<S>(&front), identity::<S::Curve>(), proof].concat()
        })
    };
    assert_eq!(verdicts(&zero.clone()(1)), BLAMED(Fault::InvalidPoint));
    assert_eq!(verdicts(&zero(2)), [Verdict::Missing; 2]);
}

#[test]
fn vs_02_threshold_raised_or_lowered() {
    quorate_testkit::for_every_suite!(wrong_degree);
}

fn zero_constant<S: Hostile>() {
    let report = says::<S>(&|context, _| {
        let rest = commitment::<S>(&polynomial::<S>(1, 1));
        // z = k is a valid proof for the secret zero.
        let proof = prove::<S>(context, id(MUTATOR), &Scalar::<S>::default());
        [identity::<S::Curve>(), rest, proof].concat()
    });
    assert_eq!(verdicts(&report), BLAMED(Fault::InvalidPoint));
}

#[test]
fn vs_03_zero_constant() {
    quorate_testkit::for_every_suite!(zero_constant);
}

/// A constant that makes the sum a key of the mutator's choice, with every proof it can think of.
fn rogue_key<S: Hostile>() {
    let chosen = S::Curve::mul_base(&42.into());
    let rogue = |others: &[(PartyId, Vec<u8>)]| {
        let sum = others.iter().fold(chosen, |sum, (_, body)| {
            sum - S::Curve::decode_point(&body[..point_len::<S::Curve>()]).unwrap()
        });
        [encoded::<S::Curve>(&sum), commitment::<S>(&polynomial::<S>(1, 1))].concat()
    };
    let copied = says::<S>(&|_, others| {
        let proof = &others[0].1[2 * point_len::<S::Curve>()..];
        [&rogue(others)[..], proof].concat()
    });
    assert_eq!(verdicts(&copied), BLAMED(Fault::InvalidProofOfPossession));
    let of_another_key = says::<S>(&|context, others| {
        [rogue(others), prove::<S>(context, id(MUTATOR), &42.into())].concat()
    });
    assert_eq!(verdicts(&of_another_key), BLAMED(Fault::InvalidProofOfPossession));
    let absent = says::<S>(&|_, others| rogue(others));
    assert_eq!(verdicts(&absent), BLAMED(Fault::WrongLength));
    // R made to fit a guessed challenge: the challenge hashes R.
    let forged = says::<S>(&|context, others| {
        let body = rogue(others);
        let key = S::Curve::decode_point(&body[..point_len::<S::Curve>()]).unwrap();
        let guess =
            cheat::challenge::<S>(context, id(MUTATOR), &body[..point_len::<S::Curve>()], b"");
        let r = S::Curve::mul_base(&7.into()) - S::Curve::mul(&key, &guess);
        [body, encoded::<S::Curve>(&r), scalar_bytes::<S>(&7.into())].concat()
    });
    assert_eq!(verdicts(&forged), BLAMED(Fault::InvalidProofOfPossession));
    // Another party's announcement whole: the proof names its prover.
    let whole = says::<S>(&|_, others| others[0].1.clone());
    assert_eq!(verdicts(&whole), BLAMED(Fault::InvalidProofOfPossession));
}

#[test]
fn vs_04_rogue_key_without_proof_of_possession() {
    quorate_testkit::for_every_suite!(rogue_key);
}

fn wrong_shares<S: Hostile>() {
    let honest = polynomial::<S>(2, 1);
    let dealt = |share: &dyn Fn(PartyId) -> Scalar<S>| {
        let report = run::<S>(
            2,
            &parties(PARTIES),
            1,
            &Dealer {
                announcement: &|context, _| {
                    let proof = prove::<S>(context, id(MUTATOR), &honest[0]);
                    [commitment::<S>(&honest), proof].concat()
                },
                share: &|to| scalar_bytes::<S>(&share(to)),
            },
        );
        verdicts(&report)
    };
    let at = |party| evaluate::<S>(&honest, party);
    assert_eq!(dealt(&at), [Verdict::Done; 2]);
    let wrong: [&dyn Fn(PartyId) -> Scalar<S>; 5] = [
        &|to| at(to) + 1.into(),
        &|_| at(id(MUTATOR)),
        &|to| if to == id(1) { at(id(5)) } else { at(id(1)) },
        &|_| Scalar::<S>::default(),
        // A polynomial of degree t under a commitment of degree t − 1.
        &|to| at(to) + Scalar::<S>::from(u64::from(to.get()).pow(2)),
    ];
    for share in wrong {
        assert_eq!(dealt(share), BLAMED(Fault::InvalidShare));
    }
    // To one of two only: that one aborts, the other waits for it, and no party keeps a key.
    let one = dealt(&|to| if to == id(1) { at(to) + 1.into() } else { at(to) });
    assert_eq!(one, [Verdict::Blamed(Fault::InvalidShare), Verdict::Missing]);
}

#[test]
fn vs_05_wrong_shares() {
    quorate_testkit::for_every_suite!(wrong_shares);
}

/// There is no commit-and-reveal here: the announcement is the commitment, and it has one
/// decoding only.
fn moved_fields<S: Hostile>() {
    let honest = polynomial::<S>(2, 1);
    for order in [[1, 0, 2], [0, 2, 1], [2, 1, 0]] {
        let report = says::<S>(&|context, _| {
            let proof = prove::<S>(context, id(MUTATOR), &honest[0]);
            let body = [commitment::<S>(&honest), proof].concat();
            let (points, z) = body.split_at(3 * point_len::<S::Curve>());
            let points: Vec<_> = points.chunks(point_len::<S::Curve>()).collect();
            [order.map(|at| points[at]).concat(), z.to_vec()].concat()
        });
        assert_eq!(verdicts(&report), BLAMED(Fault::InvalidProofOfPossession));
    }
}

#[test]
fn vs_06_commitment_malleability() {
    quorate_testkit::for_every_suite!(moved_fields);
}

/// The last mover knows the others' messages of round 1. It can retry until it likes the look of the
/// key, which leaks no secret and leaves the key random to all. It cannot send one party something else.
fn change_of_mind<S: Hostile>() {
    let late = run::<S>(
        2,
        &parties(PARTIES),
        1,
        &Dealer {
            announcement: &|context, others| {
                assert_eq!(others.len(), 2);
                let secret = polynomial::<S>(2, u64::from(others[0].1[0]));
                [commitment::<S>(&secret), prove::<S>(context, id(MUTATOR), &secret[0])].concat()
            },
            share: &|_| scalar_bytes::<S>(&1.into()),
        },
    );
    assert_eq!(verdicts(&late), BLAMED(Fault::InvalidShare));
    let two = [1, 2].map(|seed| polynomial::<S>(2, seed));
    let report = keygen::<S>(1, |mut one| {
        if one.from == id(MUTATOR) && one.round.get() == 1 {
            let secret = &two[usize::from(one.to == id(1))];
            let proof = prove::<S>(&one.bytes[super::dkg::CONTEXT], id(MUTATOR), &secret[0]);
            one.bytes.truncate(BODY[0]);
            one.bytes.extend([commitment::<S>(secret), proof].concat());
        }
        vec![one]
    });
    assert_eq!(verdicts(&report), [Verdict::Unattributed(Check::EchoMismatch); 2]);
}

#[test]
fn vs_07_equivocation_or_late_choice() {
    quorate_testkit::for_every_suite!(change_of_mind);
}

/// A dealer that knows all others' shares for one party before it commits makes that party's verifying
/// share neutral, here its own. It knows them from an earlier run of this id, which the others have forgotten: their
/// generators repeat here, as after a restored store. Every proof and every share is valid. The run ends before any party
/// confirms such a key, and nobody is blamed.
fn neutral_verifying_share<S: Hostile>() {
    let all = parties(PARTIES);
    // The shares that the others deal to party 2. Their polynomials are the same in every run of this id.
    let mut received = Scalar::<S>::default();
    let mut constants = S::Curve::identity();
    keygen::<S>(1, |one| {
        let body = &one.bytes[BODY[usize::from(one.round.get()) - 1]..];
        if one.to == id(MUTATOR) && one.round.get() == 1 {
            constants =
                constants + S::Curve::decode_point(&body[..point_len::<S::Curve>()]).unwrap();
        } else if one.to == id(MUTATOR) && one.round.get() == 2 {
            received = received + S::Curve::decode_scalar(body).unwrap();
        }
        vec![one]
    });
    let constant = Scalar::<S>::from(7);
    // The key is known, and with it what the default tweak will add to every share.
    let key = S::Curve::encode_point(&(constants + S::Curve::mul_base(&constant)));
    let negated = S::EVEN_Y && key.as_ref()[0] == 3;
    let shift = S::default_tweak(&key).unwrap().unwrap_or_default();
    let wanted = if negated { shift } else { -shift };
    let coefficient = (wanted - received - constant) * S::Curve::invert(&u64::from(MUTATOR).into());
    let report = deals::<S>(&[constant, coefficient]);
    let aborted = Verdict::Unattributed(Check::ResultMismatch);
    assert_eq!(verdicts(&report), [aborted; 2]);
    // One off, and the same dealer is an honest one.
    let report = deals::<S>(&[constant, coefficient + 1.into()]);
    assert_eq!(verdicts(&report), [Verdict::Done; 2]);
    let public = &report.results[&all.as_slice()[0]].as_ref().unwrap().public;
    assert_eq!(PublicKeyPackage::<S>::from_bytes(&public.to_bytes()).unwrap(), *public);
}

#[test]
fn vs_15_neutral_verifying_share_of_a_key_generation() {
    quorate_testkit::for_every_suite!(neutral_verifying_share);
}
