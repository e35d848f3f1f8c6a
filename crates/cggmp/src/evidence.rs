//! Evidence: frames that show a third party, by public values alone, that somebody misbehaved.
//!
//! A [`Blame`] of [`Keygen`](crate::Keygen), [`AuxInfoGen`](crate::AuxInfoGen),
//! [`Presign`](crate::Presign), [`PresignMany`](crate::PresignMany) or [`Sign`](crate::Sign) carries the culprit's frames, and the broadcasts of all others in the
//! rounds before. [`Evidence::verify`] does again what the accuser did, without its secrets.
//!
//! The culprit itself attests to the broadcasts of the others: its frames carry the digest of all that it
//! saw. So a third party is convinced if the transport signs the culprit's frames; those of others need no
//! signatures. Without them the third party has to trust the accuser for the frames.
//!
//! Not everything can be shown: a party sees factors in common with its own moduli before any other has
//! attested to those. A wrong [`SignatureShare`](crate::SignatureShare) needs no evidence but
//! [`PresignatureInfo::verify_share`](crate::PresignatureInfo::verify_share).

mod aux_info;
mod finding;
mod frames;
mod judge;
mod keygen;
mod log;
mod signing;
#[cfg(test)]
mod tests;

pub use aux_info::AuxInfoRun;
pub use judge::PublicRun;
pub use keygen::KeygenRun;
pub use signing::{SigningGoal, SigningRun};

use alloc::vec::Vec;
use core::fmt;

use quorate_bignum::Engine;
use quorate_session::wire::{TooLong, bounded, index, narrow};
use quorate_session::{Blame, Fault, PartyId};

use self::finding::Finding;
use crate::wire::{EVIDENCE, read_party};
use crate::{DecodeError, MAX_PARTIES};

/// No protocol here has more rounds.
const MAX_ROUNDS: usize = 5;

/// The frames that show a fault of a party.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Evidence {
    culprit: PartyId,
    frames: quorate_session::Evidence,
}

/// The reason why the frames show no fault of the accused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum NotShown {
    /// The frames are of another run, or the accused took no part in this one.
    OtherRun,
    /// There are more frames than two parties together could have received in a run.
    TooLarge,
    /// A frame that the verdict depends on is missing, is not the one that the accused has attested
    /// to, or is not in order itself.
    Incomplete,
    /// The messages of the accused in its last round are in order.
    InOrder,
    /// The verifier could not finish its own computation: a defect here, which proves nothing about
    /// the accused.
    Unclear,
}

impl fmt::Display for NotShown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OtherRun => "the frames are not of this run, or the accused took no part in it",
            Self::TooLarge => "more frames than a run of these parties has",
            Self::Incomplete => "frames that the verdict depends on are missing or not attested to",
            Self::InOrder => "the frames of the accused are in order",
            Self::Unclear => "the verifier failed, which says nothing about the accused",
        })
    }
}

impl core::error::Error for NotShown {}

impl Evidence {
    /// These frames, against this party.
    ///
    /// # Errors
    /// [`TooLong`] for frames that together have 2^32 bytes or more, which the stored form cannot hold.
    pub fn new(culprit: PartyId, frames: quorate_session::Evidence) -> Result<Self, TooLong> {
        check_length(frames.frames.iter().map(|(_, frame)| frame.len()))?;
        Ok(Self { culprit, frames })
    }

    /// The evidence of a blame; none if there is nothing to show.
    #[must_use]
    pub fn from_blame(blame: &Blame) -> Option<Self> {
        // The frames of a session are bounded far below what the stored form holds.
        Self::new(blame.party, blame.evidence.clone()?).ok()
    }

    /// The accused.
    #[must_use]
    pub const fn culprit(&self) -> PartyId {
        self.culprit
    }

    /// The frames, those of the accused and of others.
    #[must_use]
    pub const fn frames(&self) -> &quorate_session::Evidence {
        &self.frames
    }

    /// The fault that the frames of the accused in its last round show. A pure function of the frames and of
    /// the public values of the run. Its time is proportional to the length of the frames, plus that of
    /// verifying the messages of one party in one round.
    ///
    /// # Errors
    /// [`NotShown`], with the reason.
    pub fn verify(&self, run: &impl PublicRun) -> Result<Fault, NotShown> {
        let terms = run.terms();
        let (parties, frames) = (terms.parties, &self.frames.frames);
        if frames.len() > max_frames(parties.len(), terms.limits.len()) {
            return Err(NotShown::TooLarge);
        }
        if self.frames.context != terms.binding.context || !parties.contains(self.culprit) {
            return Err(NotShown::OtherRun);
        }
        if self.frames.proves_equivocation(self.culprit)
            || frames::two_echoes(frames, self.culprit, &terms)
        {
            return Ok(Fault::Equivocation);
        }
        let log = frames::read(frames, self.culprit, &terms).ok_or(NotShown::Incomplete)?;
        match run.judge(&Engine::detect(), &log) {
            Err(Finding::Fault(fault)) => Ok(fault),
            Err(Finding::Incomplete) => Err(NotShown::Incomplete),
            Err(Finding::Internal) => Err(NotShown::Unclear),
            Ok(()) => Err(NotShown::InOrder),
        }
    }

    /// The stored form: culprit ‖ context ‖ for each frame sender ‖ length (4) ‖ frame. Frames to
    /// one party hold data that was confidential between the two.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = EVIDENCE.start(0);
        bytes.extend_from_slice(&self.culprit.get().to_be_bytes());
        bytes.extend_from_slice(&self.frames.context);
        for (party, frame) in &self.frames.frames {
            bytes.extend_from_slice(&party.get().to_be_bytes());
            // `check_length` has bounded all of them together.
            let length: u32 = bounded(frame.len());
            bytes.extend_from_slice(&length.to_be_bytes());
            bytes.extend_from_slice(frame);
        }
        EVIDENCE.end_public(bytes)
    }

    /// Reads a stored form, in time proportional to its length.
    ///
    /// # Errors
    /// A [`DecodeError`] that says what is wrong; [`DecodeError::TooLong`] for more frames than two
    /// of [`MAX_PARTIES`] could have received in any run.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        let (_, mut reader) = EVIDENCE.open(bytes)?;
        let culprit = read_party(&mut reader)?;
        let context = reader.array()?;
        let mut frames = Vec::new();
        while reader.remaining() > 0 {
            if frames.len() >= max_frames(MAX_PARTIES, MAX_ROUNDS) {
                return Err(DecodeError::TooLong);
            }
            let party = read_party(&mut reader)?;
            let length = index(reader.u32()?);
            frames.push((party, reader.bytes(length)?.into()));
        }
        Ok(Self { culprit, frames: quorate_session::Evidence { context, frames } })
    }
}

/// Checks that the stored form can hold frames of these lengths.
fn check_length(frames: impl Iterator<Item = usize>) -> Result<(), TooLong> {
    let all = frames.fold(2 + 32, |sum: usize, frame| sum.saturating_add(frame).saturating_add(6));
    narrow::<u32>(all).map(drop)
}

/// The most frames that two parties together can have received and sent in a run: in each
/// round a broadcast of every party and a message from the accused.
const fn max_frames(parties: usize, rounds: usize) -> usize {
    parties.saturating_add(1).saturating_mul(2 * rounds)
}
