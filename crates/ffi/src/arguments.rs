//! Arguments from the foreign side, and the values of several objects.

#[cfg(any(feature = "ecdsa", feature = "life"))]
use core::str::FromStr as _;
use std::sync::{Mutex, MutexGuard, PoisonError};

use chacha20::ChaCha20Rng;
use chacha20::rand_core::SeedableRng as _;
use getrandom::SysRng;
#[cfg(any(feature = "ecdsa", feature = "life"))]
use quorate::keys::derive::DerivationPath;
use quorate::session::rand_core::{CryptoRng, TryRng as _};
use quorate::session::zeroize::Zeroizing;
use quorate::session::{Parties, PartyId, SessionId};

use crate::error::{ErrorKind, QuorateError, Result};

/// A party by its number.
pub(crate) fn party(number: u16) -> Result<PartyId> {
    Ok(PartyId::try_from(number)?)
}

/// A set of parties by their numbers.
pub(crate) fn parties(numbers: &[u16]) -> Result<Parties> {
    let parties = numbers.iter().map(|number| party(*number)).collect::<Result<Vec<_>>>()?;
    Ok(Parties::new(parties)?)
}

/// The numbers of parties.
pub(crate) fn numbers(parties: impl IntoIterator<Item = PartyId>) -> Vec<u16> {
    parties.into_iter().map(PartyId::get).collect()
}

/// An argument of exactly 32 bytes.
pub(crate) fn array32(what: &str, bytes: &[u8]) -> Result<[u8; 32]> {
    bytes.try_into().map_err(|_| {
        let got = bytes.len();
        QuorateError::new(ErrorKind::Arguments, format_args!("{what} has {got} bytes, expected 32"))
    })
}

/// A session id.
pub(crate) fn session_id(bytes: &[u8]) -> Result<SessionId> {
    Ok(SessionId::new(array32("the session id", bytes)?))
}

/// A path such as `m/0/7`.
#[cfg(any(feature = "ecdsa", feature = "life"))]
pub(crate) fn path(text: &str) -> Result<DerivationPath> {
    Ok(DerivationPath::from_str(text)?)
}

/// A generator seeded by the system's. If the system's fails, that is an error now, and not a panic later.
pub(crate) fn rng() -> Result<impl CryptoRng> {
    let mut seed = Zeroizing::new([0; 32]);
    SysRng
        .try_fill_bytes(seed.as_mut_slice())
        .map_err(|error| QuorateError::new(ErrorKind::Randomness, error))?;
    Ok(ChaCha20Rng::from_seed(*seed))
}

/// A lock that a panic elsewhere does not poison: the value that it guards is moved out before anything can fail.
pub(crate) fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A message with its sender, as the **authenticated** transport names it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "uniffi", derive(uniffi::Record))]
pub struct Received {
    /// The sender.
    pub sender: u16,
    /// The message.
    pub bytes: Vec<u8>,
}

/// Pairs of sender and bytes.
pub(crate) fn pairs(received: Vec<Received>) -> Result<Vec<(PartyId, Vec<u8>)>> {
    received.into_iter().map(|one| Ok((party(one.sender)?, one.bytes))).collect()
}
