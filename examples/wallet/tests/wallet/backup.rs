//! Backups, drills and restores.

use std::fs;

use crate::fixture::{Fixture, flip};

const BACKUP: &str = "backup --dir @w --party 1 --for @offline.pub --to @one";
const DRILL: &str = "drill --dir @w --backup @one --key @offline";
const RESTORE: &str = "restore --dir @w --backup @one --key @offline";

/// A wallet in clear, its offline key in clear, and a backup of party 1.
fn backed_up(suite: &str) -> Fixture {
    let fixture = Fixture::new();
    fixture.wallet("w", suite);
    fixture.ok(&format!("backup-key --suite {suite} --to @offline --plaintext"));
    fixture.ok(&format!("{BACKUP} --label 2026-11"));
    fixture
}

#[test]
fn a_share_comes_back_from_its_backup() {
    let fixture = backed_up("ed25519");
    let share = fixture.path("w/party-1.share");
    let own = fs::read(&share).unwrap();
    let out = fixture.ok(DRILL);
    assert!(out.contains("the share of party 1 in epoch 0, labelled \"2026-11\""), "{out}");
    assert!(
        out.contains("it opens, and what is in it is the share; no share was written"),
        "{out}"
    );
    // A drill needs no share: it shows what can be restored when all shares are lost.
    fs::remove_file(&share).unwrap();
    fixture.ok(DRILL);
    assert!(!share.exists());
    fixture.ok(RESTORE);
    assert_eq!(fs::read(&share).unwrap(), own);
    fixture.signs("w", "1,2");
    fixture.fails(RESTORE, "party 1 has its share, ");
    fixture.fails(&format!("{RESTORE} --level 112"), "--level is for the suites of ECDSA");
}

#[test]
fn what_a_backup_refuses() {
    let fixture = backed_up("p256");
    fixture.fails(BACKUP, "one is there; it is not overwritten");
    let key = "backup-key --suite p256 --to @offline --plaintext";
    fixture.fails(key, "offline is there; it is not overwritten");
    let other = "backup --dir @w --party 4 --for @offline.pub --to @four";
    fixture.fails(other, "party 4 is not one of the 3");
    let other = "backup --dir @w --party 2 --for @offline --to @two";
    fixture.fails(other, "offline is not the public half of a backup key");
    fixture.ok("backup-key --suite secp256k1 --to @foreign --plaintext");
    let other = "backup --dir @w --party 2 --for @foreign.pub --to @two";
    fixture.fails(other, "expected an object over P-256, got one over secp256k1");

    // Another offline key.
    fixture.ok("backup-key --suite p256 --to @wrong --plaintext");
    for command in [DRILL, RESTORE] {
        let line = command.replace("@offline", "@wrong");
        fixture.fails(&line, "one is sealed to another offline key than ");
        fixture.fails(&command.replace("@offline", "@offline.pub"), "is no offline key for p256");
        fixture.fails(&command.replace("@one", "@letter.txt"), "is no usable backup for p256");
    }
    // Another wallet.
    fixture.wallet("v", "p256");
    let line = DRILL.replace("@w", "@v");
    fixture.fails(&line, "one is a backup of another wallet's key");
    fixture.fails(&RESTORE.replace("@w", "@v"), "one is a backup of another wallet's key");
    // An altered one.
    for at in [3, 200, 5000] {
        flip(&fixture.path("one"), at);
        fixture.fails(DRILL, "is no usable backup for p256");
        flip(&fixture.path("one"), at);
    }
    // An epoch that is over.
    fixture.ok("refresh --dir @w");
    fs::remove_file(fixture.path("w/party-1.share")).unwrap();
    for line in [DRILL, RESTORE] {
        fixture.fails(line, "one is a backup of epoch 0, and the key is in epoch 1");
        fixture.fails(line, "`repair` gives a lost share back");
    }
    assert!(!fixture.path("w/party-1.share").exists());
}

/// The custodian's passphrase is another one than the wallet's.
#[test]
fn two_passphrases() {
    let fixture = Fixture::new();
    fixture.passphrase("good", "correct horse battery staple");
    fixture.passphrase("custodian", "a locked drawer in Zug");
    fixture
        .ok("keygen --dir @w --suite secp256k1 --threshold 2 --parties 2 --passphrase-file @good");
    fixture.ok("backup-key --suite secp256k1 --to @offline --key-passphrase-file @custodian");
    let with = |line: &str, more: &str| format!("{line} {more}");
    fixture.ok(&with(BACKUP, "--passphrase-file @good"));
    // The file may be moved.
    fs::rename(fixture.path("offline"), fixture.path("drawer")).unwrap();
    let drill = DRILL.replace("@offline", "@drawer");
    fixture.fails(&with(&drill, "--key-passphrase-file @good"), "drawer does not open");
    let restore = RESTORE.replace("@offline", "@drawer");
    let both = "--key-passphrase-file @custodian --passphrase-file @good";
    fs::remove_file(fixture.path("w/party-1.share")).unwrap();
    let wrong = "--key-passphrase-file @custodian --passphrase-file @custodian";
    fixture.fails(&with(&restore, wrong), "does not open: the passphrase is wrong");
    assert!(!fixture.path("w/party-1.share").exists());
    fixture.ok(&with(&restore, both));
    assert!(fs::read(fixture.path("w/party-1.share")).unwrap().starts_with(b"QUORATEW"));
}

/// Only the public key, the backups, and the custodians are left.
#[test]
fn everything_is_lost() {
    let fixture = backed_up("ed448");
    fixture.ok("backup --dir @w --party 3 --for @offline.pub --to @three");
    fs::create_dir(fixture.path("v")).unwrap();
    fs::copy(fixture.path("w/public.key"), fixture.path("v/public.key")).unwrap();
    let restore =
        |name: &str| format!("restore --dir @v --backup @{name} --key @offline --plaintext");
    let out = fixture.ok(&restore("one"));
    assert!(out.contains("no shares yet: parties 2,3"), "{out}");
    fixture.ok(&restore("three"));
    fixture.signs("v", "1,3");
    let out = fixture.ok("repair --dir @v --party 2");
    assert!(out.contains("share is marked as ready"), "{out}");
    fixture.signs("v", "2,3");
}
