//! Enumerations. As arguments they cross as numbers, since a caller may give any.

use quorate_ffi::{
    Continuity, FrameFate, Level, MessageHash, MlDsaLevel, Progress, Scheme, ShareState,
};

/// A kind of key, and of its signatures. Its number is the code of the family in all stored forms.
#[repr(u32)]
#[derive(Clone, Copy)]
pub enum QuorateScheme {
    /// FROST; signatures verify as Ed25519 (RFC 8032).
    FrostEd25519 = 1,
    /// FROST over Ristretto255 (RFC 9591).
    FrostRistretto255 = 2,
    /// FROST; signatures verify as Ed448 (RFC 8032).
    FrostEd448 = 3,
    /// FROST over P-256 (RFC 9591).
    FrostP256 = 4,
    /// FROST over secp256k1 (RFC 9591).
    FrostSecp256k1 = 5,
    /// FROST for Taproot; signatures verify as BIP-340, and the key commits to an unspendable script path.
    FrostTaproot = 6,
    /// Threshold ECDSA (CGGMP24) over P-256.
    EcdsaP256 = 36,
    /// Threshold ECDSA (CGGMP24) over secp256k1.
    EcdsaSecp256k1 = 37,
}

/// The state of a share: whether it signs, and whether older shares may be deleted.
#[repr(u32)]
#[derive(Clone, Copy)]
pub enum QuorateShareState {
    /// The share signs, and every party has stored its own.
    Ready = 0,
    /// The share signs, and the share of the epoch before stays beside it until all have acknowledged theirs.
    Pending = 1,
    /// The share does not sign: not every party has confirmed the run that made it. See `quorate_key_share_confirmed`.
    Unconfirmed = 2,
}

/// The progress of a run.
#[repr(u32)]
#[derive(Clone, Copy)]
pub enum QuorateProgress {
    /// Messages are missing: `quorate_session_waiting_for` lists their senders.
    Waiting = 0,
    /// There is more to do in this round: call `quorate_session_advance` again when there is time.
    Working = 1,
    /// The next round has begun. Seal, store, and send the outgoing messages.
    Round = 2,
    /// The run has ended with a result: take the outcome, store it, then the tombstone.
    Done = 3,
    /// The run has ended with a result that lacks the confirmation of others, and the reason says why. Take the outcome and
    /// store it all the same, then the tombstone: others may have theirs.
    Unconfirmed = 4,
    /// The run was aborted. Only `quorate_stepped_progress` gives this; `quorate_session_advance` fails instead.
    Aborted = 5,
}

/// The fate of a frame that was taken.
#[repr(u32)]
#[derive(Clone, Copy)]
pub enum QuorateFrameFate {
    /// For the current round.
    Accepted = 0,
    /// For the next round.
    Early = 1,
    /// Received before, byte for byte.
    Duplicate = 2,
    /// The frame contradicts an earlier one of its sender: the next `quorate_session_advance` names the sender.
    Conflicting = 3,
}

/// The size of the moduli of threshold ECDSA.
#[repr(u32)]
#[derive(Clone, Copy)]
pub enum QuorateLevel {
    /// 3072 bits: the recommended level.
    Bits128 = 1,
    /// 2048 bits, about 112 bits of security: to compare with systems that use this size.
    Bits112 = 2,
}

/// The hash function of a message that is signed with a presignature.
///
/// A digest that was made elsewhere is refused, because the safety of presignatures rests on the hash.
/// `quorate_task_sign_digest` takes one.
#[repr(u32)]
#[derive(Clone, Copy)]
pub enum QuorateMessageHash {
    /// SHA-256, the hash of most ECDSA.
    Sha256 = 1,
    /// SHA-256 of SHA-256, as Bitcoin signs.
    Sha256d = 2,
}

/// The reason why a stock of nonces that you open is known to be the latest that was stored.
///
/// An older copy looks like the latest one. A party that signs from it spends nonces again, and so gives its key share away.
#[repr(u32)]
#[derive(Clone, Copy)]
pub enum QuorateContinuity {
    /// Not known, for example after a restore from a backup. The stock has nothing left to use.
    Unknown = 0,
    /// The state was never closed: it has been open ever since it was last known to be the latest.
    StayedUp = 1,
    /// Peers that stayed up vouch for it, as many as the key's threshold.
    Peers = 2,
    /// A counter outside vouches for the state: one that cannot be restored together with it.
    Counter = 3,
    /// The operator promises that no backup, snapshot or replica exists from which it could have been restored.
    Operator = 4,
    /// Nothing was ever stored.
    NewStore = 5,
}

/// A parameter set of FIPS 204. Its number is the code of the family in all stored forms.
#[repr(u32)]
#[derive(Clone, Copy)]
pub enum QuorateMlDsaLevel {
    /// ML-DSA-44, security category 2.
    MlDsa44 = 44,
    /// ML-DSA-65, security category 3.
    MlDsa65 = 65,
    /// ML-DSA-87, security category 5.
    MlDsa87 = 87,
}

/// Numbers that come in.
macro_rules! numbers_in {
    ($($name:ident: $inner:ident { $($variant:ident),* };)*) => {$(
        impl $name {
            /// The value of a number.
            pub(crate) fn read(number: u32) -> $crate::memory::Result<$inner> {
                match number {
                    $(known if known == Self::$variant as u32 => Ok($inner::$variant),)*
                    _ => Err($crate::memory::arguments(format!(
                        "{number} is no value of {}",
                        stringify!($name)
                    ))),
                }
            }
        }
    )*};
}

/// Values that go out.
macro_rules! values_out {
    ($($name:ident: $inner:ident { $($variant:ident),* };)*) => {$(
        impl From<$inner> for $name {
            fn from(value: $inner) -> Self {
                match value {
                    $($inner::$variant => Self::$variant,)*
                }
            }
        }
    )*};
}

numbers_in! {
    QuorateScheme: Scheme {
        FrostEd25519, FrostRistretto255, FrostEd448, FrostP256, FrostSecp256k1, FrostTaproot,
        EcdsaP256, EcdsaSecp256k1
    };
    QuorateLevel: Level { Bits128, Bits112 };
    QuorateMessageHash: MessageHash { Sha256, Sha256d };
    QuorateContinuity: Continuity { Unknown, StayedUp, Peers, Counter, Operator, NewStore };
    QuorateMlDsaLevel: MlDsaLevel { MlDsa44, MlDsa65, MlDsa87 };
}

values_out! {
    QuorateScheme: Scheme {
        FrostEd25519, FrostRistretto255, FrostEd448, FrostP256, FrostSecp256k1, FrostTaproot,
        EcdsaP256, EcdsaSecp256k1
    };
    QuorateShareState: ShareState { Ready, Pending, Unconfirmed };
    QuorateProgress: Progress { Waiting, Working, Round, Done, Unconfirmed };
    QuorateFrameFate: FrameFate { Accepted, Early, Duplicate, Conflicting };
    QuorateLevel: Level { Bits128, Bits112 };
    QuorateMlDsaLevel: MlDsaLevel { MlDsa44, MlDsa65, MlDsa87 };
}
