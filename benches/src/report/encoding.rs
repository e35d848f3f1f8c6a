//! Allocations and bytes of each message that is encoded, as the Evmos work counted them.

use quorate::Parties;
use quorate::frost::ed25519::{Coordinator, Dealing, SigningPackage};
use quorate_curve::Ed25519;
use quorate_sharing::{Commitment, Polynomial};

use super::figure::{Figure, Middle, Unit};
use super::machine::Watch;
use super::progress::Job;
use super::published;
use super::run::{Chapter, Peers, Run, Scale, in_turns};
use super::section::{Block, Found, Grid, Headline, Kind, Row, Section};
use crate::{HeapMeter, MESSAGE, Meter as _, Routine, generator};

/// The answer to the work on allocations.
pub struct Encoding;

const OURS: &str = "quorate";

/// Signers of the messages.
fn signers(scale: Scale) -> u16 {
    scale.pick(3, 67, 67)
}

/// An encoding under measurement, by its name.
type Encoded<'a> = (&'static str, Box<dyn FnMut() + 'a>);

/// A commitment of `t` points into a fresh buffer, and again and again into the same.
fn commitment(t: u16) -> [Encoded<'static>; 2] {
    let polynomial =
        Polynomial::<Ed25519>::random(t, &mut generator(1)).expect("a generator that works");
    let commitment: Commitment<Ed25519> = polynomial.commit();
    let (again, mut buffer) = (commitment.clone(), Vec::new());
    [
        (
            "commitment to a polynomial, fresh buffer",
            Box::new(move || {
                let mut bytes = Vec::new();
                commitment.encode_into(&mut bytes);
                core::hint::black_box(bytes);
            }),
        ),
        (
            "commitment to a polynomial, buffer reused",
            Box::new(move || {
                buffer.clear();
                again.encode_into(&mut buffer);
                core::hint::black_box(&buffer);
            }),
        ),
    ]
}

/// The messages of a signature.
fn signing(t: u16) -> Vec<Encoded<'static>> {
    let parties = Parties::numbered(t).expect("a valid size");
    let mut rng = generator(2);
    let Dealing { shares, public } = Dealing::new(t, &parties, &mut rng).expect("a valid size");
    let signers: Vec<_> =
        shares.into_iter().map(|share| share.accept(t, &public).expect("honest")).collect();
    let mut nonces = Vec::new();
    let mut commitments = Vec::new();
    for signer in &signers {
        let (secret, public) = signer.commit(&mut rng);
        nonces.push(secret);
        commitments.push((signer.id(), public.to_bytes()));
    }
    let first = signers[0].commit(&mut rng).1;
    let session = Coordinator::new(public).start(commitments, MESSAGE).expect("valid commitments");
    let package = SigningPackage::from_bytes(&session.package().to_bytes()).expect("valid bytes");
    let share = nonces.into_iter().next().map(|nonces| signers[0].sign(&package, nonces));
    let share = share.expect("a signer").expect("a valid package");
    vec![
        (
            "commitments of a signer",
            Box::new(move || drop(core::hint::black_box(first.to_bytes()))),
        ),
        (
            "package of all signers",
            Box::new(move || drop(core::hint::black_box(package.to_bytes()))),
        ),
        (
            "share of a signature",
            Box::new(move || {
                core::hint::black_box(share.to_bytes());
            }),
        ),
    ]
}

fn figures_of(scale: Scale) -> Vec<Figure> {
    let t = signers(scale);
    let mut all = signing(t);
    all.extend(commitment(t));
    let mut figures = Vec::new();
    let figure = |name: &str, part: &str, unit, samples| Figure {
        name: format!("encoding/{name}/{part}"),
        who: OURS.to_owned(),
        engine: String::new(),
        level: String::new(),
        unit,
        by: Middle::Median,
        samples,
    };
    for (name, run) in &mut all {
        // The first run makes a buffer that is reused.
        run();
        let mut heap = HeapMeter::default();
        heap.start();
        run();
        heap.stop();
        figures.push(figure(name, "bytes", Unit::Bytes, vec![real(heap.bytes)]));
        figures.push(figure(name, "allocations", Unit::Count, vec![real(heap.allocations)]));
    }
    let (names, routines): (Vec<_>, Vec<_>) =
        all.into_iter().map(|(name, run)| (name, Routine::repeat(run))).unzip();
    for (name, samples) in names.into_iter().zip(in_turns(routines, scale.pick(3, 11, 31))) {
        figures.push(figure(name, "time", Unit::Micros, samples));
    }
    figures
}

#[allow(clippy::cast_precision_loss, reason = "sizes in memory")]
fn real(count: usize) -> f64 {
    count as f64
}

impl Chapter for Encoding {
    fn id(&self) -> &'static str {
        "encoding"
    }

    fn jobs(&self, scale: Scale, _peers: &Peers) -> Vec<Job> {
        vec![Job { label: "encoding of messages".to_owned(), cost: scale.pick(0.2, 0.5, 1.0) }]
    }

    fn run(&self, run: &mut Run<'_>) -> Section {
        let watch = Watch::start();
        let scale = run.scale;
        let figures = self
            .jobs(scale, run.peers)
            .iter()
            .flat_map(|job| run.job(job, || figures_of(scale)))
            .collect::<Vec<_>>();
        let found = Found(&figures);
        let blocks = vec![
            Block::Table(table(&found, scale)),
            Block::Text(
                "Two runs are compared by report compare A.json B.json: old, new, delta, p and n, as benchstat prints \
                 them, with the test of Mann and Whitney."
                    .to_owned(),
            ),
        ];
        let headlines = vec![headline(&found)];
        Section {
            id: self.id(),
            title: "Encoding".to_owned(),
            source: published::EVMOS,
            headlines,
            blocks,
            figures,
            load: watch.seen(),
        }
    }
}

fn headline(found: &Found<'_>) -> Headline {
    let (name, [old, new], [before, after]) = published::EVMOS_ENCODING[0];
    let of = |part: &str| found.cell(&format!("encoding/share of a signature/{part}"), OURS);
    Headline {
        what: format!(
            "a message encoded: ours a share of a signature, theirs {name} before and after"
        ),
        ours: format!("{} in {} allocations", of("bytes"), of("allocations")),
        published: format!("{old} B in {before} allocations, then {new} B in {after}"),
        ratio: None,
    }
}

fn table(found: &Found<'_>, scale: Scale) -> Grid {
    let mut names: Vec<&str> = Vec::new();
    for figure in found.0 {
        let name =
            figure.name.trim_start_matches("encoding/").split('/').next().unwrap_or_default();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let mut rows: Vec<Row> = names
        .into_iter()
        .map(|name| {
            let cells = ["allocations", "bytes", "time"]
                .map(|part| found.cell(&format!("encoding/{name}/{part}"), OURS));
            Row::new(Kind::Ours, name, cells.into())
        })
        .collect();
    for (name, [old, new], [before, after]) in published::EVMOS_ENCODING {
        for (when, count, bytes) in [("before", before, old), ("after", after, new)] {
            let label = format!("published, {name}, {when}");
            let cells = vec![count.to_string(), format!("{bytes} B"), "–".to_owned()];
            rows.push(Row::new(Kind::Published, label, cells));
        }
    }
    let head = ["message", "allocations", "bytes allocated", "time"].map(str::to_owned).into();
    let caption = format!("Each message encoded, Ed25519, {} signers", signers(scale));
    Grid { id: "table-encoding".to_owned(), caption, head, rows }
}
