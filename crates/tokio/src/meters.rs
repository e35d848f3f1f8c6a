//! Counters, gauges and a histogram through the facade `metrics`.

use core::fmt;

use metrics::{Counter, Gauge};
use quorate_runner::{Metrics, Refusal};
use quorate_session::PartyId;

use crate::Event;

/// The time of a step.
pub(crate) const STEP: &str = "quorate_step_seconds";
/// Packets and jobs refused, by reason.
const REFUSED: &str = "quorate_refused_total";

/// A counter of the runner.
type Read = fn(&Metrics) -> u64;

/// The counters of the runner.
const COUNTERS: [(&str, &str, Read); 17] = [
    ("quorate_runs_started_total", "Jobs started", |of| of.started),
    ("quorate_jobs_redelivered_total", "Jobs delivered again", |of| of.redelivered),
    ("quorate_runs_done_total", "Runs ended with a result, confirmed or not", |of| of.done),
    ("quorate_runs_stopped_total", "Runs ended without a result", |of| of.stopped),
    ("quorate_runs_closed_total", "Runs closed as damaged, or abandoned", |of| of.damaged),
    ("quorate_frames_damaged_total", "Frames that the store had damaged", |of| of.damaged_frames),
    ("quorate_messages_damaged_total", "Messages that the store had damaged", |of| {
        of.damaged_messages
    }),
    ("quorate_rows_other_key_total", "Rows under another seal key", |of| of.other_key),
    ("quorate_rounds_total", "Rounds completed", |of| of.rounds),
    ("quorate_sessions_opened_total", "Sessions opened from the store", |of| of.opened),
    ("quorate_steps_stale_total", "Steps that another worker had made", |of| of.stale),
    ("quorate_frames_received_total", "Frames stored for an open run", |of| of.received),
    ("quorate_frames_parked_total", "Frames parked until their run starts", |of| of.parked),
    ("quorate_frames_duplicate_total", "Frames that had come before", |of| of.duplicates),
    ("quorate_frames_late_total", "Frames of runs that have ended", |of| of.late),
    ("quorate_packets_sent_total", "Packets sent, each time counted", |of| of.sent),
    ("quorate_messages_acknowledged_total", "Messages acknowledged", |of| of.acknowledged),
];

/// The counters of the loop.
const PANICS: (&str, &str) = ("quorate_panics_total", "Panics of others' code");
const FAILURES: (&str, &str) =
    ("quorate_failures_total", "Steps that failed, as a rule in the store");
const NOT_SENT: (&str, &str) = ("quorate_packets_not_sent_total", "Packets that the sink refused");

/// A gauge of the loop.
type Gauged = fn(&Gauges) -> usize;

/// The gauges of the loop.
const GAUGES: [(&str, &str, Gauged); 7] = [
    ("quorate_jobs_waiting", "Jobs that wait to be started", |of| of.jobs_waiting),
    ("quorate_runs_awaited", "Runs whose callers wait", |of| of.runs_awaited),
    ("quorate_steps_at_work", "Steps that workers do", |of| of.steps_at_work),
    ("quorate_runs_standing_still", "Runs that stand still after a panic", |of| {
        of.runs_standing_still
    }),
    ("quorate_packets_waiting", "Packets that wait for the store", |of| of.packets_waiting),
    ("quorate_packets_unsent", "Packets that wait for the sink", |of| of.packets_unsent),
    ("quorate_sessions_in_memory", "Sessions in memory", |of| of.sessions_in_memory),
];

/// The values of the gauges.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Gauges {
    pub(crate) jobs_waiting: usize,
    pub(crate) runs_awaited: usize,
    pub(crate) steps_at_work: usize,
    pub(crate) runs_standing_still: usize,
    pub(crate) packets_waiting: usize,
    pub(crate) packets_unsent: usize,
    pub(crate) sessions_in_memory: usize,
}

/// The meters of a service, with the number of its party as a label.
pub(crate) struct Meters {
    counters: Vec<(Counter, Read)>,
    refused: Vec<(Counter, Refusal)>,
    gauges: Vec<(Gauge, Gauged)>,
    panics: Counter,
    failures: Counter,
    not_sent: Counter,
    last: Option<(Metrics, Gauges)>,
}

impl Meters {
    pub(crate) fn new(me: PartyId) -> Self {
        let party = me.get().to_string();
        let counter = |name: &'static str, text: &'static str| {
            metrics::describe_counter!(name, text);
            metrics::counter!(name, "party" => party.clone())
        };
        metrics::describe_counter!(REFUSED, "Packets and jobs refused, by reason");
        metrics::describe_histogram!(STEP, metrics::Unit::Seconds, "The time of a step");
        let refused = Refusal::ALL.map(|why| {
            let labels = [("party", party.clone()), ("reason", snake_case(why))];
            (metrics::counter!(REFUSED, &labels), why)
        });
        let gauges = GAUGES.map(|(name, text, read)| {
            metrics::describe_gauge!(name, text);
            (metrics::gauge!(name, "party" => party.clone()), read)
        });
        Self {
            counters: COUNTERS.map(|(name, text, read)| (counter(name, text), read)).into(),
            refused: refused.into(),
            gauges: gauges.into(),
            panics: counter(PANICS.0, PANICS.1),
            failures: counter(FAILURES.0, FAILURES.1),
            not_sent: counter(NOT_SENT.0, NOT_SENT.1),
            last: None,
        }
    }

    /// Passes on what has changed.
    pub(crate) fn update(&mut self, metrics: &Metrics, gauges: Gauges) {
        let new = Some((*metrics, gauges));
        if self.last == new {
            return;
        }
        self.last = new;
        self.counters.iter().for_each(|(counter, read)| counter.absolute(read(metrics)));
        self.refused.iter().for_each(|(counter, why)| counter.absolute(metrics.refused.of(*why)));
        for (gauge, read) in &self.gauges {
            gauge.set(f64::from(u32::try_from(read(&gauges)).unwrap_or(u32::MAX)));
        }
    }

    pub(crate) fn count<E>(&self, event: &Event<E>) {
        match event {
            Event::Ended(_) => {}
            Event::Failed(_) => self.failures.increment(1),
            Event::Panicked { .. } => self.panics.increment(1),
            Event::NotSent(_) => self.not_sent.increment(1),
        }
    }
}

/// The name of a variant, for a label.
fn snake_case(name: impl fmt::Debug) -> String {
    let mut out = String::new();
    for letter in format!("{name:?}").chars() {
        if letter.is_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.extend(letter.to_lowercase());
    }
    out
}
