//! A presigning whose first seal is opened twice: the corrupt peer asks the victim's share twice,
//! with another k, another challenge, another alarm. The two answers must have nothing in common.

use quorate_bignum::{Engine, Integer, Modulus, Natural, SecretInteger, SecretProduct};
use quorate_cggmp::curves::Curve;
use quorate_cggmp::{EcdsaCurve, Presign, Secp256k1};
use quorate_paillier::{Ciphertext, DecryptionKey, EncryptionKey, fixtures};
use quorate_session::PartyId;

use crate::replay::*;
use crate::support::*;

type C = Secp256k1;

const VICTIM: u16 = 2;
const CORRUPT: u16 = 7;
/// Bytes of a ciphertext, of a modulus, of a Πaff-g.
const CIPHERTEXT: usize = 512;
const MODULUS: usize = 256;
const AFF_G: usize = 32 + 6 * MODULUS + 97 + 225 + 97 + 97;

/// What the victim answered to the corrupt peer, and what the peer knows itself.
struct Answer {
    /// The peer's k and the randomizer of its K.
    k: Integer,
    rho_k: Natural,
    /// For γ and for x.
    products: [Product; 2],
}

struct Product {
    d: Ciphertext,
    f: Ciphertext,
    /// e, z1, z2 of Πaff-g
    e: Integer,
    z: [Integer; 2],
    /// w, w_y
    w: [Natural; 2],
}

/// The corrupt peer's key, and the public key of the victim.
fn keys() -> (DecryptionKey, EncryptionKey) {
    let key = |place| fixtures::decryption_key(&Engine::detect(), FAST, place).unwrap();
    (key(1), key(0).encryption_key().clone())
}

fn decrypt(key: &DecryptionKey, c: &Ciphertext) -> Integer {
    key.decrypt_many(&Engine::detect(), &[c]).unwrap()[0].declassify()
}

fn randomizer(key: &DecryptionKey, c: &Ciphertext) -> Natural {
    key.randomizers(&Engine::detect(), &[c]).unwrap()[0].value().declassify()
}

fn take<'b>(bytes: &mut &'b [u8], length: usize) -> &'b [u8] {
    let (first, rest) = bytes.split_at(length);
    *bytes = rest;
    first
}

impl Answer {
    fn read(frames: &Frames) -> Self {
        let (key, theirs) = keys();
        let k = &frames[&(id(CORRUPT), 1, true, id(VICTIM))][HEADER..][..CIPHERTEXT];
        let k = Ciphertext::from_bytes(key.encryption_key(), k).unwrap();
        let mut body = &frames[&(id(VICTIM), 2, false, id(CORRUPT))][HEADER + ECHO..];
        let pairs = [(); 2].map(|()| {
            let d = Ciphertext::from_bytes(key.encryption_key(), take(&mut body, CIPHERTEXT));
            (d.unwrap(), Ciphertext::from_bytes(&theirs, take(&mut body, CIPHERTEXT)).unwrap())
        });
        let products = pairs.map(|(d, f)| {
            let mut proof = take(&mut body, AFF_G);
            let e = C::decode_scalar(take(&mut proof, 32)).unwrap();
            let e = quorate_zk::centred::<C>(&e).declassify();
            take(&mut proof, 2 * MODULUS);
            let mut integer = |length| Integer::from_be_bytes(take(&mut proof, length)).unwrap();
            let z = [integer(97), integer(225)];
            let w = [(); 2].map(|()| Natural::from_be_bytes(take(&mut proof, MODULUS)));
            Product { d, f, e, z, w }
        });
        Self { k: decrypt(&key, &k), rho_k: randomizer(&key, &k), products }
    }
}

/// The quotient, if it is one.
fn quotient(of: &Integer, by: &Integer) -> Option<Integer> {
    let (quotient, rest) = of.magnitude().div_rem(by.magnitude())?;
    rest.is_zero().then(|| Integer::new(of.is_negative() != by.is_negative(), quotient))
}

/// Whether this is the discrete logarithm of the point.
fn is_secret(found: Option<Integer>, point: &<C as Curve>::Point) -> bool {
    found.is_some_and(|found| {
        let bits = found.magnitude().bits();
        let secret = SecretInteger::classify(&found, bits.max(1)).unwrap();
        C::mul_base(&quorate_zk::scalar::<C>(&secret)) == *point
    })
}

/// `a/b mod N`
fn ratio(modulus: &Modulus, a: &Natural, b: &Natural) -> Natural {
    modulus.mul(a, &modulus.inverse(b).unwrap())
}

/// Everything that two answers about one secret can have in common: which attacks give the secret,
/// or have a mask cancel out.
fn attacks(
    [one, two]: [&Answer; 2],
    place: usize,
    point: &<C as Curve>::Point,
    secret: &Integer,
) -> Vec<&'static str> {
    let (key, theirs) = keys();
    let (n, n_i) = (key.encryption_key().modulus(), theirs.modulus());
    let (a, b) = (&one.products[place], &two.products[place]);
    let mut found = Vec::new();
    let mut note = |what, holds: bool| if holds { found.push(what) };
    // α = x·k − β: one β, two k.
    let alphas = decrypt(&key, &a.d).sub(&decrypt(&key, &b.d));
    let ks = one.k.sub(&two.k);
    note("D under one mask", is_secret(quotient(&alphas, &ks), point));
    // F = enc(−β; ρ_y): under one randomizer the quotient shows the difference of the β.
    let square = theirs.square();
    let fs = ratio(square, a.f.value(), b.f.value());
    if n_i.reduce(&fs) == Natural::one() {
        note("F under one randomizer", true);
        let (m, _) = fs.checked_sub(&Natural::one()).unwrap().div_rem(n_i.value()).unwrap();
        let negative = m.bits() + 1 == n_i.bits() || m.bits() == n_i.bits();
        let m = if negative {
            Integer::new(true, n_i.value().checked_sub(&m).unwrap())
        } else {
            Integer::from(m)
        };
        note("D less F", is_secret(quotient(&alphas.sub(&m), &ks), point));
    }
    // D has the randomizer ρ_K^x·ρ: under one ρ the quotient is (ρ_K/ρ_K')^x, whose order the peer
    // may have chosen.
    let of = |d: &Ciphertext| randomizer(&key, d);
    let rho_ks = ratio(n, &one.rho_k, &two.rho_k);
    let product = SecretProduct::new(n).power(&rho_ks, secret.clone());
    let power = Engine::detect().evaluate(&[product]).remove(0).unwrap().declassify();
    note("D under one randomizer", ratio(n, &of(&a.d), &of(&b.d)) == power);
    // z = mask + e·x
    let es = a.e.sub(&b.e);
    note("z1 under one mask", is_secret(quotient(&a.z[0].sub(&b.z[0]), &es), point));
    let beta = quotient(&a.z[1].sub(&b.z[1]), &es);
    let less = beta.and_then(|y| quotient(&decrypt(&key, &a.d).sub(&y), &one.k));
    note("z2 under one mask", is_secret(less, point));
    note("w repeated", a.w[0] == b.w[0] || a.w[1] == b.w[1]);
    found
}

/// One seed, the corrupt peer with two.
fn twice(group: &Group<C>) -> [Frames; 2] {
    let all = parties(&[VICTIM, CORRUPT]);
    [CORRUPT as u8, 99].map(|other| {
        let seed = |party: PartyId| if party == id(CORRUPT) { other } else { party.get() as u8 };
        let params = |party| group.params(party);
        record_seeded::<Presign<C>>((&all, seed), sid(SESSION), params, |_, _, _| {}).0
    })
}

fn point(frames: &Frames) -> <C as Curve>::Point {
    let gamma = &frames[&(id(VICTIM), 2, true, id(CORRUPT))][HEADER + ECHO..][..33];
    C::decode_point(gamma).unwrap()
}

#[test]
fn two_answers_have_nothing_in_common() {
    let group = Group::<C>::new(2);
    let frames = twice(&group);
    let [one, two] = frames.each_ref().map(Answer::read);
    // What the victim said before it was asked is the same.
    let said = |frames: &Frames| frames[&(id(VICTIM), 1, true, id(CORRUPT))].clone();
    assert!(said(&frames[0]) == said(&frames[1]) && one.k != two.k);
    let share = group.key_of(id(VICTIM)).additive(&parties(&[VICTIM, CORRUPT])).unwrap();
    let x = *share.info().share_point(id(VICTIM)).unwrap();
    let secret = quorate_zk::centred::<C>(share.secret().expose()).declassify();
    println!("x: {:?}", attacks([&one, &two], 1, &x, &secret));
    let gamma = point(&frames[0]);
    assert!(gamma == point(&frames[1]));
    println!("γ: {:?}", attacks([&one, &two], 0, &gamma, &Integer::zero()));
    assert_eq!(attacks([&one, &two], 1, &x, &secret), [""; 0]);
}
