//! The primes and the bytes that are keys, and those that are not.

use num_bigint::BigUint;
use quorate_bignum::SecretNatural;
use quorate_paillier::{DecryptionKey, EncryptionKey, Error, Level, PedersenTrapdoor};
use quorate_testkit::fixtures;

use crate::support::{big, engine, key, natural, rng, secret_big, secret_natural};

fn primes(level: Level, index: usize) -> [BigUint; 2] {
    fixtures::paillier_primes(level, index).map(|p| secret_big(&p))
}

fn from(level: Level, p: &BigUint, q: &BigUint) -> Result<(), Error> {
    DecryptionKey::from_primes(&engine(), level, &secret_natural(p), &secret_natural(q)).map(|_| ())
}

#[test]
fn sizes_are_those_of_the_level() {
    assert_eq!(Level::default(), Level::Bits128);
    let sizes = Level::ALL
        .map(|l| (l.modulus_bits(), l.modulus_bytes(), l.prime_bytes(), l.ciphertext_bytes()));
    assert_eq!(sizes, [(3072, 384, 192, 768), (2048, 256, 128, 512)]);
    for level in Level::ALL {
        assert_eq!(key(level, 0).encryption_key().modulus().bits(), level.modulus_bits());
        assert_eq!(key(level, 0).level(), level);
    }
}

#[test]
fn primes_of_another_kind_are_refused() {
    let level = Level::Bits112;
    let [p, q] = primes(level, 0);
    assert_eq!(from(level, &p, &q), Ok(()));
    assert_eq!(from(level, &q, &p), Ok(()));
    assert_eq!(from(level, &p, &p), Err(Error::ClosePrimes));
    // So near that 96 bits at the top agree; then one bit further away.
    let (near, far) = (&p ^ (BigUint::from(1u8) << 900u32), &p ^ (BigUint::from(1u8) << 930u32));
    assert_eq!(from(level, &p, &near), Err(Error::ClosePrimes));
    assert_ne!(from(level, &p, &far), Err(Error::ClosePrimes));
    // 1 modulo 4, even, composite.
    assert_eq!(from(level, &p, &(&q + 2u8)), Err(Error::NotBlum));
    assert_eq!(from(level, &p, &(&q + 1u8)), Err(Error::NotBlum));
    assert_eq!(from(level, &p, &(&q + 4u8)), Err(Error::NotPrime));
    assert_eq!(from(level, &(&p + 4u8), &q), Err(Error::NotPrime));
    // One bit too short, one too long, of another level, nothing.
    assert_eq!(from(level, &p, &(&q >> 1u32)), Err(Error::PrimeSize));
    assert_eq!(from(level, &p, &((&q << 1u32) | BigUint::from(3u8))), Err(Error::PrimeSize));
    assert_eq!(from(Level::Bits128, &p, &q), Err(Error::PrimeSize));
    assert_eq!(from(level, &BigUint::from(0u8), &q), Err(Error::PrimeSize));
    let [p, q] = primes(Level::Bits128, 0);
    assert_eq!(from(level, &p, &q), Err(Error::PrimeSize));
    // A product one bit too short.
    let short = (BigUint::from(1u8) << 1023u32) + 3u8;
    assert_eq!(from(level, &short, &((BigUint::from(5u8) << 1021u32) + 3u8)), Err(Error::Modulus));
}

#[test]
fn a_prime_with_room_to_spare_is_the_same_prime() {
    let [p, q] = primes(Level::Bits112, 0);
    let wide = SecretNatural::from_be_bytes(&[vec![0; 5], p.to_bytes_be()].concat());
    let own =
        DecryptionKey::from_primes(&engine(), Level::Bits112, &wide, &secret_natural(&q)).unwrap();
    assert_eq!(big(own.encryption_key().modulus().value()), p * q);
}

#[test]
fn public_keys_are_read_strictly() {
    for level in Level::ALL {
        let own = key(level, 1);
        let (key, bytes) = (own.encryption_key(), own.encryption_key().to_bytes());
        assert_eq!(bytes.len(), level.modulus_bytes());
        assert_eq!(EncryptionKey::from_bytes(level, &bytes).unwrap(), *key);
        let mut even = bytes.clone();
        *even.last_mut().unwrap() ^= 1;
        assert_eq!(EncryptionKey::from_bytes(level, &even), Err(Error::Modulus));
        let mut short = bytes.clone();
        short[0] &= 0x7f;
        assert_eq!(EncryptionKey::from_bytes(level, &short), Err(Error::Modulus));
        assert_eq!(EncryptionKey::from_bytes(level, &bytes[1..]), Err(Error::Length));
        assert_eq!(
            EncryptionKey::from_bytes(level, &[&[0], bytes.as_slice()].concat()),
            Err(Error::Length)
        );
        assert_eq!(
            EncryptionKey::from_bytes(level, &vec![0; level.modulus_bytes()]),
            Err(Error::Modulus)
        );
        let n = big(key.modulus().value());
        for wrong in [
            &n << 1u32,
            (&n << 1u32) | BigUint::from(1u8),
            &n >> 1u32,
            BigUint::from(1u8),
            BigUint::from(0u8),
        ] {
            assert_eq!(EncryptionKey::new(level, &natural(&wrong)), Err(Error::Modulus));
        }
    }
    let other = key(Level::Bits112, 0).encryption_key().to_bytes();
    assert_eq!(EncryptionKey::from_bytes(Level::Bits128, &other), Err(Error::Length));
}

#[test]
fn stored_keys_open_and_every_altered_byte_is_refused() {
    let level = Level::Bits112;
    let own = key(level, 0);
    let bytes = own.to_secret_bytes();
    assert_eq!(bytes.len(), 2 + 2 * level.modulus_bytes());
    let again = DecryptionKey::from_secret_bytes(&engine(), level, &bytes).unwrap();
    assert_eq!(again.encryption_key(), own.encryption_key());
    assert_eq!(again.to_secret_bytes(), bytes);
    for i in 0..bytes.len() {
        for bit in [0, 7] {
            let mut wrong = bytes.clone();
            wrong[i] ^= 1 << bit;
            assert!(
                DecryptionKey::from_secret_bytes(&engine(), level, &wrong).is_err(),
                "byte {i}"
            );
        }
    }
    // N that is not p q.
    let mut other = bytes.clone();
    other[2 + 100] ^= 1;
    assert_eq!(
        DecryptionKey::from_secret_bytes(&engine(), level, &other).map(|_| ()),
        Err(Error::Inconsistent)
    );
    assert_eq!(
        DecryptionKey::from_secret_bytes(&engine(), level, &bytes[..500]).map(|_| ()),
        Err(Error::Length)
    );
    assert_eq!(
        DecryptionKey::from_secret_bytes(&engine(), level, &[]).map(|_| ()),
        Err(Error::Length)
    );
    let other = DecryptionKey::from_secret_bytes(&engine(), Level::Bits128, &bytes).map(|_| ());
    assert_eq!(other, Err(Error::Version));
}

#[test]
fn stored_setups_open_and_every_altered_byte_is_refused() {
    let level = Level::Bits112;
    let own = fixtures::pedersen_trapdoor(&engine(), level, 0, &mut rng(20)).unwrap();
    let bytes = own.to_secret_bytes();
    assert_eq!(bytes.len(), 2 + 5 * level.modulus_bytes());
    let again = PedersenTrapdoor::from_secret_bytes(&engine(), level, &bytes).unwrap();
    assert_eq!(again.pedersen(), own.pedersen());
    assert_eq!(again.to_secret_bytes(), bytes);
    for i in 0..bytes.len() {
        let mut wrong = bytes.clone();
        wrong[i] ^= 1 << (i % 8);
        assert!(PedersenTrapdoor::from_secret_bytes(&engine(), level, &wrong).is_err(), "byte {i}");
    }
    // N̂ that is not p q; s that is not t^λ.
    for at in [2 + 100, 2 + 2 * level.modulus_bytes() - 1] {
        let mut other = bytes.clone();
        other[at] ^= 1;
        assert_eq!(
            PedersenTrapdoor::from_secret_bytes(&engine(), level, &other).map(|_| ()),
            Err(Error::Inconsistent)
        );
    }
    assert_eq!(
        PedersenTrapdoor::from_secret_bytes(&engine(), level, &bytes[1..]).map(|_| ()),
        Err(Error::Version)
    );
    assert_eq!(
        PedersenTrapdoor::from_secret_bytes(&engine(), level, &bytes[..9]).map(|_| ()),
        Err(Error::Length)
    );
}

#[test]
fn secrets_print_their_type_only() {
    let mut rng = rng(21);
    let own = key(Level::Bits112, 0);
    let setup = fixtures::pedersen_trapdoor(&engine(), Level::Bits112, 0, &mut rng).unwrap();
    let r = quorate_paillier::Randomizer::random(&mut rng, own.encryption_key()).unwrap();
    let m = own.encryption_key().plaintext(&SecretNatural::from_be_bytes(&[1]).into());
    assert_eq!(
        format!("{own:?} {setup:?} {r:?} {m:?}"),
        "DecryptionKey PedersenTrapdoor Randomizer Plaintext"
    );
}
