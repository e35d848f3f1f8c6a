//! Frames: chunks of a stream, each encrypted to one length.

use chacha20poly1305::aead::Aead as _;
use chacha20poly1305::{ChaCha20Poly1305, KeyInit as _, Nonce};

/// The most bytes of a frame.
pub(super) const MAX_CHUNK: usize = 1024;
/// The length of a frame: the number of its bytes, and room for the most.
const FRAME: usize = MAX_CHUNK + 4;
/// The length of an encrypted frame.
pub(super) const SEALED: usize = FRAME + 16;

/// One direction of a connection. Each frame has the next nonce.
pub(super) struct Direction {
    cipher: ChaCha20Poly1305,
    count: u64,
}

impl Direction {
    /// A direction with a key; `None` if it has not 32 bytes.
    pub(super) fn new(key: &[u8]) -> Option<Self> {
        Some(Self { cipher: ChaCha20Poly1305::new_from_slice(key).ok()?, count: 0 })
    }

    /// The nonce of the next frame; `None` once all are used.
    fn nonce(&mut self) -> Option<Nonce> {
        let mut nonce = [0; 12];
        let (_, number) = nonce.split_at_mut(4);
        number.copy_from_slice(&self.count.to_le_bytes());
        self.count = self.count.checked_add(1)?;
        Some(nonce.into())
    }

    /// Encrypts a chunk; `None` if it is too long, or there is no nonce left.
    pub(super) fn seal(&mut self, chunk: &[u8]) -> Option<Vec<u8>> {
        let length = u32::try_from(chunk.len()).ok()?;
        let mut frame = length.to_le_bytes().to_vec();
        frame.extend_from_slice(chunk);
        if frame.len() > FRAME {
            return None;
        }
        frame.resize(FRAME, 0);
        let nonce = self.nonce()?;
        self.cipher.encrypt(&nonce, frame.as_slice()).ok()
    }

    /// Decrypts a chunk; `None` if the frame is not the next one of the other side.
    pub(super) fn open(&mut self, sealed: &[u8; SEALED]) -> Option<Vec<u8>> {
        let nonce = self.nonce()?;
        let frame = self.cipher.decrypt(&nonce, sealed.as_slice()).ok()?;
        let (length, chunk) = frame.split_first_chunk()?;
        let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
        chunk.get(..length).map(<[u8]>::to_vec)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn frame_opens_once_and_in_its_place_alone() {
        let mut sending = Direction::new(&[7; 32]).unwrap();
        let sealed: Vec<[u8; SEALED]> = [&b"first"[..], b"", &[9; MAX_CHUNK]]
            .map(|chunk| sending.seal(chunk).unwrap().try_into().unwrap())
            .to_vec();
        assert!(sending.seal(&[0; MAX_CHUNK + 1]).is_none());
        let mut receiving = Direction::new(&[7; 32]).unwrap();
        for (sealed, chunk) in sealed.iter().zip([&b"first"[..], b"", &[9; MAX_CHUNK]]) {
            assert_eq!(receiving.open(sealed).unwrap(), chunk);
            // A repeated frame has another nonce by now.
            let mut other = Direction { cipher: receiving.cipher.clone(), count: receiving.count };
            assert!(other.open(sealed).is_none());
        }
        let mut damaged = sealed.first().copied().unwrap();
        *damaged.last_mut().unwrap() ^= 1;
        assert!(Direction::new(&[7; 32]).unwrap().open(&damaged).is_none());
        assert!(Direction::new(&[8; 32]).unwrap().open(sealed.first().unwrap()).is_none());
    }

    #[test]
    fn nonces_end_before_one_is_used_twice() {
        let mut direction = Direction::new(&[7; 32]).unwrap();
        direction.count = u64::MAX;
        assert!(direction.seal(b"").is_none());
    }
}
