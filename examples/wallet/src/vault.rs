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

use argon2::{Algorithm, Argon2, Block, Params, Version};
use getrandom::SysRng;
use quorate::SealKey;
use quorate::session::rand_core::{Rng, UnwrapErr};
use quorate::session::wire::{Reader, narrow};
use quorate::session::zeroize::Zeroizing;
use quorate_examples::{Failure, Result, bail, failure};

use super::passphrase::{Passphrase, Source};

const MAGIC: &[u8; 8] = b"QUORATEW";
const DOMAIN: &str = "wallet: secret file";

/// Most memory that a file may ask for, in KiB: 1 GiB.
const MOST_MEMORY: u32 = 1 << 20;
/// Most passes and lanes.
const MOST_WORK: u8 = 16;

/// The parameters that turn a passphrase into a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kdf {
    memory: u32,
    passes: u8,
    lanes: u8,
    salt: [u8; 16],
}

impl Kdf {
    /// The second choice of RFC 9106, section 4, for machines with little memory: 64 MiB, three passes, four lanes; and a fresh
    /// salt.
    #[must_use]
    pub fn fresh() -> Self {
        let mut salt = [0; 16];
        UnwrapErr(SysRng).fill_bytes(&mut salt);
        Self { memory: 64 << 10, passes: 3, lanes: 4, salt }
    }

    /// The first bytes of the file.
    #[must_use]
    pub fn header(&self) -> Vec<u8> {
        let memory = self.memory.to_be_bytes();
        [MAGIC.as_slice(), &memory, &[self.passes, self.lanes], &self.salt].concat()
    }

    /// Reads the beginning of a file; `None` if it is not encrypted. The error says that it asks for an unreasonable amount of
    /// work, or is cut off.
    pub fn split(bytes: &[u8]) -> Result<Option<(Self, &[u8])>, &'static str> {
        let Some(rest) = bytes.strip_prefix(MAGIC) else { return Ok(None) };
        let mut reader = Reader::new(rest);
        let mut read = || {
            let (memory, passes) = (reader.u32().ok()?, reader.u8().ok()?);
            Some(Self { memory, passes, lanes: reader.u8().ok()?, salt: reader.array().ok()? })
        };
        let kdf = read().ok_or("it is cut off")?;
        let work = 1..=MOST_WORK;
        let fits =
            kdf.memory <= MOST_MEMORY && work.contains(&kdf.passes) && work.contains(&kdf.lanes);
        let sealed = reader.bytes(reader.remaining()).unwrap_or_default();
        if fits { Ok(Some((kdf, sealed))) } else { Err("it asks for more than 1 GiB or 16 passes") }
    }

    /// Argon2id, version 1.3. The memory is wiped.
    fn key(&self, passphrase: &Passphrase) -> Result<SealKey> {
        let (passes, lanes) = (self.passes.into(), self.lanes.into());
        let failed = |error| failure!("Argon2id: {error}");
        let params = Params::new(self.memory, passes, lanes, Some(32)).map_err(failed)?;
        let mut memory = Zeroizing::new(vec![Block::default(); params.block_count()]);
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        let (text, memory) = (passphrase.as_bytes(), memory.as_mut_slice());
        let mut key = Zeroizing::new([0; 32]);
        argon2
            .hash_password_into_with_memory(text, &self.salt, key.as_mut_slice(), memory)
            .map_err(failed)?;
        Ok(SealKey::new(*key))
    }
}

/// The kind of a wallet's secret files.
#[derive(Clone, Copy, Default)]
enum Kind {
    /// Not known before the first file is opened.
    #[default]
    Unknown,
    Clear,
    /// Encrypted. New files are, with these parameters.
    Encrypted(Kdf),
}

/// Opens and closes the secret files of one wallet.
#[derive(Default)]
pub struct Vault {
    source: Source,
    passphrase: OnceCell<Passphrase>,
    kind: Cell<Kind>,
    /// The key that was made last, and its parameters.
    key: RefCell<Option<(Kdf, SealKey)>>,
}

impl Vault {
    /// The vault of a wallet that is there. The passphrase is asked for when it is needed.
    #[must_use]
    pub fn of_wallet(source: Source) -> Self {
        Self { source, ..Self::default() }
    }

    /// The vault of a new wallet.
    #[must_use]
    pub fn encrypted(passphrase: Passphrase, kdf: Kdf) -> Self {
        let kind = Cell::new(Kind::Encrypted(kdf));
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
            Kind::Encrypted(kdf) => {
                let length = narrow::<u32>(name.len())?.to_be_bytes();
                let named = Zeroizing::new([&length, name.as_bytes(), content].concat());
                let sealed = self.with_key(kdf, |key| key.seal_bytes(DOMAIN, &named))?;
                Ok([kdf.header(), sealed].concat())
            }
        }
    }

    /// The content of a file that was closed under `name`, wherever it is now.
    pub fn open(&self, name: &str, path: &Path, bytes: &[u8]) -> Result<Zeroizing<Vec<u8>>> {
        let found = Kdf::split(bytes).map_err(Failure::about(path, "is damaged"))?;
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
        let Some((kdf, sealed)) = found else {
            self.kind.set(Kind::Clear);
            return Ok(Zeroizing::new(bytes.to_vec()));
        };
        let opened = self.with_key(kdf, |key| key.open_bytes(DOMAIN, sealed))?;
        let named = opened.map_err(|_| {
            Failure::at(path, "does not open: the passphrase is wrong, or it is damaged")
        })?;
        self.kind.set(Kind::Encrypted(kdf));
        let content = unnamed(name, &named);
        content.ok_or_else(|| Failure::at(path, "was another file when it was closed"))
    }

    fn with_key<T>(&self, kdf: Kdf, work: impl FnOnce(&SealKey) -> T) -> Result<T> {
        let mut known = self.key.borrow_mut();
        let (_, key) = match known.take() {
            Some((of, key)) if of == kdf => known.insert((of, key)),
            _ => known.insert((kdf, kdf.key(self.passphrase()?)?)),
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
