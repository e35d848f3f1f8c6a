//! Allocations and bytes of each message that is encoded, as the Evmos work counted them: before and after the reuse of a
//! buffer.

mod messages;

pub use messages::{Message, messages};

use super::figure::{Figure, OURS, Unit, real};
use super::published;
use super::run::{Peers, Piece, Run, Scale, in_turns};
use super::section::{Found, Grid, Headline, Kind, Shown, or_dash};
use crate::{HeapMeter, Meter as _, Operation, Routine, Size, Suite};

/// The two ways: a vector for each message, and one buffer for all.
const WAYS: [(&str, &str); 2] = [("before", "a new buffer"), ("after", "buffer reused")];
/// The time of the largest message, of every library.
const RACE: &str = "encoding/package/time";

/// Signers of the messages.
const SIGNERS: [u16; 3] = [3, 67, 67];
const RUNS: [usize; 3] = [3, 11, 31];

fn name(message: &str, way: &str, part: &str) -> String {
    format!("encoding/{message}/{way}/{part}")
}

/// A message encoded in one of the ways.
fn encoded<'a>(message: &'a Message, way: &str) -> Box<dyn FnMut() + 'a> {
    if way == "before" {
        return Box::new(|| drop(core::hint::black_box((message.fresh)())));
    }
    let mut buffer = Vec::new();
    Box::new(move || {
        buffer.clear();
        (message.into)(&mut buffer);
        core::hint::black_box(&buffer);
    })
}

pub(super) fn pieces(scale: Scale, peers: &Peers) -> Vec<Piece<'_>> {
    let work = move || ours(scale).into_iter().chain(race(scale, peers)).collect();
    vec![Piece::new("encoding of messages", scale.pick([0.3, 1.0, 2.0]), work)]
}

fn ours(scale: Scale) -> Vec<Figure> {
    let messages = messages(scale.pick(SIGNERS));
    let both = messages.iter().flat_map(|one| WAYS.map(|(way, _)| (one, way)));
    let (mut figures, mut timed) = (Vec::new(), Vec::new());
    for (message, way) in both {
        let mut run = encoded(message, way);
        // The first run makes a buffer that is reused.
        run();
        let mut heap = HeapMeter::default();
        heap.measure(&mut run);
        let name = |part| name(message.name, way, part);
        figures.push(Figure::new(name("bytes"), Unit::Bytes, vec![real(heap.bytes)]));
        figures.push(Figure::new(name("allocations"), Unit::Count, vec![real(heap.allocations)]));
        timed.push((Figure::time(name("time")), Routine::repeat(run)));
    }
    figures.extend(in_turns(timed, scale.pick(RUNS)));
    figures
}

/// Every library of the run encodes the package, in turns.
fn race(scale: Scale, peers: &Peers) -> Vec<Figure> {
    let t = scale.pick(SIGNERS);
    let suite = Suite::from_name("ed25519").expect("a suite of the registry");
    let fixtures = peers.fixtures(suite, Size { t, n: t });
    let timed = fixtures.iter().map(|(who, fixture)| {
        (Figure::time(RACE).of(*who), fixture.routine(Operation::EncodePackage))
    });
    in_turns(timed, scale.pick(RUNS))
}

pub(super) fn shown(found: Found<'_>, run: &mut Run<'_>) -> Shown {
    let (tables, headlines) = (vec![table(found, run.scale)], vec![headline(found)]);
    Shown { tables, headlines, ..Shown::default() }
}

fn headline(found: Found<'_>) -> Headline {
    let of = |way: &str| {
        let part = |part: &str| or_dash(found.cell(&name(messages::SHARE, way, part), OURS));
        format!("{} in {}", part("bytes"), part("allocations"))
    };
    let what = format!(
        "a message encoded, bytes in allocations: ours a {}, theirs VoteSignBytes; the peer encodes a {}",
        messages::SHARE,
        messages::PACKAGE
    );
    let ours = format!("{}, then {}", of("before"), of("after"));
    let published = published::report("encoding").headline.clone();
    Headline::new(what, [Some(ours), published], found.peer(RACE, OURS, &[""]))
}

fn table(found: Found<'_>, scale: Scale) -> Grid {
    const PARTS: [&str; 3] = ["allocations", "bytes", "time"];
    let caption =
        format!("Each message encoded, FROST over Ed25519 with {} signers", scale.pick(SIGNERS));
    let head = ["allocations", "bytes allocated", "time"];
    let mut grid = Grid::new(["table-encoding", &caption, "message"], head);
    let first = found.0.iter().filter(|one| one.name.ends_with("/before/bytes"));
    for message in first.filter_map(|one| one.name.split('/').nth(1)) {
        for (way, words) in WAYS {
            let cells = PARTS.map(|part| found.cell(&name(message, way, part), OURS));
            grid.row(Kind::Ours, format!("{message}, {words}"), cells);
        }
        let change = PARTS.map(|part| {
            let of = |way| found.middle(&name(message, way, part));
            let (old, new) = (of("before")?, of("after")?);
            let same = old.total_cmp(&new).is_eq();
            // As benchstat writes it. From zero to zero nothing changes.
            let change = format!("{:+.0} %", (new / old - 1.0) * 100.0);
            Some(if same { "~".to_owned() } else { change })
        });
        grid.row(Kind::Ratio, format!("{message}, change"), change);
    }
    let title = format!("{}, in turns: ", messages::PACKAGE);
    grid.libraries(found, &["", "", RACE].map(str::to_owned), [&title, OURS, ""]);
    grid.cite("");
    grid
}
