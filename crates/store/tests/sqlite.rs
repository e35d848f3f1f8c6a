//! A store in a file keeps the contract, alone and with what was spent apart.
#![cfg(feature = "sqlite")]
#![allow(missing_docs, clippy::unwrap_used, reason = "tests")]

mod common;

use core::cell::RefCell;

use common::Folder;
use quorate_runner::testing::{conformance, conformance_at_once};
use quorate_store::SqliteStore;

#[test]
fn a_store_in_memory_keeps_the_contract() {
    conformance(|| SqliteStore::in_memory().unwrap(), |store| store).unwrap();
}

#[test]
fn a_store_of_any_database_keeps_the_contract() {
    conformance(|| SqliteStore::in_memory().unwrap().into_any(), |store| store).unwrap();
}

#[test]
fn a_file_that_is_reopened_between_calls_keeps_the_contract() {
    let folder = RefCell::new(Folder::new());
    let make = || {
        folder.replace(Folder::new());
        SqliteStore::open(folder.borrow().file("node.db")).unwrap()
    };
    let reopen = |store| {
        drop(store);
        SqliteStore::open(folder.borrow().file("node.db")).unwrap()
    };
    conformance(make, reopen).unwrap();
}

#[test]
fn two_files_that_are_reopened_between_calls_keep_the_contract() {
    let folder = RefCell::new(Folder::new());
    let make = || {
        folder.replace(Folder::new());
        folder.borrow().pair().unwrap()
    };
    let reopen = |store| {
        drop(store);
        folder.borrow().pair().unwrap()
    };
    conformance(make, reopen).unwrap();
}

#[test]
fn handles_of_one_file_at_once_keep_the_contract() {
    let mut folders = Vec::new();
    conformance_at_once(|| {
        folders.push(Folder::new());
        let path = folders.last().unwrap().file("node.db");
        move || SqliteStore::open(&path).unwrap()
    })
    .unwrap();
}

#[test]
fn handles_of_two_files_at_once_keep_the_contract() {
    let mut folders = Vec::new();
    conformance_at_once(|| {
        folders.push(Folder::new());
        let folder = folders.last().unwrap();
        let (runs, spent) = (folder.file("node.db"), folder.file("spent.db"));
        move || SqliteStore::options().spent(&spent).open(&runs).unwrap()
    })
    .unwrap();
}
