//! Signatures as records.

#[cfg(feature = "ecdsa")]
use quorate::ecdsa::{EcdsaCurve, Signature as Ecdsa};

/// A signature.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "uniffi", derive(uniffi::Record))]
pub struct Signature {
    /// As its verifiers read it; of ECDSA r ‖ s, 64 bytes.
    pub bytes: Vec<u8>,
    /// Of ECDSA, in DER.
    pub der: Option<Vec<u8>>,
    /// Of ECDSA, 0 to 3: by which the public key is found from signature and message.
    pub recovery_id: Option<u8>,
}

impl Signature {
    pub(crate) fn plain(bytes: &[u8]) -> Self {
        Self { bytes: bytes.to_vec(), der: None, recovery_id: None }
    }

    #[cfg(feature = "ecdsa")]
    pub(crate) fn ecdsa<C: EcdsaCurve>(signature: &Ecdsa<C>) -> Self {
        Self {
            bytes: signature.to_compact().to_vec(),
            der: Some(signature.to_der()),
            recovery_id: signature.recovery_id().map(quorate::ecdsa::RecoveryId::get),
        }
    }
}
