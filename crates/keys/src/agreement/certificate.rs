//! Statements of every member, collected.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::marker::PhantomData;

use quorate_session::{PartyId, wire::Reader};

use super::attempt::Attempt;
use super::error::StatementError;
use super::statement::{
    Identities, Signed, Stage, expect_stage, message, put_signature, read_signature,
};

/// The statements of one stage about one attempt, each verified when it arrives. Anybody may keep a tally: a
/// member, the coordinator, a relay.
#[derive(Clone)]
pub struct Tally<S> {
    attempt: Attempt,
    signatures: BTreeMap<PartyId, Vec<u8>>,
    stage: PhantomData<S>,
}

impl<S: Stage> Tally<S> {
    /// An empty tally.
    #[must_use]
    pub const fn new(attempt: Attempt) -> Self {
        Self { attempt, signatures: BTreeMap::new(), stage: PhantomData }
    }

    /// Adds a statement. A second one of the same party changes nothing.
    ///
    /// # Errors
    /// A [`StatementError`] if it is about another attempt, if its author is not in the committee, or if its
    /// signature is wrong.
    pub fn add(
        &mut self,
        signed: Signed<S>,
        identities: &impl Identities,
    ) -> Result<(), StatementError> {
        let party = signed.id();
        signed
            .package_id()
            .check_belongs_to(&self.attempt.package_id())
            .map_err(StatementError::OtherAttempt)?;
        if !self.attempt.committee().contains(party) {
            return Err(StatementError::NotAMember(party));
        }
        let signature = signed.into_signature();
        if !identities.verify(party, &message::<S>(&self.attempt, party), &signature) {
            return Err(StatementError::BadSignature(party));
        }
        self.signatures.entry(party).or_insert(signature);
        Ok(())
    }

    /// The members whose statement is missing.
    pub fn missing(&self) -> impl Iterator<Item = PartyId> + '_ {
        let parties = self.attempt.committee().parties().iter();
        parties.filter(|party| !self.signatures.contains_key(party))
    }

    /// The certificate, if every member's statement is there.
    #[must_use]
    pub fn certificate(&self) -> Option<Certificate<S>> {
        let parties = self.attempt.committee().parties();
        let signatures = parties.iter().map(|party| self.signatures.get(&party).cloned());
        let signatures = signatures.collect::<Option<Vec<_>>>()?;
        Some(Certificate { attempt: self.attempt.clone(), signatures, stage: PhantomData })
    }

    /// A certificate of the statements that are there, for a model of the consequences of an incomplete one.
    #[cfg(feature = "testing")]
    #[must_use]
    pub fn incomplete(&self) -> Certificate<S> {
        let parties = self.attempt.committee().parties().iter();
        let signatures = parties.map(|party| self.signatures.get(&party).cloned());
        let signatures = signatures.map(Option::unwrap_or_default).collect();
        Certificate { attempt: self.attempt.clone(), signatures, stage: PhantomData }
    }
}

impl<S: Stage> fmt::Debug for Tally<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tally")
            .field("attempt", &self.attempt)
            .field("parties", &self.signatures.keys())
            .finish_non_exhaustive()
    }
}

/// A statement of **every** member of an attempt's committee, each signature verified. Any relay may carry it.
#[derive(Clone, PartialEq, Eq)]
pub struct Certificate<S> {
    attempt: Attempt,
    /// In the order of the committee.
    signatures: Vec<Vec<u8>>,
    stage: PhantomData<S>,
}

impl<S: Stage> Certificate<S> {
    /// The attempt.
    #[must_use]
    pub const fn attempt(&self) -> &Attempt {
        &self.attempt
    }

    /// `stage (1) ‖ attempt ‖ every member's signature with its length (2)`, in the order of the committee.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.put(&mut bytes);
        bytes
    }

    /// Reads a certificate that anybody may have carried, and verifies it. It verifies one signature after the
    /// other, up to the first that is wrong.
    ///
    /// The certificate shows the statements of the members of **this** committee. [`Agreement`](super::Agreement)
    /// decides whether it is a committee of the key.
    ///
    /// # Errors
    /// A [`StatementError`] as of [`Signed::from_bytes`], or [`StatementError::BadSignature`] with the member's number.
    pub fn from_bytes(bytes: &[u8], identities: &impl Identities) -> Result<Self, StatementError> {
        let mut reader = Reader::new(bytes);
        let read = Self::read(&mut reader)?;
        reader.finish()?;
        let parties = read.attempt.committee().parties().iter();
        let wrong = parties.zip(&read.signatures).find(|(party, signature)| {
            !identities.verify(*party, &message::<S>(&read.attempt, *party), signature)
        });
        wrong.map_or(Ok(read.clone()), |(party, _)| Err(StatementError::BadSignature(party)))
    }

    pub(super) fn put(&self, bytes: &mut Vec<u8>) {
        bytes.push(S::CODE);
        self.attempt.put(bytes);
        self.signatures.iter().for_each(|one| put_signature(bytes, one));
    }

    /// Reads a certificate whose signatures were verified before it was stored, or are verified next.
    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self, StatementError> {
        expect_stage::<S>(reader)?;
        let attempt = Attempt::read(reader)?;
        let signatures = attempt.committee().parties().iter().map(|_| read_signature(reader));
        let signatures = signatures.collect::<Result<Vec<_>, _>>()?;
        Ok(Self { attempt, signatures, stage: PhantomData })
    }
}

/// Two certificates of one stage about one attempt are equivalent, whatever the nonces of their signatures.
impl<S> Hash for Certificate<S> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.attempt.hash(state);
    }
}

impl<S: Stage> fmt::Debug for Certificate<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Certificate").field("attempt", &self.attempt).finish_non_exhaustive()
    }
}
