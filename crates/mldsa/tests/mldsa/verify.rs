//! The verifier against Wycheproof's vectors and two other implementations.

use fips204::traits::{KeyGen, SerDes, Signer};
use quorate_mldsa::{DecodeError, Level, PreHash, Signature, VerifyingKey};
use wycheproof::TestResult;
use wycheproof::mldsa_verify::{TestName, TestSet};

/// Returns whether a signature is one of a message, from bytes alone.
fn accepts(level: Level, key: &[u8], message: &[u8], context: &[u8], signature: &[u8]) -> bool {
    let Ok(key) = VerifyingKey::from_bytes(level, key) else { return false };
    let Ok(read) = Signature::from_bytes(level, signature) else { return false };
    assert_eq!(read.to_bytes(), signature, "one form");
    key.verify(message, context, &read).is_ok()
}

fn wycheproof(name: TestName, level: Level) {
    let set = TestSet::load(name).unwrap();
    let (mut valid, mut invalid) = (0, 0);
    for group in set.test_groups {
        for test in group.tests {
            let context = test.ctx.as_deref().map_or(&[][..], Vec::as_slice);
            let found = accepts(level, &group.pubkey, &test.msg, context, &test.sig);
            assert_eq!(found, test.result == TestResult::Valid, "{}: {}", test.tc_id, test.comment);
            *(if found { &mut valid } else { &mut invalid }) += 1;
        }
    }
    assert!(valid >= 20 && invalid >= 20, "{valid} valid and {invalid} invalid");
}

#[test]
fn wycheproof_44() {
    wycheproof(TestName::MlDsa44Verify, Level::MlDsa44);
}

#[test]
fn wycheproof_65() {
    wycheproof(TestName::MlDsa65Verify, Level::MlDsa65);
}

#[test]
fn wycheproof_87() {
    wycheproof(TestName::MlDsa87Verify, Level::MlDsa87);
}

/// Key and signature of the crate `fips204`, plain and for a digest by SHA-256 and SHAKE128.
macro_rules! fips204_signs {
    ($module:ident, $seed:expr, $message:expr, $context:expr) => {{
        let (public, secret) = fips204::$module::KG::keygen_from_seed(&[$seed; 32]);
        let signature = secret.try_sign_with_seed(&[$seed; 32], $message, $context).unwrap();
        (public.into_bytes().to_vec(), signature.to_vec())
    }};
}

/// Key and signature of the crate `ml-dsa`.
fn ml_dsa_signs<P: ml_dsa::MlDsaParams>(
    seed: u8,
    message: &[u8],
    context: &[u8],
) -> (Vec<u8>, Vec<u8>) {
    let key = ml_dsa::SigningKey::<P>::from_seed(&[seed; 32].into());
    let signature = key.expanded_key().sign_deterministic(message, context).unwrap();
    let public = ml_dsa::Keypair::verifying_key(&key).encode();
    (public.to_vec(), signature.encode().to_vec())
}

/// Checks that the signature verifies, and that every other message, context and bit does not.
fn holds(level: Level, key: &[u8], message: &[u8], context: &[u8], signature: &[u8]) {
    assert!(accepts(level, key, message, context, signature));
    assert!(!accepts(level, key, b"another", context, signature));
    assert!(!accepts(level, key, message, b"another", signature));
    for bit in (0..signature.len() * 8).step_by(997) {
        let mut altered = signature.to_vec();
        altered[bit / 8] ^= 1 << (bit % 8);
        assert!(!accepts(level, key, message, context, &altered), "bit {bit}");
    }
    for bit in (0..key.len() * 8).step_by(1999) {
        let mut altered = key.to_vec();
        altered[bit / 8] ^= 1 << (bit % 8);
        assert!(!accepts(level, &altered, message, context, signature), "bit {bit}");
    }
}

#[test]
fn signatures_of_others_verify() {
    let long = [b'c'; 255];
    for (seed, message, context) in
        [(1, &b""[..], &b""[..]), (2, b"a message", b"ctx"), (3, &[7; 300], &long)]
    {
        let (key, signature) = fips204_signs!(ml_dsa_44, seed, message, context);
        holds(Level::MlDsa44, &key, message, context, &signature);
        assert_eq!(ml_dsa_signs::<ml_dsa::MlDsa44>(seed, message, context).0, key);
        let (key, signature) = ml_dsa_signs::<ml_dsa::MlDsa65>(seed, message, context);
        holds(Level::MlDsa65, &key, message, context, &signature);
        let (key, signature) = fips204_signs!(ml_dsa_65, seed, message, context);
        assert!(accepts(Level::MlDsa65, &key, message, context, &signature));
        let (key, signature) = fips204_signs!(ml_dsa_87, seed, message, context);
        holds(Level::MlDsa87, &key, message, context, &signature);
        let (key, signature) = ml_dsa_signs::<ml_dsa::MlDsa87>(seed, message, context);
        assert!(accepts(Level::MlDsa87, &key, message, context, &signature));
    }
}

#[test]
fn digests_are_signed_as_the_standard_says() {
    use fips204::pre_hash as ph;
    let (public, secret) = fips204::ml_dsa_44::KG::keygen_from_seed(&[5; 32]);
    let key = VerifyingKey::from_bytes(Level::MlDsa44, &public.into_bytes()).unwrap();
    let hashes = [
        (ph::SHA2_256, PreHash::Sha256),
        (ph::SHA2_384, PreHash::Sha384),
        (ph::SHA2_512, PreHash::Sha512),
        (ph::SHA3_256, PreHash::Sha3_256),
        (ph::SHAKE_128, PreHash::Shake128),
        (ph::SHAKE_256, PreHash::Shake256),
    ];
    for (theirs, ours) in hashes {
        let digest: Vec<u8> = (0..).take(ours.digest_len()).collect();
        let signature = secret.try_hash_sign_with_seed(&[6; 32], &digest, b"ctx", &theirs).unwrap();
        let signature = Signature::from_bytes(Level::MlDsa44, &signature).unwrap();
        let mu = key.represent_digest(ours, &digest, b"ctx").unwrap();
        assert_eq!(key.verify_representative(&mu, &signature), Ok(()), "{ours:?}");
        let other = if ours == PreHash::Sha256 { PreHash::Shake128 } else { PreHash::Sha256 };
        let short = vec![0; other.digest_len()];
        let mu = key.represent_digest(other, &short, b"ctx").unwrap();
        assert!(key.verify_representative(&mu, &signature).is_err());
        assert!(key.represent_digest(ours, &digest[1..], b"ctx").is_err());
        assert!(key.represent_digest(ours, &[&digest[..], &[0]].concat(), b"ctx").is_err());
        assert!(key.represent_digest(ours, &digest, &[0; 256]).is_err());
    }
}

#[test]
fn other_lengths_are_refused() {
    for level in Level::ALL {
        let (expected, key) = (level.signature_len(), level.verifying_key_len());
        let wrong = |got| Some(DecodeError::WrongLength { expected, got });
        assert_eq!(Signature::from_bytes(level, &vec![0; expected - 1]).err(), wrong(expected - 1));
        assert_eq!(Signature::from_bytes(level, &vec![0; expected + 1]).err(), wrong(expected + 1));
        assert_eq!(Signature::from_bytes(level, &[]).err(), wrong(0));
        assert!(VerifyingKey::from_bytes(level, &vec![0; key - 1]).is_err());
        assert!(VerifyingKey::from_bytes(level, &vec![0; key + 1]).is_err());
        let zero = VerifyingKey::from_bytes(level, &vec![0; key]).unwrap();
        assert_eq!(zero.to_bytes(), vec![0; key]);
        assert!(zero.represent(b"", &[0; 256]).is_err() && zero.represent(b"", &[0; 255]).is_ok());
        // A signature of another level, as it is.
        let other = Level::ALL[(level as usize + 1) % 3];
        let signature = Signature::from_bytes(other, &vec![0; other.signature_len()]).unwrap();
        assert!(zero.verify(b"", b"", &signature).is_err());
    }
}
