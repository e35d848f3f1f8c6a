//! The results of sessions.

use std::sync::Arc;

#[cfg(feature = "ecdsa")]
use crate::aux_info::AuxInfo;
#[cfg(feature = "ecdsa")]
use crate::ecdsa::Presignature;
use crate::key_share::KeyShare;
#[cfg(feature = "life")]
use crate::key_share::StoredByAll;
#[cfg(feature = "mldsa")]
use crate::mldsa::{MlDsaAccepted, MlDsaKeyShare};
#[cfg(feature = "life")]
use crate::public_key_package::PublicKeyPackage;
use crate::signature::Signature;

/// The result of a session. Seal and store its secret parts before the tombstone.
#[derive(Clone)]
#[cfg_attr(feature = "uniffi", derive(uniffi::Enum))]
pub enum Outcome {
    /// Of `Task.Keygen`.
    KeyMade {
        /// This party's share.
        share: Arc<KeyShare>,
    },
    /// Of `Task.MakeAuxInfo` and `Task.CarryAuxInfo`.
    #[cfg(feature = "ecdsa")]
    AuxInfoMade {
        /// This party's auxiliary information.
        aux: Arc<AuxInfo>,
    },
    /// Of `Task.Presign` and `Task.PresignMany`.
    #[cfg(feature = "ecdsa")]
    Presigned {
        /// This party's parts, in the order in which all signers have them.
        presignatures: Vec<Arc<Presignature>>,
    },
    /// Of `Task.SignDigest` and `Task.ExchangeShares`.
    Signed {
        /// The signature, verified.
        signature: Signature,
    },
    /// Of `Task.Reshare`.
    #[cfg(feature = "life")]
    Reshared {
        /// The public side in the new epoch.
        public: Arc<PublicKeyPackage>,
        /// The new share, of a member of the new committee.
        share: Option<Arc<KeyShare>>,
    },
    /// Of `Task.Repair`.
    #[cfg(feature = "life")]
    Repaired {
        /// The share, for the party that had lost it; nothing for a helper.
        share: Option<Arc<KeyShare>>,
    },
    /// Of `Task.Acknowledge` and `Task.Listen`.
    #[cfg(feature = "life")]
    Acknowledged {
        /// The proof with which the new share is settled and old ones may be deleted.
        by: Arc<StoredByAll>,
    },
    /// Of `Task.MlDsaKeygen`.
    #[cfg(feature = "mldsa")]
    MlDsaKeyMade {
        /// This party's share.
        share: Arc<MlDsaKeyShare>,
    },
    /// Of `Task.MlDsaSign`.
    #[cfg(feature = "mldsa")]
    MlDsaAttempted {
        /// The signature, verified; nothing if the attempt gave none, as about every second does: make another attempt.
        signature: Option<Signature>,
        /// The number of slots that each signer's rejection sampling let through. A signer that accepts far fewer than the
        /// others over many attempts is at fault, or refuses to sign.
        accepted: Vec<MlDsaAccepted>,
    },
}
