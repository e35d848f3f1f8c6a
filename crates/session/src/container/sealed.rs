//! Containers whose body is encrypted.

use alloc::vec::Vec;

use zeroize::Zeroizing;

use super::{Label, MAGIC, VERSION, curve_code};
use crate::{SealError, SealKey, Transcript, wire::Reader};

impl Label {
    /// Seals a body: it is encrypted, and the header authenticated with it.
    ///
    /// The nonce is a keyed hash of all that is sealed and authenticated: equal contents give equal containers,
    /// different ones different nonces, and no random generator is needed.
    #[must_use]
    pub fn seal(&self, key: &SealKey, body: &[u8]) -> Vec<u8> {
        self.seal_behind(key, &[], &[], body)
    }

    /// Opens what [`seal`](Self::seal) gave: the version of the body, and the body.
    ///
    /// # Errors
    /// [`SealError::Container`] for what shows without the key, [`SealError::Unauthentic`] for another key or bytes of
    /// somebody who can write a digest.
    pub fn unseal(
        &self,
        key: &SealKey,
        bytes: &[u8],
    ) -> Result<(u8, Zeroizing<Vec<u8>>), SealError> {
        self.unseal_behind(key, &[], 0, bytes)
    }

    /// Seals a body behind bytes that stay in clear. They are authenticated, and so is the purpose, which is not stored.
    pub(crate) fn seal_behind(
        &self,
        key: &SealKey,
        purpose: &[u8],
        clear: &[u8],
        body: &[u8],
    ) -> Vec<u8> {
        let length = clear.len() + body.len();
        let mut bytes = self.start(length.saturating_add(SealKey::OVERHEAD));
        let associated = self.associated(self.kind.version, purpose, clear);
        bytes.extend_from_slice(clear);
        key.encrypt_into(&associated, body, &mut bytes);
        self.end_public(bytes)
    }

    /// Opens what [`seal_behind`](Self::seal_behind) gave with `clear` bytes in clear.
    pub(crate) fn unseal_behind(
        &self,
        key: &SealKey,
        purpose: &[u8],
        clear: usize,
        bytes: &[u8],
    ) -> Result<(u8, Zeroizing<Vec<u8>>), SealError> {
        let (version, reader) = self.open(bytes)?;
        let content = self.decrypt(key, purpose, clear, (version, reader))?;
        Ok((version, content))
    }

    /// Opens what [`seal_behind`](Self::seal_behind) gave for no purpose, in bytes whose digest was compared before.
    pub(crate) fn unseal_intact(
        &self,
        key: &SealKey,
        clear: usize,
        bytes: &[u8],
    ) -> Result<Zeroizing<Vec<u8>>, SealError> {
        let [whole, body, _] = self.parts(bytes)?;
        let version = whole.get(VERSION).copied().unwrap_or_default();
        self.decrypt(key, &[], clear, (version, Reader::new(body)))
    }

    fn decrypt(
        &self,
        key: &SealKey,
        purpose: &[u8],
        clear: usize,
        (version, mut reader): (u8, Reader<'_>),
    ) -> Result<Zeroizing<Vec<u8>>, SealError> {
        let clear = reader.bytes(clear)?;
        let content = reader.bytes(reader.remaining())?;
        key.decrypt(&self.associated(version, purpose, clear), content)
    }

    /// A digest of all that is authenticated with a sealed body. The length is that of the ciphertext.
    fn associated(&self, version: u8, purpose: &[u8], clear: &[u8]) -> [u8; 32] {
        let [curve, family] = [curve_code(self.curve), self.family_code];
        let mut transcript = Transcript::new("quorate sealed form");
        transcript.append("magic", &MAGIC);
        transcript.append("header", &[version, self.kind.code, curve, family]);
        transcript.append("curve", self.curve.as_bytes());
        transcript.append("family", self.family.as_bytes());
        transcript.append("purpose", purpose);
        transcript.append("clear", clear);
        transcript.finish32()
    }
}
