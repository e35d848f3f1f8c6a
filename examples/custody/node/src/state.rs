//! States of keys: enabled, disabled, or about to be deleted.

use custody_core::{KeyId, KeyState, Reason, Refusal};
use quorate_store::Records;

use crate::rows::{Stored, decode, encode, ledger};

/// The state of a key. A key of which the ledger has nothing is enabled.
pub(crate) fn get(rows: &mut Records<'_>, key: &KeyId) -> Stored<Result<KeyState, Refusal>> {
    let row = rows.get(ledger::STATES, key.as_bytes())?;
    Ok(row.map_or(Ok(KeyState::Enabled), |row| decode(&row)))
}

/// Sets the state of a key.
pub(crate) fn set(rows: &mut Records<'_>, key: &KeyId, state: KeyState) -> Stored<()> {
    let row = encode(&state).map_err(|why| quorate_store::Error::Refused(why.to_string()))?;
    rows.put(ledger::STATES, key.as_bytes(), &row)
}

/// Checks that a key signs.
pub(crate) fn check_enabled(rows: &mut Records<'_>, key: &KeyId) -> Stored<Result<(), Refusal>> {
    Ok(get(rows, key)?.and_then(|state| match state {
        KeyState::Enabled => Ok(()),
        KeyState::Disabled => Err(Refusal::new(
            Reason::KeyDisabled,
            "the key is disabled: an administrator enables it",
        )),
        KeyState::DeletionScheduled { at } => Err(Refusal::new(
            Reason::KeyDisabled,
            format_args!("the key is going to be deleted at {at}"),
        )),
    }))
}
