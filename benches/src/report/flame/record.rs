//! The spans of the libraries, with the time of the thread.

use core::fmt::{Debug, Write as _};
use std::sync::{Arc, Mutex, PoisonError};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber, subscriber};

use super::tree::Span;
use crate::measure::now;

/// The spans that were seen so far.
#[derive(Default)]
struct Seen {
    /// Function and detail of each span.
    names: Vec<(String, String)>,
    /// Spans that are open, with their starts.
    open: Vec<(usize, f64)>,
    ended: Vec<Span>,
}

/// Takes down every span that a thread enters and leaves.
#[derive(Default)]
struct Recorder(Mutex<Seen>);

/// The fields of a span in words.
#[derive(Default)]
struct Words(String);

impl Visit for Words {
    fn record_str(&mut self, _field: &Field, value: &str) {
        self.add(value);
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.add(&format!("{} {value:?}", field.name()));
    }
}

impl Words {
    fn add(&mut self, words: &str) {
        let comma = if self.0.is_empty() { "" } else { ", " };
        write!(self.0, "{comma}{words}").expect("a string");
    }
}

impl Recorder {
    fn with<T>(&self, then: impl FnOnce(&mut Seen) -> T) -> T {
        then(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Subscriber for Recorder {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.is_span()
    }

    fn new_span(&self, attributes: &Attributes<'_>) -> Id {
        let mut words = Words::default();
        attributes.record(&mut words);
        let name = attributes.metadata().name().to_owned();
        self.with(|seen| {
            seen.names.push((name, words.0));
            Id::from_u64(seen.names.len() as u64)
        })
    }

    fn record(&self, _span: &Id, _values: &Record<'_>) {}

    fn record_follows_from(&self, _span: &Id, _follows: &Id) {}

    fn event(&self, _event: &Event<'_>) {}

    fn enter(&self, span: &Id) {
        let place = usize::try_from(span.into_u64() - 1).expect("few spans");
        self.with(|seen| seen.open.push((place, now().as_secs_f64())));
    }

    fn exit(&self, _span: &Id) {
        let end = now().as_secs_f64();
        self.with(|seen| {
            let Some((place, start)) = seen.open.pop() else { return };
            let (function, detail) = seen.names[place].clone();
            seen.ended.push(Span { function, detail, depth: seen.open.len(), time: [start, end] });
        });
    }
}

/// The spans of what this does in this thread, in the order of their ends.
pub(super) fn recorded(work: impl FnOnce()) -> Vec<Span> {
    let recorder = Arc::new(Recorder::default());
    subscriber::with_default(Arc::clone(&recorder), work);
    recorder.with(|seen| core::mem::take(&mut seen.ended))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_recorded_with_their_fields() {
        let spans = recorded(|| {
            let _outer = tracing::trace_span!("outer", party = 3, what = "presign").entered();
            let _inner = tracing::trace_span!("inner").entered();
        });
        let names: Vec<_> =
            spans.iter().map(|s| (s.function.as_str(), s.detail.as_str(), s.depth)).collect();
        assert_eq!(names, [("inner", "", 1), ("outer", "party 3, presign", 0)]);
        assert!(spans[1].time[0] <= spans[0].time[0] && spans[0].time[1] <= spans[1].time[1]);
    }
}
