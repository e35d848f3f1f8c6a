//! Threshold signatures.

#![cfg_attr(not(feature = "std"), no_std)]

pub use quorate_session as session;
pub use quorate_session::{
    Abort, Blame, Fault, Parties, PartyId, Progress, Receipt, Rejected, Session, SessionId, Step,
    drive,
};

/// FROST threshold Schnorr signatures (RFC 9591).
pub mod frost {
    pub use quorate_frost as generic;
    pub use quorate_frost_ed448 as ed448;
    pub use quorate_frost_ed25519 as ed25519;
    pub use quorate_frost_p256 as p256;
    pub use quorate_frost_ristretto255 as ristretto255;
    pub use quorate_frost_secp256k1 as secp256k1;
    pub use quorate_frost_secp256k1_tr as secp256k1_tr;
}
