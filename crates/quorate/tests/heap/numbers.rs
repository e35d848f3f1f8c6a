//! Paillier keys and ring-Pedersen setups, made, stored, opened and used.

use num_bigint::BigUint;
use quorate::ecdsa::{Engine, Level};
use quorate_bignum::{Natural, SecretInteger, SecretNatural};
use quorate_paillier::{Ciphertext, DecryptionKey, EncryptionKey, PedersenTrapdoor, Randomizer};
use quorate_testkit::fixtures;
use quorate_testkit::heap::Watchlist;
pub(crate) use quorate_testkit::numbers::secret_big as big;

use crate::Report;
use crate::runs::watch_number;
use quorate_testkit::rng;

pub(crate) const LEVEL: Level = Level::Bits112;

/// The lowest bits of a number.
fn low(number: &BigUint, bits: u64) -> BigUint {
    number % (BigUint::from(1u8) << bits)
}

fn inverse(a: &BigUint, n: &BigUint) -> BigUint {
    a.modinv(n).unwrap()
}

/// Numbers that reveal two primes.
pub(crate) fn watch_primes(list: &mut Watchlist, name: &str, primes: &[SecretNatural; 2]) {
    let one = BigUint::from(1u8);
    let [p, q] = primes.each_ref().map(big);
    let n = &p * &q;
    let mut watch =
        |what: &str, number: &BigUint| watch_number(list, &format!("{what} of {name}"), number);
    for (p, q, which) in [(&p, &q, "p"), (&q, &p, "q")] {
        let square = p * p;
        watch(which, p);
        watch(&format!("{which}^2"), &square);
        watch(&format!("({which} - 1) / 2"), &(p >> 1));
        watch(&format!("{which} ({which} - 1)"), &(&square - p));
        watch(&format!("inverse of {which} modulo the other"), &inverse(p, q));
        watch(&format!("inverse of {which}^2 modulo the other's"), &inverse(&square, &(q * q)));
        watch(&format!("other modulo {which} - 1"), &(q % (p - &one)));
        watch(
            &format!("minus the inverse of the other modulo {which}"),
            &(p - inverse(&(q % p), p)),
        );
        let mersenne = (&one << p.bits().next_multiple_of(64)) - &one;
        watch(&format!("{which}^-1 mod 2^k - 1"), &inverse(p, &mersenne));
        let radix = p.bits().next_multiple_of(512);
        watch(&format!("R^2 modulo {which}"), &((&one << (2 * radix)) % p));
    }
    let totient = (&p - &one) * (&q - &one);
    // Their upper halves are those of N and of N^2.
    watch("totient", &low(&totient, n.bits() / 2));
    watch("totient / 4", &low(&(&totient >> 2), n.bits() / 2));
    watch("totient of the square", &low(&(&totient * &n), n.bits()));
    // Safe primes have it as well.
    watch("N^-1 modulo the totient", &inverse(&n, &totient));
}

fn each_engine(work: impl FnMut(&Engine)) {
    Engine::available().iter().for_each(work);
}

#[test]
fn making_and_opening_keys() {
    let mut report = Report::default();
    let [for_n, for_setup] =
        [fixtures::paillier_primes(LEVEL, 0), fixtures::pedersen_primes(LEVEL, 0)];
    let setup = |engine: &Engine| {
        let [p, q] = &for_setup;
        PedersenTrapdoor::generate(engine, LEVEL, p, q, &mut rng(3)).unwrap()
    };
    let mut list = Watchlist::new();
    watch_primes(&mut list, "N", &for_n);
    watch_primes(&mut list, "the setup", &for_setup);
    watch_number(&mut list, "lambda", &big(setup(&Engine::detect()).lambda()));
    each_engine(|engine| {
        let [p, q] = &for_n;
        let key = report
            .watch("a key", &list, || DecryptionKey::from_primes(engine, LEVEL, p, q).unwrap());
        let bytes = report.watch("storing a key", &list, || key.to_secret_bytes());
        report.watch("opening a key", &list, || {
            drop(DecryptionKey::from_secret_bytes(engine, LEVEL, &bytes).unwrap());
            drop(key);
        });
        let setup = report.watch("a setup", &list, || setup(engine));
        let bytes = report.watch("storing a setup", &list, || setup.to_secret_bytes());
        report.watch("opening a setup", &list, || {
            drop(PedersenTrapdoor::from_secret_bytes(engine, LEVEL, &bytes).unwrap());
            drop(setup);
        });
    });
}

/// A nonce of an encryption, and the power of it.
fn watch_nonce(list: &mut Watchlist, name: &str, r: &Randomizer) {
    let n = BigUint::from_bytes_be(&r.key().to_bytes());
    let r = big(r.value());
    watch_number(list, name, &r);
    watch_number(list, &format!("{name}^N"), &r.modpow(&n, &(&n * &n)));
}

fn watch_plaintext(list: &mut Watchlist, name: &str, key: &EncryptionKey, m: &SecretInteger) {
    let m = m.declassify();
    let n = BigUint::from_bytes_be(&key.to_bytes());
    let magnitude = BigUint::from_bytes_be(&m.magnitude().to_be_bytes(512).unwrap());
    watch_number(list, name, &magnitude);
    let length = magnitude.bits();
    let residue = if m.is_negative() { &n - magnitude % &n } else { magnitude % &n };
    // Of a negative number, the upper words are those of N and of N^2.
    let (own, all) = (length - length % 64, n.bits());
    watch_number(list, &format!("{name} as a residue"), &low(&residue, own));
    watch_number(list, &format!("1 + N {name}"), &low(&(residue * n + 1u8), all));
}

#[test]
fn used_keys_leave_no_secret_on_the_heap() {
    let mut report = Report::default();
    let detected = Engine::detect();
    let key = fixtures::decryption_key(&detected, LEVEL, 0).unwrap();
    let theirs = fixtures::decryption_key(&detected, LEVEL, 1).unwrap().encryption_key().clone();
    let setup = fixtures::pedersen_trapdoor(&detected, LEVEL, 2, &mut rng(4)).unwrap();
    let own = key.encryption_key();
    let numbers = || {
        let mut rng = rng(5);
        let m = [256u32, 1280, 256].map(|bits| SecretInteger::random_half_range(&mut rng, bits));
        let r = [own, &theirs, &theirs, own].map(|key| Randomizer::random(&mut rng, key).unwrap());
        (m, r)
    };
    let (m, r) = numbers();
    let mut list = Watchlist::new();
    watch_primes(&mut list, "N", &fixtures::paillier_primes(LEVEL, 0));
    watch_primes(&mut list, "the setup", &fixtures::pedersen_primes(LEVEL, 2));
    for (at, r) in r.iter().enumerate() {
        watch_nonce(&mut list, &format!("nonce {at}"), r);
    }
    for (at, m) in m.iter().enumerate() {
        for key in [own, &theirs] {
            watch_plaintext(&mut list, &format!("plaintext {at}"), key, m);
        }
    }
    each_engine(|engine| {
        let ([x, y, z], [r0, r1, r2, r3]) = report.watch("drawing", &list, numbers);
        let [c, c_own] = report.watch("encryption", &list, || {
            let mine = key.encrypt_many(engine, &[(&x, &r0)]).unwrap();
            let list = [(&x, &r1), (&y, &r2)];
            let mut made = theirs.encrypt_many(engine, &list).unwrap();
            [made.remove(0), mine.into_iter().next().unwrap()]
        });
        report.watch("affine", &list, || {
            let (m, m_own) = (theirs.plaintext(&y), own.plaintext(&y));
            let product = theirs.affine(&x, &c, &m, &r2).unwrap();
            let product_own = key.affine(&x, &c_own, &m_own, &r3).unwrap();
            engine.evaluate(&[product, product_own]).into_iter().for_each(|one| drop(one.unwrap()));
        });
        report.watch("decryption", &list, || {
            drop(key.decrypt_many(engine, &[&c_own]).unwrap());
            drop(key.randomizers(engine, &[&c_own]).unwrap());
        });
        report.watch("commitments", &list, || {
            setup.commit_many(engine, &[(&x, &y), (&z, &y)]).unwrap();
            setup.pedersen().commit_many(engine, &[(&x, &y)]).unwrap();
        });
        report.watch("raising", &list, || {
            let [mut r0, mut r1, mut r2, mut r3] = numbers().1;
            let mut all = [&mut r0, &mut r1, &mut r2, &mut r3];
            Randomizer::raise_many(engine, &mut all, Some(&key)).unwrap();
            let r = SecretNatural::from_be_bytes(&r0.value().to_be_bytes());
            drop(Randomizer::new(own, r).unwrap());
        });
    });
}

/// The plaintexts and the nonces of ciphertexts under a party's key.
pub(crate) fn watch_ciphertexts(
    list: &mut Watchlist,
    name: &str,
    place: usize,
    bytes: &[&[u8]],
) -> Vec<SecretInteger> {
    let engine = Engine::detect();
    let key = fixtures::decryption_key(&engine, LEVEL, place).unwrap();
    let read = |bytes: &&[u8]| {
        Ciphertext::new(key.encryption_key(), Natural::from_be_bytes(bytes)).unwrap()
    };
    let ciphertexts: Vec<Ciphertext> = bytes.iter().map(read).collect();
    let ciphertexts: Vec<&Ciphertext> = ciphertexts.iter().collect();
    for nonce in key.randomizers(&engine, &ciphertexts).unwrap() {
        watch_nonce(list, &format!("nonce of {name}"), &nonce);
    }
    let plaintexts = key.decrypt_many(&engine, &ciphertexts).unwrap();
    for m in &plaintexts {
        watch_plaintext(list, &format!("plaintext of {name}"), key.encryption_key(), m);
    }
    plaintexts
}
