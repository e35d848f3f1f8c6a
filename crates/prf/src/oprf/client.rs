//! The client of the modes OPRF and VOPRF (RFC 9497 sections 3.3.1 and 3.3.2).

use alloc::vec::Vec;
use core::fmt;

use quorate_curve::{Curve, Secret, random_nonzero_scalar};
use quorate_declassify::declassify;
use quorate_frost::{Scalar, VerifyingKey};
use rand_core::CryptoRng;
use zeroize::Zeroizing;

use super::{BlindedElement, EvaluatedElement, InvalidProof, Proof};
use crate::hash::SuiteDigest;
use crate::kinds::{Mode, Oprf, Voprf};
use crate::suite::{PrfSuite, context, hash_to_group};

/// The output of an OPRF, wiped when dropped: 64 bytes for ristretto255, 32 for the other suites.
pub type Output<S> = Zeroizing<<<S as PrfSuite>::Digest as SuiteDigest>::Output>;

/// A client's input and the blind that hides it, for one evaluation.
///
/// A blinding is spent by `finalize`, and it is neither `Clone` nor printable.
pub struct Blinding<M: Mode> {
    input: Zeroizing<Vec<u8>>,
    blind: Secret<Scalar<M>>,
    element: BlindedElement<M>,
}

impl<M: Mode> Blinding<M> {
    /// Hides an input (`Blind`). Send the [`element`](Self::element) to the parties.
    ///
    /// # Errors
    /// A [`BlindingError`].
    pub fn new(input: &[u8], rng: &mut impl CryptoRng) -> Result<Self, BlindingError> {
        if u16::try_from(input.len()).is_err() {
            return Err(BlindingError::InputTooLong { got: input.len() });
        }
        let blind = random_nonzero_scalar::<M::Curve>(rng).map(Secret::new);
        let blind = blind.map_err(|_| BlindingError::Randomness)?;
        let point =
            hash_to_group::<M::Suite>(&[input], &[b"HashToGroup-", &context::<M::Suite>(M::MODE)]);
        let point = point.ok_or(BlindingError::InvalidInput)?;
        // Sent to the parties.
        let element = declassify(M::Curve::mul(&point, blind.expose()));
        let element = BlindedElement::of(element);
        Ok(Self { input: Zeroizing::new(input.to_vec()), blind, element })
    }

    /// The blinded input.
    #[must_use]
    pub const fn element(&self) -> &BlindedElement<M> {
        &self.element
    }

    /// The hash of the input, of the public input of a POPRF, and of the element without its blind.
    pub(super) fn output(
        &self,
        info: Option<&[u8]>,
        evaluated: &EvaluatedElement<M>,
    ) -> Output<M::Suite> {
        let inverse = Secret::make(|| M::Curve::invert(self.blind.expose()));
        let unblinded = M::Curve::mul(&evaluated.0.point, inverse.expose());
        let unblinded = M::Curve::encode_point(&unblinded);
        let mut hash = <M::Suite as PrfSuite>::Digest::start();
        let parts = [Some(self.input.as_slice()), info, Some(unblinded.as_ref())];
        for part in parts.into_iter().flatten() {
            // Inputs are bounded where they come in, and an element has far fewer bytes.
            let length: u16 = quorate_session::wire::bounded(part.len());
            hash.absorb(&length.to_be_bytes());
            hash.absorb(part);
        }
        hash.absorb(b"Finalize");
        Zeroizing::new(hash.digest())
    }
}

impl<S: PrfSuite> Blinding<Oprf<S>> {
    /// The output (`Finalize`). Nothing shows that the parties used the key that they should: see [`Voprf`].
    #[must_use]
    pub fn finalize(self, evaluated: &EvaluatedElement<Oprf<S>>) -> Output<S> {
        self.output(None, evaluated)
    }
}

impl<S: PrfSuite> Blinding<Voprf<S>> {
    /// The output, if the proof shows that the group's key made the evaluated element (`Finalize`).
    ///
    /// # Errors
    /// [`InvalidProof`].
    pub fn finalize(
        self,
        key: &VerifyingKey<Voprf<S>>,
        evaluated: &EvaluatedElement<Voprf<S>>,
        proof: &Proof<Voprf<S>>,
    ) -> Result<Output<S>, InvalidProof> {
        proof.verify(key, &[self.element], &[*evaluated])?;
        Ok(self.output(None, evaluated))
    }

    /// The outputs of several inputs whose elements were evaluated together, under one proof.
    ///
    /// # Errors
    /// [`InvalidProof`], also if there are more or fewer elements than inputs.
    pub fn finalize_all(
        all: Vec<Self>,
        key: &VerifyingKey<Voprf<S>>,
        evaluated: &[EvaluatedElement<Voprf<S>>],
        proof: &Proof<Voprf<S>>,
    ) -> Result<Vec<Output<S>>, InvalidProof> {
        let blinded: Vec<_> = all.iter().map(|one| one.element).collect();
        // Compares the numbers of elements too.
        proof.verify(key, &blinded, evaluated)?;
        Ok(all.iter().zip(evaluated).map(|(one, evaluated)| one.output(None, evaluated)).collect())
    }
}

impl<M: Mode> fmt::Debug for Blinding<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Blinding").field("element", &self.element).finish_non_exhaustive()
    }
}

/// The reason why an input was not blinded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BlindingError {
    /// An input, or a public input, of more than 65 535 bytes.
    InputTooLong {
        /// The length, in bytes.
        got: usize,
    },
    /// The input hashes to the neutral element, or the public input to the negative of the key (`InvalidInputError`).
    /// Nobody finds such an input.
    InvalidInput,
    /// The generator of random numbers gives zeros only.
    Randomness,
}

impl fmt::Display for BlindingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InputTooLong { got } => {
                write!(f, "got {got} bytes of input, expected at most 65535")
            }
            Self::InvalidInput => f.write_str("the input hashes to no usable element"),
            Self::Randomness => f.write_str("the generator of random numbers gives zeros only"),
        }
    }
}

impl core::error::Error for BlindingError {}
