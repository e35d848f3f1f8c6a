//! Secrets on disk: encrypted under a key that Argon2id makes of a passphrase.
//!
//! An encrypted file is
//!
//! ```text
//! "QUORATEW" ‖ memory in KiB (4) ‖ passes (1) ‖ lanes (1) ‖ salt (16) ‖ sealed
//! ```
//!
//! and `sealed` is XChaCha20-Poly1305 by [`SealKey`], over the file's name and its content. All files of a wallet have one
//! salt, so that a command computes the key once; each can still be opened by itself.
//!
//! A file that does not begin like this is in clear. A wallet has either kind and never both: an attacker who can write into
//! the folder must not pass off another secret as one of the wallet's.

use core::cell::{Cell, OnceCell, RefCell};
use std::path::Path;

use quorate::SealKey;
use quorate::session::passphrase::{Argon2id, PassphraseError};
use quorate::session::wire::{Reader, narrow};
use quorate::session::zeroize::Zeroizing;
use quorate_examples::{Failure, Result, bail};

use super::passphrase::{Passphrase, Source};

const MAGIC: &[u8; 8] = b"QUORATEW";
const DOMAIN: &str = "wallet: secret file";

/// The beginning of an encrypted file.
pub(crate) fn header(argon2id: Argon2id) -> Vec<u8> {
    [MAGIC.as_slice(), &argon2id.to_bytes()].concat()
}

/// The parameters of an encrypted file and what they seal; `None` if the file is in clear.
pub(crate) fn split(bytes: &[u8]) -> Result<Option<(Argon2id, &[u8])>, PassphraseError> {
    let Some(rest) = bytes.strip_prefix(MAGIC) else { return Ok(None) };
    let mut reader = Reader::new(rest);
    let argon2id = Argon2id::read(&mut reader)?;
    Ok(Some((argon2id, reader.bytes(reader.remaining())?)))
}

/// The kind of a wallet's secret files.
#[derive(Clone, Copy, Default)]
enum Kind {
    /// Not known before the first file is opened.
    #[default]
    Unknown,
    Clear,
    /// Encrypted. New files are, with these parameters.
    Encrypted(Argon2id),
}

/// Opens and closes the secret files of one wallet.
#[derive(Default)]
pub struct Vault {
    source: Source,
    passphrase: OnceCell<Passphrase>,
    kind: Cell<Kind>,
    /// The key that was made last, and its parameters.
    key: RefCell<Option<(Argon2id, SealKey)>>,
}

impl Vault {
    /// The vault of a wallet that is there. The passphrase is asked for when it is needed.
    #[must_use]
    pub fn of_wallet(source: Source) -> Self {
        Self { source, ..Self::default() }
    }

    /// The vault of a new wallet.
    #[must_use]
    pub fn encrypted(passphrase: Passphrase, argon2id: Argon2id) -> Self {
        let kind = Cell::new(Kind::Encrypted(argon2id));
        Self { passphrase: passphrase.into(), kind, ..Self::default() }
    }

    /// The vault of a wallet whose secrets are in clear.
    #[must_use]
    pub fn plaintext() -> Self {
        Self { kind: Cell::new(Kind::Clear), ..Self::default() }
    }

    /// The bytes for the file of this name, with this content.
    pub fn close(&self, name: &str, content: &[u8]) -> Result<Vec<u8>> {
        match self.kind.get() {
            Kind::Unknown => bail!("whether this wallet is encrypted is not known"),
            Kind::Clear => Ok(content.to_vec()),
            Kind::Encrypted(argon2id) => {
                let length = narrow::<u32>(name.len())?.to_be_bytes();
                let named = Zeroizing::new([&length, name.as_bytes(), content].concat());
                let sealed = self.with_key(argon2id, |key| key.seal_bytes(DOMAIN, &named))?;
                Ok([header(argon2id), sealed].concat())
            }
        }
    }

    /// The content of a file that was closed under `name`, wherever it is now.
    pub fn open(&self, name: &str, path: &Path, bytes: &[u8]) -> Result<Zeroizing<Vec<u8>>> {
        let found = split(bytes).map_err(Failure::about(path, "is damaged"))?;
        let is = match (self.kind.get(), &found) {
            (Kind::Clear, Some(_)) => Some("is"),
            (Kind::Encrypted(_), None) => Some("is not"),
            _ => None,
        };
        if let Some(is) = is {
            let unlike =
                "encrypted, unlike the other secrets of this wallet: it is not one of them";
            return Err(Failure::at(path, format_args!("{is} {unlike}")));
        }
        let Some((argon2id, sealed)) = found else {
            self.kind.set(Kind::Clear);
            return Ok(Zeroizing::new(bytes.to_vec()));
        };
        let opened = self.with_key(argon2id, |key| key.open_bytes(DOMAIN, sealed))?;
        let named = opened.map_err(|_| {
            Failure::at(path, "does not open: the passphrase is wrong, or it is damaged")
        })?;
        self.kind.set(Kind::Encrypted(argon2id));
        let content = unnamed(name, &named);
        content.ok_or_else(|| Failure::at(path, "was another file when it was closed"))
    }

    fn with_key<T>(&self, argon2id: Argon2id, work: impl FnOnce(&SealKey) -> T) -> Result<T> {
        let mut known = self.key.borrow_mut();
        let (_, key) = match known.take() {
            Some((of, key)) if of == argon2id => known.insert((of, key)),
            _ => known.insert((argon2id, argon2id.key(self.passphrase()?.as_bytes())?)),
        };
        Ok(work(key))
    }

    fn passphrase(&self) -> Result<&Passphrase> {
        if let Some(passphrase) = self.passphrase.get() {
            return Ok(passphrase);
        }
        let passphrase = self.source.known()?;
        Ok(self.passphrase.get_or_init(|| passphrase))
    }
}

/// The content of a file, behind the length of its name (4) and the name.
fn unnamed(name: &str, named: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
    let (length, rest) = named.split_first_chunk()?;
    let (found, content) = rest.split_at_checked(u32::from_be_bytes(*length).try_into().ok()?)?;
    (found == name.as_bytes()).then(|| Zeroizing::new(content.to_vec()))
}
