//! Tables of messages and times.

use quorate_examples::out::Out;
use quorate_examples::table::{Table, time};

use crate::signing::Message;
use crate::traffic::{Rejection, Sent, Traffic};

/// The messages of a run, and how long each party took: `what` in each round, and what is done in
/// the `end`.
pub(crate) fn rounds(traffic: &Traffic, what: &[&str], end: &str, out: &mut Out) {
    let rounds = &traffic.rounds;
    let parties = rounds.values().next().map_or(&[][..], |round| &round.times);
    // A column for each party, as long as they fit on a line.
    let each = parties.len() <= 4;
    let names: Vec<_> = parties.iter().map(|(party, _)| format!("party {party}")).collect();
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
        row.push(messages(round));
        if each {
            for (party, _) in parties {
                let own = round.times.iter().find(|(of, _)| of == party);
                row.push(own.map(|(_, one)| time(*one)).unwrap_or_default());
            }
        } else {
            let slowest = round.times.iter().map(|(_, one)| *one).max();
            row.push(time(slowest.unwrap_or_default()));
        }
        table.row(row);
    }
    table.print(out);
    for Rejection { by, from, why, count } in &traffic.rejected {
        out.line(format_args!("  party {by} did not take {count} from party {from}: {why}"));
    }
}

fn messages(round: &Sent) -> String {
    let kinds = [(&round.broadcasts, "to everyone"), (&round.directs, "private")];
    let kinds = kinds.into_iter().filter_map(|(sizes, kind)| {
        let bytes = sizes.first()?;
        Some(format!("{} {kind}, {bytes} bytes each", sizes.len()))
    });
    kinds.collect::<Vec<_>>().join("; ")
}

/// The messages of a signature.
pub(crate) fn signing(report: &[Message], out: &mut Out) {
    let mut table = Table::new(&["from", "what", "bytes", "time"]);
    for message in report {
        let from = message.from.map_or("coordinator".to_owned(), |party| format!("party {party}"));
        let cells = [from, message.what.to_owned(), message.bytes.to_string(), time(message.time)];
        table.row(cells.into());
    }
    table.print(out);
}
