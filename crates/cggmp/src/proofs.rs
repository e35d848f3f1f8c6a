//! The names of a run, and the gathering of verdicts on its proofs.

#[cfg(test)]
mod tests;

use alloc::vec::Vec;

use quorate_bignum::{Engine, SecretProduct};
use quorate_paillier::{Ciphertext, EncryptionKey};
use quorate_session::{
    Abort, Binding, Check, Fault, Inbox, Message, Parties, PartyId, PerParty, Protocol, Run,
    Session, SessionId, Transcript, frame, wire::ReadError,
};
use quorate_zk::{Expected, Group, ProofContext, ReceivedProof, SecretValues, verify_many};

/// The names by which proofs and digests refer to a run.
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
    /// The names of a run in which this party may not have taken part.
    pub(crate) fn bound<P: Protocol>(
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

    /// The instance of a proof: bound to everything that the parties agreed on, and told apart from the run's other
    /// proofs by its role.
    pub(crate) fn instance(&self, role: &'static str) -> Vec<u8> {
        [&self.context, role.as_bytes()].concat()
    }

    /// The instance of a proof about one presignature of the run, by its index.
    pub(crate) fn instance_at(&self, role: &'static str, index: usize) -> Vec<u8> {
        let mut instance = self.instance(role);
        instance.extend_from_slice(&(index as u64).to_be_bytes());
        instance
    }

    /// The context of a proof that is broadcast.
    pub(crate) const fn broadcast<'i>(
        &self,
        prover: PartyId,
        instance: &'i [u8],
    ) -> ProofContext<'i> {
        ProofContext::new(self.sid, prover, instance)
    }

    /// The context of a proof from one party to another.
    pub(crate) const fn direct<'i>(
        &self,
        [prover, verifier]: [PartyId; 2],
        instance: &'i [u8],
    ) -> ProofContext<'i> {
        ProofContext::new(self.sid, prover, instance).to(verifier)
    }
}

/// A body of fixed length.
pub(crate) fn exactly<const N: usize>(bytes: &[u8]) -> Result<[u8; N], Fault> {
    bytes.try_into().map_err(|_| Fault::WrongLength)
}

/// The digests that all peers broadcast.
pub(crate) fn digests(inbox: Inbox<'_>) -> Result<PerParty<[u8; 32]>, Abort> {
    inbox.verify(|_, message| exactly(message.broadcast))
}

/// A defect of this library: no party is to blame.
pub(crate) fn internal(run: &Run) -> Abort {
    Abort::unattributed(run.round(), Check::Internal)
}

/// A result that is wrong although every message was right.
pub(crate) fn mismatch(run: &Run) -> Abort {
    Abort::unattributed(run.round(), Check::ResultMismatch)
}

/// The reason why a message is not accepted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Refusal {
    /// The sender is at fault.
    Fault(Fault),
    /// This party failed to check it, which proves nothing about the sender.
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

impl From<quorate_zk::ProofFault> for Refusal {
    fn from(fault: quorate_zk::ProofFault) -> Self {
        fault.blame().map_or(Self::Internal, Self::Fault)
    }
}

/// A proof that reads, or the reason why it does not.
pub(crate) type Received<'s, G> = Result<ReceivedProof<'s, G>, quorate_zk::ProofFault>;

/// A verdict on each of several proofs, with the prover.
pub(crate) type Verdicts = Vec<(PartyId, Result<(), quorate_zk::ProofFault>)>;

/// Verifies proofs of several parties together.
pub(crate) fn verify<'a, G: Group + 'a>(
    engine: &Engine,
    received: impl IntoIterator<Item = (PartyId, Received<'a, G>)>,
) -> Verdicts {
    let (parties, received): (Vec<_>, Vec<_>) = received.into_iter().unzip();
    parties.into_iter().zip(verify_many(engine, received)).collect()
}

/// Proofs of several parties whose equations are evaluated in a list with other work.
pub(crate) struct Begun<'a, G: Group> {
    parties: Vec<PartyId>,
    checks: quorate_zk::Begun<'a, G>,
}

impl<'a, G: Group + 'a> Begun<'a, G> {
    /// Begins to verify.
    pub(crate) fn new(
        engine: &Engine,
        received: impl IntoIterator<Item = (PartyId, Received<'a, G>)>,
    ) -> Self {
        let (parties, received): (Vec<_>, Vec<_>) = received.into_iter().unzip();
        Self { parties, checks: quorate_zk::Begun::new(engine, received) }
    }

    /// The products of all equations.
    pub(crate) fn products(&self) -> (Vec<SecretProduct<'_>>, Expected) {
        self.checks.products()
    }

    /// Takes their values off a list.
    pub(crate) fn verdicts(self, expected: Expected, values: &mut SecretValues<'_>) -> Verdicts {
        self.parties.into_iter().zip(self.checks.verdicts(expected, values)).collect()
    }
}

/// The end of a round of which some proofs are refused.
pub(crate) fn refused(verdicts: Verdicts, inbox: Inbox<'_>) -> Abort {
    let mut faults = Faults::default();
    faults.add_refused(verdicts);
    inbox.blame(faults.culprits)
}

/// The first refusal among verdicts on one party.
pub(crate) fn first_refusal(verdicts: Verdicts) -> Result<(), quorate_zk::ProofFault> {
    verdicts.into_iter().try_for_each(|(_, verdict)| verdict)
}

/// The culprits of a round, each with the first fault that was found.
#[derive(Default)]
pub(crate) struct Faults {
    culprits: PerParty<Fault>,
    /// Something could not be verified, for no fault of its sender's.
    internal: bool,
}

impl Faults {
    pub(crate) fn add(&mut self, party: PartyId, why: impl Into<Refusal>) {
        match why.into() {
            Refusal::Internal => self.internal = true,
            Refusal::Fault(fault) => self.culprits.or_insert(party, fault),
        }
    }

    /// Adds the provers of proofs that are refused.
    pub(crate) fn add_refused(&mut self, verdicts: Verdicts) {
        for (party, verdict) in verdicts {
            if let Err(fault) = verdict {
                self.add(party, fault);
            }
        }
    }

    /// Returns whether no party is at fault, and nothing failed.
    pub(crate) fn is_empty(&self) -> bool {
        self.culprits.is_empty() && !self.internal
    }

    /// # Errors
    /// [`Abort::Misbehaviour`] with all culprits, if there are any; [`Check::Internal`] if there are
    /// none and something could not be verified.
    pub(crate) fn settle(self, inbox: Inbox<'_>) -> Result<(), Abort> {
        if self.is_empty() {
            return Ok(());
        }
        // A blame without culprits is an internal error.
        Err(inbox.blame(self.culprits))
    }

    /// Reads the messages of every peer, and adds the senders of those that do not read.
    pub(crate) fn read<'a, T>(
        &mut self,
        inbox: Inbox<'a>,
        mut read: impl FnMut(PartyId, Message<'a>) -> Result<T, Refusal>,
    ) -> PerParty<T> {
        let mut good = PerParty::new();
        for message in inbox.each() {
            match read(message.from, message) {
                Ok(value) => drop(good.insert(message.from, value)),
                Err(why) => self.add(message.from, why),
            }
        }
        good
    }
}

/// The fault of a number under a party's key.
pub(crate) fn number(error: quorate_paillier::Error) -> Fault {
    match error {
        quorate_paillier::Error::Length => Fault::WrongLength,
        quorate_paillier::Error::OutOfRange | quorate_paillier::Error::NotUnit => Fault::Malformed,
        _ => Fault::InvalidModulus,
    }
}

/// The first check of a value, or a later one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Look {
    /// The first: everything is checked.
    First,
    /// A later one, while a sealed session is opened. The key of the seal vouches for the findings of the first: numbers are
    /// units, digests are those announced, and proofs hold.
    Again,
}

impl Look {
    /// At what this call reads and draws.
    pub(crate) fn of(run: &Run) -> Self {
        if run.is_verified() { Self::Again } else { Self::First }
    }
}

/// Numbers of one sender under one key, checked together.
pub(crate) fn read_ciphertexts(
    key: &EncryptionKey,
    bytes: &[&[u8]],
    look: Look,
) -> Result<Vec<Ciphertext>, Fault> {
    let read = match look {
        Look::First => Ciphertext::many_from_bytes(key, bytes),
        Look::Again => bytes.iter().map(|bytes| Ciphertext::from_known_bytes(key, bytes)).collect(),
    };
    read.into_iter().collect::<Result<_, _>>().map_err(number)
}

/// The exclusive or of strings of 32 bytes.
pub(crate) fn xor<'s>(strings: impl IntoIterator<Item = &'s [u8; 32]>) -> [u8; 32] {
    let mut sum = [0; 32];
    for string in strings {
        sum.iter_mut().zip(string).for_each(|(to, from)| *to ^= *from);
    }
    sum
}

/// A string of 32 random bytes, of its own stream.
pub(crate) fn random_string(run: &Run, purpose: &'static str) -> [u8; 32] {
    let mut bytes = [0; 32];
    rand_core::Rng::fill_bytes(&mut run.rng(purpose), &mut bytes);
    bytes
}
