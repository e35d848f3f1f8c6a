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

use core::cell::RefCell;
use std::path::Path;
use std::rc::Rc;

use quorate::SealKey;
use quorate::session::passphrase::{Argon2id, PassphraseError};
use quorate::session::wire::{Reader, narrow};
use quorate::session::zeroize::Zeroizing;
use quorate_examples::{Failure, Result, bail};

use super::passphrase::Source;

const MAGIC: &[u8; 8] = b"QUORATEW";
const DOMAIN: &str = "wallet: secret file";

/// The beginning of an encrypted file.
fn header(argon2id: Argon2id) -> Vec<u8> {
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
#[derive(Clone, Default)]
enum Kind {
    /// Not known before the first file is opened.
    #[default]
    Unknown,
    Clear,
    /// Encrypted under this key. New files are, too.
    Encrypted(Argon2id, Rc<SealKey>),
}

/// Opens and closes the secret files of one wallet.
#[derive(Default)]
pub struct Vault {
    source: Source,
    kind: RefCell<Kind>,
}

impl Vault {
    /// The vault of a wallet that is there. The passphrase is asked for when it is needed.
    #[must_use]
    pub fn of_wallet(source: Source) -> Self {
        Self { source, ..Self::default() }
    }

    /// The vault of a new wallet.
    pub fn encrypted(source: Source, passphrase: &[u8], argon2id: Argon2id) -> Result<Self> {
        let kind = Kind::Encrypted(argon2id, argon2id.key(passphrase)?.into());
        Ok(Self { source, kind: kind.into() })
    }

    /// The vault of a wallet whose secrets are in clear.
    #[must_use]
    pub fn plaintext() -> Self {
        Self { kind: Kind::Clear.into(), ..Self::default() }
    }

    /// The beginning of each encrypted file; empty if secrets are in clear.
    pub(crate) fn header(&self) -> Vec<u8> {
        match &*self.kind.borrow() {
            Kind::Encrypted(argon2id, _) => header(*argon2id),
            Kind::Clear | Kind::Unknown => Vec::new(),
        }
    }

    /// The bytes for the file of this name, with this content.
    pub fn close(&self, name: &str, content: &[u8]) -> Result<Vec<u8>> {
        match &*self.kind.borrow() {
            Kind::Unknown => bail!("whether this wallet is encrypted is not known"),
            Kind::Clear => Ok(content.to_vec()),
            Kind::Encrypted(argon2id, key) => {
                let length = narrow::<u32>(name.len())?.to_be_bytes();
                let named = Zeroizing::new([&length, name.as_bytes(), content].concat());
                Ok([header(*argon2id), key.seal_bytes(DOMAIN, &named)].concat())
            }
        }
    }

    /// The content of a file that was closed under `name`, wherever it is now.
    pub fn open(&self, name: &str, path: &Path, bytes: &[u8]) -> Result<Zeroizing<Vec<u8>>> {
        let other = "encrypted, unlike the other secrets of this wallet: it is not one of them";
        let unlike = |is| Err(Failure::at(path, format_args!("{is} {other}")));
        let found = split(bytes).map_err(Failure::about(path, "is damaged"))?;
        let kind = self.kind.borrow().clone();
        let (argon2id, sealed) = match (&kind, found) {
            (Kind::Clear, Some(_)) => return unlike("is"),
            (Kind::Encrypted(..), None) => return unlike("is not"),
            (_, Some(found)) => found,
            (_, None) => {
                self.kind.replace(Kind::Clear);
                return Ok(Zeroizing::new(bytes.to_vec()));
            }
        };
        let key = match kind {
            Kind::Encrypted(of, key) if of == argon2id => key,
            _ => Rc::new(argon2id.key(&self.source.known()?)?),
        };
        let named = key.open_bytes(DOMAIN, sealed).map_err(|_| {
            Failure::at(path, "does not open: the passphrase is wrong, or it is damaged")
        })?;
        // Only now: the file could be somebody else's, whose parameters make the passphrase cheap to guess.
        self.kind.replace(Kind::Encrypted(argon2id, key));
        let content = unnamed(name, &named);
        content.ok_or_else(|| Failure::at(path, "was another file when it was closed"))
    }
}

/// The content of a file, behind the length of its name (4) and the name.
fn unnamed(name: &str, named: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
    let (length, rest) = named.split_first_chunk()?;
    let (found, content) = rest.split_at_checked(u32::from_be_bytes(*length).try_into().ok()?)?;
    (found == name.as_bytes()).then(|| Zeroizing::new(content.to_vec()))
}
