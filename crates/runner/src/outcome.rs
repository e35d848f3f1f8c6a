//! The stored ends of runs.

use alloc::vec::Vec;
use core::fmt;

use quorate_session::wire::{Reader, bounded, index};
use quorate_session::{PartyId, zeroize::Zeroizing};

use crate::{EndKind, Record};

/// The stored end of a run.
#[derive(Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The kind of end.
    pub kind: EndKind,
    /// The application's record of it, encoded: [`record`](Self::record) decodes it. Empty where the application was not
    /// asked, or the record is [forgotten](crate::Runner::forget_record).
    pub record_bytes: Zeroizing<Vec<u8>>,
    /// The peers between whom and this party the store has damaged messages. They may look silent and have sent
    /// everything, or may have waited for what this party has not sent: **do not hold it against them**.
    ///
    /// The list has what this runner found. The runner that was about to send a damaged message finds it, and may be another
    /// one on the same store.
    pub damaged: Vec<PartyId>,
    /// The sealed bytes of a run that was given up unopened: those that are [`Lost`](EndKind::Lost) or
    /// [`Discontinued`](EndKind::Discontinued). They may still hold a key share that other parties rely on.
    pub unopened: Option<Unopened>,
}

/// The record of a run is of another type than the one asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OtherRecord {
    /// The name of the type asked for.
    pub expected: &'static str,
    /// The length of the record, in bytes; 0 if it is forgotten, or nothing was recorded.
    pub length: usize,
}

impl fmt::Display for OtherRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { expected, length } = self;
        match length {
            0 => write!(
                f,
                "expected a record of type {expected}, got none: it was forgotten, or never made"
            ),
            _ => write!(
                f,
                "expected a record of type {expected}, got {length} bytes of another: ask for the application's record of this protocol"
            ),
        }
    }
}

impl core::error::Error for OtherRecord {}

/// The bytes of a run that was given up unopened, as the store had them.
///
/// Where the parameters or the key were missing, or another release has stored them, they still open: the session by
/// [`Session::open`](quorate_session::Session::open). Never send what such a session sends. They are under the key of
/// their time: resealing an outcome leaves them as they are.
#[derive(Clone, PartialEq, Eq)]
pub struct Unopened {
    /// The job, sealed.
    pub job: Vec<u8>,
    /// The session, sealed.
    pub session: Vec<u8>,
}

const KINDS: [EndKind; 5] =
    [EndKind::Done, EndKind::Unconfirmed, EndKind::Stopped, EndKind::Lost, EndKind::Discontinued];

impl Outcome {
    /// The application's record of the end. `R` is the [`App::Record`](crate::App::Record) of the run's protocol.
    ///
    /// # Errors
    /// [`OtherRecord`] if the bytes are no `R`: it is the record of another protocol, or was
    /// [forgotten](crate::Runner::forget_record).
    pub fn record<R: Record>(&self) -> Result<R, OtherRecord> {
        R::from_bytes(&self.record_bytes).ok_or_else(|| OtherRecord {
            expected: core::any::type_name::<R>(),
            length: self.record_bytes.len(),
        })
    }

    /// Kind (1) ‖ number of damaged peers (2) ‖ these (2 each) ‖ whether there is something unopened (1) ‖ job with its
    /// length (4) ‖ session with its length (4) ‖ record.
    pub(crate) fn to_bytes(&self) -> Zeroizing<Vec<u8>> {
        let unopened = self.unopened.as_ref();
        let room = unopened.map_or(0, |of| of.job.len() + of.session.len());
        let room = room + self.damaged.len() * 2 + 12;
        let mut out = Zeroizing::new(Vec::with_capacity(room + self.record_bytes.len()));
        // Its place in `KINDS`.
        out.push(self.kind as u8);
        // Distinct numbers of two bytes.
        out.extend_from_slice(&bounded::<u16>(self.damaged.len()).to_be_bytes());
        self.damaged.iter().for_each(|peer| out.extend_from_slice(&peer.get().to_be_bytes()));
        out.push(u8::from(unopened.is_some()));
        for bytes in unopened.iter().flat_map(|of| [&of.job, &of.session]) {
            // Sealed, in a container, whose length has four bytes.
            out.extend_from_slice(&bounded::<u32>(bytes.len()).to_be_bytes());
            out.extend_from_slice(bytes);
        }
        out.extend_from_slice(&self.record_bytes);
        out
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader::new(bytes);
        let kind = reader.u8().ok()?;
        let kind = *KINDS.get(usize::from(kind))?;
        let count = reader.u16().ok()?;
        let damaged = (0..count).map(|_| PartyId::new(reader.u16().ok()?));
        let damaged = damaged.collect::<Option<_>>()?;
        let unopened = match reader.u8().ok()? {
            0 => None,
            1 => Some(Unopened { job: sized(&mut reader)?, session: sized(&mut reader)? }),
            _ => return None,
        };
        let record_bytes = Zeroizing::new(reader.bytes(reader.remaining()).ok()?.to_vec());
        Some(Self { kind, record_bytes, damaged, unopened })
    }
}

fn sized(reader: &mut Reader<'_>) -> Option<Vec<u8>> {
    let length = index(reader.u32().ok()?);
    Some(reader.bytes(length).ok()?.to_vec())
}

impl fmt::Debug for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outcome")
            .field("kind", &self.kind)
            .field("damaged", &self.damaged)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Unopened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unopened").field("session", &self.session.len()).finish_non_exhaustive()
    }
}
