//! A protocol's view of the run that it is part of.

use alloc::vec::Vec;
use core::fmt;

use chacha20::ChaCha20Rng;
use rand_core::{CryptoRng, SeedableRng};
use zeroize::Zeroizing;

use crate::{
    BodyDigest, Bound, Outbox, Parties, PartyId, Round, SessionId, Transcript, frame,
    round_messages::RoundMessages,
};

/// A run as its protocol sees it: the parties, the session, the round, and the source of randomness.
pub struct Run {
    me: PartyId,
    parties: Parties,
    sid: SessionId,
    bound: Bound,
    seed: Zeroizing<[u8; 32]>,
    round: Round,
    /// The number of completed rounds; unlike `round` it tells `start` from the first `next`.
    completed: u8,
    /// Digest of the frames received in the rounds completed.
    received: [u8; 32],
    /// The frames of the last round are not in that digest, and the protocol has said that it draws nothing more.
    drawn: bool,
    /// While the session is opened: what it sent in each round.
    replay: Replay,
}

/// The way in which a run moves on: for the first time, or again with the messages that it sent.
pub(crate) enum Replay {
    /// For the first time.
    Live,
    /// Again, from the messages that it sent.
    Recall(Vec<RoundMessages>),
    /// Again, in full, to see whether it sends the same messages.
    Audit(Vec<RoundMessages>),
}

impl Replay {
    /// Returns whether these are the messages that were sent; live, any messages are.
    pub(crate) fn gave(&self, messages: &[RoundMessages]) -> bool {
        match self {
            Self::Live => true,
            Self::Recall(sent) | Self::Audit(sent) => {
                let same = sent.iter().zip(messages).all(|(one, other)| one.is_same(other));
                sent.len() == messages.len() && same
            }
        }
    }
}

impl Run {
    /// A run at its start, with the seed from which all its randomness comes.
    pub(crate) fn new(
        sid: SessionId,
        me: PartyId,
        parties: Parties,
        bound: Bound,
        seed: Zeroizing<[u8; 32]>,
    ) -> Self {
        let round = Round::FIRST;
        let replay = Replay::Live;
        let (completed, received, drawn) = (0, [0; 32], false);
        Self { me, parties, sid, bound, seed, round, completed, received, drawn, replay }
    }

    /// This party.
    #[must_use]
    pub const fn party_id(&self) -> PartyId {
        self.me
    }

    /// The parties of the run, this one included.
    #[must_use]
    pub const fn parties(&self) -> &Parties {
        &self.parties
    }

    /// The other parties, in ascending order.
    pub fn others(&self) -> impl Iterator<Item = PartyId> + Clone + '_ {
        self.parties.iter().filter(|party| *party != self.me)
    }

    /// The session id.
    #[must_use]
    pub const fn sid(&self) -> SessionId {
        self.sid
    }

    /// In `start`, round 1; in `next`, the round whose messages are being verified.
    #[must_use]
    pub const fn round(&self) -> Round {
        self.round
    }

    /// A digest of the wire version, protocol, session id, parties and everything the protocol
    /// [binds](crate::Protocol::bind). Equal for all parties of a run.
    #[must_use]
    pub const fn context(&self) -> [u8; 32] {
        self.bound.context()
    }

    /// The items that the parties agree on, which frames of round 1 carry.
    #[must_use]
    pub const fn bound(&self) -> &Bound {
        &self.bound
    }

    /// A generator whose stream depends on the seed of this party, the run, the round, the frames
    /// received in the rounds before, and the purpose. So a run that is restored from an old seal and
    /// fed other frames draws other values from the round on in which they differ.
    ///
    /// One purpose in one round gives the **same** stream each time: name every use, and draw all
    /// values of one use from one generator.
    ///
    /// # Panics
    /// After the messages of the last round, if [`Protocol::LAST_ROUND_DRAWS`](crate::Protocol::LAST_ROUND_DRAWS) says that
    /// nothing is drawn then: the stream would not depend on them.
    #[must_use]
    pub fn rng(&self, purpose: &'static str) -> impl CryptoRng + use<> {
        self.stream(purpose, None)
    }

    /// A generator like [`rng`](Self::rng) with a stream for each peer, for values made for that peer.
    ///
    /// # Panics
    /// As [`rng`](Self::rng).
    #[must_use]
    pub fn rng_for(&self, purpose: &'static str, peer: PartyId) -> impl CryptoRng + use<> {
        self.stream(purpose, Some(peer))
    }

    /// A transcript that begins with the [context](Self::context) of the run.
    #[must_use]
    pub fn transcript(&self, domain: &'static str) -> Transcript {
        frame::transcript(&self.context(), domain)
    }

    /// The messages that this call of [`Protocol::start`](crate::Protocol::start) or
    /// [`Protocol::next`](crate::Protocol::next) made when it first ran; `None` if this is the first time.
    ///
    /// There is something to recall only while a sealed session is [opened](crate::Session::open). The key of the seal
    /// vouches for these messages, and for the frames received, whose proofs were verified before these messages were
    /// made. A protocol that rebuilds its state from them returns them as its messages.
    #[must_use]
    pub fn recalled(&self) -> Option<Outbox> {
        let Replay::Recall(sent) = &self.replay else { return None };
        sent.get(usize::from(self.completed)).map(RoundMessages::outbox)
    }

    /// Returns whether a sealed session is being [opened](crate::Session::open) or audited: its seed and its messages are
    /// those of a run that has started before. A protocol that may be started only once looks here.
    #[must_use]
    pub const fn is_opened(&self) -> bool {
        !matches!(self.replay, Replay::Live)
    }

    /// Returns whether the messages that are being verified were verified before: see [`Self::recalled`].
    #[must_use]
    pub fn is_verified(&self) -> bool {
        matches!(&self.replay, Replay::Recall(sent) if usize::from(self.completed) < sent.len())
    }

    /// The [checkpoint](Outbox::checkpoint) that went with the messages of `round`, if a session that has sent them is being
    /// [opened](crate::Session::open) and the checkpoint is not empty.
    ///
    /// `round` may be a later one than the current. Then the rounds before it need not be computed again.
    #[must_use]
    pub fn checkpoint(&self, round: Round) -> Option<&[u8]> {
        let Replay::Recall(sent) = &self.replay else { return None };
        let sent = sent.get(usize::from(round.get().checked_sub(1)?))?;
        Some(sent.checkpoint()).filter(|checkpoint| !checkpoint.is_empty())
    }

    /// Returns whether a session that has sent the messages of `round` is being [opened](crate::Session::open). Then
    /// values that are used only in earlier rounds need not be made again.
    #[must_use]
    pub fn recalls(&self, round: Round) -> bool {
        matches!(&self.replay, Replay::Recall(sent) if usize::from(round.get()) <= sent.len())
    }

    /// Returns whether the session that is being opened was sealed in a later round than the one just begun.
    pub(crate) fn is_passing(&self) -> bool {
        matches!(&self.replay, Replay::Recall(sent) if usize::from(self.round.get()) < sent.len())
    }

    /// Replaces the replay, and returns the one until now.
    pub(crate) const fn replay(&mut self, replay: Replay) -> Replay {
        core::mem::replace(&mut self.replay, replay)
    }

    fn stream(&self, purpose: &'static str, peer: Option<PartyId>) -> ChaCha20Rng {
        assert!(!self.drawn, "the protocol has said that its last round draws nothing");
        let mut transcript = self.transcript("randomness");
        transcript.append("seed", self.seed.as_slice());
        transcript.append_u64("rounds completed", self.completed.into());
        transcript.append("received", &self.received);
        transcript.append("purpose", purpose.as_bytes());
        transcript.append_u64("peer", peer.map_or(0, PartyId::get).into());
        let key = Zeroizing::new(transcript.finish32());
        ChaCha20Rng::from_seed(*key)
    }

    pub(crate) fn seed(&self) -> &[u8; 32] {
        &self.seed
    }

    /// Completes the round with these frames: values drawn from now on depend on them. Each frame is what stands before
    /// its body, and the digest of its body.
    pub(crate) fn complete<'f>(
        &mut self,
        frames: impl Iterator<Item = (&'f [u8], BodyDigest)> + Clone,
    ) {
        self.completed = self.round.get();
        let mut transcript = Transcript::new("received");
        transcript.append("before", &self.received);
        transcript.append_list("headers", frames.clone().map(|(header, _)| header));
        transcript.append_list("bodies", frames.map(|(_, digest)| digest));
        self.received = transcript.finish32();
    }

    /// Completes the last round of a protocol that draws nothing from now on.
    pub(crate) const fn complete_unread(&mut self) {
        self.completed = self.round.get();
        self.drawn = true;
    }

    /// The messages of the following round are on their way.
    pub(crate) fn begin_next(&mut self) {
        self.round = self.round.following();
    }
}

impl fmt::Debug for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Run")
            .field("me", &self.me)
            .field("sid", &self.sid)
            .field("round", &self.round)
            .finish_non_exhaustive()
    }
}
