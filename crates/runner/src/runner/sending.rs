//! Packets on their way out.

use alloc::vec::Vec;
use core::fmt;

use quorate_session::frame::Header;
use quorate_session::zeroize::Zeroizing;
use quorate_session::{PartyId, Protocol};

use super::{Error, Runner};
use crate::Time;
use crate::packet::{self, MAX_IDS};
use crate::store::{Due, Store};
use crate::work::OUTBOX;

/// A packet for a peer. **Confidential**: encrypt it to that peer. Wiped when dropped.
pub struct OutgoingPacket {
    /// The recipient.
    pub to: PartyId,
    /// The packet, for [`Runner::receive`] there.
    pub bytes: Zeroizing<Vec<u8>>,
}

impl fmt::Debug for OutgoingPacket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OutgoingPacket")
            .field("to", &self.to)
            .field("bytes", &self.bytes.len())
            .finish()
    }
}

impl<P: Protocol, S: Store, A> Runner<P, S, A> {
    /// The packets to be sent now: acknowledgements, and at most so many messages whose time has come. A message comes
    /// again, later each time, until its recipient acknowledges it, so a packet that could not be sent may be dropped.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub fn outgoing(
        &mut self,
        now: Time,
        most: usize,
    ) -> Result<Vec<OutgoingPacket>, Error<S::Error>> {
        self.store.prune(now).map_err(Error::Store)?;
        let letters = self.store.due(now, &self.bounds, most).map_err(Error::Store)?;
        let mut parcels = Vec::new();
        for (to, ids) in core::mem::take(&mut self.acknowledgements) {
            let ids: Vec<_> = ids.into_iter().collect();
            parcels.extend(ids.chunks(MAX_IDS).map(|ids| {
                let bytes = Zeroizing::new(packet::acknowledge(ids));
                OutgoingPacket { to, bytes }
            }));
        }
        parcels.extend(letters.iter().filter_map(|letter| self.open(letter)));
        let sent = u64::try_from(parcels.len()).unwrap_or(u64::MAX);
        self.metrics.sent = self.metrics.sent.saturating_add(sent);
        Ok(parcels)
    }

    /// The moment at which something is due, if nothing comes before: a message or a deadline.
    ///
    /// # Errors
    /// [`Error::Store`].
    pub fn next_due(&mut self) -> Result<Option<Time>, Error<S::Error>> {
        self.store.next().map_err(Error::Store)
    }

    /// A message, unless it was altered in the store, or is another recipient's.
    fn open(&self, letter: &Due) -> Option<OutgoingPacket> {
        let bytes = self.key.open_bytes(OUTBOX, &letter.sealed).ok()?;
        let header = bytes.split_first().and_then(|(_, frame)| Header::parse(frame));
        let only = header.filter(|header| header.from == self.me).and_then(|header| header.to);
        let fits = packet::id(&bytes) == letter.id && only.is_none_or(|only| only == letter.to);
        fits.then_some(OutgoingPacket { to: letter.to, bytes })
    }
}
