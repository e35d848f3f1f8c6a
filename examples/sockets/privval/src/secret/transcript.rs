//! The transcript of a handshake: Merlin over STROBE-128, as far as it is needed.
//!
//! The one crate that has Merlin has no release for the present generation of Keccak and of randomness, so these are the
//! specifications: STROBE, version 1.0.2, with the operations AD, meta-AD and PRF, and Merlin, version 1.0.

use keccak::Keccak;
use zeroize::Zeroize as _;

/// The bytes of the state that take input, at a security of 128 bits.
const RATE: usize = 166;
const INBOUND: u8 = 1;
const APPLICATION: u8 = 1 << 1;
const CIPHER: u8 = 1 << 2;
const META: u8 = 1 << 4;

/// A transcript. Both sides append the same messages to theirs, and get the same challenge.
pub(super) struct Transcript {
    state: [u8; 200],
    position: usize,
    /// One more than the position at which the operation began; zero if it began in an earlier block.
    begun: u8,
}

impl Transcript {
    /// A transcript of a protocol.
    pub(super) fn new(label: &[u8]) -> Self {
        let mut state = [0; 200];
        let head = [&[1, 168, 1, 0, 1, 96][..], b"STROBEv1.0.2"].concat();
        state.iter_mut().zip(head).for_each(|(to, byte)| *to = byte);
        permute(&mut state);
        let mut transcript = Self { state, position: 0, begun: 0 };
        transcript.operate(META | APPLICATION, &[b"Merlin v1.0"]);
        transcript.append(b"dom-sep", label);
        transcript
    }

    /// Appends a message under a label.
    pub(super) fn append(&mut self, label: &[u8], message: &[u8]) {
        self.head(label, message.len());
        self.operate(APPLICATION, &[message]);
    }

    /// A challenge, and the end of the transcript.
    pub(super) fn challenge(mut self, label: &[u8]) -> [u8; 32] {
        self.head(label, 32);
        self.operate(INBOUND | APPLICATION | CIPHER, &[]);
        // The operation has begun a block, which is longer than a challenge.
        self.state.first_chunk().copied().unwrap_or_default()
    }

    fn head(&mut self, label: &[u8], length: usize) {
        // Nothing here is longer than 2³² − 1 bytes.
        let length = u32::try_from(length).unwrap_or(u32::MAX);
        self.operate(META | APPLICATION, &[label, &length.to_le_bytes()]);
    }

    /// Begins an operation, and absorbs its data.
    fn operate(&mut self, flags: u8, data: &[&[u8]]) {
        let before = self.begun;
        self.begun = u8::try_from(self.position.saturating_add(1)).unwrap_or(u8::MAX);
        self.absorb(&[before, flags]);
        if flags & CIPHER != 0 && self.position != 0 {
            self.end_block();
        }
        data.iter().for_each(|part| self.absorb(part));
    }

    fn absorb(&mut self, data: &[u8]) {
        for byte in data {
            self.mix(self.position, *byte);
            self.position = self.position.saturating_add(1);
            if self.position == RATE {
                self.end_block();
            }
        }
    }

    fn end_block(&mut self) {
        self.mix(self.position, self.begun);
        self.mix(self.position.saturating_add(1), 4);
        self.mix(RATE + 1, 0x80);
        permute(&mut self.state);
        (self.position, self.begun) = (0, 0);
    }

    fn mix(&mut self, position: usize, byte: u8) {
        self.state.iter_mut().skip(position).take(1).for_each(|to| *to ^= byte);
    }
}

impl Drop for Transcript {
    fn drop(&mut self) {
        self.state.zeroize();
    }
}

/// The permutation Keccak-f[1600], on bytes.
fn permute(state: &mut [u8; 200]) {
    let (bytes, _) = state.as_chunks_mut::<8>();
    let mut words = [0; 25];
    words.iter_mut().zip(bytes.iter()).for_each(|(word, bytes)| *word = u64::from_le_bytes(*bytes));
    Keccak::new().with_f1600(|permutation| permutation(&mut words));
    bytes.iter_mut().zip(words).for_each(|(bytes, word)| *bytes = word.to_le_bytes());
    words.zeroize();
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The vector of Merlin's own tests.
    #[test]
    fn challenge_is_that_of_merlin() {
        let mut transcript = Transcript::new(b"test protocol");
        transcript.append(b"some label", b"some data");
        let challenge = transcript.challenge(b"challenge");
        let hex: String = challenge.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, "d5a21972d0d5fe320c0d263fac7fffb8145aa640af6e9bca177c03c7efcf0615");
    }
}
