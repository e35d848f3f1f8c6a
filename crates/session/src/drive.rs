//! The loop around a session.

use alloc::vec::Vec;

use zeroize::Zeroize as _;

use crate::{Ended, Outgoing, PartyId, Progress, Protocol, Step, Stopped};

/// Runs a session to its end: sends messages, waits for frames, and moves on.
///
/// This loop is the simplest case of what `quorate-runner` does: one run, in memory only, over a transport that loses
/// nothing. A runner has many runs, stores each before it sends, sends again, and ends at deadlines; its loop is as short.
///
/// `send` delivers a message. `recv` waits for the next frame and gives it with its sender, as the authenticated
/// transport knows it, or gives `None` to give up (a timeout, a closed connection). Frames that are
/// [rejected](crate::Rejected) are dropped and counted: if the run is given up,
/// [`Abort::Missing`](crate::Abort::Missing) lists the senders of rejected frames with the reason.
/// Nothing is persisted: a caller that has to survive a crash takes a runner.
///
/// A run that ends with a result gives [`Ended`], though its confirmation may be missing: match it, or take the result
/// either way by [`Ended::into_output`].
///
/// # Errors
/// [`Stopped`]: the run ended without a result; if `recv` gave up, by the rules of
/// [`Session::give_up`](crate::Session::give_up).
pub fn drive<P: Protocol>(
    mut step: Step<P>,
    mut send: impl FnMut(&Outgoing),
    mut recv: impl FnMut() -> Option<(PartyId, Vec<u8>)>,
) -> Result<Ended<P::Output>, Stopped> {
    loop {
        step.outgoing.iter().for_each(&mut send);
        let mut session = step.session;
        step = loop {
            match session.advance()? {
                Progress::Done { output, .. } => return Ok(Ended::Done(output)),
                Progress::Unconfirmed(unconfirmed) => return Ok(Ended::Unconfirmed(unconfirmed)),
                Progress::Round(step) => break step,
                Progress::Working(working) => {
                    session = working;
                    continue;
                }
                Progress::Waiting(waiting) => session = waiting,
            }
            let Some((from, mut frame)) = recv() else {
                return session.give_up().map(Ended::Unconfirmed);
            };
            // A frame that doesn't fit is counted by the session.
            session.receive(from, &frame).ok();
            frame.zeroize();
        };
    }
}
