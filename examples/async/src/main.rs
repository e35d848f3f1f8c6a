//! Three parties make a hundred keys at once, while a tenth of the packets is lost and another tenth comes twice.
//!
//! ```sh
//! cargo run --release --manifest-path examples/async/Cargo.toml
//! ```

use std::error::Error;

use futures_channel::mpsc;
use futures_util::StreamExt as _;
use quorate::runner::{EndKind, Job};
use quorate::{Parties, SessionId};
use quorate_async::{Tokio, network, node};
use tokio::time::Instant;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let parties = Parties::numbered(3)?;
    let job = |number: u8| Job {
        sid: SessionId::new([number; 32]),
        parties: parties.clone(),
        body: Vec::new(),
        deadline: 60_000,
    };
    let jobs: Vec<_> = (1..=100).map(job).collect();
    let (ends, carry) = network(&parties, |_, number| match number % 10 {
        3 => 0,
        7 => 2,
        _ => 1,
    });
    let (tell, mut told) = mpsc::unbounded();
    let clock = Instant::now();
    let carrying = tokio::spawn(carry);
    let mut nodes = Vec::new();
    for (me, ends) in ends {
        let (jobs, tell) = (jobs.clone(), tell.clone());
        let node = async move { node(me, &jobs, ends, Tokio::new(), tell).await };
        nodes.push(tokio::spawn(node));
    }
    let mut done = 0;
    while done < 3 * jobs.len() {
        let run = told.next().await.ok_or("a node has failed")?;
        assert_eq!(run.outcome.kind, EndKind::Done);
        done += 1;
    }
    println!("{} keys for three parties in {:?}", jobs.len(), clock.elapsed());
    carrying.abort(); // The network is closed, and the nodes end.
    for node in nodes {
        let metrics = node.await??;
        println!("{} rounds, {} packets sent", metrics.rounds, metrics.sent);
    }
    Ok(())
}
