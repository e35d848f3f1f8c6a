//! Hardened children, and the PRF key in the life of a key.

use std::fs;

use crate::derive::{files, line};
use crate::fixture::Fixture;
use crate::independent;
use quorate_wallet::suites::{SUITES, Suite};

/// What `derive` prints of a hardened child, without the messages of its signers.
pub(crate) fn child(fixture: &Fixture, wallet: &str, signers: &str, path: &str) -> String {
    let out = fixture.ok(&format!("derive --dir @{wallet} --hardened {path} --signers {signers}"));
    out.split_once("  a child that nobody else can derive").unwrap().1.to_owned()
}

/// The key of a printed child, in hexadecimal.
fn key(child: &str) -> &str {
    line(child, "verify with `verify --key ").trim_end_matches('`')
}

/// These signers sign with the child at `m/44/0`, and the signature verifies.
fn signs(fixture: &Fixture, signers: &str, child: &str) -> String {
    let sign = "sign --replace --dir @w --hardened m/44'/0'";
    let out = fixture.ok(&format!("{sign} --signers {signers} @letter.txt --out @sig"));
    fixture.ok(&format!("verify --dir @w --key {} @letter.txt @sig", key(child)));
    out
}

/// Returns whether another verifier takes the signature as one of this child.
fn others_verify(fixture: &Fixture, suite: &str, child: &str) -> bool {
    let digit = |at: usize| u8::from_str_radix(&key(child)[at..at + 2], 16).unwrap();
    let key: Vec<u8> = (0..key(child).len()).step_by(2).map(digit).collect();
    independent::verifies_by(fixture, suite, &key, "sig").unwrap()
}

#[test]
fn every_suite_signs_with_a_hardened_child() {
    let frost =
        |suite: &&Suite| !["ecdsa", "ml-dsa"].iter().any(|begin| suite.name.starts_with(begin));
    for suite in SUITES.iter().filter(frost) {
        let fixture = Fixture::new();
        fixture.wallet("w", &format!("{} --hardened", suite.name));
        let before = files(&fixture.path("w"));
        let made = child(&fixture, "w", "3,1", "m/44/0");
        assert_eq!(child(&fixture, "w", "1,2,3", "m/44'/0'"), made);
        for other in ["m", "m/44", "m/0/44", "m/44/0/0"] {
            assert_ne!(key(&child(&fixture, "w", "1,2", other)), key(&made));
        }
        signs(&fixture, "2,3", &made);
        assert!(others_verify(&fixture, suite.name, &made), "{}", suite.name);
        fixture.fails("verify --dir @w @letter.txt @sig", "the signature does not verify");
        // Neither a share of the child nor the difference of the keys is stored.
        assert!(files(&fixture.path("w")) == before, "{}", suite.name);

        // The child's public key gives those of keys below it.
        let below = "--hardened m/44/0 --path m/0/7 --signers 1,3";
        let seventh = fixture.ok(&format!("derive --dir @w {below}"));
        assert_ne!(key(&seventh), key(&made));
        fixture.ok(&format!("sign --replace --dir @w {below} @letter.txt --out @sig"));
        assert!(
            others_verify(&fixture, suite.name, &seventh)
                && !others_verify(&fixture, suite.name, &made)
        );
        let verify = format!("verify --dir @w --key {} @letter.txt @sig", key(&seventh));
        fixture.ok(&verify);
        fs::write(fixture.path("letter.txt"), "Dear Sir or Madam!").unwrap();
        fixture.fails(&verify, "the signature does not verify");
    }
}

/// With a presignature of the wallet's key, and without.
#[test]
fn ecdsa_signs_with_a_hardened_child() {
    for suite in ["ecdsa-secp256k1", "ecdsa-p256"] {
        let fixture = Fixture::new();
        fixture.wallet("w", &format!("{suite} --hardened"));
        let made = child(&fixture, "w", "2,3", "m/44/0");
        assert!(made.contains("-----BEGIN PUBLIC KEY-----"), "{made}");
        fixture.ok("presign --dir @w --signers 1,3 --count 1");
        for says in ["from a presignature, which is spent now", "all rounds in one go"] {
            let out = signs(&fixture, "1,3", &made);
            assert!(out.contains(says), "{out}");
            assert!(others_verify(&fixture, suite, &made));
        }
        fixture.fails("verify --dir @w @letter.txt @sig", "the signature does not verify");
        fixture.ok("presign --dir @w --signers 1,3 --count 1");
        let below = "--hardened m/44/0 --path m/0/7 --signers 1,3";
        let seventh = fixture.ok(&format!("derive --dir @w {below}"));
        let sign = format!("sign --replace --dir @w {below} @letter.txt --out @sig");
        // Nothing is spent before the child is known.
        fs::rename(fixture.path("w/party-3.prf"), fixture.path("lost")).unwrap();
        fixture.fails(&sign, "party 3 has lost its share");
        fs::rename(fixture.path("lost"), fixture.path("w/party-3.prf")).unwrap();
        for says in ["from a presignature, which is spent now", "all rounds in one go"] {
            let out = fixture.ok(&sign);
            assert!(out.contains(says), "{out}");
            assert!(others_verify(&fixture, suite, &seventh));
        }

        // The shares change, and the child does not.
        fixture.ok("refresh --dir @w");
        assert_eq!(child(&fixture, "w", "1,2", "m/44/0"), made);
        signs(&fixture, "1,2", &made);
        let share = fixture.path("w/party-1.prf");
        let own = fs::read(&share).unwrap();
        fixture.ok(&format!("backup-key --suite {suite} --to @offline --plaintext"));
        fixture.ok("backup --dir @w --party 1 --for @offline.pub --to @one");
        fs::remove_file(&share).unwrap();
        fixture.ok("restore --dir @w --backup @one --key @offline");
        fs::remove_file(&share).unwrap();
        fixture.ok("repair --dir @w --party 1");
        assert_eq!(fs::read(&share).unwrap(), own);
        assert_eq!(child(&fixture, "w", "1,3", "m/44/0"), made);
    }
}

#[test]
fn a_key_that_was_made_without_is_refused() {
    let fixture = Fixture::new();
    fixture.wallet("w", "ed25519");
    for line in ["derive", "sign @letter.txt --out @sig"] {
        let line = format!("{line} --dir @w --hardened m/0 --signers 1,2");
        let dir = fixture.path("w");
        let says = format!("the key of the wallet in {} has no hardened children", dir.display());
        fixture.fails(&line, &says);
        fixture.fails(&line, "Make another wallet with `keygen --hardened`");
    }
    assert!(!fixture.path("sig").exists());
    let keygen = "--threshold 2 --parties 2 --plaintext --hardened";
    let says = "no `--hardened` for ml-dsa-44: there is no algebra for child keys";
    fixture.fails(&format!("keygen --dir @u --suite ml-dsa-44 {keygen}"), says);
    assert!(!fixture.path("u").exists());
}

#[test]
fn what_a_hardened_child_refuses() {
    let fixture = Fixture::new();
    fixture.wallet("w", "p256 --hardened");
    fixture.wallet("v", "p256 --hardened");
    for (line, says) in [
        ("--hardened m/0", "--signers <SIGNERS>"),
        ("--path m/0 --signers 1,2", "--hardened <PATH>"),
        ("--hardened m/0 --signers 1", "it takes 2 parties with their shares, got 1"),
        ("--hardened m/0 --signers 1,4", "party 4 is not one of the 3"),
        ("--hardened m/0 --signers 1,1", "party 1 is listed twice"),
        ("--hardened 0/1 --signers 1,2", "not a derivation path"),
        ("--hardened m/0'' --signers 1,2", "a hardened child needs the whole secret key"),
    ] {
        fixture.fails(&format!("derive --dir @w {line}"), says);
    }
    fixture.fails("verify --dir @w --key 02zz @letter.txt @letter.txt", "is no p256 signature");
    let derive = "derive --dir @w --hardened m/0 --signers 1,2";
    let made = fixture.ok(derive);
    fixture.ok("sign --dir @w --hardened m/0 --signers 1,2 @letter.txt --out @sig");
    for (key, says) in [
        ("02zz", "not in hexadecimal"),
        ("02f", "not in hexadecimal"),
        ("02", "--key is no public key for p256: "),
    ] {
        fixture.fails(&format!("verify --dir @w --key {key} @letter.txt @sig"), says);
    }

    // The PRF key of another wallet, with all of its files or without the names.
    let [one, two] = ["w", "v"].map(|name| files(&fixture.path(name)));
    for (all, says) in [(false, "is another PRF key"), (true, "was made for another key")] {
        for (path, bytes) in &two {
            let name = path.file_name().unwrap().to_str().unwrap();
            if name.contains("prf") && (all || name != "prf.bound") {
                fs::write(fixture.path(&format!("w/{name}")), bytes).unwrap();
            }
        }
        for line in [derive, "refresh --dir @w"] {
            fixture.fails(line, says);
        }
    }
    one.iter().for_each(|(path, bytes)| fs::write(path, bytes).unwrap());
    // What is lost is not taken for what never was.
    for lost in [&["prf.key"][..], &["prf.bound"], &["prf.bound", "prf.key"]] {
        lost.iter().for_each(|lost| fs::remove_file(fixture.path(&format!("w/{lost}"))).unwrap());
        let says = format!("{} is not there, and is public: put a copy in its place", lost[0]);
        for line in [derive, "refresh --dir @w", "repair --dir @w --party 1"] {
            fixture.fails(line, &says);
        }
        one.iter().for_each(|(path, bytes)| fs::write(path, bytes).unwrap());
    }
    fs::remove_file(fixture.path("w/party-2.prf")).unwrap();
    fixture.fails(derive, "party-2.prf: party 2 has lost its share. `repair --party 2`");
    fixture.ok("repair --dir @w --party 2");
    assert_eq!(key(&fixture.ok(derive)), key(&made));
}

#[test]
fn children_stay_in_the_life_of_a_key() {
    let fixture = Fixture::new();
    fixture.passphrase("good", "correct horse battery staple");
    let secret = "--passphrase-file @good";
    let with = |line: &str| fixture.ok(&format!("{line} {secret}"));
    let keygen = "keygen --dir @w --suite secp256k1 --threshold 2 --parties 3 --hardened";
    with(keygen);
    let child = |signers: &str| {
        let line = format!("derive --dir @w --hardened m/44/0 --signers {signers}");
        key(&with(&line)).to_owned()
    };
    let made = child("1,2");
    for party in 1..=3 {
        let share = fs::read(fixture.path(&format!("w/party-{party}.prf"))).unwrap();
        assert!(share.starts_with(b"QUORATEW"));
    }
    fs::copy(fixture.path("w/party-1.prf"), fixture.path("stolen")).unwrap();
    with("refresh --dir @w");
    assert_eq!(child("1,3"), made);
    fs::rename(fixture.path("stolen"), fixture.path("w/party-1.prf")).unwrap();
    let line = format!("derive --dir @w --hardened m/44/0 --signers 1,3 {secret}");
    fixture.fails(&line, "it belongs to epoch 0 of the key, expected epoch 1. An old copy");
    fs::remove_file(fixture.path("w/party-1.prf")).unwrap();
    with("repair --dir @w --party 1");

    with("reshare --dir @w --to 2,4,5,6 --threshold 3");
    assert_eq!(child("2,4,6"), made);
    assert!(!fixture.path("w/party-1.prf").exists());
    for signers in ["2,4", "1,2,4"] {
        let line = format!("derive --dir @w --hardened m/44/0 --signers {signers} {secret}");
        fixture.run(&line).unwrap_err();
    }
    // Both shares are lost, or one of them.
    let shares = ["party-5.share", "party-5.prf"].map(|name| fixture.path(&format!("w/{name}")));
    let own = shares.each_ref().map(|share| fs::read(share).unwrap().len());
    for lost in [&shares[..], &shares[..1], &shares[1..]] {
        lost.iter().for_each(|share| fs::remove_file(share).unwrap());
        with("repair --dir @w --party 5");
        assert_eq!(shares.each_ref().map(|share| fs::read(share).unwrap().len()), own);
        assert_eq!(child("4,5,6"), made);
    }
    fixture.fails(&format!("repair --dir @w --party 5 {secret}"), "party 5 has its share, ");
}

/// A backup has both shares, and gives back what is lost.
#[test]
fn both_shares_come_back_from_a_backup() {
    let fixture = Fixture::new();
    fixture.wallet("w", "ed448 --hardened");
    fixture.wallet("plain", "ed448");
    let made = child(&fixture, "w", "1,2", "m/44/0");
    fixture.ok("backup-key --suite ed448 --to @offline --plaintext");
    for (party, to) in [(1, "one"), (3, "three")] {
        fixture.ok(&format!("backup --dir @w --party {party} --for @offline.pub --to @{to}"));
    }
    let drill = "drill --dir @w --backup @one --key @offline";
    fixture.ok(drill);
    let restore = "restore --dir @w --backup @one --key @offline";
    fixture.fails(restore, "party 1 has its share, ");
    let shares = ["party-1.share", "party-1.prf"].map(|name| fixture.path(&format!("w/{name}")));
    let own = shares.each_ref().map(|share| fs::read(share).unwrap());
    // A restore that was killed between the two is one of these.
    for lost in [&shares[..], &shares[..1], &shares[1..]] {
        lost.iter().for_each(|share| fs::remove_file(share).unwrap());
        fixture.ok(restore);
        assert_eq!(shares.each_ref().map(|share| fs::read(share).unwrap()), own);
    }

    // A backup of one share is refused, and so is that of a wallet without a PRF key.
    let whole = fs::read(fixture.path("one")).unwrap();
    fixture.ok("backup --dir @plain --party 1 --for @offline.pub --to @half");
    let half = fs::read(fixture.path("half")).unwrap().len();
    for (bytes, says) in [
        (&whole[..half], "one is no usable backup for the PRF key"),
        (&whole[..half - 1], "one is no usable backup for ed448"),
        (&whole[..whole.len() - 1], "one is no usable backup for the PRF key"),
        (&[&whole[..], &[0]].concat(), "one is no usable backup for the PRF key"),
    ] {
        fs::write(fixture.path("one"), bytes).unwrap();
        fixture.fails(drill, says);
        fixture.fails(restore, says);
    }
    fs::write(fixture.path("one"), &whole).unwrap();

    // Only what is public, the backups and the custodian are left.
    fs::create_dir(fixture.path("v")).unwrap();
    let keep = |name: &str| {
        fs::copy(fixture.path(&format!("w/{name}")), fixture.path(&format!("v/{name}"))).unwrap();
    };
    keep("public.key");
    let restore =
        |name: &str| format!("restore --dir @v --backup @{name} --key @offline --plaintext");
    fixture.fails(&restore("one"), "put prf.key and prf.bound beside public.key");
    ["prf.key", "prf.bound"].iter().for_each(|name| keep(name));
    fixture.ok(&restore("one"));
    fixture.ok(&restore("three"));
    assert_eq!(child(&fixture, "v", "1,3", "m/44/0"), made);
    fixture.ok("repair --dir @v --party 2");
    assert_eq!(child(&fixture, "v", "2,3", "m/44/0"), made);
}
