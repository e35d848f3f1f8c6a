//! The loop around a session.

use alloc::vec::Vec;

use crate::{Abort, Outgoing, PartyId, Progress, Protocol, Step};

/// Runs a session to its end: sends what is to be sent, waits for what is missing, moves on.
///
/// `send` delivers a message; `recv` waits for the next frame and says who the authenticated
/// transport has it from, or `None` to give up (a timeout, a closed connection). Frames that are
/// [rejected](crate::Rejected) are dropped. Nothing is persisted: a caller that wants to survive a
/// crash writes these dozen lines itself and seals before it sends.
///
/// # Errors
/// [`Abort`]; [`Abort::Missing`] when `recv` gives up.
pub fn drive<P: Protocol>(
    mut step: Step<P>,
    mut send: impl FnMut(&Outgoing),
    mut recv: impl FnMut() -> Option<(PartyId, Vec<u8>)>,
) -> Result<P::Output, Abort> {
    loop {
        step.outgoing.iter().for_each(&mut send);
        let mut session = step.session;
        // While the answers are on their way.
        session.prepare();
        step = loop {
            match session.advance()? {
                Progress::Done(output) => return Ok(output),
                Progress::Round(step) => break step,
                Progress::Waiting(waiting) => session = waiting,
            }
            let Some((from, frame)) = recv() else {
                let parties = session.waiting_for().collect();
                return Err(Abort::Missing { round: session.round(), parties });
            };
            // A frame that doesn't fit is none of this run's business.
            session.receive(from, &frame).ok();
        };
    }
}
