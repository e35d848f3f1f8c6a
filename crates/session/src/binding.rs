//! The parameters that all parties of a run must agree on, hashed item by item.

use alloc::vec::Vec;

use crate::{Parties, SessionId, Transcript, frame};

/// Length of the digest of one item.
const ITEM: usize = frame::TAG;
/// The number of items that fit into the prefix of a frame.
pub(crate) const ITEMS: usize = 8;
const _: () = assert!(ITEMS * ITEM == frame::PREFIX);

/// The list of everything that the parties of a run must agree on, each item under a label.
///
/// The items together give the [context](crate::Run::context), which every frame carries. A short
/// digest of each item rides in the frames of round 1, so that a party that was started with other
/// parameters is told which of them differs
/// ([`Rejected::OtherParameters`](crate::Rejected::OtherParameters)).
pub struct Binding {
    transcript: Transcript,
    items: Vec<(&'static str, [u8; ITEM])>,
}

impl Binding {
    pub(crate) fn new(protocol: &'static str, code: u8, sid: SessionId, parties: &Parties) -> Self {
        let mut transcript = Transcript::new("session");
        transcript.append("protocol", protocol.as_bytes());
        transcript.append_u64("code", code.into());
        transcript.append_u64("version", frame::VERSION.into());
        let mut binding = Self { transcript, items: Vec::new() };
        binding.append(SESSION, sid.as_bytes());
        binding.append_list("parties", parties.iter().map(|party| party.get().to_be_bytes()));
        binding
    }

    /// Appends a string of bytes.
    pub fn append(&mut self, label: &'static str, bytes: &[u8]) {
        self.item(label, |transcript| transcript.append(label, bytes));
    }

    /// Appends a number.
    pub fn append_u64(&mut self, label: &'static str, number: u64) {
        self.item(label, |transcript| transcript.append_u64(label, number));
    }

    /// Appends a list of strings of bytes, with their number.
    pub fn append_list<T: AsRef<[u8]>>(
        &mut self,
        label: &'static str,
        items: impl IntoIterator<Item = T, IntoIter: Clone>,
    ) {
        let items = items.into_iter();
        self.item(label, |transcript| transcript.append_list(label, items.clone()));
    }

    fn item(&mut self, label: &'static str, append: impl Fn(&mut Transcript)) {
        append(&mut self.transcript);
        let mut alone = Transcript::new("item of a binding");
        append(&mut alone);
        self.items.push((label, alone.finish().first_chunk().copied().unwrap_or_default()));
    }

    pub(crate) fn finish(self) -> Bound {
        Bound { context: self.transcript.finish32(), items: self.items }
    }
}

/// The label of the session id.
pub(crate) const SESSION: &str = "session id";

/// A finished [`Binding`].
#[derive(Clone)]
pub struct Bound {
    context: [u8; 32],
    items: Vec<(&'static str, [u8; ITEM])>,
}

impl Bound {
    /// The [context](crate::Run::context) of the run.
    #[must_use]
    pub const fn context(&self) -> [u8; 32] {
        self.context
    }

    /// The bytes between header and body in frames of round 1: the first four bytes of a digest of
    /// each item, in the order in which they were bound, and zeros.
    #[must_use]
    pub fn prefix(&self) -> [u8; frame::PREFIX] {
        let mut prefix = [0; frame::PREFIX];
        // Items beyond those that fit are in the context alone.
        let (places, _) = prefix.as_chunks_mut();
        places.iter_mut().zip(&self.items).for_each(|(place, (_, digest))| *place = *digest);
        prefix
    }

    /// The number of items.
    pub(crate) const fn len(&self) -> usize {
        self.items.len()
    }

    /// The label of the first item whose digest differs in a peer's prefix, if any does.
    pub(crate) fn first_difference(&self, prefix: &[u8]) -> Option<&'static str> {
        let mut pairs = self.items.iter().zip(prefix.chunks(ITEM));
        pairs.find(|((_, own), theirs)| own != theirs).map(|((label, _), _)| *label)
    }
}
