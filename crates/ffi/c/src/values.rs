//! Values that cross as structs: bytes, lists of parties, signatures, and messages.

use core::ffi::c_char;

use quorate_ffi::{SealedSession, Signature};
use zeroize::Zeroize as _;

use crate::memory::{Result, failure, give_array, take_array, take_text};

/// Bytes that belong to the library. Free them with `quorate_bytes_free`. No bytes are NULL and 0.
#[repr(C)]
pub struct QuorateBytes {
    /// The bytes.
    pub data: *mut u8,
    /// The number of bytes.
    pub len: usize,
}

impl From<Vec<u8>> for QuorateBytes {
    fn from(mut bytes: Vec<u8>) -> Self {
        let (data, len) = give_array(&bytes);
        bytes.zeroize();
        Self { data, len }
    }
}

/// Wipes bytes, frees them, and leaves NULL and 0. NULL, and bytes that were freed before, are allowed.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_bytes_free(bytes: Option<&mut QuorateBytes>) {
    if let Some(bytes) = bytes {
        take_array(&mut bytes.data, &mut bytes.len).zeroize();
    }
}

/// Numbers of parties, ascending, that belong to the library. Free them with `quorate_parties_free`. No parties are NULL
/// and 0.
#[repr(C)]
pub struct QuorateParties {
    /// The numbers.
    pub data: *mut u16,
    /// How many there are.
    pub len: usize,
}

impl From<Vec<u16>> for QuorateParties {
    fn from(parties: Vec<u16>) -> Self {
        let (data, len) = give_array(&parties);
        Self { data, len }
    }
}

/// Frees numbers of parties, and leaves NULL and 0. NULL, and parties that were freed before, are allowed.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_parties_free(parties: Option<&mut QuorateParties>) {
    if let Some(parties) = parties {
        drop(take_array(&mut parties.data, &mut parties.len));
    }
}

/// Frees a text that a call gave. NULL is allowed. The texts inside of structs are freed with their owners.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_text_free(mut text: *mut c_char) {
    take_text(&mut text);
}

/// A signature. Free it with `quorate_signature_free`.
#[repr(C)]
pub struct QuorateSignature {
    /// As its verifiers read it; of ECDSA r ‖ s, 64 bytes.
    pub bytes: QuorateBytes,
    /// Of ECDSA, in DER; otherwise NULL and 0.
    pub der: QuorateBytes,
    /// Of ECDSA, 0 to 3: by which the public key is found from signature and message. Otherwise −1.
    pub recovery_id: i32,
}

impl From<Signature> for QuorateSignature {
    fn from(Signature { bytes, der, recovery_id }: Signature) -> Self {
        Self {
            bytes: bytes.into(),
            der: der.unwrap_or_default().into(),
            recovery_id: recovery_id.map_or(-1, i32::from),
        }
    }
}

/// Frees the parts of a signature. NULL, and a signature that was freed before, are allowed.
#[unsafe(no_mangle)]
pub extern "C" fn quorate_signature_free(signature: Option<&mut QuorateSignature>) {
    if let Some(signature) = signature {
        quorate_bytes_free(Some(&mut signature.bytes));
        quorate_bytes_free(Some(&mut signature.der));
    }
}

/// A message with its sender, as the authenticated transport names it. As an argument it is read and belongs to the caller.
/// As a result it points into the list that it is from, and is not freed by itself.
#[repr(C)]
pub struct QuorateReceived {
    /// The sender.
    pub sender: u16,
    /// The message.
    pub data: *const u8,
    /// The number of its bytes.
    pub len: usize,
}

/// A sealed session, and where it belongs in a store. Free `bytes` with `quorate_bytes_free`; the rest needs no freeing.
#[repr(C)]
pub struct QuorateSealedSession {
    /// The bytes to store: encrypted and authenticated.
    pub bytes: QuorateBytes,
    /// The name of the run. With the party it is the key of the row.
    pub run: [u8; 32],
    /// The number of events so far. A greater one replaces a smaller one, compared and swapped, and never the reverse; that of
    /// a tombstone is the greatest.
    pub length: u32,
}

impl QuorateSealedSession {
    /// The form for the caller.
    pub(crate) fn of(SealedSession { bytes, run, length }: SealedSession) -> Result<Self> {
        let other = |_| failure(quorate_ffi::ErrorKind::Defect, "the name of a run has 32 bytes");
        Ok(Self { bytes: bytes.into(), run: run.try_into().map_err(other)?, length })
    }
}
