//! Big numbers: engines against each other, arithmetic against another library.

pub(crate) mod engines;
pub(crate) mod numbers;

use num_bigint::BigUint;
use quorate_testkit::numbers::{big, natural};

use crate::input::Input;
use crate::seeds::Seed;

/// The longest number that an input asks for, in bits.
const MAX_BITS: u16 = 2100;

/// A length in bits, from 1 to [`MAX_BITS`]; half of them near a multiple of 64, where limbs end.
fn length(input: &mut Input<'_>) -> u32 {
    let (choice, raw) = (input.byte(), input.pair());
    let bits = if choice < 128 {
        raw % MAX_BITS
    } else {
        (raw % (MAX_BITS / 64) * 64 + u16::from(choice % 8)).saturating_sub(4)
    };
    u32::from(bits.clamp(1, MAX_BITS))
}

/// A number of at most `bits` bits: an extreme one, some bytes at its top or at its bottom, or bytes that repeat.
fn number(input: &mut Input<'_>, bits: u32) -> BigUint {
    let one = BigUint::from(1u8);
    let top = &one << bits;
    let choice = input.byte();
    match choice % 8 {
        0 => BigUint::from(choice >> 3),
        1 => &top - 1u8 - BigUint::from(choice >> 3).min(&top - 1u8),
        2 => (&top >> 1u8) + BigUint::from(choice >> 3),
        3 => BigUint::from_bytes_be(input.bytes(usize::from(choice >> 3) + 1)),
        4 => {
            let bytes = input.bytes(usize::from(choice >> 3) + 1);
            BigUint::from_bytes_be(bytes) << bits.saturating_sub(8 * u32::from(choice >> 3) + 8)
        }
        // Long runs of ones and zeros.
        5 => &top - (&one << (bits * u32::from(choice >> 3) / 32)),
        _ => {
            let bytes = input.bytes(usize::from(choice >> 3) + 1);
            let repeated: Vec<u8> =
                bytes.iter().copied().cycle().take(bits.div_ceil(8) as usize).collect();
            BigUint::from_bytes_be(&repeated)
        }
    }
    .modpow(&one, &top)
}

/// An odd number from 3 up, of at most `bits` bits but for the smallest.
fn odd(input: &mut Input<'_>, bits: u32) -> BigUint {
    let mut out = number(input, bits);
    out.set_bit(0, true);
    out.max(BigUint::from(3u8))
}

fn gcd(a: &BigUint, b: &BigUint) -> BigUint {
    let (mut a, mut b) = (a.clone(), b.clone());
    while b.bits() > 0 {
        (a, b) = (b.clone(), a % b);
    }
    a
}

fn is_unit(a: &BigUint, n: &BigUint) -> bool {
    gcd(a, n) == BigUint::from(1u8)
}

/// Inputs to start from.
pub(crate) fn seeds() -> Vec<Seed> {
    let seed = |target| {
        move |(name, bytes): &(&str, &[u8])| Seed {
            target,
            name: (*name).into(),
            bytes: bytes.to_vec(),
        }
    };
    let engines = engines::SEEDS.iter().map(seed("bignum_engines"));
    let numbers = numbers::SEEDS.iter().map(seed("bignum_numbers"));
    engines.chain(numbers).collect()
}
