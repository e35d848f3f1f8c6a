//! A simulated network: virtual time for what travels, measured CPU for what is computed.

use chacha20::ChaCha20Rng;
use rand_core::{Rng as _, SeedableRng as _};

use crate::ecdsa::Trace;

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

/// A network of four regions. Parties are put into the regions in turn.
#[derive(Clone, Debug)]
pub(super) struct Network {
    /// One way, by region.
    pub(super) latency_ms: [[f64; 4]; 4],
    /// By region.
    pub(super) mbit: [[f64; 4]; 4],
    /// The part of the latency that is random.
    pub(super) jitter: f64,
    /// The seed of the random parts.
    pub(super) seed: u64,
}

impl Network {
    /// The matrices above.
    pub(super) const fn regions(seed: u64) -> Self {
        Self { latency_ms: LATENCY_MS, mbit: MBIT, jitter: JITTER, seed }
    }
}

/// Seconds until the last party has ended. Every party has a machine of its own with one core; it takes its turn when
/// it has ended the turn before and has everything that was sent to it then. A link sends one frame after another.
/// Without a network everything arrives when it is sent.
pub(super) fn finish(trace: &Trace, network: Option<&Network>) -> f64 {
    let parties = trace.parties();
    let mut rng = ChaCha20Rng::seed_from_u64(network.map_or(0, |network| network.seed));
    let (mut ready, mut free) = (vec![0.0f64; parties], vec![vec![0.0f64; parties]; parties]);
    for turns in &trace.rounds {
        let ended: Vec<f64> = (0..parties)
            .map(|party| ready[party] + turns.get(party).map_or(0.0, |turn| turn.seconds))
            .collect();
        ready.clone_from(&ended);
        for (from, turn) in turns.iter().enumerate() {
            for &(to, bytes) in &turn.sent {
                let all = (0..parties).filter(|party| *party != from);
                for to in all.filter(|party| to.is_none_or(|one| one == *party)) {
                    let arrival = match network {
                        None => ended[from],
                        Some(network) => {
                            let left =
                                ended[from].max(free[from][to]) + network.sending(from, to, bytes);
                            free[from][to] = left;
                            left + network.latency(from, to, random(&mut rng))
                        }
                    };
                    ready[to] = ready[to].max(arrival);
                }
            }
        }
    }
    ready.into_iter().fold(0.0, f64::max)
}

impl Network {
    fn sending(&self, from: usize, to: usize, bytes: usize) -> f64 {
        #[allow(clippy::cast_precision_loss, reason = "sizes of messages")]
        let bits = bytes as f64 * 8.0;
        bits / (self.mbit[from % 4][to % 4] * 1e6)
    }

    fn latency(&self, from: usize, to: usize, random: f64) -> f64 {
        self.latency_ms[from % 4][to % 4] / 1e3 * (1.0 + self.jitter * random)
    }
}

/// Between 0 and 1.
fn random(rng: &mut ChaCha20Rng) -> f64 {
    f64::from(rng.next_u32()) / f64::from(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ecdsa::Turn;

    fn turn(seconds: f64, sent: &[(Option<usize>, usize)]) -> Turn {
        Turn { seconds, sent: sent.to_vec() }
    }

    fn plain() -> Network {
        Network { latency_ms: [[100.0; 4]; 4], mbit: [[8.0; 4]; 4], jitter: 0.0, seed: 1 }
    }

    #[test]
    fn without_a_network_the_slowest_party_decides_each_round() {
        let trace = Trace {
            rounds: vec![
                vec![turn(1.0, &[(None, 9)]), turn(2.0, &[(None, 9)])],
                vec![turn(5.0, &[]), turn(1.0, &[])],
            ],
        };
        assert!((finish(&trace, None) - 7.0).abs() < 1e-12);
        assert!((trace.each() - 4.5).abs() < 1e-12);
    }

    #[test]
    fn who_is_sent_nothing_waits_for_nobody() {
        let trace = Trace {
            rounds: vec![
                vec![turn(9.0, &[]), turn(1.0, &[])],
                vec![turn(0.0, &[]), turn(1.0, &[])],
            ],
        };
        assert!((finish(&trace, None) - 9.0).abs() < 1e-12);
        let trace = Trace {
            rounds: vec![vec![turn(9.0, &[(Some(1), 1)]), turn(1.0, &[])], trace.rounds[1].clone()],
        };
        assert!((finish(&trace, None) - 10.0).abs() < 1e-12);
    }

    #[test]
    fn frames_take_their_bytes_and_the_latency() {
        // Two frames of a megabyte at 8 Mbit/s leave one after the other: 2 s, and 0.1 s on the way.
        let sent = [(Some(1), 1_000_000), (Some(1), 1_000_000)];
        let trace = Trace {
            rounds: vec![
                vec![turn(1.0, &sent), turn(0.0, &[])],
                vec![turn(0.0, &[]), turn(3.0, &[])],
            ],
        };
        assert!((finish(&trace, Some(&plain())) - 6.1).abs() < 1e-9);
    }

    #[test]
    fn a_seed_determines_a_run() {
        let round = vec![turn(0.1, &[(None, 1000)]); 8];
        let trace = Trace { rounds: vec![round.clone(), round.clone(), round] };
        let run = |seed| finish(&trace, Some(&Network::regions(seed)));
        assert!((run(1) - run(1)).abs() < 1e-15);
        assert!((run(1) - run(2)).abs() > 1e-9);
        // Three rounds over the longest link, 108 ms with at most a tenth more.
        assert!(
            run(1) > 0.3 + 3.0 * 0.108 && run(1) < 0.3 + 3.0 * 0.108 * 1.1 + 0.01,
            "{}",
            run(1)
        );
    }

    #[test]
    fn the_matrices_are_symmetric() {
        for (a, b) in (0..4).flat_map(|a| (0..4).map(move |b| (a, b))) {
            assert!((LATENCY_MS[a][b] - LATENCY_MS[b][a]).abs() < 1e-12);
            assert!((MBIT[a][b] - MBIT[b][a]).abs() < 1e-12);
        }
    }
}
