//! The wallet example with ML-DSA: attempts, each counted once, and the files of others.

use core::time::Duration;
use std::collections::BTreeMap;
use std::fs;
use std::thread::sleep;

use quorate::session::{SpentTable, TableEntry};
use quorate_examples::verifiers;
use quorate_wallet::disk::SpentFile;
use quorate_wallet::openssl::has_ml_dsa;

use crate::fixture::{Fixture, flip, said};
use crate::independent;

const KEYGEN: &str = "keygen --dir @w --suite ml-dsa-44 --threshold 2 --parties 3";
const SIGN_13: &str = "sign --replace --dir @w --signers 1,3 @letter.txt --out @sig";
const VERIFY: &str = "verify --dir @w @letter.txt @sig";
const NOT_ONE: &str = "the signature is not one of this message by this key";

/// The records of attempts by number and party.
fn records(fixture: &Fixture) -> BTreeMap<(u64, u16), Vec<u8>> {
    let entries = fs::read_dir(fixture.path("w/attempts")).unwrap();
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
#[ignore = "long: .ci/run long"]
fn signs_and_verifies_at_every_level() {
    for (level, signature, shapes) in [
        ("44", 2420, &[("2", "3", "1,3"), ("3", "3", "1,2,3"), ("4", "5", "2,5,4,1")][..]),
        ("65", 3309, &[("2", "2", "1,2"), ("2", "5", "4,2")]),
        ("87", 4627, &[("2", "3", "3,2"), ("3", "4", "4,1,2")]),
    ] {
        let fixture = Fixture::new();
        let suite = format!("ml-dsa-{level}");
        for (threshold, parties, signers) in shapes {
            fs::remove_dir_all(fixture.path("w")).ok();
            let keygen = format!(
                "keygen --dir @w --suite {suite} --threshold {threshold} --parties {parties} --plaintext"
            );
            let out = fixture.ok(&keygen);
            assert!(out.contains("experimental"), "{out}");
            let says = format!("exactly {threshold} of {parties} sign for the ML-DSA-{level} key");
            assert!(out.contains(&says), "{out}");
            fixture
                .ok(&format!("sign --replace --dir @w --signers {signers} @letter.txt --out @sig"));
            let out = fixture.ok(VERIFY);
            assert!(out.contains("    openssl pkeyutl -verify -pubin -inkey "), "{out}");
            assert!(out.contains("as with OpenSSL 3.5 or newer") && !out.contains("-pkeyopt"));
            assert_eq!(fs::read(fixture.path("sig")).unwrap().len(), signature);
            assert_eq!(independent::verifies(&fixture, "w", &suite, "sig"), Some(true));
        }
        fs::write(fixture.path("letter.txt"), "Dear Sir or Madam!").unwrap();
        fixture.fails(VERIFY, NOT_ONE);
        assert_eq!(independent::verifies(&fixture, "w", &suite, "sig"), Some(false));
    }
}

#[test]
fn a_context_belongs_to_the_signature() {
    let fixture = Fixture::new();
    fixture.wallet("w", "ml-dsa-44");
    fixture.ok(&format!("{SIGN_13} --context invoices"));
    fixture.fails(VERIFY, NOT_ONE);
    fixture.fails(&format!("{VERIFY} --context payments"), NOT_ONE);
    let out = fixture.ok(&format!("{VERIFY} --context invoices"));
    assert!(out.contains("      -pkeyopt hexcontext-string:696e766f69636573 \\\n"), "{out}");
    let read = |name: &str| fs::read(fixture.path(name)).unwrap();
    let pem = fs::read_to_string(fixture.path("w/public.pem")).unwrap();
    let verifies =
        |context: &[u8]| verifiers::ml_dsa(&pem, &read("letter.txt"), context, &read("sig"));
    assert!(verifies(b"invoices") && !verifies(b"") && !verifies(b"payments"));
    let long = "x".repeat(256);
    fixture
        .fails(&format!("{SIGN_13} --context {long}"), "a context has at most 255 bytes, got 256");
    fixture.ok(&format!("{SIGN_13} --context {}", &long[1..]));
    fixture.wallet("frost", "ed25519");
    let line = "sign --replace --dir @frost --signers 1,3 @letter.txt --context invoices";
    fixture.fails(line, "--context is for the suites of ML-DSA");
    fixture.ok("sign --replace --dir @frost --signers 1,3 @letter.txt --out @frost.sig");
    let line = "verify --dir @frost @letter.txt @frost.sig --context invoices";
    fixture.fails(line, "--context is for the suites of ML-DSA");
}

#[test]
fn shares_are_encrypted_and_shapes_are_checked() {
    let fixture = Fixture::new();
    fixture.passphrase("good", "correct horse battery staple");
    fixture.passphrase("bad", "correct horse battery stable");
    fixture.ok(&format!("{KEYGEN} --passphrase-file @good"));
    let share = fs::read(fixture.path("w/party-1.share")).unwrap();
    assert!(share.starts_with(b"QUORATEW"));
    fixture.fails(&format!("{SIGN_13} --passphrase-file @bad"), "the passphrase is wrong");
    // Nothing is counted before the shares are open.
    assert!(records(&fixture).is_empty());
    fixture.ok(&format!("{SIGN_13} --passphrase-file @good"));
    fixture.ok(VERIFY);
    let keygen = "keygen --dir @v --plaintext --suite ml-dsa-65";
    for (threshold, parties) in [(4, 6), (2, 7)] {
        let says = format!("no parameters of ML-DSA-65 are offered for {threshold} of {parties}");
        fixture.fails(&format!("{keygen} --threshold {threshold} --parties {parties}"), &says);
    }
    fixture.fails(&format!("{keygen} --threshold 2 --parties 3 --level 112"), "--level is for");
    assert!(!fixture.path("v").exists());
}

#[test]
fn what_can_be_wrong() {
    let fixture = Fixture::new();
    fixture.wallet("w", "ml-dsa-44");
    fixture.wallet("v", "ml-dsa-44");
    fixture.wallet("other", "ml-dsa-65");
    for (signers, got) in [("1", 1), ("1,2,3", 3)] {
        let line = format!("sign --replace --dir @w --signers {signers} @letter.txt");
        fixture.fails(&line, &format!("got {got} signers, it takes exactly 2"));
    }
    fixture
        .fails("sign --replace --dir @w --signers 1,4 @letter.txt", "party 4 is not one of the 3");
    fixture.fails(
        "sign --replace --dir @w --suite ml-dsa-65 --signers 1,3 @letter.txt",
        "not ml-dsa-65",
    );
    let own = fs::read(fixture.path("w/party-1.share")).unwrap();
    for (other, says) in [
        ("w/party-2.share", "party-1.share is not party 1's share of this wallet's key"),
        ("v/party-1.share", "party-1.share is not party 1's share of this wallet's key"),
        ("other/party-1.share", "party-1.share is no usable key share for ml-dsa-44: "),
    ] {
        fs::copy(fixture.path(other), fixture.path("w/party-1.share")).unwrap();
        fixture.fails(SIGN_13, says);
    }
    fs::remove_file(fixture.path("w/party-1.share")).unwrap();
    fixture.fails(SIGN_13, "party 1 has lost its share, and only a copy of it can come back");
    // A copy of the share is accepted; shares do not count attempts.
    fs::write(fixture.path("w/party-1.share"), &own).unwrap();
    for at in (0..own.len()).step_by(own.len().div_ceil(20)) {
        flip(&fixture.path("w/party-1.share"), at);
        fixture.fails(SIGN_13, "party-1.share is no usable key share for ml-dsa-44: ");
        flip(&fixture.path("w/party-1.share"), at);
    }
    assert!(records(&fixture).is_empty());
    fixture.signs("w", "1,3");
    fixture.fails("verify --dir @v @letter.txt @sig", NOT_ONE);
    fixture.fails(
        "verify --dir @w @letter.txt @letter.txt",
        "is no ml-dsa-44 signature: expected 2420",
    );
}

/// One sentence each.
#[test]
fn commands_that_there_are_not() {
    let fixture = Fixture::new();
    fixture.wallet("w", "ml-dsa-65");
    let refused = |line: &str, command: &str, why: &str| {
        fixture.fails(line, &format!("no `{command}` for ml-dsa-65: "));
        fixture.fails(line, why);
    };
    let proven = "no way is proven to give the parties other shares";
    refused("refresh --dir @w", "refresh", proven);
    refused("reshare --dir @w --to 1,2", "reshare", proven);
    refused("repair --dir @w --party 2", "repair", "keep a copy of the encrypted share");
    let algebra = "there is no algebra for child keys";
    refused("derive --dir @w --path m/0", "derive", algebra);
    refused("sign --replace --dir @w --signers 1,2 --path m/0 @letter.txt", "--path", algebra);
    let copy = "copy the encrypted share and nothing else";
    let keys = "backup-key --suite ml-dsa-65 --to @offline --plaintext";
    refused(keys, "backup-key", copy);
    fs::write(fixture.path("file"), "anything").unwrap();
    refused("backup --dir @w --party 1 --for @file --to @b", "backup", copy);
    refused("drill --dir @w --backup @file --key @file", "drill", copy);
    refused("restore --dir @w --backup @file --key @file", "restore", copy);
    fixture.fails(
        "presign --dir @w --signers 1,2 --count 1",
        "ml-dsa-65 has no presignatures here; just sign",
    );
    assert!(fixture.ok("keygen --help").contains("ML-DSA (FIPS 204), experimental"));
}

/// A key generation is killed at each of its steps, and the same command resumes it.
#[test]
#[ignore = "long: .ci/run long"]
fn a_keygen_that_is_killed_loses_nothing() {
    let fixture = Fixture::new();
    let keygen = format!("{KEYGEN} --plaintext");
    let mut steps = 0;
    loop {
        fs::remove_dir_all(fixture.path("w")).ok();
        let ended = killed(&fixture, &keygen, steps);
        let shares = [1, 2, 3].map(|party| fixture.path(&format!("w/party-{party}.share")));
        let made = shares.each_ref().map(|share| fs::read(share).ok());
        if !fixture.path("w/public.key").exists() {
            fixture.ok(&keygen);
        }
        for (share, made) in shares.iter().zip(made) {
            assert!(made.is_none_or(|made| made == fs::read(share).unwrap()), "{steps}");
        }
        fixture.signs("w", "1,3");
        assert_eq!(independent::verifies(&fixture, "w", "ml-dsa-44", "sig"), Some(true));
        if ended {
            break;
        }
        steps += 1;
    }
    // The plan; of each party a key, a session, five steps of it and a share; the public key and the files for others.
    assert!(steps >= 1 + 3 * 8 + 2, "{steps}");
}

/// Runs a command that is killed after `after` changes of the disk. Returns whether it came to its end.
fn killed(fixture: &Fixture, line: &str, after: u32) -> bool {
    let mut command = fixture.process(line);
    command.env("QUORATE_WALLET_ABORT_AFTER", after.to_string());
    let (_, err, ok) = said(&command.output().unwrap());
    assert!(ok || err.is_empty(), "{err}");
    ok
}

/// The process is killed at each write. A number that any signer has recorded is never recorded again, and messages are sent
/// only under numbers that all signers have recorded.
#[test]
fn a_signature_that_is_killed_uses_its_number_up() {
    let fixture = Fixture::new();
    fixture.wallet("w", "ml-dsa-44");
    let mut seen = BTreeMap::new();
    let mut ended = 0;
    for step in 0.. {
        fs::remove_file(fixture.path("sig")).ok();
        let before = next(&seen);
        let whole = killed(&fixture, SIGN_13, step);
        let now = records(&fixture);
        assert!(seen.iter().all(|(name, record)| now.get(name) == Some(record)), "{step}");
        let new: Vec<_> = now.keys().filter(|name| !seen.contains_key(name)).copied().collect();
        assert!(new.iter().all(|(number, _)| *number >= before), "{step}: {new:?}");
        // Two records before each attempt. The signature is there only after all of them.
        assert!(if whole { new.len() & 1 == 0 } else { new.len() == step as usize }, "{new:?}");
        assert_eq!(fixture.path("sig").exists(), whole);
        if whole {
            fixture.ok(VERIFY);
            ended += 1;
        }
        seen = now;
        // If the first attempt succeeds, the command ends early: more often than not by the third write.
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

/// Two processes on one wallet are killed by `kill -9`, at any moment.
#[test]
fn two_processes_that_are_killed_share_no_number() {
    let fixture = Fixture::new();
    fixture.wallet("w", "ml-dsa-87");
    let mut seen = BTreeMap::new();
    for round in 0..12 {
        let lines = ["1,2", "2,3"].map(|signers| {
            format!("sign --replace --dir @w --signers {signers} @letter.txt --out @sig-{signers}")
        });
        let children = lines.map(|line| fixture.process(&line).spawn().unwrap());
        sleep(Duration::from_millis(3 * round));
        for mut child in children {
            if round < 11 {
                child.kill().unwrap();
            }
            let (_, err, ok) = said(&child.wait_with_output().unwrap());
            assert!(err.is_empty() && (ok || round < 11), "{err}");
        }
        let now = records(&fixture);
        assert!(seen.iter().all(|(name, record)| now.get(name) == Some(record)), "{round}");
        seen = now;
    }
    for signers in ["1,2", "2,3"] {
        fixture.ok(&format!("verify --dir @w @letter.txt @sig-{signers}"));
    }
    // Party 2 signs in both: each of its records is for one session.
    let of_two = seen.iter().filter(|((_, party), _)| *party == 2).map(|(_, record)| &record[32..]);
    let mut of_two: Vec<_> = of_two.collect();
    let count = of_two.len();
    of_two.sort_unstable();
    of_two.dedup();
    assert!(count == of_two.len() && count >= 2, "{count}");
}

/// The records of one party are restored from a backup, older than they were.
#[test]
fn a_count_that_comes_back_from_a_backup_goes_on_above_the_others() {
    let fixture = Fixture::new();
    fixture.wallet("w", "ml-dsa-44");
    fixture.signs("w", "1,3");
    let old = records(&fixture);
    for _ in 0..3 {
        fixture.signs("w", "1,3");
    }
    let all = records(&fixture);
    for (number, party) in all.keys().filter(|name| !old.contains_key(name) && name.1 == 1) {
        fs::remove_file(fixture.path(&format!("w/attempts/{number}.party-{party}"))).unwrap();
    }
    fixture.signs("w", "1,3");
    let new = records(&fixture);
    let new: Vec<_> = new.keys().filter(|name| !all.contains_key(name)).collect();
    assert!(!new.is_empty() && new.iter().all(|(number, _)| *number >= next(&all)), "{new:?}");

    // A number that only one signer has recorded is skipped by all; a record of another key is refused.
    let number = next(&records(&fixture));
    fs::write(fixture.path(&format!("w/attempts/{number}.party-2")), [7; 64]).unwrap();
    fixture.signs("w", "1,3");
    assert!(!records(&fixture).contains_key(&(number, 1)));
    // Without the folder nothing is signed.
    fs::rename(fixture.path("w/attempts"), fixture.path("away")).unwrap();
    fixture.fails(SIGN_13, "attempts, which counts the attempts to sign: ");
}

/// An attacker who can write into the folder, without the passphrase, puts another key where others look for the wallet's.
#[test]
fn another_public_key_for_others_is_noticed() {
    for suite in ["ml-dsa-44", "ecdsa-p256"] {
        let fixture = Fixture::new();
        fixture.wallet("w", suite);
        fixture.own_wallet("v", suite);
        fixture.signs("w", "1,3");
        let own = fs::read(fixture.path("w/public.pem")).unwrap();
        fs::copy(fixture.path("v/public.pem"), fixture.path("w/public.pem")).unwrap();
        for line in [SIGN_13, VERIFY] {
            fixture.fails(line, "w/public.pem is not the public key of this wallet");
        }
        fs::write(fixture.path("w/public.pem"), own).unwrap();
        fixture.signs("w", "1,3");
    }
}

/// A file's name that a shell would act upon does nothing but name the file.
#[cfg(unix)]
#[test]
fn the_command_for_openssl_does_what_it_says_whatever_the_file_is_called() {
    let fixture = Fixture::new();
    fixture.wallet("w", "ml-dsa-44");
    let name = "it's$(touch${IFS}pwned)&touch${IFS}pwned;\u{1b}[2J";
    fs::write(fixture.path(name), "a letter").unwrap();
    fixture.ok(&format!("sign --replace --dir @w --signers 1,3 @{name} --out @sig"));
    let out = fixture.ok(&format!("verify --dir @w @{name} @sig"));
    let command: Vec<&str> = out.split_once("    openssl ").unwrap().1.lines().take(2).collect();
    let command = command.join("\n");
    assert!(!command.contains('\u{1b}'));
    let script = format!("openssl() {{ printf '%s\\n' \"$@\"; }}\nopenssl {command}");
    let mut shell = std::process::Command::new("sh");
    let shell = shell.arg("-c").arg(script).current_dir(&fixture.0).output().unwrap();
    let said = String::from_utf8(shell.stdout).unwrap();
    let file = fixture.path(&name.replace('\u{1b}', "?"));
    assert!(said.lines().any(|word| word == file.to_str().unwrap()), "{said}");
    assert!(said.ends_with(&format!("-sigfile\n{}\n", fixture.path("sig").display())), "{said}");
    assert!(!fixture.path("pwned").exists());
}

#[test]
fn versions_of_openssl_with_ml_dsa_are_told() {
    for (said, has) in [
        ("OpenSSL 3.0.22 25 Aug 2026", false),
        ("OpenSSL 3.4.9 1 Jan 2027", false),
        ("OpenSSL 3.5.0 8 Apr 2025", true),
        ("OpenSSL 3.10.0 8 Apr 2029", true),
        ("OpenSSL 4.0.0 14 Apr 2026", true),
        ("OpenSSL 1.1.1w  11 Sep 2023", false),
        ("LibreSSL 4.3.1", false),
        ("", false),
    ] {
        assert_eq!(has_ml_dsa(said), has, "{said}");
    }
}

/// Two copies of one process have the same record, to the byte: one of them makes the file, and starts.
#[test]
fn of_two_equal_records_one_is_new() {
    let fixture = Fixture::new();
    for is_named in [false, true] {
        let path = fixture.path(&format!("{is_named}.party-1"));
        let mut file = SpentFile { path, is_named };
        assert_eq!(file.record(&[1; 32], &[2; 32]).unwrap(), TableEntry::New);
        for digest in [2, 3] {
            let before = file.record(&[1; 32], &[digest; 32]).unwrap();
            assert_eq!(before, TableEntry::Before([2; 32]));
        }
    }
}
