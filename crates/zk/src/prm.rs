//! Πprm: a ring-Pedersen setup hides: `s` is a power of `t`.

use alloc::vec::Vec;

use quorate_curve::Curve;
use quorate_paillier::level::REPETITIONS;
use quorate_paillier::{Level, Pedersen, PedersenTrapdoor};

use crate::sigma::{self, ChallengeSet, Kind, Map, Part, Relation, component};

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
pub struct Witness<'a> {
    /// The setup with its trapdoor.
    pub trapdoor: &'a PedersenTrapdoor,
}

impl<'a, C: Curve> sigma::Statement<'a, C> for Statement<'a> {
    type Witness = Witness<'a>;

    fn relation(&self) -> Relation<'a, C> {
        Relation {
            figure: "prm",
            level: self.setup.level(),
            challenge: ChallengeSet::Bits,
            components: [component("z", Kind::Exponent(self.setup))].into(),
            maps: [Map::Root { setup: self.setup, x: 0 }].into(),
        }
    }

    fn parts(&self, witness: Witness<'a>) -> Vec<Part<'a, C>> {
        [Part::Trapdoor(witness.trapdoor)].into()
    }
}
