//! The content of a sealed session: seed, session id, parties, the own messages of each round, events.

use alloc::vec::Vec;

use zeroize::Zeroizing;

use crate::{
    Parties, PartyId, Protocol, Run, SealError, SealKey, Sealed, SessionId, Slot,
    log::{Event, Log},
    round_messages::RoundMessages,
    wire::{Reader, bounded},
};

const ADVANCE: u8 = 0;
const FRAME: u8 = 1;

/// The content, ready to be sealed.
pub(crate) struct Snapshot(Zeroizing<Vec<u8>>);

/// The content, read.
pub(crate) struct Opened<'p> {
    pub(crate) seed: Zeroizing<[u8; 32]>,
    pub(crate) sid: SessionId,
    pub(crate) parties: Parties,
    pub(crate) sent: Vec<RoundMessages>,
    pub(crate) events: Vec<SnapshotEvent<'p>>,
}

pub(crate) enum SnapshotEvent<'p> {
    Frame { from: PartyId, bytes: &'p [u8] },
    Advance,
}

impl Snapshot {
    pub(crate) fn write(run: &Run, log: &Log) -> Self {
        let frames = log.events().iter().map(|event| match event {
            Event::Frame { bytes, .. } => bytes.len() + 7,
            Event::Advance => 1,
        });
        let fixed = run.parties().len() * 2 + 32 + 32 + 2 + 1;
        let lengths = frames.chain(log.sent().iter().map(RoundMessages::len));
        // Room for everything at once: growing would leave copies of the seed behind.
        let room = lengths.fold(fixed, usize::saturating_add);
        let mut out = Zeroizing::new(Vec::with_capacity(room));
        out.extend_from_slice(run.seed());
        out.extend_from_slice(run.sid().as_bytes());
        out.extend_from_slice(&run.parties().count().to_be_bytes());
        run.parties().iter().for_each(|party| out.extend_from_slice(&party.get().to_be_bytes()));
        // Rounds are numbered by a byte: `Protocol::ROUNDS`.
        out.push(bounded(log.sent().len()));
        log.sent().iter().for_each(|sent| sent.write(&mut out));
        for event in log.events() {
            match event {
                Event::Advance => out.push(ADVANCE),
                Event::Frame { from, bytes } => {
                    out.push(FRAME);
                    out.extend_from_slice(&from.get().to_be_bytes());
                    // `Session::begin` has bounded the limits of all messages together.
                    let length: u32 = bounded(bytes.len());
                    out.extend_from_slice(&length.to_be_bytes());
                    out.extend_from_slice(bytes);
                }
            }
        }
        Self(out)
    }

    pub(crate) fn seal<P: Protocol>(&self, key: &SealKey, slot: Slot) -> Sealed {
        Sealed::seal(key, P::CODE, slot, &self.0)
    }

    /// Decrypts it.
    pub(crate) fn open<P: Protocol>(sealed: &Sealed, key: &SealKey) -> Result<Self, SealError> {
        Ok(Self(sealed.unseal(key, (P::NAME, P::CODE))?))
    }

    pub(crate) fn read(&self) -> Result<Opened<'_>, SealError> {
        parse(&self.0)
    }
}

fn parse(plain: &[u8]) -> Result<Opened<'_>, SealError> {
    let mut reader = Reader::new(plain);
    let seed = Zeroizing::new(reader.array()?);
    let sid = SessionId::new(reader.array()?);
    let count = reader.u16()?;
    let mut ids = Vec::with_capacity(count.into());
    for _ in 0..count {
        ids.push(PartyId::new(reader.u16()?).ok_or(SealError::Malformed)?);
    }
    let parties = Parties::new(ids).map_err(|_| SealError::Malformed)?;
    let rounds = reader.u8()?;
    let sent = (0..rounds).map(|_| RoundMessages::read(&mut reader)).collect::<Result<_, _>>()?;
    let mut events = Vec::new();
    while reader.remaining() > 0 {
        events.push(match reader.u8()? {
            ADVANCE => SnapshotEvent::Advance,
            FRAME => {
                let from = PartyId::new(reader.u16()?).ok_or(SealError::Malformed)?;
                let length = usize::try_from(reader.u32()?).map_err(|_| SealError::Malformed)?;
                SnapshotEvent::Frame { from, bytes: reader.bytes(length)? }
            }
            _ => return Err(SealError::Malformed),
        });
    }
    Ok(Opened { seed, sid, parties, sent, events })
}
