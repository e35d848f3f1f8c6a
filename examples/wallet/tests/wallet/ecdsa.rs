//! The wallet example with ECDSA: presignatures, spent once, and the files of others.

use std::fs;
use std::path::{Path, PathBuf};

use crate::derive::others_derive;
use crate::independent;
use crate::place::{Place, flip};

const SIGN_13: &str = "sign --dir @w --signers 1,3 @letter.txt --out @sig";
const VERIFY: &str = "verify --dir @w @letter.txt @sig";
const SPENT: &str = "from a presignature, which is spent now";
const NONE: &str = "no presignature of these signers is left: all rounds in one go";

fn files(dir: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// How many parts of presignatures there are.
fn stock(place: &Place) -> usize {
    let part = |file: &PathBuf| file.to_string_lossy().contains(".party-");
    files(&place.path("w/presignatures")).into_iter().filter(part).count()
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
        let place = Place::new();
        place.wallet("w", suite);
        let out = place.ok("presign --dir @w --signers 3,1 --count 3");
        assert!(out.contains("3 made"), "{out}");
        place.ok("presign --dir @w --signers 1,2,3 --count 1");
        assert_eq!(stock(&place), 3 * 2 + 3);
        // One of them serves a child key.
        let child = "--path m/0/7";
        if suite == "ecdsa-secp256k1" {
            others_derive(&place, suite);
        } else {
            let out = place.ok(&format!("{SIGN_13} {child}"));
            assert!(out.contains(SPENT), "{out}");
            let out = place.ok(&format!("derive --dir @w {child}"));
            assert!(out.contains("SLIP-10") && !out.contains("xpub"), "{out}");
        }
        place.ok(&format!("{VERIFY} {child}"));
        place.fails(VERIFY, "the signature does not verify");
        // Those of other signers stay.
        assert!(place.ok("sign --dir @w --signers 1,2 @letter.txt --out @sig").contains(NONE));
        place.ok(VERIFY);
        for left in [5, 3] {
            let out = place.ok(SIGN_13);
            assert!(out.contains(SPENT), "{out}");
            place.ok(VERIFY);
            assert_eq!(independent::verifies(&place, "w", suite, "sig"), Some(true));
            assert_eq!(stock(&place), left);
        }
        assert!(place.ok(SIGN_13).contains(NONE));
        place.ok(VERIFY);
        let three = "sign --dir @w --signers 3,2,1 @letter.txt --out @sig";
        assert!(place.ok(three).contains(SPENT));
        place.ok(VERIFY);
        // A record for each signer and presignature: which, and what it was spent on.
        let records = files(&place.path("w/spent"));
        assert_eq!(records.len(), 3 * 2 + 3);
        assert!(records.iter().all(|record| fs::read(record).unwrap().len() == 32));
        fs::write(place.path("letter.txt"), "Dear Sir or Madam!").unwrap();
        place.fails(VERIFY, "the signature does not verify");
    }
}

#[test]
fn a_restored_presignature_is_refused() {
    let place = Place::new();
    place.wallet("w", "ecdsa-secp256k1");
    place.ok("presign --dir @w --signers 1,3 --count 1");
    copy(&place.path("w/presignatures"), &place.path("backup"));
    place.ok(SIGN_13);
    let first = fs::read(place.path("sig")).unwrap();
    let restore = || {
        fs::remove_dir_all(place.path("w/presignatures")).unwrap();
        copy(&place.path("backup"), &place.path("w/presignatures"));
    };
    restore();
    fs::write(place.path("letter.txt"), "another letter").unwrap();
    place.fails(SIGN_13, "party 1 has spent presignature ");
    assert_eq!(fs::read(place.path("sig")).unwrap(), first);
    // The other signer's record is enough.
    for record in files(&place.path("w/spent")) {
        if record.to_string_lossy().ends_with(".party-1") {
            fs::remove_file(record).unwrap();
        }
    }
    restore();
    place.fails(SIGN_13, "party 3 has spent presignature ");
    assert_eq!(fs::read(place.path("sig")).unwrap(), first);
    // As the message says, it is gone.
    assert_eq!(stock(&place), 0);
    assert!(place.ok(SIGN_13).contains(NONE));
    place.ok(VERIFY);
}

#[test]
fn what_can_be_wrong() {
    let place = Place::new();
    place.wallet("w", "ecdsa-p256");
    place.wallet("frost", "p256");
    place.fails("sign --dir @w --signers 1 @letter.txt", "1 of the 2 signers needed");
    place.fails("presign --dir @w --signers 2 --count 1", "1 of the 2 signers needed");
    place.fails("sign --dir @w --signers 1,4 @letter.txt", "party 4 is not one of the 3");
    place.fails("sign --dir @w --signers 1,3 @none", "cannot read ");
    let suite = "sign --dir @w --suite p256 --signers 1,3 @letter.txt";
    place.fails(suite, "is for ecdsa-p256, not p256");
    let none = "p256 has no presignatures here; just sign";
    place.fails("presign --dir @frost --signers 1,2 --count 1", none);
    place.ok("presign --dir @w --signers 1,3 --count 1");

    damaged_files(&place);
    files_of_others(&place);
    // After all that the presignature is still there, for nothing was released.
    assert!(place.ok(SIGN_13).contains(SPENT));
    place.ok(VERIFY);

    let whole = fs::read(place.path("sig")).unwrap();
    for at in 0..whole.len() {
        flip(&place.path("sig"), at);
        place.run(VERIFY).expect_err("altered");
        flip(&place.path("sig"), at);
    }
    place.fails("verify --dir @w @letter.txt @letter.txt", "is no ecdsa-p256 signature");
    let text = "is no signature; it is not overwritten";
    place.fails("sign --dir @w --signers 1,3 @letter.txt --out @letter.txt", text);
}

/// Files that are damaged, and what is said of them.
fn damaged_files(place: &Place) {
    let sealed = files(&place.path("w/presignatures"));
    let sealed =
        sealed.into_iter().find(|file| file.to_string_lossy().contains(".party-")).unwrap();
    for (file, says) in [
        (place.path("w/party-1.share"), "party-1.share is no usable key share for ecdsa-p256: "),
        (place.path("w/party-3.aux"), "party-3.aux is damaged: "),
        (
            place.path("w/party-1.seal"),
            "is damaged: sealed under another key or for another purpose, or the bytes were altered",
        ),
        (sealed, "is damaged: "),
        (place.path("w/public.key"), " is damaged: "),
    ] {
        let length = fs::read(&file).unwrap().len();
        for at in (0..length).step_by(length.div_ceil(40)) {
            flip(&file, at);
            place.fails(SIGN_13, says);
            flip(&file, at);
        }
    }
}

/// Files of another party.
fn files_of_others(place: &Place) {
    let swap = |name: &str| {
        let [path, other] = ["1", "2"].map(|party| place.path(&format!("w/party-{party}.{name}")));
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
        place.fails(SIGN_13, says);
        fs::write(path, own).unwrap();
    }
}

#[test]
fn files_for_others_and_for_nobody() {
    let place = Place::new();
    let keygen =
        "keygen --dir @w --suite ecdsa-secp256k1 --threshold 2 --parties 2 --level 112 --plaintext";
    let out = place.ok(keygen);
    assert!(out.contains("moduli of 2048 bits"), "{out}");
    place.fails(keygen, "already holds a wallet; it is not overwritten");
    place.ok("presign --dir @w --signers 1,2 --count 1");
    let pem = fs::read_to_string(place.path("w/public.pem")).unwrap();
    assert!(pem.starts_with("-----BEGIN PUBLIC KEY-----\n"), "{pem}");
    place.ok("sign --dir @w --signers 1,2 @letter.txt");
    let out = place.ok("verify --dir @w @letter.txt @w/letter.txt.ecdsa-secp256k1.sig");
    assert!(out.contains("    openssl dgst -sha256 -verify "), "{out}");
    assert_eq!(fs::read(place.path("w/letter.txt.ecdsa-secp256k1.sig")).unwrap()[0], 0x30);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        place.ok("presign --dir @w --signers 1,2 --count 1");
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let w = place.path("w");
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
