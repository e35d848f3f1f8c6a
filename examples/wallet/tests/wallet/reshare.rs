//! Resharing a key to other parties, and the repair of a lost share.

use std::fs;

use crate::fixture::{Fixture, flip, said};

fn exists(fixture: &Fixture, file: &str) -> bool {
    fixture.path("w").join(file).exists()
}

/// Files of a change that are left.
fn left(fixture: &Fixture, wallet: &str) -> usize {
    let names = fs::read_dir(fixture.path(wallet)).unwrap();
    let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let ends = ["next", "aux-next", "primes"];
    names.filter(|name| ends.iter().any(|end| name.ends_with(end))).count()
}

#[test]
fn to_other_parties_and_thresholds() {
    let fixture = Fixture::new();
    fixture.wallet("w", "ed25519");
    let key = |out: &str| out.lines().find(|line| line.contains("  key ")).unwrap().to_owned();
    let before = key(&fixture.ok("derive --dir @w --path m"));

    let out = fixture.ok("reshare --dir @w --to 5,1,2 --threshold 2");
    assert!(out.contains("epoch 1 of the key: any 2 of 1,2,5 can sign"), "{out}");
    assert!(out.contains("party 3 has left, and its share is deleted"), "{out}");
    assert!(!exists(&fixture, "party-3.share") && exists(&fixture, "party-5.share"));
    assert_eq!(left(&fixture, "w"), 0);
    for signers in ["1,5", "2,5", "1,2,5"] {
        fixture.signs("w", signers);
    }
    fixture
        .fails("sign --replace --dir @w --signers 1,3 @letter.txt", "party 3 is not one of the 3");

    // Disjoint, and another threshold. Two deal; the third is not needed.
    fs::remove_file(fixture.path("w/party-1.share")).unwrap();
    fixture.ok("reshare --dir @w --to 6,7,8,9 --threshold 3");
    fixture.signs("w", "6,8,9");
    fixture.fails(
        "sign --replace --dir @w --signers 6,7 @letter.txt",
        "got 2 signers, need at least 3",
    );
    assert_eq!(key(&fixture.ok("derive --dir @w --path m")), before);
    assert_eq!(left(&fixture, "w"), 0);
}

#[test]
#[ignore = "long: .ci/run long"]
fn with_ecdsa_moduli_are_proved_and_presignatures_go() {
    let fixture = Fixture::new();
    fixture.wallet("w", "ecdsa-secp256k1");
    let pem = fs::read(fixture.path("w/public.pem")).unwrap();
    fixture.ok("presign --dir @w --signers 2,3 --count 1");

    // No party joins: no moduli.
    let out = fixture.ok("refresh --dir @w");
    assert!(out.contains("1 presignature is of no use any more, and deleted"), "{out}");
    assert!(!out.contains("prove their moduli"), "{out}");
    fixture.ok("presign --dir @w --signers 1,2 --count 1");

    fixture.copy("w", "late");
    // Killed when a party has its new moduli and not all have them; nothing else has changed then.
    let reshare = "reshare --dir @w --to 1,2,5";
    let mut child = fixture.process(reshare).spawn().unwrap();
    while !exists(&fixture, "party-1.aux-next") {
        assert!(child.try_wait().unwrap().is_none(), "it ended too early");
    }
    child.kill().unwrap();
    let (before, _, _) = said(&child.wait_with_output().unwrap());
    assert!(before.contains("Without auxiliary information: party 5."), "{before}");
    assert!(before.contains("Parties 1,2,5 prove their moduli to each other"), "{before}");

    let out = fixture.ok(reshare);
    assert!(out.contains("1 presignature is of no use any more, and deleted"), "{out}");
    assert_eq!(left(&fixture, "w"), 0);
    assert!(!exists(&fixture, "party-3.aux") && !exists(&fixture, "party-3.share"));
    assert_eq!(fs::read(fixture.path("w/public.pem")).unwrap(), pem);
    fixture.ok("presign --dir @w --signers 1,5 --count 1");

    // Killed a little later, when all have their new moduli and the primes that the last one searched for are still there.
    for party in [1, 2, 5] {
        let made = fixture.path(&format!("w/party-{party}.aux"));
        fs::copy(made, fixture.path(&format!("late/party-{party}.aux-next"))).unwrap();
    }
    fs::write(fixture.path("late/party-5.primes"), "searched for").unwrap();
    fixture.ok("reshare --dir @late --to 1,2,5");
    assert_eq!(left(&fixture, "late"), 0);

    // A share that is restored, with the presignatures made with it.
    fs::remove_file(fixture.path("w/party-5.share")).unwrap();
    fixture
        .fails("sign --replace --dir @w --signers 1,5 @letter.txt", "party 5 has lost its share");
    let out = fixture.ok("repair --dir @w --party 5");
    assert!(out.contains("party 5 has its share of epoch 2 again"), "{out}");
    assert!(out.contains("share is marked as ready"), "{out}");
    let out = fixture.ok("sign --replace --dir @w --signers 1,5 @letter.txt --out @sig");
    assert!(out.contains("from a presignature"), "{out}");
    fixture.ok("verify --dir @w @letter.txt @sig");

    // A party that has lost everything, and its backup.
    fixture.ok("backup-key --suite ecdsa-secp256k1 --to @offline --plaintext");
    fixture.ok("backup --dir @w --party 5 --for @offline.pub --to @five");
    for ending in ["share", "aux", "seal"] {
        fs::remove_file(fixture.path(&format!("w/party-5.{ending}"))).unwrap();
    }
    let out = fixture.ok("restore --dir @w --backup @five --key @offline");
    assert!(out.contains("Without auxiliary information: party 5."), "{out}");
    fixture.signs("w", "2,5");
}

#[test]
fn what_a_reshare_refuses() {
    let fixture = Fixture::new();
    fixture.wallet("w", "p256");
    for (line, says) in [
        ("--to 1 --threshold 2", "a threshold of 2 with 1 parties"),
        ("--to 1,2 --threshold 3", "a threshold of 3 with 2 parties"),
        ("--to 1,1,2", "party 1 is listed twice"),
        ("--to 1,2 --threshold 1", "1 is not in 2..=100"),
        ("--to 1,2 --dealers 1", "it takes 2 parties with their shares, got 1"),
        ("--to 1,2 --dealers 1,5", "party 5 holds no share of the key"),
        ("--to 1,0", "the number of a party is between 1 and 65535"),
        ("", "--to <PARTIES>"),
    ] {
        fixture.fails(&format!("reshare --dir @w {line}"), says);
    }
    fs::copy(fixture.path("w/party-1.share"), fixture.path("party-1.share")).unwrap();
    fs::remove_file(fixture.path("w/party-2.share")).unwrap();
    fs::remove_file(fixture.path("w/party-1.share")).unwrap();
    let line = "reshare --dir @w --to 3,4";
    fixture.fails(line, "it takes 2 parties with their shares, got 1. `restore` gives back");
    fs::copy(fixture.path("party-1.share"), fixture.path("w/party-1.share")).unwrap();
    // A damaged share is not a lost one, and is not replaced.
    flip(&fixture.path("w/party-1.share"), 50);
    fixture.fails(line, "party-1.share is no usable key share for p256");
    flip(&fixture.path("w/party-1.share"), 50);
    // A party that joins has no share yet.
    fs::copy(fixture.path("w/party-1.share"), fixture.path("w/party-4.share")).unwrap();
    fixture.fails(line, "party-4.share is not party 4's share of this wallet's key");
    fs::remove_file(fixture.path("w/party-4.share")).unwrap();
    fixture.ok(line);
    fixture.signs("w", "3,4");
}

/// Two epochs are never mixed, and the refusal says which is which and what to do.
#[test]
fn shares_of_two_epochs() {
    let fixture = Fixture::new();
    fixture.wallet("w", "secp256k1");
    fs::copy(fixture.path("w/party-1.share"), fixture.path("stolen")).unwrap();
    fixture.ok("refresh --dir @w");
    fs::copy(fixture.path("stolen"), fixture.path("w/party-1.share")).unwrap();
    let says = "it belongs to epoch 0 of the key, expected epoch 1. An old copy has come back: move it away";
    for line in [
        "sign --replace --dir @w --signers 1,2 @letter.txt",
        "refresh --dir @w",
        "reshare --dir @w --to 1,2",
        "repair --dir @w --party 1",
    ] {
        fixture.fails(line, says);
    }
    fs::remove_file(fixture.path("w/party-1.share")).unwrap();
    fixture.ok("repair --dir @w --party 1");
    fixture.signs("w", "1,2");
}

#[test]
fn a_lost_share_comes_back() {
    let fixture = Fixture::new();
    fixture.wallet("w", "secp256k1-tr");
    let share = fixture.path("w/party-2.share");
    let own = fs::read(&share).unwrap();
    fixture.fails("repair --dir @w --party 2", "party 2 has its share, ");
    fixture.fails("repair --dir @w --party 4", "party 4 is not one of the 3");
    fs::remove_file(&share).unwrap();
    fixture.fails("repair --dir @w --party 2 --helpers 1", "it takes 2 parties with their shares");
    fixture
        .fails("repair --dir @w --party 2 --helpers 1,2", "party 2 has another part in the plan");
    fixture.ok("repair --dir @w --party 2 --helpers 1,3");
    assert_eq!(fs::read(&share).unwrap(), own);
    // Too few are left.
    fs::remove_file(&share).unwrap();
    fs::remove_file(fixture.path("w/party-1.share")).unwrap();
    let says = "it takes 2 parties with their shares, got 1";
    fixture.fails("repair --dir @w --party 2", says);
    fixture.fails("repair --dir @nothing --party 2", "there is no wallet in");
}
