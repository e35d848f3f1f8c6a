//! The own messages of a round: as a protocol gives them, and as the log keeps them.

use alloc::vec::Vec;
use core::fmt;

use quorate_declassify::declassify;
use zeroize::Zeroizing;

use crate::wire::{Reader, bounded};
use crate::{BodyDigest, PartyId, SealError};

/// The messages of a party for one round. `Debug` prints lengths only.
#[derive(Default)]
pub struct Outbox {
    /// To everyone.
    pub broadcast: Option<Vec<u8>>,
    /// The digest of the broadcast, where the protocol has it already, so that the session does not hash the body again.
    /// A wrong one makes this party's echo wrong. `None` by default.
    pub digest: Option<BodyDigest>,
    /// To one party each, confidential.
    pub direct: Vec<(PartyId, Vec<u8>)>,
    /// To this party itself, never sent: secrets that would take long to compute again when the session is opened. The
    /// checkpoint is sealed with the session, and comes back in [`Run::recalled`](crate::Run::recalled). Empty by default.
    pub checkpoint: Zeroizing<Vec<u8>>,
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
        Self { broadcast, digest: None, direct, checkpoint: Zeroizing::new(Vec::new()) }
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

/// The bodies of a round's messages, and the checkpoint that goes with them. All but the broadcast are wiped when dropped.
///
/// [`RoundMessages::is_same`] compares two of them. A comparison that stops at the first byte that differs would take the longer
/// the more of the secrets agrees.
pub(crate) struct RoundMessages {
    pub(crate) broadcast: Option<Vec<u8>>,
    /// The digest of the broadcast, if it is known.
    pub(crate) digest: Option<BodyDigest>,
    pub(crate) direct: Vec<(PartyId, Zeroizing<Vec<u8>>)>,
    checkpoint: Zeroizing<Vec<u8>>,
}

impl From<Outbox> for RoundMessages {
    fn from(Outbox { broadcast, digest, direct, checkpoint }: Outbox) -> Self {
        let direct = direct.into_iter().map(|(to, body)| (to, Zeroizing::new(body)));
        Self { broadcast, digest, direct: direct.collect(), checkpoint }
    }
}

impl RoundMessages {
    /// The messages once more.
    pub(crate) fn outbox(&self) -> Outbox {
        let direct = self.direct.iter().map(|(to, body)| (*to, body.to_vec()));
        Outbox {
            broadcast: self.broadcast.clone(),
            digest: self.digest,
            direct: direct.collect(),
            checkpoint: self.checkpoint.clone(),
        }
    }

    /// Returns whether both are the same messages with the same checkpoint. The time depends on lengths and recipients alone.
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

    /// The broadcast, if there is one, the messages to one party each, and the checkpoint.
    fn bodies(&self) -> impl Iterator<Item = &[u8]> {
        let direct = self.direct.iter().map(|(_, body)| body.as_slice());
        self.broadcast.as_deref().into_iter().chain(direct).chain([self.checkpoint.as_slice()])
    }

    /// The checkpoint.
    pub(crate) fn checkpoint(&self) -> &[u8] {
        &self.checkpoint
    }

    /// The number of bytes that [`Self::write`] appends.
    pub(crate) fn len(&self) -> usize {
        let direct = self.direct.iter().map(|(_, body)| body.len() + 6);
        let broadcast = self.broadcast.as_ref().map_or(0, |body| body.len() + 4);
        let lengths = direct.chain([broadcast, self.checkpoint.len(), 1 + 2 + 4]);
        lengths.fold(0, usize::saturating_add)
    }

    /// Appends: whether there is a broadcast (1) ‖ broadcast ‖ number of direct messages (2) ‖ recipient (2) and body of
    /// each ‖ checkpoint. Bodies and the checkpoint have their length (4) in front.
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        out.push(u8::from(self.broadcast.is_some()));
        self.broadcast.iter().for_each(|body| write(out, body));
        // At most one for each other party.
        let count: u16 = bounded(self.direct.len());
        out.extend_from_slice(&count.to_be_bytes());
        for (to, body) in &self.direct {
            out.extend_from_slice(&to.get().to_be_bytes());
            write(out, body);
        }
        write(out, &self.checkpoint);
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
        let checkpoint = Zeroizing::new(body(reader)?.to_vec());
        Ok(Self { broadcast, digest: None, direct, checkpoint })
    }
}

/// Returns whether two strings are equal. All bytes are compared, and only the outcome is revealed.
fn are_equal(one: &[u8], other: &[u8]) -> bool {
    let differ = one.iter().zip(other).fold(0, |differ, (one, other)| differ | (one ^ other));
    one.len() == other.len() && declassify(core::hint::black_box(differ) == 0)
}

fn write(out: &mut Vec<u8>, body: &[u8]) {
    // `Session::begin` has bounded the limits of all messages together, and `Log::send` the checkpoints.
    let length: u32 = bounded(body.len());
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

    fn sent(broadcast: Option<&[u8]>, direct: &[(u16, &[u8])], checkpoint: &[u8]) -> RoundMessages {
        let party = |to: u16| PartyId::new(to).unwrap_or(PartyId::MIN);
        let direct = direct.iter().map(|(to, body)| (party(*to), body.to_vec())).collect();
        let outbox = Outbox::new(broadcast.map(<[u8]>::to_vec), direct);
        RoundMessages::from(Outbox { checkpoint: Zeroizing::new(checkpoint.to_vec()), ..outbox })
    }

    #[test]
    fn messages_sent_are_compared_as_a_whole() {
        // No `==`, which would stop early.
        const { assert!(Probe::<[u8; 32]>::COMPARES_BYTES && !Probe::<RoundMessages>::COMPARES_BYTES) };
        let one = || sent(Some(b"all"), &[(1, b"one"), (2, b"two")], b"checkpoint");
        assert!(one().is_same(&one()));
        for other in [
            sent(Some(b"alk"), &[(1, b"one"), (2, b"two")], b"checkpoint"),
            sent(None, &[(1, b"one"), (2, b"two")], b"checkpoint"),
            sent(Some(b"all"), &[(1, b"one"), (3, b"two")], b"checkpoint"),
            sent(Some(b"all"), &[(1, b"one"), (2, b"twp")], b"checkpoint"),
            sent(Some(b"all"), &[(1, b"onet"), (2, b"wo")], b"checkpoint"),
            sent(Some(b"all"), &[(1, b"one")], b"checkpoint"),
            sent(Some(b"all"), &[(1, b"one"), (2, b"two")], b"notf"),
            sent(Some(b"all"), &[(1, b"one"), (2, b"two")], b""),
        ] {
            assert!(!one().is_same(&other) && !other.is_same(&one()));
        }
        assert!(!sent(Some(b""), &[], b"").is_same(&sent(None, &[], b"")));
    }
}
