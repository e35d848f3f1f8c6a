//! The one Sigma protocol.
//!
//! A [`Relation`] describes a homomorphism from a witness of several components to group elements. A figure states each
//! component once, with its name, its interval and the witness, and gets a handle; its maps are written with handles.
//! Prover and verifier run the same description:
//!
//! | | prover | verifier |
//! |---|---|---|
//! | described | `f(mask)`, by [`Prover::products`] | `f(z) · X^-e`, by [`Check::products`] |
//! | evaluated | by an engine, for all proofs of a round at once | the same |
//! | then | `e` from the transcript, `z = mask + e·witness` | the transcript must give `e` again |
//!
//! Many statements under one map are [folded](Stages) into one proof: the weights `e_1 … e_M` come from a seed of 32 bytes,
//! the witness is `Σ e_m w_m`, the image `ΠX_m^e_m`. The verifier [combines](Check::combine) the images block by block, so
//! that its memory does not grow with their number.
//!
//! A proof is `e`, the commitments that the prover makes to its witness, and the responses `z`.
//!
//! The machine hashes the whole relation before the first commitment: a figure's file has no way to forget a public
//! value.

use alloc::vec::Vec;

use quorate_bignum::{Natural, SecretNatural};

mod batch;
mod builder;
#[cfg(feature = "testing")]
pub(crate) mod cheating;
mod combine;
mod consistent;
mod encoding;
mod factor;
mod fold;
mod group;
mod handle;
mod images;
mod prover;
mod randomness;
mod relation;
mod responder;
mod row;
mod transcript;
mod verifier;
mod weighed;
mod witness;

pub use batch::{
    Begun, Expected, check_many, prove, prove_many, respond_many, verify, verify_many,
};
pub use builder::Builder;
pub use encoding::{Form, Part};
pub use factor::PaillierMap;
pub(crate) use fold::SEED_BYTES;
pub use fold::{MAX_BATCH, MAX_FOLD, Stages, weight_bits};
pub use group::{Group, NoPoints};
pub use handle::{CommitmentVar, ExponentVar, IntegerVar, PointVar, ScalarVar, UnitVar};
pub use prover::Prover;
pub use relation::{ChallengeSet, Relation};
pub use responder::Responder;
pub use verifier::{Check, ReceivedProof};
pub use weighed::Weighed;

/// The results of public products, in their order.
pub type PublicValues<'v> = dyn Iterator<Item = Result<Natural, quorate_bignum::Error>> + 'v;

/// The results of products with secrets, in their order.
pub type SecretValues<'v> = dyn Iterator<Item = Result<SecretNatural, quorate_bignum::Error>> + 'v;

/// The statement of one figure, with all of its public values.
pub trait Statement<'a, C: Group> {
    /// The witness.
    type Witness: Copy;

    /// The homomorphism and its ranges; with the witness for the prover, without for a verifier.
    fn relation(&self, witness: Option<Self::Witness>) -> Relation<'a, C>;
}

/// A proof as it travels: the challenge, the prover's commitments and the responses, each of a fixed length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof(pub(crate) Vec<u8>);

impl Proof {
    /// The bytes.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The bytes.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}

impl AsRef<[u8]> for Proof {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}
