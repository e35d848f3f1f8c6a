//! Paillier keys and ring-Pedersen setups, opened and used.

use quorate_bignum::{Engine, Integer, Natural, SecretInteger, SecretNatural};
use quorate_paillier::{Ciphertext, DecryptionKey, PedersenTrapdoor, Randomizer};
use quorate_testkit::fixtures;

use super::{Case, Run, bytes};
use crate::memory::hide;
use crate::random::{self, Secrets};

pub(super) const ALL: &[Case] = &[
    ("Paillier key opened, decryption", decryption),
    ("encryption, own key and another's", encryption),
    ("multiplication of a ciphertext", affine),
    ("setup opened, commitments", commitments),
];

/// The key of party `index`, from a stored form whose primes are marked.
pub(super) fn key(Run { engine, level }: &Run, index: usize) -> DecryptionKey {
    let stored = fixtures::decryption_key(engine, *level, index).expect("a key").to_secret_bytes();
    // Version, level, N, then the primes.
    hide(&stored[2 + level.modulus_bytes()..]);
    DecryptionKey::from_secret_bytes(engine, *level, &stored).expect("stored just now")
}

/// The setup of party `index`, from a stored form whose primes and exponent are marked.
pub(super) fn setup(Run { engine, level }: &Run, index: usize) -> PedersenTrapdoor {
    let made = fixtures::pedersen_trapdoor(engine, *level, index, &mut random::public(40));
    let stored = made.expect("a setup").to_secret_bytes();
    hide(&stored[2 + 3 * level.modulus_bytes()..]);
    PedersenTrapdoor::from_secret_bytes(engine, *level, &stored).expect("stored just now")
}

/// An integer, in public and marked.
pub(super) fn integer(seed: u64, negative: bool, len: usize) -> (Integer, SecretInteger) {
    let magnitude = bytes(seed, len);
    let public = Integer::new(negative, Natural::from_be_bytes(&magnitude));
    let sign = [u8::from(negative)];
    hide(&magnitude);
    hide(&sign);
    let minus = !SecretNatural::from_be_bytes(&sign).is_zero();
    (public, SecretInteger::new(minus, SecretNatural::from_be_bytes(&magnitude)))
}

fn opened(key: &DecryptionKey, engine: &Engine, c: &Ciphertext) -> Integer {
    key.decrypt_many(engine, &[c]).expect("its key").remove(0).declassify()
}

fn decryption(run @ Run { engine, .. }: &Run) {
    let key = key(run, 0);
    let m = Integer::new(true, Natural::from_be_bytes(&bytes(41, 60)));
    let plain = SecretInteger::classify(&m, 480).expect("its length");
    let r = Randomizer::random(&mut random::public(42), key.encryption_key()).expect("a unit");
    let c = key.encryption_key().encrypt_many(engine, &[(&plain, &r)]).expect("its key").remove(0);
    let decrypted = key.decrypt_many(engine, &[&c]).expect("its key").remove(0);
    assert_eq!(decrypted.declassify(), m);
    let found = key.randomizers(engine, &[&c]).expect("its key").remove(0);
    assert_eq!(found.value().declassify(), r.value().declassify());
}

fn encryption(run @ Run { engine, level }: &Run) {
    let (key, plain_key) = (key(run, 0), fixtures::decryption_key(engine, *level, 0));
    let plain_key = plain_key.expect("a key");
    let (m, secret_m) = integer(43, true, 32);
    let rng = &mut Secrets::new(44);
    let r = || Randomizer::random(&mut Secrets::new(45), key.encryption_key()).expect("a unit");
    let (mut first, second) = (r(), r());
    let own = key.encrypt_many(engine, &[(&secret_m, &second)]).expect("its key");
    let others = key.encryption_key().encrypt_many(engine, &[(&secret_m, &second)]);
    assert!(own == others.expect("its key"));
    Randomizer::raise_many(engine, &mut [&mut first], None).expect("powers");
    let raised = key.encryption_key().encrypt_many(engine, &[(&secret_m, &first)]);
    assert!(own == raised.expect("its key"));
    assert_eq!(opened(&plain_key, engine, &own[0]), m);
    Randomizer::random(rng, key.encryption_key()).expect("a unit");
}

fn affine(run @ Run { engine, level }: &Run) {
    let (key, plain_key) = (key(run, 0), fixtures::decryption_key(engine, *level, 0));
    let plain_key = plain_key.expect("a key");
    let public = key.encryption_key();
    let three = SecretInteger::classify(&Integer::from(Natural::from(3)), 2).expect("two bits");
    let r = Randomizer::random(&mut random::public(46), public).expect("a unit");
    let c = public.encrypt_many(engine, &[(&three, &r)]).expect("its key").remove(0);
    let ((x, secret_x), (y, secret_y)) = (integer(47, true, 32), integer(48, false, 160));
    let r = Randomizer::random(&mut Secrets::new(49), public).expect("a unit");
    let plain = public.plaintext(&secret_y);
    let products = [
        public.affine(&secret_x, &c, &plain, &r).expect("one key"),
        key.affine(&secret_x, &c, &plain, &r).expect("one key"),
    ];
    for value in engine.evaluate(&products) {
        let d = public.publish(&value.expect("a value")).expect("a unit");
        let expected = x.mul(&Integer::from(Natural::from(3))).add(&y);
        assert_eq!(opened(&plain_key, engine, &d), expected);
    }
}

fn commitments(run @ Run { engine, .. }: &Run) {
    let setup = setup(run, 0);
    let bare = setup.pedersen();
    let tables = bare.clone().with_tables(engine, 50_000).expect("room enough");
    let ((x, secret_x), (mu, secret_mu)) = (integer(50, true, 32), integer(51, false, 288));
    let list = [(&secret_x, &secret_mu)];
    let expected = engine.evaluate_vartime(&[bare.opened_vartime(&x, &mu)]).remove(0);
    let expected = [expected.expect("a value")];
    assert_eq!(bare.commit_many(engine, &list).expect("values"), expected);
    assert_eq!(tables.commit_many(engine, &list).expect("values"), expected);
    assert_eq!(setup.commit_many(engine, &list).expect("values"), expected);
}
