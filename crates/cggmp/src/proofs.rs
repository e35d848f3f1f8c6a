//! What the rounds with proofs have in common: contexts, and the gathering of faults.

#[cfg(test)]
mod tests;

use alloc::vec::Vec;

use quorate_bignum::Engine;
use quorate_session::{
    Abort, Binding, Check, Fault, Inbox, Message, Parties, PartyId, Protocol, Run, Session,
    SessionId, Transcript, frame, wire::ReadError,
};
use quorate_zk::{Context, Group, ReceivedProof, verify_many};

/// By what name a run goes: all that its proofs and digests need to know of it.
#[derive(Clone, Copy)]
pub(crate) struct RunBinding {
    pub(crate) sid: SessionId,
    /// The digest of everything that the parties agreed on.
    pub(crate) context: [u8; 32],
}

impl From<&Run> for RunBinding {
    fn from(run: &Run) -> Self {
        Self { sid: run.sid(), context: run.context() }
    }
}

impl RunBinding {
    /// Those of a run that this party may have had no part in.
    pub(crate) fn of<P: Protocol>(
        sid: SessionId,
        parties: &Parties,
        bind: impl FnOnce(&mut Binding),
    ) -> Self {
        Self { sid, context: Session::<P>::bound(sid, parties, bind).context() }
    }

    /// As [`Run::transcript`].
    pub(crate) fn transcript(&self, domain: &'static str) -> Transcript {
        frame::transcript(&self.context, domain)
    }
}

/// What a proof of a run is for: bound to everything that the parties agreed on, and told apart
/// from the run's other proofs by its role.
pub(crate) fn instance(run: impl Into<RunBinding>, role: &'static str) -> Vec<u8> {
    let mut bytes = run.into().context.to_vec();
    bytes.extend_from_slice(role.as_bytes());
    bytes
}

/// The context of a proof that everybody gets.
pub(crate) fn to_all(run: impl Into<RunBinding>, prover: PartyId, instance: &[u8]) -> Context<'_> {
    Context::new(run.into().sid, prover, instance)
}

/// A defect of ours: nobody is to blame.
pub(crate) fn internal(run: &Run) -> Abort {
    Abort::unattributed(run.round(), Check::Internal)
}

/// A result that is wrong although nobody's message was.
pub(crate) fn mismatch(run: &Run) -> Abort {
    Abort::unattributed(run.round(), Check::ResultMismatch)
}

/// A round in which all confirm the result by its digest.
///
/// The digest follows from the broadcasts of the rounds before, and the echo in the frame of the
/// confirmation says that its sender saw the same ones as this party: one that differs is the
/// sender's fault.
pub(crate) fn confirm(inbox: Inbox<'_>, digest: &[u8; 32]) -> Result<(), Abort> {
    inbox.verify(|_, message| confirmation(message.broadcast, digest)).map(drop)
}

/// One party's confirmation.
pub(crate) fn confirmation(found: &[u8], digest: &[u8]) -> Result<(), Fault> {
    if found.len() != digest.len() {
        Err(Fault::WrongLength)
    } else if found != digest {
        Err(Fault::InvalidConfirmation)
    } else {
        Ok(())
    }
}

/// Why a message is not accepted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Refusal {
    /// Its sender is at fault.
    Fault(Fault),
    /// This party failed to look at it, which says nothing about the sender.
    Internal,
}

impl From<Fault> for Refusal {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl From<ReadError> for Refusal {
    fn from(error: ReadError) -> Self {
        Self::Fault(error.into())
    }
}

impl From<quorate_zk::Fault> for Refusal {
    fn from(fault: quorate_zk::Fault) -> Self {
        fault.blame().map_or(Self::Internal, Self::Fault)
    }
}

/// The culprits of a round, each with the first fault that was found.
#[derive(Default)]
pub(crate) struct Faults {
    culprits: Vec<(PartyId, Fault)>,
    /// Something could not be verified, for no fault of its sender's.
    internal: bool,
}

impl Faults {
    pub(crate) fn add(&mut self, party: PartyId, why: impl Into<Refusal>) {
        match why.into() {
            Refusal::Internal => self.internal = true,
            Refusal::Fault(fault) if self.culprits.iter().all(|(known, _)| *known != party) => {
                self.culprits.push((party, fault));
            }
            Refusal::Fault(_) => {}
        }
    }

    /// # Errors
    /// [`Abort::Misbehaviour`] with all culprits, if there are any; [`Check::Internal`] if there are
    /// none and something could not be verified.
    pub(crate) fn settle(mut self, inbox: Inbox<'_>) -> Result<(), Abort> {
        self.culprits.sort_unstable_by_key(|(party, _)| *party);
        if self.culprits.is_empty() && !self.internal {
            return Ok(());
        }
        // To blame nobody is an internal error.
        Err(inbox.blame(self.culprits))
    }

    /// Reads the messages of every peer; who sent something that does not read is noted.
    pub(crate) fn read<'a, T>(
        &mut self,
        inbox: Inbox<'a>,
        mut read: impl FnMut(PartyId, Message<'a>) -> Result<T, Refusal>,
    ) -> Vec<(PartyId, T)> {
        let mut good = Vec::new();
        for message in inbox.each() {
            match read(message.from, message) {
                Ok(value) => good.push((message.from, value)),
                Err(why) => self.add(message.from, why),
            }
        }
        good
    }

    /// Verifies proofs of all peers together; whose proof is refused is noted.
    pub(crate) fn verify<G: Group>(
        &mut self,
        engine: &Engine,
        received: Vec<(PartyId, Result<ReceivedProof<'_, G>, quorate_zk::Fault>)>,
    ) {
        let (parties, received): (Vec<_>, Vec<_>) = received.into_iter().unzip();
        for (party, verdict) in parties.into_iter().zip(verify_many(engine, received)) {
            if let Err(fault) = verdict {
                self.add(party, fault);
            }
        }
    }
}

/// A fault in a number under somebody's key.
pub(crate) fn number(error: quorate_paillier::Error) -> Fault {
    match error {
        quorate_paillier::Error::Length => Fault::WrongLength,
        quorate_paillier::Error::OutOfRange | quorate_paillier::Error::NotUnit => Fault::Malformed,
        _ => Fault::InvalidModulus,
    }
}

/// `with` xored into `sum`.
pub(crate) fn xor(mut sum: [u8; 32], with: &[u8; 32]) -> [u8; 32] {
    sum.iter_mut().zip(with).for_each(|(to, from)| *to ^= *from);
    sum
}
