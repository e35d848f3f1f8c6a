//! Key shares of cggmp24, and of cggmp21.

use cggmp24::KeyShare;
use quorate_benches::ecdsa::{EcdsaCurve, Ledger, Level, Setup};
use serde::Serialize;

use super::Lines;
use crate::OldRng;
use crate::ecdsa::{Short, cggmp24_primes, run};

/// The parties of every key.
const N: u16 = 3;

/// Runs a protocol by the three parties: `$machine` makes party `$i`'s from its generator `$rng`.
macro_rules! run {
    ($seed:expr, |$i:ident, $rng:ident| $machine:expr) => {{
        let mut rngs: Vec<_> = (0..3).map(|party| OldRng::new($seed + party)).collect();
        let machines = (0..N).zip(&mut rngs).map(|($i, $rng)| $machine);
        let made = run(machines.collect(), &mut Ledger::timing());
        made.into_iter().map(|one| one.expect("honest parties")).collect::<Vec<_>>()
    }};
}

/// The keys over a curve: of 2 of 3, with and without a chain code; of 3 of 3 without a polynomial; one with aux-info;
/// and one of cggmp21.
macro_rules! file {
    ($name:ident, $curve:ident, $setup:expr) => {
        pub(super) fn $name() -> String {
            use cggmp24::supported_curves::$curve as Curve;
            let mut lines = Lines::new("cggmp24 0.7.0-alpha.3 and cggmp21 0.6");
            let id = cggmp24::ExecutionId::new(b"quorate");

            let keys = run!(80, |i, rng| {
                cggmp24::keygen::<Curve>(id, i, N).set_threshold(2).into_state_machine(rng)
            });
            stored(&mut lines, "threshold", &keys);
            lines.json("threshold/public", &keys[0].key_info);

            let primes = cggmp24_primes::<Short>($setup);
            let aux = run!(84, |i, rng| {
                let primes = primes[usize::from(i)].clone();
                cggmp24::aux_info_gen(id, i, N, primes).into_state_machine(rng)
            });
            let both = (keys[0].clone(), aux[0].clone());
            let whole = KeyShare::<Curve, Short>::from_parts(both).expect("parts that fit");
            lines.json("whole/1", &whole);

            let keys = run!(88, |i, rng| {
                let keygen = cggmp24::keygen::<Curve>(id, i, N).set_threshold(2);
                keygen.hd_wallet(false).into_state_machine(rng)
            });
            stored(&mut lines, "no-chain-code", &keys);

            let keys =
                run!(92, |i, rng| cggmp24::keygen::<Curve>(id, i, N).into_state_machine(rng));
            stored(&mut lines, "no-polynomial", &keys);
            lines.json("no-polynomial/public", &keys[0].key_info);

            let id = cggmp21::ExecutionId::new(b"quorate");
            let keys = run!(96, |i, rng| {
                use cggmp21::supported_curves::$curve as Curve;
                cggmp21::keygen::<Curve>(id, i, N).set_threshold(2).into_state_machine(rng)
            });
            stored(&mut lines, "cggmp21", &keys);
            lines.0
        }
    };
}

file!(secp256k1, Secp256k1, setup(EcdsaCurve::Secp256k1));
file!(p256, Secp256r1, setup(EcdsaCurve::P256));

/// Short moduli: nothing reads them.
const fn setup(curve: EcdsaCurve) -> Setup {
    Setup { curve, level: Level::Bits112, t: 2, n: N, k: 1 }
}

fn stored(lines: &mut Lines, name: &str, keys: &[impl Serialize]) {
    for (place, key) in (1..).zip(keys) {
        lines.json(&format!("{name}/{place}"), key);
    }
}
