//! Signing: attempts in three rounds, as many as it takes. About every second one fails, by no one's fault.

use std::sync::Arc;

use quorate::Parties;
use quorate::mldsa::{Attempted, KeyShare, MessageRepresentative, Sign, Signature};
use quorate_examples::failure::Failure;

use super::attempts;
use crate::home::Home;
use crate::rounds::{self, fresh_sid};
use crate::traffic::Traffic;

/// The attempts after which something else than luck is missing: as many fail once in 2^80 times.
const MOST: u32 = 100;

/// An attempt that has ended.
pub(crate) struct Tried {
    /// Its number.
    pub(crate) number: u64,
    /// The signature, if there was luck.
    pub(crate) attempted: Attempted,
    /// The messages that were sent.
    pub(crate) traffic: Traffic,
}

/// Has the owners of `shares` sign. `report` is told of every attempt.
///
/// # Errors
/// A [`Failure`] if the shares are used up, a signer cheats, or an attempt cannot be recorded.
pub(crate) fn sign(
    home: &Home,
    shares: &[Arc<KeyShare>],
    mu: MessageRepresentative,
    mut report: impl FnMut(&Tried) -> Result<(), Failure>,
) -> Result<Signature, Failure> {
    for _ in 0..MOST {
        let tried = attempt(home, shares, mu)?;
        report(&tried)?;
        if let Some(signature) = tried.attempted.signature {
            return Ok(signature);
        }
    }
    Err(Failure::new(format!("{MOST} attempts without luck: one of the signers rejects too often")))
}

/// One attempt: a fresh session id, the records of all signers, and only then the session.
fn attempt(
    home: &Home,
    shares: &[Arc<KeyShare>],
    mu: MessageRepresentative,
) -> Result<Tried, Failure> {
    let sid = fresh_sid();
    let signers = Parties::new(shares.iter().map(|share| share.id()))?;
    let attempt = attempts::record(home, shares, (sid, &signers), mu)?;
    // In memory: a session in a file could come back from a backup, and answer a second time under one mask.
    let run = rounds::run_as::<Sign>(sid, &signers, attempt.params, |_| {}, |_, _| Ok(()))?;
    // All of them have the same.
    let attempted = run.results.into_iter().next();
    let attempted = attempted.ok_or_else(|| Failure::new("there are no signers"))?;
    Ok(Tried { number: attempt.number, attempted, traffic: run.traffic })
}
