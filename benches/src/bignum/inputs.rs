//! The numbers that every contender works on.

use chacha20::ChaCha20Rng;
use chacha20::rand_core::{Rng as _, SeedableRng};
use quorate_bignum::{Integer, Modulus, Natural, SecretNatural};

/// Products in a list.
pub(super) const LIST: usize = 8;

/// Bits of the exponents of `s` and `t` in the ring-Pedersen products.
pub(super) const PEDERSEN: [u32; 2] = [768, 2600];

/// Random inputs of one size: odd moduli with the top bit set, full-size bases and exponents.
pub struct Inputs {
    /// The size in bits.
    pub bits: u32,
    /// A modulus for each product of a list.
    pub moduli: Vec<Modulus>,
    /// A base for each.
    pub bases: Vec<Natural>,
    /// An exponent for each.
    pub exponents: Vec<Integer>,
    /// The exponents as secrets.
    pub secret_exponents: Vec<SecretNatural>,
    /// The bases as secrets.
    pub secret_bases: Vec<SecretNatural>,
    /// Exponents of `s` and `t`, for each product.
    pub pedersen: Vec<[Integer; 2]>,
}

/// A number of exactly `bits` bits.
fn exactly(rng: &mut ChaCha20Rng, bits: u32, odd: bool) -> Natural {
    let mut bytes = vec![0; bits.div_ceil(8) as usize];
    rng.fill_bytes(&mut bytes);
    let number = Natural::from_be_bytes(&bytes).shr((8 - bits % 8) % 8);
    let top = Natural::power_of_two(bits - 1);
    let number = if number.bit(bits - 1) { number } else { number.add(&top) };
    if odd && !number.is_odd() { number.add(&Natural::one()) } else { number }
}

impl Inputs {
    /// The inputs of this size; the same in every run.
    #[must_use]
    pub fn new(bits: u32) -> Self {
        let rng = &mut ChaCha20Rng::seed_from_u64(u64::from(bits));
        let moduli: Vec<Modulus> = (0..LIST)
            .map(|_| Modulus::new(&exactly(rng, bits, true)).expect("odd and large"))
            .collect();
        let bases: Vec<Natural> =
            moduli.iter().map(|n| n.reduce(&exactly(rng, bits + 64, false))).collect();
        let exponents: Vec<Integer> = (0..LIST).map(|_| exactly(rng, bits, false).into()).collect();
        let secret_exponents = exponents
            .iter()
            .map(|e| SecretNatural::classify(e.magnitude(), bits).expect("within its bound"))
            .collect();
        let secret_bases = bases
            .iter()
            .map(|b| SecretNatural::classify(b, bits).expect("within its bound"))
            .collect();
        let pedersen =
            (0..LIST).map(|_| PEDERSEN.map(|bits| exactly(rng, bits, false).into())).collect();
        Self { bits, moduli, bases, exponents, secret_exponents, secret_bases, pedersen }
    }
}
