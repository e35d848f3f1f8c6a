//! Counts of operations: that they are what is written down, and that without the feature `counting` the crate of big
//! numbers has not one instruction more.
#![allow(
    missing_docs,
    clippy::integer_division_remainder_used,
    clippy::unwrap_used,
    reason = "a test stops at the first surprise, and divides counts"
)]

use std::fs;
use std::path::{Path, PathBuf};

use quorate_benches::Operations;
use quorate_benches::bignum::{Contender, Inputs, Op};
use quorate_benches::ecdsa::{EcdsaCurve, EcdsaStep, Ledger, Level, QuorateEcdsa, Setup};
use quorate_bignum::{Engine, Integer, Made, Natural, Operation, Products, PublicProduct};

const GATE: &str = "#[cfg(feature = \"counting\")]";

/// The files that are there with the feature alone.
const OWN: [&str; 2] = ["kernel/counting.rs", "engine/counting.rs"];

/// The names that these files give to others.
const NAMES: [&str; 8] = [
    "counting",
    "Counting",
    "counted",
    "Counted",
    "Filled",
    "Repeated",
    "Products",
    "alone(&Portable",
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// The text without the items under the gate: what is compiled without the feature. And how many items there were.
fn without(text: &str) -> (Vec<&str>, usize) {
    let (mut left, mut items) = (Vec::new(), 0);
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.trim() != GATE {
            left.push(line);
            continue;
        }
        items += 1;
        let mut depth = 0i32;
        for line in lines.by_ref() {
            let line = line.trim();
            let of = |open: char, close: char| {
                let count = |one| i32::try_from(line.matches(one).count()).unwrap();
                count(open) - count(close)
            };
            depth += of('(', ')') + of('[', ']') + of('{', '}');
            if depth == 0 && !line.starts_with("#[") && !line.starts_with("///") {
                break;
            }
        }
    }
    (left, items)
}

#[test]
fn without_its_feature_nothing_is_counted() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
    for entry in fs::read_dir(&crates).unwrap() {
        // Nobody asks for it but the benchmarks, and nobody has it by default.
        let manifest = fs::read_to_string(entry.unwrap().path().join("Cargo.toml")).unwrap();
        for line in manifest.lines().filter(|line| line.contains("counting")) {
            assert!(!line.contains("bignum") && !line.starts_with("default"), "{line}");
        }
    }
    let source = crates.join("bignum/src");
    let (mut files, mut all) = (Vec::new(), 0);
    sources(&source, &mut files);
    for file in files {
        let name = file.strip_prefix(&source).unwrap().to_str().unwrap().to_owned();
        if OWN.contains(&name.as_str()) {
            continue;
        }
        let text = fs::read_to_string(&file).unwrap();
        let (left, items) = without(&text);
        all += items;
        for line in left {
            let code = line.split("//").next().unwrap();
            assert!(NAMES.iter().all(|name| !code.contains(name)), "{name}: {line}");
        }
    }
    assert!(all >= 15, "{all} items");
}

/// Our engines of this machine.
fn engines() -> impl Iterator<Item = Engine> {
    Engine::own().into_iter()
}

/// Squares and products of `bits` bits, as pairs if there are any.
fn made(products: &Products, bits: u32) -> [Made; 2] {
    [true, false].map(|square| {
        let of = |rooted| products.get(&Operation { bits, rooted, square });
        of(true).or(of(false)).copied().unwrap_or_default()
    })
}

fn full(numbers: u64) -> Made {
    Made { numbers, lanes: numbers }
}

/// A power of two as exponent: a squaring for each bit below the first, and the table of a window of 6 bits, which is a square
/// and 31 products; one product each makes the one, takes the base in, and the value out.
#[test]
fn a_power_takes_the_products_of_its_window() {
    let inputs = Inputs::new(1024);
    let exponent = Integer::from(Natural::power_of_two(1000));
    for engine in engines() {
        let engine = engine.counting();
        let product = PublicProduct::new(&inputs.moduli[0]).power(&inputs.bases[0], &exponent);
        let (values, operations) = Operations::of(|| engine.evaluate_vartime(&[product]));
        assert!(values.into_iter().all(|value| value.is_ok()));
        let expected = [full(1000 + 1), full(31 + 3)];
        assert_eq!(made(&operations.products, 1024), expected, "{engine}");
        assert_eq!(operations.products.len(), 2);
    }
}

/// Eight N-th powers of 3072 bits under one key share 471 products for the digits and the table
/// (`docs/decisions/0006-lanes-and-windows.md`).
#[test]
fn nth_powers_share_their_digits() {
    let inputs = Inputs::new(3072);
    let inputs = Inputs { moduli: vec![inputs.moduli[0].clone(); 8], ..inputs };
    for engine in engines() {
        let contender = Contender::Engine(engine.counting());
        let mut work = Op::NthPowerBatch8.work(contender, &inputs).unwrap();
        let ((), operations) = Operations::of(|| (work.run)());
        let [squares, products] = made(&operations.products, 6144);
        for (made, about) in [(squares, 3072), (products, 471 + 4)] {
            assert!((made.numbers / 8).abs_diff(about) <= 8, "{engine}: {made:?}");
            assert_eq!(made.numbers, made.lanes, "{engine}");
        }
    }
}

/// Lanes that nobody wants anything of are told from the others.
#[test]
fn idle_lanes_are_seen() {
    let Some(engine) = Engine::ifma() else { return };
    let inputs = Inputs::new(1024);
    let product = |at: usize| {
        PublicProduct::new(&inputs.moduli[at]).power(&inputs.bases[at], &inputs.exponents[at])
    };
    for (count, lanes) in [(8, 8), (5, 8), (3, 3)] {
        let products: Vec<_> = (0..count).map(product).collect();
        let (_, operations) = Operations::of(|| engine.counting().evaluate_vartime(&products));
        #[allow(clippy::cast_precision_loss, reason = "eight lanes")]
        let part = count as f64 / f64::from(lanes);
        assert!((operations.filled().unwrap() - part).abs() < 1e-9, "{count}: {operations:?}");
    }
}

/// The operations of all parties, round by round: all of `n` sign, with moduli of 2048 bits.
fn rounds(step: EcdsaStep, n: u16, k: u16) -> Vec<Operations> {
    let setup = Setup { curve: EcdsaCurve::Secp256k1, level: Level::Bits112, t: n, n, k };
    let mut fixture = QuorateEcdsa(Engine::detect()).counting(setup);
    fixture.prepare(step);
    let mut ledger = Ledger::operating();
    fixture.run(step, &mut ledger);
    ledger.operations()
}

/// Multiplications of a key generation are t coefficients and the commitment of a proof. A party's own share takes three, against
/// the sum of all commitments and when it becomes a key share. The proof of each other party takes a multiple of the generator and
/// one of another point. Of a signature: the nonce, by each signer and again by each who aggregates; to verify, a multiple of the
/// generator and one of the key. None of them computes with big numbers.
#[test]
fn points_are_those_of_the_protocol() {
    for n in [2, 3] {
        let of = |step| Operations::sum(&rounds(step, n, 1));
        let (keygen, sign) = (of(EcdsaStep::Keygen), of(EcdsaStep::Sign));
        let (t, parties) = (usize::from(n), usize::from(n));
        let others = parties - 1;
        let points = keygen.points;
        assert_eq!(points.fixed, parties * (t + 1 + 3 + others), "{points:?}");
        assert_eq!((points.random, points.alone), (parties * others, 0), "{points:?}");
        assert_eq!((sign.points.fixed, sign.points.random), (parties, 3 * parties));
        assert!(keygen.products.is_empty() && sign.products.is_empty());
    }
}

/// N-th powers of presigning, by their squarings. Under a party's own factors there are those of K and G of each presignature and of
/// the mask of one folded proof for each peer, then those of F and F̂ for each peer and one mask. Under a peer's key, in the last
/// round, there is one to check its folded proof. Each costs a squaring for each bit of the exponent but for its first digit.
#[test]
fn powers_of_a_presigning_are_those_of_the_protocol() {
    for (n, k) in [(2, 1), (3, 1), (2, 3)] {
        let step = if k == 1 { EcdsaStep::Presign } else { EcdsaStep::PresignMany };
        let rounds = rounds(step, n, k);
        let (n, k) = (u64::from(n), u64::from(k));
        let powers = |round: usize, bits: u32, digits: u64| {
            let [squares, products] = made(&rounds[round].products, bits);
            assert!(products.numbers * 3 < squares.numbers && products.numbers > 0, "{products:?}");
            (squares.numbers + digits / 2) / digits
        };
        if Engine::ifma().is_some() {
            // Other engines do not tell the square of a prime from a modulus.
            let own = [0, 1].map(|round| powers(round, 2048, 2 * 1020));
            assert_eq!(own[0], n * (2 * k + n - 1), "{n} parties, {k} presignatures");
            assert_eq!(own[1], n * (2 * k + 1) * (n - 1), "{n} parties, {k} presignatures");
        }
        if k == 1 {
            assert_eq!(powers(2, 4096, 2047), n * (n - 1), "{n} parties");
        }
        assert!(rounds[3].products.is_empty() && rounds[4].products.is_empty());
    }
}

/// Πmod's 128 repetitions take an N-th root and a fourth root each, under the own factors, whichever party reads them.
#[test]
fn roots_of_auxiliary_information_are_counted() {
    let [one, other] = [2, 3].map(|n| {
        let rounds = rounds(EcdsaStep::AuxInfoGivenPrimes, n, 1);
        let [squares, _] = made(&rounds[2].products, 1024);
        squares.numbers / (2 * 1020) / u64::from(n)
    });
    assert!((256..=260).contains(&one) && one == other, "{one}, {other}");
}
