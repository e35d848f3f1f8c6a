//! The BIP's vectors, all six files, and tests of cases that they do not reach.

use alloc::vec::Vec;
use core::convert::Infallible;

use quorate_curve::{Curve, Secp256k1, Secret};
use quorate_frost::session::rand_core::{TryCryptoRng, TryRng};
use quorate_testkit::unhex;
use serde_json::Value;

use super::nonce::{AggregateNonce, NonceInputs, PublicNonce, SecretNonce};
use super::{
    Culprit, Error, Scalar, Session, SignatureShare, Signers, Tweak, TweakedKey, deterministic,
};

mod counted;
mod keys;
mod vectors;

/// A generator of these bytes, once.
struct Fixed([u8; 32]);

impl TryRng for Fixed {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        unreachable!("nonces take bytes")
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        unreachable!("nonces take bytes")
    }

    fn try_fill_bytes(&mut self, to: &mut [u8]) -> Result<(), Infallible> {
        to.copy_from_slice(&self.0);
        Ok(())
    }
}

impl TryCryptoRng for Fixed {}

/// The file's name in `tests/bip445`.
fn file(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn bytes(value: &Value) -> Vec<u8> {
    unhex(value.as_str().unwrap())
}

fn array<const N: usize>(value: &Value) -> [u8; N] {
    bytes(value).try_into().unwrap()
}

fn number(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap()).unwrap()
}

fn id(value: &Value) -> u32 {
    u32::try_from(value.as_u64().unwrap()).unwrap()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

/// The items of a list of the group that a list of places of the test names.
fn chosen<'v>(group: &'v Value, name: &str, test: &'v Value, places: &str) -> Vec<&'v Value> {
    list(&test[places]).iter().map(|at| &group[name][number(at)]).collect()
}

/// *Signers Context* of a test.
fn signers(group: &Value, test: &Value) -> Result<Signers, Error> {
    let shares = chosen(group, "pubshares", test, "pubshare_indices");
    let ids = list(&test["ids"]);
    assert_eq!(ids.len(), shares.len());
    let listed: Vec<_> = ids.iter().map(id).zip(shares.into_iter().map(array)).collect();
    Signers::from_untrusted_list(
        id(&group["t"]),
        id(&group["n"]),
        &listed,
        &array(&group["thresh_pk"]),
    )
}

/// The secret share of a test.
fn share(group: &Value, test: &Value) -> Secret<Scalar> {
    let bytes = bytes(&group["secshares"][number(&test["secshare_index"])]);
    Secret::new(Secp256k1::decode_scalar(&bytes).unwrap())
}

/// The secret nonce of a test.
fn nonce(group: &Value, test: &Value) -> SecretNonce {
    let bytes = bytes(&group["secnonces"][number(&test["secnonce_index"])]);
    let [first, second] = [&bytes[..32], &bytes[32..64]]
        .map(|one| Secret::new(Secp256k1::decode_scalar(one).unwrap()));
    SecretNonce::of(first, second)
}

/// Tweaks with their modes.
fn tweaks(scalars: &[&Value], modes: &Value) -> Vec<Tweak> {
    let modes = list(modes).iter().map(|mode| mode.as_bool().unwrap());
    let tweak = |(scalar, is_x_only): (&&Value, _)| Tweak { scalar: array(scalar), is_x_only };
    scalars.iter().zip(modes).map(tweak).collect()
}

/// *DeterministicSign* of a test; `counted` is how b is hashed since version 0.8.0.
fn sign_alone(
    group: &Value,
    test: &Value,
    counted: bool,
) -> Result<(PublicNonce, SignatureShare), Error> {
    let signers = signers(group, test)?;
    let others = test["aggothernonce"].as_str().map(unhex);
    let others = others.map(|bytes| PublicNonce::try_from(bytes).unwrap());
    let random = test["rand"].as_str().map(unhex);
    let random = random.map(|bytes| <[u8; 32]>::try_from(bytes).unwrap());
    let scalars: Vec<_> = list(&test["tweaks"]).iter().collect();
    let tweaks = tweaks(&scalars, &test["is_xonly"]);
    let key = TweakedKey::of(signers.key).apply_all(&tweaks)?;
    let (share, message) = (share(group, test), bytes(&test["msg"]));
    let signer = (&share, id(&test["my_id"]));
    let (others, random) = (others.as_ref(), random.as_ref());
    let count = signers.encoded_count();
    let prefix: &[u8] = if counted { &count } else { &[] };
    let session =
        |sum: &AggregateNonce| Session::with_prefix(prefix, &signers, sum, &tweaks, &message);
    deterministic::sign_with(signer, &signers, others, &key, &message, random, session)
}
