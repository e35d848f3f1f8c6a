//! Secrets on disk: encrypted under a key that Argon2id makes of a passphrase.
//!
//! An encrypted file is
//!
//! ```text
//! "QUORATEW" ‖ memory in KiB (4) ‖ passes (1) ‖ lanes (1) ‖ salt (16) ‖ sealed
//! ```
//!
//! and `sealed` is XChaCha20-Poly1305 by [`SealKey`], over the file's name and its content. All
//! files of a wallet have one salt, so that a command works out the key once; each opens by itself
//! all the same.
//!
//! A file that does not begin like this is in clear. A wallet has either kind and never both: who
//! can write into the folder must not pass off a secret of theirs as one of the wallet's.

use core::cell::{Cell, OnceCell, RefCell};
use std::path::Path;

use argon2::{Algorithm, Argon2, Block, Params, Version};
use getrandom::SysRng;
use quorate::SealKey;
use quorate::session::rand_core::{Rng, UnwrapErr};
use quorate::session::zeroize::Zeroizing;
use quorate_examples::failure::Failure;

use crate::passphrase::{Passphrase, Source};

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
    /// The second choice of RFC 9106, section 4, for machines with little memory: 64 MiB, three
    /// passes, four lanes; and a fresh salt.
    #[must_use]
    pub fn fresh() -> Self {
        let mut salt = [0; 16];
        UnwrapErr(SysRng).fill_bytes(&mut salt);
        Self { memory: 64 << 10, passes: 3, lanes: 4, salt }
    }

    /// The first bytes of the file.
    #[must_use]
    pub fn header(&self) -> Vec<u8> {
        let mut header = MAGIC.to_vec();
        header.extend(self.memory.to_be_bytes());
        header.extend([self.passes, self.lanes]);
        header.extend(self.salt);
        header
    }

    /// Reads the beginning of a file; `None` if it is not encrypted.
    ///
    /// # Errors
    /// A text if it asks for more work than anybody would, or is cut off.
    pub fn split(bytes: &[u8]) -> Result<Option<(Self, &[u8])>, &'static str> {
        let Some(rest) = bytes.strip_prefix(MAGIC) else { return Ok(None) };
        let read = || {
            let (memory, rest) = rest.split_first_chunk()?;
            let ([passes, lanes], rest) = rest.split_first_chunk()?;
            let (salt, rest) = rest.split_first_chunk()?;
            let memory = u32::from_be_bytes(*memory);
            Some((Self { memory, passes: *passes, lanes: *lanes, salt: *salt }, rest))
        };
        let (kdf, rest) = read().ok_or("it is cut off")?;
        let work = 1..=MOST_WORK;
        let fits =
            kdf.memory <= MOST_MEMORY && work.contains(&kdf.passes) && work.contains(&kdf.lanes);
        if fits { Ok(Some((kdf, rest))) } else { Err("it asks for more than 1 GiB or 16 passes") }
    }

    /// Argon2id, version 1.3. The memory is wiped.
    fn key(&self, passphrase: &Passphrase) -> Result<SealKey, Failure> {
        let (passes, lanes) = (self.passes.into(), self.lanes.into());
        let failed = |error| Failure::new(format!("Argon2id: {error}"));
        let params = Params::new(self.memory, passes, lanes, Some(32)).map_err(failed)?;
        let mut memory = Zeroizing::new(vec![Block::default(); params.block_count()]);
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        let mut key = Zeroizing::new([0; 32]);
        argon2
            .hash_password_into_with_memory(
                passphrase.as_bytes(),
                &self.salt,
                key.as_mut_slice(),
                memory.as_mut_slice(),
            )
            .map_err(failed)?;
        Ok(SealKey::new(*key))
    }
}

/// Opens and closes the secret files of one wallet.
pub struct Vault {
    source: Source,
    passphrase: OnceCell<Passphrase>,
    /// The key that was made last, and of what.
    key: RefCell<Option<(Kdf, SealKey)>>,
    /// Whether the wallet is encrypted; not known before the first file.
    encrypted: Cell<Option<bool>>,
    /// Under which new files go.
    new: Cell<Option<Kdf>>,
}

impl Vault {
    /// The vault of a wallet that is there. The passphrase is asked for when it is needed.
    #[must_use]
    pub fn of_wallet(source: Source) -> Self {
        Self {
            source,
            passphrase: OnceCell::new(),
            key: RefCell::default(),
            encrypted: Cell::default(),
            new: Cell::default(),
        }
    }

    /// The vault of a new wallet.
    #[must_use]
    pub fn encrypted(passphrase: Passphrase, kdf: Kdf) -> Self {
        let vault = Self::of_wallet(Source::default());
        vault.encrypted.set(Some(true));
        vault.new.set(Some(kdf));
        Self { passphrase: passphrase.into(), ..vault }
    }

    /// The vault of a wallet whose secrets are in clear.
    #[must_use]
    pub fn plaintext() -> Self {
        let vault = Self::of_wallet(Source::default());
        vault.encrypted.set(Some(false));
        vault
    }

    /// The content of the file of this name.
    ///
    /// # Errors
    /// A [`Failure`] from Argon2id, or if no file of the wallet was opened yet.
    pub fn close(&self, name: &str, content: &[u8]) -> Result<Vec<u8>, Failure> {
        match (self.encrypted.get(), self.new.get()) {
            (Some(false), _) => Ok(content.to_vec()),
            (Some(true), Some(kdf)) => {
                let named = named(name, content);
                let sealed = self.with_key(&kdf, |key| key.seal_bytes(DOMAIN, &named))?;
                Ok([kdf.header(), sealed].concat())
            }
            _ => Err(Failure::new("whether this wallet is encrypted is not known")),
        }
    }

    /// The content of a file.
    ///
    /// # Errors
    /// A [`Failure`] if the passphrase is wrong, or the file is not what it was.
    pub fn open(&self, path: &Path, bytes: &[u8]) -> Result<Zeroizing<Vec<u8>>, Failure> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        self.open_named(&name, path, bytes)
    }

    /// The content of a file that was closed under `name`, wherever it is now.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn open_named(
        &self,
        name: &str,
        path: &Path,
        bytes: &[u8],
    ) -> Result<Zeroizing<Vec<u8>>, Failure> {
        let shown = path.display();
        let found =
            Kdf::split(bytes).map_err(|why| Failure::new(format!("{shown} is damaged: {why}")))?;
        if self.encrypted.get().is_some_and(|encrypted| encrypted != found.is_some()) {
            let is = if found.is_some() { "is" } else { "is not" };
            return Err(Failure::new(format!(
                "{shown} {is} encrypted, unlike the other secrets of this wallet: it is not one \
                 of them"
            )));
        }
        let Some((kdf, sealed)) = found else {
            self.encrypted.set(Some(false));
            return Ok(Zeroizing::new(bytes.to_vec()));
        };
        let opened = self.with_key(&kdf, |key| key.open_bytes(DOMAIN, sealed))?;
        let named = opened.map_err(|_| {
            Failure::new(format!(
                "{shown} does not open: the passphrase is wrong, or it is damaged"
            ))
        })?;
        self.encrypted.set(Some(true));
        self.new.set(Some(kdf));
        let content = unnamed(name, &named);
        content.ok_or_else(|| Failure::new(format!("{shown} was another file when it was closed")))
    }

    fn with_key<T>(&self, kdf: &Kdf, work: impl FnOnce(&SealKey) -> T) -> Result<T, Failure> {
        let mut known = self.key.borrow_mut();
        let (_, key) = match known.take() {
            Some((of, key)) if of == *kdf => known.insert((of, key)),
            _ => known.insert((*kdf, kdf.key(self.passphrase()?)?)),
        };
        Ok(work(key))
    }

    fn passphrase(&self) -> Result<&Passphrase, Failure> {
        if let Some(passphrase) = self.passphrase.get() {
            return Ok(passphrase);
        }
        let passphrase = self.source.known()?;
        Ok(self.passphrase.get_or_init(|| passphrase))
    }
}

/// Name and content, the name with its length before it.
fn named(name: &str, content: &[u8]) -> Zeroizing<Vec<u8>> {
    let length = u32::try_from(name.len()).unwrap_or(u32::MAX).to_be_bytes();
    Zeroizing::new([&length, name.as_bytes(), content].concat())
}

fn unnamed(name: &str, named: &[u8]) -> Option<Zeroizing<Vec<u8>>> {
    let (length, rest) = named.split_first_chunk()?;
    let (found, content) = rest.split_at_checked(u32::from_be_bytes(*length).try_into().ok()?)?;
    (found == name.as_bytes()).then(|| Zeroizing::new(content.to_vec()))
}
