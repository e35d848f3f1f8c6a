//! The one transcript: an injective encoding of labelled items, hashed with SHA-512.

use core::fmt;

use sha2::{Digest, Sha512};

const BYTES: u8 = 1;
const NUMBER: u8 = 2;
const LIST: u8 = 3;
const ELEMENT: u8 = 4;
const END: u8 = 5;

/// A hash of labelled items, in which no two different sequences of items have the same encoding.
///
/// Every item is a tag byte, its label and its content, each of the latter two behind its length in
/// eight bytes. A list is an opening tag, its elements (tag, length, bytes) and a closing tag with
/// the count. So `["ab", "c"]` and `["a", "bc"]` differ, and so do `[]` and `[""]`. A transcript
/// that hashed secrets is wiped when it is dropped.
#[derive(Clone)]
pub struct Transcript(Sha512);

impl Transcript {
    /// An empty transcript for one purpose; transcripts of different domains never agree.
    #[must_use]
    pub fn new(domain: &'static str) -> Self {
        let mut transcript = Self(Sha512::new());
        transcript.sized(b"quorate v1");
        transcript.sized(domain.as_bytes());
        transcript
    }

    /// Appends a string of bytes.
    pub fn append(&mut self, label: &'static str, bytes: &[u8]) {
        self.open(BYTES, label);
        self.sized(bytes);
    }

    /// Appends a number.
    pub fn append_u64(&mut self, label: &'static str, number: u64) {
        self.open(NUMBER, label);
        self.0.update(number.to_be_bytes());
    }

    /// Appends a list of strings of bytes, with their number.
    pub fn append_list<T: AsRef<[u8]>>(
        &mut self,
        label: &'static str,
        items: impl IntoIterator<Item = T>,
    ) {
        self.open(LIST, label);
        let mut count: u64 = 0;
        for item in items {
            self.0.update([ELEMENT]);
            self.sized(item.as_ref());
            count = count.wrapping_add(1);
        }
        self.0.update([END]);
        self.0.update(count.to_be_bytes());
    }

    /// The SHA-512 digest of everything appended.
    #[must_use]
    pub fn finish(self) -> [u8; 64] {
        self.0.finalize().into()
    }

    /// The first half of [`finish`](Self::finish), where 32 bytes are enough.
    #[must_use]
    pub fn finish32(self) -> [u8; 32] {
        let digest: [u8; 64] = self.0.finalize().into();
        let mut half = [0; 32];
        half.copy_from_slice(digest.split_at(32).0);
        half
    }

    fn open(&mut self, tag: u8, label: &'static str) {
        self.0.update([tag]);
        self.sized(label.as_bytes());
    }

    fn sized(&mut self, bytes: &[u8]) {
        // `usize` has at most 64 bits on every target of Rust.
        self.0.update((bytes.len() as u64).to_be_bytes());
        self.0.update(bytes);
    }
}

impl fmt::Debug for Transcript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Transcript(..)")
    }
}
