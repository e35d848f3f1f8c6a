//! Evidence: what shows a third party, by public values alone, that somebody misbehaved.
//!
//! A [`Blame`] of [`AuxInfoGen`](crate::AuxInfoGen), [`Presign`](crate::Presign) or
//! [`Sign`](crate::Sign) carries the culprit's frames, and the broadcasts of all others in the
//! rounds before. [`Evidence::verify`] does again what the accuser did, without its secrets.
//!
//! What the others broadcast, the culprit attests itself: its frames carry the digest of all that it
//! saw. So it takes signatures of the culprit's frames, by the transport, and of nobody else's, for
//! a third party to be convinced. Without them it has the accuser's word for the frames.
//!
//! Not everything can be shown: wrong shares of a [key generation](crate::Keygen) are between two
//! parties and confidential; factors in common with the moduli of one's own are seen before anybody
//! has attested to those. A wrong [`PartialSignature`](crate::PartialSignature) needs no more than
//! [`PresignatureInfo::verify_partial`](crate::PresignatureInfo::verify_partial).

mod aux_info;
mod log;
mod signing;

pub use aux_info::AuxInfoRun;
pub use signing::SigningRun;

use alloc::vec::Vec;
use core::fmt;

use quorate_bignum::Engine;
use quorate_curve::Curve;
use quorate_session::{Blame, Fault, PartyId};
use quorate_zk::{Claim, verify_many};

use self::log::Log;
use crate::DecodeError;
use crate::wire::{self, Kind, read_party, truncated};

/// The frames that show what a party did, and who it was.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Evidence {
    culprit: PartyId,
    frames: quorate_session::Evidence,
}

/// The frames do not show a fault of the accused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotShown;

impl fmt::Display for NotShown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the frames do not show a fault of the accused")
    }
}

impl core::error::Error for NotShown {}

/// What everybody may know of a run: [`SigningRun`] or [`AuxInfoRun`].
pub trait PublicRun: sealed::Judge {}

impl<R: sealed::Judge> PublicRun for R {}

mod sealed {
    use quorate_bignum::Engine;
    use quorate_session::Parties;

    use super::Finding;
    use super::log::Log;
    use crate::proofs::Names;

    /// Does again what whoever got the messages did.
    pub trait Judge {
        #[doc(hidden)]
        fn parties(&self) -> &Parties;
        #[doc(hidden)]
        fn code(&self) -> u8;
        #[doc(hidden)]
        #[allow(private_interfaces, reason = "nobody else implements it")]
        fn names(&self) -> Names;
        #[doc(hidden)]
        #[allow(private_interfaces, reason = "nobody else implements it")]
        fn judge(&self, engine: &Engine, log: &Log<'_>) -> Result<(), Finding>;
    }
}

/// What stands in the way of a message being in order.
pub(crate) enum Finding {
    Fault(Fault),
    /// Something is missing, or what others sent is not in order.
    Unclear,
}

impl From<Fault> for Finding {
    fn from(fault: Fault) -> Self {
        Self::Fault(fault)
    }
}

impl Evidence {
    /// These frames, against this party.
    #[must_use]
    pub const fn new(culprit: PartyId, frames: quorate_session::Evidence) -> Self {
        Self { culprit, frames }
    }

    /// The evidence of a blame; none where there is nothing to show.
    #[must_use]
    pub fn of(blame: &Blame) -> Option<Self> {
        Some(Self::new(blame.party, blame.evidence.clone()?))
    }

    /// The accused.
    #[must_use]
    pub const fn culprit(&self) -> PartyId {
        self.culprit
    }

    /// All frames, those of the accused and of others.
    #[must_use]
    pub const fn frames(&self) -> &quorate_session::Evidence {
        &self.frames
    }

    /// Whether the frames of the accused in its last round are at fault, and for what. A pure
    /// function of the frames and of what is public of the run.
    ///
    /// # Errors
    /// [`NotShown`] if they are in order, are of another run, or cannot be judged since others are
    /// missing.
    pub fn verify(&self, engine: &Engine, run: &impl PublicRun) -> Result<Fault, NotShown> {
        let names = run.names();
        if self.frames.context != names.context || !run.parties().contains(self.culprit) {
            return Err(NotShown);
        }
        if self.frames.proves_equivocation(self.culprit) {
            return Ok(Fault::Equivocation);
        }
        let log = Log::read(&self.frames.frames, self.culprit, (names, run.code()), run.parties());
        match run.judge(engine, &log.ok_or(NotShown)?) {
            Err(Finding::Fault(fault)) => Ok(fault),
            Err(Finding::Unclear) | Ok(()) => Err(NotShown),
        }
    }

    /// The stored form: culprit ‖ context ‖ for each frame sender ‖ length (4) ‖ frame. Frames to
    /// one party hold what was confidential between the two.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = wire::start_with(Kind::Evidence, 0, 0);
        bytes.extend_from_slice(&self.culprit.get().to_be_bytes());
        bytes.extend_from_slice(&self.frames.context);
        for (party, frame) in &self.frames.frames {
            bytes.extend_from_slice(&party.get().to_be_bytes());
            let length = u32::try_from(frame.len()).unwrap_or(u32::MAX);
            bytes.extend_from_slice(&length.to_be_bytes());
            bytes.extend_from_slice(frame);
        }
        wire::end(&mut bytes);
        core::mem::take(&mut *bytes)
    }

    /// Reads a stored form.
    ///
    /// # Errors
    /// A [`DecodeError`] that says what is wrong.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut reader = wire::open_with(bytes, Kind::Evidence, 0)?;
        let culprit = read_party(&mut reader)?;
        let context = reader.array().map_err(truncated)?;
        let mut frames = Vec::new();
        while reader.remaining() > 0 {
            let party = read_party(&mut reader)?;
            let length = usize::try_from(reader.u32().map_err(truncated)?).map_err(truncated)?;
            frames.push((party, reader.bytes(length).map_err(truncated)?.to_vec()));
        }
        Ok(Self { culprit, frames: quorate_session::Evidence { context, frames } })
    }
}

/// Verifies proofs of one party: the first fault.
fn verify<C: Curve>(
    engine: &Engine,
    claims: Vec<Result<Claim<'_, C>, quorate_zk::Fault>>,
) -> Result<(), Finding> {
    for verdict in verify_many(engine, claims) {
        verdict.map_err(Fault::from)?;
    }
    Ok(())
}
