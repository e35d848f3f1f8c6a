//! The public side of a key.

use core::ffi::c_char;
use core::mem::MaybeUninit;
use std::sync::Arc;

use quorate_ffi::PublicKeyPackage;

use crate::enums::QuorateScheme;
use crate::error::QuorateError;
use crate::handle::{Given as _, shared};
use crate::memory::{bytes, call, check, free, give, give_text, text};
use crate::values::{QuorateBytes, QuorateParties};

/// The public side of a key in one epoch, equal at all parties: the group's key, the threshold, and every party's public share.
pub struct QuoratePublicKeyPackage(Arc<PublicKeyPackage>);

shared! { QuoratePublicKeyPackage: PublicKeyPackage; }

/// Reads the stored form. `scheme` is a `QuorateScheme`.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_public_key_package_from_bytes(
    scheme: u32,
    data: *const u8,
    data_len: usize,
    out: Option<&mut MaybeUninit<*mut QuoratePublicKeyPackage>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || {
        let data = bytes("the public key package", data, data_len)?;
        Ok(give(PublicKeyPackage::from_bytes(QuorateScheme::read(scheme)?, data)?))
    })
}

/// Gives the stored form, which is public. Keep it authentic: culprits are named by it.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_public_key_package_to_bytes(
    public: Option<&QuoratePublicKeyPackage>,
    out: Option<&mut MaybeUninit<QuorateBytes>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(public.get()?.to_bytes()?.into()))
}

/// Frees the package. NULL is allowed.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_public_key_package_free(public: Option<Box<QuoratePublicKeyPackage>>) {
    free(public);
}

/// Gives the scheme.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_public_key_package_scheme(
    public: Option<&QuoratePublicKeyPackage>,
    out: Option<&mut MaybeUninit<QuorateScheme>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(public.get()?.scheme().into()))
}

/// Gives the group's key as its verifiers read it: 32 bytes for Ed25519, Ristretto255 and Taproot (x alone), 57 for Ed448, a
/// compressed point of 33 for the rest.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_public_key_package_verifying_key(
    public: Option<&QuoratePublicKeyPackage>,
    out: Option<&mut MaybeUninit<QuorateBytes>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(public.get()?.verifying_key()?.into()))
}

/// Gives the key as a `PUBLIC KEY` in PEM, for ECDSA. Free it with `quorate_text_free`.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_public_key_package_pem(
    public: Option<&QuoratePublicKeyPackage>,
    out: Option<&mut MaybeUninit<*mut c_char>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(give_text(&public.get()?.pem()?)))
}

/// Gives the number of parties that it takes to sign.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_public_key_package_threshold(
    public: Option<&QuoratePublicKeyPackage>,
    out: Option<&mut MaybeUninit<u16>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || public.get()?.threshold())
}

/// Gives how often the key was refreshed or reshared.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_public_key_package_epoch(
    public: Option<&QuoratePublicKeyPackage>,
    out: Option<&mut MaybeUninit<u32>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || public.get()?.epoch())
}

/// Gives the parties that hold shares.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_public_key_package_parties(
    public: Option<&QuoratePublicKeyPackage>,
    out: Option<&mut MaybeUninit<QuorateParties>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(public.get()?.parties()?.into()))
}

/// Gives a name for the key, 32 bytes, equal at all its parties and over all epochs.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_public_key_package_key_id(
    public: Option<&QuoratePublicKeyPackage>,
    out: Option<&mut MaybeUninit<QuorateBytes>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(public.get()?.key_id()?.into()))
}

/// Gives a digest of the whole package, 32 bytes. Parties compare it before they confirm a share.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_public_key_package_digest(
    public: Option<&QuoratePublicKeyPackage>,
    out: Option<&mut MaybeUninit<QuorateBytes>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(public.get()?.digest()?.into()))
}

/// Gives the public side of the child key at a path such as `m/0/7`, without hardening: BIP-32 or SLIP-10 for ECDSA; for FROST
/// below the chain code that follows from the key. Taproot has no children.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_public_key_package_child(
    public: Option<&QuoratePublicKeyPackage>,
    at: *const c_char,
    out: Option<&mut MaybeUninit<*mut QuoratePublicKeyPackage>>,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    call(out, error, || Ok(give(public.get()?.child(text("the path", at)?)?)))
}

/// Verifies a signature of a message. ECDSA takes r ‖ s, hashes with SHA-256 and accepts only the smaller s. It fails with
/// `QUORATE_ERROR_KIND_INVALID_SIGNATURE` for a wrong one.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_public_key_package_verify(
    public: Option<&QuoratePublicKeyPackage>,
    message: *const u8,
    message_len: usize,
    signature: *const u8,
    signature_len: usize,
    error: Option<&mut MaybeUninit<QuorateError>>,
) -> bool {
    check(error, || {
        let message = bytes("the message", message, message_len)?;
        public.get()?.verify(message, bytes("the signature", signature, signature_len)?)
    })
}
