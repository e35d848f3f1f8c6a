//! Backups, drills and restores.

use std::fs;

use crate::place::{Place, flip};

const BACKUP: &str = "backup --dir @w --party 1 --for @offline.pub --to @one";
const DRILL: &str = "drill --dir @w --backup @one --key @offline";
const RESTORE: &str = "restore --dir @w --backup @one --key @offline";

/// A wallet in clear, its offline key in clear, and a backup of party 1.
fn backed_up(suite: &str) -> Place {
    let place = Place::new();
    place.wallet("w", suite);
    place.ok(&format!("backup-key --suite {suite} --to @offline --plaintext"));
    place.ok(&format!("{BACKUP} --label 2026-11"));
    place
}

#[test]
fn a_share_comes_back_from_its_backup() {
    let place = backed_up("ed25519");
    let share = place.path("w/party-1.share");
    let own = fs::read(&share).unwrap();
    let out = place.ok(DRILL);
    assert!(out.contains("the share of party 1 in epoch 0, labelled \"2026-11\""), "{out}");
    assert!(
        out.contains("it opens, and what is in it is the share; no share was written"),
        "{out}"
    );
    // A drill needs no share: it shows what is to be had when all are gone.
    fs::remove_file(&share).unwrap();
    place.ok(DRILL);
    assert!(!share.exists());
    place.ok(RESTORE);
    assert_eq!(fs::read(&share).unwrap(), own);
    place.signs("w", "1,2");
    place.fails(RESTORE, "party 1 has its share, ");
    place.fails(&format!("{RESTORE} --level 112"), "--level is for the suites of ECDSA");
}

#[test]
fn what_a_backup_refuses() {
    let place = backed_up("p256");
    place.fails(BACKUP, "one is there; it is not overwritten");
    let key = "backup-key --suite p256 --to @offline --plaintext";
    place.fails(key, "offline is there; it is not overwritten");
    let other = "backup --dir @w --party 4 --for @offline.pub --to @four";
    place.fails(other, "party 4 is not one of the 3");
    let other = "backup --dir @w --party 2 --for @offline --to @two";
    place.fails(other, "offline is not the public half of a backup key");
    place.ok("backup-key --suite secp256k1 --to @foreign --plaintext");
    let other = "backup --dir @w --party 2 --for @foreign.pub --to @two";
    place.fails(other, "expected an object over P-256, got one over secp256k1");

    // Another offline key.
    place.ok("backup-key --suite p256 --to @wrong --plaintext");
    for command in [DRILL, RESTORE] {
        let line = command.replace("@offline", "@wrong");
        place.fails(&line, "one is sealed to another offline key than ");
        place.fails(&command.replace("@offline", "@offline.pub"), "is no offline key for p256");
        place.fails(&command.replace("@one", "@letter.txt"), "is no usable backup for p256");
    }
    // Another wallet.
    place.wallet("v", "p256");
    let line = DRILL.replace("@w", "@v");
    place.fails(&line, "one is a backup of another wallet's key");
    place.fails(&RESTORE.replace("@w", "@v"), "one is a backup of another wallet's key");
    // An altered one.
    for at in [3, 200, 5000] {
        flip(&place.path("one"), at);
        place.fails(DRILL, "is no usable backup for p256");
        flip(&place.path("one"), at);
    }
    // An epoch that is over.
    place.ok("refresh --dir @w");
    fs::remove_file(place.path("w/party-1.share")).unwrap();
    for line in [DRILL, RESTORE] {
        place.fails(line, "one is a backup of epoch 0, and the key is in epoch 1");
        place.fails(line, "`repair` gives a lost share back");
    }
    assert!(!place.path("w/party-1.share").exists());
}

/// The custodian's passphrase is another one than the wallet's.
#[test]
fn two_passphrases() {
    let place = Place::new();
    place.passphrase("good", "correct horse battery staple");
    place.passphrase("custodian", "a locked drawer in Zug");
    place.ok("keygen --dir @w --suite secp256k1 --threshold 2 --parties 2 --passphrase-file @good");
    place.ok("backup-key --suite secp256k1 --to @offline --key-passphrase-file @custodian");
    let with = |line: &str, more: &str| format!("{line} {more}");
    place.ok(&with(BACKUP, "--passphrase-file @good"));
    // The file may be moved.
    fs::rename(place.path("offline"), place.path("drawer")).unwrap();
    let drill = DRILL.replace("@offline", "@drawer");
    place.fails(&with(&drill, "--key-passphrase-file @good"), "drawer does not open");
    let restore = RESTORE.replace("@offline", "@drawer");
    let both = "--key-passphrase-file @custodian --passphrase-file @good";
    fs::remove_file(place.path("w/party-1.share")).unwrap();
    let wrong = "--key-passphrase-file @custodian --passphrase-file @custodian";
    place.fails(&with(&restore, wrong), "does not open: the passphrase is wrong");
    assert!(!place.path("w/party-1.share").exists());
    place.ok(&with(&restore, both));
    assert!(fs::read(place.path("w/party-1.share")).unwrap().starts_with(b"QUORATEW"));
}

/// Nothing is left but the public key, the backups, and the custodians.
#[test]
fn everything_is_lost() {
    let place = backed_up("ed448");
    place.ok("backup --dir @w --party 3 --for @offline.pub --to @three");
    fs::create_dir(place.path("v")).unwrap();
    fs::copy(place.path("w/public.key"), place.path("v/public.key")).unwrap();
    let restore =
        |name: &str| format!("restore --dir @v --backup @{name} --key @offline --plaintext");
    let out = place.ok(&restore("one"));
    assert!(out.contains("no shares yet: parties 2,3"), "{out}");
    place.ok(&restore("three"));
    place.signs("v", "1,3");
    let out = place.ok("repair --dir @v --party 2");
    assert!(out.contains("share is marked as ready"), "{out}");
    place.signs("v", "2,3");
}
