//! Any bytes at all: nothing panics, and what is read is what was written.

use quorate::frost::generic::roast::{AnswerOutcome, AnswerRejected, Refused, SignerFault};
use quorate::frost::generic::{Ciphersuite, DecodeError, RoastCoordinator, RoastSigner};
use quorate::session::container::{ContainerError, DIGEST, HEADER};
use quorate::session::{SealError, SpentInMemory};
use quorate_testkit::lockstep::id;
use quorate_testkit::{Lcg, rng, suite_tests};

use super::faults::Bench;
use super::world::{Layout, TEXT, forged, key, layout, package_of, run_id};

/// Every shorter form, some longer ones, and random changes with a digest that fits.
fn altered<S: Ciphersuite>(form: &[u8], random: &mut Lcg) -> Vec<Vec<u8>> {
    let body = form.len() - DIGEST;
    let mut all: Vec<Vec<u8>> = (0..form.len()).map(|length| form[..length].to_vec()).collect();
    all.extend((HEADER..body).map(|length| forged::<S>(form, |bytes| bytes.truncate(length))));
    for _ in 0..40 {
        let more = random.below(40) + 1;
        let bytes = random.bytes(more);
        all.push(forged::<S>(form, |form| form.extend_from_slice(&bytes)));
        all.push(bytes);
    }
    for _ in 0..80 {
        let (at, bit) = (random.below(body), 1u8 << random.below(8));
        let flip = |bytes: &mut Vec<u8>| bytes[at] ^= bit;
        all.push(forged::<S>(form, flip));
        let mut raw = form.to_vec();
        raw[at] ^= bit;
        all.push(raw);
    }
    let size = form.len();
    all.push(random.bytes(size));
    all
}

fn a_coordinator_reads_anything<S: Ciphersuite>() {
    let mut random = Lcg(5);
    let mut bench = Bench::<S>::new(2, 3);
    let first = bench.message(0);
    let request = bench.join(&[0, 1]);
    let answer = bench.answer(0, &request).unwrap();
    let joins = bench.message(1);
    let second = bench.answer(1, &request).unwrap();
    for form in [&first, &answer] {
        for bytes in altered::<S>(form, &mut random) {
            let start = || RoastCoordinator::start(bench.public.clone(), run_id(), TEXT).unwrap();
            drop(start().receive(id(1), &bytes));
            let mut fresh = start();
            for (from, bytes) in [(1, &first), (2, &joins)] {
                drop(fresh.receive(id(from), bytes).unwrap());
            }
            match fresh.receive(id(1), &bytes) {
                Ok(AnswerOutcome::Done(_)) => panic!("a signature by one"),
                Ok(_) => {
                    assert!(bytes == answer || bytes == first || accepted::<S>(&bytes, &answer))
                }
                Err(why) => assert!(bytes != answer || why.fault().is_none(), "{why}"),
            }
            assert!(fresh.sessions() <= fresh.most_sessions());
        }
    }
    assert!(matches!(bench.receive(0, &answer), Ok(AnswerOutcome::Waiting)));
    assert!(matches!(bench.receive(1, &second), Ok(AnswerOutcome::Done(_))));
}

/// Of an answer, other commitments for the next session may be read: they are its signer's.
fn accepted<S: Ciphersuite>(bytes: &[u8], answer: &[u8]) -> bool {
    let Layout { hiding, session, end, .. } = layout::<S>();
    bytes.len() == answer.len()
        && bytes[..hiding] == answer[..hiding]
        && bytes[session..end] == answer[session..end]
}

fn a_signer_reads_anything<S: Ciphersuite>() {
    let mut random = Lcg(6);
    let mut bench = Bench::<S>::new(2, 3);
    let request = bench.join(&[0, 1]);
    let stored = bench.signers[0].seal(&key());
    for bytes in altered::<S>(&request, &mut random) {
        match bench.answer(0, &bytes) {
            // The other signer's commitments, or none: for each of these, a state from before.
            Ok(_) => {
                let package = package_of::<S>(&bytes);
                assert_eq!((package.message(), bench.tables[0].len()), (TEXT, 1));
                assert!(
                    package.commitments_of(id(1))
                        == package_of::<S>(&request).commitments_of(id(1))
                );
                bench.signers[0] = RoastSigner::open(&stored, &key()).unwrap();
                bench.tables[0] = SpentInMemory::new();
            }
            Err(Refused::NoNonces | Refused::Record(_)) => panic!("a pair was spent"),
            Err(_) => {}
        }
    }
    bench.answer(0, &request).unwrap();
}

fn strict_forms<S: Ciphersuite>() {
    let Layout { hiding, session, z, end, .. } = layout::<S>();
    let decode = |bench: &mut Bench<S>, bytes: &[u8]| match bench.receive(0, bytes).unwrap_err() {
        AnswerRejected::Marked(SignerFault::Malformed(why)) => why,
        why => panic!("{why:?}"),
    };
    let mut bench = Bench::<S>::new(2, 3);
    let request = bench.join(&[0, 1]);
    let answer = bench.answer(0, &request).unwrap();
    type Change<'c> = &'c dyn Fn(&mut Vec<u8>);
    let cases: [(Change<'_>, DecodeError); 5] = [
        (&|bytes| bytes[hiding..session].fill(0xff), DecodeError::BadPoint),
        (&|bytes| bytes[z..end].fill(0xff), DecodeError::BadScalar),
        (&|bytes| bytes.push(0), DecodeError::TrailingBytes),
        (&|bytes| bytes.truncate(end - 1), DecodeError::Truncated),
        (&|bytes| bytes[HEADER..HEADER + 2].fill(0), DecodeError::BadIdentifier(0)),
    ];
    for (change, why) in cases {
        let mut bench = Bench::<S>::new(2, 3);
        assert_eq!(decode(&mut bench, &forged::<S>(&answer, change)), why);
    }
    let mut damaged = answer.clone();
    damaged[z] ^= 1;
    let damage = DecodeError::Container(ContainerError::Damaged);
    assert_eq!(decode(&mut bench, &damaged), damage);
}

fn seals_open_to_what_was_sealed<S: Ciphersuite>() {
    let mut random = Lcg(8);
    let mut bench = Bench::<S>::new(2, 3);
    let request = bench.join(&[0, 1]);
    bench.answer(0, &request).unwrap();
    let sealed = bench.signers[0].seal(&key());
    let opened = RoastSigner::<S>::open(&sealed, &key()).unwrap();
    assert_eq!(opened.seal(&key()), sealed, "one form for one state");
    assert_eq!(opened.message(), bench.signers[0].message());
    let debug = format!("{opened:?}");
    assert!(debug.starts_with("RoastSigner") && debug.len() < 200, "{debug}");
    let other = RoastSigner::<S>::open(&sealed, &quorate::session::SealKey::new([1; 32]));
    assert_eq!(other.err(), Some(SealError::Unauthentic));
    for bytes in altered::<S>(&sealed, &mut random) {
        assert!(RoastSigner::<S>::open(&bytes, &key()).is_err());
    }
    let batch = bench.shares[0].precompute(1, &mut rng(1)).seal(&key());
    assert!(RoastSigner::<S>::open(&batch, &key()).is_err(), "another kind");
}

suite_tests!(
    a_coordinator_reads_anything,
    a_signer_reads_anything,
    strict_forms,
    seals_open_to_what_was_sealed,
);
