//! States of keys: enabled, disabled, or about to be deleted.

use custody_core::{KeyId, KeyState, Operation, Reason, Refusal};
use quorate_store::{Ledger, Records};

use crate::decide::put_request;
use crate::request::{Asked, RequestRow, Verdict};
use crate::rows::{Stored, decode, encode, ledger};

/// The state of a key. A key of which the ledger has nothing is enabled.
pub(crate) fn get(rows: &mut Records<'_>, key: &KeyId) -> Stored<Result<KeyState, Refusal>> {
    let row = rows.get(ledger::STATES, key.as_bytes())?;
    Ok(row.map_or(Ok(KeyState::Enabled), |row| decode(&row)))
}

/// Sets the state of a key.
fn set(rows: &mut Records<'_>, key: &KeyId, state: KeyState) -> Stored<()> {
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

/// Checks that a key may get new members. They would not know that it is disabled.
pub(crate) fn check_movable(
    rows: &mut Ledger<'_>,
    id: &KeyId,
    operation: &Operation,
) -> Stored<Result<(), Refusal>> {
    match operation {
        Operation::Reshare(..) => check_enabled(rows, id),
        _ => Ok(Ok(())),
    }
}

/// Sets the state that a request asks for, once. A refusal is final as well.
pub(crate) fn set_once(
    rows: &mut Ledger<'_>,
    (asked, mut row): (&Asked, RequestRow),
    id: &KeyId,
    now: u64,
) -> Stored<Result<(), Refusal>> {
    if row.verdict == Verdict::Done {
        return Ok(Ok(()));
    }
    let set = change(rows, id, &asked.verified.operation, now)?;
    row.verdict = set.clone().map_or_else(Verdict::Refused, |()| Verdict::Done);
    put_request(rows, asked, &row)?;
    Ok(set)
}

/// Sets the state that an operation asks for.
fn change(
    rows: &mut Ledger<'_>,
    id: &KeyId,
    operation: &Operation,
    now: u64,
) -> Stored<Result<(), Refusal>> {
    let to = match operation {
        Operation::Disable(_) | Operation::CancelDeletion(_) => KeyState::Disabled,
        Operation::Enable(_) => KeyState::Enabled,
        Operation::ScheduleDeletion(_, at) if at.at > now => {
            KeyState::DeletionScheduled { at: at.at }
        }
        Operation::ScheduleDeletion(..) => {
            return Ok(Err(Refusal::new(Reason::Limit, "the time of the deletion is over")));
        }
        _ => return Ok(Ok(())),
    };
    match (get(rows, id)?, &to, operation) {
        // The deletion has to be cancelled first.
        (Ok(KeyState::DeletionScheduled { .. }), KeyState::Enabled, _) => Ok(Err(Refusal::new(
            Reason::KeyDisabled,
            "the key is going to be deleted: cancel that first",
        ))),
        (Ok(KeyState::Enabled | KeyState::Disabled), _, Operation::CancelDeletion(_))
        | (Ok(KeyState::DeletionScheduled { .. }), _, Operation::Disable(_)) => Ok(Ok(())),
        (Ok(_), ..) => set(rows, id, to).map(Ok),
        (Err(why), ..) => Ok(Err(why)),
    }
}
