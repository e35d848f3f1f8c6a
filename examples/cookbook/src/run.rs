//! The loop of one run.

use std::sync::Arc;
use std::time::{Duration, Instant};

use getrandom::SysRng;
use quorate::runner::{Bounds, Job, MemoryStore, RunEnd, Runner, app_fn};
use quorate::session::zeroize::Zeroizing;
use quorate::session::{Protocol, rand_core::UnwrapErr};
use quorate::{Parties, SealKey, SessionId};

use crate::Failure;
use crate::mesh::Mesh;

/// Runs a protocol among these parties to its end. `number` tells the runs of a recipe apart; in life a session id is random,
/// agreed on beforehand, and never used twice.
///
/// # Errors
/// The run's: who cheated, or who was silent.
pub fn run<P: Protocol>(
    mesh: &mut Mesh,
    number: u8,
    parties: &Parties,
    params: P::Params,
) -> Result<P::Output, Failure> {
    let (mut params, mut result) = (Some(params), None);
    let app = app_fn::<P>(
        |_| params.take(),
        |_, end| {
            result = Some(end);
            Zeroizing::default() // a service keeps the output here, and its store outlives the process
        },
    );
    let (rng, key) = (&mut UnwrapErr(SysRng), Arc::new(SealKey::new([0; 32]))); // nothing leaves the memory
    let mut runner = Runner::new(mesh.me, key, (MemoryStore::new(), app), Bounds::new(1_000))?;
    let job = Job {
        sid: SessionId::new([number; 32]),
        parties: parties.clone(),
        body: Vec::new(),
        deadline: 600_000,
    };
    let clock = Instant::now();
    runner.start(&job, 0, rng)?;
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
        Some(RunEnd::Done(output)) => Ok(output),
        Some(RunEnd::Stopped { stopped, .. }) => Err(stopped.abort.to_string().into()),
        _ => Err("the run is lost".into()),
    }
}
