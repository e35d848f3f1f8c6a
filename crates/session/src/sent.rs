//! The own messages of a round: as a protocol gives them, and as the log keeps them.

use alloc::vec::Vec;
use core::fmt;

use quorate_declassify::declassify;
use zeroize::Zeroizing;

use crate::{PartyId, SealError, wire::Reader};

/// The messages of a party for one round. `Debug` prints lengths only.
#[derive(Default)]
pub struct Outbox {
    /// To everyone.
    pub broadcast: Option<Vec<u8>>,
    /// To one party each, confidential.
    pub direct: Vec<(PartyId, Vec<u8>)>,
    /// To this party itself, never sent: secrets that would take long to compute again when the session is opened. It
    /// is sealed with the session, and comes back in [`Run::recalled`](crate::Run::recalled). Empty unless the protocol says otherwise.
    pub note: Zeroizing<Vec<u8>>,
}

impl Outbox {
    /// A broadcast and nothing else.
    #[must_use]
    pub fn broadcast(body: Vec<u8>) -> Self {
        Self::new(Some(body), Vec::new())
    }

    /// A broadcast, if there is one, and messages to one party each.
    #[must_use]
    pub fn new(broadcast: Option<Vec<u8>>, direct: Vec<(PartyId, Vec<u8>)>) -> Self {
        Self { broadcast, direct, note: Zeroizing::new(Vec::new()) }
    }
}

impl fmt::Debug for Outbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outbox")
            .field("broadcast", &self.broadcast.as_ref().map(Vec::len))
            .field("direct", &self.direct.len())
            .finish()
    }
}

/// The bodies of a round's messages, and the note that goes with them. All but the broadcast are wiped when dropped.
///
/// Two are compared by [`Sent::is_same`]: a comparison that stops at the first byte that differs would take the longer the
/// more of the secrets agrees.
pub(crate) struct Sent {
    pub(crate) broadcast: Option<Vec<u8>>,
    pub(crate) direct: Vec<(PartyId, Zeroizing<Vec<u8>>)>,
    note: Zeroizing<Vec<u8>>,
}

impl From<Outbox> for Sent {
    fn from(Outbox { broadcast, direct, note }: Outbox) -> Self {
        let direct = direct.into_iter().map(|(to, body)| (to, Zeroizing::new(body)));
        Self { broadcast, direct: direct.collect(), note }
    }
}

impl Sent {
    /// The messages once more.
    pub(crate) fn outbox(&self) -> Outbox {
        let direct = self.direct.iter().map(|(to, body)| (*to, body.to_vec()));
        Outbox {
            broadcast: self.broadcast.clone(),
            direct: direct.collect(),
            note: self.note.clone(),
        }
    }

    /// Whether both are the same messages with the same note. Its time depends on lengths and recipients alone.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let recipients = |sent: &Self| sent.direct.iter().map(|(to, _)| *to).collect::<Vec<_>>();
        if self.broadcast.is_some() != other.broadcast.is_some()
            || recipients(self) != recipients(other)
        {
            return false;
        }
        let same = self.bodies().zip(other.bodies());
        same.fold(true, |same, (own, others)| same & are_equal(own, others))
    }

    /// The broadcast, if there is one, the messages to one party each, and the note.
    fn bodies(&self) -> impl Iterator<Item = &[u8]> {
        let direct = self.direct.iter().map(|(_, body)| body.as_slice());
        self.broadcast.as_deref().into_iter().chain(direct).chain([self.note.as_slice()])
    }

    /// What the party told itself.
    pub(crate) fn note(&self) -> &[u8] {
        &self.note
    }

    /// The number of bytes that [`Self::write`] appends.
    pub(crate) fn len(&self) -> usize {
        let direct = self.direct.iter().map(|(_, body)| body.len().saturating_add(6));
        let broadcast = self.broadcast.as_ref().map_or(0, |body| body.len().saturating_add(4));
        let lengths = direct.chain([broadcast, self.note.len(), 1 + 2 + 4]);
        lengths.fold(0, usize::saturating_add)
    }

    /// Appends: whether there is a broadcast (1) ‖ broadcast ‖ number of direct messages (2) ‖ recipient (2) and body of
    /// each ‖ note. Bodies and the note have their length (4) in front.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        out.push(u8::from(self.broadcast.is_some()));
        self.broadcast.iter().for_each(|body| write(out, body));
        // At most one for each other party, of which there are fewer than 65 536.
        let count = u16::try_from(self.direct.len()).unwrap_or(u16::MAX);
        out.extend_from_slice(&count.to_be_bytes());
        for (to, body) in &self.direct {
            out.extend_from_slice(&to.get().to_be_bytes());
            write(out, body);
        }
        write(out, &self.note);
    }

    pub(crate) fn read(reader: &mut Reader<'_>) -> Result<Self, SealError> {
        let broadcast = match reader.u8()? {
            0 => None,
            1 => Some(body(reader)?.to_vec()),
            _ => return Err(SealError::Malformed),
        };
        let mut direct = Vec::new();
        for _ in 0..reader.u16()? {
            let to = PartyId::new(reader.u16()?).ok_or(SealError::Malformed)?;
            direct.push((to, Zeroizing::new(body(reader)?.to_vec())));
        }
        let note = Zeroizing::new(body(reader)?.to_vec());
        Ok(Self { broadcast, direct, note })
    }
}

/// Whether two strings are equal. All bytes are looked at, and only the outcome is told.
fn are_equal(one: &[u8], other: &[u8]) -> bool {
    let differ = one.iter().zip(other).fold(0, |differ, (one, other)| differ | (one ^ other));
    one.len() == other.len() && declassify(core::hint::black_box(differ) == 0)
}

fn write(out: &mut Vec<u8>, body: &[u8]) {
    // Bodies are bounded by the limits of their round, far below this.
    let length = u32::try_from(body.len()).unwrap_or(u32::MAX);
    out.extend_from_slice(&length.to_be_bytes());
    out.extend_from_slice(body);
}

fn body<'r>(reader: &mut Reader<'r>) -> Result<&'r [u8], SealError> {
    let length = usize::try_from(reader.u32()?).map_err(|_| SealError::Malformed)?;
    Ok(reader.bytes(length)?)
}

#[cfg(test)]
mod tests {
    use core::marker::PhantomData;

    use super::*;

    struct Probe<T>(PhantomData<T>);

    trait Otherwise {
        const COMPARES_BYTES: bool = false;
    }

    impl<T> Otherwise for Probe<T> {}

    impl<T: PartialEq> Probe<T> {
        const COMPARES_BYTES: bool = true;
    }

    fn sent(broadcast: Option<&[u8]>, direct: &[(u16, &[u8])], note: &[u8]) -> Sent {
        let party = |to: u16| PartyId::new(to).unwrap_or(PartyId::MIN);
        let direct = direct.iter().map(|(to, body)| (party(*to), body.to_vec())).collect();
        let outbox = Outbox::new(broadcast.map(<[u8]>::to_vec), direct);
        Sent::from(Outbox { note: Zeroizing::new(note.to_vec()), ..outbox })
    }

    #[test]
    fn messages_sent_are_compared_as_a_whole() {
        // No `==`, which would stop early.
        const { assert!(Probe::<[u8; 32]>::COMPARES_BYTES && !Probe::<Sent>::COMPARES_BYTES) };
        let one = || sent(Some(b"all"), &[(1, b"one"), (2, b"two")], b"note");
        assert!(one().is_same(&one()));
        for other in [
            sent(Some(b"alk"), &[(1, b"one"), (2, b"two")], b"note"),
            sent(None, &[(1, b"one"), (2, b"two")], b"note"),
            sent(Some(b"all"), &[(1, b"one"), (3, b"two")], b"note"),
            sent(Some(b"all"), &[(1, b"one"), (2, b"twp")], b"note"),
            sent(Some(b"all"), &[(1, b"onet"), (2, b"wo")], b"note"),
            sent(Some(b"all"), &[(1, b"one")], b"note"),
            sent(Some(b"all"), &[(1, b"one"), (2, b"two")], b"notf"),
            sent(Some(b"all"), &[(1, b"one"), (2, b"two")], b""),
        ] {
            assert!(!one().is_same(&other) && !other.is_same(&one()));
        }
        assert!(!sent(Some(b""), &[], b"").is_same(&sent(None, &[], b"")));
    }
}
