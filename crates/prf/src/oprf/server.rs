//! The server of RFC 9497, with the whole key in one place.

use alloc::vec::Vec;
use core::fmt;

use quorate_curve::{Curve, Secret, random_nonzero_scalar};
use quorate_declassify::declassify;
use quorate_frost::{DecodeError, PointBytes, Scalar, VerifyingKey};
use quorate_session::wire::bounded;
use rand_core::CryptoRng;

use super::poprf::tweak;
use super::proof::{challenge, weights};
use super::{BlindedElement, BlindingError, EvaluatedElement, MOST_ELEMENTS, Proof};
use crate::kinds::{Mode, Oprf, Poprf, Voprf};
use crate::suite::{PrfSuite, context, hash_to_scalar};
use crate::wire::Encoded;

/// Evaluated elements and their proof.
type Answer<M> = (Vec<EvaluatedElement<M>>, Proof<M>);

/// A server that has the whole key, as the RFC describes it: to compare with, and for keys that are to be shared later.
pub struct Server<M: Mode> {
    secret: Secret<Scalar<M>>,
    public: Encoded<M>,
}

impl<M: Mode> Server<M> {
    /// The server of a secret key in the suite's encoding of a scalar.
    ///
    /// # Errors
    /// [`DecodeError::BadScalar`] for zero, or for an encoding that is not canonical.
    pub fn from_bytes(secret: &[u8]) -> Result<Self, DecodeError> {
        let secret = Secret::try_make(|| M::Curve::decode_scalar(secret));
        Self::of(secret.ok_or(DecodeError::BadScalar)?)
    }

    /// The server of a key that is hashed from a seed of 32 bytes and a public string (`DeriveKeyPair`, RFC 9497
    /// section 3.2.1).
    ///
    /// # Errors
    /// [`BlindingError::InputTooLong`] for a string of more than 65 535 bytes, [`BlindingError::InvalidInput`] if 256 hashes
    /// give no key.
    pub fn derive(seed: &[u8; 32], info: &[u8]) -> Result<Self, BlindingError> {
        if u16::try_from(info.len()).is_err() {
            return Err(BlindingError::InputTooLong { got: info.len() });
        }
        let context = context::<M::Suite>(M::MODE);
        let length: u16 = bounded(info.len());
        let key = |counter: u8| {
            let message: [&[u8]; 4] = [seed, &length.to_be_bytes(), info, &[counter]];
            let tag: [&[u8]; 2] = [b"DeriveKeyPair", &context];
            Self::of(Secret::make(|| hash_to_scalar::<M::Suite>(&message, &tag))).ok()
        };
        (0..=u8::MAX).find_map(key).ok_or(BlindingError::InvalidInput)
    }

    fn of(secret: Secret<Scalar<M>>) -> Result<Self, DecodeError> {
        // The key is published; a neutral one is refused.
        let point = declassify(M::Curve::mul_base(secret.expose()));
        if M::Curve::is_identity(&point) {
            return Err(DecodeError::BadScalar);
        }
        Ok(Self { secret, public: Encoded::new(point) })
    }

    /// The public key, in the suite's encoding.
    #[must_use]
    pub const fn public_key(&self) -> &PointBytes<M> {
        &self.public.bytes
    }

    /// The secret key, to deal shares of it.
    #[must_use]
    pub const fn secret_key(&self) -> &Secret<Scalar<M>> {
        &self.secret
    }
}

/// The multiples of elements by a secret.
fn evaluate<M: Mode>(
    secret: &Secret<Scalar<M>>,
    blinded: &[BlindedElement<M>],
) -> Vec<EvaluatedElement<M>> {
    let multiple = |one: &BlindedElement<M>| M::Curve::mul(&one.0.point, secret.expose());
    // Sent to the client.
    blinded.iter().map(|one| EvaluatedElement::of(declassify(multiple(one)))).collect()
}

/// `GenerateProof` for the secret `k`, whose public key is `key`. `None` for more than [`MOST_ELEMENTS`], or for a broken
/// generator.
fn prove<M: Mode>(
    k: &Secret<Scalar<M>>,
    key: &Encoded<M>,
    first: &[Encoded<M>],
    second: &[Encoded<M>],
    rng: &mut impl CryptoRng,
) -> Option<Proof<M>> {
    if first.len() > MOST_ELEMENTS {
        return None;
    }
    let bytes = |list: &[Encoded<M>]| list.iter().map(|one| one.bytes).collect::<Vec<_>>();
    let key = key.bytes.as_ref();
    let weights = weights::<M>(key, &bytes(first), &bytes(second));
    let points: Vec<_> = first.iter().map(|one| one.point).collect();
    let m = M::Curve::msm_vartime(&weights, &points);
    let z = M::Curve::mul(&m, k.expose());
    let r = Secret::new(random_nonzero_scalar::<M::Curve>(rng).ok()?);
    let (t2, t3) = (M::Curve::mul_base(r.expose()), M::Curve::mul(&m, r.expose()));
    // The challenge is sent.
    let points = declassify(M::Curve::encode_points(&[m, z, t2, t3]));
    let c = challenge::<M>(key, &points);
    Some(Proof { c, s: declassify(*r.expose() - c * *k.expose()) })
}

impl<S: PrfSuite> Server<Oprf<S>> {
    /// The evaluated elements (`BlindEvaluate`).
    #[must_use]
    pub fn evaluate(&self, blinded: &[BlindedElement<Oprf<S>>]) -> Vec<EvaluatedElement<Oprf<S>>> {
        evaluate(&self.secret, blinded)
    }
}

impl<S: PrfSuite> Server<Voprf<S>> {
    /// The public key, for a client.
    ///
    /// # Errors
    /// Never: the key was checked when the server was made.
    pub fn verifying_key(&self) -> Result<VerifyingKey<Voprf<S>>, DecodeError> {
        VerifyingKey::from_bytes(self.public.bytes.as_ref())
    }

    /// The evaluated elements and the proof (`BlindEvaluate`). `None` for more than [`MOST_ELEMENTS`], or for a broken
    /// generator.
    pub fn evaluate(
        &self,
        blinded: &[BlindedElement<Voprf<S>>],
        rng: &mut impl CryptoRng,
    ) -> Option<Answer<Voprf<S>>> {
        let evaluated = evaluate(&self.secret, blinded);
        let (first, second) = (encoded(blinded), results(&evaluated));
        let proof = prove(&self.secret, &self.public, &first, &second, rng)?;
        Some((evaluated, proof))
    }
}

impl<S: PrfSuite> Server<Poprf<S>> {
    /// The evaluated elements and the proof, for a public input (`BlindEvaluate`). `None` for more than [`MOST_ELEMENTS`],
    /// for a public input of more than 65 535 bytes or one that hashes to the negative of the key, or for a broken
    /// generator.
    pub fn evaluate(
        &self,
        info: &[u8],
        blinded: &[BlindedElement<Poprf<S>>],
        rng: &mut impl CryptoRng,
    ) -> Option<Answer<Poprf<S>>> {
        if u16::try_from(info.len()).is_err() {
            return None;
        }
        let tweaked = Secret::make(|| *self.secret.expose() + tweak::<S>(info));
        // The result shows if it is zero.
        if declassify(*tweaked.expose() == Scalar::<Poprf<S>>::default()) {
            return None;
        }
        let inverse = Secret::make(|| S::Curve::invert(tweaked.expose()));
        let evaluated = evaluate(&inverse, blinded);
        let key = Encoded::new(declassify(S::Curve::mul_base(tweaked.expose())));
        let (first, second) = (results(&evaluated), encoded(blinded));
        let proof = prove(&tweaked, &key, &first, &second, rng)?;
        Some((evaluated, proof))
    }
}

fn encoded<M: Mode>(blinded: &[BlindedElement<M>]) -> Vec<Encoded<M>> {
    blinded.iter().map(|one| one.0).collect()
}

fn results<M: Mode>(evaluated: &[EvaluatedElement<M>]) -> Vec<Encoded<M>> {
    evaluated.iter().map(|one| one.0).collect()
}

impl<M: Mode> fmt::Debug for Server<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").finish_non_exhaustive()
    }
}
