//! The loop around a session.

use alloc::vec::Vec;

use crate::{Outgoing, PartyId, Progress, Protocol, Step, Stopped};

/// Runs a session to its end: sends messages, waits for frames, and moves on.
///
/// It is the simplest case of what `quorate-runner` does: one run, over a transport that loses nothing, of which nothing
/// is kept. A runner has many runs, stores each before it sends, sends again, and ends at deadlines; its loop is no longer.
///
/// `send` delivers a message; `recv` waits for the next frame and says who the authenticated
/// transport has it from, or `None` to give up (a timeout, a closed connection). Frames that are
/// [rejected](crate::Rejected) are dropped and counted: if the run is given up,
/// [`Abort::Missing`](crate::Abort::Missing) lists the senders of rejected frames with the reason.
/// Nothing is persisted: a caller that has to survive a crash takes a runner.
///
/// # Errors
/// [`Stopped`], by the rules of [`Session::give_up`](crate::Session::give_up) when `recv` gives up.
pub fn drive<P: Protocol>(
    mut step: Step<P>,
    mut send: impl FnMut(&Outgoing),
    mut recv: impl FnMut() -> Option<(PartyId, Vec<u8>)>,
) -> Result<P::Output, Stopped<P::Output>> {
    loop {
        step.outgoing.iter().for_each(&mut send);
        let mut session = step.session;
        step = loop {
            match session.advance()? {
                Progress::Done { output, .. } => return Ok(output),
                Progress::Round(step) => break step,
                Progress::Working(working) => {
                    session = working;
                    continue;
                }
                Progress::Waiting(waiting) => session = waiting,
            }
            let Some((from, frame)) = recv() else {
                return Err(session.give_up());
            };
            // A frame that doesn't fit is counted by the session.
            session.receive(from, &frame).ok();
        };
    }
}
