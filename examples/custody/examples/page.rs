//! The status page of a gateway that is made up, to look at: `cargo run --example page > page.html`.

use core::time::Duration;

use quorate::PartyId;
use quorate_custody::gateway::ask::{KeyView, NodeView, Snapshot};
use quorate_custody::metrics::{Readiness, SECONDS, Sample};
use quorate_custody::page;
use quorate_custody::request::{KeyId, Scheme};

fn main() {
    let samples = samples();
    let signed = samples.last().map_or([0, 0], |last| last.signed);
    let snapshot = Snapshot {
        open: 37,
        taken: 123_456,
        signed,
        refused: 12,
        rejected: 3,
        repeated: 815,
        latencies: (0..1024_u32).map(latency).collect(),
        keys: vec![
            key(Scheme::Ecdsa, 1, 212),
            key(Scheme::Ecdsa, 2, 17),
            key(Scheme::Ed25519, 3, 250),
        ],
        nodes: (1..=4).filter_map(node).collect(),
        notices: vec![
            "node 3: its database lies behind what node 1 has seen of it: it begins anew"
                .to_owned(),
            "node 4 uses threshold 3, expected 2".to_owned(),
        ],
        ready: true,
    };
    let why = Readiness::NotReady("not every key has something to sign with".to_owned());
    let state = if std::env::args().nth(1).is_some() { why } else { Readiness::Ready };
    println!("{}", page::render(&snapshot, &samples, (Duration::from_secs(7_300), &state)));
}

fn samples() -> Vec<Sample> {
    let mut sample = Sample { signed: [52_000, 71_000], left: [400, 500] };
    let mut samples = Vec::new();
    for second in 0..=SECONDS {
        let wave = (f64::from(u32::try_from(second).unwrap_or(0)) / 40.0).sin();
        let outage = (300..330).contains(&second);
        let made = |mean: f64| if outage { 0 } else { whole(mean * (1.0 + 0.3 * wave)) };
        let [ecdsa, frost] = [made(90.0), made(260.0)];
        sample.signed = [sample.signed[0] + ecdsa, sample.signed[1] + frost];
        sample.left = [whole(300.0 + 180.0 * wave), whole(420.0 - 90.0 * wave)];
        samples.push(sample);
    }
    samples
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small made-up numbers")]
const fn whole(number: f64) -> u64 {
    number as u64
}

const fn latency(number: u32) -> u32 {
    match number.trailing_zeros() {
        0 => 12 + (number.wrapping_mul(31) & 31),
        1 => 40 + (number & 63),
        2 => 90 + (number & 127),
        3 => 5,
        more => 100 * more,
    }
}

fn key(scheme: Scheme, number: u8, stock: usize) -> KeyView {
    let public_key = vec![number.wrapping_mul(37); 33];
    KeyView {
        id: KeyId([number; 16]),
        scheme,
        epoch: 2,
        public_key,
        public: Vec::new(),
        stated: Vec::new(),
        parties: (1..=3).filter_map(PartyId::new).collect(),
        threshold: 2,
        stock,
        low: 64,
        high: 256,
    }
}

fn node(number: u16) -> Option<NodeView> {
    Some(NodeView {
        node: PartyId::new(number)?,
        heard: (number < 4).then_some(u64::from(number) * 140),
        epoch: u64::from(number >= 3),
        head: u8::try_from(number).ok().map(|number| [0x5a ^ number; 32]),
        refuses: (number == 3).then(|| {
            "its database was put back; it drops what it held and begins epoch 2".to_owned()
        }),
        cheated: false,
        owes: usize::from(number) - 1,
    })
}
