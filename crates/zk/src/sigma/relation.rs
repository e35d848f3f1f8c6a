//! Relations: the components of a witness, and the maps that take them to the statement's values.

use alloc::vec::Vec;

use quorate_bignum::{Integer, SecretInteger};
use quorate_paillier::level::REPETITIONS;
use quorate_paillier::{Ciphertext, EncryptionKey, Level, Pedersen, PedersenTrapdoor, Randomizer};

use super::group::Group;
use super::handle::{CommitmentVar, ExponentVar, IntegerVar, PointVar, ScalarVar, UnitVar};
use super::row::Row;

/// Where a challenge is drawn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChallengeSet {
    /// The scalars of the curve; over the integers the centred representative.
    Scalars = 0,
    /// The integers `-2^(ℓ-1) <= e < 2^(ℓ-1)`.
    Integers = 1,
    /// [`REPETITIONS`] bits, one for each of as many copies of the proof.
    Bits = 2,
}

impl ChallengeSet {
    /// How many copies of the proof there are.
    #[must_use]
    pub const fn repetitions(self) -> usize {
        match self {
            Self::Scalars | Self::Integers => 1,
            Self::Bits => REPETITIONS,
        }
    }
}

/// The interval of an integer, and how much longer its mask is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Interval {
    pub(crate) name: &'static str,
    pub(crate) bits: u32,
    pub(crate) slack: u32,
}

impl Interval {
    /// `bits + slack`.
    pub(crate) const fn response_bits(self) -> u32 {
        self.bits.saturating_add(self.slack)
    }
}

/// A component's name, and the values that its kind depends on.
pub(crate) type Kinds<'a> =
    Row<Interval, (&'static str, &'a EncryptionKey), &'static str, (&'static str, &'a Pedersen)>;

/// The witness as the figure hands it over.
pub(crate) type Parts<'a, C> = Row<
    Option<IntegerPart<'a>>,
    Option<&'a Randomizer>,
    Option<&'a <C as Group>::Scalar>,
    Option<&'a PedersenTrapdoor>,
>;

/// One integer of a witness.
pub(crate) enum IntegerPart<'a> {
    Given(&'a SecretInteger),
    /// Made for this proof.
    Made(SecretInteger),
    /// The exponent `μ` of a commitment, which the prover draws.
    Fresh,
    /// Minus the product of two others before it.
    MinusProduct(IntegerVar, IntegerVar),
}

/// A component in the order of the relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Component {
    Integer(IntegerVar),
    Unit(UnitVar),
    Scalar(ScalarVar),
    Exponent(ExponentVar),
}

impl Component {
    /// Its place in that order.
    pub(super) const fn place(self) -> usize {
        match self {
            Self::Integer(IntegerVar { component, .. })
            | Self::Unit(UnitVar { component, .. })
            | Self::Scalar(ScalarVar { component, .. })
            | Self::Exponent(ExponentVar { component, .. }) => component,
        }
    }
}

impl From<IntegerVar> for Component {
    fn from(var: IntegerVar) -> Self {
        Self::Integer(var)
    }
}

impl From<UnitVar> for Component {
    fn from(var: UnitVar) -> Self {
        Self::Unit(var)
    }
}

impl From<ExponentVar> for Component {
    fn from(var: ExponentVar) -> Self {
        Self::Exponent(var)
    }
}

impl From<PointVar> for Component {
    fn from(var: PointVar) -> Self {
        match var {
            PointVar::Integer(var) => Self::Integer(var),
            PointVar::Scalar(var) => Self::Scalar(var),
        }
    }
}

/// `s^x t^μ mod N̂`.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Commitment<'a> {
    pub(crate) setup: &'a Pedersen,
    pub(crate) x: IntegerVar,
    pub(crate) mu: IntegerVar,
}

/// A ciphertext to the power of an integer, as a factor of another.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Scaled<'a> {
    pub(crate) ciphertext: &'a Ciphertext,
    pub(crate) by: IntegerVar,
    pub(crate) negated: bool,
}

/// One map of the homomorphism and its image.
pub(crate) enum Map<'a, C: Group> {
    /// `C^±x (1 + N)^y ρ^N = image mod N²`.
    Paillier { image: &'a Ciphertext, y: IntegerVar, rho: UnitVar, scaled: Option<Scaled<'a>> },
    /// `s^x t^μ mod N̂`; the image is made by the prover and travels in the proof.
    Commitment(CommitmentVar),
    /// `Q^x t^μ = s^value mod N̂` for a commitment `Q` of the prover.
    Product { q: CommitmentVar, x: IntegerVar, mu: IntegerVar, value: &'a Integer },
    /// `t^x = s mod N̂`.
    Root(ExponentVar),
    /// The sum of component times point is the image.
    Point { terms: Vec<(C::Point, PointVar)>, image: C::Point },
}

impl<C: Group> Map<'_, C> {
    /// Whether two maps are the same function, whatever their images are.
    fn is_same_function(&self, other: &Self) -> bool {
        match (self, other) {
            (
                Self::Paillier { image, y, rho, scaled },
                Self::Paillier { image: its, y: plain, rho: unit, scaled: by },
            ) => (image.key(), y, rho, scaled) == (its.key(), plain, unit, by),
            (Self::Commitment(one), Self::Commitment(other)) => one == other,
            (Self::Point { terms, .. }, Self::Point { terms: its, .. }) => terms == its,
            _ => false,
        }
    }
}

/// A homomorphism and its ranges, and the prover's witness where there is one.
pub struct Relation<'a, C: Group> {
    pub(crate) figure: &'static str,
    pub(crate) level: Level,
    pub(crate) challenge: ChallengeSet,
    /// The components in their order.
    pub(crate) order: Vec<Component>,
    pub(crate) kinds: Kinds<'a>,
    pub(crate) parts: Parts<'a, C>,
    /// The commitments that travel in the proof, in the order of their maps.
    pub(crate) commitments: Vec<Commitment<'a>>,
    pub(crate) maps: Vec<Map<'a, C>>,
    /// Whether the numbers of each map are under one key, and its handles this relation's own. Nothing is looked up by the
    /// handles of a relation that is not.
    pub(crate) consistent: bool,
}

impl<C: Group> core::fmt::Debug for Relation<'_, C> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Relation").field("figure", &self.figure).finish_non_exhaustive()
    }
}

impl<'a, C: Group> Relation<'a, C> {
    /// The commitment behind a handle.
    #[allow(
        clippy::indexing_slicing,
        reason = "relations with handles of others are refused before anything is looked up"
    )]
    pub(crate) fn commitment(&self, var: CommitmentVar) -> Commitment<'a> {
        self.commitments[var.at]
    }

    /// Whether two relations differ in the images of their maps at most: their masks and first messages are alike.
    pub(crate) fn is_alike_but_for_images(&self, other: &Self) -> bool {
        self.figure == other.figure
            && self.level == other.level
            && self.challenge == other.challenge
            && self.order == other.order
            && self.kinds == other.kinds
            && self.commitments == other.commitments
            && self.maps.len() == other.maps.len()
            && self.maps.iter().zip(&other.maps).all(|(one, other)| one.is_same_function(other))
    }
}
