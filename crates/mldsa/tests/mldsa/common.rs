//! Keys, attempts and verifiers for the tests.

use std::sync::Arc;

use fips204::traits::{SerDes, Verifier};
use quorate_mldsa::session::{Parties, PartyId, SessionId, SpentInMemory};
use quorate_mldsa::{
    Attempted, Dealing, KeyShare, Level, MessageRepresentative, Profile, Sign, SignParams,
    Signature, VerifyingKey,
};
use quorate_testkit::lockstep::{honest, parties, sid, start};

/// A key dealt to the parties 1 to `count`.
pub fn deal(level: Level, threshold: u16, count: u16) -> Dealing {
    Dealing::new(level, threshold, &parties(1..=count), &mut quorate_testkit::rng(42)).unwrap()
}

/// A key of a profile, dealt to the parties 1 to `count`, if it is offered.
pub fn deal_if_offered(
    profile: Profile,
    level: Level,
    threshold: u16,
    count: u16,
) -> Option<Dealing> {
    let (parties, rng) = (parties(1..=count), &mut quorate_testkit::rng(42));
    Dealing::with_profile(profile, level, threshold, &parties, rng).ok()
}

/// Returns whether a key of this shape is offered.
pub fn is_offered(profile: Profile, level: Level, threshold: u16, count: u16) -> bool {
    deal_if_offered(profile, level, threshold, count).is_some()
}

/// A copy of the share.
pub fn copy(share: &KeyShare) -> KeyShare {
    KeyShare::from_bytes(share.public().level(), &share.to_bytes()).unwrap()
}

/// The parameters of an attempt, counted in a table of its own.
pub fn params(
    dealt: &Dealing,
    me: PartyId,
    signers: &Parties,
    mu: MessageRepresentative,
    session: SessionId,
    number: u64,
) -> SignParams {
    let at = dealt.public.parties().position(me).unwrap();
    let share = Arc::new(copy(&dealt.shares[at]));
    let record = share.attempt(number, session, signers, &mu).unwrap();
    SignParams::new(share, mu, number, record.store(&mut SpentInMemory::new()).unwrap())
}

/// The outcome of one attempt, the same for all signers.
pub fn attempt(shares: &[&KeyShare], mu: MessageRepresentative, number: u8) -> Option<Signature> {
    let signers = Parties::new(shares.iter().map(|share| share.id())).unwrap();
    let steps = shares.iter().map(|share| {
        let share = Arc::new(copy(share));
        let record = share.attempt(number.into(), sid(number), &signers, &mu).unwrap();
        let receipt = record.store(&mut SpentInMemory::new()).unwrap();
        let me = share.id();
        start::<Sign>(sid(number), me, &signers, SignParams::new(share, mu, number.into(), receipt))
    });
    let mut results: Vec<Attempted> = honest::<Sign>(steps.collect(), |_| {});
    assert!(results.windows(2).all(|two| two[0] == two[1]));
    results.pop().unwrap().signature
}

/// A signature by the owners of these shares, by as many attempts as it takes.
pub fn sign_with(shares: &[&KeyShare], mu: MessageRepresentative) -> Signature {
    (0..60).find_map(|number| attempt(shares, mu, number)).expect("luck in 60 attempts")
}

/// A signature by these signers.
pub fn sign(dealt: &Dealing, signers: &Parties, mu: MessageRepresentative) -> Signature {
    let shares = dealt.shares.iter().filter(|share| signers.contains(share.id()));
    sign_with(&shares.collect::<Vec<_>>(), mu)
}

/// Calls the crates `fips204` and `ml-dsa`, and returns whether they accept a signature.
macro_rules! others {
    ($key:expr, $message:expr, $context:expr, $signature:expr, $module:ident, $params:ident) => {{
        let (key, signature) = ($key.to_bytes(), $signature.to_bytes());
        let first =
            fips204::$module::PublicKey::try_from_bytes(key.clone().try_into().unwrap()).unwrap();
        let bytes: [u8; fips204::$module::SIG_LEN] = signature.clone().try_into().unwrap();
        let encoded = key.as_slice().try_into().unwrap();
        let second = ml_dsa::VerifyingKey::<ml_dsa::$params>::decode(&encoded);
        let read = ml_dsa::Signature::<ml_dsa::$params>::try_from(signature.as_slice()).unwrap();
        [
            first.verify($message, &bytes, $context),
            second.verify_with_context($message, $context, &read),
        ]
    }};
}

fn verdicts(
    key: &VerifyingKey,
    message: &[u8],
    context: &[u8],
    signature: &Signature,
) -> [bool; 3] {
    let [first, second] = match key.level() {
        Level::MlDsa44 => others!(key, message, context, signature, ml_dsa_44, MlDsa44),
        Level::MlDsa65 => others!(key, message, context, signature, ml_dsa_65, MlDsa65),
        Level::MlDsa87 => others!(key, message, context, signature, ml_dsa_87, MlDsa87),
    };
    [key.verify(message, context, signature).is_ok(), first, second]
}

/// Checks that three verifiers accept this signature, and refuse it with another message, context, or bit.
pub fn verified_by_all(key: &VerifyingKey, message: &[u8], context: &[u8], signature: &Signature) {
    assert_eq!(verdicts(key, message, context, signature), [true; 3]);
    assert_eq!(verdicts(key, b"another", context, signature), [false; 3]);
    assert_eq!(verdicts(key, message, b"another", signature), [false; 3]);
    let mut bytes = signature.to_bytes();
    bytes[100] ^= 1;
    let altered = Signature::from_bytes(key.level(), &bytes).unwrap();
    assert_eq!(verdicts(key, message, context, &altered), [false; 3]);
}

/// Returns whether the crate `fips204` accepts a signature of level 44 of a digest by SHA-512.
pub fn digest_verified(key: &VerifyingKey, digest: &[u8], context: &[u8], signature: &Signature) {
    let oid = &fips204::pre_hash::SHA2_512;
    let bytes = key.to_bytes().try_into().unwrap();
    let key = fips204::ml_dsa_44::PublicKey::try_from_bytes(bytes).unwrap();
    let signature: [u8; 2420] = signature.to_bytes().try_into().unwrap();
    assert!(key.hash_verify(digest, &signature, context, oid));
    assert!(!key.hash_verify(&[6; 64], &signature, context, oid));
}
