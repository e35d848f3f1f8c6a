//! A presigning whose first seal is opened twice: the corrupt peer makes the victim answer twice with its share,
//! with another k, another challenge, another alarm. The two answers must have nothing in common.

use quorate_bignum::{Engine, Integer, Modulus, Natural, SecretInteger, SecretProduct};
use quorate_cggmp::curves::Curve;
use quorate_cggmp::{MessageDigest, Presign, Secp256k1};
use quorate_paillier::{Ciphertext, DecryptionKey, EncryptionKey};
use quorate_session::{PartyId, Session, Transcript};
use quorate_testkit::fixtures;

use super::{S, go_on, own_secrets, seal_key, shift};
use crate::support::*;

type C = Secp256k1;
type Point = <C as Curve>::Point;
type Scalar = <C as Curve>::Scalar;

const VICTIM: u16 = 2;
const CORRUPT: u16 = 7;

/// The victim's answers to the corrupt peer, with the peer's own secrets.
struct Answer {
    /// The peer's k and the randomizer of its K.
    k: Integer,
    rho_k: Natural,
    /// For γ and for x.
    products: [Product; 2],
    proof: Proof,
}

struct Product {
    d: Ciphertext,
    f: Ciphertext,
}

/// Πaff-g of both.
struct Proof {
    /// Of D and of D̂.
    weights: [Integer; 2],
    challenge: Integer,
    /// z of γ, zx.
    z: [Integer; 2],
    zy: Integer,
    /// zν, zμ, z'.
    hidings: [Integer; 3],
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
        let k = &frames[&(id(CORRUPT), 1, true, id(VICTIM))][HEADER + ECHO..][..CIPHERTEXT];
        let k = Ciphertext::from_bytes(key.encryption_key(), k).unwrap();
        let mut body = &frames[&(id(VICTIM), 2, false, id(CORRUPT))][HEADER + ECHO..];
        let pairs = [(); 2].map(|()| {
            let d = Ciphertext::from_bytes(key.encryption_key(), take(&mut body, CIPHERTEXT));
            (d.unwrap(), Ciphertext::from_bytes(&theirs, take(&mut body, CIPHERTEXT)).unwrap())
        });
        let products = pairs.map(|(d, f)| Product { d, f });
        let proof = Proof::read(body);
        Self { k: decrypt(&key, &k), rho_k: randomizer(&key, &k), products, proof }
    }
}

impl Proof {
    /// Seed, T, T̂, S_x, zx, zy, w, w_y, z, zν, zμ, z'.
    fn read(mut bytes: &[u8]) -> Self {
        let seed = take(&mut bytes, 32);
        take(&mut bytes, 3 * MODULUS);
        let integer =
            |bytes: &mut &[u8], length| Integer::from_be_bytes(take(bytes, length)).unwrap();
        let (zx, zy) =
            (integer(&mut bytes, response(ELL)), integer(&mut bytes, response(ELL_PRIME)));
        let w = [(); 2].map(|()| Natural::from_be_bytes(take(&mut bytes, MODULUS)));
        let z = [integer(&mut bytes, response(ELL)), zx];
        let hidings = [(); 3].map(|()| integer(&mut bytes, response(MODULUS_BITS + ELL)));
        assert!(bytes.is_empty());
        let weights = [0, 1].map(|index| expanded(seed, "weight", index));
        Self { weights, challenge: expanded(seed, "challenge", 0), z, zy, hidings, w }
    }

    /// Y = e·y + ê·ŷ for two products with the peer's k, given γ and x.
    fn masked(&self, answer: &Answer, secrets: [&Integer; 2]) -> Integer {
        let (key, _) = keys();
        let mut sum = Integer::zero();
        for ((weight, product), secret) in self.weights.iter().zip(&answer.products).zip(secrets) {
            let y = decrypt(&key, &product.d).sub(&secret.mul(&answer.k));
            sum = sum.add(&weight.mul(&y));
        }
        sum
    }
}

/// A number of 129 bits that a seed stands for.
fn expanded(seed: &[u8], purpose: &'static str, index: u64) -> Integer {
    let mut transcript = Transcript::new("zk fold");
    transcript.append("seed", seed);
    transcript.append_u64(purpose, index);
    Integer::from(Natural::from_be_bytes(&transcript.finish()[..17]).shr(7))
}

/// The quotient, if it is one.
fn quotient(of: &Integer, by: &Integer) -> Option<Integer> {
    let (quotient, rest) = of.magnitude().div_rem(by.magnitude())?;
    rest.is_zero().then(|| Integer::new(of.is_negative() != by.is_negative(), quotient))
}

/// Returns whether this is the discrete logarithm of the point.
fn is_secret(found: Option<Integer>, point: &Point) -> bool {
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

/// The parts that two answers about one secret can have in common: the attacks that give the secret,
/// or make a mask cancel out.
fn attacks(
    [one, two]: [&Answer; 2],
    place: usize,
    point: &Point,
    secret: &Integer,
) -> Vec<&'static str> {
    let (key, theirs) = keys();
    let (n, n_i) = (key.encryption_key().modulus(), theirs.modulus());
    let (a, b) = (&one.products[place], &two.products[place]);
    let mut found = Vec::new();
    let mut note = |what, holds: bool| {
        if holds {
            found.push(what)
        }
    };
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
    // z = mask + c·x
    let (a, b) = (&one.proof, &two.proof);
    let es = a.challenge.sub(&b.challenge);
    note("z under one mask", is_secret(quotient(&a.z[place].sub(&b.z[place]), &es), point));
    found
}

/// The values that two Πaff-g can have in common: the mask of Y, which is a relation between both secrets; the masks of the
/// openings of earlier commitments; randomizers.
fn attacks_on_both([one, two]: [&Answer; 2], secrets: [&Integer; 2]) -> Vec<&'static str> {
    let (a, b) = (&one.proof, &two.proof);
    let es = a.challenge.sub(&b.challenge);
    let moved = |proof: &Proof, answer| proof.challenge.mul(&proof.masked(answer, secrets));
    let mut found = Vec::new();
    if a.zy.sub(&b.zy) == moved(a, one).sub(&moved(b, two)) {
        found.push("zy under one mask");
    }
    if a.hidings.iter().zip(&b.hidings).any(|(a, b)| quotient(&a.sub(b), &es).is_some()) {
        found.push("μ under one mask");
    }
    if a.w[0] == b.w[0] || a.w[1] == b.w[1] {
        found.push("w repeated");
    }
    found
}

/// Runs with one seed of the victim, and these of the corrupt peer.
fn runs<const N: usize>(group: &Group<C>, seeds: [u8; N]) -> [(Frames, Results<Presign<C>>); N] {
    let all = parties([VICTIM, CORRUPT]);
    seeds.map(|other| {
        let seed = |party: PartyId| if party == id(CORRUPT) { other } else { party.get() as u8 };
        let params = |party| group.params(party);
        record_seeded::<Presign<C>>((&all, seed), sid(SESSION), params, |_, _, _| {})
    })
}

/// A party's broadcast in a round.
fn said(frames: &Frames, party: u16, round: u8) -> &[u8] {
    let to = if party == VICTIM { CORRUPT } else { VICTIM };
    &frames[&(id(party), round, true, id(to))][HEADER + ECHO..]
}

/// λ_i·x_i, and its public share.
fn share(group: &Group<C>) -> (Integer, Point) {
    let share = group.key_of(id(VICTIM)).additive(&parties([VICTIM, CORRUPT])).unwrap();
    let secret = quorate_zk::centred::<C>(share.secret().expose()).declassify();
    (secret, *share.info().share_point(id(VICTIM)).unwrap())
}

#[test]
fn two_products_have_nothing_in_common() {
    let group = Group::<C>::new(2);
    let [(first, _), (second, _)] = runs(&group, [CORRUPT as u8, 99]);
    let (one, two) = (Answer::read(&first), Answer::read(&second));
    // The victim's first message is the same in both runs, and so are the secrets that it is asked to multiply.
    assert!(said(&first, VICTIM, 1) == said(&second, VICTIM, 1) && one.k != two.k);
    let gamma = |frames: &Frames| C::decode_point(&said(frames, VICTIM, 2)[..33]).unwrap();
    assert!(gamma(&first) == gamma(&second));
    let own = fixtures::decryption_key(&Engine::detect(), FAST, 0).unwrap();
    let g = &said(&first, VICTIM, 1)[CIPHERTEXT..2 * CIPHERTEXT];
    let secret = decrypt(&own, &Ciphertext::from_bytes(own.encryption_key(), g).unwrap());
    assert_eq!(attacks([&one, &two], 0, &gamma(&first), &secret), [""; 0]);
    let (x, point) = share(&group);
    assert_eq!(attacks([&one, &two], 1, &point, &x), [""; 0]);
    assert_eq!(attacks_on_both([&one, &two], [&secret, &x]), [""; 0]);
    // Y as computed here is the one that is masked: the response less Y is below the mask.
    for answer in [&one, &two] {
        let proof = &answer.proof;
        let mask = proof.zy.sub(&proof.challenge.mul(&proof.masked(answer, [&secret, &x])));
        assert!(mask.magnitude().bits() < ELL_PRIME + FAST.epsilon());
    }
}

/// Bits of e of a Πdec, and z of each repetition, behind which w and ν stand.
fn answers(proof: &[u8]) -> Vec<(bool, Integer)> {
    let (bits, repetitions) = proof.split_at(16);
    let e = |at: usize| bits[at >> 3] >> (at & 7) & 1 == 1;
    let z = |one: &[u8]| Integer::from_be_bytes(&one[..response(ELL)]).unwrap();
    let repetitions = repetitions.chunks(response(ELL) + SUM_RESPONSE + MODULUS);
    repetitions.take(128).enumerate().map(|(at, one)| (e(at), z(one))).collect()
}

/// The red alert asks for proofs with the same secret: raised twice, with other lies.
#[test]
fn two_alarms_have_nothing_in_common() {
    let group = Group::<C>::new(2);
    let all = parties([VICTIM, CORRUPT]);
    let params = group.params(id(VICTIM));
    let [(mut frames, _)] = runs(&group, [CORRUPT as u8]);
    // The other party has no answer to an alarm.
    frames.retain(|place, _| place.1 < 4);
    let victim = start::<Presign<C>>(sid(SESSION), id(VICTIM), &all, params.clone());
    let seals = go_on(victim, &frames, |_, _, _, _| {}).seals;
    let alarms = [1, 2].map(|times| {
        let again = Session::<Presign<C>>::open(&seals[2], params.clone(), &seal_key()).unwrap();
        let played = go_on(again, &frames, |round, _, _, body| {
            if round == 3 {
                shift(body, S, times);
            }
        });
        assert!(played.result.is_none());
        played.said.last().unwrap()[4 * CIPHERTEXT + 64..].to_vec()
    });
    let (_, point) = share(&group);
    let [one, two] = alarms.each_ref().map(|alarm| answers(alarm));
    let mut asked = 0;
    for ((e, z), (other_e, other_z)) in one.into_iter().zip(two) {
        assert_ne!(z, other_z, "one answer twice");
        let difference = z.sub(&other_z);
        asked += usize::from(e != other_e);
        assert!(!is_secret(Some(difference.clone()), &point));
        assert!(!is_secret(Some(difference.neg()), &point));
    }
    assert!(asked > 32);
}

/// A number, big-endian, without its last bits.
fn shifted(number: &[u8], by: usize) -> Vec<u8> {
    (0..by).fold(number.to_vec(), |number, _| {
        let above = [0].iter().chain(&number);
        above.zip(&number).map(|(above, byte)| above << 7 | byte >> 1).collect()
    })
}

/// `base^exponent`
fn pow(base: Scalar, exponent: &[u8]) -> Scalar {
    exponent.iter().fold(Scalar::from(1), |power, byte| {
        (0..8).rev().fold(power, |power, bit| {
            let square = power * power;
            if byte >> bit & 1 == 1 { square * base } else { square }
        })
    })
}

/// A square root modulo the order, by Tonelli and Shanks.
fn root(square: Scalar) -> Scalar {
    let one = Scalar::from(1);
    // The order less one is odd·2^6.
    let last = C::encode_scalar(&-one);
    let [odd, half] = [6, 1].map(|by| shifted(last.as_ref(), by));
    let not_a_square = (2u64..).map(Scalar::from).find(|z| pow(*z, &half) != one).unwrap();
    let (mut c, power) = (pow(not_a_square, &odd), pow(square, &shifted(&odd, 1)));
    let (mut t, mut root, mut length) = (power * power * square, power * square, 6);
    while t != one {
        let squares = core::iter::successors(Some(t), |t| Some(*t * *t));
        let order = squares.take_while(|t| *t != one).count();
        let b = (0..length - order - 1).fold(c, |b, _| b * b);
        (root, c, length) = (root * b, b * b, order);
        t = t * c;
    }
    root
}

/// The attack that is left, and the reason why a seal must never be opened twice. Every run reveals
/// δ = (γ_i + γ)(k_i + k), where γ and k are the others'. Two runs give k_i and γ_i, which are those of the
/// first round: two candidates, of which Γ_i selects one. Then one share of a signature gives the key. See
/// the documentation of the crate, *Misuse*.
#[test]
fn two_runs_and_one_share_still_give_the_key() {
    let group = Group::<C>::new(2);
    let runs = runs(&group, [CORRUPT as u8, 99]);
    let (key, _) = keys();
    // The others' k and γ, and δ.
    let known = runs.each_ref().map(|(frames, _)| {
        let secret = |at: usize| {
            let c = &said(frames, CORRUPT, 1)[at * CIPHERTEXT..][..CIPHERTEXT];
            let c = Ciphertext::from_bytes(key.encryption_key(), c).unwrap();
            let secret = SecretInteger::classify(&decrypt(&key, &c), 256).unwrap();
            quorate_zk::scalar::<C>(&secret)
        };
        let delta = |party| C::decode_scalar(&said(frames, party, 3)[..32]).unwrap();
        (secret(0), secret(1), delta(VICTIM) + delta(CORRUPT))
    });
    // With u = γ_i + γ and v = k_i + k: δ = uv and δ' = (u + Δγ)(v + Δk), so
    // Δk·u² − (δ' − δ − ΔkΔγ)·u + Δγ·δ = 0.
    let [(k0, g0, d0), (k1, g1, d1)] = known;
    let (dk, dg) = (k1 - k0, g1 - g0);
    let linear = d1 - d0 - dk * dg;
    let root = root(linear * linear - Scalar::from(4) * dk * dg * d0);
    let gamma = C::decode_point(&said(&runs[0].0, VICTIM, 2)[..33]).unwrap();
    let half = C::invert(&(dk + dk));
    let candidates = [(linear + root) * half, (linear - root) * half];
    let u = candidates.into_iter().find(|u| C::mul_base(&(*u - g0)) == gamma).unwrap();
    let k_i = d0 * C::invert(&u) - k0;
    // One share of a signature, and as many of its own as the peer likes.
    let [(_, mut results), ..] = runs;
    let victims = results.remove(&id(VICTIM)).unwrap().unwrap();
    let nonce = nonce(victims.info(), &group.itself(), b"one");
    let k = k_i * C::invert(&d0);
    let claim =
        victims.claim(group.key_of(id(VICTIM)), &no_path(), MessageDigest::sha256(b"one")).unwrap();
    let one = sigma(&release(claim)) * nonce.rho;
    let chi = (one - k * nonce.factor) * C::invert(&nonce.r);
    let its = results.remove(&id(CORRUPT)).unwrap().unwrap().to_bytes();
    let [its_k, its_chi] = own_secrets(&group, CORRUPT, &its);
    let found = (chi + its_chi) * C::invert(&(k + its_k));
    assert!(C::mul_base(&found) == *group.keys[0].verifying_key().point());
}
