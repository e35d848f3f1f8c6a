//! Stored forms, whose digest a fuzzer cannot guess.

use std::fmt::Debug;

use super::fixture::{DIGEST, ended};
use crate::input::Input;

/// How the bytes of a form are made, by the lowest bits of a byte.
///
/// - 0: the rest of the input as it is.
/// - 1: the rest, followed by a digest that fits.
/// - 2: the honest form with some bytes altered, and a digest that fits.
/// - 3: the honest form with a part replaced by the rest, and a digest that fits.
/// - 4: the honest form with two neighbours of one length exchanged, and a digest that fits.
pub(crate) fn form(mode: u8, input: &mut Input<'_>, honest: &[u8]) -> Vec<u8> {
    let body = &honest[..honest.len() - DIGEST];
    match mode % 8 {
        0 => input.bytes(usize::MAX).to_vec(),
        1 => ended(input.bytes(usize::MAX).to_vec()),
        2 | 5 => ended(altered(input, body)),
        3 | 6 => ended(spliced(input, body)),
        _ => ended(exchanged(input, body)),
    }
}

/// With up to eight bytes changed.
fn altered(input: &mut Input<'_>, body: &[u8]) -> Vec<u8> {
    let mut body = body.to_vec();
    for _ in 0..8 {
        let at = usize::from(input.pair()) % body.len();
        body[at] ^= input.byte();
    }
    body
}

/// With up to four pairs of neighbours exchanged: entries of a list, whatever their length is.
fn exchanged(input: &mut Input<'_>, body: &[u8]) -> Vec<u8> {
    let mut body = body.to_vec();
    for _ in 0..4 {
        let at = usize::from(input.pair()) % body.len();
        let length = usize::from(input.byte()).min((body.len() - at) / 2);
        let (first, second) = body[at..at + 2 * length].split_at_mut(length);
        first.swap_with_slice(second);
    }
    body
}

/// With some bytes taken out, and others in their place.
fn spliced(input: &mut Input<'_>, body: &[u8]) -> Vec<u8> {
    let at = usize::from(input.pair()) % body.len();
    let length = usize::from(input.pair()) % (body.len() - at + 1);
    [&body[..at], input.bytes(usize::MAX), &body[at + length..]].concat()
}

/// Decodes, and if that succeeds, checks that the encoding gives the same bytes.
pub(crate) fn strict<T, E: Debug>(
    bytes: &[u8],
    decode: impl Fn(&[u8]) -> Result<T, E>,
    encode: impl Fn(&T) -> Vec<u8>,
) -> Option<T> {
    let decoded = decode(bytes).ok()?;
    assert!(encode(&decoded) == bytes, "accepted, but not canonical");
    Some(decoded)
}
