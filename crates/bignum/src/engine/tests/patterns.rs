//! Kernels at the extremes of their limbs, against the portable kernel and against another library.
#![allow(clippy::integer_division_remainder_used, reason = "tests compute with public numbers")]

use alloc::vec;
use alloc::vec::Vec;

use num_bigint::BigUint;

use super::number;
use crate::kernel::block::{Block, words, zeros};
use crate::kernel::operations::Kernel;
use crate::kernel::portable::Portable;
use crate::modular::parameters::Parameters;
use crate::{Engine, Modulus, Natural};

/// Sizes in use, and others whose numbers of limbs are odd, or full to the last bit.
const SIZES: [u32; 18] = [
    43, 94, 145, 400, 451, 502, 512, 553, 777, 1024, 1031, 1531, 2048, 2049, 2899, 3072, 4096, 6144,
];

fn big(value: &Natural) -> BigUint {
    let length = usize::try_from(value.bits().div_ceil(8)).unwrap();
    BigUint::from_bytes_be(&value.to_be_bytes(length).unwrap())
}

fn natural(value: &BigUint) -> Natural {
    Natural::from_be_bytes(&value.to_bytes_be())
}

fn power(exponent: u32) -> BigUint {
    BigUint::from(1u8) << exponent
}

/// A number of `bits` bits whose limbs of `radix` bits are all ones or zero in turn.
fn striped(bits: u32, radix: u32) -> BigUint {
    let stripe = |at: u32| (power(radix) - 1u8) << (2 * at * radix);
    let all: BigUint = (0..=bits / (2 * radix)).map(stripe).sum();
    all % power(bits)
}

/// Odd numbers of `bits` bits: with all ones, with one bit at either end, with limbs of all ones, and others.
fn moduli(bits: u32) -> Vec<BigUint> {
    let top = power(bits - 1);
    let mut moduli = vec![power(bits) - 1u8, &top + 1u8, big(&number(bits, 7))];
    for radix in [28, 51, 52, 64] {
        // The lowest limb is one, or all ones.
        moduli.push(striped(bits - 1, radix) | &top | BigUint::from(1u8));
        moduli.push(&top + (striped(bits - 1, radix) << radix) % &top + 1u8);
    }
    moduli
}

/// Numbers below `bound`: at its edges, with one bit, with limbs of all ones, and others.
fn values(bound: &BigUint) -> Vec<BigUint> {
    let bits = u32::try_from(bound.bits()).unwrap();
    let mut values = vec![BigUint::ZERO, BigUint::from(1u8), bound - 1u8, power(bits - 1) - 1u8];
    for radix in [28, 51, 52, 64] {
        values.push(striped(bits, radix) % bound);
        values.push((striped(bits, radix) << radix) % bound);
        let middle = bits / radix / 2 * radix;
        values.extend([power(middle), power(middle + radix - 1), power(bits - 1)]);
    }
    values.extend([1, 2].map(|seed| big(&number(bits, seed))));
    values.iter().map(|value| value % bound).collect()
}

/// The product of two lists in a kernel, out of Montgomery form; both lists have a number for each lane.
fn product(
    kernel: &dyn Kernel,
    moduli: &[&Parameters],
    a: &[BigUint],
    b: &[BigUint],
) -> Vec<Vec<u64>> {
    let batch = kernel.batch(moduli).unwrap();
    let mut scratch = zeros(kernel.scratch(batch.limbs));
    let [a, b] = [a, b].map(|numbers| {
        let words: Vec<_> = numbers.iter().map(BigUint::to_u64_digits).collect();
        let words: Vec<&[u64]> = words.iter().map(Vec::as_slice).collect();
        kernel.enter(&words, &batch, &mut scratch)
    });
    let (mut out, mut square) = (zeros(a.len()), zeros(a.len()));
    kernel.mul(&mut out, &a, &b, &batch, &mut scratch);
    kernel.sqr(&mut square, &out, &batch, &mut scratch);
    let left = [out, square].map(|value| kernel.leave(&value, &batch, moduli).unwrap());
    left.into_iter().flatten().map(|words| words.to_vec()).collect()
}

/// Each lane has its own modulus and its own factors.
#[test]
fn kernels_agree_with_the_portable_one() {
    for bits in SIZES {
        let moduli: Vec<Modulus> =
            moduli(bits).iter().map(|n| Modulus::new(&natural(n)).unwrap()).collect();
        for engine in Engine::own() {
            let kernels = engine.kernels().unwrap();
            for kernel in kernels.all() {
                for first in 0..moduli.len() {
                    let taken = moduli.iter().cycle().skip(first).take(kernel.lanes());
                    let taken: Vec<&Parameters> = taken.map(|n| &**n.parameters()).collect();
                    let lists = |shift: usize| -> Vec<BigUint> {
                        let lane = |(lane, n): (usize, &&Parameters)| {
                            let n = big(&Natural::from_words(n.words()));
                            let values = values(&n);
                            values[(lane + shift) % values.len()].clone()
                        };
                        taken.iter().enumerate().map(lane).collect()
                    };
                    for shift in 0..18 {
                        let (a, b) = (lists(shift), lists(shift * shift + first));
                        let made = product(kernel, &taken, &a, &b);
                        let alone = |lane: usize| {
                            product(
                                &Portable,
                                &taken[lane..=lane],
                                &a[lane..=lane],
                                &b[lane..=lane],
                            )
                        };
                        for lane in 0..taken.len() {
                            let expected = alone(lane);
                            let lanes = [&made[lane], &made[lane + taken.len()]];
                            assert_eq!(
                                lanes,
                                [&expected[0], &expected[1]],
                                "{engine} {bits} {lane}"
                            );
                        }
                    }
                }
            }
        }
    }
}

/// The number in a lane, whose limbs must be below the radix.
fn unpacked(kernel: &dyn Kernel, value: &[Block], lane: usize, limbs: usize) -> BigUint {
    let radix = kernel.form().radix();
    let limbs = words(value).iter().skip(lane).step_by(kernel.lanes()).take(limbs);
    limbs.zip(0..).fold(BigUint::ZERO, |sum, (&limb, at)| {
        assert!(limb >> radix == 0, "normalised");
        sum + (BigUint::from(limb) << (at * radix))
    })
}

/// Kernels whose numbers have bits to spare take factors up to sixteen times the modulus, and give less than twice that.
#[test]
fn kernels_take_numbers_above_the_modulus() {
    for bits in SIZES {
        for n in moduli(bits) {
            let modulus = Modulus::new(&natural(&n)).unwrap();
            let values = values(&(&n << 4u32));
            for engine in Engine::own() {
                let kernels = engine.kernels().unwrap();
                for kernel in kernels.all().into_iter().filter(|kernel| kernel.form().radix() < 64)
                {
                    let parameters = vec![&**modulus.parameters(); kernel.lanes()];
                    let batch = kernel.batch(&parameters).unwrap();
                    let mut scratch = zeros(kernel.scratch(batch.limbs));
                    for at in 0..values.len() {
                        let factor = |shift: usize| {
                            let lane = |lane: usize| &values[(at * shift + lane) % values.len()];
                            let all: Vec<&BigUint> = (0..kernel.lanes()).map(lane).collect();
                            let words: Vec<_> = all.iter().map(|x| x.to_u64_digits()).collect();
                            let words = words.iter().map(Vec::as_slice);
                            let packed = kernel.layout().packed(words, batch.limbs);
                            (all, packed)
                        };
                        let ((a, left), (b, right)) = (factor(1), factor(5));
                        let (mut out, mut square) = (zeros(left.len()), zeros(left.len()));
                        kernel.mul(&mut out, &left, &right, &batch, &mut scratch);
                        kernel.sqr(&mut square, &left, &batch, &mut scratch);
                        for lane in 0..kernel.lanes() {
                            for (out, b) in [(&out, &b), (&square, &a)] {
                                let made = unpacked(kernel, out, lane, batch.limbs);
                                assert!(made < &n << 1u32, "{engine} {bits}: too large");
                                let shifted = made << kernel.form().radix_bits(bits);
                                assert_eq!(shifted % &n, a[lane] * b[lane] % &n, "{engine} {bits}");
                            }
                        }
                    }
                }
            }
        }
    }
}
