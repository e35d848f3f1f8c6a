//! THORChain's report: rounds of four nodes, heap of a node, 3 to 30 nodes with and without a network.

mod fit;
mod growth;
mod heap;
mod net;
mod rounds;
mod traces;

pub(super) use traces::frost_keygen;

use super::ecdsa_lanes::Lanes;
use super::progress::Job;
use super::published;
use super::run::{Chapter, Peers, Run, Scale};
use super::section::{Block, Found, Headline, Section};
use crate::ecdsa::{EcdsaCurve, Level, Setup};

/// The answer to the report.
pub struct Thorchain;

const OURS: &str = "quorate";

enum Work {
    Rounds,
    Heap,
    Nodes(u16),
}

struct Piece {
    work: Work,
    job: Job,
}

/// Numbers of nodes: at least three, since a fit goes through them.
fn nodes(scale: Scale) -> &'static [u16] {
    scale.pick(&[3, 4, 5], &[3, 6, 9, 12], &[3, 6, 9, 12, 15, 18, 21, 24, 27, 30])
}

/// Presignatures of a run in bulk.
fn bulk(scale: Scale) -> u16 {
    scale.pick(2, 2, 8)
}

/// Runs of n nodes: with many each run is the mean of them.
fn runs(scale: Scale, n: u16) -> usize {
    scale.pick(1, 1, if n > 9 { 1 } else { 3 })
}

/// Signatures before the heap is looked at again.
fn signatures(scale: Scale) -> usize {
    scale.pick(20, 800, 800)
}

fn plan(scale: Scale) -> Vec<Piece> {
    let piece = |work, label: String, cost| Piece { work, job: Job { label, cost } };
    let mut pieces = vec![
        piece(Work::Rounds, "rounds of 4 nodes".to_owned(), scale.pick(4.0, 9.0, 36.0)),
        piece(Work::Heap, "heap of 4 nodes".to_owned(), scale.pick(2.0, 8.0, 8.0)),
    ];
    for &n in nodes(scale) {
        let squared = f64::from(n) * f64::from(n);
        let runs = f64::from(u16::try_from(runs(scale, n)).unwrap_or(u16::MAX));
        // The primes of the first five nodes are given.
        let primes = f64::from(n.saturating_sub(5)) * 0.25;
        let cost = runs * squared * (0.1 + 0.012 * f64::from(bulk(scale))) + primes;
        pieces.push(piece(Work::Nodes(n), format!("{n} nodes, with and without a network"), cost));
    }
    pieces
}

impl Chapter for Thorchain {
    fn id(&self) -> &'static str {
        "thorchain"
    }

    fn jobs(&self, scale: Scale, _peers: &Peers) -> Vec<Job> {
        plan(scale).into_iter().map(|piece| piece.job).collect()
    }

    fn run(&self, run: &mut Run<'_>) -> Section {
        let scale = run.scale;
        let mut figures = Vec::new();
        for Piece { work, job } in plan(scale) {
            figures.extend(run.figures(&job, || match work {
                Work::Rounds => {
                    let (curve, level) = (EcdsaCurve::Secp256k1, Level::Bits112);
                    let setup = Setup { curve, level, t: 4, n: 4, k: 1 };
                    rounds::measure(&mut Lanes::new(setup, None), scale.pick(1, 3, 10))
                }
                Work::Heap => heap::measure(signatures(scale)),
                Work::Nodes(n) => growth::measure(n, bulk(scale), runs(scale, n)),
            }));
        }
        let found = Found(&figures);
        // Without those that were left out.
        let nodes = measured(&found, scale);
        let mut blocks = vec![
            Block::Table(rounds::table(&figures, "keygen", &published::THORCHAIN_KEYGEN)),
            Block::Table(rounds::table(&figures, "sign", &published::THORCHAIN_SIGN)),
        ];
        blocks.push(Block::Text(
            "The floor of a round is its products and multiples of points alone, each at the least time that one took here."
                .to_owned(),
        ));
        blocks.extend(heap::blocks(&found, signatures(scale)));
        blocks.push(
            Block::Text(
                "With a network, every node has a machine of its own with one core; what it computes takes the CPU \
                 time that was measured here, and what it sends travels in virtual time. Without one, everything \
                 arrives when it is sent. The published times contain the network and a core of 2020's."
                    .to_owned(),
            ),
        );
        blocks.extend(growth::blocks(&found, &nodes, bulk(scale)));
        Section {
            id: self.id(),
            title: "Threshold ECDSA among nodes".to_owned(),
            source: published::THORCHAIN,
            headlines: headlines(&found, &nodes),
            blocks,
            figures,
            load: run.load(),
        }
    }
}

/// The numbers of nodes of which there are figures.
fn measured(found: &Found<'_>, scale: Scale) -> Vec<u16> {
    let has = |n: &&u16| found.of(&format!("thorchain/{n}/sign/regions"), OURS).is_some();
    nodes(scale).iter().filter(has).copied().collect()
}

/// The largest number of nodes that was measured and published.
fn headlines(found: &Found<'_>, nodes: &[u16]) -> Vec<Headline> {
    let published = |n: &u16| {
        published::THORCHAIN_NODES.iter().find(|row| row.0.total_cmp(&f64::from(*n)).is_eq())
    };
    let Some((n, row)) = nodes.iter().rev().find_map(|n| Some((*n, published(n)?))) else {
        return Vec::new();
    };
    [("keygen", "key generation, primes given", row.1), ("sign", "signature", row.2)]
        .map(|(protocol, title, seconds)| Headline {
            what: format!("{title}, {n} nodes in four regions (ours simulated), to the end"),
            ours: found.cell(&format!("thorchain/{n}/{protocol}/regions"), OURS),
            published: format!("{seconds} s"),
            ratio: None,
        })
        .into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::figure::{Figure, Middle, Unit};

    /// What was left out neither stands in a table nor says where the network overtakes computing.
    #[test]
    fn sizes_that_were_left_out_say_nothing() {
        let figure = |n: u16, measure: &str, us: f64| Figure {
            name: format!("thorchain/{n}/sign/{measure}"),
            who: OURS.to_owned(),
            engine: String::new(),
            level: String::new(),
            unit: Unit::Micros,
            by: Middle::Median,
            samples: vec![us],
        };
        let of = |n| [figure(n, "cpu", 1.0), figure(n, "local", 2.0), figure(n, "regions", 20.0)];
        let figures: Vec<Figure> = [3, 6].into_iter().flat_map(of).collect();
        let found = Found(&figures);
        let nodes = measured(&found, Scale::Quick);
        assert_eq!(nodes, [3, 6]);
        assert!(headlines(&found, &nodes)[1].what.contains("6 nodes"));
        let blocks = format!("{:?}", growth::blocks(&found, &nodes, 2));
        assert!(blocks.contains("network at every size") && !blocks.contains("then computing"));
        assert!(!blocks.contains("12 nodes") && !blocks.contains("NaN"));
        assert!(growth::blocks(&Found(&[]), &[], 2).is_empty());
    }
}
