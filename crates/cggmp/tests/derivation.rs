//! Derivation, against the public vectors of BIP-32 and SLIP-10.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::integer_division_remainder_used,
    reason = "a test that fails stops"
)]

use quorate_cggmp::curves::{Curve, Secret};
use quorate_cggmp::single_point_of_failure::{export, import};
use quorate_cggmp::{
    DerivationPath, DeriveError, Derived, EcdsaCurve, KeyShare, P256, Secp256k1, VerifyingKey,
};
use quorate_session::Parties;
use quorate_testkit::unhex;
use sha2::{Digest, Sha256};

fn path(indices: &[u32]) -> DerivationPath {
    DerivationPath::new(indices.iter().copied()).unwrap()
}

/// Base58Check.
fn base58(text: &str) -> Vec<u8> {
    let alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
    let mut number = vec![0u8; 82];
    for letter in text.chars() {
        let mut carry = u32::try_from(alphabet.find(letter).unwrap()).unwrap();
        for byte in number.iter_mut().rev() {
            carry += u32::from(*byte) * 58;
            *byte = u8::try_from(carry & 255).unwrap();
            carry >>= 8;
        }
    }
    let check = Sha256::digest(Sha256::digest(&number[..78]));
    assert_eq!(number[78..], check[..4], "{text}");
    number
}

/// Chain code and key of an extended public key.
fn xpub(text: &str) -> (VerifyingKey<Secp256k1>, [u8; 32]) {
    let bytes = base58(text);
    assert_eq!(bytes[..4], [0x04, 0x88, 0xb2, 0x1e]);
    let chain_code = bytes[13..45].try_into().unwrap();
    (VerifyingKey::from_bytes(bytes[45..78].try_into().unwrap()).unwrap(), chain_code)
}

/// Test vectors 1 and 2 of BIP-32, where the step is not hardened.
#[test]
fn bip32() {
    let vectors = [
        (
            "xpub68Gmy5EdvgibQVfPdqkBBCHxA5htiqg55crXYuXoQRKfDBFA1WEjWgP6LHhwBZeNK1VTsfTFUHCdrfp1bgwQ9xv5ski8PX9rL2dZXvgGDnw",
            1,
            "xpub6ASuArnXKPbfEwhqN6e3mwBcDTgzisQN1wXN9BJcM47sSikHjJf3UFHKkNAWbWMiGj7Wf5uMash7SyYq527Hqck2AxYysAA7xmALppuCkwQ",
        ),
        (
            "xpub6D4BDPcP2GT577Vvch3R8wDkScZWzQzMMUm3PWbmWvVJrZwQY4VUNgqFJPMM3No2dFDFGTsxxpG5uJh7n7epu4trkrX7x7DogT5Uv6fcLW5",
            2,
            "xpub6FHa3pjLCk84BayeJxFW2SP4XRrFd1JYnxeLeU8EqN3vDfZmbqBqaGJAyiLjTAwm6ZLRQUMv1ZACTj37sR62cfN7fe5JnJ7dh8zL4fiyLHV",
        ),
        (
            "xpub6FHa3pjLCk84BayeJxFW2SP4XRrFd1JYnxeLeU8EqN3vDfZmbqBqaGJAyiLjTAwm6ZLRQUMv1ZACTj37sR62cfN7fe5JnJ7dh8zL4fiyLHV",
            1_000_000_000,
            "xpub6H1LXWLaKsWFhvm6RVpEL9P4KfRZSW7abD2ttkWP3SSQvnyA8FSVqNTEcYFgJS2UaFcxupHiYkro49S8yGasTvXEYBVPamhGW6cFJodrTHy",
        ),
        (
            "xpub661MyMwAqRbcFW31YEwpkMuc5THy2PSt5bDMsktWQcFF8syAmRUapSCGu8ED9W6oDMSgv6Zz8idoc4a6mr8BDzTJY47LJhkJ8UB7WEGuduB",
            0,
            "xpub69H7F5d8KSRgmmdJg2KhpAK8SR3DjMwAdkxj3ZuxV27CprR9LgpeyGmXUbC6wb7ERfvrnKZjXoUmmDznezpbZb7ap6r1D3tgFxHmwMkQTPH",
        ),
    ];
    for (parent, index, child) in vectors {
        let (key, chain_code) = xpub(parent);
        let derived = Derived::at(&key, &chain_code, &path(&[index])).unwrap();
        assert!((derived.key, derived.chain_code) == xpub(child));
        let moved = *key.point() + Secp256k1::mul_base(&derived.tweak);
        assert!(moved == *derived.key.point());
    }
    // Two steps at once: m/0'/1/2' → 2 → 1000000000.
    let (key, chain_code) = xpub(vectors[1].0);
    let derived = Derived::at(&key, &chain_code, &path(&[2, 1_000_000_000])).unwrap();
    assert!((derived.key, derived.chain_code) == xpub(vectors[2].2));
    let moved = *key.point() + Secp256k1::mul_base(&derived.tweak);
    assert!(moved == *derived.key.point());
}

/// SLIP-10, P-256: test vector 1, and the one where a child is derived again.
#[test]
fn slip10() {
    for (parent, code, index, child, child_code) in [
        (
            "0384610f5ecffe8fda089363a41f56a5c7ffc1d81b59a612d0d649b2d22355590c",
            "3460cea53e6a6bb5fb391eeef3237ffd8724bf0a40e94943c98b83825342ee11",
            1,
            "03526c63f8d0b4bbbf9c80df553fe66742df4676b241dabefdef67733e070f6844",
            "4187afff1aafa8445010097fb99d23aee9f599450c7bd140b6826ac22ba21d0c",
        ),
        (
            "02519b5554a4872e8c9c1c847115363051ec43e93400e030ba3c36b52a3e70a5b7",
            "e94c8ebe30c2250a14713212f6449b20f3329105ea15b652ca5bdfc68f6c65c2",
            33941,
            "0235bfee614c0d5b2cae260000bb1d0d84b270099ad790022c1ae0b2e782efe120",
            "9e87fe95031f14736774cd82f25fd885065cb7c358c1edf813c72af535e83071",
        ),
    ] {
        let key = VerifyingKey::<P256>::from_bytes(unhex(parent)[..].try_into().unwrap()).unwrap();
        let code: [u8; 32] = unhex(code).try_into().unwrap();
        let derived = Derived::at(&key, &code, &path(&[index])).unwrap();
        assert_eq!(derived.chain_code[..], unhex(child_code));
        assert_eq!(derived.key.as_bytes()[..], unhex(child));
    }
}

/// Shares derived by each party alone are shares of the derived key.
fn shares_of_children<C: EcdsaCurve>() {
    let parties = Parties::numbered(4).unwrap();
    let mut rng = quorate_testkit::rng(1);
    let secret = Secret::new(C::Scalar::from(99));
    let shares = import::<C>(secret, Some([4; 32]), 3, &parties, &mut rng).unwrap();
    let path: DerivationPath = "m/44/0/7".parse().unwrap();
    let children: Vec<_> = shares.iter().map(|share| share.derive(&path).unwrap()).collect();
    let expected = shares[0].info().derive(&path).unwrap();
    let derived = shares[0].info().derivation(&path).unwrap();
    assert!(*expected.verifying_key() == derived.key);
    assert_eq!(*expected.chain_code(), derived.chain_code);
    assert!(expected.key_id() != shares[0].info().key_id());
    for child in &children {
        assert_eq!(*child.info(), expected);
        KeyShare::<C>::from_bytes(&child.to_bytes(), &expected).unwrap();
        child.additive(&parties).unwrap();
    }
    let whole = export(&children[1..]).unwrap();
    assert!(*whole.expose() == C::Scalar::from(99) + derived.tweak);
    // One step after the other, and no step at all.
    let stepwise = ["m/44", "m/0/7"]
        .iter()
        .fold(shares[0].info().clone(), |info, path| info.derive(&path.parse().unwrap()).unwrap());
    assert_eq!(stepwise, expected);
    assert_eq!(shares[0].info().derive(&"m".parse().unwrap()).unwrap(), *shares[0].info());
    // Shifting the key away.
    let away = shares[0].shift(&-C::Scalar::from(99), [0; 32]);
    assert_eq!(away.unwrap_err(), DeriveError::Identity);
}

#[test]
fn shares_of_children_over_secp256k1() {
    shares_of_children::<Secp256k1>();
}

#[test]
fn shares_of_children_over_p256() {
    shares_of_children::<P256>();
}

#[test]
fn paths() {
    let parse = |text: &str| text.parse::<DerivationPath>();
    assert_eq!(parse("m").unwrap(), DerivationPath::default());
    assert_eq!(parse("m/0/2147483647").unwrap().indices(), [0, 2_147_483_647]);
    for hardened in ["m/0'", "m/44h/0", "m/1/2H", "m/2147483648", "m/4294967295"] {
        assert_eq!(parse(hardened).unwrap_err(), DeriveError::Hardened, "{hardened}");
    }
    for bad in ["", "0", "/0", "m/", "m//1", "M/0", "m/+1", "m/-1", "m/ 1", "m/x", "m/4294967296"] {
        assert_eq!(parse(bad).unwrap_err(), DeriveError::BadPath, "{bad}");
    }
    assert!(DerivationPath::new([7; 255]).is_ok());
    assert_eq!(DerivationPath::new([7; 256]).unwrap_err(), DeriveError::TooDeep);
    assert_eq!(parse(&format!("m{}", "/1".repeat(256))).unwrap_err(), DeriveError::TooDeep);
    assert_eq!(DerivationPath::new([1 << 31]).unwrap_err(), DeriveError::Hardened);
}
