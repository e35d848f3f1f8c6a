//! Secrets as the words that are looked for.

use std::collections::HashMap;

/// Bits of the filter's index.
const FILTER_BITS: u32 = 20;

/// Consecutive words of a secret in one form.
#[derive(Clone, Debug)]
pub(super) struct Form {
    secret: usize,
    name: &'static str,
    words: Vec<u64>,
    /// Bytes from one word to the next.
    stride: usize,
    /// The least number of consecutive words that count.
    least: usize,
}

/// The forms of a number.
pub(super) fn of_number(secret: usize, big_endian: &[u8]) -> Vec<Form> {
    let little: Vec<u8> = big_endian.iter().rev().copied().collect();
    let mut forms = of_bytes(secret, big_endian);
    for (bits, lanes, name) in [
        (52, 1, "limbs of 52 bits"),
        (52, 8, "limbs of 52 bits in eight lanes"),
        (28, 4, "limbs of 28 bits in four lanes"),
    ] {
        forms.push(Form { secret, name, words: limbs(&little, bits), stride: 8 * lanes, least: 2 });
    }
    forms
}

/// Bytes in both orders.
pub(super) fn of_bytes(secret: usize, bytes: &[u8]) -> Vec<Form> {
    let reversed: Vec<u8> = bytes.iter().rev().copied().collect();
    let form = |name, bytes: &[u8]| Form { secret, name, words: words(bytes), stride: 8, least: 2 };
    vec![form("bytes", bytes), form("reversed bytes", &reversed)]
}

/// Bytes in their order, of which at least `least` consecutive words count.
pub(super) fn of_small(secret: usize, bytes: &[u8], least: usize) -> Form {
    Form { secret, name: "small numbers", words: words(bytes), stride: 8, least }
}

/// The whole words in a string of bytes, as a little-endian machine loads them.
fn words(bytes: &[u8]) -> Vec<u64> {
    bytes.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word)).collect()
}

/// Limbs of `bits` bits.
fn limbs(little_endian: &[u8], bits: usize) -> Vec<u64> {
    let bit = |at: usize| {
        let byte = little_endian.get(at >> 3).copied().unwrap_or(0);
        u64::from((byte >> (at & 7)) & 1)
    };
    let limb = |at: usize| (0..bits).rev().fold(0, |limb, k| (limb << 1) | bit(at + k));
    (0..8 * little_endian.len()).step_by(bits).map(limb).collect()
}

/// Returns whether a word can identify a secret. Small words, of either sign, occur everywhere.
const fn is_telling(word: u64) -> bool {
    word >> 24 != 0 && !word >> 24 != 0
}

/// Finds the forms that a word occurs in.
#[derive(Debug)]
pub(super) struct Index {
    filter: Vec<u64>,
    places: HashMap<u64, Vec<(usize, usize)>>,
    forms: Vec<Form>,
}

/// A form that begins at some place of a block.
pub(super) struct Run {
    pub(super) secret: usize,
    pub(super) form: &'static str,
    /// The length of the run in bytes.
    pub(super) len: usize,
}

impl Index {
    pub(super) fn new(forms: &[Form]) -> Self {
        let forms = forms.to_vec();
        let mut index =
            Self { filter: vec![0; 1 << (FILTER_BITS - 6)], places: HashMap::new(), forms };
        for (form, Form { words, .. }) in index.forms.iter().enumerate() {
            for (place, pair) in words.windows(2).enumerate() {
                let [word, next] = pair else { continue };
                if is_telling(*word) && is_telling(*next) {
                    let (at, mask) = hashed(*word);
                    if let Some(bits) = index.filter.get_mut(at) {
                        *bits |= mask;
                    }
                    index.places.entry(*word).or_default().push((form, place));
                }
            }
        }
        index
    }

    /// The run of words that begins here, if there is one; `word` reads the block at an offset.
    pub(super) fn run_at(&self, first: u64, word: impl Fn(usize) -> Option<u64>) -> Option<Run> {
        let (at, mask) = hashed(first);
        if self.filter.get(at).is_none_or(|bits| bits & mask == 0) {
            return None;
        }
        self.places.get(&first)?.iter().find_map(|&(form, place)| {
            let Form { secret, name, words, stride, least } = self.forms.get(form)?;
            let rest = words.get(place + 1..)?;
            let same = (1..).zip(rest).take_while(|(k, next)| word(k * stride) == Some(**next));
            let run = same.count();
            (run + 1 >= *least).then_some(Run {
                secret: *secret,
                form: name,
                len: (run + 1) * stride,
            })
        })
    }
}

/// Where a word is in the filter.
#[inline]
fn hashed(word: u64) -> (usize, u64) {
    let hash = word.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - FILTER_BITS);
    ((hash >> 6) as usize, 1 << (hash & 63))
}
