//! Libraries of threshold ML-DSA beside Quorate: both follow the same paper, have the same slots and radii as Quorate's
//! published profile, and level 44 alone.
//!
//! What they run is less than a session: all signers are in one call, without messages in bytes (`tsslib`) or with the w
//! alone packed (`threshold-ml-dsa`); nobody checks the others' responses, so no cheater is named; and the signature is put
//! together once, where every session of ours does it. Their time is divided by the signers all the same.

use quorate_benches::mldsa::{Level, MlDsaFixture, MlDsaLibrary, MlDsaSetup, Tried};
use quorate_benches::{MESSAGE, Meter as _, Stopwatch};
use threshold_ml_dsa::error::Error;
use threshold_ml_dsa::sdk::ThresholdMlDsa44Sdk;
use tsslib::mldsatss::{
    Key44, ThresholdParams44, get_threshold_params44, sign44, trusted_dealer_keygen44,
};

use crate::OldRng;

/// The seed of the peers' keys.
const SEED: [u8; 32] = [43; 32];

/// Signers and parties as bytes, at the level that the peers have.
fn shape(setup: MlDsaSetup) -> Option<(u8, u8)> {
    let shape = u8::try_from(setup.t).ok().zip(u8::try_from(setup.n).ok())?;
    (setup.level == Level::MlDsa44).then_some(shape)
}

/// The crate `threshold-ml-dsa`.
pub struct ThresholdMlDsa;

impl MlDsaLibrary for ThresholdMlDsa {
    fn name(&self) -> &'static str {
        "threshold-ml-dsa"
    }

    fn fixture(&self, setup: MlDsaSetup) -> Option<Box<dyn MlDsaFixture>> {
        let (t, n) = shape(setup)?;
        // One attempt a call.
        let sdk = ThresholdMlDsa44Sdk::from_seed(&SEED, t, n, 1).ok()?;
        Some(Box::new(Sdk { sdk, active: (0..t).collect(), rng: OldRng::new(44) }))
    }
}

struct Sdk {
    sdk: ThresholdMlDsa44Sdk,
    active: Vec<u8>,
    rng: OldRng,
}

impl MlDsaFixture for Sdk {
    fn slots(&self) -> u16 {
        self.sdk.params().k_reps
    }

    fn sign(&mut self) -> Tried {
        let mut stopwatch = Stopwatch::default();
        stopwatch.start();
        let signed = self.sdk.threshold_sign(&self.active, MESSAGE, &mut self.rng);
        stopwatch.stop();
        let signatures = match signed {
            Ok(_) => 1,
            Err(Error::InsufficientResponses) => 0,
            Err(other) => panic!("{other:?}"),
        };
        let seconds = stopwatch.total().as_secs_f64();
        Tried { rounds: None, seconds, attempts: 1, signatures, sent: None }
    }
}

/// The crate `tsslib`.
pub struct Tsslib;

impl MlDsaLibrary for Tsslib {
    fn name(&self) -> &'static str {
        "tsslib"
    }

    fn fixture(&self, setup: MlDsaSetup) -> Option<Box<dyn MlDsaFixture>> {
        let (t, n) = shape(setup)?;
        let params = get_threshold_params44(t.into(), n.into()).ok()?;
        let (_, mut keys) = trusted_dealer_keygen44(&SEED, &params).ok()?;
        keys.truncate(t.into());
        Some(Box::new(Keys { params, keys, rng: Counting { rng: OldRng::new(45), draws: 0 } }))
    }
}

struct Keys {
    params: ThresholdParams44,
    keys: Vec<Key44>,
    rng: Counting,
}

/// A generator that counts: each signer draws one seed for an attempt.
struct Counting {
    rng: OldRng,
    draws: u32,
}

impl purecrypto::rng::RngCore for Counting {
    fn fill_bytes(&mut self, bytes: &mut [u8]) {
        self.draws += 1;
        rand_core_06::RngCore::fill_bytes(&mut self.rng, bytes);
    }
}

impl MlDsaFixture for Keys {
    fn slots(&self) -> u16 {
        self.params.k
    }

    /// A signature, by as many attempts as it takes.
    fn sign(&mut self) -> Tried {
        let signers: Vec<&Key44> = self.keys.iter().collect();
        self.rng.draws = 0;
        let mut stopwatch = Stopwatch::default();
        stopwatch.start();
        sign44(&signers, &self.params, MESSAGE, b"", &mut self.rng).expect("512 attempts");
        stopwatch.stop();
        let each = u32::from(self.params.t);
        assert!(self.rng.draws > 0 && self.rng.draws.is_multiple_of(each), "one seed a signer");
        let attempts = self.rng.draws / each;
        let seconds = stopwatch.total().as_secs_f64();
        Tried { rounds: None, seconds, attempts, signatures: 1, sent: None }
    }
}
