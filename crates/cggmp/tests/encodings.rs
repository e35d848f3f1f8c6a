//! DER, compact and recoverable signatures; compressed, uncompressed, SPKI and PEM keys; against
//! `k256` and `p256`, and where it is installed, OpenSSL.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    clippy::cast_possible_truncation,
    reason = "a test that fails stops"
)]

use chacha20::rand_core::Rng;
use quorate_cggmp::curves::{Curve, random_nonzero_scalar};
use quorate_cggmp::{DecodeError, EcdsaCurve, P256, Secp256k1, Signature, VerifyingKey};
use quorate_testkit::encodings::order_plus;

/// Another implementation.
trait Other: EcdsaCurve {
    /// r ‖ s of a signature in DER.
    fn compact_of_der(der: &[u8]) -> Option<[u8; 64]>;
    fn der_of_compact(compact: &[u8; 64]) -> Vec<u8>;
    fn verifies(spki: &[u8], message: &[u8], der: &[u8]) -> bool;
    fn uncompressed(compressed: &[u8; 33]) -> [u8; 65];
    fn spki(compressed: &[u8; 33]) -> Vec<u8>;
    fn pem(compressed: &[u8; 33]) -> String;
    fn is_spki(der: &[u8]) -> bool;
}

macro_rules! other {
    ($curve:ident, $name:ident) => {
        impl Other for $curve {
            fn compact_of_der(der: &[u8]) -> Option<[u8; 64]> {
                Some(::$name::ecdsa::Signature::from_der(der).ok()?.to_bytes().into())
            }

            fn der_of_compact(compact: &[u8; 64]) -> Vec<u8> {
                let signature = ::$name::ecdsa::Signature::from_slice(compact).unwrap();
                signature.to_der().as_bytes().to_vec()
            }

            fn verifies(spki: &[u8], message: &[u8], der: &[u8]) -> bool {
                use ::$name::ecdsa::signature::Verifier;
                use ::$name::pkcs8::DecodePublicKey;
                let key = ::$name::ecdsa::VerifyingKey::from_public_key_der(spki).unwrap();
                let signature = ::$name::ecdsa::Signature::from_der(der).unwrap();
                key.verify(message, &signature).is_ok()
            }

            fn uncompressed(compressed: &[u8; 33]) -> [u8; 65] {
                use ::$name::elliptic_curve::sec1::ToSec1Point;
                let key = ::$name::PublicKey::from_sec1_bytes(compressed).unwrap();
                key.to_sec1_point(false).as_bytes().try_into().unwrap()
            }

            fn spki(compressed: &[u8; 33]) -> Vec<u8> {
                use ::$name::pkcs8::EncodePublicKey;
                let key = ::$name::PublicKey::from_sec1_bytes(compressed).unwrap();
                key.to_public_key_der().unwrap().as_bytes().to_vec()
            }

            fn pem(compressed: &[u8; 33]) -> String {
                use ::$name::pkcs8::{EncodePublicKey, LineEnding};
                let key = ::$name::PublicKey::from_sec1_bytes(compressed).unwrap();
                key.to_public_key_pem(LineEnding::LF).unwrap()
            }

            fn is_spki(der: &[u8]) -> bool {
                use ::$name::pkcs8::DecodePublicKey;
                ::$name::PublicKey::from_public_key_der(der).is_ok()
            }
        }
    };
}

other!(Secp256k1, k256);
other!(P256, p256);

const MESSAGE: &[u8] = b"message";

/// A key, a signature of [`MESSAGE`], and its s before it was normalised.
fn made<C: EcdsaCurve>(seed: u8) -> (VerifyingKey<C>, Signature<C>, C::Scalar) {
    let mut rng = quorate_testkit::rng(seed);
    let [x, k] = [(); 2].map(|()| random_nonzero_scalar::<C>(&mut rng).unwrap());
    let nonce = C::mul_base(&k);
    let (r, _) = C::r_vartime(&nonce).unwrap();
    let s = C::invert(&k) * (C::scalar_from_wide(&C::hash(MESSAGE)) + r * x);
    (
        VerifyingKey::new(C::mul_base(&x)).unwrap(),
        Signature::from_nonce_point(&nonce, &s).unwrap(),
        s,
    )
}

/// The signature of two numbers, which verifies under no key.
fn of<C: EcdsaCurve>(r: [u8; 32], s: [u8; 32]) -> Signature<C> {
    Signature::from_compact_either_s([r, s].as_flattened().try_into().unwrap()).unwrap()
}

fn signatures<C: Other>() {
    let mut lengths = [0; 80];
    for seed in 0..40 {
        let (key, signature, s) = made::<C>(seed);
        let (der, compact) = (signature.to_der(), signature.to_compact());
        lengths[der.len()] += 1;
        assert_eq!(der, C::der_of_compact(&compact));
        assert!(C::verifies(&key.to_spki_der(), MESSAGE, &der));
        let read = Signature::<C>::from_der(&der).unwrap();
        assert!(read.to_compact() == compact && read.recovery_id().is_none());
        assert!(Signature::<C>::from_compact(&compact) == Ok(read));
        key.verify(MESSAGE, &read).unwrap();
        // The larger s: refused, or normalised, as told.
        let mut high = compact;
        high[32..].copy_from_slice(&C::encode_scalar(&-*signature.s()));
        let high_der = C::der_of_compact(&high);
        assert_eq!(Signature::<C>::from_der(&high_der).map(|_| ()), Err(DecodeError::HighS));
        assert_eq!(Signature::<C>::from_compact(&high).map(|_| ()), Err(DecodeError::HighS));
        assert!(Signature::<C>::from_der_either_s(&high_der) == Ok(read));
        assert!(Signature::<C>::from_compact_either_s(&high) == Ok(read));
        // As signing made it, whichever of the two it is.
        let (mut raw, r) = ([0; 64], C::encode_scalar(signature.r()));
        raw[..32].copy_from_slice(&r);
        raw[32..].copy_from_slice(&C::encode_scalar(&s));
        assert!(Signature::<C>::from_der_either_s(&C::der_of_compact(&raw)) == Ok(read));
    }
    assert!(lengths[70] > 0 && lengths[71] > 0);
}

/// Short numbers, those with the top bit set, zeros in front.
fn short_numbers<C: Other>() {
    let number = |bytes: &[u8]| {
        let mut number = [0; 32];
        number[32 - bytes.len()..].copy_from_slice(bytes);
        number
    };
    for (r, s, length) in [
        (&[1][..], &[1][..], 8),
        (&[0x7f], &[0x80], 9),
        (&[0xff], &[0xff, 0xff], 11),
        (&[1, 0], &[0x80, 0, 0], 11 + 1),
        (&[0x80; 31], &[0x7f; 31], 2 + 34 + 33),
        (&[0x80; 32], &[0x7f; 32], 71),
    ] {
        let signature = of::<C>(number(r), number(s));
        let der = signature.to_der();
        assert_eq!(der.len(), length);
        assert_eq!(der, C::der_of_compact(&signature.to_compact()));
        assert!(Signature::<C>::from_der(&der) == Ok(signature));
    }
}

/// The DER form of a signature, and strings that are not DER forms of it.
fn malformed<C: Curve>([r, s]: [&[u8]; 2]) -> (Vec<u8>, Vec<(&'static str, Vec<u8>)>) {
    let integer = |bytes: &[u8]| [&[2, bytes.len() as u8], bytes].concat();
    let sequence = |parts: &[Vec<u8>]| {
        let body = parts.concat();
        [&[0x30, body.len() as u8], &body[..]].concat()
    };
    let padded = |n: &[u8]| if n[0] & 0x80 == 0 { n.to_vec() } else { [&[0], n].concat() };
    let [ri, si] = [r, s].map(|n| integer(&padded(n)));
    let good = sequence(&[ri.clone(), si.clone()]);
    let order = order_plus::<C>(0);
    let body = &good[2..];
    let bad = vec![
        ("nothing", vec![]),
        ("a tag alone", vec![0x30]),
        ("an empty sequence", vec![0x30, 0]),
        ("no tag", body.to_vec()),
        ("a set", [&[0x31, body.len() as u8], body].concat()),
        ("context-specific", [&[0xb0, body.len() as u8], body].concat()),
        ("long form of the length", [&[0x30, 0x81, body.len() as u8], body].concat()),
        ("longer form of the length", [&[0x30, 0x82, 0, body.len() as u8], body].concat()),
        ("length of 2^32 more", [&[0x30, 0x85, 1, 0, 0, 0, body.len() as u8], body].concat()),
        ("indefinite length", [&[0x30, 0x80], body, &[0, 0]].concat()),
        ("length one more", [&[0x30, body.len() as u8 + 1], body].concat()),
        ("length one less", [&[0x30, body.len() as u8 - 1], body].concat()),
        ("length 255", [&[0x30, 0xff], body].concat()),
        ("trailing zero", [&good[..], &[0]].concat()),
        ("trailing zeros inside", sequence(&[ri.clone(), si.clone(), vec![0, 0]])),
        ("three numbers", sequence(&[ri.clone(), si.clone(), integer(&[1])])),
        ("one number", sequence(core::slice::from_ref(&ri))),
        ("two sequences", sequence(&[sequence(&[ri.clone(), si.clone()])])),
        ("a null between", sequence(&[ri.clone(), vec![5, 0], si.clone()])),
        ("r an octet string", sequence(&[[&[4], &ri[1..]].concat(), si.clone()])),
        ("r a boolean", sequence(&[vec![1, 1, 0xff], si.clone()])),
        ("r with a long length", sequence(&[[&[2, 0x81], &ri[1..]].concat(), si.clone()])),
        ("s with a long length", sequence(&[ri.clone(), [&[2, 0x81], &si[1..]].concat()])),
        ("r empty", sequence(&[integer(&[]), si.clone()])),
        ("s empty", sequence(&[ri.clone(), integer(&[])])),
        ("r with a needless zero", sequence(&[integer(&[&[0], &ri[2..]].concat()), si.clone()])),
        ("s with a needless zero", sequence(&[ri.clone(), integer(&[&[0], &si[2..]].concat())])),
        ("r negative", sequence(&[integer(&[&[0x80], &r[1..]].concat()), si.clone()])),
        ("s negative", sequence(&[ri.clone(), integer(&[&[0xff], &s[1..]].concat())])),
        ("r minus one", sequence(&[integer(&[0xff]), si.clone()])),
        ("r zero", sequence(&[integer(&[0]), si.clone()])),
        ("s zero", sequence(&[ri.clone(), integer(&[0])])),
        ("both zero", sequence(&[integer(&[0]), integer(&[0])])),
        ("r the order", sequence(&[integer(&padded(&order)), si.clone()])),
        ("s the order", sequence(&[ri.clone(), integer(&padded(&order))])),
        ("r of 33 bytes", sequence(&[integer(&[&[1], r].concat()), si.clone()])),
        ("r of 100 bytes", sequence(&[integer(&[1; 92]), si.clone()])),
        ("s past the end", [&[0x30, 4], &ri[..1], &[1, 1, 2]].concat()),
    ];
    (good, bad)
}

/// Forms that some verifiers let through, after the lists of Project Wycheproof: each is refused,
/// and where it is DER at all, as the other implementation refuses it.
fn malformed_signatures<C: Other>() {
    let (_, signature, _) = made::<C>(1);
    let [r, s] = [signature.r(), signature.s()].map(C::encode_scalar);
    let (good, cases) = malformed::<C>([r.as_ref(), s.as_ref()]);
    assert!(Signature::<C>::from_der(&good).is_ok());
    for (what, der) in &cases {
        for read in [Signature::<C>::from_der, Signature::<C>::from_der_either_s] {
            let error = read(der).map(|_| ()).expect_err(what);
            assert!(matches!(error, DecodeError::BadDer(_) | DecodeError::BadScalar), "{what}");
            assert!(!error.to_string().is_empty());
        }
        assert!(C::compact_of_der(der).is_none(), "the other takes {what}");
    }
    // Cut at every place, and every byte with every bit turned: both take the same.
    for length in 0..good.len() {
        assert!(Signature::<C>::from_der(&good[..length]).is_err());
    }
    for bit in 0..good.len() * 8 {
        let mut altered = good.clone();
        altered[bit / 8] ^= 1 << (bit % 8);
        agree::<C>(&altered);
    }
}

/// Random strings around the shape of a signature: both implementations accept the same ones, and read the
/// same signature, except for the sign of s.
fn random_signatures<C: Other>() {
    let mut rng = quorate_testkit::rng(9);
    let (mut taken, tries) = (0, 4000);
    for _ in 0..tries {
        let mut body = Vec::new();
        for _ in 0..2 {
            let length = [1, 2, 31, 32, 33][rng.next_u32() as usize % 5];
            let mut number = vec![0; length];
            rng.fill_bytes(&mut number);
            number[0] = [0, 0, 1, 0x7f, 0x80, 0xff][rng.next_u32() as usize % 6];
            body.extend([&[2, length as u8], &number[..]].concat());
        }
        let der = [&[0x30, body.len() as u8], &body[..]].concat();
        taken += usize::from(agree::<C>(&der));
    }
    assert!(taken > tries / 20 && taken < tries / 2, "{taken}");
}

/// Returns whether a signature is accepted, which both have to agree on.
fn agree<C: Other>(der: &[u8]) -> bool {
    let ours = Signature::<C>::from_der_either_s(der);
    let theirs = C::compact_of_der(der);
    assert_eq!(ours.is_ok(), theirs.is_some(), "{der:02x?}");
    let (Ok(ours), Some(theirs)) = (ours, theirs) else { return false };
    assert!(Signature::<C>::from_compact_either_s(&theirs) == Ok(ours));
    match Signature::<C>::from_der(der) {
        Ok(strict) => assert!(strict == ours && strict.to_der() == der),
        Err(error) => assert_eq!(error, DecodeError::HighS),
    }
    true
}

fn keys<C: Other>() {
    for seed in 0..20 {
        let (key, _, _) = made::<C>(seed);
        let compressed = key.as_bytes();
        assert!(VerifyingKey::<C>::from_bytes(compressed) == Ok(key));
        let uncompressed = key.to_uncompressed();
        assert_eq!(uncompressed, C::uncompressed(compressed));
        assert!(VerifyingKey::<C>::from_uncompressed(&uncompressed) == Ok(key));
        let spki = key.to_spki_der();
        assert_eq!(spki, C::spki(compressed));
        assert!(VerifyingKey::<C>::from_spki_der(&spki) == Ok(key));
        let pem = key.to_spki_pem();
        assert_eq!(pem, C::pem(compressed));
        assert!(VerifyingKey::<C>::from_spki_pem(&pem) == Ok(key));
        assert!(VerifyingKey::<C>::from_spki_pem(&pem.replace('\n', "\r\n")) == Ok(key));
        // A compressed point in a SubjectPublicKeyInfo is read, too.
        let tail = 65 + 1;
        let mut short = spki[..spki.len() - tail].to_vec();
        short[1] -= 32;
        *short.last_mut().unwrap() -= 32;
        short.push(0);
        short.extend(compressed);
        assert!(C::is_spki(&short) && VerifyingKey::<C>::from_spki_der(&short) == Ok(key));
    }
}

fn malformed_keys<C: Other>() {
    let (key, _, _) = made::<C>(3);
    let uncompressed = key.to_uncompressed();
    let odd = uncompressed[64] & 1;
    for (at, new) in [(0, 0), (0, 2), (0, 3), (0, 5), (0, 6 | odd), (64, uncompressed[64] ^ 1)] {
        let mut altered = uncompressed;
        altered[at] = new;
        let read = VerifyingKey::<C>::from_uncompressed(&altered).map(|_| ());
        assert_eq!(read, Err(DecodeError::BadPoint), "{at} {new}");
    }
    assert!(VerifyingKey::<C>::from_uncompressed(&[0; 65]).is_err());
    // The other root, and a y above the field's order.
    let other = VerifyingKey::<C>::new(-*key.point()).unwrap().to_uncompressed();
    assert_eq!(uncompressed[..33], other[..33]);
    let mut mixed = uncompressed;
    mixed[33..].copy_from_slice(&other[33..]);
    assert!(
        VerifyingKey::<C>::from_uncompressed(&mixed).map(|key| *key.point()) == Ok(-*key.point())
    );
    mixed[33..].fill(0xff);
    assert!(VerifyingKey::<C>::from_uncompressed(&mixed).is_err());

    let spki = key.to_spki_der();
    for length in 0..spki.len() {
        assert!(VerifyingKey::<C>::from_spki_der(&spki[..length]).is_err());
    }
    assert!(VerifyingKey::<C>::from_spki_der(&[&spki[..], &[0]].concat()).is_err());
    for bit in 0..spki.len() * 8 {
        let mut altered = spki.clone();
        altered[bit / 8] ^= 1 << (bit % 8);
        let read = VerifyingKey::<C>::from_spki_der(&altered);
        assert_eq!(read.is_ok(), C::is_spki(&altered), "{bit}");
        assert!(read != Ok(key), "{bit}");
    }

    let pem = key.to_spki_pem();
    let lines: Vec<&str> = pem.lines().collect();
    for (what, text) in [
        ("nothing", String::new()),
        ("another label", pem.replace("PUBLIC", "PRIVATE")),
        ("no end", lines[..lines.len() - 1].join("\n")),
        ("no begin", lines[1..].join("\n")),
        ("no body", [lines[0], lines[lines.len() - 1]].join("\n")),
        ("a line less", [lines[0], lines[1], lines[lines.len() - 1]].join("\n")),
        ("a character that is none", pem.replacen("MF", "M*", 1)),
        ("a character more", pem.replacen("MF", "AMF", 1)),
        ("padding in front", pem.replacen("MF", "====MF", 1)),
        ("padding at the end", pem.replacen("\n-----END", "====\n-----END", 1)),
    ] {
        assert!(VerifyingKey::<C>::from_spki_pem(&text).is_err(), "{what}");
    }
}

/// Base64 that ends in one or two `=`, whose last bits have to be zero, by the key of a curve whose
/// DER is 88 bytes long.
#[test]
fn pem_has_one_text_for_each_key() {
    let (key, _, _) = made::<Secp256k1>(4);
    let pem = key.to_spki_pem();
    let end = pem.find("==\n").unwrap();
    let last = pem.as_bytes()[end - 1];
    assert!(b"AQgw".contains(&last));
    let mut altered = pem.clone().into_bytes();
    altered[end - 1] = last + 1;
    let altered = String::from_utf8(altered).unwrap();
    assert!(matches!(
        VerifyingKey::<Secp256k1>::from_spki_pem(&altered),
        Err(DecodeError::BadPem(_))
    ));
}

/// OpenSSL verifies our DER under our PEM, where there is an `openssl`.
fn openssl<C: Other>() {
    use std::process::Command;
    let (key, signature, _) = made::<C>(6);
    let dir = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(C::NAME);
    std::fs::create_dir_all(&dir).unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = dir.join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    };
    let pem = write("key.pem", key.to_spki_pem().as_bytes());
    let good = write("good.der", &signature.to_der());
    let other = write("other.der", &made::<C>(7).1.to_der());
    let message = write("message", MESSAGE);
    for (der, verifies) in [(good, true), (other, false)] {
        let mut command = Command::new("openssl");
        command.args(["dgst", "-sha256", "-verify"]).arg(&pem);
        match command.arg("-signature").arg(der).arg(&message).output() {
            Ok(output) => assert_eq!(output.status.success(), verifies, "{output:?}"),
            Err(error) => println!("no openssl here, nothing was compared with it: {error}"),
        }
    }
}

/// A key of the other curve is not taken for one of this.
#[test]
fn curves_are_told_apart() {
    let (secp, p) = (made::<Secp256k1>(5).0, made::<P256>(5).0);
    for error in [
        VerifyingKey::<Secp256k1>::from_spki_der(&p.to_spki_der()).map(|_| ()),
        VerifyingKey::<P256>::from_spki_der(&secp.to_spki_der()).map(|_| ()),
    ] {
        assert!(error.unwrap_err().to_string().contains("curve"));
    }
}

quorate_testkit::curve_tests!(
    signatures,
    short_numbers,
    malformed_signatures,
    random_signatures,
    keys,
    malformed_keys,
    openssl
);
