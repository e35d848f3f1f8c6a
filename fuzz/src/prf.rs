//! The threshold PRF: strict decoders, and messages of one party that were altered. Whatever is taken has the output of the key, and
//! an error names the sender or nobody.

use std::sync::LazyLock;

use quorate_frost::keys::Family as _;
use quorate_frost::session::container::{DIGEST, Kind, without_digest};
use quorate_frost::{Dealing, Frost, KeyShare, PublicKeyPackage};
use quorate_prf::oprf::{BlindedElement, Blinding, Proof};
use quorate_prf::vrf::{EcvrfP256Tai, VrfProof};
use quorate_prf::{
    AggregateError, Contribution, EvaluationShare, ProofPackage, ProofShare, Query,
    Ristretto255Sha512, Voprf,
};
use quorate_session::Parties;

use crate::decoders::strict;
use crate::fixture::{THRESHOLD, id, rng};
use crate::seeds::Seed;

type Key = Voprf<Ristretto255Sha512>;

/// The party whose messages are altered.
const CHEATER: u16 = 2;
const SHARE: Kind = Kind { code: 12, name: "an evaluation share", version: 1 };
const CONTRIBUTION: Kind = Kind { code: 13, name: "a contribution to a joint proof", version: 1 };
const PACKAGE: Kind = Kind { code: 14, name: "the package of a joint proof", version: 1 };
const ANSWER: Kind = Kind { code: 15, name: "a share of a joint proof", version: 1 };

/// A 2-of-3 key, a query of two elements, and a joint proof of parties 1 and 2.
struct Fixture {
    shares: Vec<KeyShare<Key>>,
    public: PublicKeyPackage<Key>,
    query: Query<Key>,
    contributions: Vec<Contribution<Key>>,
    package: ProofPackage<Key>,
    answers: Vec<ProofShare<Key>>,
    output: Vec<[u8; 32]>,
}

static FIXTURE: LazyLock<Fixture> = LazyLock::new(|| {
    let parties = Parties::numbered(3).expect("three");
    let Dealing { shares, public } =
        Dealing::<Key>::new(THRESHOLD, &parties, &mut rng(200)).expect("2 of 3");
    let shares = shares.into_iter().map(|share| share.accept(THRESHOLD, &public).expect("dealt"));
    let shares: Vec<_> = shares.collect();
    let element = |at| *Blinding::<Key>::new(&[at], &mut rng(201)).expect("short").element();
    let query = Query::blinded(&public, &[element(1), element(2)]).expect("two elements");
    let mut rng = rng(202);
    let both = &shares[..2];
    let contribute = |share| query.contribute(share, &mut rng).expect("of this key");
    let (nonces, contributions): (Vec<_>, Vec<_>) = both.iter().map(contribute).unzip();
    let package = ProofPackage::new(&public, &query, contributions.clone()).expect("two parties");
    let answer = |(share, nonces)| package.prove(share, nonces).expect("its own nonces");
    let answers: Vec<_> = both.iter().zip(nonces).map(answer).collect();
    package.aggregate(&answers).expect("honest parties");
    let output = package.evaluation().elements().iter().map(|one| one.to_bytes()).collect();
    Fixture { shares, public, query, contributions, package, answers, output }
});

/// A container with a digest that fits what is before it.
fn fitted(kind: Kind, bytes: &[u8]) -> Option<Vec<u8>> {
    let mut form = without_digest(bytes)?.to_vec();
    Frost::<Key>::label(kind).end(&mut form);
    Some(form)
}

/// The first byte chooses the message, and whether its digest is made to fit.
pub(crate) fn messages(data: &[u8]) -> bool {
    let Some((what, rest)) = data.split_first() else { return false };
    let kind = [SHARE, CONTRIBUTION, ANSWER, PACKAGE].get(usize::from(what >> 1 & 7)).copied();
    let fits = kind.filter(|_| what & 1 == 0).map(|kind| fitted(kind, rest));
    let Some(bytes) = fits.unwrap_or_else(|| Some(rest.to_vec())) else { return false };
    match what >> 1 & 7 {
        0 => share(&bytes),
        1 => contribution(&bytes),
        2 => answer(&bytes),
        3 => package(&bytes),
        4 => strict(&bytes, Proof::<Key>::from_bytes, Proof::to_bytes).is_some(),
        5 => element(&bytes),
        _ => strict(&bytes, VrfProof::<EcvrfP256Tai>::from_bytes, VrfProof::to_bytes).is_some(),
    }
}

/// An error that names the sender, or nobody.
fn fair(error: &AggregateError) {
    let names = error.culprits();
    assert!(names.is_empty() || names == [id(CHEATER)], "{error}");
}

fn share(bytes: &[u8]) -> bool {
    let read = |bytes: &[u8]| EvaluationShare::<Key>::from_bytes(id(CHEATER), bytes);
    let Some(share) = strict(bytes, read, EvaluationShare::to_bytes) else { return false };
    let Fixture { query, public, contributions, output, .. } = &*FIXTURE;
    let own = contributions[0].evaluation_share();
    match query.aggregate(public, [own, &share]) {
        Ok(made) => {
            let made: Vec<_> = made.elements().iter().map(|one| one.to_bytes()).collect();
            assert_eq!(&made, output);
            query.verify_share(public, &share).expect("it was taken");
            true
        }
        Err(why) => {
            fair(&why);
            assert!(query.verify_share(public, &share).is_err());
            false
        }
    }
}

fn contribution(bytes: &[u8]) -> bool {
    let read = |bytes: &[u8]| Contribution::<Key>::from_bytes(id(CHEATER), bytes);
    let Some(altered) = strict(bytes, read, Contribution::to_bytes) else { return false };
    let Fixture { query, public, contributions, .. } = &*FIXTURE;
    match ProofPackage::new(public, query, [contributions[0].clone(), altered]) {
        Ok(package) => proved(&package),
        Err(AggregateError::IdentityCommitment) => false,
        Err(why) => {
            fair(&why);
            false
        }
    }
}

/// A package whose shares of the evaluation verified: the output is that of the key, and an answer to another package is none.
fn proved(package: &ProofPackage<Key>) -> bool {
    let Fixture { output, answers, package: own, .. } = &*FIXTURE;
    let made: Vec<_> = package.evaluation().elements().iter().map(|one| one.to_bytes()).collect();
    assert_eq!(&made, output);
    let is_own = package.digest() == own.digest();
    assert_eq!(package.aggregate(answers).is_ok(), is_own);
    true
}

fn answer(bytes: &[u8]) -> bool {
    let read = |bytes: &[u8]| ProofShare::<Key>::from_bytes(id(CHEATER), bytes);
    let Some(altered) = strict(bytes, read, ProofShare::to_bytes) else { return false };
    let Fixture { package, answers, .. } = &*FIXTURE;
    let is_own = altered.to_bytes() == answers[1].to_bytes();
    match package.aggregate(&[answers[0], altered]) {
        Ok(_) => assert!(is_own, "another answer was taken"),
        Err(why) => {
            assert!(!is_own);
            fair(&why);
        }
    }
    is_own
}

fn package(bytes: &[u8]) -> bool {
    let Fixture { query, public, .. } = &*FIXTURE;
    let read = |bytes: &[u8]| ProofPackage::from_bytes(public, query, bytes);
    let Some(package) = strict(bytes, read, ProofPackage::to_bytes) else { return false };
    proved(&package)
}

fn element(bytes: &[u8]) -> bool {
    let encode = |element: &BlindedElement<Key>| element.to_bytes().to_vec();
    let Some(element) = strict(bytes, BlindedElement::from_bytes, encode) else { return false };
    let Fixture { shares, public, .. } = &*FIXTURE;
    let query = Query::blinded(public, &[element]).expect("an element");
    let made = shares.iter().map(|share| query.evaluate(share, &mut rng(203)).expect("its key"));
    let made: Vec<_> = made.collect();
    let pair = |one: usize, other: usize| {
        let both = query.aggregate(public, [&made[one], &made[other]]).expect("honest shares");
        both.elements()[0].to_bytes()
    };
    assert_eq!(pair(0, 1), pair(1, 2));
    true
}

/// The first byte chooses the message of party 2. Pairs of a place and a byte follow, which are put into it.
pub(crate) fn operations(data: &[u8]) -> bool {
    let Some((what, edits)) = data.split_first() else { return false };
    let Fixture { contributions, answers, package: own, .. } = &*FIXTURE;
    let (kind, honest) = match what % 4 {
        0 => (SHARE, contributions[1].evaluation_share().to_bytes()),
        1 => (CONTRIBUTION, contributions[1].to_bytes()),
        2 => (ANSWER, answers[1].to_bytes()),
        _ => (PACKAGE, own.to_bytes()),
    };
    let mut altered = honest[..honest.len() - DIGEST].to_vec();
    for edit in edits.chunks_exact(3) {
        let place = usize::from(u16::from_be_bytes([edit[0], edit[1]])) % altered.len();
        altered[place] ^= edit[2];
    }
    let mut altered = [altered, vec![0; DIGEST]].concat();
    let fits = fitted(kind, &altered);
    fits.expect("long enough").clone_into(&mut altered);
    let is_honest = altered == honest;
    let is_taken = match what % 4 {
        0 => share(&altered),
        1 => contribution(&altered),
        2 => answer(&altered),
        _ => package(&altered),
    };
    assert!(is_taken || !is_honest, "an honest message was refused");
    is_taken
}

pub(crate) fn seeds() -> Vec<Seed> {
    let Fixture { contributions, package, answers, .. } = &*FIXTURE;
    let proof = package.aggregate(answers).expect("honest parties");
    let element = *Blinding::<Key>::new(b"x", &mut rng(204)).expect("short").element();
    let own = |name: &str, what: u8, bytes: &[u8]| Seed {
        target: "prf_messages",
        name: name.into(),
        bytes: [&[what], bytes].concat(),
    };
    let mut seeds = vec![
        own("share", 0, &contributions[1].evaluation_share().to_bytes()),
        own("contribution", 2, &contributions[1].to_bytes()),
        own("answer", 5, &answers[1].to_bytes()),
        own("package", 6, &package.to_bytes()),
        own("proof", 8, &proof.to_bytes()),
        own("element", 10, &element.to_bytes()),
    ];
    let names = ["share", "contribution", "answer", "package"];
    seeds.extend(names.into_iter().zip(0..).flat_map(|(name, what)| {
        let seed = |name: String, edits: &[u8]| Seed {
            target: "prf_operations",
            name,
            bytes: [&[what], edits].concat(),
        };
        // Two edits of one place are none.
        [seed(name.into(), &[]), seed(format!("{name}_twice"), &[0, 60, 7, 0, 60, 7])]
    }));
    seeds
}

/// A message in another's name, and one that was altered.
pub(crate) fn refused() -> Vec<Seed> {
    let Fixture { contributions, answers, .. } = &*FIXTURE;
    let seed = |target, name: &str, bytes: Vec<u8>| Seed { target, name: name.into(), bytes };
    let other = |what: u8, bytes: &[u8]| [&[what], bytes].concat();
    vec![
        seed("prf_messages", "name", other(2, &contributions[0].to_bytes())),
        seed("prf_messages", "answer_of_another", other(4, &answers[0].to_bytes())),
        seed("prf_messages", "identity", other(10, &[0; 32])),
        seed("prf_operations", "share", vec![0, 0, 90, 1]),
        seed("prf_operations", "answer", vec![2, 0, 80, 1]),
    ]
}
