//! Πsch — Schnorr's proof of knowledge of x in X = x·G, its commitment A sent ahead of the rest.
//!
//! Key generation commits to A = α·G before the statement exists, so making the commitment and
//! answering the challenge are two steps here. **One commitment answers one challenge**: two
//! answers give x away, and [`Nonce::answer`] takes the nonce by value.

use quorate_curve::{Curve, RandomnessError, Secret, random_nonzero_scalar};
use quorate_session::Transcript;
use rand_core::CryptoRng;

/// The prover's secret α, used once.
pub(crate) struct Nonce<C: Curve>(Secret<C::Scalar>);

impl<C: Curve> Nonce<C> {
    /// A nonce, and the commitment A = α·G to it.
    pub(crate) fn new(rng: &mut impl CryptoRng) -> Result<(Self, C::Point), RandomnessError> {
        let alpha = Secret::new(random_nonzero_scalar::<C>(rng)?);
        let commitment = C::mul_base(alpha.expose());
        Ok((Self(alpha), commitment))
    }

    /// z = α + e·x.
    pub(crate) fn answer(self, challenge: &C::Scalar, x: &C::Scalar) -> C::Scalar {
        *self.0.expose() + *challenge * *x
    }
}

/// e, from a transcript that holds the context (session, prover, rid), then X and A.
pub(crate) fn challenge<C: Curve>(
    mut context: Transcript,
    x: &C::PointBytes,
    a: &C::PointBytes,
) -> C::Scalar {
    context.append("curve", C::NAME.as_bytes());
    context.append("X", x.as_ref());
    context.append("A", a.as_ref());
    C::scalar_from_wide(&context.finish())
}

/// Whether z·G = A + e·X.
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
        let (encoded_x, encoded_a) = (C::encode_point(&big_x), C::encode_point(&a));
        let e = challenge::<C>(context(1), &encoded_x, &encoded_a);
        let z = nonce.answer(&e, &x);
        assert!(verifies::<C>(&big_x, &a, &z, &e));
        let one = C::Scalar::from(1);
        assert!(!verifies::<C>(&big_x, &a, &(z + one), &e));
        assert!(!verifies::<C>(&big_x, &(a + C::generator()), &z, &e));
        assert!(!verifies::<C>(&(big_x + C::generator()), &a, &z, &e));
        assert!(!verifies::<C>(&big_x, &a, &C::Scalar::default(), &e));
        for other in [
            challenge::<C>(context(2), &encoded_x, &encoded_a),
            challenge::<C>(context(1), &encoded_a, &encoded_a),
            challenge::<C>(context(1), &encoded_x, &encoded_x),
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
