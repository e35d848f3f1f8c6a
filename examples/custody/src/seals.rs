//! The keys that seal a node's database, by number, and the stamp that says which of them has sealed a row.
//!
//! What is stored is `"QSK" ‖ version (1) ‖ number of the key (4) ‖ sealed bytes`. A row without a stamp was written before
//! there were stamps, under the [first](FIRST) key. A node seals under the current key and opens under each that its
//! [`SealKeys`] still gives; so the current key may change at any time, and [`reseal`](crate::reseal) moves what is stored.

use core::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use quorate::SealKey;
use quorate::session::zeroize::Zeroizing;
use quorate_examples::failure::Failure;

/// The number of the first key, which has sealed what has no stamp.
pub const FIRST: u32 = 1;

/// The first bytes of a stamp: its name and version.
const STAMP: &[u8; 4] = b"QSK\x01";
/// The bytes of a stamp.
const LENGTH: usize = 8;

/// Where the keys of a node come from: a key service, or [files](crate::keyfile::KeyFiles).
pub trait SealKeys: Send + Sync {
    /// The number of the key under which everything new is sealed, at least [`FIRST`]. It is asked for about once a second.
    ///
    /// # Errors
    /// A [`Failure`] if there is none, or it cannot be said.
    fn current(&self) -> Result<u32, Failure>;

    /// The key of a number; nothing if there is none, or it was destroyed.
    ///
    /// # Errors
    /// A [`Failure`] if it cannot be said.
    fn key(&self, number: u32) -> Result<Option<SealKey>, Failure>;
}

/// One key, for ever.
impl SealKeys for SealKey {
    fn current(&self) -> Result<u32, Failure> {
        Ok(FIRST)
    }

    fn key(&self, number: u32) -> Result<Option<SealKey>, Failure> {
        Ok((number == FIRST).then(|| Self::new(*self.to_secret_bytes())))
    }
}

/// The keys of a node, with the one that was current when this was made.
#[derive(Clone)]
pub struct Seals {
    keys: Arc<dyn SealKeys>,
    number: u32,
    key: Arc<SealKey>,
    /// Others that were needed.
    others: Rc<RefCell<BTreeMap<u32, Arc<SealKey>>>>,
}

impl core::fmt::Debug for Seals {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "Seals({})", self.number)
    }
}

impl Seals {
    /// The keys, with the one that is current now.
    ///
    /// # Errors
    /// A [`Failure`] of the hook, or if it has no current key.
    pub fn new(keys: &Arc<dyn SealKeys>) -> Result<Self, Failure> {
        let number = keys.current()?;
        let key = keys.key(number)?.ok_or_else(|| missing(number))?;
        Ok(Self { keys: Arc::clone(keys), number, key: Arc::new(key), others: Rc::default() })
    }

    /// The number of the current key.
    #[must_use]
    pub const fn number(&self) -> u32 {
        self.number
    }

    /// The current key.
    #[must_use]
    pub const fn key(&self) -> &Arc<SealKey> {
        &self.key
    }

    /// The stamp of what is sealed under the current key.
    #[must_use]
    pub fn mark(&self) -> [u8; LENGTH] {
        let mut stamp = [0; LENGTH];
        let bytes = STAMP.iter().copied().chain(self.number.to_be_bytes());
        stamp.iter_mut().zip(bytes).for_each(|(to, from)| *to = from);
        stamp
    }

    /// Puts the stamp before what is sealed under the current key.
    #[must_use]
    pub fn stamp(&self, sealed: &[u8]) -> Vec<u8> {
        [self.mark().as_slice(), sealed].concat()
    }

    /// The key of a row, and what is sealed under it.
    ///
    /// # Errors
    /// A [`Failure`] that names the key if the node does not have it.
    pub fn split<'s>(&self, stored: &'s [u8]) -> Result<(Arc<SealKey>, &'s [u8]), Failure> {
        let (number, sealed) = numbered(stored);
        if number == self.number {
            return Ok((Arc::clone(&self.key), sealed));
        }
        if let Some(key) = self.others.borrow().get(&number) {
            return Ok((Arc::clone(key), sealed));
        }
        let key = Arc::new(self.keys.key(number)?.ok_or_else(|| missing(number))?);
        self.others.borrow_mut().insert(number, Arc::clone(&key));
        Ok((key, sealed))
    }

    /// Seals bytes for one purpose, with the stamp.
    #[must_use]
    pub fn seal(&self, purpose: &'static str, bytes: &[u8]) -> Vec<u8> {
        self.stamp(&self.key.seal_bytes(purpose, bytes))
    }

    /// Opens what [`seal`](Self::seal) gave, under whichever key.
    ///
    /// # Errors
    /// A [`Failure`] that names the key if the node does not have it, or says why the bytes do not open.
    pub fn open(
        &self,
        purpose: &'static str,
        stored: &[u8],
    ) -> Result<Zeroizing<Vec<u8>>, Failure> {
        let (key, sealed) = self.split(stored)?;
        Ok(key.open_bytes(purpose, sealed)?)
    }
}

/// The number of the key of a row, and what is sealed.
fn numbered(stored: &[u8]) -> (u32, &[u8]) {
    let stamped = stored.strip_prefix(STAMP).and_then(<[u8]>::split_first_chunk::<4>);
    stamped.map_or((FIRST, stored), |(number, sealed)| (u32::from_be_bytes(*number), sealed))
}

fn missing(number: u32) -> Failure {
    Failure::new(format!("sealed under key {number}, which this node does not have"))
}
