//! The wallet example with ECDSA: presignatures, spent once, and the files of others.

use std::fs;
use std::path::{Path, PathBuf};

use crate::derive::others_derive;
use crate::fixture::{Fixture, flip};
use crate::independent;

const SIGN_13: &str = "sign --replace --dir @w --signers 1,3 @letter.txt --out @sig";
const VERIFY: &str = "verify --dir @w @letter.txt @sig";
const SPENT: &str = "from a presignature, which is spent now";
const NONE: &str = "no presignature of these signers is left: all rounds in one go";

fn files(dir: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// The number of parts of presignatures.
fn stock(fixture: &Fixture) -> usize {
    let part = |file: &PathBuf| file.to_string_lossy().contains(".party-");
    files(&fixture.path("w/presignatures")).into_iter().filter(part).count()
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for file in files(from) {
        fs::copy(&file, to.join(file.file_name().unwrap())).unwrap();
    }
}

#[test]
fn presignatures_are_spent_one_by_one() {
    for suite in ["ecdsa-secp256k1", "ecdsa-p256"] {
        let fixture = Fixture::new();
        fixture.wallet("w", suite);
        let out = fixture.ok("presign --dir @w --signers 3,1 --count 3");
        assert!(out.contains("3 made"), "{out}");
        fixture.ok("presign --dir @w --signers 1,2,3 --count 1");
        assert_eq!(stock(&fixture), 3 * 2 + 3);
        // One of them serves a child key.
        let child = "--path m/0/7";
        if suite == "ecdsa-secp256k1" {
            others_derive(&fixture, suite);
        } else {
            let out = fixture.ok(&format!("{SIGN_13} {child}"));
            assert!(out.contains(SPENT), "{out}");
            let out = fixture.ok(&format!("derive --dir @w {child}"));
            assert!(out.contains("SLIP-10") && !out.contains("xpub"), "{out}");
        }
        fixture.ok(&format!("{VERIFY} {child}"));
        fixture.fails(VERIFY, "the signature does not verify");
        // Those of other signers stay.
        assert!(
            fixture
                .ok("sign --replace --dir @w --signers 1,2 @letter.txt --out @sig")
                .contains(NONE)
        );
        fixture.ok(VERIFY);
        for left in [5, 3] {
            let out = fixture.ok(SIGN_13);
            assert!(out.contains(SPENT), "{out}");
            fixture.ok(VERIFY);
            assert_eq!(independent::verifies(&fixture, "w", suite, "sig"), Some(true));
            assert_eq!(stock(&fixture), left);
        }
        assert!(fixture.ok(SIGN_13).contains(NONE));
        fixture.ok(VERIFY);
        let three = "sign --replace --dir @w --signers 3,2,1 @letter.txt --out @sig";
        assert!(fixture.ok(three).contains(SPENT));
        fixture.ok(VERIFY);
        // A record for each signer and presignature: which, and what it was spent on.
        let records = files(&fixture.path("w/spent"));
        assert_eq!(records.len(), 3 * 2 + 3);
        assert!(records.iter().all(|record| fs::read(record).unwrap().len() == 32));
        fs::write(fixture.path("letter.txt"), "Dear Sir or Madam!").unwrap();
        fixture.fails(VERIFY, "the signature does not verify");
    }
}

#[test]
fn a_restored_presignature_is_refused() {
    let fixture = Fixture::new();
    fixture.wallet("w", "ecdsa-secp256k1");
    fixture.ok("presign --dir @w --signers 1,3 --count 1");
    copy(&fixture.path("w/presignatures"), &fixture.path("backup"));
    fixture.ok(SIGN_13);
    let first = fs::read(fixture.path("sig")).unwrap();
    // The parts alone, past the record that says where the stock is.
    let restore = || {
        for file in files(&fixture.path("backup")) {
            if file.to_string_lossy().contains(".party-") {
                let name = file.file_name().unwrap();
                fs::copy(&file, fixture.path("w/presignatures").join(name)).unwrap();
            }
        }
    };
    restore();
    fs::write(fixture.path("letter.txt"), "another letter").unwrap();
    fixture.fails(SIGN_13, "party 1 has spent presignature ");
    assert_eq!(fs::read(fixture.path("sig")).unwrap(), first);
    // The other signer's record is enough.
    for record in files(&fixture.path("w/spent")) {
        if record.to_string_lossy().ends_with(".party-1") {
            fs::remove_file(record).unwrap();
        }
    }
    restore();
    fixture.fails(SIGN_13, "party 3 has spent presignature ");
    assert_eq!(fs::read(fixture.path("sig")).unwrap(), first);
    // The presignature was deleted, as the message says.
    assert_eq!(stock(&fixture), 0);
    assert!(fixture.ok(SIGN_13).contains(NONE));
    fixture.ok(VERIFY);
}

#[test]
fn what_can_be_wrong() {
    let fixture = Fixture::new();
    fixture.wallet("w", "ecdsa-p256");
    fixture.wallet("frost", "p256");
    fixture.fails("sign --replace --dir @w --signers 1 @letter.txt", "1 of the 2 signers needed");
    fixture.fails("presign --dir @w --signers 2 --count 1", "1 of the 2 signers needed");
    fixture
        .fails("sign --replace --dir @w --signers 1,4 @letter.txt", "party 4 is not one of the 3");
    fixture.fails("sign --replace --dir @w --signers 1,3 @none", "cannot read ");
    let suite = "sign --replace --dir @w --suite p256 --signers 1,3 @letter.txt";
    fixture.fails(suite, "is for ecdsa-p256, not p256");
    let none = "p256 has no presignatures here; just sign";
    fixture.fails("presign --dir @frost --signers 1,2 --count 1", none);
    fixture.ok("presign --dir @w --signers 1,3 --count 1");

    damaged_files(&fixture);
    files_of_others(&fixture);
    // After all that the presignature is still there, since nothing was released.
    assert!(fixture.ok(SIGN_13).contains(SPENT));
    fixture.ok(VERIFY);

    let whole = fs::read(fixture.path("sig")).unwrap();
    for at in 0..whole.len() {
        flip(&fixture.path("sig"), at);
        fixture.run(VERIFY).expect_err("altered");
        flip(&fixture.path("sig"), at);
    }
    fixture.fails("verify --dir @w @letter.txt @letter.txt", "is no ecdsa-p256 signature");
    let text = "is no signature; it is not overwritten";
    fixture.fails("sign --replace --dir @w --signers 1,3 @letter.txt --out @letter.txt", text);
}

/// Files that are damaged, and the messages about them.
fn damaged_files(fixture: &Fixture) {
    for (file, says) in [
        (fixture.path("w/party-1.share"), "party-1.share is no usable key share for ecdsa-p256: "),
        (fixture.path("w/party-3.aux"), "party-3.aux is damaged: "),
        (
            fixture.path("w/party-1.seal"),
            "does not open: sealed under another key or for another purpose, or the bytes were altered",
        ),
        (fixture.path("w/public.key"), " is damaged: "),
    ] {
        let length = fs::read(&file).unwrap().len();
        for at in (0..length).step_by(length.div_ceil(40)) {
            flip(&file, at);
            fixture.fails(SIGN_13, says);
            flip(&file, at);
        }
    }
}

/// Files of another party.
fn files_of_others(fixture: &Fixture) {
    let swap = |name: &str| {
        let [path, other] =
            ["1", "2"].map(|party| fixture.path(&format!("w/party-{party}.{name}")));
        let own = fs::read(&path).unwrap();
        fs::copy(other, &path).unwrap();
        (path, own)
    };
    for (name, says) in [
        ("share", "party-1.share is not party 1's share of this wallet's key"),
        ("aux", "party-1.aux is not party 1's in this wallet"),
        ("seal", "sealed under another key or for another purpose"),
    ] {
        let (path, own) = swap(name);
        fixture.fails(SIGN_13, says);
        fs::write(path, own).unwrap();
    }
}

#[test]
fn files_for_others_and_for_nobody() {
    let fixture = Fixture::new();
    let keygen =
        "keygen --dir @w --suite ecdsa-secp256k1 --threshold 2 --parties 2 --level 112 --plaintext";
    let out = fixture.ok(keygen);
    assert!(out.contains("moduli of 2048 bits"), "{out}");
    fixture.fails(keygen, "already holds a wallet; it is not overwritten");
    fixture.ok("presign --dir @w --signers 1,2 --count 1");
    let pem = fs::read_to_string(fixture.path("w/public.pem")).unwrap();
    assert!(pem.starts_with("-----BEGIN PUBLIC KEY-----\n"), "{pem}");
    fixture.ok("sign --replace --dir @w --signers 1,2 @letter.txt");
    let out = fixture.ok("verify --dir @w @letter.txt @w/letter.txt.ecdsa-secp256k1.sig");
    assert!(out.contains("    openssl dgst -sha256 -verify "), "{out}");
    assert_eq!(fs::read(fixture.path("w/letter.txt.ecdsa-secp256k1.sig")).unwrap()[0], 0x30);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fixture.ok("presign --dir @w --signers 1,2 --count 1");
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let w = fixture.path("w");
        let secret = files(&w).into_iter().chain(files(&w.join("presignatures"))).filter(|file| {
            let file = file.file_name().unwrap().to_string_lossy();
            file.starts_with("party-") || file.contains(".party-")
        });
        let modes: Vec<_> = secret.map(|file| mode(&file)).collect();
        assert_eq!(modes, [0o600; 2 * 3 + 2]);
        assert_eq!(
            [w.clone(), w.join("presignatures"), w.join("spent")].map(|dir| mode(&dir)),
            [0o700, 0o700, 0o700]
        );
    }
}
