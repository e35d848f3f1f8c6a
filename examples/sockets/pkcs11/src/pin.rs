//! The PIN of a token.

use core::time::Duration;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use sha2::{Digest as _, Sha256};
use sockets_pkcs11_wire::{MAX_PIN, Pin, Reason};
use subtle::ConstantTimeEq as _;
use tokio::time::Instant;
use zeroize::Zeroizing;

/// The wrong PINs after which a user is locked out.
const WRONG: u32 = 5;
/// The time for which a user is locked out.
const LOCKED: Duration = Duration::from_secs(60);

/// The PIN of a token, and the users who had it wrong.
pub struct TokenPin {
    digest: Zeroizing<[u8; 32]>,
    wrong: Mutex<BTreeMap<u32, Wrong>>,
}

/// The wrong PINs of a user, each less than a minute after the one before.
struct Wrong {
    count: u32,
    last: Instant,
}

/// A PIN that no token can have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected a PIN of 4 to {MAX_PIN} bytes")]
pub struct PinError;

impl TokenPin {
    /// A PIN of 4 to 255 bytes.
    ///
    /// # Errors
    /// [`PinError`] if it is shorter or longer.
    pub fn new(pin: &[u8]) -> Result<Self, PinError> {
        if !(4..=MAX_PIN).contains(&pin.len()) {
            return Err(PinError);
        }
        Ok(Self { digest: digest(pin), wrong: Mutex::default() })
    }

    /// Compares a PIN, in a time that does not depend on the right one.
    ///
    /// # Errors
    /// [`Reason::WrongPin`]. [`Reason::PinLocked`] for a user who is locked out.
    pub fn check(&self, pin: Pin<'_>, user: u32) -> Result<(), Reason> {
        let is_right: bool = digest(pin.as_bytes()).ct_eq(&*self.digest).into();
        // One user at a time, so that nobody tries several at once.
        let mut wrong = self.wrong.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        wrong.retain(|_, wrong| now.saturating_duration_since(wrong.last) < LOCKED);
        let before = wrong.get(&user).map_or(0, |wrong| wrong.count);
        if before >= WRONG {
            return Err(Reason::PinLocked);
        }
        // A right one forgets none: it may be that of another program of the user, beside the one that guesses.
        if is_right {
            return Ok(());
        }
        wrong.insert(user, Wrong { count: before.saturating_add(1), last: now });
        Err(Reason::WrongPin)
    }
}

/// A hash, so that the comparison does not show the length.
fn digest(pin: &[u8]) -> Zeroizing<[u8; 32]> {
    Zeroizing::new(Sha256::digest(pin).into())
}

impl core::fmt::Debug for TokenPin {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("TokenPin")
    }
}
