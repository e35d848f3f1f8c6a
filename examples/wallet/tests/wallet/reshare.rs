//! The key goes to other parties; and a share that was lost comes back.

use std::fs;

use crate::place::{Place, flip, said};

fn exists(place: &Place, file: &str) -> bool {
    place.path("w").join(file).exists()
}

/// Files of a change that are left.
fn left(place: &Place) -> usize {
    let names = fs::read_dir(place.path("w")).unwrap();
    let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let ends = ["next", "aux-next", "primes"];
    names.filter(|name| ends.iter().any(|end| name.ends_with(end))).count()
}

#[test]
fn to_other_parties_and_thresholds() {
    let place = Place::new();
    place.wallet("w", "ed25519");
    let key = |out: &str| out.lines().find(|line| line.contains("  key ")).unwrap().to_owned();
    let before = key(&place.ok("derive --dir @w --path m"));

    let out = place.ok("reshare --dir @w --to 5,1,2 --threshold 2");
    assert!(out.contains("epoch 1 of the key: any 2 of 1,2,5 can sign"), "{out}");
    assert!(out.contains("party 3 has left, and its share is deleted"), "{out}");
    assert!(!exists(&place, "party-3.share") && exists(&place, "party-5.share"));
    assert_eq!(left(&place), 0);
    for signers in ["1,5", "2,5", "1,2,5"] {
        place.signs("w", signers);
    }
    place.fails("sign --dir @w --signers 1,3 @letter.txt", "party 3 is not one of the 3");

    // Disjoint, and another threshold. Two deal; the third is not needed.
    fs::remove_file(place.path("w/party-1.share")).unwrap();
    place.ok("reshare --dir @w --to 6,7,8,9 --threshold 3");
    place.signs("w", "6,8,9");
    place.fails("sign --dir @w --signers 6,7 @letter.txt", "got 2 signers, need at least 3");
    assert_eq!(key(&place.ok("derive --dir @w --path m")), before);
    assert_eq!(left(&place), 0);
}

#[test]
fn with_ecdsa_moduli_are_proved_and_presignatures_go() {
    let place = Place::new();
    place.wallet("w", "ecdsa-secp256k1");
    let pem = fs::read(place.path("w/public.pem")).unwrap();
    place.ok("presign --dir @w --signers 2,3 --count 1");

    // Nobody joins: no moduli.
    let out = place.ok("refresh --dir @w");
    assert!(out.contains("1 presignature is of no use any more, and deleted"), "{out}");
    assert!(!out.contains("prove their moduli"), "{out}");
    place.ok("presign --dir @w --signers 1,2 --count 1");

    // Killed when a party has its new moduli and not all have them; nothing else has changed then.
    let reshare = "reshare --dir @w --to 1,2,5";
    let mut child = place.process(reshare).spawn().unwrap();
    while !exists(&place, "party-1.aux-next") {
        assert!(child.try_wait().unwrap().is_none(), "it ended too early");
    }
    child.kill().unwrap();
    let (before, _, _) = said(&child.wait_with_output().unwrap());
    assert!(before.contains("Without auxiliary information: party 5."), "{before}");
    assert!(before.contains("Parties 1,2,5 prove their moduli to each other"), "{before}");

    let out = place.ok(reshare);
    assert!(out.contains("1 presignature is of no use any more, and deleted"), "{out}");
    assert_eq!(left(&place), 0);
    assert!(!exists(&place, "party-3.aux") && !exists(&place, "party-3.share"));
    assert_eq!(fs::read(place.path("w/public.pem")).unwrap(), pem);
    place.ok("presign --dir @w --signers 1,5 --count 1");

    // A share that comes back, with the presignatures made with it.
    fs::remove_file(place.path("w/party-5.share")).unwrap();
    place.fails("sign --dir @w --signers 1,5 @letter.txt", "party 5 has lost its share");
    let out = place.ok("repair --dir @w --party 5");
    assert!(out.contains("party 5 has its share of epoch 2 again"), "{out}");
    assert!(out.contains("share is marked as ready"), "{out}");
    let out = place.ok("sign --dir @w --signers 1,5 @letter.txt --out @sig");
    assert!(out.contains("from a presignature"), "{out}");
    place.ok("verify --dir @w @letter.txt @sig");

    // A party that has lost everything, and its backup.
    place.ok("backup-key --suite ecdsa-secp256k1 --to @offline --plaintext");
    place.ok("backup --dir @w --party 5 --for @offline.pub --to @five");
    for ending in ["share", "aux", "seal"] {
        fs::remove_file(place.path(&format!("w/party-5.{ending}"))).unwrap();
    }
    let out = place.ok("restore --dir @w --backup @five --key @offline");
    assert!(out.contains("Without auxiliary information: party 5."), "{out}");
    place.signs("w", "2,5");
}

#[test]
fn what_a_reshare_refuses() {
    let place = Place::new();
    place.wallet("w", "p256");
    for (line, says) in [
        ("--to 1 --threshold 2", "a threshold of 2 with 1 parties"),
        ("--to 1,2 --threshold 3", "a threshold of 3 with 2 parties"),
        ("--to 1,1,2", "party 1 is listed twice after --to"),
        ("--to 1,2 --threshold 1", "1 is not in 2..=100"),
        ("--to 1,2 --dealers 1", "it takes 2 parties with their shares, got 1"),
        ("--to 1,2 --dealers 1,5", "party 5 holds no share of the key"),
        ("--to 1,0", "the number of a party is between 1 and 65535"),
        ("", "--to <PARTIES>"),
    ] {
        place.fails(&format!("reshare --dir @w {line}"), says);
    }
    fs::copy(place.path("w/party-1.share"), place.path("party-1.share")).unwrap();
    fs::remove_file(place.path("w/party-2.share")).unwrap();
    fs::remove_file(place.path("w/party-1.share")).unwrap();
    let line = "reshare --dir @w --to 3,4";
    place.fails(line, "it takes 2 parties with their shares, got 1. `restore` gives back");
    fs::copy(place.path("party-1.share"), place.path("w/party-1.share")).unwrap();
    // Damaged is not lost: it is not replaced.
    flip(&place.path("w/party-1.share"), 50);
    place.fails(line, "party-1.share is no usable key share for p256");
    flip(&place.path("w/party-1.share"), 50);
    // Whoever joins has no share yet.
    fs::copy(place.path("w/party-1.share"), place.path("w/party-4.share")).unwrap();
    place.fails(line, "party-4.share is not party 4's share of this wallet's key");
    fs::remove_file(place.path("w/party-4.share")).unwrap();
    place.ok(line);
    place.signs("w", "3,4");
}

/// Two epochs are never mixed, and the refusal says which is which and what to do.
#[test]
fn shares_of_two_epochs() {
    let place = Place::new();
    place.wallet("w", "secp256k1");
    fs::copy(place.path("w/party-1.share"), place.path("stolen")).unwrap();
    place.ok("refresh --dir @w");
    fs::copy(place.path("stolen"), place.path("w/party-1.share")).unwrap();
    let says = "it belongs to epoch 0 of the key, expected epoch 1. An old copy has come back: move it away";
    for line in [
        "sign --dir @w --signers 1,2 @letter.txt",
        "refresh --dir @w",
        "reshare --dir @w --to 1,2",
        "repair --dir @w --party 1",
    ] {
        place.fails(line, says);
    }
    fs::remove_file(place.path("w/party-1.share")).unwrap();
    place.ok("repair --dir @w --party 1");
    place.signs("w", "1,2");
}

#[test]
fn a_lost_share_comes_back() {
    let place = Place::new();
    place.wallet("w", "secp256k1-tr");
    let share = place.path("w/party-2.share");
    let own = fs::read(&share).unwrap();
    place.fails("repair --dir @w --party 2", "party 2 has its share, ");
    place.fails("repair --dir @w --party 4", "party 4 is not one of the 3");
    fs::remove_file(&share).unwrap();
    place.fails("repair --dir @w --party 2 --helpers 1", "it takes 2 parties with their shares");
    place.fails("repair --dir @w --party 2 --helpers 1,2", "party 2 has another part in the plan");
    place.ok("repair --dir @w --party 2 --helpers 1,3");
    assert_eq!(fs::read(&share).unwrap(), own);
    // Too few are left.
    fs::remove_file(&share).unwrap();
    fs::remove_file(place.path("w/party-1.share")).unwrap();
    let says = "it takes 2 parties with their shares, got 1";
    place.fails("repair --dir @w --party 2", says);
    place.fails("repair --dir @nothing --party 2", "there is no wallet in");
}
