//! The configuration of a simulated network.

use alloc::{boxed::Box, vec::Vec};
use core::fmt;

use chacha20::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};

use super::report::Delivery;
use crate::{PartyId, Transcript};

type Hook<'a> = Box<dyn FnMut(Delivery) -> Vec<Delivery> + 'a>;
type Latency<'a> = Box<dyn FnMut(PartyId, PartyId) -> u64 + 'a>;

/// A network, to be configured and then [run](Self::run) once.
#[must_use]
pub struct Network<'a> {
    pub(super) rng: ChaCha20Rng,
    pub(super) jitter: u32,
    pub(super) duplicate: u8,
    pub(super) lose: u8,
    pub(super) crash: u8,
    pub(super) latency: Latency<'a>,
    pub(super) hook: Hook<'a>,
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

    /// Sets the time that a frame takes from one party to another, in units of the caller's choice.
    pub fn latency(self, latency: impl FnMut(PartyId, PartyId) -> u64 + 'a) -> Self {
        Self { latency: Box::new(latency), ..self }
    }

    /// Sets the hook that lets each frame pass, drops it, alters it, or replaces it by several.
    pub fn tamper(self, hook: impl FnMut(Delivery) -> Vec<Delivery> + 'a) -> Self {
        Self { hook: Box::new(hook), ..self }
    }

    pub(super) fn chance(&mut self, percent: u8) -> bool {
        percent > 0 && self.below(100) < u32::from(percent)
    }

    /// A number below `bound`; the slight bias is of no concern here.
    pub(super) fn below(&mut self, bound: u32) -> u32 {
        let product = u64::from(self.rng.next_u32()) * u64::from(bound);
        u32::try_from(product >> 32).unwrap_or(0)
    }
}

impl fmt::Debug for Network<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Network(..)")
    }
}
