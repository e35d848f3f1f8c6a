//! The messages of a run or of a signature, and the tables in which they are reported.

use core::time::Duration;
use std::collections::BTreeMap;
use std::time::Instant;

use quorate::PartyId;
use quorate::session::{Rejection, To};
use quorate_examples::Out;
use quorate_examples::table::{Table, time};

/// The messages of a run, since it was begun or resumed.
#[derive(Default)]
pub struct Traffic {
    /// The messages of each round. The entry after the last round has the work at the end.
    pub rounds: BTreeMap<u8, Sent>,
    /// The frames that each party did not take.
    pub rejected: BTreeMap<PartyId, Vec<Rejection>>,
}

/// The work of the parties in one round.
#[derive(Default)]
pub struct Sent {
    /// The size in bytes of each message to all other parties.
    pub broadcasts: Vec<usize>,
    /// The size in bytes of each message to one party.
    pub directs: Vec<usize>,
    /// The time that each party took to check the messages received and to make these.
    pub times: BTreeMap<PartyId, Duration>,
}

/// A message on its way.
pub struct Message {
    /// The sender; a real transport has to authenticate it.
    pub from: PartyId,
    /// The recipient; a message for one party alone has to travel encrypted.
    pub to: To,
    /// The message.
    pub bytes: Vec<u8>,
}

impl Traffic {
    pub(crate) fn round(&mut self, number: u8) -> &mut Sent {
        self.rounds.entry(number).or_default()
    }

    /// Prints the messages of the run, and the time that each party took: `what` names the work of each round, and `end` the work
    /// at the end.
    pub(crate) fn print(&self, what: &[&str], end: &str, out: &mut Out) {
        let rounds = &self.rounds;
        let parties: Vec<_> =
            rounds.values().take(1).flat_map(|round| round.times.keys()).collect();
        // A column for each party, as long as they fit on a line.
        let each = parties.len() <= 4;
        let names: Vec<_> = parties.iter().map(|party| format!("party {party}")).collect();
        let mut header = vec!["round", "what", "messages"];
        if each {
            header.extend(names.iter().map(String::as_str));
        } else {
            header.push("slowest party");
        }
        let mut table = Table::new(&header);
        for (number, round) in rounds {
            let mut row = match what.get(usize::from(*number).saturating_sub(1)) {
                Some(what) => vec![number.to_string(), (*what).to_owned()],
                None => vec!["end".to_owned(), end.to_owned()],
            };
            row.push(round.messages());
            if each {
                let times = parties.iter().map(|party| round.times.get(party));
                row.extend(times.map(|one| one.map_or_else(String::new, |one| time(*one))));
            } else {
                row.push(time(round.times.values().max().copied().unwrap_or_default()));
            }
            table.row(row);
        }
        table.print(out);
        for (by, rejected) in &self.rejected {
            for Rejection { from, count, last } in rejected {
                writeln!(out, "  party {by} did not take {count} from party {from}: {last}");
            }
        }
    }
}

impl Sent {
    fn messages(&self) -> String {
        let kinds = [(&self.broadcasts, "to everyone"), (&self.directs, "private")];
        let kinds = kinds.into_iter().filter_map(|(sizes, kind)| {
            let bytes = sizes.first()?;
            Some(format!("{} {kind}, {bytes} bytes each", sizes.len()))
        });
        kinds.collect::<Vec<_>>().join("; ")
    }
}

/// A table of the messages of a signature.
pub struct SigningReport(Table);

impl SigningReport {
    /// An empty table.
    pub(crate) fn new() -> Self {
        Self(Table::new(&["from", "what", "bytes", "time"]))
    }

    /// Adds a message that took from `clock` until now to make: a signer's, or the coordinator's.
    pub(crate) fn add(&mut self, from: Option<PartyId>, what: &str, bytes: &[u8], clock: Instant) {
        let from = from.map_or("coordinator".to_owned(), |party| format!("party {party}"));
        let (bytes, time) = (bytes.len().to_string(), time(clock.elapsed()));
        self.0.row(vec![from, what.to_owned(), bytes, time]);
    }

    pub(crate) fn print(&self, out: &mut Out) {
        self.0.print(out);
    }
}
