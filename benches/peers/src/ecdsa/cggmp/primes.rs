//! Primes for those who bring them along.

use quorate_benches::ecdsa::Setup;
use rug::Integer;
use rug::rand::RandState;

/// Random primes that are 3 modulo 4, `each` for every party, the same in every run. They are not safe primes,
/// which would take minutes to find; nothing that is measured takes notice.
pub(super) fn primes(setup: Setup, each: usize) -> Vec<Vec<Integer>> {
    let bits = setup.level.modulus_bits() >> 1;
    let mut random = RandState::new();
    let mut prime = || loop {
        let mut start = Integer::from(Integer::random_bits(bits, &mut random));
        start.set_bit(bits - 1, true).set_bit(bits - 2, true);
        let prime = start.next_prime();
        if prime.mod_u(4) == 3 && prime.significant_bits() == bits {
            return prime;
        }
    };
    (0..setup.n).map(|_| (0..each).map(|_| prime()).collect()).collect()
}
