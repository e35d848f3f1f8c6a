//! No secret of a key generation by ChillDKG is left behind in memory that was freed.
//!
//! Every value that a run draws is a hash of host keys and of a generator's bytes. The test computes these values
//! again, by the draft, and searches every block that is freed or moved in a run for them.
#![cfg(feature = "chilldkg-draft")]
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that fails stops"
)]

use quorate_curve::{Curve, Secp256k1};
use quorate_frost_secp256k1_tr::chilldkg::{
    Coordinator, HostKey, Output, Params, Participant, Step2Error, recover,
};
use quorate_testkit::heap::{Summary, WatchingAllocator, Watchlist};
use quorate_testkit::rng;
use sha2::{Digest, Sha256};

#[global_allocator]
static ALLOCATOR: WatchingAllocator = WatchingAllocator;

type Scalar = <Secp256k1 as Curve>::Scalar;

fn tagged(tag: &str, parts: &[&[u8]]) -> [u8; 32] {
    let tag = Sha256::digest(tag);
    let mut hash = Sha256::new().chain_update(tag).chain_update(tag);
    parts.iter().for_each(|part| hash.update(part));
    hash.finalize().into()
}

fn note(list: &mut Watchlist, name: &str, scalar: &Scalar) {
    list.bytes(format!("{name}, encoded"), &Secp256k1::encode_scalar(scalar));
    list.memory(format!("{name}, in memory"), scalar);
}

/// The bytes of the generator of a participant's first step.
fn random(at: u8) -> [u8; 32] {
    use chacha20::rand_core::Rng as _;
    let mut bytes = [0; 32];
    rng(50 + at).fill_bytes(&mut bytes);
    bytes
}

fn hosts() -> Vec<HostKey> {
    (0..3).map(|at| HostKey::from_bytes(&host_bytes(at)).unwrap()).collect()
}

fn host_bytes(at: u8) -> [u8; 32] {
    tagged("a host key", &[&[at]])
}

fn params(hosts: &[HostKey]) -> Params {
    Params::new(hosts.iter().map(|host| *host.public()).collect(), 2).unwrap()
}

/// A run: the messages of step 1, and the results. All participants recover as well.
fn run() -> (Vec<Vec<u8>>, Vec<Output>) {
    let hosts = hosts();
    let params = params(&hosts);
    let (mut participants, mut first) = (Vec::new(), Vec::new());
    for (at, host) in (0..).zip(&hosts) {
        let (participant, message) = Participant::start(host, &params, &mut rng(50 + at)).unwrap();
        participants.push(participant);
        first.push(message);
    }
    let (coordinator, sums) = Coordinator::start(&params, &first).unwrap();
    let (mut states, mut second) = (Vec::new(), Vec::new());
    for (host, participant) in hosts.iter().zip(participants) {
        let (state, signature) = participant.step2(host, &sums, &mut rng(9)).unwrap();
        states.push(state);
        second.push(signature);
    }
    let (certificate, _) = coordinator.finalize(&second).unwrap();
    let outputs: Vec<_> =
        states.into_iter().map(|state| state.finalize(&certificate).unwrap()).collect();
    for (host, output) in hosts.iter().zip(&outputs) {
        let again = recover(host, output.public.recovery_data()).unwrap();
        assert_eq!(again.public, output.public);
        output.acknowledge(host, &mut rng(10)).unwrap();
    }
    (first, outputs)
}

/// A run whose first participant gets a wrong share, and investigates.
fn investigated() {
    let hosts = hosts();
    let params = params(&hosts);
    let (mut participants, mut first) = (Vec::new(), Vec::new());
    for (at, host) in (0..).zip(&hosts) {
        let (participant, message) = Participant::start(host, &params, &mut rng(50 + at)).unwrap();
        participants.push(participant);
        first.push(message);
    }
    let share = 33 * 2 + 64 + 33 + 31;
    first[1][share] ^= 1;
    let (_, sums) = Coordinator::start(&params, &first).unwrap();
    let failed = participants.remove(0).step2(&hosts[0], &sums, &mut rng(9));
    let Err(Step2Error::WrongShare(investigation)) = failed else { panic!("a wrong share") };
    let messages = Coordinator::investigate(&params, &first).unwrap();
    assert!(investigation.judge(&messages[0]).suspect().is_some());
}

/// The secrets of the run, by the draft.
fn secrets(first: &[Vec<u8>], outputs: &[Output]) -> Watchlist {
    let mut list = Watchlist::new();
    let params = params(&hosts());
    let mut context = 2u32.to_be_bytes().to_vec();
    params.host_keys().iter().for_each(|key| context.extend_from_slice(key));
    for (at, message) in (0..).zip(first) {
        let host = host_bytes(at);
        list.bytes("a host key", &host);
        note(&mut list, "a host key", &Secp256k1::decode_scalar(&host).unwrap());
        let seed = tagged("BIP DKG/encpedpop seed", &[&host, &random(at), &context]);
        list.bytes("a run's randomness", &random(at));
        list.bytes("a run's seed", &seed);
        list.bytes("a proof's randomness", &tagged("BIP DKG/simplpedpop aux", &[&seed]));
        let nonce = tagged("BIP DKG/encpedpop secnonce", &[&seed]);
        note(&mut list, "the secret of a nonce", &Secp256k1::decode_scalar(&nonce).unwrap());
        let coefficient = |place: u32| {
            let hash = tagged("BIP DKG/vss coeffs", &[&seed, &place.to_be_bytes()]);
            Secp256k1::decode_scalar(&hash).unwrap()
        };
        let (a, b) = (coefficient(0), coefficient(1));
        assert_eq!(message[..33], Secp256k1::encode_point(&Secp256k1::mul_base(&a)));
        for (name, value) in [("a_0", a), ("a_1", b), ("−a_0", -a)] {
            note(&mut list, name, &value);
        }
        for (place, sent) in (1u64..).zip(message[33 * 2 + 64 + 33..].chunks(32)) {
            let share = a + b * Scalar::from(place);
            note(&mut list, "f_i(j)", &share);
            note(&mut list, "a pad", &(Secp256k1::decode_scalar(sent).unwrap() - share));
        }
    }
    for output in outputs {
        let secret = *output.share.secret_share().secret().expose();
        note(&mut list, "a share", &secret);
        note(&mut list, "a share of the negative key", &-secret);
    }
    list
}

#[test]
fn nothing_is_left() {
    let (first, outputs) = run();
    let list = secrets(&first, &outputs);
    assert!(list.len() > 100);
    let ((again, _), found) = list.watch(run);
    assert!(again == first, "the same run");
    assert!(found.is_empty(), "a run: {}", Summary(&found));
    let ((), found) = list.watch(investigated);
    assert!(found.is_empty(), "an investigation: {}", Summary(&found));
    // The list finds a value that is left behind.
    let ((), found) = list.watch(|| drop(Vec::from(host_bytes(0))));
    assert!(!found.is_empty());
}
