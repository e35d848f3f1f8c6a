//! The last round of key generation and refresh: all parties confirm the result.

use alloc::boxed::Box;
use alloc::vec::Vec;

use quorate_session::{
    Abort, AnyRound, Fault, Inbox, Judgement, Next, Outbox, PartyId, Protocol, RoundState, Run,
};

use crate::dkg::DkgOutput;
use crate::keys::ShareState;
use crate::shares::Received;
use crate::suite::KeySuite;

/// Blames these parties for one fault, with their frames.
pub(crate) fn blame(inbox: &Inbox<'_>, parties: Vec<PartyId>, fault: Fault) -> Abort {
    inbox.blame(parties.into_iter().map(|party| (party, fault)))
}

/// The state when a party has sent its digest: the result, unconfirmed until all have confirmed it.
pub(crate) struct Confirming<S: KeySuite> {
    digest: [u8; 32],
    output: DkgOutput<S>,
    /// The state of the share once it is confirmed.
    confirmed: ShareState,
}

impl<S: KeySuite> Confirming<S> {
    /// The step into this round. `digest` is the one that all parties have to send.
    pub(crate) fn begin<P>(
        digest: [u8; 32],
        mut output: DkgOutput<S>,
        confirmed: ShareState,
    ) -> Next<P>
    where
        P: Protocol<State = AnyRound<P>, Output = DkgOutput<S>>,
    {
        output.share.state = ShareState::Unconfirmed;
        let round = Self { digest, output, confirmed };
        Next::round(round, Outbox::broadcast(digest.to_vec()))
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

impl<S, P> RoundState<P> for Confirming<S>
where
    S: KeySuite,
    P: Protocol<State = AnyRound<P>, Output = DkgOutput<S>>,
{
    fn next(self: Box<Self>, _run: &Run, inbox: Inbox<'_>) -> Result<Next<P>, Abort> {
        let checked = self.each(inbox);
        let Self { mut output, confirmed, .. } = *self;
        Ok(match checked {
            Err(abort) => Next::Unconfirmed(output, abort),
            Ok(_) => {
                output.share.state = confirmed;
                Next::Done(output)
            }
        })
    }

    fn judge(self: Box<Self>, _run: &Run, inbox: Inbox<'_>) -> Judgement<DkgOutput<S>> {
        Judgement { abort: self.each(inbox).err(), unconfirmed: Some(self.output) }
    }
}
