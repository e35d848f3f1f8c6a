//! A plain search for a safe prime with the powers of another library: a sieve by small primes, then Fermat tests.

use chacha20::ChaCha20Rng;
use chacha20::rand_core::{Rng as _, SeedableRng};
use crypto_bigint::modular::{BoxedMontyForm, BoxedMontyParams};
use crypto_bigint::{BoxedUint, Odd, Resize as _};
use num_bigint::BigUint;

/// Small primes up to here are sieved with.
const BOUND: u32 = 1 << 16;
/// Candidates for which one start is used.
const WINDOW: u32 = 1 << 15;
/// q = 5 mod 6, so that p = 2q + 1 = 11 mod 12.
const STEP: u32 = 6;

/// A library's test: whether 2^(n−1) = 1 mod n.
pub(super) type Fermat = fn(&BigUint) -> bool;

/// The test by num-bigint.
pub(super) fn num_bigint(n: &BigUint) -> bool {
    let one = BigUint::from(1u32);
    BigUint::from(2u32).modpow(&(n - &one), n) == one
}

/// The test by crypto-bigint.
pub(super) fn crypto_bigint(n: &BigUint) -> bool {
    let bits = u32::try_from(n.bits().div_ceil(64) * 64).expect("a length in range");
    let number =
        |value: &BigUint| BoxedUint::from_be_slice_vartime(&value.to_bytes_be()).resize(bits);
    let params = BoxedMontyParams::new_vartime(Odd::new(number(n)).expect("odd"));
    let two = BoxedMontyForm::new(number(&BigUint::from(2u32)), &params);
    let power = two.pow(&number(&(n - 1u32))).retrieve();
    power == number(&BigUint::from(1u32))
}

fn small_primes() -> Vec<u32> {
    let mut composite = vec![false; BOUND as usize];
    let mut primes = Vec::new();
    for n in 2..BOUND {
        if !composite[n as usize] {
            (n as usize * 2..BOUND as usize).step_by(n as usize).for_each(|m| composite[m] = true);
            primes.push(n);
        }
    }
    primes
}

/// A random q of this length with the two top bits set, and 5 mod 6.
fn start(bits: u32, rng: &mut ChaCha20Rng) -> BigUint {
    let mut bytes = vec![0; bits.div_ceil(8) as usize];
    rng.fill_bytes(&mut bytes);
    let mut q = BigUint::from_bytes_be(&bytes) % (BigUint::from(1u32) << (bits - 2));
    q += BigUint::from(3u32) << (bits - 2);
    let rest = remainder(&q, STEP);
    q - rest + 5u32 - STEP
}

fn remainder(n: &BigUint, by: u32) -> u32 {
    u32::try_from(n % by).expect("below its divisor")
}

/// Which of q + 6i have a small factor, or 2(q + 6i) + 1 has.
fn sieve(q: &BigUint, primes: &[u32]) -> Vec<bool> {
    let mut out = vec![false; WINDOW as usize];
    for &r in primes.iter().filter(|r| **r > 3) {
        let at = u64::from(remainder(q, r));
        let r64 = u64::from(r);
        // i = −q / 6, and i = (−1/2 − q) / 6.
        let sixth = (1..6).map(|k| k * r64 + 1).find(|n| n % 6 == 0).unwrap_or(0) / 6 % r64;
        let half = r64.div_ceil(2);
        for root in [r64 - at, (2 * r64 - at - half) % r64] {
            let first = usize::try_from(root % r64 * sixth % r64).expect("below a small prime");
            out.iter_mut().skip(first).step_by(r as usize).for_each(|hit| *hit = true);
        }
    }
    out
}

/// A number p of `bits` bits such that p and (p − 1) / 2 pass the test.
pub(super) fn safe_prime(bits: u32, seed: u64, passes: Fermat) -> BigUint {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let primes = small_primes();
    loop {
        let base = start(bits - 1, &mut rng);
        let sieved = sieve(&base, &primes);
        for (i, _) in (0u32..).zip(&sieved).filter(|(_, hit)| !**hit) {
            let q = &base + i * STEP;
            let p = &q * 2u32 + 1u32;
            if passes(&q) && passes(&p) {
                return p;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_safe_primes_with_either_library() {
        for passes in [num_bigint as Fermat, crypto_bigint] {
            let p = safe_prime(128, 7, passes);
            let q = (&p - 1u32) / 2u32;
            assert_eq!(p.bits(), 128);
            assert_eq!(&p % 12u32, BigUint::from(11u32));
            assert!(num_bigint(&p) && num_bigint(&q) && crypto_bigint(&p) && crypto_bigint(&q));
        }
        assert!(!num_bigint(&BigUint::from(91u32)) && !crypto_bigint(&BigUint::from(91u32)));
    }

    #[test]
    fn the_sieve_takes_out_multiples_and_nothing_else() {
        let primes = small_primes();
        let q = start(100, &mut ChaCha20Rng::seed_from_u64(1));
        let sieved = sieve(&q, &primes);
        for i in (0u32..WINDOW).step_by(401) {
            let n = &q + i * STEP;
            let hit = |n: &BigUint| primes.iter().any(|r| remainder(n, *r) == 0);
            let either = hit(&n) || hit(&(&n * 2u32 + 1u32));
            assert_eq!(sieved[i as usize], either, "{i}");
        }
    }
}
