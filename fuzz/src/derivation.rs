//! Texts of extended keys and of paths.

use k256::PublicKey;
use quorate_curve::Curve;
use quorate_curve::Secp256k1;
use quorate_keys::derive::{DerivationPath, ExtendedKey, Network, TaprootKey, XpubError};

use crate::seeds::Seed;

const BODY: usize = 78;
const XPUB: &str = "xpub6ASuArnXKPbfEwhqN6e3mwBcDTgzisQN1wXN9BJcM47sSikHjJf3UFHKkNAWbWMiGj7Wf5uMash7SyYq527Hqck2AxYysAA7xmALppuCkwQ";

/// The first byte chooses: a text as it is, the body of one whose checksum is put behind it, or a path.
pub(crate) fn check(data: &[u8]) -> bool {
    let Some((what, rest)) = data.split_first() else { return false };
    match what % 3 {
        0 => std::str::from_utf8(rest).is_ok_and(xpub),
        1 => body(rest),
        _ => std::str::from_utf8(rest).is_ok_and(path),
    }
}

/// One text for each key and network, no private key, and children that are keys again.
fn xpub(text: &str) -> bool {
    let mut accepted = false;
    for network in [Network::Main, Network::Test] {
        let Ok(key) = ExtendedKey::<Secp256k1>::from_xpub(text, network) else { continue };
        assert!(!accepted, "of both networks");
        assert_eq!(key.to_xpub(network), text);
        let encoded = Secp256k1::encode_point(key.key());
        assert!(PublicKey::from_sec1_bytes(&encoded).is_ok(), "no key to another implementation");
        let path = DerivationPath::new([7]).expect("not hardened");
        assert_eq!(key.derive(&path).is_err(), key.depth() == 255);
        if let Ok(derived) = key.derivation(&path) {
            let output = TaprootKey::new(&derived, None).expect("the chance is nil");
            assert_eq!(output.script_pubkey()[2..], *output.output());
        }
        accepted = true;
    }
    accepted
}

/// A body is accepted if and only if each of its parts is what BIP-32 asks for.
fn body(bytes: &[u8]) -> bool {
    let text = bs58::encode(bytes).with_check().into_string();
    let accepted = xpub(&text);
    if bytes.len() != BODY {
        assert!(!accepted);
        return false;
    }
    let version = &bytes[..4];
    let is_public =
        [[0x04, 0x88, 0xb2, 0x1e], [0x04, 0x35, 0x87, 0xcf]].iter().any(|v| v == version);
    let is_key = matches!(bytes[45], 2 | 3) && PublicKey::from_sec1_bytes(&bytes[45..]).is_ok();
    let has_place = bytes[4] > 0 || bytes[5..13] == [0; 8];
    assert_eq!(accepted, is_public && is_key && has_place);
    let is_private =
        [[0x04, 0x88, 0xad, 0xe4], [0x04, 0x35, 0x83, 0x94]].iter().any(|v| v == version);
    let found = ExtendedKey::<Secp256k1>::from_xpub(&text, Network::Main);
    assert!(!is_private || found == Err(XpubError::Private));
    accepted
}

fn path(text: &str) -> bool {
    let Ok(path) = text.parse::<DerivationPath>() else { return false };
    assert!(path.indices().len() <= 255);
    assert!(path.indices().iter().all(|index| *index < 1 << 31));
    assert!(DerivationPath::new(path.indices().iter().copied()).as_ref() == Ok(&path));
    assert!(path.to_string().parse().as_ref() == Ok(&path));
    true
}

pub(crate) fn seeds() -> Vec<Seed> {
    let mut seeds = Vec::new();
    let mut add = |name: &str, bytes: &[&[u8]]| {
        seeds.push(Seed { target: "derivation", name: name.into(), bytes: bytes.concat() });
    };
    let bytes = bs58::decode(XPUB).with_check(None).into_vec().expect("a vector of BIP-32");
    let key = ExtendedKey::<Secp256k1>::from_xpub(XPUB, Network::Main).expect("as above");
    add("xpub", &[&[0], XPUB.as_bytes()]);
    add("tpub", &[&[0], key.to_xpub(Network::Test).as_bytes()]);
    add("body", &[&[1], &bytes]);
    add("body_depth_255", &[&[1], &bytes[..4], &[255], &bytes[5..]]);
    add("body_master", &[&[1], &bytes[..4], &[0; 9], &bytes[13..]]);
    add("path", &[&[2], b"m/44/0/7"]);
    add("path_empty", &[&[2], b"m"]);
    add("path_largest", &[&[2], b"m/2147483647"]);
    seeds
}

/// Each differs from a valid one in one respect.
pub(crate) fn refused() -> Vec<Seed> {
    let bytes = bs58::decode(XPUB).with_check(None).into_vec().expect("a vector of BIP-32");
    let body = |name: &str, at: usize, with: &[u8]| {
        let mut altered = bytes.clone();
        altered[at..at + with.len()].copy_from_slice(with);
        Seed { target: "derivation", name: name.into(), bytes: [&[1][..], &altered].concat() }
    };
    let path = |name: &str, text: &[u8]| Seed {
        target: "derivation",
        name: name.into(),
        bytes: [&[2], text].concat(),
    };
    vec![
        body("private", 0, &[0x04, 0x88, 0xad, 0xe4]),
        body("master_with_parent", 4, &[0]),
        body("uncompressed", 45, &[4]),
        path("hardened", b"m/44'/0"),
        path("sign", b"m/+1"),
    ]
}
