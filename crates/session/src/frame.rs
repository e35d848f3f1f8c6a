//! The frame: a header, the echo of the previous round where there is one, and the body.
//! The layout is in the documentation of the crate.

use alloc::vec::Vec;

use crate::{PartyId, Round, wire::Reader};

/// The version of the wire format, first byte of every frame.
pub(crate) const VERSION: u8 = 1;
/// Length of the header without the echo.
pub(crate) const HEADER: usize = 39;
/// Length of the echo.
pub(crate) const ECHO: usize = 32;

/// What the header of a frame says.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) version: u8,
    pub(crate) code: u8,
    pub(crate) round: Round,
    pub(crate) from: PartyId,
    /// `None` for a broadcast.
    pub(crate) to: Option<PartyId>,
    pub(crate) context: [u8; 32],
}

impl Header {
    /// Reads the header, or `None` if the frame cannot have one.
    pub(crate) fn parse(frame: &[u8]) -> Option<Self> {
        let mut reader = Reader::new(frame);
        let [version, code, round] = reader.array().ok()?;
        let from = PartyId::new(reader.u16().ok()?)?;
        let to = PartyId::new(reader.u16().ok()?);
        let context = reader.array().ok()?;
        Some(Self { version, code, round: Round(round), from, to, context })
    }

    /// The whole frame.
    pub(crate) fn frame(&self, echo: Option<&[u8; ECHO]>, body: &[u8]) -> Vec<u8> {
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
