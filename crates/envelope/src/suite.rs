//! The cipher of envelopes: HPKE (RFC 9180) in base mode with DHKEM(X25519, HKDF-SHA256), HKDF-SHA256 and ChaCha20-Poly1305.

use hpke::aead::{AeadTag, ChaCha20Poly1305};
use hpke::inout::InOutBuf;
use hpke::kdf::HkdfSha256;
use hpke::kem::X25519HkdfSha256;
use hpke::{Deserializable as _, Kem as _, OpModeR, OpModeS, Serializable as _};
use rand_core::CryptoRng;

/// The private key of the key encapsulation. It is wiped when it is dropped.
pub(crate) type OpeningKey = <X25519HkdfSha256 as hpke::Kem>::PrivateKey;
/// The length of an encapsulated key.
pub(crate) const ENCAPSULATED: usize = 32;
/// The length of a tag.
pub(crate) const TAG: usize = 16;

/// The purpose and the data that a ciphertext is bound to, beside the key.
#[derive(Clone, Copy)]
pub(crate) struct Bound<'a> {
    /// The purpose.
    pub(crate) info: &'a [u8],
    /// The associated data.
    pub(crate) header: &'a [u8],
}

/// The encapsulated key and the tag that go with a ciphertext.
pub(crate) struct Detached {
    pub(crate) encapsulated: [u8; ENCAPSULATED],
    pub(crate) tag: [u8; TAG],
}

/// A private key and its public key, derived by `DeriveKeyPair` (RFC 9180, 7.1.3).
pub(crate) fn derive(ikm: &[u8; 32]) -> (OpeningKey, [u8; 32]) {
    let (private, public) = X25519HkdfSha256::derive_keypair(ikm);
    (private, public.to_bytes().into())
}

/// Encrypts in place. `None` if nothing can be sealed to this key, which then is of small order.
pub(crate) fn seal(
    to: &[u8; 32],
    bound: Bound<'_>,
    buffer: &mut [u8],
    rng: &mut impl CryptoRng,
) -> Option<Detached> {
    let key = <X25519HkdfSha256 as hpke::Kem>::PublicKey::from_bytes(to).ok()?;
    let (encapsulated, tag) =
        hpke::single_shot_seal_inout_detached_with_rng::<
            ChaCha20Poly1305,
            HkdfSha256,
            X25519HkdfSha256,
        >(&OpModeS::Base, &key, bound.info, InOutBuf::from(buffer), bound.header, rng)
        .ok()?;
    Some(Detached { encapsulated: encapsulated.to_bytes().into(), tag: tag.to_bytes().into() })
}

/// Decrypts in place. `None` if the tag is wrong, or the encapsulated key is of small order.
pub(crate) fn open(
    key: &OpeningKey,
    bound: Bound<'_>,
    detached: &Detached,
    buffer: &mut [u8],
) -> Option<()> {
    let encapsulated =
        <X25519HkdfSha256 as hpke::Kem>::EncappedKey::from_bytes(&detached.encapsulated).ok()?;
    let tag = AeadTag::<ChaCha20Poly1305>::from_bytes(&detached.tag).ok()?;
    hpke::single_shot_open_inout_detached::<ChaCha20Poly1305, HkdfSha256, X25519HkdfSha256>(
        &OpModeR::Base,
        key,
        &encapsulated,
        bound.info,
        InOutBuf::from(buffer),
        bound.header,
        &tag,
    )
    .ok()
}

#[cfg(test)]
mod tests;
