//! The spans of the libraries as a tree, with the time of the thread.

use core::fmt::{Debug, Write as _};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber, subscriber};

use super::tree::{Node, Tree};
use crate::measure::now;

/// Takes down every span that a thread enters and leaves: function and detail of each, and those that have ended.
#[derive(Default)]
struct Recorder(Mutex<(Vec<[String; 2]>, Tree)>);

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
    fn seen(&self) -> MutexGuard<'_, (Vec<[String; 2]>, Tree)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Subscriber for Recorder {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.is_span()
    }

    fn new_span(&self, attributes: &Attributes<'_>) -> Id {
        let mut words = Words::default();
        attributes.record(&mut words);
        let mut seen = self.seen();
        seen.0.push([attributes.metadata().name().to_owned(), words.0]);
        Id::from_u64(seen.0.len() as u64)
    }

    fn record(&self, _span: &Id, _values: &Record<'_>) {}

    fn record_follows_from(&self, _span: &Id, _follows: &Id) {}

    fn event(&self, _event: &Event<'_>) {}

    fn enter(&self, span: &Id) {
        let mut seen = self.seen();
        let place = usize::try_from(span.into_u64() - 1).expect("few spans");
        let name = seen.0[place].clone();
        seen.1.enter(name, now().as_secs_f64());
    }

    fn exit(&self, _span: &Id) {
        self.seen().1.exit(now().as_secs_f64());
    }
}

/// The spans of what this does in this thread.
pub(super) fn recorded(work: impl FnOnce()) -> Node {
    let recorder = Arc::new(Recorder::default());
    subscriber::with_default(Arc::clone(&recorder), work);
    core::mem::take(&mut recorder.seen().1).root()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_recorded_with_their_fields() {
        let root = recorded(|| {
            let _outer = tracing::trace_span!("outer", party = 3, what = "presign").entered();
            let _inner = tracing::trace_span!("inner").entered();
        });
        let [outer] = &root.children[..] else { panic!("{root:?}") };
        let [inner] = &outer.children[..] else { panic!("{root:?}") };
        assert_eq!((&*outer.function, &*outer.detail), ("outer", "party 3, presign"));
        assert_eq!((&*inner.function, &*inner.detail), ("inner", ""));
        assert!(outer.start <= inner.start && inner.length <= outer.length);
    }
}
