//! The refresh and the repair of the other suites, as digests of their frames.

use quorate::frost::ed448::Ed448Shake256;
use quorate::frost::ed25519::Ed25519Sha512;
use quorate::frost::generic::{Ciphersuite, KeyShare};
use quorate::frost::p256::P256Sha256;
use quorate::frost::ristretto255::Ristretto255Sha512;
use quorate::frost::secp256k1_tr::Secp256k1Taproot;
use quorate::session::Protocol;

use super::Values;
use super::life::{generate, of, refresh, repair};
use super::played::Played;
use crate::group::{Group, rng};

pub(super) fn values() -> Values {
    let mut values = Values::new();
    suite::<Ed25519Sha512>(&mut values, "Ed25519");
    suite::<Ristretto255Sha512>(&mut values, "Ristretto255");
    suite::<Ed448Shake256>(&mut values, "Ed448");
    suite::<P256Sha256>(&mut values, "P-256");
    suite::<Secp256k1Taproot>(&mut values, "Taproot");
    values
}

fn suite<S: Ciphersuite>(values: &mut Values, name: &str) {
    let mut generated = generate::<S>();
    let before = [1, 300].map(|party| generated.take(party));
    let mut refreshed = refresh(&before);
    values.put_digest(&format!("the frames, {name}, refresh"), &frames(&refreshed));
    let share = refreshed.take(1).share.as_ref().map(KeyShare::to_bytes).unwrap();
    values.put_digest(&format!("the refreshed share, {name}, party 1"), &share);
    let dealt = Group::<S>::dealt(2, &of([1, 7, 65535]), &mut rng(1));
    let repaired = repair(&dealt, |_, _, _| {});
    values.put_digest(&format!("the frames, {name}, repair"), &frames(&repaired));
}

/// The frames of a run, by round and sender.
fn frames<P: Protocol>(played: &Played<P>) -> Vec<u8> {
    played.frames.values().flatten().copied().collect()
}
