//! The test of primality on known numbers.

use num_bigint::BigUint;

use super::super::candidate::Candidate;
use super::{big, start};
use crate::{Engine, Natural, SecretNatural};

/// The test, of an odd number of at least 1024.
fn is_prime(n: &BigUint) -> bool {
    let n = Natural::from_be_bytes(&n.to_bytes_be());
    let n = SecretNatural::classify(&n, n.bits()).unwrap();
    let twos = Candidate::new(&n).unwrap().twos_vartime();
    super::super::primality::is_prime(&Engine::detect(), &n, twos).unwrap()
}

fn number(decimal: &str) -> BigUint {
    BigUint::parse_bytes(decimal.as_bytes(), 10).unwrap()
}

fn mersenne(exponent: u32) -> BigUint {
    (BigUint::from(1u8) << exponent) - 1u8
}

/// Fermat's test to a dozen bases. It is independent of the code under test, and enough for numbers that no
/// attacker chose.
fn looks_prime(n: &BigUint) -> bool {
    [2u8, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37]
        .iter()
        .all(|&a| BigUint::from(a).modpow(&(n - 1u8), n) == BigUint::from(1u8))
}

#[test]
fn small_numbers_against_eratosthenes() {
    const LIMIT: usize = 5000;
    let mut composite = [false; LIMIT];
    for n in 2..LIMIT {
        if !composite[n] {
            (n * n..LIMIT).step_by(n).for_each(|k| composite[k] = true);
        }
        if n > 1024 && n % 2 == 1 {
            assert_eq!(is_prime(&BigUint::from(n)), !composite[n], "{n}");
        }
    }
}

#[test]
fn numbers_of_some_twenty_bits_by_trial_division() {
    let primes: Vec<u32> =
        (2..1500u32).filter(|&n| (2..n).take_while(|d| d * d <= n).all(|d| n % d != 0)).collect();
    for n in ((1u32 << 20) - 199..(1 << 20) + 400).step_by(2) {
        assert_eq!(is_prime(&BigUint::from(n)), primes.iter().all(|p| n % p != 0), "{n}");
    }
    for p in [1021u32, 1031, 1033, 1039, 1049] {
        assert!(!is_prime(&(BigUint::from(p) * p)) && !is_prime(&(BigUint::from(p) * 1031u32)));
    }
}

#[test]
fn pseudoprimes_are_refused() {
    let composites = [
        // Carmichael numbers.
        "41041",
        "825265",
        "321197185",
        "5394826801",
        "232250619601",
        "9746347772161",
        "1436697831295441",
        "60977817398996785",
        "7156857700403137441",
        "1791562810662585767521",
        "87674969936234821377601",
        // The least strong pseudoprimes to the first 1, 2, 3, ... prime bases.
        "2047",
        "1373653",
        "25326001",
        "3215031751",
        "2152302898747",
        "3474749660383",
        "341550071728321",
        "3825123056546413051",
        "318665857834031151167461",
        "3317044064679887385961981",
        // Strong to base 2, among them squares of Wieferich's primes.
        "3277",
        "4033",
        "8321",
        "1194649",
        "12327121",
        "90751",
        "104653",
        "2284453",
        "4335241",
        "74665",
    ];
    for decimal in composites {
        assert!(!is_prime(&number(decimal)), "{decimal}");
    }
    // Lucas and strong Lucas pseudoprimes for Selfridge's parameters.
    for n in [
        1159u32, 1829, 3827, 5459, 5777, 9071, 9179, 10877, 11419, 11663, 13919, 14839, 16109,
        16211, 18407, 18971, 19043, 22499, 24569, 25199, 40309, 58519, 75077, 97439, 100127,
        113573, 115639, 130139,
    ] {
        assert!(!is_prime(&BigUint::from(n)), "{n}");
    }
}

/// Numbers `p (k (p - 1) + 1) ...`: Carmichael numbers as long as those in use, by Chernick's formula, and products of
/// the shape that deceives fixed bases.
#[test]
fn made_composites_are_refused() {
    let mut found = 0;
    for k in 1u64.. {
        let m = (BigUint::from(1u8) << 100u32) + k;
        let factors = [6u8, 12, 18].map(|c| &m * c + 1u8);
        let sieved = |n: &BigUint| [5u8, 7, 11, 13, 17, 19].iter().all(|r| n % r != BigUint::ZERO);
        if factors.iter().all(sieved) && factors.iter().all(looks_prime) {
            let carmichael = &factors[0] * &factors[1] * &factors[2];
            assert!(
                BigUint::from(2u8).modpow(&(&carmichael - 1u8), &carmichael) == BigUint::from(1u8)
            );
            assert!(!is_prime(&carmichael));
            found += 1;
        }
        if found == 2 {
            break;
        }
    }
    // p (2 p - 1), strong to base 2 for many p, and p^2, p^3.
    for words in [1, 3, 8] {
        let first = big(&start(words)) | BigUint::from(1u8);
        let p = (0u32..).map(|k| &first + 2 * k).find(looks_prime).unwrap();
        for composite in
            [&p * (&p * 2u8 - 1u8), &p * &p, &p * &p * &p, &p * mersenne(127), &p * (&p + 2u8)]
        {
            assert!(!is_prime(&composite), "{composite}");
        }
        assert!(is_prime(&p));
    }
    // Carmichael's 341-like numbers to base 2: Mersenne and Fermat numbers that are composite.
    for exponent in [67, 83, 97, 101, 257, 1009] {
        assert!(!is_prime(&mersenne(exponent)));
    }
    for exponent in [32u32, 64, 128, 256, 512, 1024] {
        assert!(!is_prime(&((BigUint::from(1u8) << exponent) + 1u8)));
    }
}

/// Arnault's number of 397 digits: strong to every prime base below 307.
#[test]
fn arnaults_composite_is_refused() {
    let p = number(concat!(
        "29674495668685510550154174642905332730771991799853043350995075531276838753171770199594238596428121188033664754218345",
        "562493168782883",
    ));
    let n = &p * (&p * 313u32 - 312u32) * (&p * 353u32 - 352u32);
    assert_eq!(n.to_string().len(), 397);
    assert!(looks_prime(&p) && looks_prime(&n), "it deceives the bases that it is made for");
    assert!(!is_prime(&n));
}

#[test]
fn known_primes_are_accepted() {
    for exponent in [13, 17, 19, 31, 61, 89, 107, 127, 521, 607, 1279] {
        assert!(is_prime(&mersenne(exponent)), "{exponent}");
    }
    // 2^255 - 19, the primes of P-256 and secp256k1 and of Ed448, and one with many twos below it: 3 2^189 + 1.
    let two = |k: u32| BigUint::from(1u8) << k;
    let p256 = two(256) - two(224) + two(192) + two(96) - 1u8;
    let secp256k1 = two(256) - two(32) - 977u32;
    for prime in [
        two(255) - 19u8,
        p256,
        secp256k1,
        two(448) - two(224) - 1u8,
        two(189) * 3u8 + 1u8,
        two(16) + 1u8,
    ] {
        assert!(is_prime(&prime), "{prime}");
    }
}

/// RFC 3526: `p = 2^n - 2^(n - 64) - 1 + 2^64 ([2^(n - 130) pi] + c)`, safe.
#[test]
fn the_moduli_of_rfc_3526_are_safe_primes() {
    for (bits, c) in [(1536u32, 741_804u32), (2048, 124_476)] {
        let one = BigUint::from(1u8);
        let pi = pi(bits);
        let p = (&one << bits) - (&one << (bits - 64)) - 1u8 + (((pi >> 130u32) + c) << 64u32);
        assert!(is_prime(&p) && is_prime(&((&p - 1u8) >> 1u32)), "{bits}");
        assert!(!is_prime(&(&p + 2u8)) && !is_prime(&(&p - 2u8)));
    }
}

/// `2^bits pi`, rounded down, by Machin's formula.
fn pi(bits: u32) -> BigUint {
    let arctan = |inverse: u32| {
        let mut power = (BigUint::from(1u8) << (bits + 64)) / inverse;
        let (mut plus, mut minus, mut k) = (BigUint::ZERO, BigUint::ZERO, 1u32);
        while power != BigUint::ZERO {
            if k % 4 == 1 {
                plus += &power / k
            } else {
                minus += &power / k
            }
            power /= inverse * inverse;
            k += 2;
        }
        plus - minus
    };
    ((arctan(5) * 16u8) - (arctan(239) * 4u8)) >> 64u32
}

/// Primes all small residues of whose are 1: the search for Selfridge's D runs past its check for squares.
#[test]
fn a_prime_that_is_a_square_for_every_small_d() {
    let product = (3u32..180)
        .filter(|&n| n % 2 == 1 && (3..n).all(|d| n % d != 0))
        .fold(BigUint::from(8u8), |a, p| a * p);
    let prime = (1u32..).map(|k| &product * k + 1u8).find(looks_prime).unwrap();
    assert!(is_prime(&prime));
    let square = (1u32..).map(|k| &product * k + 1u8).filter(looks_prime).nth(1).unwrap();
    assert!(!is_prime(&(&square * &square)) && !is_prime(&(&square * &prime)));
}

/// Numbers of Wycheproof's list for tests of primality, the odd ones above 1024: squares, numbers that are strong pseudoprimes to a dozen bases and
/// more, those that deceived Maple, Mathematica, Axiom and GNU Crypto, and two of the worst for the strong test. Primes
/// and longer composites of its kinds are made above.
#[test]
fn wycheproofs_composites_are_refused() {
    let composites = [
        "7ffffffffffffffff",
        "7fffffffffffffffff",
        "100000000000000000000000000000001",
        "10000000000000000000000000000000000000000000000000000000000000001",
        concat!(
            "10000000000000000000000000000000000000000000000000000000000000000000000000000000",
            "0000000000000000000000000000000000000000000000001",
        ),
        "123a99",
        "bc18d1",
        "10201",
        "f2ad9",
        "1f51f3fee3b",
        "32907381cdf",
        "136a352b2c8c1",
        "23c3db80e80e53bd1",
        "504e8e504fd585e79193ca1",
        "b7d84161830e3f6f2231a7a1",
        "4c6092d9a7a5462b34e5",
        "22c9a603ee84bb9c4cad",
        "437ae92817f9fc85b7e5",
        "190e262098f0d746505",
        "27a5f7ca7b29ee74d5525",
        "8d60a89f3f36cb1fd495",
        "2be6951adc5b22410a5fd",
        "292a0068ebb0ed3251f55",
        "750b703e68cb957ab415",
        "2d0facc78aeeb89f5b299",
        "9bdc1c98b9b",
        "ffb48c934842b",
        "18444fdb12afb7",
        "8e4f37e51",
        "179d55b600e7f1",
        "85270bd76a142abc3037d1aab3b",
        "2cb78fe3f36c4f5f05dbe92b82798d5fc18f2bfaaa388ef",
        concat!(
            "4682f52f0b54308d315b2fbec25065506c77be95912b137bc6eecffad8a299b631c55ce068702b1b",
            "3e4ce50958994c289b148fb298a8c603a0959cb0ba5ad4bcba278cf4c87e0ff85a62a25c40849662",
            "c53d0f81cf9e4431d8c391586629260e558db473997db20108278b1ae374089140d93bc2c5a808ad",
            "3aaf212f60bfc93cc0c788149dcd82f7ab",
        ),
        concat!(
            "f67307e54779cfe9120bf862afc5466c5d6d0783d12df5215c0c981c51e4bfc098e9afd574f51b18",
            "c820259b692ec0bf7c9d6e56e9bb99fbd3b7ecc4082146a9d7a5b7bc6519d476c4a9975d9c3e3b12",
            "bee45b7accb07a6a68ea583ac2523ef32ee6d01bc766b59c43031f9c6980c9b4317da6825be9f7c5",
            "db03283d04c13323",
        ),
        concat!(
            "c1d00b32d63e3ea4fb69ab6b9dee40a17fada46c122e52a53fecd3fe613303f51c07871dc0b5d8d8",
            "c1705b484de6bdb7f442efecd7d9f59dc36e495f72905c7619bc4d3706283774e704a3adad7d6c1b",
            "e42ddeffc2ca5b1c0e31b58ed606f16dc14676e60ecff42ae33e503621e232ba449e91e3a9909e80",
            "a8318610aea3b7cf",
        ),
    ];
    for hex in composites {
        assert!(!is_prime(&BigUint::parse_bytes(hex.as_bytes(), 16).unwrap()), "{hex}");
    }
}
