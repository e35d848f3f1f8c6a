//! Ratios of times that are taken in turns in one process: of the medians of many turns, and of the shortest turns, which
//! differ if other programs run.

use std::hint::black_box;
use std::time::Instant;

use quorate_prf::curve::Curve;
use quorate_prf::oprf::Blinding;
use quorate_prf::{
    Blinded, EvaluationShare, Oprf, P256Sha256, PrfSuite, ProofPackage, Query, Ristretto255Sha512,
    Secp256k1Sha256, Voprf,
};
use quorate_prf_peers::{dealt, rng};
use rand_core_06::OsRng;

const TURNS: usize = 301;

/// The median and the shortest time of a work, in nanoseconds.
#[derive(Clone, Copy)]
struct Times {
    median: u128,
    shortest: u128,
}

/// The times of two works that are done in turns.
fn in_turns(mut one: impl FnMut(), mut other: impl FnMut()) -> (Times, Times) {
    let (mut ones, mut others) = (Vec::new(), Vec::new());
    for turn in 0..TURNS + 20 {
        let start = Instant::now();
        one();
        let first = start.elapsed();
        let start = Instant::now();
        other();
        // The first turns warm up.
        if turn >= 20 {
            ones.push(first.as_nanos());
            others.push(start.elapsed().as_nanos());
        }
    }
    let times = |mut times: Vec<u128>| {
        times.sort_unstable();
        Times { median: times[times.len() / 2], shortest: times[0] }
    };
    (times(ones), times(others))
}

fn show(name: &str, (one, other): (Times, Times)) {
    let median = one.median as f64 / other.median as f64;
    let shortest = one.shortest as f64 / other.shortest as f64;
    println!(
        "{name}: {median:.2}, {shortest:.2} ({} µs / {} µs)",
        one.shortest / 1000,
        other.shortest / 1000
    );
}

const KEY: [u8; 32] = {
    let mut key = [0; 32];
    // Below the order in either byte order.
    key[15] = 7;
    key[16] = 9;
    key
};

fn element<M: Blinded>() -> quorate_prf::oprf::BlindedElement<M> {
    *Blinding::<M>::new(b"input", &mut rng(2)).expect("an input").element()
}

/// One share with its proof, over the multiplications that it cannot do without: two of a point, and one of the generator.
fn share<S: PrfSuite>(name: &str) {
    let (public, shares) = dealt::<Oprf<S>>(&KEY, 2, 3);
    let query = Query::blinded(&public, &[element()]).expect("an element");
    let scalar = S::Curve::scalar_from_wide(&[0xa5; 64]);
    let point = S::Curve::mul_base(&S::Curve::scalar_from_wide(&[0x5a; 64]));
    let mut rng = rng(3);
    let times = in_turns(
        || drop(black_box(query.evaluate(&shares[0], &mut rng).expect("a share"))),
        || {
            for _ in 0..2 {
                black_box(S::Curve::mul(black_box(&point), black_box(&scalar)));
            }
            black_box(S::Curve::mul_base(black_box(&scalar)));
        },
    );
    show(&format!("share / its multiplications, {name}"), times);
}

/// 67 shares of 100, verified and put together, and each verified alone.
fn many<S: PrfSuite>(name: &str) {
    let (public, shares) = dealt::<Oprf<S>>(&KEY, 67, 100);
    let query = Query::blinded(&public, &[element()]).expect("an element");
    let mut rng = rng(4);
    let shares: Vec<_> = shares
        .iter()
        .take(67)
        .map(|share| {
            // As they come in from the parties.
            let sent = query.evaluate(share, &mut rng).expect("a share").to_bytes();
            EvaluationShare::from_bytes(share.id(), &sent).expect("as it was sent")
        })
        .collect();
    let times = in_turns(
        || {
            for share in &shares {
                query.verify_share(&public, share).expect("right");
            }
        },
        || drop(black_box(query.aggregate(&public, &shares).expect("right"))),
    );
    show(&format!("67 single checks / check and sum of 67 of 100, {name}"), times);
}

/// All the work of a client and two of three parties, over that of a client and one server of `voprf`.
macro_rules! beside {
    ($ours:ty, $theirs:ty, $name:literal) => {{
        let (public, shares) = dealt::<Oprf<$ours>>(&KEY, 2, 3);
        let server = voprf::OprfServer::<$theirs>::new_from_seed(&KEY, b"key").expect("a key");
        let mut rng = rng(5);
        let times = in_turns(
            || {
                let client = Blinding::<Oprf<$ours>>::new(b"input", &mut rng).expect("an input");
                let query = Query::blinded(&public, &[*client.element()]).expect("an element");
                let answers =
                    [0, 1].map(|at: usize| query.evaluate(&shares[at], &mut rng).expect("a share"));
                let result = query.aggregate(&public, &answers).expect("right").elements();
                black_box(client.finalize(&result[0]));
            },
            || {
                let client =
                    voprf::OprfClient::<$theirs>::blind(b"input", &mut OsRng).expect("an input");
                let answer = server.blind_evaluate(&client.message);
                black_box(client.state.finalize(b"input", &answer).expect("an output"));
            },
        );
        show(concat!("OPRF, 2 of 3 / one server of voprf, ", $name), times);

        let (public, shares) = dealt::<Voprf<$ours>>(&KEY, 2, 3);
        let server = voprf::VoprfServer::<$theirs>::new_from_seed(&KEY, b"key").expect("a key");
        let times = in_turns(
            || {
                let client = Blinding::<Voprf<$ours>>::new(b"input", &mut rng).expect("an input");
                let query = Query::blinded(&public, &[*client.element()]).expect("an element");
                let rounds = [0, 1]
                    .map(|at: usize| query.contribute(&shares[at], &mut rng).expect("a share"));
                let (nonces, sent): (Vec<_>, Vec<_>) = rounds.into_iter().unzip();
                // Each party verifies the package that it answers.
                let packages = [(); 2]
                    .map(|()| ProofPackage::new(&public, &query, sent.clone()).expect("right"));
                let answers: Vec<_> = packages
                    .iter()
                    .zip(&shares)
                    .zip(nonces)
                    .map(|((package, share), nonces)| package.prove(share, nonces).expect("own"))
                    .collect();
                let proof = packages[0].aggregate(&answers).expect("right");
                let result = packages[0].evaluation().elements();
                let key = public.verifying_key();
                black_box(client.finalize(key, &result[0], &proof).expect("a proof"));
            },
            || {
                let client =
                    voprf::VoprfClient::<$theirs>::blind(b"input", &mut OsRng).expect("an input");
                let answer = server.blind_evaluate(&mut OsRng, &client.message);
                let key = server.get_public_key();
                let output = client.state.finalize(b"input", &answer.message, &answer.proof, key);
                black_box(output.expect("a proof"));
            },
        );
        show(concat!("VOPRF with the joint proof, 2 of 3 / one server of voprf, ", $name), times);
    }};
}

fn main() {
    share::<Ristretto255Sha512>("ristretto255");
    share::<P256Sha256>("P-256");
    share::<Secp256k1Sha256>("secp256k1");
    many::<Ristretto255Sha512>("ristretto255");
    many::<P256Sha256>("P-256");
    many::<Secp256k1Sha256>("secp256k1");
    beside!(Ristretto255Sha512, voprf::Ristretto255, "ristretto255");
    beside!(P256Sha256, p256::NistP256, "P-256");
}
