//! The client of the mode POPRF (RFC 9497 section 3.3.3).

use alloc::vec::Vec;
use core::fmt;

use quorate_curve::Curve;
use quorate_frost::{Scalar, VerifyingKey};
use quorate_session::wire::bounded;
use rand_core::CryptoRng;

use super::{
    BlindedElement, Blinding, BlindingError, EvaluatedElement, InvalidProof, Output, Proof,
};
use crate::kinds::{Mode, Poprf};
use crate::suite::{PrfSuite, context, hash_to_scalar};
use crate::wire::Encoded;

/// A client's input with a public input, and the blind that hides the first.
pub struct PoprfBlinding<S: PrfSuite> {
    blinding: Blinding<Poprf<S>>,
    info: Vec<u8>,
    /// m·G and the key.
    tweaked: Encoded<Poprf<S>>,
}

impl<S: PrfSuite> PoprfBlinding<S> {
    /// Hides an input, for a public input `info` and a server's key (`Blind`).
    ///
    /// # Errors
    /// A [`BlindingError`].
    pub fn new(
        input: &[u8],
        info: &[u8],
        key: &VerifyingKey<Poprf<S>>,
        rng: &mut impl CryptoRng,
    ) -> Result<Self, BlindingError> {
        if u16::try_from(info.len()).is_err() {
            return Err(BlindingError::InputTooLong { got: info.len() });
        }
        let tweaked = S::Curve::mul_base(&tweak::<S>(info)) + *key.point();
        if S::Curve::is_identity(&tweaked) {
            return Err(BlindingError::InvalidInput);
        }
        let blinding = Blinding::new(input, rng)?;
        Ok(Self { blinding, info: info.to_vec(), tweaked: Encoded::new(tweaked) })
    }

    /// The blinded input.
    #[must_use]
    pub const fn element(&self) -> &BlindedElement<Poprf<S>> {
        self.blinding.element()
    }

    /// The output, if the proof verifies (`Finalize`).
    ///
    /// # Errors
    /// [`InvalidProof`].
    pub fn finalize(
        self,
        evaluated: &EvaluatedElement<Poprf<S>>,
        proof: &Proof<Poprf<S>>,
    ) -> Result<Output<S>, InvalidProof> {
        let mut outputs =
            Self::finalize_all(alloc::vec![self], core::slice::from_ref(evaluated), proof)?;
        outputs.pop().ok_or(InvalidProof)
    }

    /// The outputs of several inputs with one public input, whose elements were evaluated together.
    ///
    /// # Errors
    /// [`InvalidProof`], also if the public inputs or the keys differ, or if there are more or fewer elements than inputs.
    pub fn finalize_all(
        all: Vec<Self>,
        evaluated: &[EvaluatedElement<Poprf<S>>],
        proof: &Proof<Poprf<S>>,
    ) -> Result<Vec<Output<S>>, InvalidProof> {
        let first = all.first().ok_or(InvalidProof)?;
        let (tweaked, info) = (first.tweaked, first.info.clone());
        if all.iter().any(|one| one.tweaked != tweaked || one.info != info) {
            return Err(InvalidProof);
        }
        let (blinded, bytes): (Vec<_>, Vec<_>) =
            all.iter().map(|one| (one.element().0.point, one.element().0.bytes)).unzip();
        let (results, result_bytes): (Vec<_>, Vec<_>) =
            evaluated.iter().map(|one| (one.0.point, one.0.bytes)).unzip();
        // The key takes evaluated elements to blinded ones.
        proof.verify_lists(
            tweaked.bytes.as_ref(),
            &tweaked.point,
            (&results, &result_bytes),
            (&blinded, &bytes),
        )?;
        let pairs = all.iter().zip(evaluated);
        Ok(pairs.map(|(one, evaluated)| one.blinding.output(Some(&info), evaluated)).collect())
    }
}

impl<S: PrfSuite> fmt::Debug for PoprfBlinding<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PoprfBlinding").field("element", self.element()).finish_non_exhaustive()
    }
}

/// m, the hash of the public input.
pub(super) fn tweak<S: PrfSuite>(info: &[u8]) -> Scalar<Poprf<S>> {
    // At most 65535 bytes: the callers check it.
    let length: u16 = bounded(info.len());
    let context = context::<S>(<Poprf<S> as Mode>::MODE);
    hash_to_scalar::<S>(&[b"Info", &length.to_be_bytes(), info], &[b"HashToScalar-", &context])
}
