//! A runner between streams: losses, full sinks, threads, deadlines, ends.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::thread::ThreadId;

use futures_channel::mpsc;
use futures_util::StreamExt as _;
use quorate::frost::ed25519::Dkg;
use quorate::runner::{EndKind, EndedRun, FinishedWork, Job, Metrics, Runtime, Time, Work};
use quorate::{Parties, SessionId};
use quorate_async::{Tokio, network, node};
use tokio::task::JoinHandle;

fn job(number: u8, deadline: Time) -> Job {
    let (sid, parties) = (SessionId::new([number; 32]), Parties::numbered(3).unwrap());
    Job { sid, parties, body: Vec::new(), deadline }
}

/// Tokio, with a note of the threads that have worked.
#[derive(Clone)]
struct Watched(Tokio, Arc<Mutex<Vec<ThreadId>>>);

impl Runtime<Dkg> for Watched {
    type Running = Pin<Box<dyn Future<Output = FinishedWork<Dkg>> + Send>>;
    type Sleep = tokio::time::Sleep;

    fn run(&mut self, work: Work<Dkg>) -> Self::Running {
        let threads = Arc::clone(&self.1);
        let work = tokio::task::spawn_blocking(move || {
            threads.lock().unwrap().push(std::thread::current().id());
            work.run()
        });
        Box::pin(async { work.await.unwrap() })
    }

    fn now(&mut self) -> Time {
        Runtime::<Dkg>::now(&mut self.0)
    }

    fn sleep_until(&mut self, time: Time) -> Self::Sleep {
        Runtime::<Dkg>::sleep_until(&mut self.0, time)
    }
}

/// So many of the parties run these jobs over a network that carries each packet so many times. The outcomes by job, what
/// each node has counted, and the threads that have worked.
async fn play(
    nodes: usize,
    jobs: Vec<Job>,
    times: impl FnMut(usize) -> usize + Send + 'static,
) -> (BTreeMap<[u8; 32], Vec<EndedRun>>, Vec<Metrics>, Vec<ThreadId>) {
    let mut times = times;
    let (ends, carry) = network(&Parties::numbered(3).unwrap(), move |_, number| times(number));
    let (tell, mut told) = mpsc::unbounded();
    let carrying = tokio::spawn(carry);
    let watched = Watched(Tokio::new(), Arc::default());
    let running: Vec<JoinHandle<_>> = ends
        .into_iter()
        .take(nodes)
        .map(|(me, ends)| {
            let (jobs, tell, runtime) = (jobs.clone(), tell.clone(), watched.clone());
            tokio::spawn(async move { node(me, &jobs, ends, runtime, tell).await.unwrap() })
        })
        .collect();
    let mut runs: BTreeMap<[u8; 32], Vec<EndedRun>> = BTreeMap::new();
    for _ in 0..nodes * jobs.len() {
        let run = told.next().await.unwrap();
        runs.entry(*run.sid.as_bytes()).or_default().push(run);
    }
    carrying.abort();
    let mut counted = Vec::new();
    for node in running {
        counted.push(node.await.unwrap());
    }
    let threads = watched.1.lock().unwrap().clone();
    (runs, counted, threads)
}

/// All have one key of each job.
fn check(runs: BTreeMap<[u8; 32], Vec<EndedRun>>, jobs: usize) {
    assert_eq!(runs.len(), jobs);
    for of_job in runs.values() {
        assert_eq!(of_job.len(), 3);
        assert!(of_job.iter().all(|run| run.outcome == of_job[0].outcome));
        assert_eq!(of_job[0].outcome.kind, EndKind::Done);
        assert_eq!(of_job[0].outcome.record.len(), 32);
    }
}

#[tokio::test(start_paused = true)]
async fn what_is_lost_comes_again_and_copies_do_no_harm() {
    let jobs: Vec<_> = (1..=20).map(|number| job(number, 600_000)).collect();
    let times = |number| match number % 10 {
        1 | 4 | 8 => 0,
        7 => 3,
        _ => 1,
    };
    let (runs, counted, _) = play(3, jobs, times).await;
    check(runs, 20);
    assert!(counted.iter().all(|metrics| metrics.duplicates > 0 && metrics.done == 20));
}

/// The thread that polls does no round itself.
#[tokio::test]
async fn rounds_run_on_the_threads_of_the_caller() {
    let jobs = (1..=3).map(|number| job(number, 60_000)).collect();
    let (runs, _, threads) = play(3, jobs, |_| 1).await;
    check(runs, 3);
    // Three rounds of three parties for each.
    assert!(threads.len() >= 27);
    assert!(!threads.contains(&std::thread::current().id()));
}

/// A party is missing, and nothing comes any more: the timer ends the runs.
#[tokio::test(start_paused = true)]
async fn a_deadline_comes_without_a_packet() {
    let clock = tokio::time::Instant::now();
    let (runs, ..) = play(2, vec![job(1, 5_000)], |_| 1).await;
    assert_eq!(runs.len(), 1);
    for run in &runs[&[1; 32]] {
        assert_eq!(run.outcome.kind, EndKind::Stopped);
    }
    let passed = clock.elapsed().as_millis();
    assert!((5_000..6_000).contains(&passed), "{passed}");
}

/// A network that takes nothing at all: the deadline comes nevertheless.
#[tokio::test(start_paused = true)]
async fn a_sink_that_is_stuck_holds_no_deadline_up() {
    let (ends, carry) = network(&Parties::numbered(3).unwrap(), |_, _| 1);
    let (tell, mut told) = mpsc::unbounded();
    let (me, ends) = ends.into_iter().next().unwrap();
    let jobs = [job(1, 5_000), job(2, 7_000)];
    let running = tokio::spawn(async move { node(me, &jobs, ends, Tokio::new(), tell).await });
    for number in [1, 2] {
        let run = told.next().await.unwrap();
        assert_eq!((run.sid, run.outcome.kind), (SessionId::new([number; 32]), EndKind::Stopped));
    }
    drop(carry);
    assert_eq!(running.await.unwrap().unwrap().stopped, 2);
}
