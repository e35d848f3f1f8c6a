//! Πprm: `s = t^λ mod N̂`.
//!
//! A ring-Pedersen setup hides, since `s` is a power of `t`.

use quorate_paillier::level::REPETITIONS;
use quorate_paillier::{Level, Pedersen, PedersenTrapdoor};

use crate::sigma::{self, ChallengeSet, NoPoints, Relation};

/// Bytes of a proof for a setup of this level: e, and z of each repetition.
#[must_use]
pub const fn proof_bytes(level: Level) -> usize {
    (REPETITIONS >> 3) + REPETITIONS * level.modulus_bytes()
}

/// `s = t^λ mod N̂`.
///
/// One power of `t` is checked for each of 128 repetitions: a setup with its
/// [tables](quorate_paillier::Pedersen::with_tables), which are of use later as well, makes that several times cheaper.
#[derive(Clone, Copy, Debug)]
pub struct Statement<'a> {
    /// The prover's setup.
    pub setup: &'a Pedersen,
}

/// The logarithm.
#[derive(Clone, Copy)]
pub struct Witness<'a> {
    /// The setup with its trapdoor.
    pub trapdoor: &'a PedersenTrapdoor,
}

impl<'a> sigma::Statement<'a, NoPoints> for Statement<'a> {
    type Witness = Witness<'a>;

    fn relation(&self, witness: Option<Witness<'a>>) -> Relation<'a, NoPoints> {
        let mut b = Relation::build("prm", self.setup.level(), ChallengeSet::Bits);
        let z = b.exponent("z", self.setup, witness.map(|w| w.trapdoor));
        b.root(z);
        b.finish()
    }
}
