//! Relations: the components of a witness, and the maps that take them to the statement's values.

use alloc::vec::Vec;

use quorate_bignum::{Integer, Natural, SecretInteger};
use quorate_paillier::level::REPETITIONS;
use quorate_paillier::{Ciphertext, EncryptionKey, Level, Pedersen, PedersenTrapdoor, Randomizer};

use super::fold::Fold;
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
    /// [`REPETITIONS`] bits, one for each copy of the proof.
    Bits = 2,
    /// Weights that fold many statements: the numbers of `[0, 2^λ)` that a seed of 32 bytes stands for.
    Weights = 3,
}

impl ChallengeSet {
    /// The number of copies of the proof.
    #[must_use]
    pub const fn repetitions(self) -> usize {
        match self {
            Self::Scalars | Self::Integers | Self::Weights => 1,
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

/// The witness as the figure hands it over: of a folded component one value for each statement.
pub(crate) type Parts<'a, C> = Row<
    IntegerPart<'a>,
    Vec<&'a Randomizer>,
    Vec<&'a <C as Group>::Scalar>,
    Option<&'a PedersenTrapdoor>,
>;

/// One integer of a witness.
pub(crate) enum IntegerPart<'a> {
    Given(Vec<&'a SecretInteger>),
    /// Made for this proof.
    Made(Option<SecretInteger>),
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
    /// The place of the component in that order.
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

impl From<ScalarVar> for Component {
    fn from(var: ScalarVar) -> Self {
        Self::Scalar(var)
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

/// A ciphertext to the power of a sum of integers, each times the weight of its statement, as a factor of another.
#[derive(Clone, PartialEq)]
pub(crate) struct Weighted<'a> {
    pub(crate) ciphertext: &'a Ciphertext,
    /// The statement of the first of them; the next ones follow.
    pub(crate) first: usize,
    pub(crate) by: Vec<IntegerVar>,
}

/// One map of the homomorphism and its image, or the images of all statements that are folded.
pub(crate) enum Map<'a, C: Group> {
    /// `C^±x (1 + N)^y ρ^N = image mod N²`.
    Paillier {
        key: &'a EncryptionKey,
        images: Vec<&'a Ciphertext>,
        y: IntegerVar,
        rho: UnitVar,
        scaled: Option<Scaled<'a>>,
        weighted: Vec<Weighted<'a>>,
    },
    /// `s^x t^μ mod N̂`; the image is made by the prover and travels in the proof.
    Commitment(CommitmentVar),
    /// `s^x t^μ = image mod N̂` for a commitment of an earlier proof.
    Opened { setup: &'a Pedersen, image: &'a Natural, x: IntegerVar, mu: IntegerVar },
    /// `Q^x t^μ = s^value mod N̂` for a commitment `Q` of the prover.
    Product { q: CommitmentVar, x: IntegerVar, mu: IntegerVar, value: &'a Integer },
    /// `t^x = s mod N̂`.
    Root(ExponentVar),
    /// The sum of component times point is the image.
    Point { terms: Vec<(C::Point, PointVar)>, images: Vec<C::Point> },
}

impl<C: Group> Map<'_, C> {
    /// Returns whether two maps are the same function, whatever their images are.
    fn is_same_function(&self, other: &Self) -> bool {
        match (self, other) {
            (
                Self::Paillier { key, images, y, rho, scaled, weighted },
                Self::Paillier {
                    key: theirs,
                    images: others,
                    y: plain,
                    rho: unit,
                    scaled: by,
                    weighted: factors,
                },
            ) => {
                images.len() == others.len()
                    && (key, y, rho, scaled, weighted) == (theirs, plain, unit, by, factors)
            }
            (Self::Commitment(one), Self::Commitment(other)) => one == other,
            (
                Self::Opened { setup, image, x, mu },
                Self::Opened { setup: theirs, image: other, x: value, mu: hiding },
            ) => (setup, image, x, mu) == (theirs, other, value, hiding),
            (Self::Point { terms, images }, Self::Point { terms: its, images: others }) => {
                images.len() == others.len() && terms == its
            }
            _ => false,
        }
    }
}

/// A homomorphism and its ranges, and the prover's witness where there is one.
pub struct Relation<'a, C: Group> {
    pub(crate) figure: &'static str,
    pub(crate) level: Level,
    pub(crate) challenge: ChallengeSet,
    /// The fold, if many statements are proved at once.
    pub(crate) fold: Option<Fold>,
    /// The components in their order.
    pub(crate) order: Vec<Component>,
    /// For each of them whether it is folded.
    pub(crate) folded: Vec<bool>,
    pub(crate) kinds: Kinds<'a>,
    pub(crate) parts: Parts<'a, C>,
    /// The commitments that travel in the proof, in the order of their maps.
    pub(crate) commitments: Vec<Commitment<'a>>,
    pub(crate) maps: Vec<Map<'a, C>>,
    /// Points that are hashed and stand in no equation.
    pub(crate) bound: Vec<C::Point>,
    /// `true` if the numbers of each map are under one key, and its handles belong to this relation. If it is
    /// `false`, the handles are never used for a lookup.
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

    /// The number of values that a component has in a witness, and of images under a map of it.
    pub(crate) fn count(&self, component: impl Into<Component>) -> usize {
        match self.fold {
            Some(fold) if self.is_folded(component) => fold.count,
            _ => 1,
        }
    }

    /// Returns whether a component is folded.
    pub(crate) fn is_folded(&self, component: impl Into<Component>) -> bool {
        self.folded.get(component.into().place()).is_some_and(|folded| *folded)
    }

    /// The component that says whether a map is folded.
    pub(crate) fn leading(&self, map: &Map<'a, C>) -> Option<Component> {
        Some(match map {
            Map::Paillier { y, .. } => (*y).into(),
            Map::Commitment(var) => self.commitment(*var).x.into(),
            Map::Opened { x, .. } | Map::Product { x, .. } => (*x).into(),
            Map::Root(x) => (*x).into(),
            Map::Point { terms, .. } => terms.first().map(|(_, var)| (*var).into())?,
        })
    }

    /// The fold of a map that has one.
    pub(crate) fn fold_of(&self, map: &Map<'a, C>) -> Option<Fold> {
        self.fold.filter(|_| self.leading(map).is_some_and(|one| self.is_folded(one)))
    }

    /// Returns whether two relations differ at most in the images of their maps. Then their masks and first
    /// messages are alike.
    pub(crate) fn is_alike_but_for_images(&self, other: &Self) -> bool {
        self.figure == other.figure
            && self.level == other.level
            && (self.challenge, self.fold) == (other.challenge, other.fold)
            && (&self.order, &self.folded) == (&other.order, &other.folded)
            && self.kinds == other.kinds
            && self.commitments == other.commitments
            && self.maps.len() == other.maps.len()
            && self.maps.iter().zip(&other.maps).all(|(one, other)| one.is_same_function(other))
    }
}
