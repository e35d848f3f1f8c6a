//! What messages are sealed with: DHKEM(X25519, HKDF-SHA256), HKDF-SHA256 and ChaCha20-Poly1305 (RFC 9180).

use getrandom::SysRng;
use hpke::{Deserializable as _, OpModeS};
use quorate::session::rand_core::UnwrapErr;

/// The key encapsulation.
pub(crate) type Kem = hpke::kem::X25519HkdfSha256;
/// The derivation of keys.
pub(crate) type Kdf = hpke::kdf::HkdfSha256;
/// The cipher.
pub(crate) type Aead = hpke::aead::ChaCha20Poly1305;
/// A key that messages are sealed to.
pub(crate) type PublicKey = <Kem as hpke::Kem>::PublicKey;
/// A key that opens them. It is wiped when it is dropped.
pub(crate) type PrivateKey = <Kem as hpke::Kem>::PrivateKey;

/// Whether anything can be sealed to this key: one of small order is none.
pub(crate) fn sealable(key: &[u8; 32]) -> bool {
    let Ok(key) = PublicKey::from_bytes(key) else { return false };
    let rng = &mut UnwrapErr(SysRng);
    hpke::setup_sender_with_rng::<Aead, Kdf, Kem>(&OpModeS::Base, &key, b"trial", rng).is_ok()
}
