//! The counters of a runner.

use crate::Refusal;

/// The counters of a runner since it was made. They say nothing about other workers on the same store.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct Metrics {
    /// Jobs started.
    pub started: u64,
    /// Jobs that were delivered again.
    pub redelivered: u64,
    /// Runs ended with a result, confirmed or not.
    pub done: u64,
    /// Runs ended without.
    pub stopped: u64,
    /// Runs closed whatever the store had of them: damaged ones at their deadlines, and [abandoned](crate::Runner::abandon)
    /// ones. They count as stopped, too.
    pub damaged: u64,
    /// Frames of peers that the store had damaged, of runs that were worked on.
    pub damaged_frames: u64,
    /// Messages that were not sent because the store had damaged them, each attempt counted.
    pub damaged_messages: u64,
    /// Rows that another key has sealed. Each time, the step that found one gave an error.
    pub other_key: u64,
    /// Rounds completed.
    pub rounds: u64,
    /// Sessions opened from the store.
    pub opened: u64,
    /// Steps that another worker had made already.
    pub stale: u64,
    /// Frames stored for an open run.
    pub received: u64,
    /// Frames parked.
    pub parked: u64,
    /// Frames that had come before.
    pub duplicates: u64,
    /// Frames of runs that have ended.
    pub late: u64,
    /// Packets sent, each time counted.
    pub sent: u64,
    /// Messages that peers acknowledged.
    pub acknowledged: u64,
    /// Packets and jobs refused, by reason.
    pub refused: Refusals,
}

impl Metrics {
    pub(crate) const fn refuse(&mut self, why: Refusal) -> Refusal {
        count_one(self.refused.counter(why));
        why
    }
}

/// The packets and jobs that a runner has refused, by [reason](Refusal).
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct Refusals {
    /// [`Refusal::Malformed`].
    pub malformed: u64,
    /// [`Refusal::TooLong`].
    pub too_long: u64,
    /// [`Refusal::OtherProtocol`].
    pub other_protocol: u64,
    /// [`Refusal::OtherSender`].
    pub other_sender: u64,
    /// [`Refusal::OtherRecipient`].
    pub other_recipient: u64,
    /// [`Refusal::Contradiction`].
    pub contradiction: u64,
    /// [`Refusal::Parked`].
    pub parked: u64,
    /// [`Refusal::Busy`].
    pub busy: u64,
    /// [`Refusal::Outbox`].
    pub outbox: u64,
    /// [`Refusal::Late`].
    pub late: u64,
    /// [`Refusal::OtherJob`].
    pub other_job: u64,
    /// [`Refusal::NoParams`].
    pub no_params: u64,
    /// [`Refusal::Unregistered`].
    pub unregistered: u64,
    /// [`Refusal::OtherParameters`].
    pub other_parameters: u64,
}

impl Refusals {
    /// The number of refusals for this reason.
    #[must_use]
    pub const fn of(&self, why: Refusal) -> u64 {
        let mut copy = *self;
        *copy.counter(why)
    }

    /// The number of all refusals.
    #[must_use]
    pub fn total(&self) -> u64 {
        Refusal::ALL.iter().fold(0, |sum: u64, why| sum.saturating_add(self.of(*why)))
    }

    const fn counter(&mut self, why: Refusal) -> &mut u64 {
        match why {
            Refusal::Malformed => &mut self.malformed,
            Refusal::TooLong => &mut self.too_long,
            Refusal::OtherProtocol => &mut self.other_protocol,
            Refusal::OtherSender => &mut self.other_sender,
            Refusal::OtherRecipient => &mut self.other_recipient,
            Refusal::Contradiction => &mut self.contradiction,
            Refusal::Parked => &mut self.parked,
            Refusal::Busy => &mut self.busy,
            Refusal::Outbox => &mut self.outbox,
            Refusal::Late => &mut self.late,
            Refusal::OtherJob => &mut self.other_job,
            Refusal::NoParams => &mut self.no_params,
            Refusal::Unregistered => &mut self.unregistered,
            Refusal::OtherParameters => &mut self.other_parameters,
        }
    }
}

pub(crate) const fn count_one(count: &mut u64) {
    *count = count.saturating_add(1);
}
