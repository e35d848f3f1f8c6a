//! Many signatures in one equation.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use chacha20::ChaCha20Rng;
use chacha20::rand_core::SeedableRng;
use quorate_curve::Curve;
use quorate_session::Transcript;

use crate::bisect::bad_items;
use crate::error::BatchError;
use crate::signature::{Signature, VerifyingKey};
use crate::suite::{Ciphersuite, KeySuite, Scalar};

/// Verifies many signatures, of one key or of many, with one multi-scalar multiplication. A wrong one passes with
/// a chance of 2^-128. Variable time: everything here is public.
///
/// # Errors
/// [`BatchError`] names the places of all signatures that do not verify.
pub fn verify_batch<S: Ciphersuite>(
    items: &[(&VerifyingKey<S>, &[u8], &Signature<S>)],
) -> Result<(), BatchError> {
    let items: Vec<_> = items
        .iter()
        .map(|(key, message, signature)| Item {
            key: **key,
            signature: **signature,
            challenge: S::challenge(&signature.bytes, &key.bytes, message),
        })
        .collect();
    if all_hold(&items) {
        return Ok(());
    }
    let invalid = bad_items(items.len(), |part| items.get(part).is_some_and(all_hold));
    Err(BatchError { invalid })
}

/// A signature with its challenge.
pub(crate) struct Item<S: KeySuite> {
    pub(crate) key: VerifyingKey<S>,
    pub(crate) signature: Signature<S>,
    pub(crate) challenge: Scalar<S>,
}

/// Returns whether z·G = R + c·Y for every item.
pub(crate) fn all_hold<S: KeySuite>(items: &[Item<S>]) -> bool {
    if let [Item { key, signature, challenge }] = items {
        return S::Curve::verify_vartime(&key.point, &signature.r, &signature.z, challenge);
    }
    let mut rng = ChaCha20Rng::from_seed(seed(items));
    let mut z = Scalar::<S>::default();
    // A key that signed several of them appears once.
    let mut keys = BTreeMap::new();
    let mut scalars = Vec::with_capacity(items.len() * 2 + 1);
    let mut points = Vec::with_capacity(items.len() * 2 + 1);
    let terms = items.len() * 2;
    for Item { key, signature, challenge } in items {
        let r = S::Curve::batch_coefficient_vartime(&mut rng, terms);
        z = z + r * signature.z;
        scalars.push(r);
        points.push(signature.r);
        let (_, weight) = keys.entry(key.bytes).or_insert((key.point, Scalar::<S>::default()));
        *weight = *weight + r * *challenge;
    }
    for (point, weight) in keys.into_values() {
        scalars.push(weight);
        points.push(point);
    }
    scalars.push(-z);
    points.push(S::Curve::generator());
    S::Curve::is_identity(&S::Curve::msm_vartime(&scalars, &points))
}

/// The seed of the coefficients: the challenges bind keys, commitments and messages.
fn seed<S: KeySuite>(items: &[Item<S>]) -> [u8; 32] {
    let mut transcript = Transcript::new("quorate-frost batch");
    transcript.append("suite", S::CONTEXT.as_bytes());
    let scalar = |x: &Scalar<S>| S::Curve::encode_scalar(x);
    transcript.append_list("challenges", items.iter().map(|item| scalar(&item.challenge)));
    transcript.append_list("keys", items.iter().map(|item| item.key.bytes));
    transcript.append_list("commitments", items.iter().map(|item| item.signature.bytes));
    transcript.append_list("z", items.iter().map(|item| scalar(&item.signature.z)));
    transcript.finish32()
}
