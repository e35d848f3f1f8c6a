//! The check that public shares belong together.

use alloc::vec::Vec;

use chacha20::ChaCha20Rng;
use chacha20::rand_core::SeedableRng;
use quorate_curve::Curve;
use quorate_session::{PartyId, Transcript};

use crate::{Polynomial, lagrange};

/// Returns whether `shares` are the values at `ids`, and `constant` the value at zero, of one
/// polynomial of degree below `threshold` in the exponent. Takes variable time, since all of its
/// input is public.
///
/// The test is that of SCRAPE (Cascudo and David, 2017). Take the values of a polynomial f of
/// degree t − 1 at zero and at n other places. They satisfy p(0)·f(0) = Σ λ_i·p(x_i)·f(x_i) for
/// every polynomial p of degree n − t. Any other values satisfy it for a random p with a chance of
/// 2^-128 or less. p is hashed from the values. It takes one multi-scalar multiplication of n
/// terms, after n·(2n − t) multiplications of scalars. Bound n before you check a stranger's
/// values.
#[must_use]
pub fn lies_on_polynomial_vartime<C: Curve>(
    ids: &[PartyId],
    constant: &C::Point,
    shares: &[C::Point],
    threshold: u16,
) -> bool {
    let Some(surplus) = ids.len().checked_sub(usize::from(threshold)) else {
        return false;
    };
    let (Some(lambda), Ok(terms)) =
        (lagrange::all_at_zero::<C>(ids), u16::try_from(surplus.saturating_add(1)))
    else {
        return false;
    };
    if ids.len() != shares.len() {
        return false;
    }
    let mut transcript = Transcript::new("quorate-sharing consistency");
    transcript.append("curve", C::NAME.as_bytes());
    transcript.append_u64("threshold", u64::from(threshold));
    transcript.append("constant", C::encode_point(constant).as_ref());
    transcript.append_list("ids", ids.iter().map(|id| id.get().to_be_bytes()));
    transcript.append_list("shares", C::encode_points(shares));
    let mut rng = ChaCha20Rng::from_seed(transcript.finish32());
    // A hash whose stream is nothing but zeros does not come up; it proves nothing.
    let Ok(p) = Polynomial::<C>::random(terms, &mut rng) else {
        return false;
    };
    let at_ids = p.evaluate_many(ids);
    let weights: Vec<_> =
        lambda.iter().zip(at_ids.expose()).map(|(lambda, value)| *lambda * *value).collect();
    C::msm_vartime(&weights, shares) == C::msm_vartime(&[*p.constant()], &[*constant])
}
