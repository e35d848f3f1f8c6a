//! Files beside the database.
#![cfg(feature = "sqlite")]
#![allow(missing_docs, clippy::unwrap_used, reason = "tests")]

mod common;

use std::fs;

use common::Folder;
use quorate_store::file;

#[test]
fn a_file_that_is_not_there_is_none_and_a_folder_is_an_error() {
    let folder = Folder::new();
    assert!(file::read(folder.file("stock")).unwrap().is_none());
    assert!(file::read(folder.file("")).is_err());
    assert!(file::replace(folder.file("nowhere/stock"), b"new").is_err());
}

#[test]
fn errors_name_the_file() {
    let folder = Folder::new();
    let missing = file::read_existing(folder.file("identity")).unwrap_err();
    assert_eq!(missing.kind(), std::io::ErrorKind::NotFound);
    assert!(missing.to_string().contains("/identity: "), "{missing}");
    let nowhere = file::replace(folder.file("nowhere/stock"), b"new").unwrap_err();
    assert!(nowhere.to_string().contains("nowhere/stock: "), "{nowhere}");
    file::replace(folder.file("identity"), b"here").unwrap();
    assert_eq!(file::read_existing(folder.file("identity")).unwrap().as_slice(), b"here");
}

#[test]
fn file_is_locked_once_until_the_lock_is_dropped() {
    let folder = Folder::new();
    let lock = file::lock(folder.file("lock")).unwrap();
    let second = file::lock(folder.file("lock")).unwrap_err();
    assert_eq!(second.kind(), std::io::ErrorKind::WouldBlock);
    assert!(second.to_string().ends_with("stop that one first"), "{second}");
    drop(lock);
    drop(file::lock(folder.file("lock")).unwrap());
    assert!(file::lock(folder.file("nowhere/lock")).is_err());
}

#[test]
fn replaced_content_is_read_whole_and_nothing_else_is_left() {
    let folder = Folder::new();
    for content in [&[7; 10_000][..], b"short", b""] {
        file::replace(folder.file("stock"), content).unwrap();
        assert_eq!(file::read(folder.file("stock")).unwrap().unwrap().as_slice(), content);
    }
    let names = fs::read_dir(folder.file("")).unwrap().map(|entry| entry.unwrap().file_name());
    assert_eq!(names.collect::<Vec<_>>(), ["stock"]);
}

#[test]
fn what_a_crash_left_is_neither_read_nor_in_the_way() {
    let folder = Folder::new();
    file::replace(folder.file("stock"), b"old").unwrap();
    fs::write(folder.file("stock.new"), b"half of the").unwrap();
    assert_eq!(file::read(folder.file("stock")).unwrap().unwrap().as_slice(), b"old");
    file::replace(folder.file("stock"), b"new").unwrap();
    assert_eq!(file::read(folder.file("stock")).unwrap().unwrap().as_slice(), b"new");
    assert!(!folder.file("stock.new").exists());
}

#[cfg(unix)]
#[test]
fn a_file_is_for_its_owner_alone_and_is_not_read_if_others_may_read_it() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = Folder::new();
    let path = folder.file("seal.key");
    // What is left over, and may be read by all, does not become the file.
    fs::write(folder.file("seal.key.new"), b"").unwrap();
    file::replace(&path, b"secret").unwrap();
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    for (mode, allowed) in [(0o640, false), (0o601, false), (0o400, true)] {
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        let read = file::read(&path);
        assert_eq!(read.is_ok(), allowed);
        let text = read.map_or_else(|why| why.to_string(), |_| String::new());
        assert!(allowed || text.ends_with("expected rights for its owner alone: chmod 600 it"));
    }
}
