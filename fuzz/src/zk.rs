//! Zero-knowledge proofs at the smaller level: arbitrary bytes, and honest proofs with an alteration. No input
//! panics, and only the honest proof in its own context is accepted.

mod figures;

use figures::{FIGURES, Figure, figure};
use quorate_frost::session::SessionId;
use quorate_zk::{Own, ProofContext};

use crate::input::Input;
use crate::seeds::Seed;

/// The equations of the slow figures too.
const FULL: u8 = 0x10;
/// Another session.
const ELSEWHERE: u8 = 0x08;

/// The first byte chooses the figure, the second what is done with the rest.
pub(crate) fn check(data: &[u8]) -> bool {
    let mut input = Input::new(data);
    let figure = figure(input.byte());
    let mode = input.byte();
    let proof = match mode % 4 {
        0 => input.bytes(usize::MAX).to_vec(),
        1 => repeated(input.bytes(usize::MAX), figure.honest.len()),
        2 => edited(&mut input, figure),
        _ => replaced(&mut input, figure),
    };
    let mut context = figures::context();
    if mode & ELSEWHERE != 0 {
        context = ProofContext { session: SessionId::new([9; 32]), ..context };
    }
    let right = proof == figure.honest && mode & ELSEWHERE == 0;
    let read = (figure.read)(&proof, context);
    assert!(read.is_ok() || !right, "the honest proof is not read: {read:?}");
    if figure.slow && mode & FULL == 0 {
        return read.is_ok();
    }
    for own in [Own::default(), figures::own()] {
        let verdict = (figure.verify)(&proof, context, own);
        assert_eq!(verdict.is_ok(), right, "{}: {verdict:?}", figure.name);
    }
    read.is_ok()
}

/// Bytes of the length of a proof.
fn repeated(bytes: &[u8], length: usize) -> Vec<u8> {
    let bytes = if bytes.is_empty() { &[0] } else { bytes };
    bytes.iter().copied().cycle().take(length).collect()
}

/// The honest proof with some bytes changed: in which part, where in it, by what.
fn edited(input: &mut Input<'_>, figure: &Figure) -> Vec<u8> {
    let mut proof = figure.honest.clone();
    for _ in 0..8 {
        let part = usize::from(input.pair()) % figure.parts.len();
        let (at, change) = (usize::from(input.byte()), input.byte());
        let (start, len) = figure.parts[part];
        // From the end, where a change leaves the number in its range.
        proof[start + len - 1 - at % len] ^= change;
    }
    proof
}

/// The honest proof with one part replaced by something particular, or with another length.
fn replaced(input: &mut Input<'_>, figure: &Figure) -> Vec<u8> {
    let mut proof = figure.honest.clone();
    let (part, what) = (usize::from(input.pair()), input.byte());
    let (start, len) = figure.parts[part % figure.parts.len()];
    let place = start..start + len;
    match what % 8 {
        0 => proof[place].fill(0),
        1 => proof[place].fill(0xff),
        // The number that is the first or the last of its interval, or one more.
        2 => {
            let number = &figure.numbers[usize::from(what >> 3) % figure.numbers.len()];
            let (short, part) = (number.len().min(len), &mut proof[place]);
            part.fill(0);
            part[len - short..].copy_from_slice(&number[number.len() - short..]);
        }
        3 => {
            let (from, other) = figure.parts[usize::from(input.pair()) % figure.parts.len()];
            let both = len.min(other);
            proof.copy_within(from..from + both, start);
        }
        4 => drop(proof.drain(place)),
        5 => proof.extend_from_slice(input.bytes(64)),
        6 => proof.truncate(start),
        _ => {
            let bytes = repeated(input.bytes(len), len);
            proof[place].copy_from_slice(&bytes);
        }
    }
    proof
}

/// Inputs to start from.
pub(crate) fn seeds() -> Vec<Seed> {
    let mut seeds = Vec::new();
    for (index, &name) in (0..).zip(FIGURES) {
        let mut add = |part: &str, bytes: Vec<u8>| {
            seeds.push(Seed { target: "zk_claim", name: format!("{name}_{part}"), bytes });
        };
        add("honest", vec![index, 2 | FULL]);
        // The form of Πmod cannot be told from its equations.
        if name != "mod" {
            add("elsewhere", vec![index, 2 | FULL | ELSEWHERE]);
            add("one_part", vec![index, 2 | FULL, 0, 0, 0, 1]);
            add("two_parts", vec![index, 2 | FULL, 0, 0, 0, 1, 0xff, 0xff, 1, 2]);
        }
        let honest = &figure(index).honest;
        if honest.len() < 512 {
            add("bytes", [&[index, 0][..], honest].concat());
        }
    }
    seeds
}
