//! The one Sigma protocol.
//!
//! A [`Relation`] describes a homomorphism from a witness of several components to group elements: the kinds and
//! intervals of the components, and the [`Map`]s with their images. It is data, and both sides read the same one:
//!
//! | | prover | verifier |
//! |---|---|---|
//! | described | `f(mask)`, by [`Prover::products`] | `f(z) · X^-e`, by [`Check::products`] |
//! | evaluated | by an engine, for all proofs of a round at once | the same |
//! | then | `e` from the transcript, `z = mask + e·witness` | the transcript must give `e` again |
//!
//! A proof is `e`, the commitments that the prover makes to its witness, and the responses `z`.
//!
//! Everything that the relation contains is hashed before the first commitment, by the machine: a figure's file has
//! no way to forget a public value.

use alloc::vec::Vec;

use quorate_bignum::{Integer, Natural, SecretInteger, SecretNatural};
use quorate_curve::Curve;
use quorate_paillier::level::{ELL, REPETITIONS};
use quorate_paillier::{Ciphertext, EncryptionKey, Level, Pedersen, PedersenTrapdoor, Randomizer};

mod answer;
mod batch;
mod challenge;
mod check;
mod claim;
mod layout;
mod masks;
mod prover;
mod responder;
pub(crate) mod secrets;

pub use batch::{check_many, prove, prove_many, respond_many, verify, verify_many};
pub use check::Check;
pub use claim::Claim;
pub use masks::Masks;
pub use prover::Prover;
pub use responder::Responder;

/// The results of public products, in their order.
pub type PublicValues<'v> = dyn Iterator<Item = Result<Natural, quorate_bignum::Error>> + 'v;

/// The results of products with secrets, in their order.
pub type SecretValues<'v> = dyn Iterator<Item = Result<SecretNatural, quorate_bignum::Error>> + 'v;

/// The statement of one figure, with all of its public values.
pub trait Statement<'a, C: Curve> {
    /// The witness.
    type Witness;

    /// The homomorphism and its ranges.
    fn relation(&self) -> Relation<'a, C>;

    /// The witness, one part for each component of the relation.
    fn parts(&self, witness: Self::Witness) -> Vec<Part<'a, C>>;
}

/// A homomorphism and its ranges.
pub struct Relation<'a, C: Curve> {
    /// The figure's name, hashed.
    pub figure: &'static str,
    /// The level that lengths come from.
    pub level: Level,
    /// Where the challenge is drawn from.
    pub challenge: ChallengeSet,
    /// The components of the witness.
    pub components: Vec<Component<'a>>,
    /// The maps; components are named by their index.
    pub maps: Vec<Map<'a, C>>,
}

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

/// One component of a witness.
#[derive(PartialEq)]
pub struct Component<'a> {
    /// The name of its response in the paper, for faults.
    pub name: &'static str,
    /// Its kind.
    pub kind: Kind<'a>,
}

/// The kind of a component, which says how it is masked, answered and checked.
#[derive(Clone, Copy, PartialEq)]
pub enum Kind<'a> {
    /// An integer of `±2^bits`, the mask uniform in `±2^(bits + slack)`, the response `mask + e·x` in
    /// `±2^(bits + slack)`; `±2^a` is `|x| <= 2^(a - 1)`.
    Integer {
        /// The interval of the witness.
        bits: u32,
        /// How much longer the mask is.
        slack: u32,
    },
    /// A unit under `N`: the response is `r ρ^e mod N`.
    Unit(&'a EncryptionKey),
    /// A scalar of the curve.
    Scalar,
    /// An exponent of `t`, counted modulo the order, which the prover knows: the response is in `[0, N̂)`.
    Exponent(&'a Pedersen),
}

impl<'a> Kind<'a> {
    /// An integer of `±2^bits` with the paper's slack `ε`.
    pub(crate) const fn ranged(level: Level, bits: u32) -> Self {
        Self::Integer { bits, slack: level.epsilon() }
    }

    /// The exponent that hides a commitment, of `±2^ℓ N̂`. The paper gives its response no range; here it is held to
    /// the interval of its mask like any other.
    pub(crate) fn hiding(setup: &'a Pedersen) -> Self {
        Self::ranged(setup.level(), setup.level().modulus_bits() + ELL)
    }
}

/// `name` and `kind` as a component.
pub(crate) const fn component<'a>(name: &'static str, kind: Kind<'a>) -> Component<'a> {
    Component { name, kind }
}

/// A ciphertext to the power of a component, as a factor of another.
#[derive(PartialEq)]
pub struct Scaled<'a> {
    /// The base.
    pub ciphertext: &'a Ciphertext,
    /// The integer component that is its exponent.
    pub by: usize,
    /// Whether the exponent is the component's negative.
    pub negated: bool,
}

/// One map of the homomorphism and its image.
pub enum Map<'a, C: Curve> {
    /// `C^±x (1 + N)^y ρ^N = image mod N²`.
    Paillier {
        /// Its value, and by its key `N`.
        image: &'a Ciphertext,
        /// `y`, an integer.
        plain: usize,
        /// `ρ`, a unit under the same key.
        randomizer: usize,
        /// `C^±x`.
        scaled: Option<Scaled<'a>>,
    },
    /// `s^x t^μ mod N̂`; the image is made by the prover and travels in the proof.
    Commitment {
        /// The verifier's setup.
        setup: &'a Pedersen,
        /// `x`, an integer.
        x: usize,
        /// `μ`, an integer.
        mu: usize,
    },
    /// `Q^x t^μ = s^value mod N̂` for a commitment `Q` of the prover.
    Product {
        /// The verifier's setup.
        setup: &'a Pedersen,
        /// The index, among the maps, of the commitment `Q`.
        commitment: usize,
        /// `x`, an integer.
        x: usize,
        /// `μ`, an integer.
        mu: usize,
        /// The exponent of `s`.
        value: &'a Integer,
    },
    /// `t^x = s mod N̂`.
    Root {
        /// The prover's setup.
        setup: &'a Pedersen,
        /// `x`, an exponent.
        x: usize,
    },
    /// The sum of component times point gives the image; integers count modulo the order.
    Point {
        /// The points and the components that they are multiplied by.
        terms: Vec<(C::Point, usize)>,
        /// The sum.
        image: C::Point,
    },
}

impl<C: Curve> Map<'_, C> {
    /// Whether two maps are the same function, whatever their images are.
    fn is_same_function(&self, other: &Self) -> bool {
        match (self, other) {
            (
                Self::Paillier { image, plain, randomizer, scaled },
                Self::Paillier { image: its, plain: m, randomizer: r, scaled: by },
            ) => (image.key(), plain, randomizer, scaled) == (its.key(), m, r, by),
            (
                Self::Commitment { setup, x, mu },
                Self::Commitment { setup: its, x: value, mu: hiding },
            ) => (setup, x, mu) == (its, value, hiding),
            (Self::Point { terms, .. }, Self::Point { terms: its, .. }) => terms == its,
            _ => false,
        }
    }
}

impl<'a, C: Curve> Relation<'a, C> {
    /// The commitments that travel in the proof, in the order of their maps: the setup, and the components that are
    /// the number and what hides it.
    pub(crate) fn commitments(&self) -> impl Iterator<Item = (&'a Pedersen, usize, usize)> {
        self.maps.iter().filter_map(|map| match map {
            Map::Commitment { setup, x, mu } => Some((*setup, *x, *mu)),
            _ => None,
        })
    }

    /// Their setups.
    pub(crate) fn carried(&self) -> impl Iterator<Item = &'a Pedersen> {
        self.commitments().map(|(setup, ..)| setup)
    }

    /// Whether two relations differ in the images of their maps at most: their masks and first messages are alike.
    pub(crate) fn is_alike_but_for_images(&self, other: &Self) -> bool {
        self.figure == other.figure
            && self.level == other.level
            && self.challenge == other.challenge
            && self.components == other.components
            && self.maps.len() == other.maps.len()
            && self.maps.iter().zip(&other.maps).all(|(one, other)| one.is_same_function(other))
    }

    /// Where among the carried commitments that of a map is.
    pub(crate) fn carried_index(&self, map: usize) -> usize {
        self.maps.iter().take(map).filter(|map| matches!(map, Map::Commitment { .. })).count()
    }
}

/// One part of a witness.
pub enum Part<'a, C: Curve> {
    /// An integer.
    Integer(&'a SecretInteger),
    /// An integer made for this proof.
    Made(SecretInteger),
    /// An integer that the prover draws: what hides a commitment.
    Fresh,
    /// Minus the product of two integers, by their indices among the parts before it.
    MinusProduct(usize, usize),
    /// A unit.
    Unit(&'a Randomizer),
    /// A scalar.
    Scalar(&'a C::Scalar),
    /// The discrete logarithm of one's own setup.
    Trapdoor(&'a PedersenTrapdoor),
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
