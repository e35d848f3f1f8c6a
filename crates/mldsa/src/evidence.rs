//! Evidence: frames that show to a third party, by public values alone, that a signer misbehaved.
//!
//! A [`Blame`](quorate_session::Blame) of [`Sign`] carries the culprit's frames and the broadcasts of all other
//! parties in the rounds before. The culprit attests to those broadcasts itself, since its frames carry the digest
//! of all that it saw. So a third party is convinced by the transport's signatures of the culprit's frames alone.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::fmt;

#[cfg(not(target_has_atomic = "ptr"))]
use alloc::rc::Rc as Shared;
#[cfg(target_has_atomic = "ptr")]
use alloc::sync::Arc as Shared;

use quorate_session::frame::{self, HEADER, Header, PREFIX};
use quorate_session::{
    BodyDigest, Evidence, Fault, Parties, PartyId, PerParty, Protocol, Round, Session, SessionId,
};

use crate::message::MessageRepresentative;
use crate::package::PublicKeyPackage;
use crate::packing::all_full;
use crate::sign::Sign;
use crate::sign::terms::{Terms, bind, limits};
use crate::sign::view::{View, read_commitment, read_opening};

/// The reason why the frames show no fault of the accused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum NotShown {
    /// The frames belong to another run, or the accused took no part in this one.
    OtherRun,
    /// More frames than two parties together could have received in a run.
    TooLarge,
    /// A frame that the verdict depends on is missing, or is not the one to which the accused has attested.
    Incomplete,
    /// The message of the accused in its last round is in order.
    InOrder,
}

impl fmt::Display for NotShown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OtherRun => "the frames are not of this run, or the accused took no part in it",
            Self::TooLarge => "more frames than a run of these parties has",
            Self::Incomplete => "frames that the verdict depends on are missing or not attested to",
            Self::InOrder => "the frames of the accused are in order",
        })
    }
}

impl core::error::Error for NotShown {}

/// The public description of a run of [`Sign`].
#[derive(Clone, Debug)]
pub struct SigningRun {
    /// The session id of the run.
    pub sid: SessionId,
    /// The parties that took part.
    pub signers: Parties,
    /// The public side of the key.
    pub public: PublicKeyPackage,
    /// The message representative that was signed.
    pub mu: MessageRepresentative,
}

/// The prefix and the body of each broadcast, by round and sender.
type Broadcasts<'e> = BTreeMap<(u8, PartyId), (&'e [u8], &'e [u8])>;

impl SigningRun {
    /// Returns the fault in the last message of the accused. It repeats the check of the receivers, in time
    /// proportional to the length of the frames.
    ///
    /// # Errors
    /// [`NotShown`], with the reason.
    pub fn verify(&self, accused: PartyId, evidence: &Evidence) -> Result<Fault, NotShown> {
        let bound = Session::<Sign>::bound(self.sid, &self.signers, |binding| {
            bind(&self.public, &self.mu, binding);
        });
        let context = bound.context();
        if evidence.context != context || !self.signers.contains(accused) {
            return Err(NotShown::OtherRun);
        }
        if evidence.frames.len() > (self.signers.len() + 1) * 2 * usize::from(Sign::ROUNDS) {
            return Err(NotShown::TooLarge);
        }
        if evidence.proves_equivocation(accused) {
            return Ok(Fault::Equivocation);
        }
        let broadcasts = self.broadcasts(&context, evidence);
        let own = broadcasts.keys().filter(|(_, from)| *from == accused);
        let round = own.map(|(round, _)| *round).max().ok_or(NotShown::Incomplete)?;
        let verdict =
            self.judge(&context, accused, round, &broadcasts).ok_or(NotShown::Incomplete)?;
        verdict.err().ok_or(NotShown::InOrder)
    }

    /// The frames that fit the run, each under the name of its sender. Of several frames for one place, the first
    /// is taken.
    fn broadcasts<'e>(&self, context: &[u8; 32], evidence: &'e Evidence) -> Broadcasts<'e> {
        let mut broadcasts = Broadcasts::new();
        for (from, bytes) in &evidence.frames {
            let Some(header) = Header::parse(bytes) else { continue };
            let (version, code) = (frame::VERSION, Sign::CODE);
            let expected =
                Header { version, code, from: *from, to: None, context: *context, ..header };
            let rest = bytes.get(HEADER..).and_then(|rest| rest.split_at_checked(PREFIX));
            let Some((prefix, body)) = rest else { continue };
            let Round(round) = header.round;
            let fits = (1..=Sign::ROUNDS).contains(&round)
                && body.len() <= limits(&self.public.set, header.round).broadcast;
            if header == expected && fits && self.signers.contains(*from) {
                broadcasts.entry((round, *from)).or_insert((prefix, body));
            }
        }
        broadcasts
    }

    /// The verdict on the message of the accused in a round; `None` if a frame is missing or not attested to.
    fn judge(
        &self,
        context: &[u8; 32],
        accused: PartyId,
        round: u8,
        broadcasts: &Broadcasts<'_>,
    ) -> Option<Result<(), Fault>> {
        for before in 1..round {
            let bodies = self.bodies(before, broadcasts)?;
            let (prefix, _) = broadcasts.get(&(before.saturating_add(1), accused))?;
            if *prefix != frame::echo(context, Round(before), bodies.values()) {
                return None;
            }
        }
        let (_, body) = broadcasts.get(&(round, accused))?;
        let terms = || Terms::new(Shared::new(self.public.clone()), &self.signers, self.mu).ok();
        Some(match round {
            1 => read_commitment(body).map(drop),
            2 => {
                let (_, committed) = broadcasts.get(&(1, accused))?;
                let committed = read_commitment(committed).ok()?;
                let opening = (*body, BodyDigest::of(body));
                read_opening(&self.public.set, context, accused, &committed, opening).map(drop)
            }
            _ => {
                let terms = terms()?;
                let bodies = self.bodies(2, broadcasts)?;
                let openings = bodies.iter().map(|(party, body)| Some((party, all_full(body)?)));
                let openings = openings.collect::<Option<Vec<_>>>()?;
                let view = View::new(&terms, PerParty::from_iter(openings))?;
                view.verify_response(&terms, accused, body).map(drop)
            }
        })
    }

    /// The broadcasts of all parties in a round, if they are all there.
    fn bodies<'e>(&self, round: u8, broadcasts: &Broadcasts<'e>) -> Option<PerParty<&'e [u8]>> {
        let body = |party| Some((party, broadcasts.get(&(round, party))?.1));
        self.signers.iter().map(body).collect::<Option<Vec<_>>>().map(PerParty::from_iter)
    }
}
