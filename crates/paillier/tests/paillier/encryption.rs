//! Encryption, decryption, arithmetic on ciphertexts.

use num_bigint::{BigInt, BigUint};
use quorate_bignum::{Engine, SecretInteger, SecretNatural};
use quorate_paillier::{Ciphertext, DecryptionKey, Error, Level, Randomizer, Randomizers};

use crate::support::{
    big, big_int, decrypt, encrypt, engine, integer, key, natural, opened, power, random_int, rng,
    secret, secret_big, secret_natural,
};

fn n_of(key: &DecryptionKey) -> BigUint {
    big(key.encryption_key().modulus().value())
}

/// Zero, the ends of the range, a step beyond each, and what the curves use.
fn plaintexts(n: &BigUint) -> Vec<BigInt> {
    let end = BigInt::from((n - 1u8) / 2u8);
    let q: BigInt = (BigInt::from(1) << 256) - 189;
    vec![
        BigInt::from(0),
        BigInt::from(1),
        BigInt::from(-1),
        end.clone(),
        -end.clone(),
        &end + 1,
        -&end - 1,
        -q.clone(),
        q,
        BigInt::from(n.clone()),
        BigInt::from(n.clone()) * 3 + 7,
        BigInt::from(-7) - BigInt::from(n.clone()) * 5,
    ]
}

/// The integer of the centred range with the same residue.
fn centred(m: &BigInt, n: &BigUint) -> BigInt {
    let r = BigInt::from(crate::support::residue(m, n));
    let n = BigInt::from(n.clone());
    if &r * 2 > n { r - n } else { r }
}

#[test]
fn encryptions_equal_the_formula_and_open_to_the_centred_range() {
    for level in Level::ALL {
        let (mut rng, own) = (rng(1), key(level, 0));
        let (key, n) = (own.encryption_key(), n_of(&own));
        let values = plaintexts(&n);
        let secrets: Vec<SecretInteger> = values.iter().map(secret).collect();
        let randomizers: Vec<Randomizer> =
            values.iter().map(|_| Randomizer::random(&mut rng, key).unwrap()).collect();
        let list: Vec<_> = secrets.iter().zip(&randomizers).collect();
        let public = key.encrypt_many(&engine(), &list).unwrap();
        let private = own.encrypt_many(&engine(), &list).unwrap();
        assert_eq!(public, private);
        let opened_again = own.decrypt_many(&engine(), &public.iter().collect::<Vec<_>>()).unwrap();
        let extracted = own.randomizers(&engine(), &public.iter().collect::<Vec<_>>()).unwrap();
        for (i, (m, c)) in values.iter().zip(&public).enumerate() {
            let r = secret_big(randomizers[i].value());
            if i < 5 {
                assert_eq!(big(c.value()), encrypt(&n, m, &r), "{level:?} {m}");
            }
            assert_eq!(opened(&opened_again[i]), centred(m, &n));
            assert!(opened_again[i].bits() <= level.modulus_bits());
            assert_eq!(secret_big(extracted[i].value()), r);
        }
    }
}

#[test]
fn decryption_equals_the_formula_on_any_unit() {
    let (mut rng, own) = (rng(2), key(Level::Bits112, 1));
    let n = n_of(&own);
    let phi = secret_big(&own.factored().totient());
    let mut units: Vec<BigUint> =
        (0..4).map(|_| crate::support::random_bits(&mut rng, 4094)).collect();
    units.extend([BigUint::from(1u8), &n * &n - 1u8, n.clone() + 1u8, n.clone() - 1u8]);
    let list: Vec<Ciphertext> =
        units.iter().map(|c| Ciphertext::new(own.encryption_key(), natural(c)).unwrap()).collect();
    let values = own.decrypt_many(&engine(), &list.iter().collect::<Vec<_>>()).unwrap();
    for (c, m) in units.iter().zip(&values) {
        assert_eq!(opened(m), decrypt(&n, &phi, c));
    }
}

#[test]
fn all_engines_agree() {
    let (mut rng, own) = (rng(3), key(Level::Bits112, 2));
    let key = own.encryption_key();
    let m = secret(&random_int(&mut rng, 1280));
    let x = secret(&random_int(&mut rng, 256));
    let r = Randomizer::random(&mut rng, key).unwrap();
    let plaintext = key.plaintext(&m);
    let base = key.encrypt_many(&engine(), &[(&x, &r)]).unwrap().remove(0);
    let mut seen: Vec<Ciphertext> = Vec::new();
    for engine in Engine::available() {
        let products = [
            key.encryption(&plaintext, &r).unwrap(),
            own.encryption(&plaintext, &r).unwrap(),
            key.affine(&x, &base, &plaintext, &r).unwrap(),
            own.affine(&x, &base, &plaintext, &r).unwrap(),
        ];
        let values: Vec<Ciphertext> = engine
            .evaluate(&products)
            .into_iter()
            .map(|v| key.publish(&v.unwrap()).unwrap())
            .collect();
        assert_eq!(values[0], values[1], "{engine}");
        assert_eq!(values[2], values[3], "{engine}");
        assert_eq!(
            opened(&own.decrypt_many(&engine, &[&values[0]]).unwrap()[0]),
            opened(&m),
            "{engine}"
        );
        assert_eq!(
            secret_big(own.randomizers(&engine, &[&values[0]]).unwrap()[0].value()),
            secret_big(r.value())
        );
        if seen.is_empty() {
            seen.clone_from(&values);
        }
        assert_eq!(seen, values, "{engine}");
    }
}

#[test]
fn arithmetic_on_ciphertexts_is_arithmetic_on_plaintexts() {
    let (mut rng, own) = (rng(4), key(Level::Bits112, 0));
    let (key, n) = (own.encryption_key(), n_of(&own));
    let (a, b) = (random_int(&mut rng, 300), random_int(&mut rng, 1280));
    let (r, s) =
        (Randomizer::random(&mut rng, key).unwrap(), Randomizer::random(&mut rng, key).unwrap());
    let list = [(&secret(&a), &r), (&secret(&b), &s)];
    let [c, d]: [Ciphertext; 2] = key.encrypt_many(&engine(), &list).unwrap().try_into().unwrap();
    for x in [random_int(&mut rng, 256), BigInt::from(0), BigInt::from(-1), BigInt::from(1)] {
        // x·C ⊕ enc(y), secret and public.
        let (plaintext, secret_x, public_x) = (key.plaintext(&secret(&b)), secret(&x), integer(&x));
        let affine = key.affine(&secret_x, &c, &plaintext, &s).unwrap();
        let affine = key.publish(&engine().evaluate(&[affine]).remove(0).unwrap()).unwrap();
        let square = &n * &n;
        let expected = power(&big(c.value()), &x, &square) * big(d.value()) % &square;
        assert_eq!(big(affine.value()), expected);
        let public = d.plus_scaled_vartime(&public_x, &c).unwrap();
        let public = engine().evaluate_vartime(&[public]).remove(0).unwrap();
        assert_eq!(big(&public), expected);
        assert_eq!(opened(&own.decrypt_many(&engine(), &[&affine]).unwrap()[0]), &x * &a + &b);
    }
    let sum =
        own.decrypt_many(&engine(), &[&c.add(&d).unwrap(), &c.sub_vartime(&d).unwrap()]).unwrap();
    assert_eq!((opened(&sum[0]), opened(&sum[1])), (&a + &b, &a - &b));
}

#[test]
fn a_verifier_opens_what_a_prover_encrypted() {
    let (mut rng, own) = (rng(5), key(Level::Bits112, 0));
    let key = own.encryption_key();
    for m in plaintexts(&n_of(&own)) {
        let r = Randomizer::random(&mut rng, key).unwrap();
        let c = key.encrypt_many(&engine(), &[(&secret(&m), &r)]).unwrap().remove(0);
        let (m, r) = (integer(&m), r.value().declassify());
        let public = engine().evaluate_vartime(&[key.opened_vartime(&m, &r)]).remove(0).unwrap();
        let private = engine().evaluate(&[own.opened(&m, &r)]).remove(0).unwrap().declassify();
        assert_eq!((&public, &private), (c.value(), c.value()), "{}", big_int(&m));
    }
}

#[test]
fn randomizers_made_before_give_the_same_ciphertexts() {
    let (mut rng, own) = (rng(6), key(Level::Bits112, 0));
    let key = own.encryption_key();
    let mut store = Randomizers::new(key);
    store.fill(&engine(), &mut rng, 9).unwrap();
    assert_eq!(store.len(), 9);
    let m = secret(&BigInt::from(-12345));
    let mut seen: Vec<BigUint> = Vec::new();
    for _ in 0..9 {
        let ready = store.take_or_random(&mut rng).unwrap();
        assert!(ready.power().is_some());
        let fresh = Randomizer::new(key, secret_natural(&secret_big(ready.value()))).unwrap();
        assert!(fresh.power().is_none());
        let public = key.encrypt_many(&engine(), &[(&m, &ready), (&m, &fresh)]).unwrap();
        let private = own.encrypt_many(&engine(), &[(&m, &ready)]).unwrap();
        assert!(public[0] == public[1] && public[0] == private[0]);
        assert!(!seen.contains(&secret_big(ready.value())));
        seen.push(secret_big(ready.value()));
    }
    assert!(store.is_empty() && store.take().is_none());
    assert!(store.take_or_random(&mut rng).unwrap().power().is_none());
}

/// Powers for several keys in one list, some of them through their factors, equal those computed alone.
#[test]
fn powers_of_randomizers_worked_out_together() {
    let [own, other] = [0, 1].map(|index| key(Level::Bits112, index));
    let keys = [own.encryption_key(), other.encryption_key()];
    let drawn = || {
        let mut rng = rng(9);
        let all = (0..10).map(|k| Randomizer::random(&mut rng, keys[k % 2]).unwrap());
        all.collect::<Vec<_>>()
    };
    let raised = |own: Option<&DecryptionKey>, steps: &[usize]| {
        let mut list = drawn();
        for step in steps {
            let mut some: Vec<_> = list.iter_mut().take(*step).collect();
            Randomizer::raise_many(&engine(), &mut some, own).unwrap();
            let missing = list.iter().map(|one| one.power().is_none());
            assert!(missing.eq((0..10).map(|k| k >= *step)));
        }
        list.iter().map(|one| secret_big(one.power().unwrap())).collect::<Vec<_>>()
    };
    let expected: Vec<_> = drawn()
        .iter()
        .map(|one| {
            let n = big(one.key().modulus().value());
            secret_big(one.value()).modpow(&n, &(&n * &n))
        })
        .collect();
    assert_eq!(raised(None, &[10]), expected);
    assert_eq!(raised(Some(&own), &[10]), expected);
    // A randomizer that has a power keeps it.
    assert_eq!(raised(Some(&own), &[3, 3, 10]), expected);
    Randomizer::raise_many(&engine(), &mut [], None).unwrap();
}

#[test]
fn randomizers_that_are_no_units_are_refused() {
    let own = key(Level::Bits128, 0);
    let (key, n) = (own.encryption_key(), n_of(&own));
    let p = secret_big(&own.factored().parts()[0].value());
    let of = |value: &BigUint| Randomizer::new(key, secret_natural(value)).map(|_| ());
    assert_eq!(of(&BigUint::from(0u8)), Err(Error::OutOfRange));
    assert_eq!(of(&n), Err(Error::OutOfRange));
    assert_eq!(of(&(&n + 1u8)), Err(Error::OutOfRange));
    assert_eq!(of(&p), Err(Error::NotUnit));
    assert_eq!(of(&(&n - &p)), Err(Error::NotUnit));
    assert_eq!(of(&(&n - 1u8)), Ok(()));
    assert_eq!(of(&BigUint::from(1u8)), Ok(()));
}

#[test]
fn numbers_of_another_key_are_refused() {
    let mut rng = rng(7);
    let (one, two) = (key(Level::Bits112, 0), key(Level::Bits112, 1));
    let (a, b) = (one.encryption_key(), two.encryption_key());
    let m = SecretInteger::from(SecretNatural::from_be_bytes(&[9]));
    let (r, s) =
        (Randomizer::random(&mut rng, a).unwrap(), Randomizer::random(&mut rng, b).unwrap());
    let (under_a, under_b) = (a.plaintext(&m), b.plaintext(&m));
    let c = a.encrypt_many(&engine(), &[(&m, &r)]).unwrap().remove(0);
    let d = b.encrypt_many(&engine(), &[(&m, &s)]).unwrap().remove(0);
    assert_eq!(a.encryption(&under_a, &s).map(|_| ()), Err(Error::OtherKey));
    assert_eq!(a.encryption(&under_b, &r).map(|_| ()), Err(Error::OtherKey));
    assert_eq!(one.encryption(&under_a, &s).map(|_| ()), Err(Error::OtherKey));
    assert_eq!(a.affine(&m, &d, &under_a, &r).map(|_| ()), Err(Error::OtherKey));
    assert_eq!(a.encrypt_many(&engine(), &[(&m, &s)]), Err(Error::OtherKey));
    assert_eq!(one.decrypt_many(&engine(), &[&c, &d]).map(|_| ()), Err(Error::OtherKey));
    assert_eq!(one.randomizers(&engine(), &[&d]).map(|_| ()), Err(Error::OtherKey));
    assert_eq!(c.add(&d), Err(Error::OtherKey));
    assert_eq!(c.sub_vartime(&d), Err(Error::OtherKey));
    assert_ne!(c, d);
}
