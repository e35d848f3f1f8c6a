//! Keys of one holder and of committees: sizes, times, and how many signatures a second they make for long.

use std::borrow::Cow;

use ml_dsa::signature::{Keypair, SignatureEncoding, Signer, Verifier};
use ml_dsa::{KeyExport as _, MlDsa44, MlDsa65, MlDsaParams};

use super::{COLUMNS, DALEK, DILITHIUM, keygens, name, who, who_of};
use crate::ecdsa::Ledger;
use crate::mldsa::{Level, MlDsaCommittee, MlDsaSetup, keygen};
use crate::report::committee::{Committee, quorum};
use crate::report::figure::{Figure, real};
use crate::report::run::{Scale, in_turns};
use crate::report::thorchain::frost_keygen;
use crate::{Library as _, MESSAGE, Operation, Quorate, Routine, Size, Stopwatch, Suite};

/// A key of one holder: what is measured of it.
struct Single {
    who: &'static str,
    /// Bytes of a signature and of the public key.
    sizes: [usize; 2],
    keygen: Routine<'static>,
    sign: Routine<'static>,
    verify: Routine<'static>,
}

/// A key that comes from a seed. It signs messages that may depend on their number.
fn single<K, S>(
    who: &'static str,
    key: fn([u8; 32]) -> K,
    message: fn(u64) -> Cow<'static, [u8]>,
    length: fn(&K::VerifyingKey) -> usize,
) -> Single
where
    K: Signer<S> + Keypair<VerifyingKey: Verifier<S>> + 'static,
    S: SignatureEncoding + 'static,
{
    let (signer, mut count) = (key([7; 32]), 0);
    let (public, signature) = (signer.verifying_key(), signer.sign(MESSAGE));
    Single {
        who,
        sizes: [signature.encoded_len(), length(&public)],
        keygen: Routine::repeat(move || key([9; 32]).verifying_key()),
        sign: Routine::repeat(move || {
            count += 1;
            signer.sign(&message(count))
        }),
        verify: Routine::repeat(move || public.verify(MESSAGE, &signature).expect("valid")),
    }
}

fn ed25519() -> Single {
    let key = |seed| ed25519_dalek::SigningKey::from_bytes(&seed);
    single(DALEK, key, |_| Cow::Borrowed(MESSAGE), |key| key.as_bytes().len())
}

/// A key of ML-DSA. The time of a signature depends on the message, which decides how often signing starts over.
fn dilithium<P: MlDsaParams + 'static>(who: &'static str) -> Single {
    let key = |seed: [u8; 32]| ml_dsa::SigningKey::<P>::from_seed(&seed.into());
    let message = |count: u64| Cow::Owned([MESSAGE, &count.to_le_bytes()].concat());
    single::<_, ml_dsa::Signature<P>>(who, key, message, |key| key.to_bytes().len())
}

/// Results a second of CPU, in windows of a length that the scale gives.
fn sustained(sign: &mut Routine<'_>, scale: Scale) -> Vec<f64> {
    let (seconds, windows) = scale.pick([(0.02, 3), (0.2, 5), (2.0, 8)]);
    sign.run(1, &mut Stopwatch::default());
    let window = |_| {
        let (mut stopwatch, mut count) = (Stopwatch::default(), 0.0);
        while stopwatch.total().as_secs_f64() < seconds {
            sign.run(4, &mut stopwatch);
            count += 4.0;
        }
        count / stopwatch.total().as_secs_f64()
    };
    (0..windows).map(window).collect()
}

const RUNS: [usize; 3] = [3, 11, 31];

/// The figures of a key: bytes of a signature and of the public key; microseconds of a key generation, of a signature and of its
/// verification; signatures a second.
fn figures(
    who: &str,
    sizes: [usize; 2],
    [keygen, sign, verify]: [Vec<f64>; 3],
    sustained: Vec<f64>,
) -> Vec<Figure> {
    let [signature, key] = sizes.map(|bytes| vec![real(bytes)]);
    let rates = |us: Vec<f64>| us.iter().map(|us| 1e6 / us).collect();
    let all = [keygen, signature, key, rates(sign), rates(verify), sustained];
    let columns = COLUMNS.into_iter().zip(all);
    let figure = |((column, _, unit), samples)| Figure::new(name(column), unit, samples).of(who);
    columns.map(figure).collect()
}

pub(super) fn singles(scale: Scale) -> Vec<Figure> {
    let all = [ed25519(), dilithium::<MlDsa44>(DILITHIUM[0]), dilithium::<MlDsa65>(DILITHIUM[1])];
    let (mut keys, mut routines) = (Vec::new(), [const { Vec::new() }; 3]);
    for Single { who, sizes, keygen, mut sign, verify } in all {
        keys.push((who, sizes, sustained(&mut sign, scale)));
        for (routines, routine) in routines.iter_mut().zip([keygen, sign, verify]) {
            routines.push((Figure::time(who), routine));
        }
    }
    let times = routines.map(|routines| in_turns(routines, scale.pick(RUNS)));
    let all = keys.into_iter().enumerate().flat_map(|(at, (who, sizes, sustained))| {
        let times = times.each_ref().map(|all| all[at].samples.clone());
        figures(who, sizes, times, sustained)
    });
    all.collect()
}

/// Rates of a committee, each of whose signers has a core of its own.
fn of_all(rates: Vec<f64>, t: u16) -> Vec<f64> {
    rates.iter().map(|rate| rate * f64::from(t)).collect()
}

/// A committee of which more than two thirds sign. Key generation is a node's part of the distributed one.
pub(super) fn committee(n: u16, scale: Scale) -> Vec<Figure> {
    let t = quorum(n);
    let keygen = (0..keygens(scale, n)).map(|_| frost_keygen(n).each() * 1e6).collect();
    let ed25519 = Suite::from_name("ed25519").expect("a suite of the registry");
    let fixture = Quorate.fixture(ed25519, Size { t, n }).expect("Quorate has it");
    let steps = [Operation::Round1, Operation::Round2, Operation::Verify];
    let steps = steps.map(|step| (Figure::time(step.name()), fixture.routine(step)));
    let timed = in_turns(steps, scale.pick(RUNS));
    let [commit, share, verify] = [0, 1, 2].map(|at: usize| timed[at].samples.clone());
    let signer = commit.iter().zip(&share).map(|(a, b)| a + b).collect();
    let mut committee = Committee::new(t, n);
    let signature = committee.sign(&mut Ledger::timing());
    assert!(committee.verify(&signature), "an honest committee");
    let sizes = [signature.to_bytes().as_ref().len(), 32];
    let mut sign = Routine::repeat(|| committee.sign(&mut Ledger::timing()));
    let sustained = of_all(sustained(&mut sign, scale), t);
    figures(&who(n), sizes, [keygen, signer, verify], sustained)
}

/// A committee by threshold ML-DSA, of which more than two thirds sign. About every second attempt fails, and is made again:
/// a signature is the attempts that it takes on the mean of the run.
pub(super) fn lattice_committee(level: Level, n: u16, scale: Scale) -> Vec<Figure> {
    let t = quorum(n);
    let setup = MlDsaSetup { level, t, n };
    let mut committee = MlDsaCommittee::new(setup).expect("a committee of at most six");
    let runs_of_keygen = 0..scale.pick([1, 3, 11]);
    let keygens = runs_of_keygen.map(|number| keygen(level, t, n, number) * 1e6).collect();
    let (signature, _) = committee.sign();
    let key = committee.key().clone();
    let sizes = [signature.to_bytes().len(), key.to_bytes().len()];
    let verify = Routine::repeat(|| key.verify(MESSAGE, b"", &signature).expect("valid"));
    let verify = in_turns([(Figure::time(""), verify)], scale.pick(RUNS)).remove(0).samples;
    // One signer's time of each attempt, until there are enough of them, and as many signatures as needed for their odds.
    let (mut attempts, mut signed) = (Vec::new(), 0.0);
    while signed < real(scale.pick(RUNS)) {
        let made = committee.attempt();
        attempts.push(made.tried.seconds * 1e6 / f64::from(t));
        signed += f64::from(made.tried.signatures);
    }
    let tries = real(attempts.len()) / signed;
    let sign = attempts.iter().map(|us| us * tries).collect();
    let sustained = of_all(sustained(&mut Routine::repeat(|| committee.sign()), scale), t);
    figures(&who_of(level, n), sizes, [keygens, sign, verify], sustained)
}
