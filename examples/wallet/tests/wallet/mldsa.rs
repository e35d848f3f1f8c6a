//! The wallet example with ML-DSA: attempts, each counted once, and the files of others.

use core::time::Duration;
use std::collections::BTreeMap;
use std::fs;
use std::thread::sleep;

use quorate_examples::verifiers;

use crate::independent;
use crate::place::{Place, flip, said};

const KEYGEN: &str = "keygen --dir @w --suite ml-dsa-44 --threshold 2 --parties 3";
const SIGN_13: &str = "sign --dir @w --signers 1,3 @letter.txt --out @sig";
const VERIFY: &str = "verify --dir @w @letter.txt @sig";
const NOT_ONE: &str = "the signature is not one of this message by this key";

/// The records of attempts by number and party.
fn records(place: &Place) -> BTreeMap<(u64, u16), Vec<u8>> {
    let entries = fs::read_dir(place.path("w/attempts")).unwrap();
    let records = entries.filter_map(|entry| {
        let path = entry.unwrap().path();
        let (number, party) = path.file_name()?.to_str()?.split_once(".party-")?;
        Some(((number.parse().ok()?, party.parse().ok()?), fs::read(&path).unwrap()))
    });
    records.collect()
}

/// The number after the greatest.
fn next(records: &BTreeMap<(u64, u16), Vec<u8>>) -> u64 {
    records.keys().next_back().map_or(0, |(number, _)| number + 1)
}

#[test]
fn signs_and_verifies_at_every_level() {
    for (level, signature, shapes) in [
        ("44", 2420, &[("2", "3", "1,3"), ("3", "3", "1,2,3"), ("4", "5", "2,5,4,1")][..]),
        ("65", 3309, &[("2", "2", "1,2"), ("2", "5", "4,2")]),
        ("87", 4627, &[("2", "3", "3,2"), ("3", "4", "4,1,2")]),
    ] {
        let place = Place::new();
        let suite = format!("ml-dsa-{level}");
        for (threshold, parties, signers) in shapes {
            fs::remove_dir_all(place.path("w")).ok();
            let keygen = format!(
                "keygen --dir @w --suite {suite} --threshold {threshold} --parties {parties} --plaintext"
            );
            let out = place.ok(&keygen);
            assert!(out.contains("experimental"), "{out}");
            let says = format!("exactly {threshold} of {parties} sign for the ML-DSA-{level} key");
            assert!(out.contains(&says), "{out}");
            place.ok(&format!("sign --dir @w --signers {signers} @letter.txt --out @sig"));
            let out = place.ok(VERIFY);
            assert!(out.contains("    openssl pkeyutl -verify -pubin -inkey "), "{out}");
            assert!(out.contains("as with OpenSSL 3.5 or newer") && !out.contains("-pkeyopt"));
            assert_eq!(fs::read(place.path("sig")).unwrap().len(), signature);
            assert_eq!(independent::verifies(&place, "w", &suite, "sig"), Some(true));
        }
        fs::write(place.path("letter.txt"), "Dear Sir or Madam!").unwrap();
        place.fails(VERIFY, NOT_ONE);
        assert_eq!(independent::verifies(&place, "w", &suite, "sig"), Some(false));
    }
}

#[test]
fn a_context_belongs_to_the_signature() {
    let place = Place::new();
    place.wallet("w", "ml-dsa-44");
    place.ok(&format!("{SIGN_13} --context invoices"));
    place.fails(VERIFY, NOT_ONE);
    place.fails(&format!("{VERIFY} --context payments"), NOT_ONE);
    let out = place.ok(&format!("{VERIFY} --context invoices"));
    assert!(out.contains("      -pkeyopt hexcontext-string:696e766f69636573 \\\n"), "{out}");
    let read = |name: &str| fs::read(place.path(name)).unwrap();
    let pem = fs::read_to_string(place.path("w/public.pem")).unwrap();
    let verifies =
        |context: &[u8]| verifiers::ml_dsa(&pem, &read("letter.txt"), context, &read("sig"));
    assert!(verifies(b"invoices") && !verifies(b"") && !verifies(b"payments"));
    let long = "x".repeat(256);
    place.fails(&format!("{SIGN_13} --context {long}"), "a context has at most 255 bytes, got 256");
    place.ok(&format!("{SIGN_13} --context {}", &long[1..]));
    place.wallet("frost", "ed25519");
    let line = "sign --dir @frost --signers 1,3 @letter.txt --context invoices";
    place.fails(line, "--context is for the suites of ML-DSA");
    place.ok("sign --dir @frost --signers 1,3 @letter.txt --out @frost.sig");
    let line = "verify --dir @frost @letter.txt @frost.sig --context invoices";
    place.fails(line, "--context is for the suites of ML-DSA");
}

#[test]
fn shares_are_encrypted_and_shapes_are_checked() {
    let place = Place::new();
    place.passphrase("good", "correct horse battery staple");
    place.passphrase("bad", "correct horse battery stable");
    place.ok(&format!("{KEYGEN} --passphrase-file @good"));
    let share = fs::read(place.path("w/party-1.share")).unwrap();
    assert!(share.starts_with(b"QUORATEW"));
    place.fails(&format!("{SIGN_13} --passphrase-file @bad"), "the passphrase is wrong");
    // Nothing is counted before the shares are open.
    assert!(records(&place).is_empty());
    place.ok(&format!("{SIGN_13} --passphrase-file @good"));
    place.ok(VERIFY);
    let keygen = "keygen --dir @v --plaintext --suite ml-dsa-65";
    for (threshold, parties) in [(4, 6), (2, 7)] {
        let says = format!("no parameters of ML-DSA-65 are offered for {threshold} of {parties}");
        place.fails(&format!("{keygen} --threshold {threshold} --parties {parties}"), &says);
    }
    place.fails(&format!("{keygen} --threshold 2 --parties 3 --level 112"), "--level is for");
    assert!(!place.path("v").exists());
}

#[test]
fn what_can_be_wrong() {
    let place = Place::new();
    place.wallet("w", "ml-dsa-44");
    place.wallet("v", "ml-dsa-44");
    place.wallet("other", "ml-dsa-65");
    for (signers, got) in [("1", 1), ("1,2,3", 3)] {
        let line = format!("sign --dir @w --signers {signers} @letter.txt");
        place.fails(&line, &format!("got {got} signers, it takes exactly 2"));
    }
    place.fails("sign --dir @w --signers 1,4 @letter.txt", "party 4 is not one of the 3");
    place.fails("sign --dir @w --suite ml-dsa-65 --signers 1,3 @letter.txt", "not ml-dsa-65");
    let own = fs::read(place.path("w/party-1.share")).unwrap();
    for (other, says) in [
        ("w/party-2.share", "party-1.share is not party 1's share of this wallet's key"),
        ("v/party-1.share", "party-1.share is not party 1's share of this wallet's key"),
        ("other/party-1.share", "party-1.share is no usable key share for ml-dsa-44: "),
    ] {
        fs::copy(place.path(other), place.path("w/party-1.share")).unwrap();
        place.fails(SIGN_13, says);
    }
    fs::remove_file(place.path("w/party-1.share")).unwrap();
    place.fails(SIGN_13, "party 1 has lost its share, and only a copy of it can come back");
    // A copy is as good: it counts nothing.
    fs::write(place.path("w/party-1.share"), &own).unwrap();
    for at in (0..own.len()).step_by(own.len().div_ceil(20)) {
        flip(&place.path("w/party-1.share"), at);
        place.fails(SIGN_13, "party-1.share is no usable key share for ml-dsa-44: ");
        flip(&place.path("w/party-1.share"), at);
    }
    assert!(records(&place).is_empty());
    place.signs("w", "1,3");
    place.fails("verify --dir @v @letter.txt @sig", NOT_ONE);
    place.fails(
        "verify --dir @w @letter.txt @letter.txt",
        "is no ml-dsa-44 signature: expected 2420",
    );
}

/// One sentence each.
#[test]
fn commands_that_there_are_not() {
    let place = Place::new();
    place.wallet("w", "ml-dsa-65");
    let refused = |line: &str, command: &str, why: &str| {
        place.fails(line, &format!("no `{command}` for ml-dsa-65: "));
        place.fails(line, why);
    };
    let proven = "no way is proven to give the parties other shares";
    refused("refresh --dir @w", "refresh", proven);
    refused("reshare --dir @w --to 1,2", "reshare", proven);
    refused("repair --dir @w --party 2", "repair", "keep a copy of the encrypted share");
    let algebra = "there is no algebra for child keys";
    refused("derive --dir @w --path m/0", "derive", algebra);
    refused("sign --dir @w --signers 1,2 --path m/0 @letter.txt", "--path", algebra);
    let copy = "copy the encrypted share and nothing else";
    let keys = "backup-key --suite ml-dsa-65 --to @offline --plaintext";
    refused(keys, "backup-key", copy);
    fs::write(place.path("file"), "anything").unwrap();
    refused("backup --dir @w --party 1 --for @file --to @b", "backup", copy);
    refused("drill --dir @w --backup @file --key @file", "drill", copy);
    refused("restore --dir @w --backup @file --key @file", "restore", copy);
    place.fails(
        "presign --dir @w --signers 1,2 --count 1",
        "ml-dsa-65 has no presignatures here; just sign",
    );
    assert!(place.ok("keygen --help").contains("ML-DSA (FIPS 204), experimental"));
}

/// A key generation that is killed at each of its steps is gone on with by the same command.
#[test]
fn a_keygen_that_is_killed_loses_nothing() {
    let place = Place::new();
    let keygen = format!("{KEYGEN} --plaintext");
    let mut steps = 0;
    loop {
        fs::remove_dir_all(place.path("w")).ok();
        let ended = killed(&place, &keygen, steps);
        let shares = [1, 2, 3].map(|party| place.path(&format!("w/party-{party}.share")));
        let made = shares.each_ref().map(|share| fs::read(share).ok());
        if !place.path("w/public.key").exists() {
            place.ok(&keygen);
        }
        for (share, made) in shares.iter().zip(made) {
            assert!(made.is_none_or(|made| made == fs::read(share).unwrap()), "{steps}");
        }
        place.signs("w", "1,3");
        assert_eq!(independent::verifies(&place, "w", "ml-dsa-44", "sig"), Some(true));
        if ended {
            break;
        }
        steps += 1;
    }
    // The plan; of each party a key, a session, five steps of it and a share; the public key and what is for others.
    assert!(steps >= 1 + 3 * 8 + 2, "{steps}");
}

/// Runs a command that is killed after so many changes of the disk. Whether it came to its end.
fn killed(place: &Place, line: &str, after: u32) -> bool {
    let mut command = place.process(line);
    command.env("QUORATE_WALLET_ABORT_AFTER", after.to_string());
    let (_, err, ok) = said(&command.output().unwrap());
    assert!(ok || err.is_empty(), "{err}");
    ok
}

/// Killed at each write: a number that somebody has recorded is never recorded again, and nothing was sent under one that is
/// not recorded by all.
#[test]
fn a_signature_that_is_killed_uses_its_number_up() {
    let place = Place::new();
    place.wallet("w", "ml-dsa-44");
    let mut seen = BTreeMap::new();
    let mut ended = 0;
    for step in 0.. {
        fs::remove_file(place.path("sig")).ok();
        let before = next(&seen);
        let whole = killed(&place, SIGN_13, step);
        let now = records(&place);
        assert!(seen.iter().all(|(name, record)| now.get(name) == Some(record)), "{step}");
        let new: Vec<_> = now.keys().filter(|name| !seen.contains_key(name)).copied().collect();
        assert!(new.iter().all(|(number, _)| *number >= before), "{step}: {new:?}");
        // Two records before each attempt. The signature is there only after all of them.
        assert!(if whole { new.len() & 1 == 0 } else { new.len() == step as usize }, "{new:?}");
        assert_eq!(place.path("sig").exists(), whole);
        if whole {
            place.ok(VERIFY);
            ended += 1;
        }
        seen = now;
        // With luck it comes to its end early: more often than not by the third write.
        if ended == 3 && step > 4 {
            break;
        }
    }
    let mut contents: Vec<_> = seen.values().collect();
    assert!(contents.iter().all(|record| record.len() == 64));
    contents.sort();
    contents.dedup();
    assert_eq!(contents.len(), seen.len(), "each is for a session of its own");
}

/// The same by `kill -9`, at any moment, of two processes on one wallet.
#[test]
fn two_processes_that_are_killed_share_no_number() {
    let place = Place::new();
    place.wallet("w", "ml-dsa-87");
    let mut seen = BTreeMap::new();
    for round in 0..12 {
        let lines = ["1,2", "2,3"].map(|signers| {
            format!("sign --dir @w --signers {signers} @letter.txt --out @sig-{signers}")
        });
        let children = lines.map(|line| place.process(&line).spawn().unwrap());
        sleep(Duration::from_millis(3 * round));
        for mut child in children {
            if round < 11 {
                child.kill().unwrap();
            }
            let (_, err, ok) = said(&child.wait_with_output().unwrap());
            assert!(err.is_empty() && (ok || round < 11), "{err}");
        }
        let now = records(&place);
        assert!(seen.iter().all(|(name, record)| now.get(name) == Some(record)), "{round}");
        seen = now;
    }
    for signers in ["1,2", "2,3"] {
        place.ok(&format!("verify --dir @w @letter.txt @sig-{signers}"));
    }
    // Party 2 signs in both: what it has recorded is for as many sessions.
    let of_two = seen.iter().filter(|((_, party), _)| *party == 2).map(|(_, record)| &record[32..]);
    let mut of_two: Vec<_> = of_two.collect();
    let count = of_two.len();
    of_two.sort_unstable();
    of_two.dedup();
    assert!(count == of_two.len() && count >= 2, "{count}");
}

/// The records of one party come back from a backup, older than they were.
#[test]
fn a_count_that_comes_back_from_a_backup_goes_on_above_the_others() {
    let place = Place::new();
    place.wallet("w", "ml-dsa-44");
    place.signs("w", "1,3");
    let old = records(&place);
    for _ in 0..3 {
        place.signs("w", "1,3");
    }
    let all = records(&place);
    for (number, party) in all.keys().filter(|name| !old.contains_key(name) && name.1 == 1) {
        fs::remove_file(place.path(&format!("w/attempts/{number}.party-{party}"))).unwrap();
    }
    place.signs("w", "1,3");
    let new = records(&place);
    let new: Vec<_> = new.keys().filter(|name| !all.contains_key(name)).collect();
    assert!(!new.is_empty() && new.iter().all(|(number, _)| *number >= next(&all)), "{new:?}");

    // A number that only one signer has recorded is skipped by all; a record of another key is refused.
    let number = next(&records(&place));
    fs::write(place.path(&format!("w/attempts/{number}.party-2")), [7; 64]).unwrap();
    place.signs("w", "1,3");
    assert!(!records(&place).contains_key(&(number, 1)));
    // Without the folder nothing is signed.
    fs::rename(place.path("w/attempts"), place.path("away")).unwrap();
    place.fails(SIGN_13, "attempts, which counts the attempts to sign: ");
}

/// Who can write into the folder, and has no passphrase, puts another key where others look for the wallet's.
#[test]
fn another_public_key_for_others_is_noticed() {
    for suite in ["ml-dsa-44", "ecdsa-p256"] {
        let place = Place::new();
        place.wallet("w", suite);
        place.wallet("v", suite);
        place.signs("w", "1,3");
        let own = fs::read(place.path("w/public.pem")).unwrap();
        fs::copy(place.path("v/public.pem"), place.path("w/public.pem")).unwrap();
        for line in [SIGN_13, VERIFY] {
            place.fails(line, "w/public.pem is not the public key of this wallet");
        }
        fs::write(place.path("w/public.pem"), own).unwrap();
        place.signs("w", "1,3");
    }
}

/// A file's name that a shell would act upon does nothing but name the file.
#[cfg(unix)]
#[test]
fn the_command_for_openssl_does_what_it_says_whatever_the_file_is_called() {
    let place = Place::new();
    place.wallet("w", "ml-dsa-44");
    let name = "it's$(touch${IFS}pwned)&touch${IFS}pwned;\u{1b}[2J";
    fs::write(place.path(name), "a letter").unwrap();
    place.ok(&format!("sign --dir @w --signers 1,3 @{name} --out @sig"));
    let out = place.ok(&format!("verify --dir @w @{name} @sig"));
    let command: Vec<&str> = out.split_once("    openssl ").unwrap().1.lines().take(2).collect();
    let command = command.join("\n");
    assert!(!command.contains('\u{1b}'));
    let script = format!("openssl() {{ printf '%s\\n' \"$@\"; }}\nopenssl {command}");
    let mut shell = std::process::Command::new("sh");
    let shell = shell.arg("-c").arg(script).current_dir(&place.0).output().unwrap();
    let said = String::from_utf8(shell.stdout).unwrap();
    let file = place.path(&name.replace('\u{1b}', "?"));
    assert!(said.lines().any(|word| word == file.to_str().unwrap()), "{said}");
    assert!(said.ends_with(&format!("-sigfile\n{}\n", place.path("sig").display())), "{said}");
    assert!(!place.path("pwned").exists());
}
