//! Seal keys from passphrases, by Argon2id (RFC 9106).
//!
//! For a program whose user is there to type. A service takes its keys from a [`KeyService`](crate::keyring::KeyService).
//!
//! The parameters are public. They are stored in front of what is sealed, and say how the key is made again:
//!
//! ```
//! use getrandom::SysRng;
//! use quorate_session::passphrase::Argon2id;
//! use quorate_session::rand_core::UnwrapErr;
//! use quorate_session::wire::Reader;
//!
//! let passphrase = b"correct horse battery staple";
//! let argon2id = Argon2id::fresh(&mut UnwrapErr(SysRng));
//! let sealed = argon2id.key(passphrase)?.seal_bytes("diary", b"Dear diary");
//! let stored = [argon2id.to_bytes().as_slice(), &sealed].concat();
//!
//! // Another day.
//! let mut reader = Reader::new(&stored);
//! let key = Argon2id::read(&mut reader)?.key(passphrase)?;
//! let sealed = reader.bytes(reader.remaining())?;
//! assert_eq!(key.open_bytes("diary", sealed)?.as_slice(), b"Dear diary");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Misuse
//!
//! This module cannot prevent:
//!
//! 1. **A passphrase that can be guessed.** Argon2id makes each guess slow, and no more. Whoever has the file guesses at leisure.
//! 2. **Copies of the passphrase.** It is the caller's to wipe.
//! 3. **Parameters of somebody else.** Whoever can write the file chooses how cheap a guess is. Do not seal anything new under
//!    parameters that were read, before something that they sealed has opened, or if they are [weak](Argon2id::is_weak). The dearest that are read take 85 times the work of
//!    [`fresh`](Argon2id::fresh) ones.

use alloc::vec::Vec;
use core::fmt;

use argon2::{Algorithm, Argon2, Block, Params, Version};
use rand_core::CryptoRng;
use zeroize::Zeroizing;

use crate::SealKey;
use crate::wire::{ReadError, Reader, joined};

/// The memory of fresh parameters, in KiB, and their passes.
const MEMORY: u32 = 64 << 10;
const PASSES: u8 = 3;
/// Most memory that a key may take, in KiB: 1 GiB.
const MOST_MEMORY: u32 = 1 << 20;
/// Most passes and lanes.
const MOST_WORK: u8 = 16;

/// The parameters that turn a passphrase into a key: memory, passes, lanes and salt. Version 1.3.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Argon2id {
    /// In KiB.
    memory: u32,
    passes: u8,
    lanes: u8,
    salt: [u8; 16],
}

/// The reason why there is no key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum PassphraseError {
    /// The bytes end before the parameters do.
    Truncated,
    /// Parameters that ask for more than 1 GiB of memory, or for more than 16 passes or lanes: whoever wrote them wants to stall
    /// the reader.
    TooMuchWork,
    /// Parameters that Argon2id does not have: no passes, no lanes, or less than 8 KiB of memory for each lane.
    Refused,
    /// There is not as much memory as the parameters ask for.
    NoMemory,
}

impl fmt::Display for PassphraseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Truncated => "it is cut off",
            Self::TooMuchWork => "it asks for more than 1 GiB, 16 passes or 16 lanes",
            Self::Refused => "Argon2id has no such parameters",
            Self::NoMemory => "it asks for more memory than there is",
        })
    }
}

impl core::error::Error for PassphraseError {}

impl From<ReadError> for PassphraseError {
    fn from(_: ReadError) -> Self {
        Self::Truncated
    }
}

impl Argon2id {
    /// Bytes of the stored form.
    pub const LENGTH: usize = 22;

    /// The second choice of RFC 9106, section 4, for machines with little memory: 64 MiB, three passes, four lanes; and a fresh
    /// salt.
    #[must_use]
    pub fn fresh(rng: &mut (impl CryptoRng + ?Sized)) -> Self {
        let mut salt = [0; 16];
        rng.fill_bytes(&mut salt);
        Self { memory: MEMORY, passes: PASSES, lanes: 4, salt }
    }

    /// Returns whether a guess takes less memory or fewer passes than with [`fresh`](Self::fresh) parameters.
    #[must_use]
    pub const fn is_weak(&self) -> bool {
        self.memory < MEMORY || self.passes < PASSES
    }

    /// `memory in KiB (4) ‖ passes (1) ‖ lanes (1) ‖ salt (16)`.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; Self::LENGTH] {
        joined(&[&self.memory.to_be_bytes(), &[self.passes, self.lanes], &self.salt])
    }

    /// Reads what [`to_bytes`](Self::to_bytes) gave.
    ///
    /// # Errors
    /// [`PassphraseError::Truncated`] if bytes are missing, [`PassphraseError::TooMuchWork`] if the parameters ask for an
    /// unreasonable amount of work.
    pub fn read(reader: &mut Reader<'_>) -> Result<Self, PassphraseError> {
        let (memory, [passes, lanes]) = (reader.u32()?, reader.array()?);
        if memory > MOST_MEMORY || passes > MOST_WORK || lanes > MOST_WORK {
            return Err(PassphraseError::TooMuchWork);
        }
        Ok(Self { memory, passes, lanes, salt: reader.array()? })
    }

    /// The key of a passphrase. The blocks of Argon2id are wiped.
    ///
    /// # Errors
    /// [`PassphraseError::Refused`], [`PassphraseError::NoMemory`].
    pub fn key(&self, passphrase: &[u8]) -> Result<SealKey, PassphraseError> {
        let refused = |_| PassphraseError::Refused;
        let (passes, lanes) = (self.passes.into(), self.lanes.into());
        let params = Params::new(self.memory, passes, lanes, Some(32)).map_err(refused)?;
        let mut memory = Zeroizing::new(Vec::new());
        let count = params.block_count();
        memory.try_reserve_exact(count).map_err(|_| PassphraseError::NoMemory)?;
        memory.resize(count, Block::default());
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        let mut key = Zeroizing::new([0; 32]);
        let (blocks, out) = (memory.as_mut_slice(), key.as_mut_slice());
        argon2
            .hash_password_into_with_memory(passphrase, &self.salt, out, blocks)
            .map_err(refused)?;
        Ok(SealKey::new(*key))
    }
}
