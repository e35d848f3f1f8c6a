//! THORChain's report: rounds of four nodes, heap of a node, 3 to 30 nodes with and without a network.

mod fit;
mod growth;
mod heap;
mod net;
mod rounds;
mod traces;

pub(super) use traces::frost_keygen;

use super::ecdsa_lanes::{LEVEL, Lanes, setup};
use super::figure::{Figure, OURS, Unit, real};
use super::published;
use super::run::{Peers, Piece, Run, Scale};
use super::section::{Found, Headline, Shown};

/// A figure of ours, by our engine.
fn figure(name: String, unit: Unit, samples: Vec<f64>) -> Figure {
    Figure::new(name, unit, samples).with(quorate_bignum::Engine::detect().name(), LEVEL)
}

/// Numbers of nodes: at least three, since a fit goes through them.
const NODES: [&[u16]; 3] = [&[3, 4, 5], &[3, 6, 9, 12], &[3, 6, 9, 12, 15, 18, 21, 24, 27, 30]];

/// Presignatures of a run in bulk.
const BULK: [u16; 3] = [2, 2, 8];

/// Signatures before the heap is looked at again.
const SIGNATURES: [usize; 3] = [20, 800, 800];

pub(super) fn pieces(scale: Scale, _peers: &Peers) -> Vec<Piece<'_>> {
    let runs_of_four = scale.pick([1, 3, 10]);
    let rounds = move || rounds::measure(&mut Lanes::new(setup(4, 1), None), runs_of_four);
    let heap = move || heap::measure(scale.pick(SIGNATURES));
    let growth = |&n: &u16| {
        // With many nodes each run is the mean of them.
        let runs = scale.pick([1, 1, if n > 9 { 1 } else { 3 }]);
        let squared = f64::from(n) * f64::from(n);
        // The primes of the first five nodes are given.
        let primes = f64::from(n.saturating_sub(5)) * 0.25;
        let cost = real(runs) * squared * (0.1 + 0.012 * f64::from(scale.pick(BULK))) + primes;
        let label = format!("{n} nodes, with and without a network");
        Piece::new(label, cost, move || growth::measure(n, scale.pick(BULK), runs))
    };
    let mut pieces = vec![
        Piece::new("rounds of 4 nodes", scale.pick([4.0, 9.0, 36.0]), rounds),
        Piece::new("heap of 4 nodes", scale.pick([2.0, 8.0, 8.0]), heap),
    ];
    pieces.extend(scale.pick(NODES).iter().map(growth));
    pieces
}

pub(super) fn shown(found: Found<'_>, run: &mut Run<'_>) -> Shown {
    let scale = run.scale;
    let nodes = measured(found, scale);
    let mut tables = ["keygen", "sign"].map(|phase| rounds::table(found, phase)).to_vec();
    tables.push(heap::table(found, scale.pick(SIGNATURES)));
    let (growth, plots) = growth::shown(found, &nodes, scale.pick(BULK));
    tables.extend(growth);
    Shown { tables, plots, headlines: headlines(found, &nodes), ..Shown::default() }
}

/// The numbers of nodes of which there are figures, without those that were left out.
fn measured(found: Found<'_>, scale: Scale) -> Vec<u16> {
    let has = |n: &&u16| found.of(&format!("thorchain/{n}/sign/regions"), OURS).is_some();
    scale.pick(NODES).iter().filter(has).copied().collect()
}

/// The largest number of nodes that was measured and published.
fn headlines(found: Found<'_>, nodes: &[u16]) -> Vec<Headline> {
    let published =
        |n, protocol| published::cell("table-thorchain-growth", protocol, &format!("{n} nodes"));
    let protocols = growth::PROTOCOLS.into_iter().take(2);
    let n = nodes.iter().copied().rfind(|n| published(*n, "sign").is_some());
    let Some(n) = n else { return Vec::new() };
    let line = |(protocol, title)| {
        let what = format!("{title}, {n} nodes in four regions (ours simulated), to the end");
        let ours = found.cell(&format!("thorchain/{n}/{protocol}/regions"), OURS);
        Headline::new(what, [ours, published(n, protocol)], None)
    };
    protocols.map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A size that was left out stands in no table, and does not decide where the network overtakes computing.
    #[test]
    fn sizes_that_were_left_out_say_nothing() {
        let figure = |n: u16, measure: &str, us: f64| {
            Figure::new(format!("thorchain/{n}/sign/{measure}"), Unit::Micros, vec![us])
        };
        let of = |n| [figure(n, "cpu", 1.0), figure(n, "local", 2.0), figure(n, "regions", 20.0)];
        let figures: Vec<Figure> = [3, 6].into_iter().flat_map(of).collect();
        let found = Found(&figures);
        let nodes = measured(found, Scale::Quick);
        assert_eq!(nodes, [3, 6]);
        assert!(headlines(found, &nodes)[1].what.contains("6 nodes"));
        let blocks = format!("{:?}", growth::shown(found, &nodes, 2));
        assert!(blocks.contains("network at every size") && !blocks.contains("then computing"));
        assert!(!blocks.contains("12 nodes") && !blocks.contains("NaN"));
        assert!(growth::shown(Found(&[]), &[], 2).0.is_empty());
    }
}
