//! Threshold ECDSA: parties 2 and 40 in Rust, party 7 in Python, with moduli of 2048 bits.

use std::sync::Arc;

use quorate::ecdsa::{
    AuxInfoGen, EcdsaCurve, Keygen, KeygenParams, MessageDigest, P256, PresignMany,
    PresignManyParams, PresignParams, Secp256k1, Sign, SignParams,
};
use quorate_testkit::ecdsa::{NUMBERS, REAL, aux_params, digest, itself, no_path, release};
use quorate_testkit::lockstep::{id, parties, sid, start};
use quorate_testkit::{fixtures, hex, numbers, unhex};

use super::python::Python;

/// The places of the parties in Rust among all, and that of the party in Python.
const RUST: [usize; 2] = [0, 2];
const PYTHON: usize = 1;
const MESSAGE: &[u8] = b"a message of both";

/// A key, auxiliary information, presignatures in bulk, a signature of one of them, and signing in one run.
fn life<C: EcdsaCurve>(code: u8) {
    let Some(mut python) = Python::start("ecdsa_party.py", code, NUMBERS[PYTHON], 9) else {
        return;
    };
    let all = parties(NUMBERS);
    let steps =
        RUST.map(|at| start::<Keygen<C>>(sid(1), id(NUMBERS[at]), &all, KeygenParams::new(2)));
    let (keys, theirs) = python.run(&format!("keygen {} 2,7,40 2", hex(&[1; 32])), steps.into());
    let keys: Vec<_> = keys.into_iter().map(Arc::new).collect();
    let public = keys[0].public();
    assert_eq!(unhex(&theirs[0]), public.to_bytes());

    let primes = fixtures::primes(REAL, PYTHON);
    let primes = [primes.p, primes.q, primes.safe_p, primes.safe_q];
    let primes = primes.map(|prime| format!("{:x}", numbers::secret_big(&prime)));
    python.tell(&format!("primes 2048 {} {}", primes.join(" "), hex(&[3; 32])));
    let steps =
        RUST.map(|at| start::<AuxInfoGen>(sid(2), id(NUMBERS[at]), &all, aux_params(REAL, at)));
    let (aux, _) = python.run(&format!("aux {} 2,7,40 2048", hex(&[2; 32])), steps.into());
    let aux: Vec<_> = aux.into_iter().map(Arc::new).collect();
    let params = |at: usize| PresignParams::new(Arc::clone(&keys[at]), Arc::clone(&aux[at]));

    let steps = [0, 1].map(|at| {
        let params = PresignManyParams::new(params(at), 2);
        start::<PresignMany<C>>(sid(3), keys[at].id(), &all, params)
    });
    let command = format!("presign-many {} 2,7,40 2", hex(&[3; 32]));
    let (presignatures, _) = python.run(&command, steps.into());
    let message = MessageDigest::sha256(MESSAGE);
    python.tell(&format!("share 1 {}", hex(message.as_bytes())));
    let mut shares = vec![(id(NUMBERS[PYTHON]), python.sent().1)];
    let info = presignatures[0][1].info().clone();
    for (key, mut presignatures) in keys.iter().zip(presignatures) {
        let claim = presignatures.remove(1).claim(key, &no_path(), message).unwrap();
        shares.push((key.id(), release(claim).to_bytes()));
    }
    let signature = info.aggregate(&itself(public), message, shares).unwrap();
    public.verifying_key().verify(MESSAGE, &signature).unwrap();

    let steps = [0, 1].map(|at| {
        let params = SignParams::new(params(at), digest::<C>(MESSAGE));
        start::<Sign<C>>(sid(4), keys[at].id(), &all, params)
    });
    let command = format!("sign {} 2,7,40 {}", hex(&[4; 32]), hex(message.as_bytes()));
    let (signatures, theirs) = python.run(&command, steps.into());
    for signature in &signatures {
        public.verifying_key().verify(MESSAGE, signature).unwrap();
        assert_eq!(signature.to_recoverable().map(|bytes| hex(&bytes)), Some(theirs[0].clone()));
    }
}

#[test]
#[ignore = "minutes without gmpy2: cargo test -p quorate --test mixed -- --ignored"]
fn secp256k1() {
    life::<Secp256k1>(37);
}

#[test]
#[ignore = "minutes without gmpy2: cargo test -p quorate --test mixed -- --ignored"]
fn p256() {
    life::<P256>(36);
}
