//! The kernels of every engine that runs on this machine, compared in one process: a squaring and a multiplication under
//! moduli of several lengths, and powers of one number and of eight. Times are the least of many, and ratios are to the
//! portable engine.
//!
//! ```sh
//! cargo run --release -p quorate-bignum --features counting --example kernels
//! ```

use core::error::Error;
use core::time::Duration;
use std::time::Instant;

use quorate_bignum::{
    Engine, Integer, Modulus, Natural, Operation, PublicProduct, SecretInteger, SecretNatural,
    SecretProduct,
};

/// Rounds, in each of which every engine is timed once.
const ROUNDS: u32 = 25;

/// The least time of each of several pieces of work, which take turns.
fn least(works: &mut [Box<dyn FnMut() + '_>], rounds: u32) -> Vec<Duration> {
    let mut times = vec![Duration::MAX; works.len()];
    for _ in 0..rounds {
        for (work, time) in works.iter_mut().zip(&mut times) {
            let clock = Instant::now();
            work();
            *time = clock.elapsed().min(*time);
        }
    }
    times
}

fn print(what: &str, name: &str, time: Duration, portable: Duration, count: u32) {
    let (micros, ratio) = (time.as_secs_f64() * 1e6, portable.as_secs_f64() / time.as_secs_f64());
    println!("{what:<34} {name:<18} {:>12.3} us {ratio:>6.2}", micros / f64::from(count));
}

/// A number of this many bits, a multiple of 8, whose lowest and highest bits are 1.
fn number(bits: u32, seed: u64) -> Natural {
    let mut state = 0x9e37_79b9_7f4a_7c15 ^ (seed << 7);
    let mut bytes: Vec<u8> = (0..bits.div_ceil(8))
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state.to_be_bytes()[0]
        })
        .collect();
    if let [high, .., low] = bytes.as_mut_slice() {
        (*low, *high) = (*low | 1, *high | 1 << 7);
    }
    Natural::from_be_bytes(&bytes)
}

/// One operation of each kernel, in time for one number.
fn operations(engines: &[Engine], operation: Operation) {
    const TIMES: u32 = 200;
    let mut names = Vec::new();
    let mut kernels = Vec::new();
    for engine in engines {
        for many in [false, true] {
            // Where there is one kernel alone, it is timed once.
            if (!many || engine.lanes() > 1)
                && let Some(repeated) = engine.repeated(operation, many)
            {
                names.push((engine.name(), repeated.numbers()));
                kernels.push(repeated);
            }
        }
    }
    let mut works: Vec<Box<dyn FnMut() + '_>> = Vec::new();
    for kernel in &mut kernels {
        works.push(Box::new(|| assert!(kernel.run(TIMES))));
    }
    let times = least(&mut works, 4 * ROUNDS);
    let what = if operation.square { "square" } else { "multiply" };
    let portable = times.first().copied().unwrap_or_default();
    for ((name, numbers), time) in names.into_iter().zip(&times) {
        let numbers = u32::try_from(numbers).unwrap_or(1);
        let (name, time) = (format!("{name} x{numbers}"), *time / numbers);
        print(&format!("{what}, {} bits", operation.bits), &name, time, portable, TIMES);
    }
}

/// Powers of `count` numbers, in time for all of them.
fn powers(engines: &[Engine], bits: u32, count: u64) -> Result<(), Box<dyn Error>> {
    let modulus = Modulus::new(&number(bits, 0))?;
    let exponent = Integer::from(number(256, 1));
    let bases: Vec<Natural> = (2..2 + count).map(|seed| number(bits - 64, seed)).collect();
    let public: Vec<_> = bases
        .iter()
        .map(|base| PublicProduct::new(&modulus).power(base.clone(), exponent.clone()))
        .collect();
    let hidden = SecretInteger::classify(&exponent, 256)?;
    let secret_bases = bases
        .iter()
        .map(|base| SecretNatural::classify(base, bits))
        .collect::<Result<Vec<_>, _>>()?;
    let secret: Vec<_> =
        secret_bases.iter().map(|base| SecretProduct::new(&modulus).power(base, &hidden)).collect();
    for (what, is_secret) in [("public", false), ("secret", true)] {
        let mut works: Vec<Box<dyn FnMut() + '_>> = Vec::new();
        for engine in engines {
            let (public, secret) = (&public, &secret);
            works.push(Box::new(move || {
                let right = if is_secret {
                    engine.evaluate(secret).iter().all(Result::is_ok)
                } else {
                    engine.evaluate_vartime(public).iter().all(Result::is_ok)
                };
                assert!(right);
            }));
        }
        let times = least(&mut works, ROUNDS);
        let portable = times.first().copied().unwrap_or_default();
        for (engine, time) in engines.iter().zip(&times) {
            let what = format!("{count} powers by 256 {what}, {bits} bits");
            print(&what, engine.name(), *time, portable, 1);
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let engines = Engine::own();
    for bits in [2048, 3072, 4096, 6144] {
        for square in [true, false] {
            operations(&engines, Operation { bits, rooted: false, square });
        }
    }
    for bits in [2048, 3072] {
        for count in [1, 8] {
            powers(&engines, bits, count)?;
        }
    }
    Ok(())
}
