//! Child keys, as those see them who only watch.

use crate::place::Place;
use quorate::ecdsa::curves::{Curve, Secp256k1};
use quorate::keys::derive::{DerivationPath, ExtendedKey, Network, TaprootKey};
use quorate_examples::verifiers;
use quorate_wallet::suites::{SUITES, Suite};

/// A line of what `derive` prints.
fn line<'t>(text: &'t str, name: &str) -> &'t str {
    let found = text.lines().find_map(|line| line.trim_start().strip_prefix(name));
    found.unwrap_or_else(|| panic!("{name} in {text}")).trim()
}

#[test]
fn every_suite_signs_with_a_child() {
    // Those of ECDSA: `ecdsa::presignatures_are_spent_one_by_one`.
    let derives =
        |suite: &&Suite| !["ecdsa", "ml-dsa"].iter().any(|begin| suite.name.starts_with(begin));
    for suite in SUITES.iter().filter(derives) {
        let place = Place::new();
        place.wallet("w", suite.name);
        let sign = "sign --dir @w --path m/0/7 --signers 1,3 @letter.txt --out @sig";
        let out = place.ok(sign);
        assert!(out.contains("verify --path m/0/7"), "{out}");
        place.ok("verify --dir @w --path m/0/7 @letter.txt @sig");
        for other in ["", "--path m", "--path m/0/8"] {
            let line = format!("verify --dir @w {other} @letter.txt @sig");
            place.fails(&line, "the signature does not verify");
        }
        let out = place.ok("derive --dir @w --path m/0/7");
        let standard = match suite.name {
            "secp256k1" | "secp256k1-tr" => "BIP-32",
            "p256" => "SLIP-10",
            _ => "Quorate additive derivation, version 1",
        };
        assert!(out.contains(standard), "{out}");
        assert_eq!(out.contains("xpub"), standard == "BIP-32", "{out}");
        // The children stay when the shares change.
        place.ok("refresh --dir @w");
        assert_eq!(place.ok("derive --dir @w --path m/0/7"), out);
    }
}

/// Wallets that know nothing but the extended key find the key that signs, and other verifiers take its signature.
pub(crate) fn others_derive(place: &Place, suite: &str) {
    let path: DerivationPath = "m/0/7".parse().unwrap();
    place.ok("sign --dir @w --path m/0/7 --signers 3,1 @letter.txt --out @sig");
    let out = place.ok("derive --dir @w --path m/0/7");
    let root = ExtendedKey::from_xpub(line(&out, "from "), Network::Main).unwrap();
    let child = root.derive(&path).unwrap();
    assert_eq!(line(&out, "extended "), child.to_xpub(Network::Main));
    let message = std::fs::read(place.path("letter.txt")).unwrap();
    let signature = std::fs::read(place.path("sig")).unwrap();
    let key = Secp256k1::encode_point(child.key());
    assert!(match suite {
        "secp256k1" => verifiers::secp256k1(&key, &message, &signature),
        "secp256k1-tr" => {
            let output = TaprootKey::new(&root.derivation(&path).unwrap(), None).unwrap();
            let script = output.script_pubkey().map(|byte| format!("{byte:02x}")).concat();
            assert_eq!(line(&out, "script "), script);
            let key = [&[2], &output.output()[..]].concat();
            verifiers::bip340(&key, &message, &signature)
        }
        _ => {
            let signature = quorate_cggmp::Signature::<Secp256k1>::from_der(&signature).unwrap();
            assert!(out.contains("-----BEGIN PUBLIC KEY-----"), "{out}");
            verifiers::ecdsa_secp256k1(&key, &message, &signature.to_compact())
        }
    });
}

#[test]
fn others_derive_from_the_text() {
    for suite in ["secp256k1", "secp256k1-tr"] {
        let place = Place::new();
        place.wallet("w", suite);
        others_derive(&place, suite);
    }
}

#[test]
fn paths_that_are_none() {
    let place = Place::new();
    place.wallet("w", "ed25519");
    for (path, says) in [
        ("m/0'/7", "a hardened child needs the whole secret key, which nobody has"),
        ("0/7", "not a derivation path"),
        ("m/2147483648", "a hardened child"),
        ("m//7", "not a derivation path"),
    ] {
        place.fails(&format!("derive --dir @w --path {path}"), says);
        place.fails(&format!("sign --dir @w --signers 1,2 --path {path} @letter.txt"), says);
    }
    place.fails("derive --dir @w", "--path <PATH>");
    place.fails("derive --dir @none --path m/0", "there is no wallet in");
}
