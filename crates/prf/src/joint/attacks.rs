//! Attacks on the joint proof, run against this code and, as a control, against it without binding nonces.

use alloc::vec::Vec;

use chacha20::ChaCha20Rng;
use chacha20::rand_core::SeedableRng;
use quorate_curve::{Curve, Secret, random_scalar};
use quorate_frost::{Dealing, KeyShare, PublicKeyPackage};
use quorate_session::{Parties, PartyId, Transcript};
use quorate_sharing::lagrange;

use super::{Contribution, ProofNonces, ProofPackage, ProofShare};
use crate::error::AggregateError;
use crate::kinds::Vrf;
use crate::query::Query;
use crate::vrf::EcvrfEd25519Tai;
use crate::wire::Encoded;

type Key = Vrf<EcvrfEd25519Tai>;
type C = quorate_curve::Ed25519;
type Scalar = quorate_frost::Scalar<Key>;

/// The bytes of a challenge, and its bits.
const BYTES: usize = 16;
const BITS: usize = 8 * BYTES;

fn rng(seed: u8) -> ChaCha20Rng {
    ChaCha20Rng::from_seed([seed; 32])
}

fn key() -> (PublicKeyPackage<Key>, Vec<KeyShare<Key>>) {
    let parties = Parties::numbered(2).unwrap();
    let Dealing { shares, public } = Dealing::<Key>::new(2, &parties, &mut rng(1)).unwrap();
    let shares = shares.into_iter().map(|share| share.accept(2, &public).unwrap()).collect();
    (public, shares)
}

fn id(number: u16) -> PartyId {
    PartyId::new(number).unwrap()
}

/// A contribution whose binding nonce is zero: the protocol without it.
fn unbound(
    (nonces, mut contribution): (ProofNonces<Key>, Contribution<Key>),
) -> (ProofNonces<Key>, Contribution<Key>) {
    let neutral = Encoded::new(C::identity());
    contribution.commits[1] = neutral;
    contribution.multiples.iter_mut().for_each(|pair| pair[1] = neutral);
    let (digest, binding) = (contribution.digest(), Secret::new(Scalar::default()));
    (ProofNonces { binding, digest, ..nonces }, contribution)
}

/// One of many concurrent proofs: the honest party has contributed, and the attacker has two contributions to choose from.
struct Open {
    nonces: ProofNonces<Key>,
    packages: [ProofPackage<Key>; 2],
}

/// The attack of Benhamouda, Lepoint, Loss, Orrù and Raykova (EUROCRYPT 2021): with as many open runs as a challenge has
/// bits, the attacker contributes last and chooses each run's challenge from two. Returns whether it ends with a Schnorr
/// signature (U, s) under the honest party's share of the key, for a challenge that hashes U.
fn forges(bound: bool) -> bool {
    let (public, shares) = key();
    let lambda = lagrange::all_at_zero::<C>(&[id(1), id(2)]).unwrap()[0];
    let target = C::mul(public.shared().share_point(id(1)).unwrap(), &lambda);
    let mut rng = rng(2);
    let open: Vec<Open> = (0u16..)
        .take(BITS)
        .map(|run| {
            let query = Query::vrf(&public, &run.to_be_bytes()).unwrap();
            let honest = query.contribute(&shares[0], &mut rng).unwrap();
            let (nonces, honest) = if bound { honest } else { unbound(honest) };
            let packages = [(); 2].map(|()| {
                let (_, own) = query.contribute(&shares[1], &mut rng).unwrap();
                ProofPackage::new(&public, &query, [honest.clone(), own]).unwrap()
            });
            Open { nonces, packages }
        })
        .collect();
    // The honest party's commitment, as it is if the attacker chooses its first contribution.
    let (mut u, mut at_zero, mut factors) = (C::identity(), Scalar::default(), Vec::new());
    for (run, power) in open.iter().zip(powers_of_two()) {
        let [first, second] = run.packages.each_ref().map(|package| package.context.c);
        let factor = power * C::invert(&(second - first));
        let [d, e] = run.packages[0].contributions[0].commits.map(|commit| commit.point);
        let commitment = d + C::mul(&e, &run.packages[0].factors[0]);
        u = u + C::mul(&commitment, &factor);
        at_zero = at_zero + factor * first;
        factors.push(factor);
    }
    u = u + C::mul(&target, &at_zero);
    // The challenge of the forgery decides which contribution goes into each run.
    let mut transcript = Transcript::new("a forgery");
    transcript.append("U", &C::encode_point(&u));
    let wanted = &transcript.finish()[..BYTES];
    let mut s = Scalar::default();
    for (at, (run, factor)) in open.into_iter().zip(factors).enumerate() {
        let [first, second] = run.packages;
        let bit = wanted[at >> 3] >> (at & 7) & 1;
        let chosen = if bit == 1 { second } else { first };
        let answer = chosen.prove(&shares[0], run.nonces).unwrap();
        s = s + factor * answer.s;
    }
    C::mul_base(&s) == u + C::mul(&target, &C::scalar_from_wide(wanted))
}

fn powers_of_two() -> impl Iterator<Item = Scalar> {
    core::iter::successors(Some(Scalar::from(1)), |power| Some(*power + *power))
}

#[test]
fn concurrent_proofs_forge_nothing_and_would_without_binding_nonces() {
    assert!(forges(false), "the control: the attack itself works");
    assert!(!forges(true));
}

/// Two honest contributions to one query, of which a test alters the second, with the nonces of both.
fn contributed() -> (PublicKeyPackage<Key>, Vec<KeyShare<Key>>, Query<Key>, [Round; 2]) {
    let (public, shares) = key();
    let query = Query::vrf(&public, b"one").unwrap();
    let mut rng = rng(3);
    let rounds = [0, 1].map(|at: usize| query.contribute(&shares[at], &mut rng).unwrap());
    (public, shares, query, rounds)
}

type Round = (ProofNonces<Key>, Contribution<Key>);

/// The verdict on a second party that contributes `altered`, and then answers by the book.
fn verdict(
    alter: impl FnOnce(&Query<Key>, &Contribution<Key>, &mut Contribution<Key>, &ProofNonces<Key>),
) -> AggregateError {
    let (public, shares, query, [honest, (nonces, mut own)]) = contributed();
    alter(&query, &honest.1, &mut own, &nonces);
    let nonces = ProofNonces { digest: own.digest(), ..nonces };
    let package = ProofPackage::new(&public, &query, [honest.1, own]).unwrap();
    let answers =
        [package.prove(&shares[0], honest.0).unwrap(), package.prove(&shares[1], nonces).unwrap()];
    assert!(package.verify_share(&answers[0]).is_ok());
    package.aggregate(&answers).unwrap_err()
}

const CHEATER: fn() -> AggregateError = || AggregateError::Cheaters(alloc::vec![id(2)]);

#[test]
fn commitments_with_different_logarithms_name_their_sender() {
    let random = || random_scalar::<C>(&mut rng(4));
    for at in [0, 1] {
        let error = verdict(|query, _, own, _| {
            own.multiples[0][at] = Encoded::new(C::mul(&query.bases[0].point, &random()));
        });
        assert_eq!(error, CHEATER());
        let error = verdict(|_, _, own, _| own.commits[at] = Encoded::new(C::mul_base(&random())));
        assert_eq!(error, CHEATER());
    }
}

/// A wrong base: the commitments are multiples of another input's point, or of the generator.
#[test]
fn commitments_in_another_base_name_their_sender() {
    let bases = [C::mul_base(&7.into()), C::generator()];
    for base in bases {
        let error = verdict(|_, _, own, nonces| {
            own.multiples[0] = [&nonces.hiding, &nonces.binding]
                .map(|nonce| Encoded::new(C::mul(&base, nonce.expose())));
        });
        assert_eq!(error, CHEATER());
    }
}

/// The two bases exchanged: what is wrong in one does not make up for what is wrong in the other.
#[test]
fn commitments_with_the_bases_exchanged_name_their_sender() {
    let error = verdict(|_, _, own, _| core::mem::swap(&mut own.commits, &mut own.multiples[0]));
    assert_eq!(error, CHEATER());
}

/// The last to contribute negates or repeats the commitments of the other: the sums do not cancel, and it cannot answer.
#[test]
fn copied_commitments_neither_cancel_nor_answer() {
    for sign in [-Scalar::from(1), Scalar::from(1)] {
        let error = verdict(|_, honest, own, _| {
            let copy = |one: &Encoded<Key>| Encoded::new(C::mul(&one.point, &sign));
            own.commits = honest.commits.each_ref().map(copy);
            own.multiples = honest.multiples.iter().map(|pair| pair.each_ref().map(copy)).collect();
        });
        assert_eq!(error, CHEATER());
    }
}

/// The answer of an earlier run, and one for another package with the same contribution of the honest party.
#[test]
fn answers_are_for_one_package() {
    let (public, shares, query, [honest, (nonces, own)]) = contributed();
    let (_, other) = query.contribute(&shares[1], &mut rng(5)).unwrap();
    let one = ProofPackage::new(&public, &query, [honest.1.clone(), own]).unwrap();
    let other = ProofPackage::new(&public, &query, [honest.1, other]).unwrap();
    assert!(one.factors[0] != other.factors[0], "the binding factor does not hash the other party");
    let answer = one.prove(&shares[0], honest.0).unwrap();
    let moved = ProofShare { package: other.digest, ..answer };
    assert_eq!(
        other.verify_share(&moved).unwrap_err(),
        AggregateError::Cheaters(alloc::vec![id(1)])
    );
    assert!(one.prove(&shares[1], nonces).is_ok());
}

/// Every part of a package moves every binding factor.
#[test]
fn binding_factors_hash_everything() {
    let (public, _, query, [(_, one), (_, other)]) = contributed();
    let factors = |query: &Query<Key>, one: &Contribution<Key>, other: &Contribution<Key>| {
        let digest = super::package::digest(query, &[one.clone(), other.clone()]);
        [id(1), id(2)].map(|id| super::package::factor::<Key>(&digest, id))
    };
    let honest = factors(&query, &one, &other);
    assert!(honest[0] != honest[1]);
    let moved = |found: [Scalar; 2]| found[0] != honest[0] && found[1] != honest[1];
    let point = Encoded::new(C::mul_base(&9.into()));
    for part in 0..7 {
        let mut altered = other.clone();
        match part {
            0 | 1 => altered.commits[part] = point,
            2 | 3 => altered.multiples[0][part - 2] = point,
            4 => altered.share.points[0] = point,
            5 => altered.share.proof.commits[0] = point,
            _ => altered.share.proof.s = altered.share.proof.s + 1.into(),
        }
        assert!(moved(factors(&query, &one, &altered)), "part {part}");
    }
    let another = Query::vrf(&public, b"another").unwrap();
    assert!(moved(factors(&another, &one, &other)));
}
