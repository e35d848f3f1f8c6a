//! What the node knows about the jobs of each of its runners: parameters, and what is kept of results.

use core::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use quorate::runner::{App, Job, RunEnd};
use quorate::session::zeroize::Zeroizing;
use quorate_cggmp::{
    AuxInfo, AuxInfoGen, AuxInfoParams, KeyShare, Keygen, KeygenParams, PresignMany,
    PresignManyParams, PresignParams, Presignature, Secp256k1, Signature,
};

use crate::orders::Request;
use crate::records;
use crate::signing::{Params, SignOff};
use crate::vault::Vault;

/// The node's vault, which its runners share.
#[derive(Clone)]
pub struct Known {
    /// The threshold that this node is configured with.
    pub threshold: u16,
    /// Everything else.
    pub vault: Rc<RefCell<Vault>>,
}

impl App<Keygen<Secp256k1>> for Known {
    fn params(&mut self, _: &Job) -> Option<KeygenParams<Secp256k1>> {
        Some(KeygenParams::new(self.threshold))
    }

    fn record(&mut self, _: &Job, end: RunEnd<KeyShare<Secp256k1>>) -> Zeroizing<Vec<u8>> {
        records::of_end(end, |share| records::key(&share))
    }
}

impl App<AuxInfoGen> for Known {
    fn params(&mut self, _: &Job) -> Option<AuxInfoParams> {
        let vault = self.vault.borrow();
        Some(AuxInfoParams::new(vault.engine(), vault.primes()?))
    }

    fn record(&mut self, _: &Job, end: RunEnd<AuxInfo>) -> Zeroizing<Vec<u8>> {
        records::of_end(end, |aux| records::aux(&aux))
    }
}

impl App<PresignMany<Secp256k1>> for Known {
    fn params(&mut self, job: &Job) -> Option<PresignManyParams<Secp256k1>> {
        let vault = self.vault.borrow();
        let count = u16::from_be_bytes(job.body.as_slice().try_into().ok()?);
        let (key, aux): (Arc<_>, Arc<_>) = (vault.key_share()?, vault.aux()?);
        Some(PresignManyParams::new(PresignParams::new(vault.engine(), key, aux), count))
    }

    fn record(&mut self, _: &Job, end: RunEnd<Vec<Presignature<Secp256k1>>>) -> Zeroizing<Vec<u8>> {
        records::of_end(end, |made| records::presignatures(&made))
    }
}

impl App<SignOff> for Known {
    fn params(&mut self, job: &Job) -> Option<Params> {
        let request = Request::from_bytes(&job.body)?;
        self.vault.borrow().signing(&job.sid, &request).ok()?
    }

    fn record(&mut self, _: &Job, end: RunEnd<Signature<Secp256k1>>) -> Zeroizing<Vec<u8>> {
        records::of_end(end, |signature| records::signature(&signature))
    }
}
