//! Folders that were copied, links where files should be, others that can write, and full disks.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use quorate::session::Continuity;
use quorate_examples::files::fresh_name;
use quorate_wallet::ecdsa::here;

use crate::fixture::{Fixture, flip, said};

const SIGN: &str = "sign --dir @w --signers 1,3 @letter.txt --out @sig";
const VERIFY: &str = "verify --dir @w @letter.txt @sig";
const SPENT: &str = "from a presignature, which is spent now";
const NONE: &str = "no presignature of these signers is left: all rounds in one go";
const DROPPED: &str =
    "this folder was copied, or has come back from a backup: 2 presignatures are dropped";

fn parts(stock: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(stock).unwrap().map(|entry| entry.unwrap().path());
    let mut parts: Vec<_> =
        files.filter(|path| path.to_string_lossy().contains(".party-")).collect();
    parts.sort();
    parts
}

/// A wallet with two presignatures.
fn presigned() -> Fixture {
    let fixture = Fixture::new();
    fixture.wallet("w", "ecdsa-secp256k1");
    let out = fixture.ok("presign --dir @w --signers 1,3 --count 2");
    assert!(out.contains("never copy this folder while presignatures are in it"), "{out}");
    fixture
}

#[test]
fn a_record_of_another_machine_or_file_is_not_here() {
    let fixture = Fixture::new();
    let folder = fixture.path("stock");
    fs::create_dir(&folder).unwrap();
    assert_eq!(here::continuity(&folder).unwrap(), Continuity::Unknown);
    here::renew(&folder).unwrap();
    assert_eq!(here::continuity(&folder).unwrap(), Continuity::Operator);
    // A folder that is moved is still the same.
    let moved = fixture.path(&fresh_name("moved-"));
    fs::rename(&folder, &moved).unwrap();
    assert_eq!(here::continuity(&moved).unwrap(), Continuity::Operator);
    // The same file, of another machine.
    let path = moved.join("here");
    let text = fs::read_to_string(&path).unwrap();
    let machine = text.strip_prefix("machine ").unwrap().split(',').next().unwrap();
    fs::write(&path, text.replace(machine, "another")).unwrap();
    assert_eq!(here::continuity(&moved).unwrap(), Continuity::Unknown);
    fs::write(&path, &text).unwrap();
    assert_eq!(here::continuity(&moved).unwrap(), Continuity::Operator);
    // The same bytes in another file.
    fs::write(moved.join("copy"), &text).unwrap();
    fs::rename(moved.join("copy"), &path).unwrap();
    assert_eq!(here::continuity(&moved).unwrap(), Continuity::Unknown);
}

#[test]
fn copies_of_a_folder_drop_their_presignatures() {
    let fixture = presigned();
    fixture.copy("w", "one");
    fixture.copy("w", "two");
    for copy in ["one", "two"] {
        let sign = format!("sign --dir @{copy} --signers 1,3 @letter.txt --out @{copy}.sig");
        let out = fixture.ok(&sign);
        assert!(out.contains(DROPPED) && out.contains(NONE), "{out}");
        assert_eq!(parts(&fixture.path(copy).join("presignatures")), [] as [PathBuf; 0]);
        // Once its record is written anew, it is a wallet like any other.
        let out = fixture.ok(&format!("presign --dir @{copy} --signers 1,3 --count 1"));
        assert!(!out.contains("dropped"), "{out}");
    }
    let out = fixture.ok(SIGN);
    assert!(out.contains(SPENT) && !out.contains("dropped"), "{out}");
    // A folder that is moved is no copy.
    fs::rename(fixture.path("w"), fixture.path("moved")).unwrap();
    fs::remove_file(fixture.path("sig")).unwrap();
    assert!(fixture.ok(&SIGN.replace("@w", "@moved")).contains(SPENT));
}

#[test]
fn a_folder_that_came_back_from_a_backup_drops_its_presignatures() {
    let fixture = presigned();
    let (w, backup) = (fixture.path("w"), fixture.path("backup"));
    fixture.copy("w", "backup");
    fixture.ok(SIGN);
    // As `rsync --delete` does: what differs is written anew, and what is new is deleted.
    for folder in ["presignatures", "spent"] {
        for entry in fs::read_dir(w.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let old = backup.join(folder).join(path.file_name().unwrap());
            if fs::read(&old).ok() != fs::read(&path).ok() {
                fs::remove_file(path).unwrap();
            }
        }
        for entry in fs::read_dir(backup.join(folder)).unwrap() {
            let old = entry.unwrap().path();
            let path = w.join(folder).join(old.file_name().unwrap());
            if !path.exists() {
                fs::copy(old, path).unwrap();
            }
        }
    }
    assert_eq!(parts(&w.join("presignatures")).len(), 4);
    let out = fixture.ok(&SIGN.replace("@sig", "@again"));
    assert!(out.contains(DROPPED) && out.contains(NONE), "{out}");
}

#[test]
fn a_damaged_presignature_is_deleted_and_the_next_one_signs() {
    let fixture = presigned();
    let all = parts(&fixture.path("w/presignatures"));
    let length = usize::try_from(fs::metadata(&all[0]).unwrap().len()).unwrap();
    flip(&all[0], length.div_ceil(2));
    let out = fixture.ok(SIGN);
    assert!(out.contains("1 presignature is damaged, and deleted"), "{out}");
    assert!(out.contains(SPENT), "{out}");
    fixture.ok(VERIFY);
    assert_eq!(parts(&fixture.path("w/presignatures")), [] as [PathBuf; 0]);
}

#[test]
fn nothing_is_overwritten_unless_the_user_says_so() {
    let fixture = presigned();
    // A signature in DER: of which message it is does not matter.
    let there = [0x30, 6, 2, 1, 1, 2, 1, 1];
    fs::write(fixture.path("sig"), there).unwrap();
    let says = "is there; it is not overwritten. Give --replace, or another --out";
    fixture.fails(SIGN, says);
    assert_eq!(fs::read(fixture.path("sig")).unwrap(), there);
    // The refusal came before anything was spent.
    assert_eq!(parts(&fixture.path("w/presignatures")).len(), 4);
    fixture.ok(&format!("{SIGN} --replace"));
    fixture.ok(VERIFY);
    fixture.fails(
        &format!("{} --replace", SIGN.replace("@sig", "@letter.txt")),
        "is no signature; it is not overwritten",
    );
    assert_eq!(parts(&fixture.path("w/presignatures")).len(), 2, "one of two is spent");
    for suite in ["ed25519", "ml-dsa-44"] {
        fixture.wallet(suite, suite);
        let sign = format!("sign --dir @{suite} --signers 1,3 @letter.txt");
        fixture.ok(&sign);
        fixture.fails(&sign, says);
        fixture.ok(&format!("{sign} --replace"));
    }
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn mode(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn a_lock_that_is_a_link_is_refused_and_its_target_is_not_touched() {
        let fixture = Fixture::new();
        fixture.wallet("w", "ed25519");
        let (lock, precious) = (fixture.path("w/lock"), fixture.path("precious"));
        let says = "lock is a link, or no file";
        for link in [
            |from: &Path, to: &Path| symlink(from, to),
            |from: &Path, to: &Path| fs::hard_link(from, to),
        ] {
            fs::write(&precious, "years of work").unwrap();
            fs::remove_file(&lock).unwrap();
            link(&precious, &lock).unwrap();
            fixture.fails("refresh --dir @w", says);
            fixture.fails(SIGN, says);
            assert_eq!(fs::read_to_string(&precious).unwrap(), "years of work");
        }
        // A link that leads nowhere makes no file there.
        fs::remove_file(&lock).unwrap();
        symlink(fixture.path("nowhere"), &lock).unwrap();
        fixture.fails(SIGN, says);
        assert!(!fixture.path("nowhere").exists());
        // In a new folder, too.
        fs::create_dir(fixture.path("new")).unwrap();
        symlink(&precious, fixture.path("new/lock")).unwrap();
        let keygen = "keygen --dir @new --suite ed25519 --threshold 2 --parties 2 --plaintext";
        fixture.fails(keygen, says);
        assert_eq!(fs::read_to_string(&precious).unwrap(), "years of work");
        // A file that no lock has written is not emptied.
        fs::remove_file(&lock).unwrap();
        fs::copy(&precious, &lock).unwrap();
        fixture
            .fails("refresh --dir @w", "lock is not the lock of a wallet; it is not overwritten");
        assert_eq!(fs::read_to_string(&lock).unwrap(), "years of work");
    }

    #[test]
    fn a_folder_that_others_can_write_into_is_refused() {
        let fixture = Fixture::new();
        fixture.wallet("w", "ed25519");
        for (folder, bits) in [("w", 0o777), ("w", 0o720), ("w/sessions", 0o702)] {
            mode(&fixture.path(folder), bits);
            let says = format!("(mode {bits:o}), and exchange what is in it");
            fixture.fails(SIGN, &says);
            fixture.fails("refresh --dir @w", &says);
            mode(&fixture.path(folder), 0o700);
        }
        fixture.ok(SIGN);
    }

    #[test]
    fn a_new_wallet_in_an_open_folder_closes_it() {
        let fixture = Fixture::new();
        fs::create_dir(fixture.path("w")).unwrap();
        mode(&fixture.path("w"), 0o777);
        fixture.wallet("w", "ed25519");
        let now = fs::metadata(fixture.path("w")).unwrap().permissions().mode();
        assert_eq!(now & 0o777, 0o700);
        fixture.ok(SIGN);
    }

    /// A limit on the length of files stands for a disk that is full.
    fn with_no_space(fixture: &Fixture, line: &str) -> String {
        let wallet = fixture.process(line);
        let words = core::iter::once(wallet.get_program()).chain(wallet.get_args());
        let words: Vec<_> = words.map(|word| format!("'{}'", word.to_string_lossy())).collect();
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("trap '' XFSZ; ulimit -f 0; exec {}", words.join(" "))]);
        let (_, err, ok) = said(&shell.output().unwrap());
        assert!(!ok, "{line}");
        err
    }

    #[test]
    fn a_disk_that_is_full_is_said_with_the_path() {
        let fixture = Fixture::new();
        fixture.wallet("w", "ed25519");
        let keygen = "keygen --dir @new --suite ed25519 --threshold 2 --parties 2 --plaintext";
        for (line, path) in [(keygen, "new/plan"), (SIGN, "sig"), ("refresh --dir @w", "w/")] {
            let err = with_no_space(&fixture, line);
            let path = fixture.path(path);
            assert!(err.contains(&*path.to_string_lossy()), "{line}: {err}");
        }
    }
}
