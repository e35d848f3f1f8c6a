//! The frame: a header, the echo of the previous round where there is one, and the body.
//! The layout is in the documentation of the crate.
//!
//! A [`Session`](crate::Session) writes and reads frames; this module is for code that looks at them
//! afterwards, as evidence.

use alloc::vec::Vec;

use crate::{BodyDigest, PartyId, Round, Transcript, wire::Reader};

/// The version of the wire format, first byte of every frame.
pub const VERSION: u8 = 1;
/// Length of the header, without the prefix or echo before the body.
pub const HEADER: usize = 39;
/// Length of the echo.
pub const ECHO: usize = PREFIX;
/// Length of the bytes between header and body: in round 1 the items that the parties
/// [agree on](crate::Bound::prefix), later the echo of the round before, if that had broadcasts.
pub const PREFIX: usize = 32;

/// Length of the [tag](Tag) of a session id.
pub const TAG: usize = 4;

/// The bytes between header and body of a frame of round 1. Not secret.
pub type Prefix = [u8; PREFIX];
/// The first bytes of a [`Prefix`]: those of a digest of the session id, whatever the parameters are. Two session ids
/// may have the same.
pub type Tag = [u8; TAG];

/// The prefix of a frame of round 1, or `None` if it is of another round or too short.
#[must_use]
pub fn opening(frame: &[u8]) -> Option<Prefix> {
    let header = Header::parse(frame)?;
    let prefix = frame.get(HEADER..)?.first_chunk()?;
    (header.round == Round::FIRST).then_some(*prefix)
}

/// The tag of the session id in a prefix.
#[must_use]
pub fn tag(prefix: &Prefix) -> Tag {
    prefix.first_chunk().copied().unwrap_or_default()
}

/// The header of a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header {
    /// The version of the wire format.
    pub version: u8,
    /// The [code](crate::Protocol::CODE) of the protocol.
    pub code: u8,
    /// The round of the message.
    pub round: Round,
    /// The sender.
    pub from: PartyId,
    /// `None` for a broadcast.
    pub to: Option<PartyId>,
    /// The [context](crate::Run::context) of the run.
    pub context: [u8; 32],
}

impl Header {
    /// Reads the header of a frame, or `None` if the frame cannot have one.
    #[must_use]
    pub fn parse(frame: &[u8]) -> Option<Self> {
        let mut reader = Reader::new(frame);
        let [version, code, round] = reader.array().ok()?;
        let from = PartyId::new(reader.u16().ok()?)?;
        let to = PartyId::new(reader.u16().ok()?);
        let context = reader.array().ok()?;
        Some(Self { version, code, round: Round(round), from, to, context })
    }

    /// The whole frame, with what stands between header and body: [`PREFIX`] says in which rounds.
    #[must_use]
    pub fn frame(&self, prefix: Option<&[u8; PREFIX]>, body: &[u8]) -> Vec<u8> {
        let mut frame = Vec::new();
        self.frame_into(&mut frame, prefix, body);
        frame
    }

    /// Appends the whole frame to a buffer of the caller.
    pub fn frame_into(&self, out: &mut Vec<u8>, prefix: Option<&[u8; PREFIX]>, body: &[u8]) {
        out.reserve(HEADER + PREFIX + body.len());
        out.extend_from_slice(&[self.version, self.code, self.round.get()]);
        out.extend_from_slice(&self.from.get().to_be_bytes());
        out.extend_from_slice(&self.to.map_or(0, PartyId::get).to_be_bytes());
        out.extend_from_slice(&self.context);
        out.extend_from_slice(prefix.map_or(&[], |prefix| prefix.as_slice()));
        out.extend_from_slice(body);
    }
}

/// The transcript of [`Run::transcript`](crate::Run::transcript), for a context that is known.
#[must_use]
pub fn transcript(context: &[u8; 32], domain: &'static str) -> Transcript {
    let mut transcript = Transcript::new(domain);
    transcript.append("context", context);
    transcript
}

/// The echo of a round: a digest of the bodies of all its broadcasts, by ascending sender.
pub fn echo<B: AsRef<[u8]>>(
    context: &[u8; 32],
    round: Round,
    bodies: impl IntoIterator<Item = B>,
) -> [u8; ECHO] {
    echo_of(context, round, bodies.into_iter().map(|body| BodyDigest::of(body.as_ref())))
}

/// The [`echo`] of a round by the digests of its broadcasts.
pub(crate) fn echo_of(
    context: &[u8; 32],
    round: Round,
    broadcasts: impl IntoIterator<Item = BodyDigest>,
) -> [u8; ECHO] {
    let mut transcript = transcript(context, "echo");
    transcript.append_u64("round", round.get().into());
    transcript.append_list("broadcasts", broadcasts);
    transcript.finish32()
}
