//! The key that seals: XChaCha20-Poly1305 with a nonce made from the content.

use alloc::vec::Vec;
use core::fmt;

use chacha20poly1305::{
    KeyInit, XChaCha20Poly1305, XNonce,
    aead::{Aead, Payload},
};
use rand_core::CryptoRng;
use zeroize::Zeroizing;

use crate::keyring::Fingerprint;
use crate::{ParamError, SealError, Transcript};

const NONCE: usize = 24;

/// The key under which a party seals the data that it stores. Keep it apart from that data.
pub struct SealKey {
    bytes: Zeroizing<[u8; 32]>,
    cipher: XChaCha20Poly1305,
    nonce: Zeroizing<[u8; 32]>,
}

impl SealKey {
    /// A key from 32 secret, uniformly random bytes.
    #[must_use]
    pub fn new(bytes: [u8; 32]) -> Self {
        let bytes = Zeroizing::new(bytes);
        let derive = |domain| {
            let mut transcript = Transcript::new(domain);
            transcript.append("key", bytes.as_slice());
            Zeroizing::new(transcript.finish32())
        };
        let cipher = XChaCha20Poly1305::new((&*derive("seal: encryption")).into());
        Self { cipher, nonce: derive("seal: nonce"), bytes }
    }

    /// A fresh key; [`Self::to_secret_bytes`] is what to keep of it.
    ///
    /// # Errors
    /// [`ParamError::Randomness`] if the generator gives zeros only.
    pub fn generate(rng: &mut (impl CryptoRng + ?Sized)) -> Result<Self, ParamError> {
        let mut bytes = Zeroizing::new([0; 32]);
        rng.fill_bytes(bytes.as_mut_slice());
        if *bytes == [0; 32] {
            return Err(ParamError::Randomness);
        }
        Ok(Self::new(*bytes))
    }

    /// The 32 bytes that [`Self::new`] takes. Secret: for the place where keys are kept.
    #[must_use]
    pub fn to_secret_bytes(&self) -> Zeroizing<[u8; 32]> {
        self.bytes.clone()
    }

    /// A public digest of the key, which tells one key from another and reveals nothing of either.
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        let mut transcript = Transcript::new("seal: fingerprint");
        transcript.append("key", self.bytes.as_slice());
        let digest = transcript.finish();
        Fingerprint(digest.first_chunk().copied().unwrap_or_default())
    }

    /// Bytes that a ciphertext is longer than its plaintext: nonce and tag.
    pub(crate) const OVERHEAD: usize = NONCE + 16;

    /// Appends nonce, ciphertext and tag.
    pub(crate) fn encrypt_into(&self, associated: &[u8; 32], msg: &[u8], out: &mut Vec<u8>) {
        let mut transcript = Transcript::new("seal: synthetic nonce");
        transcript.append("key", self.nonce.as_slice());
        transcript.append("associated", associated);
        transcript.append("plaintext", msg);
        let digest = transcript.finish();
        let nonce: [u8; NONCE] = digest.first_chunk().copied().unwrap_or_default();
        let encrypted = self.cipher.encrypt(&XNonce::from(nonce), Payload { msg, aad: associated });
        // The cipher refuses only what is longer than 256 GiB; the empty result never opens.
        out.extend_from_slice(&nonce);
        out.extend(encrypted.unwrap_or_default());
    }

    pub(crate) fn decrypt(
        &self,
        associated: &[u8; 32],
        content: &[u8],
    ) -> Result<Zeroizing<Vec<u8>>, SealError> {
        let (nonce, msg) = content.split_first_chunk::<NONCE>().ok_or(SealError::Malformed)?;
        let payload = Payload { msg, aad: associated };
        let plaintext = self.cipher.decrypt(&XNonce::from(*nonce), payload);
        plaintext.map(Zeroizing::new).map_err(|_| SealError::Unauthentic)
    }
}

impl fmt::Debug for SealKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SealKey(..)")
    }
}
