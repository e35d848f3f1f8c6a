//! The frame: a header, the echo of the previous round where there is one, and the body.
//! The layout is in the documentation of the crate.
//!
//! A [`Session`](crate::Session) writes and reads frames; this is for whoever looks at them afterwards, as evidence.

use alloc::vec::Vec;

use crate::{Parties, PartyId, Protocol, Round, SessionId, Transcript, wire::Reader};

/// The version of the wire format, first byte of every frame.
pub const VERSION: u8 = 1;
/// Length of the header without the echo.
pub const HEADER: usize = 39;
/// Length of the echo.
pub const ECHO: usize = 32;

/// What the header of a frame says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header {
    /// The version of the wire format.
    pub version: u8,
    /// The [code](Protocol::CODE) of the protocol.
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

    /// The whole frame, with the echo in rounds that follow one with broadcasts.
    #[must_use]
    pub fn frame(&self, echo: Option<&[u8; ECHO]>, body: &[u8]) -> Vec<u8> {
        let mut frame = Vec::with_capacity(HEADER + ECHO + body.len());
        frame.extend_from_slice(&[self.version, self.code, self.round.get()]);
        frame.extend_from_slice(&self.from.get().to_be_bytes());
        frame.extend_from_slice(&self.to.map_or(0, PartyId::get).to_be_bytes());
        frame.extend_from_slice(&self.context);
        frame.extend_from_slice(echo.map_or(&[], |echo| echo.as_slice()));
        frame.extend_from_slice(body);
        frame
    }
}

/// The [context](crate::Run::context) of a run: a digest of what all its parties agree on. `bind` appends what the
/// protocol [binds](Protocol::bind).
pub fn context<P: Protocol>(
    sid: SessionId,
    parties: &Parties,
    bind: impl FnOnce(&mut Transcript),
) -> [u8; 32] {
    let mut transcript = Transcript::new("session");
    transcript.append("sid", sid.as_bytes());
    transcript.append("protocol", P::NAME.as_bytes());
    transcript.append_u64("code", P::CODE.into());
    transcript.append_u64("version", VERSION.into());
    transcript.append_list("parties", parties.iter().map(|party| party.get().to_be_bytes()));
    bind(&mut transcript);
    transcript.finish32()
}

/// As [`Run::transcript`](crate::Run::transcript).
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
    let mut transcript = transcript(context, "echo");
    transcript.append_u64("round", round.get().into());
    transcript.append_list("broadcasts", bodies);
    transcript.finish32()
}
