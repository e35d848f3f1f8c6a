//! Round 5: confirmations, and complaints about public values, on their way.

use quorate_session::rounds::RoundOutcome;
use quorate_session::{Abort, Fault, Inbox, Judgement, Run};

use crate::dkg::complaints::{accuse, heed, together};
use crate::dkg::terms::{Complaints, HASH, Terms};
use crate::share::KeyShare;

/// Round 5: the digests of all are on their way.
pub struct AwaitingConfirmations {
    pub(crate) terms: Terms,
    pub(crate) share: KeyShare,
    pub(crate) digest: [u8; HASH],
    pub(crate) complaints: Complaints,
}

impl AwaitingConfirmations {
    /// The digest follows from broadcasts that the sender says it saw, so a different digest is its fault. A
    /// complaint is not a fault of any party that this one could name.
    fn verify(&self, run: &Run, inbox: Inbox<'_>) -> Result<(), Abort> {
        let complaints = inbox.verify(|from, message| {
            let (digest, rest) =
                message.broadcast.split_first_chunk::<HASH>().ok_or(Fault::WrongLength)?;
            if rest.len() != Complaints::len(self.terms.shape) {
                return Err(Fault::WrongLength);
            }
            let complaints = Complaints::read(&self.terms, from, rest).ok_or(Fault::Malformed)?;
            if *digest == self.digest { Ok(complaints) } else { Err(Fault::InvalidConfirmation) }
        })?;
        heed(complaints.values(), run)
    }

    /// Gives out the share: confirmed by all, or marked as not confirmed if a confirmation is wrong or somebody
    /// complains. There is no share if this party itself knows that a value is not that of its secret.
    pub(crate) fn finish<S>(
        self,
        run: &Run,
        inbox: Inbox<'_>,
    ) -> Result<RoundOutcome<S, KeyShare>, Abort> {
        let verified = self.settle(run, inbox)?;
        Ok(match verified {
            Ok(()) => RoundOutcome::Done(self.share),
            Err(abort) => RoundOutcome::Unconfirmed(self.share.unconfirmed(), abort),
        })
    }

    /// The judgement of a round that was given up.
    pub(crate) fn judge(self, run: &Run, inbox: Inbox<'_>) -> Judgement<KeyShare> {
        match self.settle(run, inbox) {
            Ok(verified) => {
                Judgement { abort: verified.err(), unconfirmed: Some(self.share.unconfirmed()) }
            }
            Err(abort) => Judgement { abort: Some(abort), unconfirmed: None },
        }
    }

    /// The verdict on the confirmations.
    ///
    /// # Errors
    /// The inner error blames the leaders whose values are not those of their secrets, and all who confirm a
    /// different value. The share is then of no use.
    fn settle(&self, run: &Run, inbox: Inbox<'_>) -> Result<Result<(), Abort>, Abort> {
        let verified = self.verify(run, inbox);
        match accuse(&self.terms, &self.complaints, Fault::InvalidShare, inbox) {
            Ok(()) => Ok(verified),
            accused => together(accused, verified).map(Ok),
        }
    }
}
