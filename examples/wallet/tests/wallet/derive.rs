//! Child keys, as programs see them that only watch.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::fixture::Fixture;
use quorate::ecdsa::curves::{Curve, Secp256k1};
use quorate::keys::derive::{DerivationPath, ExtendedKey, Network, TaprootKey};
use quorate_examples::verifiers;
use quorate_wallet::suites::{SUITES, Suite};

/// A line of what `derive` prints.
pub(crate) fn line<'t>(text: &'t str, name: &str) -> &'t str {
    let found = text.lines().find_map(|line| line.trim_start().strip_prefix(name));
    found.unwrap_or_else(|| panic!("{name} in {text}")).trim()
}

/// The files in a folder and below it, with their contents, the lock left out.
pub(crate) fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.extend(files(&path));
        } else if path.file_name().is_some_and(|name| name != "lock") {
            let content = fs::read(&path).unwrap();
            all.insert(path, content);
        }
    }
    all
}

#[test]
fn every_suite_signs_with_a_child() {
    // Those of ECDSA: `ecdsa::presignatures_are_spent_one_by_one`.
    let derives =
        |suite: &&Suite| !["ecdsa", "ml-dsa"].iter().any(|begin| suite.name.starts_with(begin));
    for suite in SUITES.iter().filter(derives) {
        let fixture = Fixture::new();
        fixture.wallet("w", suite.name);
        let sign = "sign --replace --dir @w --path m/0/7 --signers 1,3 @letter.txt --out @sig";
        let before = files(&fixture.path("w"));
        let out = fixture.ok(sign);
        // t stored shares of a child would reveal the wallet's key, also after a refresh.
        assert!(files(&fixture.path("w")) == before, "a share of a child is stored");
        assert!(out.contains("verify --path m/0/7"), "{out}");
        fixture.ok("verify --dir @w --path m/0/7 @letter.txt @sig");
        for other in ["", "--path m", "--path m/0/8"] {
            let line = format!("verify --dir @w {other} @letter.txt @sig");
            fixture.fails(&line, "the signature does not verify");
        }
        let out = fixture.ok("derive --dir @w --path m/0/7");
        // The seventh byte of a container is the curve's number.
        let standard = match before[&fixture.path("w/public.key")][6] {
            5 => "BIP-32",
            4 => "SLIP-10",
            _ => "Quorate additive derivation, version 1",
        };
        assert!(out.contains(standard), "{out}");
        assert_eq!(out.contains("xpub"), standard == "BIP-32", "{out}");
        // The children stay when the shares change.
        fixture.ok("refresh --dir @w");
        assert_eq!(fixture.ok("derive --dir @w --path m/0/7"), out);
    }
}

/// Wallets with only the extended key find the key that signs, and other verifiers accept its signature.
pub(crate) fn others_derive(fixture: &Fixture, suite: &str) {
    let path: DerivationPath = "m/0/7".parse().unwrap();
    fixture.ok("sign --replace --dir @w --path m/0/7 --signers 3,1 @letter.txt --out @sig");
    let out = fixture.ok("derive --dir @w --path m/0/7");
    let root = ExtendedKey::from_xpub(line(&out, "from "), Network::Main).unwrap();
    let child = root.derive(&path).unwrap();
    assert_eq!(line(&out, "extended "), child.to_xpub(Network::Main));
    let message = fs::read(fixture.path("letter.txt")).unwrap();
    let signature = fs::read(fixture.path("sig")).unwrap();
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
        let fixture = Fixture::new();
        fixture.wallet("w", suite);
        others_derive(&fixture, suite);
    }
}

#[test]
fn paths_that_are_none() {
    let fixture = Fixture::new();
    fixture.wallet("w", "ed25519");
    for (path, says) in [
        ("m/0'/7", "a hardened child needs the whole secret key, which nobody has"),
        ("0/7", "not a derivation path"),
        ("m/2147483648", "a hardened child"),
        ("m//7", "not a derivation path"),
    ] {
        fixture.fails(&format!("derive --dir @w --path {path}"), says);
        fixture.fails(
            &format!("sign --replace --dir @w --signers 1,2 --path {path} @letter.txt"),
            says,
        );
    }
    fixture.fails("derive --dir @w", "--path <PATH>");
    fixture.fails("derive --dir @none --path m/0", "there is no wallet in");
}
