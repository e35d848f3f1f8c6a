//! Wallets of every suite, and their files.

use std::fs;
use std::path::Path;

use crate::fixture::{Fixture, flip};
use crate::independent;
use quorate_wallet::suites::SUITES;

#[test]
#[ignore = "long: .ci/run long"]
fn the_demo_shows_every_suite() {
    let fixture = Fixture::new();
    let out = fixture.ok("demo @letter.txt --suite all --dir @demo");
    // Two signatures in each of the two wallets for ECDSA, one in each of the three for ML-DSA.
    let frost = SUITES.len() - 2 - 3;
    assert_eq!(out.matches("  the signature verifies\n").count(), frost + 4 + 3);
    assert_eq!(out.matches("the signature does not verify").count(), frost + 4);
    let named = |begins: &str, culprits: [&str; 2]| {
        let shares = if begins.starts_with('1') { "share" } else { "shares" };
        let begins = format!("  {begins} cheat:  wrong signature {shares} from party ");
        let names = out.lines().filter_map(|line| line.strip_prefix(&begins));
        names.filter(|names| culprits.iter().all(|culprit| names.contains(culprit))).count()
    };
    assert_eq!((named("1 of 3", ["2", "2"]), named("2 of 3", ["1", "3"])), (frost, frost));
    assert_eq!(out.matches("party 1 aborted; party 2 in round 2: share").count(), frost + 2);
    assert_eq!(out.matches("1 of 3 cheat:  wrong shares; party 2: a wrong share\n").count(), 2);
    let two = "2 of 3 cheat:  wrong shares; party 1: a wrong share; party 3: a wrong share\n";
    assert_eq!(out.matches(two).count(), 2);
    assert_eq!(out.matches("party 2 in round 1: proof does not verify\n").count(), 2);
    assert_eq!(out.matches("… before, and must not spend it twice").count(), 2);
    let openssl = out.matches("Verified OK\n").count();
    assert_eq!(openssl + out.matches("(there is no openssl on this machine)").count(), 2);
    for named in ["party 2 in round 2: ", "party 1 in round 4: "] {
        let named = format!("; {named}revealed value does not match its commitment\n");
        assert_eq!(out.matches(&named).count(), 3, "{out}");
    }
    let mut verified = 0;
    for suite in SUITES {
        let name = suite.name;
        let line =
            format!("verify --dir @demo/{name} @letter.txt @demo/{name}/letter.txt.{name}.sig");
        fixture.ok(&line);
        let signature = format!("demo/{name}/letter.txt.{name}.sig");
        let verdict = independent::verifies(&fixture, &format!("demo/{name}"), name, &signature);
        assert_ne!(verdict, Some(false));
        verified += usize::from(verdict.is_some());
    }
    assert!(verified >= 11, "the suites that other libraries verify");
}

#[test]
fn the_demo_makes_its_own_folder() {
    let fixture = Fixture::new();
    let out = fixture.ok("demo @letter.txt");
    assert!(out.contains("demo --suite ecdsa-secp256k1 "), "{out}");
    let dir = out.split("written to ").nth(1).and_then(|rest| rest.split(':').next()).unwrap();
    let dir = Path::new(dir);
    assert!(dir.join("letter.txt.ed25519.sig").is_file());
    fs::remove_dir_all(dir.parent().unwrap()).unwrap();
}

#[test]
fn signs_and_verifies_with_every_suite_and_every_pair() {
    // With ML-DSA exactly as many sign as it takes.
    for suite in SUITES.iter().filter(|suite| !suite.name.starts_with("ml-dsa")) {
        let fixture = Fixture::new();
        fixture.wallet("w", suite.name);
        for signers in ["1,2", "1,3", "3,2", "1,2,3"] {
            fixture
                .ok(&format!("sign --replace --dir @w --signers {signers} @letter.txt --out @sig"));
            fixture.ok("verify --dir @w @letter.txt @sig");
            assert_ne!(independent::verifies(&fixture, "w", suite.name, "sig"), Some(false));
        }
        fs::write(fixture.path("letter.txt"), "Dear Sir or Madam!").unwrap();
        fixture.fails("verify --dir @w @letter.txt @sig", "the signature does not verify");
        assert_ne!(independent::verifies(&fixture, "w", suite.name, "sig"), Some(true));
    }
}

#[test]
fn files_may_be_empty_or_large() {
    let fixture = Fixture::new();
    fixture.wallet("w", "ed25519");
    for length in [0, 1, 3 << 20] {
        fs::write(fixture.path("letter.txt"), vec![7; length]).unwrap();
        fixture.ok("sign --replace --dir @w --signers 1,2 @letter.txt");
        fixture.ok("verify --dir @w @letter.txt @w/letter.txt.ed25519.sig");
    }
}

#[test]
fn many_parties() {
    let fixture = Fixture::new();
    let out = fixture.ok("keygen --dir @w --suite p256 --threshold 6 --parties 10 --plaintext");
    assert!(out.contains("any 6 of 10 can sign"), "{out}");
    fixture.ok("sign --replace --dir @w --signers 10,2,9,4,7,6 @letter.txt --out @sig");
    fixture.ok("verify --dir @w @letter.txt @sig");
    fixture.fails(
        "sign --replace --dir @w --signers 1,2,3,4,5 @letter.txt",
        "got 5 signers, need at least 6",
    );
}

#[test]
fn files_that_are_missing() {
    let fixture = Fixture::new();
    fixture.fails("demo @none", "cannot read ");
    fixture.fails("sign --replace --dir @w --signers 1,2 @letter.txt", "there is no wallet in ");
    fixture.fails("verify --dir @w @letter.txt @sig", "there is no wallet in ");
    fixture.wallet("w", "ed25519");
    fixture.fails("sign --replace --dir @w --signers 1,2 @none", "none: ");
    fixture.fails("verify --dir @w @letter.txt @sig", "sig: ");
    fs::remove_file(fixture.path("w/party-2.share")).unwrap();
    fixture.fails("sign --replace --dir @w --signers 1,2 @letter.txt", "party-2.share: ");
    fixture.fails("sign --replace --dir @w --signers 1,2 @letter.txt --out @no/sig", "cannot read");
    fixture
        .fails("sign --replace --dir @w --signers 1,3 @letter.txt --out @no/sig", "cannot write");
}

#[test]
fn the_wrong_signers() {
    let fixture = Fixture::new();
    fixture.wallet("w", "ristretto255");
    fixture
        .fails("sign --replace --dir @w --signers 1 @letter.txt", "got 1 signer, need at least 2");
    fixture.fails("sign --replace --dir @w --signers 1,1 @letter.txt", "party 1 is listed twice");
    fixture
        .fails("sign --replace --dir @w --signers 1,4 @letter.txt", "party 4 is not one of the 3");
    for (bad, part) in [("0,1", "0"), ("one", "one"), ("1,,2", ""), ("1,70000", "70000")] {
        let line = format!("sign --replace --dir @w --signers {bad} @letter.txt");
        let says = "for '--signers <SIGNERS>': the number of a party is between 1 and 65535";
        fixture.fails(&line, &format!("'{part}' {says}"));
    }
}

#[test]
fn the_wrong_suite() {
    let fixture = Fixture::new();
    fixture.wallet("w", "p256");
    fixture.wallet("v", "secp256k1");
    let text = "wrong suite: the wallet in ";
    fixture.fails("sign --replace --dir @w --suite ed25519 --signers 1,2 @letter.txt", text);
    fs::copy(fixture.path("v/party-1.share"), fixture.path("w/party-1.share")).unwrap();
    let text =
        "no usable key share for p256: expected an object over P-256, got one over secp256k1";
    fixture.fails("sign --replace --dir @w --signers 1,2 @letter.txt", text);
    fixture.fails("keygen --dir @u --suite rsa --threshold 2 --parties 3", "invalid value 'rsa'");
    assert!(!fixture.path("u").exists());
}

#[test]
fn every_damaged_byte_of_a_share_is_noticed() {
    let fixture = Fixture::new();
    fixture.wallet("w", "ed25519");
    let path = fixture.path("w/party-1.share");
    for at in 0..fs::read(&path).unwrap().len() {
        flip(&path, at);
        let failure =
            fixture.run("sign --replace --dir @w --signers 1,2 @letter.txt").expect_err("damaged");
        assert!(failure.contains("party-1.share is "), "byte {at}: {failure}");
        flip(&path, at);
    }
    fixture.ok("sign --replace --dir @w --signers 1,2 @letter.txt");
    fs::write(&path, "").unwrap();
    fixture.fails(
        "sign --replace --dir @w --signers 1,2 @letter.txt",
        "expected 44 bytes, got 0: the end is missing",
    );
}

#[test]
fn a_share_of_another_party_or_wallet() {
    let fixture = Fixture::new();
    fixture.wallet("w", "secp256k1-tr");
    fixture.wallet("v", "secp256k1-tr");
    for other in ["w/party-2.share", "v/party-1.share"] {
        fs::copy(fixture.path(other), fixture.path("w/party-1.share")).unwrap();
        let text = "party-1.share is not party 1's share of this wallet's key";
        fixture.fails("sign --replace --dir @w --signers 1,2 @letter.txt", text);
    }
}

#[test]
fn a_damaged_public_key() {
    let fixture = Fixture::new();
    fixture.wallet("w", "ed25519");
    let path = fixture.path("w/public.key");
    for at in 0..fs::read(&path).unwrap().len() {
        flip(&path, at);
        fixture.run("sign --replace --dir @w --signers 1,2 @letter.txt").expect_err("damaged");
        flip(&path, at);
    }
}

#[test]
fn a_signature_that_is_none() {
    let fixture = Fixture::new();
    fixture.wallet("w", "ed25519");
    fixture.wallet("v", "ed25519");
    fixture.ok("sign --replace --dir @w --signers 1,2 @letter.txt --out @sig");
    fixture.fails("verify --dir @v @letter.txt @sig", "the signature does not verify");
    fixture.fails("verify --dir @w @letter.txt @letter.txt", "is no ed25519 signature");
    let whole = fs::read(fixture.path("sig")).unwrap();
    for at in 0..whole.len() {
        flip(&fixture.path("sig"), at);
        fixture.run("verify --dir @w @letter.txt @sig").expect_err("altered");
        flip(&fixture.path("sig"), at);
    }
    fs::write(fixture.path("sig"), &whole[..63]).unwrap();
    fixture.fails("verify --dir @w @letter.txt @sig", "is no ed25519 signature");
}

#[test]
fn nothing_is_overwritten() {
    let fixture = Fixture::new();
    fixture.wallet("w", "ed25519");
    let before = fs::read(fixture.path("w/public.key")).unwrap();
    let keygen = "keygen --suite p256 --threshold 2 --parties 2 --plaintext --dir";
    fixture.fails(&format!("{keygen} @w"), "already holds a wallet; it is not overwritten");
    assert_eq!(fs::read(fixture.path("w/public.key")).unwrap(), before);
    fs::create_dir(fixture.path("full")).unwrap();
    fs::write(fixture.path("full/diary"), "secret").unwrap();
    fixture.fails(&format!("{keygen} @full"), "is not empty");
    fixture.fails(&format!("{keygen} @letter.txt"), "cannot use ");
    fixture.fails(&format!("{keygen} .."), ".. is no name for a new folder");
    fixture.fails(&format!("{keygen} ."), ". is ");
    // A signature replaces a signature and nothing else.
    fixture.ok("sign --replace --dir @w --signers 1,2 @letter.txt --out @sig");
    fixture.ok("sign --replace --dir @w --signers 1,2 @letter.txt --out @sig");
    let text = "is no signature; it is not overwritten";
    fixture.fails("sign --replace --dir @w --signers 1,2 @letter.txt --out @letter.txt", text);
    fixture.fails("sign --replace --dir @w --signers 1,2 @letter.txt --out @w", text);
    assert_eq!(fs::read(fixture.path("letter.txt")).unwrap(), b"Dear Sir or Madam");
    // Nothing is left behind.
    let names = fs::read_dir(&fixture.0).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, ["full", "letter.txt", "sig", "w"]);
}

#[cfg(unix)]
#[test]
fn shares_are_for_their_owner_only() {
    use std::os::unix::fs::PermissionsExt;
    let fixture = Fixture::new();
    fixture.wallet("w", "ed25519");
    let mode = |name: &str| fs::metadata(fixture.path(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode("w"), 0o700);
    for party in 1..=3 {
        assert_eq!(mode(&format!("w/party-{party}.share")), 0o600);
    }
}
