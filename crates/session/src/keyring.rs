//! Seal keys that can be replaced: the service that holds them, and the ring that seals and opens a store's rows.
//!
//! A [`KeyService`] is where an operator keeps seal keys: a file, the environment, the keyring of the operating system, a
//! cloud KMS. It gives keys by [id](SealKeyId) and names the current one. A [`Keyring`] seals every new row under the current
//! key and puts a stamp before it. The stamp names the key, so that rows under older keys still open.
//!
//! A wrong key under the right id, from another node or from a test, is refused as [`KeyringError::OtherKey`]. It is
//! never reported as a damaged row.
//!
//! # Example: keys in files that only their owner can read
//!
//! ```
//! use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
//! use std::{fs, io::Write, path::PathBuf, sync::Arc};
//! use getrandom::SysRng;
//! use quorate_session::SealKey;
//! use quorate_session::keyring::{KeyService, Keyring, SealKeyId, ServiceError};
//! use quorate_session::rand_core::UnwrapErr;
//! use quorate_session::zeroize::Zeroizing;
//!
//! /// Files `1.key`, `2.key` and so on, of 32 bytes each. The last one is current.
//! struct KeyFolder(PathBuf);
//!
//! impl KeyFolder {
//!     fn path(&self, id: SealKeyId) -> PathBuf { self.0.join(format!("{id}.key")) }
//!
//!     fn add(&self, id: SealKeyId, key: &SealKey) -> std::io::Result<()> {
//!         let mut file = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(self.path(id))?;
//!         file.write_all(key.to_secret_bytes().as_slice())?;
//!         file.sync_all()
//!     }
//! }
//!
//! impl KeyService for KeyFolder {
//!     fn current(&self) -> Result<SealKeyId, ServiceError> {
//!         let mut ids = Vec::new();
//!         for entry in fs::read_dir(&self.0)? {
//!             let name = entry?.file_name();
//!             ids.extend(name.to_str().and_then(|name| name.strip_suffix(".key")?.parse::<SealKeyId>().ok()));
//!         }
//!         ids.into_iter().max().ok_or_else(|| format!("no key in {}", self.0.display()).into())
//!     }
//!
//!     fn key(&self, id: SealKeyId) -> Result<Option<SealKey>, ServiceError> {
//!         let path = self.path(id);
//!         if !path.exists() { return Ok(None) }
//!         if path.metadata()?.permissions().mode() & 0o077 != 0 {
//!             return Err(format!("{}: others may read it, chmod 600 it", path.display()).into());
//!         }
//!         let bytes = Zeroizing::new(fs::read(&path)?);
//!         let bytes = bytes.as_slice().try_into().map_err(|_| "expected 32 bytes")?;
//!         Ok(Some(SealKey::new(bytes)))
//!     }
//! }
//!
//! # let folder = std::env::temp_dir().join(format!("quorate-keyring-{}", std::process::id()));
//! # fs::create_dir_all(&folder)?;
//! let keys = Arc::new(KeyFolder(folder.clone()));
//! keys.add(SealKeyId::FIRST, &SealKey::generate(&mut UnwrapErr(SysRng))?)?;
//! let ring = Keyring::open(keys.clone())?;
//! let mut row = ring.seal("a row", b"secret");
//!
//! // Another key. Each process opens its ring anew, and seals the rows that it has under the new key.
//! let second = ring.current_id().next().unwrap();
//! keys.add(second, &SealKey::generate(&mut UnwrapErr(SysRng))?)?;
//! let ring = Keyring::open(keys.clone())?;
//! assert_eq!(ring.current_id(), second);
//! if let Some(moved) = ring.reseal("a row", &row)? { row = moved }
//!
//! // No row begins with another stamp: the first key can be destroyed.
//! assert!(row.starts_with(&ring.stamp()));
//! fs::remove_file(keys.path(SealKeyId::FIRST))?;
//! assert_eq!(Keyring::open(keys)?.open_row("a row", &row)?.as_slice(), b"secret");
//! # fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A service with one key that is never replaced gives a [`SealKey`] itself, which is a `KeyService`. With a **KMS** the
//! folder holds keys that the KMS has wrapped, and `key` asks the KMS to unwrap one: the ring asks once for each key.
//!
//! # Rotation
//!
//! 1. Give the service another key, and let it name that key as current.
//! 2. Each process opens its ring anew. A process that has not yet done so keeps working: both read what the other writes.
//! 3. Seal every row that does not begin with the current [`stamp`](Keyring::stamp) anew, in small transactions, while the
//!    processes work. For rows of a runner use `quorate_runner::Stored::reseal`, with [`key_of`](Keyring::key_of) and
//!    [`stamped`](Keyring::stamped). A job that is killed continues with the rows that are left.
//! 4. When every row and every process is on the current key, destroy the older one.
//!
//! A backup that is older than the rotation opens as long as somebody has the older key. This is one reason to destroy the
//! key: then nobody can open such a backup.
//!
//! # Format
//!
//! | bytes | content |
//! |---|---|
//! | 3 | `QSK` |
//! | 1 | version, 2 |
//! | 4 | id of the key, big-endian |
//! | 8 | fingerprint of the key |
//! | rest | what the key sealed |
//!
//! A row without a stamp was sealed before there was a ring. It opens under [`SealKeyId::FIRST`], and a wrong key shows only as
//! [`SealError::Unauthentic`](crate::SealError::Unauthentic). Rows that were stamped under version 1, which had no fingerprint, are refused.

mod error;
mod id;
mod stamp;

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cell::RefCell;
use core::fmt;

use zeroize::Zeroizing;

pub use self::error::{KeyringError, ServiceError};
pub use self::id::{Fingerprint, InvalidId, SealKeyId};
use self::stamp::Stamp;
use crate::SealKey;

/// The place where seal keys are kept. Its methods block.
pub trait KeyService: Send + Sync {
    /// The id of the key under which everything new is sealed. A service that is polled for a new key is asked often.
    ///
    /// # Errors
    /// If the service cannot be reached, or has no key.
    fn current(&self) -> Result<SealKeyId, ServiceError>;

    /// The key with this id, or nothing if there is none or it was destroyed.
    ///
    /// # Errors
    /// If the service cannot be reached, or the key cannot be read. An error is not "destroyed": it may pass.
    fn key(&self, id: SealKeyId) -> Result<Option<SealKey>, ServiceError>;
}

/// A service with one key, which is never replaced.
impl KeyService for SealKey {
    fn current(&self) -> Result<SealKeyId, ServiceError> {
        Ok(SealKeyId::FIRST)
    }

    fn key(&self, id: SealKeyId) -> Result<Option<SealKey>, ServiceError> {
        Ok((id == SealKeyId::FIRST).then(|| Self::new(*self.to_secret_bytes())))
    }
}

/// A key and its fingerprint.
#[derive(Clone)]
struct Held {
    key: Arc<SealKey>,
    fingerprint: Fingerprint,
}

/// The seal keys of a store: the one that was current when the ring was opened, and older ones as rows need them.
///
/// Keys stay in memory until the ring is dropped. A ring can be sent to another thread; share it between threads behind a
/// lock, or open one for each.
pub struct Keyring {
    service: Arc<dyn KeyService>,
    id: SealKeyId,
    current: Held,
    older: RefCell<BTreeMap<SealKeyId, Held>>,
}

impl Keyring {
    /// Asks the service for the current key.
    ///
    /// # Errors
    /// [`KeyringError::Service`], or [`KeyringError::Missing`] if the service does not have the key that it names.
    pub fn open(service: Arc<dyn KeyService>) -> Result<Self, KeyringError> {
        let id = service.current().map_err(KeyringError::Service)?;
        let current = fetch(&*service, id)?;
        Ok(Self { service, id, current, older: RefCell::default() })
    }

    /// The id of the current key.
    #[must_use]
    pub const fn current_id(&self) -> SealKeyId {
        self.id
    }

    /// The current key: for a runner, and for types that seal themselves.
    #[must_use]
    pub const fn current(&self) -> &Arc<SealKey> {
        &self.current.key
    }

    /// Returns whether the service names another key than this ring's as current. Then open a ring anew.
    ///
    /// # Errors
    /// [`KeyringError::Service`]. This ring still works.
    pub fn is_superseded(&self) -> Result<bool, KeyringError> {
        Ok(self.service.current().map_err(KeyringError::Service)? != self.id)
    }

    /// The first bytes of every row that is sealed under the current key.
    #[must_use]
    pub fn stamp(&self) -> [u8; Self::STAMP] {
        Stamp { id: self.id, fingerprint: self.current.fingerprint }.to_bytes()
    }

    /// The length of a stamp in bytes.
    pub const STAMP: usize = Stamp::LENGTH;

    /// Puts the stamp before bytes that the [current](Self::current) key has sealed.
    #[must_use]
    pub fn stamped(&self, sealed: &[u8]) -> Vec<u8> {
        [self.stamp().as_slice(), sealed].concat()
    }

    /// The key of a row, and what it sealed, without the stamp. Nothing is decrypted.
    ///
    /// A row without a stamp does not show whether the service has the right first key. So that key is asked for at every
    /// such row, until another row has shown it to be right.
    ///
    /// # Errors
    /// [`KeyringError::Missing`], [`KeyringError::OtherKey`], [`KeyringError::Version`] or [`KeyringError::Service`].
    pub fn key_of<'s>(&self, row: &'s [u8]) -> Result<(Arc<SealKey>, &'s [u8]), KeyringError> {
        let (_, held, sealed) = self.find(row)?;
        Ok((held.key, sealed))
    }

    /// Seals bytes for one purpose under the current key, behind its stamp.
    ///
    /// Equal contents give equal results, for one purpose and under one key.
    #[must_use]
    pub fn seal(&self, purpose: &'static str, plaintext: &[u8]) -> Vec<u8> {
        self.stamped(&self.current.key.seal_bytes(purpose, plaintext))
    }

    /// Opens what [`seal`](Self::seal) gave, under whichever key.
    ///
    /// # Errors
    /// As of [`key_of`](Self::key_of), and [`KeyringError::Seal`] if the row is damaged or was sealed for another purpose.
    pub fn open_row(
        &self,
        purpose: &'static str,
        row: &[u8],
    ) -> Result<Zeroizing<Vec<u8>>, KeyringError> {
        let (id, held, sealed) = self.find(row)?;
        let opened = held.key.open_bytes(purpose, sealed).map_err(KeyringError::Seal)?;
        self.remember(id, &held);
        Ok(opened)
    }

    /// Moves what [`seal`](Self::seal) gave under the current key. `None` if it is under that key already, or under a newer one.
    ///
    /// So a process that has not opened its ring anew does not move rows to a key that is about to be destroyed, nor does one
    /// whose service was restored to before the rotation.
    ///
    /// # Errors
    /// As of [`open_row`](Self::open_row).
    pub fn reseal(
        &self,
        purpose: &'static str,
        row: &[u8],
    ) -> Result<Option<Vec<u8>>, KeyringError> {
        let newer = Stamp::read(row)?.0.is_some_and(|stamp| stamp.id > self.id);
        if newer || row.starts_with(&self.stamp()) {
            return Ok(None);
        }
        Ok(Some(self.seal(purpose, &self.open_row(purpose, row)?)))
    }

    /// The key that a row names, and what it sealed.
    fn find<'s>(&self, row: &'s [u8]) -> Result<(SealKeyId, Held, &'s [u8]), KeyringError> {
        let (stamp, sealed) = Stamp::read(row)?;
        let id = stamp.map_or(SealKeyId::FIRST, |stamp| stamp.id);
        let held = self.held(id)?;
        if let Some(Stamp { fingerprint: expected, .. }) = stamp {
            if expected != held.fingerprint {
                return Err(KeyringError::OtherKey { id, expected, got: held.fingerprint });
            }
            self.remember(id, &held);
        }
        Ok((id, held, sealed))
    }

    /// Keeps an older key, which a row has shown to be the right one.
    fn remember(&self, id: SealKeyId, held: &Held) {
        if id != self.id {
            self.older.borrow_mut().insert(id, held.clone());
        }
    }

    fn held(&self, id: SealKeyId) -> Result<Held, KeyringError> {
        if id == self.id {
            return Ok(self.current.clone());
        }
        let known = self.older.borrow().get(&id).cloned();
        known.map_or_else(|| fetch(&*self.service, id), Ok)
    }
}

impl fmt::Debug for Keyring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Keyring(current: {})", self.id)
    }
}

fn fetch(service: &dyn KeyService, id: SealKeyId) -> Result<Held, KeyringError> {
    let key = service.key(id).map_err(KeyringError::Service)?;
    let key = Arc::new(key.ok_or(KeyringError::Missing(id))?);
    Ok(Held { fingerprint: key.fingerprint(), key })
}
