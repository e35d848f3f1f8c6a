//! Known answers: the bytes of a proof for each figure, from seeded generators, as they were when they were frozen.
//!
//! `tests/known_answers.json` has one object in a line. To freeze them again, set `QUORATE_BLESS`.

use quorate_bignum::SecretInteger;
use quorate_curve::Curve;
use quorate_paillier::{Ciphertext, EncryptionKey, Level};
use quorate_testkit::hex;
use quorate_zk::{
    Own, Proof, centred, pi_aff_g, pi_aff_g_star, pi_dec, pi_elog, pi_enc_elg, pi_fac, pi_mod,
    pi_prm, pi_sch, prove,
};
use sha2::{Digest, Sha512};

use crate::folded::logs;
use crate::support::*;
use crate::{folded, folded_products};

/// A proof in full if it is short, and its SHA-512.
fn line(figure: &str, curve: &str, level: Level, proof: &Proof) -> String {
    let bytes = proof.as_bytes();
    let full = if bytes.len() <= 4096 {
        format!(", \"proof\": \"{}\"", hex(bytes))
    } else {
        String::new()
    };
    format!(
        "{{\"figure\": \"{figure}\", \"curve\": \"{curve}\", \"modulus bits\": {}, \"bytes\": {}, \"sha512\": \"{}\"{full}}}",
        level.modulus_bits(),
        bytes.len(),
        hex(&Sha512::digest(bytes)),
    )
}

/// Every figure of one curve, from one seed, in the order of the file.
fn figures<C: Curve>(level: Level, with_stars: bool) -> Vec<String> {
    let [prover, verifier, _] = parties(level);
    let rng = &mut rng(2024);
    let (own, none) = (prover.own(), Own::default());
    let [x, y, b] = [0; 3].map(|_| scalar::<C>(rng));
    let (point, integer) = (C::mul_base(x), keep(centred::<C>(x)));
    let rho = randomizer(prover.public(), rng);
    let ciphertext = encrypt(prover.public(), integer, rho);
    let mut out = Vec::new();
    let mut add = |figure: &str, proof: Proof| out.push(line(figure, C::NAME, level, &proof));

    let s = pi_sch::Statement::<C> { x: point };
    add("sch", prove(&engine(), &s, pi_sch::Witness { x }, context(), none, rng).unwrap());

    let h = C::mul_base(b);
    let (l, m) = (C::mul_base(y), point + C::mul(&h, y));
    let s = pi_elog::Statement::<C> { l, m, x: h, y: C::mul(&h, x), h };
    let witness = pi_elog::Witness { y: x, lambda: y };
    add("elog", prove(&engine(), &s, witness, context(), none, rng).unwrap());

    let s = pi_enc_elg::Statement::<C> { setup: verifier.setup(), ciphertext, a: h, b: l, x: m };
    let witness = pi_enc_elg::Witness { x: integer, rho, b: y };
    add("enc-elg", prove(&engine(), &s, witness, context(), own, rng).unwrap());

    let mask = secret(&power(true, 1270, 3));
    let key = verifier.public();
    let (rho, rho_y) = (randomizer(key, rng), randomizer(prover.public(), rng));
    let c = encrypt(key, secret(&power(false, 200, 9)), randomizer(key, rng));
    let (d, y) = (affine(c, integer, mask, rho), encrypt(prover.public(), mask, rho_y));
    let s = pi_aff_g::Statement::<C> { setup: verifier.setup(), c, d, y, x: point };
    let witness = || pi_aff_g::Witness { x: integer, y: mask, rho, rho_y };
    add("aff-g", prove(&engine(), &s, witness(), context(), own, rng).unwrap());

    let s = pi_fac::Statement { setup: verifier.setup(), key: prover.public() };
    let proof = prove(&engine(), &s, pi_fac::Witness { key: &prover.key }, context(), own, rng);
    add("fac", proof.unwrap());
    let s = pi_prm::Statement { setup: prover.setup() };
    let witness_of_setup = pi_prm::Witness { trapdoor: &prover.trapdoor };
    add("prm", prove(&engine(), &s, witness_of_setup, context(), own, rng).unwrap());
    add("mod", pi_mod::prove(&engine(), &prover.key, context(), rng).unwrap());
    if with_stars {
        let s = pi_aff_g_star::Statement::<C> { c, d, y, x: point };
        add("aff-g*", prove(&engine(), &s, witness(), context(), own, rng).unwrap());
        let d = difference(key, c, integer, encrypt(key, mask, rho));
        let s = pi_dec::Statement::<C> {
            k: c,
            d,
            x: point,
            s: C::mul(&h, &quorate_zk::scalar::<C>(mask)),
            h,
        };
        let witness = pi_dec::Witness { x: integer, y: mask, rho };
        add("dec", prove(&engine(), &s, witness, context(), verifier.own(), rng).unwrap());
    }
    out
}

/// D with enc(y) = x K + D, under the verifier's key.
fn difference(
    key: &EncryptionKey,
    k: &Ciphertext,
    x: &SecretInteger,
    sum: &Ciphertext,
) -> &'static Ciphertext {
    let product = quorate_bignum::SecretProduct::new(key.square()).power(k.value(), x);
    let product = key.publish(engine().evaluate(&[product])[0].as_ref().unwrap()).unwrap();
    keep(sum.sub_vartime(&product).unwrap())
}

/// Three statements of each figure that folds.
fn folded<C: Curve>(level: Level) -> Vec<String> {
    let logs = logs::<C>(3, |_, _| {});
    let log = made::<C, _>(&logs.0, logs.1, level, 3);
    let encrypted = folded::Case::<C>::new(level, 3, 4);
    let enc = encrypted.made(5);
    let products = folded_products::Case::<C>::new(level, 3, 6);
    let aff = made::<C, _>(&products.statement(), products.opened(), level, 7);
    [("elog, folded", log), ("enc-elg, folded", enc), ("aff-g, folded", aff)]
        .map(|(figure, proof)| line(figure, C::NAME, level, &proof))
        .into()
}

#[test]
fn known_answers() {
    let lines: Vec<String> = [
        figures::<K>(Level::Bits112, true),
        figures::<P>(Level::Bits112, false),
        figures::<K>(Level::Bits128, false),
        folded::<K>(Level::Bits112),
        folded::<P>(Level::Bits112),
        folded::<K>(Level::Bits128),
    ]
    .concat();
    let text = format!("[\n{}\n]\n", lines.join(",\n"));
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/known_answers.json");
    if std::env::var_os("QUORATE_BLESS").is_some() {
        std::fs::write(path, &text).unwrap();
    }
    let known = std::fs::read_to_string(path).unwrap();
    for (ours, known) in text.lines().zip(known.lines()) {
        assert!(ours == known, "differs from {}", &known[..known.len().min(80)]);
    }
    assert_eq!(text.lines().count(), known.lines().count());
}
