//! What a protocol knows about the run it is part of.

use core::fmt;

use chacha20::ChaCha20Rng;
use rand_core::{CryptoRng, SeedableRng};
use zeroize::Zeroizing;

use crate::{Parties, PartyId, Protocol, Round, SessionId, Transcript, frame};

/// The run seen from inside: who, in which session, which round, and where randomness comes from.
pub struct Run {
    me: PartyId,
    parties: Parties,
    sid: SessionId,
    context: [u8; 32],
    seed: Zeroizing<[u8; 32]>,
    round: Round,
    /// How many rounds have been completed; unlike `round` it tells `start` from the first `next`.
    completed: u8,
}

impl Run {
    /// A run at its start, with the seed that everything random in it comes from.
    pub(crate) fn new(
        sid: SessionId,
        me: PartyId,
        parties: Parties,
        context: [u8; 32],
        seed: Zeroizing<[u8; 32]>,
    ) -> Self {
        Self { me, parties, sid, context, seed, round: Round::FIRST, completed: 0 }
    }

    /// This party.
    #[must_use]
    pub const fn me(&self) -> PartyId {
        self.me
    }

    /// All parties, this one included.
    #[must_use]
    pub const fn parties(&self) -> &Parties {
        &self.parties
    }

    /// All parties but this one, in ascending order.
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
    /// [binds](Protocol::bind). Equal for all parties of a run.
    #[must_use]
    pub const fn context(&self) -> [u8; 32] {
        self.context
    }

    /// A generator whose stream depends on the seed of this party, the run, the round and the
    /// purpose. The same purpose in the same round gives the **same** stream again: name every
    /// use, and draw all values of one use from one generator.
    #[must_use]
    pub fn rng(&self, purpose: &'static str) -> impl CryptoRng + use<> {
        self.stream(purpose, None)
    }

    /// As [`rng`](Self::rng), with one stream for each party: for values made for a peer.
    #[must_use]
    pub fn rng_for(&self, purpose: &'static str, peer: PartyId) -> impl CryptoRng + use<> {
        self.stream(purpose, Some(peer))
    }

    /// A transcript that begins with the [context](Self::context) of the run.
    #[must_use]
    pub fn transcript(&self, domain: &'static str) -> Transcript {
        frame::transcript(&self.context, domain)
    }

    fn stream(&self, purpose: &'static str, peer: Option<PartyId>) -> ChaCha20Rng {
        let mut transcript = self.transcript("randomness");
        transcript.append("seed", self.seed.as_slice());
        transcript.append_u64("rounds completed", self.completed.into());
        transcript.append("purpose", purpose.as_bytes());
        transcript.append_u64("peer", peer.map_or(0, PartyId::get).into());
        let key = Zeroizing::new(transcript.finish32());
        ChaCha20Rng::from_seed(*key)
    }

    pub(crate) fn seed(&self) -> &[u8; 32] {
        &self.seed
    }

    /// The round is complete: what is drawn from now on differs from what was drawn before.
    pub(crate) fn complete(&mut self) {
        self.completed = self.round.get();
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

/// What every frame of the run carries, see [`Run::context`].
pub(crate) fn context<P: Protocol>(
    sid: SessionId,
    parties: &Parties,
    params: &P::Params,
) -> [u8; 32] {
    frame::context::<P>(sid, parties, |transcript| P::bind(params, transcript))
}

/// The seed: fresh bytes, hedged with the session, the party and the secrets of the protocol.
pub(crate) fn seed<P: Protocol>(
    fresh: &[u8; 32],
    context: &[u8; 32],
    me: PartyId,
    params: &P::Params,
) -> Zeroizing<[u8; 32]> {
    let mut transcript = Transcript::new("seed");
    transcript.append("context", context);
    transcript.append_u64("party", me.get().into());
    transcript.append("fresh", fresh);
    // The context is public and binds the session id; the hedge keeps the seed secret if `fresh` isn't.
    transcript.append_list("hedge", P::hedge(params).iter().map(|secret| secret.as_slice()));
    Zeroizing::new(transcript.finish32())
}
