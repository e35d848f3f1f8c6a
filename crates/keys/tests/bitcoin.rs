//! Derivation against the crate `bitcoin`: extended keys, their texts, and BIP-86's addresses.
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    clippy::integer_division_remainder_used,
    reason = "a test that fails stops"
)]

use core::str::FromStr;

use bitcoin::bip32::{ChildNumber, Xpub};
use bitcoin::{
    Address, KnownHrp, Network as Chain, NetworkKind, Script, XOnlyPublicKey, secp256k1,
};
use quorate_curve::{Curve, Secp256k1};
use quorate_keys::derive::{DerivationPath, ExtendedKey, Network, TaprootKey};
use quorate_testkit::rng;
use rand_core::Rng;

/// Random keys, at random places of random trees, and random paths below them.
#[test]
fn extended_keys_are_those_of_bitcoin() {
    let mut rng = rng(11);
    let context = secp256k1::Secp256k1::verification_only();
    for round in 0..64 {
        let scalar = Secp256k1::scalar_from_wide(&rng.next_u64().to_be_bytes());
        let (mut code, mut parent) = ([0; 32], [0; 4]);
        rng.fill_bytes(&mut code);
        rng.fill_bytes(&mut parent);
        let (depth, number) = (1 + (rng.next_u32() % 200) as u8, rng.next_u32());
        let key = ExtendedKey::new(depth, parent, number, code, Secp256k1::mul_base(&scalar));
        let ours = key.unwrap();
        let (network, kind) = match round % 2 {
            0 => (Network::Main, NetworkKind::Main),
            _ => (Network::Test, NetworkKind::Test),
        };
        let theirs = Xpub::from_str(&ours.to_xpub(network)).unwrap();
        assert_eq!((theirs.network, theirs.depth), (kind, depth));
        assert_eq!(theirs.to_string(), ours.to_xpub(network));
        assert_eq!(theirs.fingerprint().to_bytes(), ours.fingerprint());
        assert_eq!(theirs.identifier()[..], ours.identifier());

        let indices: Vec<u32> = (0..rng.next_u32() % 6).map(|_| rng.next_u32() >> 1).collect();
        let normal = |index: &u32| ChildNumber::from_normal_idx(*index).unwrap();
        let steps: Vec<_> = indices.iter().map(normal).collect();
        let child = theirs.derive_pub(&context, &steps).unwrap();
        let path = DerivationPath::new(indices).unwrap();
        let derived = ours.derive(&path).unwrap();
        assert_eq!(derived.to_xpub(network), child.to_string());
        assert_eq!(ExtendedKey::from_xpub(&child.to_string(), network).unwrap(), derived);

        // The output without a script, and one with.
        let root = [round; 32];
        for root in [None, Some(&root)] {
            let found = TaprootKey::new(&ours.derivation(&path).unwrap(), root).unwrap();
            let internal = child.to_x_only_pub();
            assert_eq!(internal.serialize(), *found.internal());
            let hash = root.map(|root| bitcoin::hashes::Hash::from_byte_array(*root));
            let address = Address::p2tr(&context, internal, hash, KnownHrp::Mainnet);
            assert_eq!(address.script_pubkey().as_bytes(), found.script_pubkey());
            XOnlyPublicKey::from_slice(found.output()).unwrap();
        }
    }
}

/// The addresses in BIP-86.
#[test]
fn addresses_of_bip86() {
    let account = "xpub6BgBgsespWvERF3LHQu6CnqdvfEvtMcQjYrcRzx53QJjSxarj2afYWcLteoGVky7D3UKDP9QyrLprQ3VCECoY49yfdDEHGCtMMj92pReUsQ";
    let account = ExtendedKey::from_xpub(account, Network::Main).unwrap();
    for (path, expected) in [
        ("m/0/0", "bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr"),
        ("m/0/1", "bc1p4qhjn9zdvkux4e44uhx8tc55attvtyu358kutcqkudyccelu0was9fqzwh"),
        ("m/1/0", "bc1p3qkhfews2uk44qtvauqyr2ttdsw7svhkl9nkm9s9c3x4ax5h60wqwruhk7"),
    ] {
        let derived = account.derivation(&path.parse().unwrap()).unwrap();
        let script = TaprootKey::new(&derived, None).unwrap().script_pubkey();
        let address = Address::from_script(Script::from_bytes(&script), Chain::Bitcoin).unwrap();
        assert_eq!(address.to_string(), expected);
    }
}
