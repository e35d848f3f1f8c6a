//! The trace of a run: time and bytes of each party, round by round, for a network that is simulated afterwards.

/// A party's part of a round.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Turn {
    /// Seconds of CPU.
    pub seconds: f64,
    /// Messages sent at its end: to one party, or to all others, and the bytes.
    pub sent: Vec<(Option<usize>, usize)>,
}

/// The turns of all parties in all rounds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    /// By round, then by party.
    pub rounds: Vec<Vec<Turn>>,
}

impl Trace {
    /// The turn of a party in a round, which may be its first.
    fn turn(&mut self, round: usize, party: usize) -> &mut Turn {
        let rounds = self.rounds.len().max(round + 1);
        self.rounds.resize_with(rounds, Vec::new);
        let turns = &mut self.rounds[round];
        turns.resize(turns.len().max(party + 1), Turn::default());
        &mut turns[party]
    }

    /// A party has computed.
    pub(super) fn worked(&mut self, round: usize, party: usize, seconds: f64) {
        self.turn(round, party).seconds += seconds;
    }

    /// A party sends a message at the end of its latest turn.
    pub(super) fn sent(&mut self, party: usize, to: Option<usize>, bytes: usize) {
        let latest = self
            .rounds
            .iter()
            .rposition(|turns| turns.get(party).is_some_and(|turn| turn.seconds > 0.0));
        self.turn(latest.unwrap_or(0), party).sent.push((to, bytes));
    }

    /// How many parties there are.
    #[must_use]
    pub fn parties(&self) -> usize {
        self.rounds.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// The rounds of another run after these.
    #[must_use]
    pub fn then(mut self, next: Self) -> Self {
        self.rounds.extend(next.rounds);
        self
    }

    /// Seconds of CPU of all parties, divided by their number.
    #[must_use]
    pub fn each(&self) -> f64 {
        let all: f64 = self.rounds.iter().flatten().map(|turn| turn.seconds).sum();
        #[allow(clippy::cast_precision_loss, reason = "few parties")]
        let parties = self.parties().max(1) as f64;
        all / parties
    }
}
