//! A key generation that is killed, and resumed by the same command.

use core::time::Duration;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::thread::sleep;

use crate::fixture::{Fixture, flip, said};

const SIGN: &str = "sign --replace --dir @w --signers 1,2 @letter.txt --out @sig";

/// The files whose names have this ending, with their contents.
fn contents(dir: &Path, ending: &str) -> BTreeMap<String, Vec<u8>> {
    let Ok(entries) = fs::read_dir(dir) else { return BTreeMap::new() };
    let files = entries.map(|entry| entry.unwrap().path());
    let files = files.filter(|path| path.to_string_lossy().ends_with(ending));
    files.filter_map(|path| Some((path.display().to_string(), fs::read(path).ok()?))).collect()
}

/// Kills the command several times, a little later each time, until it comes to its end.
#[test]
fn killed_again_and_again() {
    let fixture = Fixture::new();
    fixture.passphrase("good", "correct horse battery staple");
    for flags in ["--plaintext", "--passphrase-file @good"] {
        fs::remove_dir_all(fixture.path("w")).ok();
        let keygen = format!("keygen --dir @w --suite ed25519 --threshold 2 --parties 7 {flags}");
        let (mut kills, mut shares) = (0, BTreeMap::new());
        for round in 0.. {
            // Milliseconds: 4, 5, 7, 10, …
            let delay = Duration::from_millis(4).mul_f64(1.4_f64.powi(round));
            let mut child = fixture.process(&keygen).spawn().unwrap();
            sleep(delay);
            child.kill().unwrap();
            let (_, err, _) = said(&child.wait_with_output().unwrap());
            assert!(err.is_empty(), "{err}");
            // A party keeps the share that it once has.
            for (path, share) in &shares {
                assert_eq!(fs::read(path).unwrap(), *share, "{path}");
            }
            shares.extend(contents(&fixture.path("w"), ".share"));
            // The public key comes last.
            if fixture.path("w/public.key").exists() {
                break;
            }
            kills += 1;
        }
        assert!(kills > 0);
        assert_eq!(shares.len(), 7);
        let secret = if flags == "--plaintext" { "" } else { flags };
        fixture.ok(&format!("{SIGN} {secret}"));
        fixture.ok("verify --dir @w @letter.txt @sig");
        // Whole files only, and what had to go is gone. The tombstones stay.
        let left = fs::read_dir(fixture.path("w")).unwrap();
        let mut left: Vec<_> =
            left.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        left.retain(|name| !name.starts_with("party-"));
        left.sort();
        assert_eq!(left, ["lock", "plan", "public.key", "sessions"]);
        let tombstones = contents(&fixture.path("w/sessions"), "");
        assert_eq!(tombstones.len(), 7);
        assert!(tombstones.values().all(|bytes| bytes.len() < 128));
    }
}

/// The search for primes is killed in the middle: primes that are found are not searched for again.
#[test]
#[ignore = "long: .ci/run long"]
fn killed_among_the_primes() {
    let fixture = Fixture::new();
    let keygen =
        "keygen --dir @w --suite ecdsa-secp256k1 --threshold 2 --parties 2 --level 112 --plaintext";
    let mut child = fixture.process(keygen).spawn().unwrap();
    // Party 1 has its primes, and party 2 has begun.
    while !fixture.path("w/party-2.primes").exists() {
        assert!(child.try_wait().unwrap().is_none(), "it ended too early");
        sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    let (before, err, _) = said(&child.wait_with_output().unwrap());
    assert!(!before.contains("Goes on") && err.contains("party 1 searches"), "{before}{err}");
    let made = contents(&fixture.path("w"), ".share");
    assert_eq!(made.len(), 2);
    fixture.fails(SIGN, "is not complete: run its keygen again, which resumes it");

    let (out, err, ok) = said(&fixture.process(keygen).output().unwrap());
    assert!(ok, "{err}");
    assert!(out.starts_with("Resumes the wallet in "), "{out}");
    assert_eq!(contents(&fixture.path("w"), ".share"), made);
    assert!(contents(&fixture.path("w"), ".primes").is_empty());
    assert!(fixture.ok(SIGN).contains("all rounds in one go"));
    fixture.ok("verify --dir @w @letter.txt @sig");
    assert_eq!(contents(&fixture.path("w/sessions"), "").len(), 2 * 2);
}

/// A wallet whose key generation is killed at once.
fn begun(fixture: &Fixture, keygen: &str) {
    let mut child = fixture.process(keygen).spawn().unwrap();
    while contents(&fixture.path("w/sessions"), ".party-2").is_empty() {
        assert!(child.try_wait().unwrap().is_none(), "it ended too early");
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

/// The work is not resumed with another plan, or with the wrong passphrase.
#[test]
fn what_an_unfinished_wallet_refuses() {
    let fixture = Fixture::new();
    fixture.passphrase("good", "correct horse battery staple");
    fixture.passphrase("bad", "correct horse battery stable");
    let other = |suite: &str, more: &str, secret: &str| {
        format!("keygen --dir @w --suite {suite} --threshold 2 --parties {more} {secret}")
    };
    let good = "--passphrase-file @good";
    let keygen = other("ecdsa-p256", "3", good);
    begun(&fixture, &keygen);
    let was = "is ecdsa-p256, threshold 2 of 3, level 128, not ";
    for (line, says) in [
        (other("ed25519", "3", good), format!("{was}ed25519, threshold 2 of 3: resume it")),
        (other("ecdsa-p256", "4", good), format!("{was}ecdsa-p256, threshold 2 of 4, level 128")),
        (format!("{keygen} --level 112"), format!("{was}ecdsa-p256, threshold 2 of 3, level 112")),
        (
            format!("{keygen} --hardened"),
            format!("{was}ecdsa-p256, threshold 2 of 3, level 128, hardened children: resume it"),
        ),
        (other("ecdsa-p256", "3", "--plaintext"), "is encrypted, not in plaintext".to_owned()),
        (
            other("ecdsa-p256", "3", "--passphrase-file @bad"),
            "party-1.seal does not open: the passphrase is wrong".to_owned(),
        ),
    ] {
        fixture.fails(&line, &says);
    }
    // A session that is damaged.
    let session = contents(&fixture.path("w/sessions"), ".party-1").into_keys().next().unwrap();
    let length = fs::read(&session).unwrap().len();
    for at in [0, 4, 40, length - 1] {
        flip(Path::new(&session), at);
        fixture.run(&keygen).expect_err("damaged");
        flip(Path::new(&session), at);
    }
    let plan = fs::read(fixture.path("w/plan")).unwrap();
    // Somebody who can write the folder wants the shares to come under a key that is cheap to guess.
    let strong = [0, 1, 0, 0, 3, 4];
    let at = plan
        .windows(6)
        .position(|bytes| bytes == strong)
        .expect("64 MiB, three passes, four lanes");
    let mut weak = plan.clone();
    weak[at..at + 6].copy_from_slice(&[0, 0, 0, 8, 1, 1]);
    fs::write(fixture.path("w/plan"), weak).unwrap();
    fixture.fails(&keygen, "plan is damaged");
    let of_another_version = format!("quorate wallet 1\nwallet ed25519{}", "0".repeat(99)).into();
    for other in [plan[..60].to_vec(), plan[..90].to_vec(), of_another_version] {
        fs::write(fixture.path("w/plan"), other).unwrap();
        fixture.fails(&keygen, "plan is damaged");
    }
}

/// A session that has ended is not run again, even if its result is lost: with another seed it would
/// answer a second time what it has answered.
#[test]
fn a_finished_session_is_not_started_again() {
    let fixture = Fixture::new();
    fixture.wallet("w", "ed25519");
    let sessions = contents(&fixture.path("w/sessions"), "");
    assert_eq!(sessions.len(), 3);
    // The start job comes again, at a party that has lost its result.
    fs::remove_file(fixture.path("w/public.key")).unwrap();
    fs::remove_file(fixture.path("w/party-1.share")).unwrap();
    let keygen = "keygen --dir @w --suite ed25519 --threshold 2 --parties 3 --plaintext";
    fixture.fails(keygen, "has ended, and its result is not there");
    assert!(!fixture.path("w/party-1.share").exists());
    assert_eq!(contents(&fixture.path("w/sessions"), ""), sessions);
}
