//! The loop of one run.

use std::sync::Arc;
use std::time::{Duration, Instant};

use getrandom::SysRng;
use quorate::runner::{Continuity, Job, MemoryStore, RunEnd, Runner, app_fn};
use quorate::session::{Protocol, rand_core::UnwrapErr};
use quorate::{Parties, SealKey, SessionId};

use crate::Failure;
use crate::mesh::Mesh;

/// Runs a protocol among these parties to its end. `number` tells the runs of a recipe apart; in life a session id is random,
/// agreed on beforehand, and never used twice.
///
/// # Errors
/// An error of the run names the parties that cheated or were silent.
pub fn run<P: Protocol>(
    mesh: &mut Mesh,
    number: u8,
    parties: &Parties,
    params: P::Params,
) -> Result<P::Output, Failure> {
    let (mut params, mut result) = (Some(params), None);
    let app = app_fn::<P, _>(
        |_| params.take(),
        |_, end| result = Some(end), // a service keeps the output here, and its store outlives the process
    );
    let (rng, key) = (&mut UnwrapErr(SysRng), Arc::new(SealKey::new([0; 32]))); // nothing leaves the memory
    let builder = Runner::builder(mesh.me, key, Continuity::NewStore).protocol::<P>();
    let mut runner = builder.open(MemoryStore::new(), app)?;
    let job = Job {
        sid: SessionId::new([number; 32]),
        parties: parties.clone(),
        body: Vec::new(),
        deadline: 600_000,
    };
    let clock = Instant::now();
    runner.start::<P>(&job, 0, rng)?;
    loop {
        let now = u64::try_from(clock.elapsed().as_millis())?;
        if !runner.turn(&mut mesh.lane(P::CODE), now)?.ended.is_empty() {
            break;
        }
        let due = runner.next_due()?.unwrap_or(now + 100).saturating_sub(now);
        mesh.wait(P::CODE, Duration::from_millis(due));
    }
    drop(runner);
    match result {
        // Perhaps not confirmed by all: a key share is marked so then, and does not sign before it is confirmed.
        Some(RunEnd::Done(output) | RunEnd::Unconfirmed { output, .. }) => Ok(output),
        Some(RunEnd::Stopped { abort, .. }) => Err(abort.to_string().into()),
        Some(RunEnd::Lost(why)) => Err(why.into()),
        Some(RunEnd::Discontinued) | None => Err("the run has no end that is known".into()),
    }
}
