//! Πsch — Schnorr's proof of knowledge of x in X = x·G, its commitment in two parts: A is sent ahead
//! of the rest, A' with the answer.
//!
//! Key generation commits to A = α·G before the statement exists. One commitment answers one
//! challenge, since two answers give x away. A run that is restored from an old state has the same α, and
//! may get another challenge. So the answer is masked with α' too, which is drawn when everything that the
//! challenge depends on has been received. Then z = α + α' + e·x, where e is a hash of A and A', and
//! z·G = A + A' + e·X. The method [`Nonce::answer`] takes both nonces by value.

use quorate_curve::{Curve, RandomnessError, Secret, random_nonzero_scalar};
use quorate_session::Transcript;
use rand_core::CryptoRng;

/// The prover's secret α or α', used once.
pub(crate) struct Nonce<C: Curve>(Secret<C::Scalar>);

impl<C: Curve> Nonce<C> {
    /// A nonce, and the commitment A = α·G to it.
    pub(crate) fn new(rng: &mut impl CryptoRng) -> Result<(Self, C::Point), RandomnessError> {
        let alpha = Secret::new(random_nonzero_scalar::<C>(rng)?);
        let commitment = C::mul_base(alpha.expose());
        Ok((Self(alpha), commitment))
    }

    /// The nonce that [`new`](Self::new) gave from the same stream, its commitment being known.
    pub(crate) fn same(rng: &mut impl CryptoRng) -> Result<Self, RandomnessError> {
        Ok(Self(Secret::new(random_nonzero_scalar::<C>(rng)?)))
    }

    /// z = α + α' + e·x.
    pub(crate) fn answer(self, late: Self, challenge: &C::Scalar, x: &C::Scalar) -> C::Scalar {
        *self.0.expose() + *late.0.expose() + *challenge * *x
    }
}

/// e, from a transcript that holds the context (session, prover, rid), then X, A and A'.
pub(crate) fn challenge<C: Curve>(
    mut context: Transcript,
    x: &C::PointBytes,
    [a, late]: [&C::PointBytes; 2],
) -> C::Scalar {
    context.append("curve", C::NAME.as_bytes());
    context.append("X", x.as_ref());
    context.append("A", a.as_ref());
    context.append("A'", late.as_ref());
    C::scalar_from_wide(&context.finish())
}

/// Returns whether z·G = A + e·X, for the sum of both parts of the commitment.
pub(crate) fn verifies<C: Curve>(
    x: &C::Point,
    a: &C::Point,
    z: &C::Scalar,
    challenge: &C::Scalar,
) -> bool {
    C::verify_vartime(x, a, z, challenge)
}

#[cfg(test)]
mod tests {
    use chacha20::{ChaCha20Rng, rand_core::SeedableRng};
    use quorate_curve::{Curve, P256, Secp256k1};
    use quorate_session::Transcript;

    use super::{Nonce, challenge, verifies};

    fn context(session: u64) -> Transcript {
        let mut transcript = Transcript::new("test");
        transcript.append_u64("session", session);
        transcript
    }

    fn accepts_only_the_proven<C: Curve>() {
        let mut rng = ChaCha20Rng::from_seed([3; 32]);
        let x = C::Scalar::from(77);
        let big_x = C::mul_base(&x);
        let (nonce, a) = Nonce::<C>::new(&mut rng).unwrap();
        let (late, b) = Nonce::<C>::new(&mut rng).unwrap();
        let encode = |point: &C::Point| C::encode_point(point);
        let (encoded_x, encoded_a, encoded_b) = (encode(&big_x), encode(&a), encode(&b));
        let e = challenge::<C>(context(1), &encoded_x, [&encoded_a, &encoded_b]);
        let z = nonce.answer(late, &e, &x);
        let a = a + b;
        assert!(verifies::<C>(&big_x, &a, &z, &e));
        let one = C::Scalar::from(1);
        assert!(!verifies::<C>(&big_x, &a, &(z + one), &e));
        assert!(!verifies::<C>(&big_x, &(a + C::generator()), &z, &e));
        assert!(!verifies::<C>(&big_x, &b, &z, &e));
        assert!(!verifies::<C>(&(big_x + C::generator()), &a, &z, &e));
        assert!(!verifies::<C>(&big_x, &a, &C::Scalar::default(), &e));
        for other in [
            challenge::<C>(context(2), &encoded_x, [&encoded_a, &encoded_b]),
            challenge::<C>(context(1), &encoded_a, [&encoded_a, &encoded_b]),
            challenge::<C>(context(1), &encoded_x, [&encoded_x, &encoded_b]),
            challenge::<C>(context(1), &encoded_x, [&encoded_a, &encoded_x]),
            challenge::<C>(context(1), &encoded_x, [&encoded_b, &encoded_a]),
        ] {
            assert!(other != e && !verifies::<C>(&big_x, &a, &z, &other));
        }
    }

    #[test]
    fn accepts_only_what_was_proven() {
        accepts_only_the_proven::<Secp256k1>();
        accepts_only_the_proven::<P256>();
    }
}
