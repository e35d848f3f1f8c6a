//! Keys of one holder and of committees: sizes, times, and how many signatures a second they make for long.

use core::hint::black_box;

use ed25519_dalek::{Signer as _, Verifier as _};
use ml_dsa::signature::{Keypair as _, SignatureEncoding as _};
use ml_dsa::{KeyExport as _, MlDsa44, MlDsa65, MlDsaParams};

use super::{DALEK, DILITHIUM, keygens, name, who, who_of};
use crate::ecdsa::Ledger;
use crate::mldsa::{Level, MlDsaCommittee, MlDsaSetup, keygen};
use crate::report::committee::{Committee, quorum};
use crate::report::figure::{Figure, Unit, real};
use crate::report::run::{Scale, in_turns};
use crate::report::thorchain::frost_keygen;
use crate::{
    Library as _, MESSAGE, Meter as _, Operation, Quorate, Routine, Size, Stopwatch, Suite,
};

/// A key of one holder: what is measured of it.
struct Single<'a> {
    who: &'static str,
    keygen: Routine<'a>,
    sign: Routine<'a>,
    verify: Routine<'a>,
    /// Bytes of a signature and of the public key.
    sizes: [usize; 2],
    once: Box<dyn FnMut() + 'a>,
}

fn ed25519() -> Single<'static> {
    let key = ed25519_dalek::SigningKey::from_bytes(&[7; 32]);
    let (public, signature) = (key.verifying_key(), key.sign(MESSAGE));
    let again = key.clone();
    Single {
        who: DALEK,
        keygen: Routine::repeat(|| ed25519_dalek::SigningKey::from_bytes(&[9; 32]).verifying_key()),
        sizes: [signature.to_bytes().len(), public.as_bytes().len()],
        sign: Routine::repeat(move || key.sign(MESSAGE)),
        verify: Routine::repeat(move || public.verify(MESSAGE, &signature).expect("valid")),
        once: Box::new(move || {
            black_box(again.sign(MESSAGE));
        }),
    }
}

fn dilithium<P: MlDsaParams + 'static>(who: &'static str) -> Single<'static> {
    let key = ml_dsa::SigningKey::<P>::from_seed(&[7; 32].into());
    let public = key.verifying_key();
    let sign = |key: &ml_dsa::SigningKey<P>, count: &mut u64| -> ml_dsa::Signature<P> {
        // The time depends on the message, which decides how often signing starts over.
        *count += 1;
        let message = [MESSAGE, &count.to_le_bytes()].concat();
        ml_dsa::signature::Signer::sign(key, &message)
    };
    let signature: ml_dsa::Signature<P> = ml_dsa::signature::Signer::sign(&key, MESSAGE);
    let (mut count, mut more, again) = (0, 0, key.clone());
    Single {
        who,
        keygen: Routine::repeat(|| {
            ml_dsa::SigningKey::<P>::from_seed(&[9; 32].into()).verifying_key()
        }),
        sizes: [signature.to_bytes().len(), public.to_bytes().len()],
        sign: Routine::repeat(move || sign(&key, &mut count)),
        verify: Routine::repeat(move || {
            ml_dsa::signature::Verifier::verify(&public, MESSAGE, &signature).expect("valid");
        }),
        once: Box::new(move || drop(black_box(sign(&again, &mut more)))),
    }
}

/// Results a second of CPU, in windows of a length that the scale gives.
fn sustained(mut once: impl FnMut(), scale: Scale) -> Vec<f64> {
    let (seconds, windows) = scale.pick((0.02, 3), (0.2, 5), (2.0, 8));
    once();
    let window = |_| {
        let mut stopwatch = Stopwatch::default();
        let mut count = 0.0;
        while stopwatch.total().as_secs_f64() < seconds {
            stopwatch.start();
            for _ in 0..4 {
                once();
            }
            stopwatch.stop();
            count += 4.0;
        }
        count / stopwatch.total().as_secs_f64()
    };
    (0..windows).map(window).collect()
}

fn runs(scale: Scale) -> usize {
    scale.pick(3, 11, 31)
}

/// The figures of a key.
struct Key<'a> {
    who: &'a str,
    /// Bytes of a signature and of the public key.
    sizes: [usize; 2],
    /// Microseconds of a key generation, of a signature and of its verification.
    times: [Vec<f64>; 3],
    /// Signatures a second.
    sustained: Vec<f64>,
}

impl Key<'_> {
    fn figures(self) -> [Figure; 6] {
        let [keygen, sign, verify] = self.times;
        let [signature, key] = self.sizes.map(|bytes| vec![real(bytes)]);
        let rates = |us: Vec<f64>| us.iter().map(|us| 1e6 / us).collect();
        [
            ("keygen", Unit::Micros, keygen),
            ("signature", Unit::Bytes, signature),
            ("key", Unit::Bytes, key),
            ("sign", Unit::PerSecond, rates(sign)),
            ("verify", Unit::PerSecond, rates(verify)),
            ("sustained", Unit::PerSecond, self.sustained),
        ]
        .map(|(column, unit, samples)| Figure::new(name(column), unit, samples).of(self.who))
    }
}

pub(super) fn singles(scale: Scale) -> Vec<Figure> {
    let all =
        vec![ed25519(), dilithium::<MlDsa44>(DILITHIUM[0]), dilithium::<MlDsa65>(DILITHIUM[1])];
    let (mut keys, mut routines) = (Vec::new(), [const { Vec::new() }; 3]);
    for one in all {
        let sustained = sustained(one.once, scale);
        keys.push((one.who, one.sizes, sustained));
        for (routines, routine) in routines.iter_mut().zip([one.keygen, one.sign, one.verify]) {
            routines.push(routine);
        }
    }
    let mut times = routines.map(|routines| in_turns(routines, runs(scale)).into_iter());
    keys.into_iter()
        .flat_map(|(who, sizes, sustained)| {
            let times = times.each_mut().map(|all| all.next().unwrap_or_default());
            Key { who, sizes, times, sustained }.figures()
        })
        .collect()
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
    let samples = in_turns(steps.map(|step| fixture.routine(step)).into(), runs(scale));
    let signer = samples[0].iter().zip(&samples[1]).map(|(a, b)| a + b).collect();
    let mut committee = Committee::new(t, n);
    let signature = committee.sign(&mut Ledger::timing());
    assert!(committee.verify(&signature), "an honest committee");
    let sizes = [signature.to_bytes().as_ref().len(), 32];
    let once = || {
        black_box(committee.sign(&mut Ledger::timing()));
    };
    let (times, sustained) = ([keygen, signer, samples[2].clone()], sustained(once, scale));
    Key { who: &who(n), sizes, times, sustained: of_all(sustained, t) }.figures().into()
}

/// A committee by threshold ML-DSA, of which more than two thirds sign. About every second attempt fails, and is made again:
/// a signature is the attempts that it takes on the mean of the run.
pub(super) fn lattice_committee(level: Level, n: u16, scale: Scale) -> Vec<Figure> {
    let t = quorum(n);
    let setup = MlDsaSetup { level, t, n };
    let mut committee = MlDsaCommittee::new(setup).expect("a committee of at most six");
    let keygens = (0..scale.pick(1, 3, 11)).map(|number| keygen(level, t, n, number) * 1e6);
    let keygens = keygens.collect();
    let (signature, _) = committee.sign();
    let key = committee.key().clone();
    let sizes = [signature.to_bytes().len(), key.to_bytes().len()];
    let verify = Routine::repeat(|| key.verify(MESSAGE, b"", &signature).expect("valid"));
    let verify = in_turns(vec![verify], runs(scale)).remove(0);
    // One signer's time of each attempt, until there are enough of them, and as many signatures as needed for their odds.
    let (mut attempts, mut signed) = (Vec::new(), 0.0);
    while signed < real(runs(scale)) {
        let made = committee.attempt();
        attempts.push(made.tried.seconds * 1e6 / f64::from(t));
        signed += f64::from(made.tried.signatures);
    }
    let tries = real(attempts.len()) / signed;
    let sign = attempts.iter().map(|us| us * tries).collect();
    let sustained = sustained(|| drop(black_box(committee.sign())), scale);
    let (times, sustained) = ([keygens, sign, verify], of_all(sustained, t));
    Key { who: &who_of(level, n), sizes, times, sustained }.figures().into()
}
