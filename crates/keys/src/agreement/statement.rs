//! Signed statements of a party about an attempt.

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;

use quorate_session::wire::{Reader, bounded};
use quorate_session::{PartyId, Transcript};

use super::attempt::Attempt;
use super::error::StatementError;
use crate::PackageId;
use crate::wire::{put_party, read_party};

/// The identities of the parties: keys that the application knows from elsewhere, of any kind of signature.
///
/// A closure `|party, message, signature| -> bool` is one.
pub trait Identities {
    /// Returns whether `signature` is this party's on `message`. The answer for an unknown party is `false`.
    fn verify(&self, party: PartyId, message: &[u8], signature: &[u8]) -> bool;
}

impl<T: Fn(PartyId, &[u8], &[u8]) -> bool> Identities for T {
    fn verify(&self, party: PartyId, message: &[u8], signature: &[u8]) -> bool {
        self(party, message, signature)
    }
}

/// One of the two statements of a party about an attempt: [`Prepared`] or [`Committed`].
pub trait Stage: Sealed + Copy + Eq + fmt::Debug {}

/// The seal of [`Stage`].
pub trait Sealed {
    /// The byte of the stage in encodings.
    const CODE: u8;
    /// The beginning of the bytes to sign.
    const NAME: &'static [u8];
}

/// The party has stored its share of the attempt and has voted for it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Prepared {}

/// The party has seen every member's [`Prepared`], and each copy of its store that can be restored has the share.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Committed {}

impl Sealed for Prepared {
    const CODE: u8 = 1;
    const NAME: &'static [u8] = b"quorate-keys agreement v1: prepared\n";
}

impl Sealed for Committed {
    const CODE: u8 = 2;
    const NAME: &'static [u8] = b"quorate-keys agreement v1: committed\n";
}

impl Stage for Prepared {}
impl Stage for Committed {}

/// The longest signature, in bytes.
pub const MAX_SIGNATURE: usize = 8192;

/// The bytes that `party` signs for this statement: the purpose in words, the party (2), and 32 bytes that hash
/// the attempt with its committee.
pub(super) fn message<S: Stage>(attempt: &Attempt, party: PartyId) -> Vec<u8> {
    let mut name = Vec::new();
    attempt.put(&mut name);
    let mut transcript = Transcript::new("quorate-keys agreement");
    transcript.append("attempt", &name);
    let mut message = S::NAME.to_vec();
    put_party(&mut message, party);
    message.extend_from_slice(&transcript.finish32());
    message
}

/// A statement that may be signed and sent now, since everything on which it rests is stored.
#[must_use = "the others wait for this statement: sign it and send it"]
pub struct Unsigned<S> {
    party: PartyId,
    attempt: Attempt,
    stage: PhantomData<S>,
}

impl<S: Stage> Unsigned<S> {
    pub(super) const fn new(party: PartyId, attempt: Attempt) -> Self {
        Self { party, attempt, stage: PhantomData }
    }

    /// The attempt that it is about.
    #[must_use]
    pub const fn attempt(&self) -> &Attempt {
        &self.attempt
    }

    /// Signs it. `sign` gets the bytes to sign, and returns the signature of this party's identity.
    ///
    /// # Errors
    /// [`StatementError::TooLong`] if the signature is longer than [`MAX_SIGNATURE`].
    pub fn sign(&self, sign: impl FnOnce(&[u8]) -> Vec<u8>) -> Result<Signed<S>, StatementError> {
        let signature = sign(&message::<S>(&self.attempt, self.party));
        check_length(signature.len())?;
        let package = self.attempt.package_id();
        Ok(Signed { party: self.party, package, signature, stage: PhantomData })
    }
}

impl<S: Stage> fmt::Debug for Unsigned<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unsigned")
            .field("party", &self.party)
            .field("attempt", &self.attempt)
            .finish_non_exhaustive()
    }
}

/// A signed statement that has not been verified yet. Give it to a [`Tally`](super::Tally).
#[derive(Clone, PartialEq, Eq)]
pub struct Signed<S> {
    party: PartyId,
    package: PackageId,
    signature: Vec<u8>,
    stage: PhantomData<S>,
}

impl<S: Stage> Signed<S> {
    /// The party that the statement names as its author.
    #[must_use]
    pub const fn id(&self) -> PartyId {
        self.party
    }

    /// The attempt that it is about.
    #[must_use]
    pub const fn package_id(&self) -> PackageId {
        self.package
    }

    pub(super) fn into_signature(self) -> Vec<u8> {
        self.signature
    }

    /// `stage (1) ‖ package (68) ‖ party (2) ‖ signature with its length (2)`.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(PackageId::LENGTH + 5 + self.signature.len());
        bytes.push(S::CODE);
        self.package.put(&mut bytes);
        put_party(&mut bytes, self.party);
        put_signature(&mut bytes, &self.signature);
        bytes
    }

    /// Reads a statement that anybody may have carried.
    ///
    /// # Errors
    /// [`StatementError::WrongStage`] if it is a statement of another stage. [`StatementError::TooLong`] if its
    /// signature is longer than [`MAX_SIGNATURE`]. [`StatementError::Malformed`] if the bytes end early or more
    /// follow.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, StatementError> {
        let mut reader = Reader::new(bytes);
        expect_stage::<S>(&mut reader)?;
        let package = PackageId::read(&mut reader)?;
        let party = read_party(&mut reader)?;
        let signature = read_signature(&mut reader)?;
        reader.finish()?;
        Ok(Self { party, package, signature, stage: PhantomData })
    }
}

/// Checks the first byte.
pub(super) fn expect_stage<S: Stage>(reader: &mut Reader<'_>) -> Result<(), StatementError> {
    let got = reader.u8()?;
    if got == S::CODE { Ok(()) } else { Err(StatementError::WrongStage { expected: S::CODE, got }) }
}

/// Checks the length of a signature.
const fn check_length(got: usize) -> Result<(), StatementError> {
    let most = MAX_SIGNATURE;
    if got > most { Err(StatementError::TooLong { most, got }) } else { Ok(()) }
}

/// Appends a signature after its length, which [`check_length`] has bounded.
pub(super) fn put_signature(bytes: &mut Vec<u8>, signature: &[u8]) {
    let length: u16 = bounded(signature.len());
    bytes.extend_from_slice(&length.to_be_bytes());
    bytes.extend_from_slice(signature);
}

pub(super) fn read_signature(reader: &mut Reader<'_>) -> Result<Vec<u8>, StatementError> {
    let got = usize::from(reader.u16()?);
    check_length(got)?;
    Ok(reader.bytes(got)?.to_vec())
}

impl<S: Stage> fmt::Debug for Signed<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Signed")
            .field("party", &self.party)
            .field("package", &self.package)
            .finish_non_exhaustive()
    }
}
