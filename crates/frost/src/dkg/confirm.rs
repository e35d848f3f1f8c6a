//! The last round: all parties confirm the key.

use alloc::boxed::Box;
use alloc::vec::Vec;

use quorate_session::{Abort, Fault, Inbox, Judgement, Next, Outbox, PartyId, RoundState, Run};

use super::shares::Received;
use super::types::{Dkg, DkgOutput};
use crate::suite::KeySuite;

/// Blames these parties for one fault, with their frames.
pub(super) fn blame(inbox: &Inbox<'_>, parties: Vec<PartyId>, fault: Fault) -> Abort {
    inbox.blame(parties.into_iter().map(|party| (party, fault)))
}

/// The state when a party has sent its digest: the result, unconfirmed until all have confirmed it.
pub(super) struct Confirming<S: KeySuite> {
    digest: [u8; 32],
    output: DkgOutput<S>,
}

impl<S: KeySuite> Confirming<S> {
    /// The step into this round. `digest` is the one that all parties have to send.
    pub(super) fn begin(digest: [u8; 32], output: DkgOutput<S>) -> Next<Dkg<S>> {
        Next::round(Self { digest, output }, Outbox::broadcast(digest.to_vec()))
    }

    /// The digest follows from the broadcasts of round 1, and the echo in round 2 said that its
    /// sender saw the same ones as this party: one that differs is the sender's fault.
    fn each(&self, inbox: Inbox<'_>) -> Received<()> {
        inbox.verify(|_, message| {
            if message.broadcast.len() != self.digest.len() {
                Err(Fault::WrongLength)
            } else if message.broadcast != self.digest {
                Err(Fault::InvalidConfirmation)
            } else {
                Ok(())
            }
        })
    }
}

impl<S: KeySuite> RoundState<Dkg<S>> for Confirming<S> {
    fn next(self: Box<Self>, _run: &Run, inbox: Inbox<'_>) -> Result<Next<Dkg<S>>, Abort> {
        let checked = self.each(inbox);
        let mut output = self.output;
        Ok(match checked {
            Err(abort) => Next::Unconfirmed(output, abort),
            Ok(_) => {
                output.share.confirm();
                Next::Done(output)
            }
        })
    }

    fn judge(self: Box<Self>, _run: &Run, inbox: Inbox<'_>) -> Judgement<DkgOutput<S>> {
        Judgement { abort: self.each(inbox).err(), unconfirmed: Some(self.output) }
    }
}
