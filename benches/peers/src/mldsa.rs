//! Libraries of threshold ML-DSA beside Quorate: both follow the same paper, have the same slots and radii as Quorate's
//! published profile, and level 44 alone.
//!
//! [`Tsslib`] has a session for each signer, as Quorate has, and these run here. [`ThresholdMlDsa`] does less. All signers are
//! in one call, which packs w alone. No party checks the others' responses, so no cheater is named. The signature is aggregated
//! once, where every session of ours does it. Its time is divided by the number of signers all the same.

mod tsslib;

pub use self::tsslib::Tsslib;

use quorate_benches::mldsa::{Level, MlDsaFixture, MlDsaLibrary, MlDsaSetup, Tried};
use quorate_benches::{MESSAGE, Meter as _, Stopwatch};
use threshold_ml_dsa::error::Error;
use threshold_ml_dsa::sdk::ThresholdMlDsa44Sdk;

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
