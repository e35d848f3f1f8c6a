//! Tendermint with post-quantum keys beside Tendermint: single keys, and keys that a committee holds.

use ed25519_dalek::{Signer as _, Verifier as _};
use ml_dsa::signature::{Keypair as _, SignatureEncoding as _};
use ml_dsa::{KeyExport as _, MlDsa44, MlDsa65, MlDsaParams};

use super::committee::{Committee, quorum};
use super::figure::{Figure, Middle, Unit};
use super::plot::{self, Label};
use super::progress::Job;
use super::published;
use super::run::{Chapter, Peers, Run, Scale, in_turns};
use super::section::{Block, Found, Grid, Headline, Kind, Row, Section};
use super::served::{self, Served};
use super::soak::Soaked;
use core::time::Duration;

use super::thorchain::frost_keygen;
use crate::Library as _;
use crate::ecdsa::Ledger;
use crate::mldsa::{Level, MlDsaCommittee, MlDsaSetup, keygen};
use crate::{MESSAGE, Meter as _, Quorate, Routine, Size, Step, Stopwatch, Suite};

/// The answer to the report.
pub struct Tendermint;

const OURS: &str = "quorate";
const DALEK: &str = "ed25519-dalek";
const DILITHIUM: [&str; 2] = ["ml-dsa 44", "ml-dsa 65"];

/// Whose keys are measured.
#[derive(Clone, Copy)]
enum Holder {
    /// One each: Ed25519 and ML-DSA.
    Single,
    /// A committee of so many, by threshold Ed25519.
    Ed25519(u16),
    /// A committee of at most six, by threshold ML-DSA.
    MlDsa(Level, u16),
}

/// Columns of the table of keys.
const COLUMNS: [(&str, &str); 6] = [
    ("keygen", "key generation"),
    ("signature", "signature"),
    ("key", "public key"),
    ("sign", "signing"),
    ("verify", "verifying"),
    ("sustained", "sustained"),
];

fn committees(scale: Scale) -> &'static [u16] {
    scale.pick(&[4], &[4, 7, 100], &[4, 7, 100])
}

/// Committees by threshold ML-DSA.
fn lattice_committees(scale: Scale) -> &'static [(Level, u16)] {
    let all = &[(Level::MlDsa44, 4), (Level::MlDsa44, 5), (Level::MlDsa65, 4), (Level::MlDsa65, 5)];
    scale.pick(&all[..1], all, all)
}

fn who_of(level: Level, n: u16) -> String {
    let number = level.name().trim_start_matches("ML-DSA-");
    format!("{OURS} ml-dsa {number}, {} of {n}", quorum(n))
}

fn who(n: u16) -> String {
    format!("{OURS} {n} nodes")
}

fn figure(column: &str, who: &str, unit: Unit, samples: Vec<f64>) -> Figure {
    Figure {
        name: format!("tendermint/{column}"),
        who: who.to_owned(),
        engine: String::new(),
        level: String::new(),
        unit,
        by: Middle::Median,
        samples,
    }
}

/// A key of one holder: what is measured of it.
struct Single<'a> {
    who: &'static str,
    keygen: Routine<'a>,
    sign: Routine<'a>,
    verify: Routine<'a>,
    sizes: [usize; 2],
    once: Box<dyn FnMut() + 'a>,
}

fn ed25519() -> Single<'static> {
    let key = ed25519_dalek::SigningKey::from_bytes(&[7; 32]);
    let (public, signature) = (key.verifying_key(), key.sign(MESSAGE));
    let again = key.clone();
    Single {
        who: DALEK,
        keygen: Routine::repeat(|| ed25519_dalek::SigningKey::from_bytes(&[9; 32]).verifying_key()),
        sizes: [signature.to_bytes().len(), public.as_bytes().len()],
        sign: Routine::repeat(move || key.sign(MESSAGE)),
        verify: Routine::repeat(move || public.verify(MESSAGE, &signature).expect("valid")),
        once: Box::new(move || {
            core::hint::black_box(again.sign(MESSAGE));
        }),
    }
}

fn dilithium<P: MlDsaParams + 'static>(who: &'static str) -> Single<'static> {
    let key = ml_dsa::SigningKey::<P>::from_seed(&[7; 32].into());
    let public = key.verifying_key();
    let sign = |key: &ml_dsa::SigningKey<P>, count: &mut u64| -> ml_dsa::Signature<P> {
        // The time depends on the message, which decides how often signing starts over.
        *count += 1;
        let message = [MESSAGE, &count.to_le_bytes()].concat();
        ml_dsa::signature::Signer::sign(key, &message)
    };
    let signature: ml_dsa::Signature<P> = ml_dsa::signature::Signer::sign(&key, MESSAGE);
    let (mut count, mut more, again) = (0, 0, key.clone());
    Single {
        who,
        keygen: Routine::repeat(|| {
            ml_dsa::SigningKey::<P>::from_seed(&[9; 32].into()).verifying_key()
        }),
        sizes: [signature.to_bytes().len(), public.to_bytes().len()],
        sign: Routine::repeat(move || sign(&key, &mut count)),
        verify: Routine::repeat(move || {
            ml_dsa::signature::Verifier::verify(&public, MESSAGE, &signature).expect("valid");
        }),
        once: Box::new(move || drop(core::hint::black_box(sign(&again, &mut more)))),
    }
}

/// Results a second of CPU, in windows of this length.
fn sustained(mut once: impl FnMut(), seconds: f64, windows: usize) -> Vec<f64> {
    once();
    let window = |_| {
        let mut stopwatch = Stopwatch::default();
        let mut count = 0.0;
        while stopwatch.total().as_secs_f64() < seconds {
            stopwatch.start();
            for _ in 0..4 {
                once();
            }
            stopwatch.stop();
            count += 4.0;
        }
        count / stopwatch.total().as_secs_f64()
    };
    (0..windows).map(window).collect()
}

/// Seconds and number of the windows of a sustained rate.
fn windows(scale: Scale) -> (f64, usize) {
    scale.pick((0.02, 3), (0.2, 5), (2.0, 8))
}

fn singles(scale: Scale) -> Vec<Figure> {
    let runs = scale.pick(3, 11, 31);
    let all =
        vec![ed25519(), dilithium::<MlDsa44>(DILITHIUM[0]), dilithium::<MlDsa65>(DILITHIUM[1])];
    let names: Vec<&str> = all.iter().map(|one| one.who).collect();
    let mut figures = Vec::new();
    let mut routines: [Vec<Routine<'_>>; 3] = Default::default();
    let (seconds, count) = windows(scale);
    for one in all {
        for (column, bytes) in ["signature", "key"].into_iter().zip(one.sizes) {
            figures.push(figure(column, one.who, Unit::Bytes, vec![real(bytes)]));
        }
        for (routines, routine) in routines.iter_mut().zip([one.keygen, one.sign, one.verify]) {
            routines.push(routine);
        }
        let rates = sustained(one.once, seconds, count);
        figures.push(figure("sustained", one.who, Unit::PerSecond, rates));
    }
    for (column, routines) in ["keygen", "sign", "verify"].into_iter().zip(routines) {
        for (who, samples) in names.iter().zip(in_turns(routines, runs)) {
            figures.push(if column == "keygen" {
                figure(column, who, Unit::Micros, samples)
            } else {
                rates(column, who, &samples)
            });
        }
    }
    figures
}

fn rates(column: &str, who: &str, us: &[f64]) -> Figure {
    figure(column, who, Unit::PerSecond, us.iter().map(|us| 1e6 / us).collect())
}

#[allow(clippy::cast_precision_loss, reason = "sizes of messages")]
fn real(count: usize) -> f64 {
    count as f64
}

/// A committee of which more than two thirds sign. Key generation is a node's part of the distributed one.
fn committee(n: u16, scale: Scale) -> Vec<Figure> {
    let (t, name) = (quorum(n), who(n));
    let runs = scale.pick(3, 11, 31);
    let keygen = (0..keygens(scale, n)).map(|_| frost_keygen(n).each() * 1e6).collect();
    let ed25519 = Suite::from_name("ed25519").expect("a suite of the registry");
    let fixture = Quorate.fixture(ed25519, Size { t, n }).expect("Quorate has it");
    let steps = [Step::Round1, Step::Round2, Step::Verify];
    let samples = in_turns(steps.map(|step| fixture.routine(step)).into(), runs);
    let signer: Vec<f64> = samples[0].iter().zip(&samples[1]).map(|(a, b)| a + b).collect();
    let mut committee = Committee::new(t, n);
    let signature = committee.sign(&mut Ledger::timing());
    assert!(committee.verify(&signature), "an honest committee");
    let (seconds, count) = windows(scale);
    let mut sign = || {
        core::hint::black_box(committee.sign(&mut Ledger::timing()));
    };
    let whole = sustained(&mut sign, seconds, count);
    vec![
        figure("keygen", &name, Unit::Micros, keygen),
        figure("signature", &name, Unit::Bytes, vec![real(signature.to_bytes().as_ref().len())]),
        figure("key", &name, Unit::Bytes, vec![32.0]),
        rates("sign", &name, &signer),
        rates("verify", &name, &samples[2]),
        // Every signer has a core of its own.
        figure(
            "sustained",
            &name,
            Unit::PerSecond,
            whole.iter().map(|rate| rate * f64::from(t)).collect(),
        ),
    ]
}

/// A committee by threshold ML-DSA, of which more than two thirds sign. About every second attempt fails, and is made again:
/// a signature is the attempts that it takes on the mean of the run.
fn lattice_committee(level: Level, n: u16, scale: Scale) -> Vec<Figure> {
    let (t, name) = (quorum(n), who_of(level, n));
    let runs = scale.pick(3, 11, 31);
    let setup = MlDsaSetup { level, t, n };
    let mut committee = MlDsaCommittee::new(setup).expect("a committee of at most six");
    let keygens = (0..scale.pick(1, 3, 11)).map(|number| keygen(level, t, n, number) * 1e6);
    let keygens = keygens.collect();
    let (signature, _) = committee.sign();
    let key = committee.key().clone();
    let bytes = [signature.to_bytes().len(), key.to_bytes().len()].map(real);
    let verify = Routine::repeat(|| key.verify(MESSAGE, b"", &signature).expect("valid"));
    let verify = in_turns(vec![verify], runs).remove(0);
    // One signer's time of each attempt, until there are enough of them, and as many signatures as needed for their odds.
    let (mut attempts, mut signed) = (Vec::new(), 0.0);
    while signed < real(runs) {
        let made = committee.attempt();
        attempts.push(made.tried.seconds * 1e6 / f64::from(t));
        signed += f64::from(made.tried.signatures);
    }
    let tries = real(attempts.len()) / signed;
    let sign: Vec<f64> = attempts.iter().map(|us| us * tries).collect();
    let (seconds, count) = windows(scale);
    let whole = sustained(|| drop(core::hint::black_box(committee.sign())), seconds, count);
    vec![
        figure("keygen", &name, Unit::Micros, keygens),
        figure("signature", &name, Unit::Bytes, vec![bytes[0]]),
        figure("key", &name, Unit::Bytes, vec![bytes[1]]),
        rates("sign", &name, &sign),
        rates("verify", &name, &verify),
        // Every signer has a core of its own.
        figure(
            "sustained",
            &name,
            Unit::PerSecond,
            whole.iter().map(|rate| rate * f64::from(t)).collect(),
        ),
    ]
}

/// Key generations of a committee: each is the mean of its nodes, and a hundred of them take ten seconds.
fn keygens(scale: Scale, n: u16) -> u16 {
    let many = n > 10;
    scale.pick(1, if many { 1 } else { 3 }, if many { 3 } else { 11 })
}

fn plan(scale: Scale) -> Vec<(Holder, Job)> {
    let job = |label: &str, cost| Job { label: label.to_owned(), cost };
    let mut all =
        vec![(Holder::Single, job("single keys: Ed25519, ML-DSA", scale.pick(1.0, 6.0, 106.0)))];
    for &n in committees(scale) {
        let cost = scale.pick(1.0, 2.0, 35.0)
            + f64::from(n) * f64::from(n) * 2.3e-3 * f64::from(keygens(scale, n));
        all.push((Holder::Ed25519(n), job(&format!("Ed25519 by a committee of {n}"), cost)));
    }
    for &(level, n) in lattice_committees(scale) {
        let cost = scale.pick(0.5, 3.0, 30.0);
        let label = format!("{level} by {} of {n}", quorum(n));
        all.push((Holder::MlDsa(level, n), job(&label, cost)));
    }
    all
}

fn soak_job(scale: Scale) -> Job {
    let cost = scale.pick(0.2, 8.0, 135.0);
    Job { label: "soak and stress of a committee of 4".to_owned(), cost }
}

/// The soak that the run was given, or a short one.
fn soaked(run: &mut Run<'_>) -> Soaked {
    let job = soak_job(run.scale);
    if let Some(soaked) = run.soaked {
        run.progress.had(&job);
        return soaked.clone();
    }
    run.progress.begin(&job);
    let length = Duration::from_millis(run.scale.pick(100, 3000, 60_000));
    let soaked = Soaked::run(length, 20, |_, _| ());
    run.progress.end(&job);
    soaked
}

/// Those of which keys were measured.
fn keys<'a>(found: &Found<'a>) -> Vec<&'a str> {
    let has = |who: &&str| found.of("tendermint/verify", who).is_some();
    found.libraries().into_iter().filter(has).collect()
}

impl Chapter for Tendermint {
    fn id(&self) -> &'static str {
        "tendermint"
    }

    fn jobs(&self, scale: Scale, _peers: &Peers) -> Vec<Job> {
        plan(scale).into_iter().map(|(_, job)| job).chain([soak_job(scale)]).collect()
    }

    fn run(&self, run: &mut Run<'_>) -> Section {
        let scale = run.scale;
        let mut figures = Vec::new();
        for (holder, job) in plan(scale) {
            figures.extend(run.figures(&job, || match holder {
                Holder::Single => singles(scale),
                Holder::Ed25519(n) => committee(n, scale),
                Holder::MlDsa(level, n) => lattice_committee(level, n, scale),
            }));
        }
        let soaked = soaked(run);
        figures.extend(run.served.iter().flat_map(Served::figures));
        let found = Found(&figures);
        let blocks = blocks(&found, scale, run.served, &soaked);
        let headlines = vec![headline(&found)];
        Section {
            id: self.id(),
            title: "Keys of validators".to_owned(),
            source: published::TENDERMINT,
            headlines,
            blocks,
            figures,
            load: run.load(),
        }
    }
}

fn headline(found: &Found<'_>) -> Headline {
    let (ours, name) = (who(4), "tendermint/sustained");
    // Of rates the larger is the better: the peer takes as many times as long as our rate is larger.
    let rate = |who: &str| found.of(name, who).map(Figure::middle);
    let ratio = rate(&ours).zip(rate(DILITHIUM[0])).map(|(own, peer)| own / peer);
    Headline {
        what:
            "signatures a second of a node: ours of a committee of 4, theirs of one Dilithium key"
                .to_owned(),
        ours: found.cell(name, &ours),
        published: format!("{} /s", published::TENDERMINT_KEYS[1].1[3]),
        ratio: ratio.map(|ratio| (DILITHIUM[0].to_owned(), ratio)),
    }
}

/// Every key that was measured, and the published ones.
fn table(found: &Found<'_>) -> Grid {
    let libraries = keys(found);
    let mut rows: Vec<Row> = libraries
        .iter()
        .map(|who| {
            let kind = if who.starts_with(OURS) { Kind::Ours } else { Kind::Peer };
            let cells =
                COLUMNS.iter().map(|(column, _)| found.cell(&format!("tendermint/{column}"), who));
            Row::new(kind, found.conditions("tendermint/verify", who), cells.collect())
        })
        .collect();
    for (name, [keygen, signature, key, sign, verify]) in published::TENDERMINT_KEYS {
        let label = format!("published, {name} ({})", published::TENDERMINT.hardware);
        let mut cells = vec![format!("{keygen} µs"), format!("{signature} B"), format!("{key} B")];
        cells.extend([format!("{sign} /s"), format!("{verify} /s"), "–".to_owned()]);
        rows.push(Row::new(Kind::Published, label, cells));
    }
    Grid {
        id: "table-tendermint-keys".to_owned(),
        caption:
            "Keys: of one holder, and of a committee by threshold Ed25519 and threshold ML-DSA"
                .to_owned(),
        head: core::iter::once("key")
            .chain(COLUMNS.map(|(_, title)| title))
            .map(str::to_owned)
            .collect(),
        rows,
    }
}

fn blocks(found: &Found<'_>, scale: Scale, served: &[Served], soaked: &Soaked) -> Vec<Block> {
    let (committees, libraries) = (committees(scale), keys(found));
    let series: Vec<(String, Vec<f64>)> = ["sign", "verify", "sustained"]
        .map(|column| {
            let rate = |who: &&str| {
                found.of(&format!("tendermint/{column}"), who).map_or(f64::NAN, Figure::middle)
            };
            (column.to_owned(), libraries.iter().map(rate).collect())
        })
        .into();
    let groups: Vec<String> =
        libraries.iter().map(|who| who.trim_start_matches("quorate ").to_owned()).collect();
    let y = Label { text: "a second".to_owned(), log: true };
    vec![
        Block::Table(table(found)),
        Block::Text(format!(
            "A committee of one is a single key, that of {DALEK}. Of a committee of n more than two thirds sign; its key \
             generation is one node's part of the distributed one, its signing one node's part of a signature (both \
             rounds), and its sustained rate a second divided by the mean time of a signer for whole signatures, messages \
             and coordinator included: {}. Rates are a second of CPU time.",
            committees.iter().map(|n| format!("{} of {n}", quorum(*n))).collect::<Vec<_>>().join(", ")
        )),
        Block::Text(
            "Threshold ML-DSA is experimental and for at most six parties. About every second attempt to sign fails and is made \
             again, so its signing is the time of an attempt times the mean number of attempts of this run, and its sustained \
             rate is of signatures that came out."
                .to_owned(),
        ),
        Block::Table(served::table(served)),
        Block::Text(
            "A load of the custody service is measured by its own command, custody load --json: from what each process has \
             used by /proc, with database, broker and gateway, and from the callers' clocks; the network is what came in over \
             all interfaces. A committee needs two nodes at least, so two of two stand for a single node. The published rates \
             of nodes include consensus. The service's metrics have custody_signatures_total and \
             custody_signatures_per_second, in the text format of Prometheus."
                .to_owned(),
        ),
        Block::Table(soaked.table()),
        Block::Text(
            "The rate is that of the first tenth of the run beside the last, the heap that of the committee and of all that \
             it left. Under stress requests come at 174 % of the rate of the soak, by the thread's own clock; 256 may wait, \
             who comes then is refused at once, and who waits is served in the end. A run of hours is made by report soak \
             --minutes N, and put into the page with --soak FILE."
                .to_owned(),
        ),
        Block::Plot("plot-tendermint-rates".to_owned(), "Rates".to_owned(), plot::bars(&groups, &y, &series)),
    ]
}
