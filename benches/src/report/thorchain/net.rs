//! A simulated network: virtual time for what travels, measured CPU for what is computed.

use chacha20::ChaCha20Rng;
use rand_core::{Rng as _, SeedableRng as _};

use crate::ecdsa::Trace;
use crate::report::figure::real;

/// The regions, in the order of the matrices.
pub(super) const REGIONS: [&str; 4] = ["us-east", "us-west", "eu-west", "ap-southeast"];

/// Milliseconds one way between machines of two regions: a model with the orders of magnitude of public clouds.
pub(super) const LATENCY_MS: [[f64; 4]; 4] = [
    [0.5, 31.0, 38.0, 108.0],
    [31.0, 0.5, 67.0, 84.0],
    [38.0, 67.0, 0.5, 87.0],
    [108.0, 84.0, 87.0, 0.5],
];

/// Megabits a second on each link between two machines.
pub(super) const MBIT: [[f64; 4]; 4] = [
    [1000.0, 200.0, 200.0, 100.0],
    [200.0, 1000.0, 100.0, 100.0],
    [200.0, 100.0, 1000.0, 100.0],
    [100.0, 100.0, 100.0, 1000.0],
];

/// A frame takes up to this part longer than the latency, at random.
pub(super) const JITTER: f64 = 0.1;

/// A network of four regions, one way and by region. Parties are put into the regions in turn.
#[derive(Clone, Debug)]
pub(super) struct Network {
    latency_ms: [[f64; 4]; 4],
    mbit: [[f64; 4]; 4],
    /// The part of the latency that is random.
    jitter: f64,
    seed: u64,
}

impl Network {
    /// The matrices above.
    pub(super) const fn regions(seed: u64) -> Self {
        Self { latency_ms: LATENCY_MS, mbit: MBIT, jitter: JITTER, seed }
    }

    fn sending(&self, from: usize, to: usize, bytes: usize) -> f64 {
        real(bytes) * 8.0 / (self.mbit[from % 4][to % 4] * 1e6)
    }

    /// Seconds on the way, with a part that is drawn between 0 and 1.
    fn latency(&self, from: usize, to: usize, rng: &mut ChaCha20Rng) -> f64 {
        let random = f64::from(rng.next_u32()) / f64::from(u32::MAX);
        self.latency_ms[from % 4][to % 4] / 1e3 * (1.0 + self.jitter * random)
    }
}

/// Seconds until the last party has ended. Every party has a machine of its own with one core; it takes its turn once it
/// has ended the turn before and has received everything that was sent to it until then. A link sends one frame after another.
/// Without a network everything arrives when it is sent.
pub(super) fn finish(trace: &Trace, network: Option<&Network>) -> f64 {
    let parties = trace.parties();
    let mut rng = ChaCha20Rng::seed_from_u64(network.map_or(0, |network| network.seed));
    let (mut ready, mut free) = (vec![0.0f64; parties], vec![vec![0.0f64; parties]; parties]);
    for turns in &trace.rounds {
        for (ready, turn) in ready.iter_mut().zip(turns) {
            *ready += turn.seconds;
        }
        let ended = ready.clone();
        for (from, turn) in turns.iter().enumerate() {
            for &(to, bytes) in &turn.sent {
                let all = (0..parties).filter(|party| *party != from);
                for to in all.filter(|party| to.is_none_or(|one| one == *party)) {
                    let arrival = network.map_or(ended[from], |network| {
                        let sending = network.sending(from, to, bytes);
                        let left = ended[from].max(free[from][to]) + sending;
                        free[from][to] = left;
                        left + network.latency(from, to, &mut rng)
                    });
                    ready[to] = ready[to].max(arrival);
                }
            }
        }
    }
    ready.into_iter().fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ecdsa::Turn;

    type Sent<'a> = &'a [(Option<usize>, usize)];

    /// Rounds of two parties: the seconds of each, and what it sends.
    fn trace(rounds: &[[(f64, Sent<'_>); 2]]) -> Trace {
        let turn = |(seconds, sent): (f64, Sent<'_>)| Turn { seconds, sent: sent.to_vec() };
        Trace { rounds: rounds.iter().map(|round| round.map(turn).into()).collect() }
    }

    #[test]
    fn without_a_network_the_slowest_party_decides_each_round() {
        let all: Sent<'_> = &[(None, 9)];
        let trace = trace(&[[(1.0, all), (2.0, all)], [(5.0, &[]), (1.0, &[])]]);
        assert!((finish(&trace, None) - 7.0).abs() < 1e-12);
        assert!((trace.each() - 4.5).abs() < 1e-12);
    }

    #[test]
    fn who_is_sent_nothing_waits_for_nobody() {
        for (sent, end) in [(&[][..], 9.0), (&[(Some(1), 1)], 10.0)] {
            let trace = trace(&[[(9.0, sent), (1.0, &[])], [(0.0, &[]), (1.0, &[])]]);
            assert!((finish(&trace, None) - end).abs() < 1e-12);
        }
    }

    #[test]
    fn frames_take_their_bytes_and_the_latency() {
        // Two frames of a megabyte at 8 Mbit/s leave one after the other: 2 s, and 0.1 s on the way.
        let trace =
            trace(&[[(1.0, &[(Some(1), 1_000_000); 2]), (0.0, &[])], [(0.0, &[]), (3.0, &[])]]);
        let (latency_ms, mbit) = ([[100.0; 4]; 4], [[8.0; 4]; 4]);
        let plain = Network { latency_ms, mbit, jitter: 0.0, seed: 1 };
        assert!((finish(&trace, Some(&plain)) - 6.1).abs() < 1e-9);
    }

    #[test]
    fn a_seed_determines_a_run() {
        let round = vec![Turn { seconds: 0.1, sent: vec![(None, 1000)] }; 8];
        let trace = Trace { rounds: vec![round; 3] };
        let run = |seed| finish(&trace, Some(&Network::regions(seed)));
        assert!((run(1) - run(1)).abs() < 1e-15);
        assert!((run(1) - run(2)).abs() > 1e-9);
        // Three rounds over the longest link, 108 ms with at most a tenth more.
        let (least, most) = (0.3 + 3.0 * 0.108, 0.3 + 3.0 * 0.108 * 1.1 + 0.01);
        assert!((least..most).contains(&run(1)), "{}", run(1));
    }

    #[test]
    fn the_matrices_are_symmetric() {
        for (a, b) in (0..4).flat_map(|a| (0..4).map(move |b| (a, b))) {
            assert!((LATENCY_MS[a][b] - LATENCY_MS[b][a]).abs() < 1e-12);
            assert!((MBIT[a][b] - MBIT[b][a]).abs() < 1e-12);
        }
    }
}
