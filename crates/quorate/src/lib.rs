#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! | module | what it is | feature |
//! |---|---|---|
//! | `ecdsa` | threshold ECDSA (CGGMP24) over secp256k1 and P-256: signatures verify as ECDSA | `ecdsa` |
//! | `frost::ed25519` | signatures verify as Ed25519 (RFC 8032) | `frost-ed25519` |
//! | `frost::ed448` | signatures verify as Ed448 (RFC 8032) | `frost-ed448` |
//! | `frost::secp256k1_tr` | Taproot: signatures verify as BIP-340, keys are tweaked as BIP-341 | `frost-secp256k1-tr` |
//! | `frost::p256`, `frost::ristretto255`, `frost::secp256k1` | the other suites of RFC 9591 | `frost-p256`, `frost-ristretto255`, `frost-secp256k1` |
//! | `frost::generic` | what they have in common, for code generic over the suite | with any of them |
//! | `keys` | the life of a key of either kind: resharing, repair, backups, child keys; for code generic over both | `ecdsa`, or any of FROST |
//! | `mldsa` | **experimental**: threshold ML-DSA (FIPS 204), at most six parties | `mldsa`, off by default |
//! | `prf` | a threshold PRF: RFC 9497 and RFC 9381 under shared keys, derived keys, hardened children of `ecdsa` and `frost` | `prf`, off by default |
//! | [`session`] | sessions: rounds, echo, blame, sealing; every protocol of several rounds runs in one | always |
//! | `runner` | the loop of a service: many sessions on a store, with resending, deadlines and recovery | `runner` |
//! | `envelope` | signed and encrypted messages between named parties, over brokers that nobody has to trust | `envelope` |
//!
//! # Features
//!
//! | feature | on by default | what it adds |
//! |---|---|---|
//! | `std` | yes | detection of the processor's features at run time |
//! | `ecdsa` | yes | threshold ECDSA (CGGMP24), with its big numbers |
//! | `frost` | yes | FROST over every group; or take single suites |
//! | `frost-ed25519` | yes | one suite |
//! | `frost-ed448` | yes | one suite |
//! | `frost-p256` | yes | one suite |
//! | `frost-ristretto255` | yes | one suite |
//! | `frost-secp256k1` | yes | one suite |
//! | `frost-secp256k1-tr` | yes | one suite, for Taproot |
//! | `keys` | yes | the life of a key of any family; every family has it |
//! | `runner` | no | the loop around many sessions, on a store |
//! | `envelope` | no | signed and encrypted messages between named parties, for a transport over a broker |
//! | `curve25519-dalek` | no | conversions to and from the types of that crate |
//! | `ed25519-dalek` | no | conversions to and from the types of that crate |
//! | `ed448-goldilocks` | no | conversions to and from the types of that crate |
//! | `k256` | no | conversions to and from the types of that crate |
//! | `p256` | no | conversions to and from the types of that crate |
//! | `serde` | no | `Serialize` and `Deserialize` for FROST's public types; secrets have none |
//! | `rayon` | no | lists of big numbers spread over as many threads as the caller hands over |
//! | `single-point-of-failure` | no | whole keys in one place, which threshold signing is there to avoid: for imports and exports |
//! | `passphrase` | no | seal keys from passphrases, by Argon2id: `session::passphrase` |
//! | `sim` | no | the in-memory network of the example above: for tests and examples |
//! | `mldsa` | no | **experimental**: threshold ML-DSA (FIPS 204) |
//! | `prf` | no | a threshold PRF: RFC 9497 and RFC 9381 under shared keys, derived keys, and hardened children |
//! | `bip445-draft` | no | **a draft**: BIP-445 for Taproot keys, which changes with the BIP, without a new major version |
//! | `chilldkg-draft` | no | **a draft**: ChillDKG for Taproot keys, which changes with the BIP, without a new major version |
//!
//! With `frost`, `for_each_frost_suite` hands the list of suites to a macro, for code that supports
//! every one.
//!
//! The folder `examples` of this crate has a program for each of FROST, Taproot, ECDSA with
//! presignatures, derivation, refresh (of FROST and of ECDSA) and evidence.
#![cfg_attr(not(feature = "std"), no_std)]

#[cfg(feature = "frost")]
mod suites;

#[cfg(feature = "envelope")]
pub use quorate_envelope as envelope;
#[cfg(feature = "keys")]
pub use quorate_keys as keys;
#[cfg(feature = "mldsa")]
pub use quorate_mldsa as mldsa;
#[cfg(feature = "prf")]
pub use quorate_prf as prf;
#[cfg(feature = "runner")]
pub use quorate_runner as runner;
pub use quorate_session as session;
pub use quorate_session::{
    Abort, Blame, Ended, Fault, FrameFate, Parties, PartyId, Progress, Rejected, SealKey, Session,
    SessionId, Step, Stopped, To, Unconfirmed, drive,
};

/// FROST threshold Schnorr signatures (RFC 9591), one module for each suite.
#[cfg(any(
    feature = "frost-ed25519",
    feature = "frost-ed448",
    feature = "frost-p256",
    feature = "frost-ristretto255",
    feature = "frost-secp256k1",
    feature = "frost-secp256k1-tr",
))]
pub mod frost {
    pub use quorate_frost as generic;
    pub use quorate_frost::{Committee, Mismatch, PackageId, PlanError, ShareState};
    #[cfg(feature = "frost-ed448")]
    pub use quorate_frost_ed448 as ed448;
    #[cfg(feature = "frost-ed25519")]
    pub use quorate_frost_ed25519 as ed25519;
    #[cfg(feature = "frost-p256")]
    pub use quorate_frost_p256 as p256;
    #[cfg(feature = "frost-ristretto255")]
    pub use quorate_frost_ristretto255 as ristretto255;
    #[cfg(feature = "frost-secp256k1")]
    pub use quorate_frost_secp256k1 as secp256k1;
    #[cfg(feature = "frost-secp256k1-tr")]
    pub use quorate_frost_secp256k1_tr as secp256k1_tr;
}

/// Threshold ECDSA (CGGMP24) over secp256k1 and P-256, with the engines for its big numbers and the
/// levels of security that it knows.
#[cfg(feature = "ecdsa")]
pub mod ecdsa {
    pub use quorate_bignum::{Engine, SecretNatural};
    #[cfg(any(feature = "k256", feature = "p256"))]
    pub use quorate_cggmp::interop;
    #[cfg(feature = "single-point-of-failure")]
    pub use quorate_cggmp::single_point_of_failure;
    pub use quorate_cggmp::{
        Acknowledge, AcknowledgeParams, AdditiveInfo, AdditiveShare, AggregateError, AuxInfo,
        AuxInfoGen, AuxInfoParams, AuxInfoRun, AuxProgress, AuxPublic, AuxSearch, AuxSecrets,
        AuxStep, Claim, ClaimError, Committee, CommitteeError, DecodeError, DerivationPath,
        DeriveError, Derived, Descendant, Ecdsa, EcdsaCurve, Evidence, HardenedChild, HeldByAll,
        InsertError, IntersectError, InvalidSignature, KeyExtra, KeyShare, Keygen, KeygenParams,
        KeygenRun, ListFault, ListMismatch, MAX_PARTIES, MAX_PRESIGNATURES, MessageDigest,
        Mismatch, NotShown, P256, PackageId, PlanError, Presign, PresignMany, PresignManyParams,
        PresignParams, Presignature, PresignatureId, PresignatureInfo, Presignatures,
        PublicKeyPackage, RawDigest, RecoveryId, Repair, RepairParams, RepairPlan, Repaired,
        Reshare, ReshareParams, ResharePlan, Reshared, Secp256k1, ShareFault, ShareMismatch,
        ShareRejected, ShareState, Sign, SignParams, Signature, SignatureShare, SignersError,
        SigningGoal, SigningRun, StoredByAll, VerifyingKey, aux_info, curves, evidence, keygen,
        keys, presign, session, sign,
    };
    pub use quorate_paillier::{Error as NumberError, Level, Primes};
}
