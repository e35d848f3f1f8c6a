//! A network in memory, for tests, examples and benchmarks: every run of it is determined by one
//! seed, with no threads and no clock.
//!
//! It can reorder, duplicate, lose and resend frames, crash parties and resume them from their
//! seal, and hand every frame to a hook that alters, drops, adds or replaces it per recipient.
//! Not for production: it delivers confidential messages in clear and trusts every sender.

mod world;

use alloc::{boxed::Box, collections::BTreeMap, vec::Vec};
use core::fmt;

use chacha20::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};

use self::world::World;
use crate::{
    Abort, Outgoing, ParamError, Parties, PartyId, Protocol, Rejected, Round, SessionId, To,
    Transcript,
};

type Hook<'a> = Box<dyn FnMut(Delivery) -> Vec<Delivery> + 'a>;
type Latency<'a> = Box<dyn FnMut(PartyId, PartyId) -> u64 + 'a>;

/// One frame on its way to one party.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Delivery {
    /// Whom the recipient will believe it to come from.
    pub from: PartyId,
    /// Who will receive it.
    pub to: PartyId,
    /// The round the sender sent it in.
    pub round: Round,
    /// Whether it is a copy of a broadcast.
    pub broadcast: bool,
    /// The frame.
    pub bytes: Vec<u8>,
}

/// The outcome of a simulated run.
#[derive(Debug)]
pub struct Report<O> {
    /// The result of each party. Who was still waiting at the end has
    /// [given up](crate::Session::give_up).
    pub results: BTreeMap<PartyId, Result<O, Abort>>,
    /// The results that only lack confirmation, of parties that ended with an error.
    pub unconfirmed: BTreeMap<PartyId, O>,
    /// Counts of the frames on the way.
    pub stats: Stats,
}

/// Counts of a simulated run.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Stats {
    /// The messages sent, round by round, the first at index 0. Repetitions are not counted.
    pub rounds: Vec<RoundStats>,
    /// Frames that a running session received, rejected ones included.
    pub received: u64,
    /// Frames received once more.
    pub duplicates: u64,
    /// Frames the network lost.
    pub lost: u64,
    /// Frames that were rejected: sender, recipient, reason.
    pub rejected: Vec<(PartyId, PartyId, Rejected)>,
    /// How often a party crashed and was resumed.
    pub resumed: u64,
    /// How often a resumed party did not come back with the same messages. Always zero, else the
    /// protocol is not deterministic.
    pub diverged: u64,
    /// When each party ended, in the units of the latency.
    pub ended_at: BTreeMap<PartyId, u64>,
}

/// The messages of all parties together in one round.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct RoundStats {
    /// Broadcasts, each counted once whatever the number of recipients.
    pub broadcasts: u64,
    /// Their bytes, headers included.
    pub broadcast_bytes: u64,
    /// Messages to one party.
    pub directs: u64,
    /// Their bytes, headers included.
    pub direct_bytes: u64,
}

/// A network, to be configured and then [run](Self::run) once.
#[must_use]
pub struct Network<'a> {
    rng: ChaCha20Rng,
    jitter: u32,
    duplicate: u8,
    lose: u8,
    crash: u8,
    prepare: u8,
    latency: Latency<'a>,
    hook: Hook<'a>,
}

impl<'a> Network<'a> {
    /// A perfect network: every frame takes one unit of time and arrives once, in order.
    pub fn new(seed: u64) -> Self {
        let mut transcript = Transcript::new("sim");
        transcript.append_u64("seed", seed);
        Self {
            rng: ChaCha20Rng::from_seed(transcript.finish32()),
            jitter: 0,
            duplicate: 0,
            lose: 0,
            crash: 0,
            prepare: 0,
            latency: Box::new(|_, _| 1),
            hook: Box::new(|delivery| Vec::from([delivery])),
        }
    }

    /// Delays each frame by up to `jitter` units more, so that frames overtake each other.
    pub fn reorder(self, jitter: u32) -> Self {
        Self { jitter, ..self }
    }

    /// Delivers this percentage of all frames twice.
    pub fn duplicate(self, percent: u8) -> Self {
        Self { duplicate: percent, ..self }
    }

    /// Loses this percentage of all frames; when nothing moves any more, every party resends what
    /// it sent in its last two rounds.
    pub fn lose(self, percent: u8) -> Self {
        Self { lose: percent, ..self }
    }

    /// After this percentage of all frames received, the recipient is sealed, dropped and opened.
    pub fn crash(self, percent: u8) -> Self {
        Self { crash: percent, ..self }
    }

    /// After this percentage of all frames received, the recipient [works ahead](crate::Session::prepare).
    pub fn prepare(self, percent: u8) -> Self {
        Self { prepare: percent, ..self }
    }

    /// How long a frame takes from one party to another, in units of the caller's choice.
    pub fn latency(self, latency: impl FnMut(PartyId, PartyId) -> u64 + 'a) -> Self {
        Self { latency: Box::new(latency), ..self }
    }

    /// The hook that turns each frame on its way into itself, nothing, something else, or several.
    pub fn tamper(self, hook: impl FnMut(Delivery) -> Vec<Delivery> + 'a) -> Self {
        Self { hook: Box::new(hook), ..self }
    }

    /// Runs one session of `P` for each of `parties`, to the end of all that can happen.
    ///
    /// `params` gives the parameters of each party, again each time one is resumed.
    ///
    /// # Errors
    /// [`ParamError`] if a session does not start.
    pub fn run<P: Protocol>(
        self,
        sid: SessionId,
        parties: &'a Parties,
        params: impl FnMut(PartyId) -> P::Params,
    ) -> Result<Report<P::Output>, ParamError> {
        let mut world = World::<P, _>::new(self, parties, params);
        parties.iter().try_for_each(|me| world.start(sid, me))?;
        Ok(world.run())
    }

    fn chance(&mut self, percent: u8) -> bool {
        percent > 0 && self.below(100) < percent.into()
    }

    /// A number below `bound`; the slight bias is of no concern here.
    fn below(&mut self, bound: u32) -> u32 {
        let product = u64::from(self.rng.next_u32()) * u64::from(bound);
        u32::try_from(product >> 32).unwrap_or(0)
    }
}

impl fmt::Debug for Network<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Network(..)")
    }
}

impl Stats {
    fn count(&mut self, round: Round, outgoing: &[Outgoing]) {
        let index = usize::from(round.get().saturating_sub(1));
        if self.rounds.len() <= index {
            self.rounds.resize(index.saturating_add(1), RoundStats::default());
        }
        let Some(stats) = self.rounds.get_mut(index) else {
            return;
        };
        for message in outgoing {
            let (count, bytes) = match message.to {
                To::Everyone => (&mut stats.broadcasts, &mut stats.broadcast_bytes),
                To::Only(_) => (&mut stats.directs, &mut stats.direct_bytes),
            };
            *count += 1;
            *bytes += message.bytes.len() as u64;
        }
    }
}
