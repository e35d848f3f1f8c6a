//! The data files: records of `name = value` lines, separated by empty lines; `#` starts a
//! comment.

use core::convert::Infallible;
use std::collections::{BTreeMap, VecDeque};

use quorate::PartyId;
pub(crate) use quorate_testkit::lockstep::id;
pub(crate) use quorate_testkit::{hex, unhex};
use rand_core::{TryCryptoRng, TryRng};

pub(crate) struct Record<'a>(BTreeMap<&'a str, &'a str>);

pub(crate) fn records(text: &str) -> Vec<Record<'_>> {
    let mut records = vec![Record(BTreeMap::new())];
    for line in text.lines().map(str::trim) {
        if line.is_empty() {
            records.push(Record(BTreeMap::new()));
        } else if !line.starts_with('#') {
            let (name, value) = line.split_once('=').expect("name = value");
            let fields = &mut records.last_mut().unwrap().0;
            assert!(fields.insert(name.trim(), value.trim()).is_none(), "{name} occurs twice");
        }
    }
    records.retain(|record| !record.0.is_empty());
    records
}

impl<'a> Record<'a> {
    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    pub(crate) fn text(&self, name: &str) -> &'a str {
        self.0.get(name).unwrap_or_else(|| panic!("no {name}"))
    }

    pub(crate) fn bytes(&self, name: &str) -> Vec<u8> {
        unhex(self.text(name))
    }

    pub(crate) fn array<const N: usize>(&self, name: &str) -> [u8; N] {
        self.bytes(name).try_into().unwrap()
    }

    pub(crate) fn number(&self, name: &str) -> u16 {
        self.text(name).parse().unwrap()
    }

    pub(crate) fn id(&self) -> PartyId {
        id(self.number("identifier"))
    }
}

/// A "generator" that hands out the bytes of a test vector.
pub(crate) struct Fixed(VecDeque<u8>);

impl Fixed {
    pub(crate) fn new(bytes: &[u8]) -> Self {
        Self(bytes.iter().copied().collect())
    }

    /// All has been used.
    pub(crate) fn finish(self) {
        assert!(self.0.is_empty(), "{} bytes left", self.0.len());
    }
}

impl TryRng for Fixed {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        panic!("only bytes are drawn")
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        panic!("only bytes are drawn")
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        bytes.iter_mut().for_each(|byte| *byte = self.0.pop_front().expect("more bytes"));
        Ok(())
    }
}

impl TryCryptoRng for Fixed {}
