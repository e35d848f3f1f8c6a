//! Round 5: confirmations, and complaints about public values, on their way.

use quorate_session::rounds::Step;
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
    /// The digest follows from broadcasts that the sender says it saw: another one is its fault. A complaint is nobody's
    /// that this party could name.
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

    /// Gives out the share: confirmed by all, or marked as one that is not, where a confirmation is wrong or somebody
    /// complains. No share where this party itself knows that a value is not that of its secret.
    pub(crate) fn finish<S>(self, run: &Run, inbox: Inbox<'_>) -> Result<Step<S, KeyShare>, Abort> {
        let verified = self.settle(run, inbox)?;
        Ok(match verified {
            Ok(()) => Step::Done(self.share),
            Err(abort) => Step::Unconfirmed(self.share.unconfirmed(), abort),
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
    /// The blame of the leaders whose values are not those of their secrets, and of all who confirm something else: the
    /// share is of no use.
    fn settle(&self, run: &Run, inbox: Inbox<'_>) -> Result<Result<(), Abort>, Abort> {
        let verified = self.verify(run, inbox);
        match accuse(&self.terms, &self.complaints, Fault::InvalidShare, inbox) {
            Ok(()) => Ok(verified),
            accused => together(accused, verified).map(Ok),
        }
    }
}
