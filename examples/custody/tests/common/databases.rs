//! The databases of a test: of each kind that there is.
#![allow(dead_code, reason = "not every test uses all of it")]

use core::cell::RefCell;
use std::path::PathBuf;

use quorate_custody::sql::{Address, Settings};
use quorate_custody::store::Runs;

use crate::postgres;

/// A kind of database, and a folder that is deleted at the end.
pub(crate) struct Databases {
    folder: PathBuf,
    server: bool,
    made: RefCell<Vec<(String, Address)>>,
}

impl Databases {
    /// Does a test on each kind that there is.
    pub(crate) fn each(test: impl Fn(&Self)) {
        test(&Self::new(false));
        if postgres::database().is_some() {
            test(&Self::new(true));
        }
    }

    pub(crate) fn new(server: bool) -> Self {
        let name = quorate_examples::files::fresh_name("quorate-store-");
        let folder = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        Self { folder, server, made: RefCell::default() }
    }

    /// The database of this name.
    pub(crate) fn address(&self, name: &str) -> Address {
        if !self.server {
            return Address::Sqlite(self.folder.join(name));
        }
        let mut made = self.made.borrow_mut();
        if let Some((_, address)) = made.iter().find(|(known, _)| known == name) {
            return address.clone();
        }
        let address = postgres::database().unwrap();
        made.push((name.to_owned(), address.clone()));
        address
    }

    /// The two databases of this number.
    pub(crate) fn both(&self, number: usize) -> (Address, Address) {
        (self.address(&format!("runs-{number}")), self.address(&format!("ledger-{number}")))
    }

    pub(crate) fn open(&self, number: usize) -> Runs {
        let (runs, ledger) = self.both(number);
        Runs::open(&runs, &ledger, Settings::default()).unwrap()
    }
}

impl Drop for Databases {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.folder).ok();
    }
}
