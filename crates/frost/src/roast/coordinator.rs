//! The coordinator, which forms sessions of free signers.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;
use core::fmt;

use quorate_session::{PartyId, SessionId};

use super::error::{AnswerRejected, SignerFault};
use super::messages::{Answer, AnswerShare, Request, digest};
use crate::coordinator::{Coordinator, SigningSession};
use crate::error::PackageError;
use crate::key::PublicKeyPackage;
use crate::nonces::Commitments;
use crate::package::fits;
use crate::signature::Signature;
use crate::suite::Ciphersuite;

/// The step that follows from a message.
#[must_use]
pub enum AnswerOutcome<S: Ciphersuite> {
    /// No step that has to be announced.
    Waiting,
    /// A new session: its signers have to be asked.
    Ask(Ask),
    /// The signature, verified. The run is over, and requests that are on their way need no answer.
    Done(Signature<S>),
}

impl<S: Ciphersuite> fmt::Debug for AnswerOutcome<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Waiting => f.write_str("Waiting"),
            Self::Ask(ask) => f.debug_tuple("Ask").field(ask).finish(),
            Self::Done(signature) => f.debug_tuple("Done").field(signature).finish(),
        }
    }
}

/// A request to t signers.
#[derive(Clone, PartialEq, Eq)]
pub struct Ask {
    /// The session's number, from 1.
    pub session: u16,
    /// The signers, ascending: each gets the request.
    pub signers: Vec<PartyId>,
    /// The request, the same for all.
    pub bytes: Vec<u8>,
}

impl fmt::Debug for Ask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ask")
            .field("session", &self.session)
            .field("signers", &self.signers)
            .finish_non_exhaustive()
    }
}

/// A party's place in the run.
#[derive(Clone, Copy)]
enum Standing {
    /// No message has come from the signer.
    Silent,
    /// The commitments of the signer wait for a session.
    Free,
    /// The signer was asked for a share of this session.
    In(u16),
    /// The signer failed a check.
    Marked(SignerFault),
}

/// The coordinator's side of a robust signing run: ePrint 2022/550, the coordinator's algorithm.
///
/// The coordinator holds no secret and draws no random numbers. Two coordinators with the same terms that receive
/// the same messages in the same order take the same steps. So a coordinator is restored from a log of the messages
/// that it received. Log a message before the request of its step is sent. A restored coordinator sends
/// [`Self::request`] again to all parties for which it [waits](Self::waiting_for).
///
/// The coordinator keeps the packages of at most n − t + 1 sessions of t signers, each with a copy of the message.
pub struct RoastCoordinator<S: Ciphersuite> {
    of: Coordinator<S>,
    run: SessionId,
    message: Vec<u8>,
    standings: BTreeMap<PartyId, Standing>,
    /// The commitments of the parties that are free.
    free: BTreeMap<PartyId, Commitments<S>>,
    /// By number, from 1.
    sessions: Vec<SigningSession<S>>,
    /// Digests of the messages that were taken, by their senders.
    taken: BTreeSet<(PartyId, [u8; 32])>,
    over: bool,
}

impl<S: Ciphersuite> RoastCoordinator<S> {
    /// A run that signs `message` under a group's key. `run` is agreed with the signers, and never used again.
    ///
    /// # Errors
    /// [`PackageError::MessageTooLong`] for a message of more than 2^32 − 2^24 bytes.
    pub fn start(
        public: PublicKeyPackage<S>,
        run: SessionId,
        message: &[u8],
    ) -> Result<Self, PackageError> {
        fits(message.len())?;
        let standings = public.parties().iter().map(|party| (party, Standing::Silent)).collect();
        Ok(Self {
            of: Coordinator::new(public),
            run,
            message: message.to_vec(),
            standings,
            free: BTreeMap::new(),
            sessions: Vec::new(),
            taken: BTreeSet::new(),
            over: false,
        })
    }

    /// The most sessions that a run has: n − t + 1 (ePrint 2022/550, the theorem on robustness).
    #[must_use]
    pub fn most_sessions(&self) -> usize {
        let public = self.of.public();
        most_sessions(public.parties().count(), public.threshold()).into()
    }

    /// The number of sessions that were started.
    #[must_use]
    pub fn sessions(&self) -> usize {
        self.sessions.len()
    }

    /// The parties that failed a check, each with the check, ascending.
    pub fn marked(&self) -> impl Iterator<Item = (PartyId, SignerFault)> + '_ {
        self.standings.iter().filter_map(|(party, standing)| match standing {
            Standing::Marked(fault) => Some((*party, *fault)),
            Standing::Silent | Standing::Free | Standing::In(_) => None,
        })
    }

    /// The parties that were asked for a share and have not answered, each with the session, ascending.
    pub fn waiting_for(&self) -> impl Iterator<Item = (PartyId, u16)> + '_ {
        self.standings.iter().filter_map(|(party, standing)| match standing {
            Standing::In(session) => Some((*party, *session)),
            Standing::Silent | Standing::Free | Standing::Marked(_) => None,
        })
    }

    /// Returns whether t parties are left that failed no check. If not, no signature will come.
    #[must_use]
    pub fn can_finish(&self) -> bool {
        let left = self.standings.len().saturating_sub(self.marked().count());
        left >= usize::from(self.of.public().threshold())
    }

    /// The request of a session, for signers that may not have received it; `None` if there is no such session.
    #[must_use]
    pub fn request(&self, session: u16) -> Option<Vec<u8>> {
        let of = self.sessions.get(index(session)?)?;
        Some(Request::encode(self.run, session, of.package()))
    }

    /// Takes a signer's message. `from` is the sender as the transport authenticated it.
    ///
    /// # Errors
    /// [`AnswerRejected`]: the message changes nothing but, for [`AnswerRejected::Marked`], the sender's place in the run.
    pub fn receive(
        &mut self,
        from: PartyId,
        bytes: &[u8],
    ) -> Result<AnswerOutcome<S>, AnswerRejected> {
        if self.over {
            return Err(AnswerRejected::Over);
        }
        let standing = *self.standings.get(&from).ok_or(AnswerRejected::UnknownParty(from))?;
        let expected = match standing {
            Standing::Marked(fault) => return Err(AnswerRejected::MarkedBefore(fault)),
            Standing::Silent => None,
            Standing::Free => Some(0),
            Standing::In(session) => Some(session),
        };
        let name = (from, digest("message", bytes));
        if self.taken.contains(&name) {
            return Err(AnswerRejected::Duplicate);
        }
        let answer = self.read(from, bytes)?;
        let done = match self.verify(from, expected, answer.share.as_ref()) {
            Ok(share) => share.and_then(|share| self.take(from, share)),
            Err(fault) => return Err(self.mark(from, fault)),
        };
        self.taken.insert(name);
        if let Some(signature) = done {
            self.over = true;
            return Ok(AnswerOutcome::Done(signature));
        }
        self.standings.insert(from, Standing::Free);
        self.free.insert(from, answer.next);
        if self.free.len() < usize::from(self.of.public().threshold()) {
            return Ok(AnswerOutcome::Waiting);
        }
        self.ask()
    }

    /// Reads a message of this run and this key.
    fn read(&mut self, from: PartyId, bytes: &[u8]) -> Result<Answer<S>, AnswerRejected> {
        let answer = match Answer::<S>::from_bytes(from, bytes) {
            Ok(answer) => answer,
            Err(why) if why.is_another_format() => return Err(AnswerRejected::AnotherFormat(why)),
            Err(why) => return Err(self.mark(from, SignerFault::Malformed(why))),
        };
        if answer.run != self.run {
            return Err(AnswerRejected::OtherRun);
        }
        let of = self.of.public().package_id();
        answer.next.package.check_belongs_to(&of).map_err(AnswerRejected::Mismatch)?;
        Ok(answer)
    }

    /// Verifies that a message is the one that is expected of its sender: its first one, or the share of the session that
    /// it is in.
    fn verify<'a>(
        &self,
        from: PartyId,
        expected: Option<u16>,
        share: Option<&'a AnswerShare<S>>,
    ) -> Result<Option<&'a AnswerShare<S>>, SignerFault> {
        let got = share.map_or(0, |share| share.session);
        let unsolicited = SignerFault::Unsolicited { got, expected: expected.unwrap_or(0) };
        let share = match (expected, share) {
            (None, None) => return Ok(None),
            (Some(session), Some(share)) if session == share.session => share,
            _ => return Err(unsolicited),
        };
        let session = self.session(got).ok_or(unsolicited)?;
        if share.package != *session.digest() {
            return Err(SignerFault::OtherPackage { session: got });
        }
        match self.of.verify_scalar(session, from, share.z) {
            Ok(()) => Ok(Some(share)),
            Err(_) => Err(SignerFault::WrongShare { session: got }),
        }
    }

    /// Takes a share that was verified: the signature, if it was the last of its session.
    fn take(&mut self, from: PartyId, share: &AnswerShare<S>) -> Option<Signature<S>> {
        let session = self.sessions.get_mut(index(share.session)?)?;
        // All shares hold, so their sum does.
        if session.take(from, share.z) { self.of.sign(session).ok() } else { None }
    }

    fn session(&self, number: u16) -> Option<&SigningSession<S>> {
        self.sessions.get(index(number)?)
    }

    /// The numbers of messages, commitments and sessions that are kept.
    #[cfg(test)]
    pub(super) fn kept(&self) -> [usize; 3] {
        [self.taken.len(), self.free.len(), self.sessions.len()]
    }

    fn mark(&mut self, from: PartyId, fault: SignerFault) -> AnswerRejected {
        self.free.remove(&from);
        self.standings.insert(from, Standing::Marked(fault));
        AnswerRejected::Marked(fault)
    }

    /// Starts a session of the t parties that are free.
    fn ask(&mut self) -> Result<AnswerOutcome<S>, AnswerRejected> {
        let commitments: Vec<_> = core::mem::take(&mut self.free).into_values().collect();
        let signers: Vec<_> = commitments.iter().map(Commitments::id).collect();
        let session =
            self.of.start_with(commitments, &self.message).map_err(|_| AnswerRejected::Internal)?;
        let number = u16::try_from(self.sessions.len() + 1);
        let number = number.map_err(|_| AnswerRejected::Internal)?;
        let bytes = Request::encode(self.run, number, session.package());
        for signer in &signers {
            self.standings.insert(*signer, Standing::In(number));
        }
        self.sessions.push(session);
        Ok(AnswerOutcome::Ask(Ask { session: number, signers, bytes }))
    }
}

impl<S: Ciphersuite> fmt::Debug for RoastCoordinator<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RoastCoordinator")
            .field("run", &self.run)
            .field("sessions", &self.sessions.len())
            .field("marked", &self.marked().count())
            .field("over", &self.over)
            .finish_non_exhaustive()
    }
}

/// n − t + 1
pub(super) const fn most_sessions(parties: u16, threshold: u16) -> u16 {
    // 2 ≤ t ≤ n
    parties.saturating_sub(threshold).saturating_add(1)
}

/// The place of a session in the list.
fn index(session: u16) -> Option<usize> {
    usize::from(session).checked_sub(1)
}
