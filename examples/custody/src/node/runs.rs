//! The runner of a node, which has the runs of all kinds of orders.

use std::sync::Arc;

use getrandom::SysRng;
use quorate::runner::{
    App, Bounds, Continuity, EndedRun, Error, Job, Outcome, Refusal, Runner, StartOutcome, Time,
};
use quorate::session::{Protocol, rand_core::UnwrapErr};
use quorate::{PartyId, SealKey};
use quorate_cggmp::{AuxInfoGen, Keygen, PresignMany, Secp256k1};
use quorate_examples::failure::Failure;

use crate::apps::{Dkg, Known, ReshareEcdsa, ReshareEd25519, StoredEcdsa, StoredEd25519};
use crate::orders::{Kind, Order};
use crate::store::Runs;

/// The bounds of a node's runner, which counts milliseconds. A message is sent again within half a second: the network is
/// near, and whoever was killed wants to hear of it.
pub const BOUNDS: Bounds = Bounds { resend: 100, resend_max: 500, ..Bounds::new(1000) };

/// A node's runner.
pub(super) type NodeRunner = Runner<Runs, Known>;

/// The fate of an order that was handed to the runner.
pub(super) enum Told {
    /// An order whose run is open.
    Running,
    /// An order whose run has ended: the outcome.
    Ended(Outcome),
    /// An order that cannot begin yet. Deliver it again.
    NotYet,
    /// An order that never begins: the reason.
    Never(String),
}

/// A runner of all kinds.
pub(super) fn open(
    me: PartyId,
    key: &Arc<SealKey>,
    on: (Runs, Known),
) -> Result<NodeRunner, Failure> {
    // The ledger vouches: a database that is behind it was refused, or its open runs are damaged by now.
    let runner = Runner::builder(me, Arc::clone(key), Continuity::Counter)
        .protocol::<Keygen<Secp256k1>>()
        .protocol::<AuxInfoGen>()
        .protocol::<PresignMany<Secp256k1>>()
        .protocol::<Dkg>()
        .protocol::<ReshareEcdsa>()
        .protocol::<ReshareEd25519>()
        .protocol::<StoredEcdsa>()
        .protocol::<StoredEd25519>()
        .bounds(BOUNDS);
    Ok(runner.open(on.0, on.1)?)
}

/// Starts the job of an order, once.
pub(super) fn start(runner: &mut NodeRunner, order: &Order, now: Time) -> Result<Told, Failure> {
    let job = &order.job;
    match order.kind {
        Kind::Keygen => start_as::<Keygen<Secp256k1>>(runner, job, now),
        Kind::AuxInfo => start_as::<AuxInfoGen>(runner, job, now),
        Kind::Presign => start_as::<PresignMany<Secp256k1>>(runner, job, now),
        Kind::Dkg => start_as::<Dkg>(runner, job, now),
        Kind::ReshareEcdsa => start_as::<ReshareEcdsa>(runner, job, now),
        Kind::ReshareEd25519 => start_as::<ReshareEd25519>(runner, job, now),
        Kind::StoredEcdsa => start_as::<StoredEcdsa>(runner, job, now),
        Kind::StoredEd25519 => start_as::<StoredEd25519>(runner, job, now),
    }
}

fn start_as<P: Protocol>(runner: &mut NodeRunner, job: &Job, now: Time) -> Result<Told, Failure>
where
    Known: App<P>,
{
    match runner.start::<P>(job, now, &mut UnwrapErr(SysRng)) {
        Ok(StartOutcome::Begun | StartOutcome::Running) => Ok(Told::Running),
        Ok(StartOutcome::Ended(outcome)) => Ok(Told::Ended(outcome)),
        Err(Error::Refused(Refusal::Busy | Refusal::Outbox | Refusal::NoParams)) => {
            Ok(Told::NotYet)
        }
        Err(Error::Refused(why)) => Ok(Told::Never(why.to_string())),
        Err(Error::Params(why)) => Ok(Told::Never(why.to_string())),
        Err(error) => Err(error.into()),
    }
}

/// Works until nothing is left to do.
pub(super) fn work(runner: &mut NodeRunner, now: Time) -> Result<Vec<EndedRun>, Failure> {
    loop {
        match runner.work(now) {
            Ok(ended) => return Ok(ended),
            // A session that does not open waits for its deadline, and hinders no other.
            Err(Error::Seal(_)) => {}
            Err(error) => return Err(error.into()),
        }
    }
}
