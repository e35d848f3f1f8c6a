//! Texts of extended keys.

use quorate_curve::{Curve, Secp256k1};
use quorate_keys::derive::{ExtendedKey, Network, XpubError};
use sha2::{Digest, Sha256};

const XPUB: &str = "xpub6ASuArnXKPbfEwhqN6e3mwBcDTgzisQN1wXN9BJcM47sSikHjJf3UFHKkNAWbWMiGj7Wf5uMash7SyYq527Hqck2AxYysAA7xmALppuCkwQ";

fn read(text: &str) -> Result<ExtendedKey<Secp256k1>, XpubError> {
    ExtendedKey::from_xpub(text, Network::Main)
}

/// Base58Check of any body.
fn text(body: &[u8]) -> String {
    let check = Sha256::digest(Sha256::digest(body));
    bs58::encode([body, &check[..4]].concat()).into_string()
}

fn body() -> Vec<u8> {
    let mut bytes = bs58::decode(XPUB).into_vec().unwrap();
    bytes.truncate(78);
    assert_eq!(text(&bytes), XPUB);
    bytes
}

/// The text of a body with other bytes from `at` on.
fn altered(at: usize, bytes: &[u8]) -> String {
    let mut body = body();
    body[at..at + bytes.len()].copy_from_slice(bytes);
    text(&body)
}

#[test]
fn texts_of_both_networks() {
    let key = read(XPUB).unwrap();
    let testnet = key.to_xpub(Network::Test);
    assert!(testnet.starts_with("tpub") && testnet.len() == 111);
    assert_eq!(ExtendedKey::from_xpub(&testnet, Network::Test).unwrap(), key);
    let other = XpubError::WrongNetwork { expected: Network::Main, found: Network::Test };
    assert_eq!(read(&testnet).unwrap_err(), other);
    assert!(!format!("{key:?}").contains("chain"));
}

#[test]
fn private_keys_are_refused_by_name() {
    for text in ["xprv", "tprv9", "yprv/", "zprvAWgYBB", "xprv is not even base58 0OIl"] {
        assert_eq!(read(text).unwrap_err(), XpubError::Private, "{text}");
    }
    // With a private version, whatever the text looks like.
    for version in [[0x04, 0x88, 0xad, 0xe4], [0x04, 0x35, 0x83, 0x94]] {
        assert_eq!(read(&altered(0, &version)).unwrap_err(), XpubError::Private);
    }
}

#[test]
fn every_other_text_has_its_error() {
    for (text, expected) in [
        (altered(0, &[0x04, 0x9d, 0x7c, 0xb2]), XpubError::Version([0x04, 0x9d, 0x7c, 0xb2])),
        (altered(45, &[4]), XpubError::BadPoint),
        (altered(45, &[0; 33]), XpubError::BadPoint),
        // x = p.
        (altered(46, &p()), XpubError::BadPoint),
        (altered(4, &[0]), XpubError::MasterWithParent),
        (altered(4, &[0, 0, 0, 0, 0]), XpubError::MasterWithParent),
    ] {
        assert_eq!(read(&text).unwrap_err(), expected);
    }
    // A parent's fingerprint may be zeros by chance.
    assert_eq!(read(&altered(5, &[0; 4])).unwrap().parent_fingerprint(), [0; 4]);
    let length = |got| XpubError::Length { expected: 111, got };
    assert_eq!(read("").unwrap_err(), length(0));
    assert_eq!(read(&XPUB[1..]).unwrap_err(), length(110));
    assert_eq!(read(&format!("{XPUB} ")).unwrap_err(), length(112));
    assert_eq!(read(&"x".repeat(1 << 20)).unwrap_err(), length(1 << 20));
    // One byte less, and one more, with a right checksum.
    assert!(matches!(read(&text(&body()[..77])).unwrap_err(), XpubError::Length { .. }));
    assert!(matches!(
        read(&text(&[body(), vec![0]].concat())).unwrap_err(),
        XpubError::Length { .. }
    ));
    // The right number of characters, and other numbers of bytes.
    for text in ["1".repeat(111), "1".repeat(40) + &XPUB[40..]] {
        assert_eq!(read(&text).unwrap_err(), XpubError::NotBase58, "{text}");
    }
    assert_eq!(read(&"z".repeat(111)).unwrap_err(), XpubError::Checksum);
    for bad in ['0', 'O', 'I', 'l', '+', ' ', '\0'] {
        let text = XPUB.replacen('A', &bad.to_string(), 1);
        assert_eq!(read(&text).unwrap_err(), XpubError::NotBase58);
    }
    let wide = XPUB.replacen("AS", "é", 1);
    assert_eq!(read(&wide).unwrap_err(), XpubError::NotBase58);
}

/// A wrong character in any place is found.
#[test]
fn every_altered_character_is_refused() {
    for at in 0..XPUB.len() {
        let mut bytes = XPUB.as_bytes().to_vec();
        bytes[at] = if bytes[at] == b'7' { b'8' } else { b'7' };
        assert!(read(core::str::from_utf8(&bytes).unwrap()).is_err(), "{at}");
    }
}

fn p() -> [u8; 32] {
    let mut p = [0xff; 32];
    p[27] = 0xfe;
    p[30..].copy_from_slice(&[0xfc, 0x2f]);
    assert!(Secp256k1::decode_point(&[&[2][..], &p].concat()).is_none());
    p
}
